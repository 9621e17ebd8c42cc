/* The checker as a whole: declarations, templates, the system, queries. */
#include "base/interrupt.h"
#include "lang/check/check_internal.h"
#include "lang/syntax/query_text.h"

#include <assert.h>

/* In a query the first problem makes it QUERY_INVALID; elsewhere it is an error of the document.
 * False. */
bool check_fail(struct checker *checker, enum status status, struct span span, const char *format,
                ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(checker->arena, format, arguments);
    va_end(arguments);
    if (checker->query) {
        struct query *query = checker->query;
        if (query->problem)
            return false; /* becomes QUERY_INVALID when it was looked at as a whole */
        query_reject(query, status, span.begin, message, checker->diag);
    } else if (checker->unused && status == STATUS_UNSUPPORTED) {
        if (checker->unused->problem) return false;
        checker->unused->problem = message;
        checker->unused->problem_at = span.begin;
    } else if (checker->is_lenient) {
        diag_warning(checker->diag, span.begin, "%s", message);
    } else {
        diag_error(checker->diag, status, span.begin, "%s", message);
    }
    return false;
}

/* Instances */

static struct symbol **parameters_of(const struct symbol *symbol, uint32_t *count) {
    assert(symbol->instance || symbol->template);
    if (symbol->instance) {
        *count = symbol->instance->parameter_count;
        return symbol->instance->parameters;
    }
    *count = symbol->template->parameter_count;
    return symbol->template->parameters;
}

static void mark_parameters(struct symbol **parameters, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        parameters[i]->is_compile_time =
            !parameters[i]->is_reference && symbol_is_const(parameters[i]);
}

static void check_template_parameters(struct checker *checker, struct symbol **parameters,
                                      uint32_t count) {
    assert(!checker->in_parameters);
    checker->in_parameters = true;
    for (uint32_t i = 0; i < count; i++)
        if (check_symbol_type(checker, parameters[i]))
            check_clock_parameter(checker, parameters[i]);
    checker->in_parameters = false;
}

/* A variable, or a part of one picked by computable indices. */
static bool is_fixed_place(struct checker *checker, const struct expr *expr) {
    for (;; expr = expr->child[0]) {
        if (expr->kind == EXPR_NAME) return true;
        if (expr->kind == EXPR_INDEX && !expr_effects(checker, expr->child[1]).is_computable)
            return false;
        if (expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD) return false;
    }
}

static void check_instance_argument(struct checker *checker, const struct symbol *parameter,
                                    struct expr *argument) {
    if (type_is_error(check_expr(checker, argument)) || type_is_error(parameter->type)) return;
    if (!check_pure(checker, argument, "an argument of a template")) return;
    bool is_changeable = parameter->is_reference && !symbol_is_const(parameter);
    if (!is_changeable && !parameter->is_reference && type_base_kind(argument->type) == TYPE_CHAN) {
        check_fail(checker, STATUS_INVALID, argument->span,
                   "channels are passed by reference; declare '%s' with '&'", parameter->name);
    } else if (is_changeable && !is_fixed_place(checker, argument)) {
        check_fail(checker, STATUS_INVALID, argument->span,
                   "parameter '%s' is a reference and needs one fixed variable; indices must be "
                   "known before the run",
                   parameter->name);
    } else if (is_changeable || check_computable(checker, argument, "an argument of a template")) {
        check_argument(checker, parameter, argument);
    }
}

/* What a restricted parameter of the base depends on is restricted as well. */
static void pass_restriction(struct checker *checker, const struct symbol *parameter,
                             const struct expr *argument) {
    if (is_restricted(checker, parameter)) check_restrict(checker, argument);
}

static void begin_template(struct checker *checker, struct template *template) {
    checker->unused = map_get(&checker->used, map_key(template)) ? NULL : template;
}

static void check_instance_of(struct checker *checker, struct instance *instance) {
    check_template_parameters(checker, instance->parameters, instance->parameter_count);
    uint32_t count;
    struct symbol **parameters = parameters_of(instance->base, &count);
    if (count != instance->argument_count) {
        check_fail(checker, STATUS_INVALID, instance->symbol->span,
                   "'%s' takes %u argument%s, not %u", instance->base->name, count,
                   count == 1 ? "" : "s", instance->argument_count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        check_instance_argument(checker, parameters[i], instance->arguments[i]);
        pass_restriction(checker, parameters[i], instance->arguments[i]);
    }
}

/* Number and types of the arguments of a partial instance. */
void check_instance(struct checker *checker, struct instance *instance) {
    begin_template(checker, instance->template);
    check_instance_of(checker, instance);
    checker->unused = NULL;
}

/* Parameters that are still free make a set of processes, so they need finitely many values. */
static void check_process(struct checker *checker, const struct system_process *process) {
    uint32_t count;
    struct symbol **parameters = parameters_of(process->symbol, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct symbol *parameter = parameters[i];
        const struct type *type = type_strip(parameter->type);
        if (type->kind == TYPE_ERROR) continue;
        bool is_bounded = type->kind == TYPE_SCALAR || (type->kind == TYPE_INT && type->lower);
        if (!is_bounded || parameter->is_reference)
            check_fail(checker, STATUS_INVALID, process->span,
                       "parameter '%s' of '%s' has no argument; only bounded ints and scalars "
                       "passed by value may stay free",
                       parameter->name, process->symbol->name);
        else if (is_restricted(checker, parameter))
            check_fail(checker, STATUS_INVALID, process->span,
                       "parameter '%s' of '%s' stays free, but a size of a local array or scalar "
                       "set depends on it",
                       parameter->name, process->symbol->name);
    }
}

/* Templates */

static void check_sync(struct checker *checker, const struct template *template,
                       const struct edge *edge) {
    assert(edge->sync && template_has_edge(template, edge));
    const struct type *type = check_expr(checker, edge->sync);
    if (type_is_error(type)) return;
    if (type_kind(type) != TYPE_CHAN) {
        check_fail(checker, STATUS_INVALID, edge->sync->span,
                   "a synchronisation needs a channel, not %s", type_describe(type));
        return;
    }
    if (!check_pure(checker, edge->sync, "a synchronisation")) return;
    if (!edge->is_send && !edge->written_guard && channel_capability(type) == 1 &&
        template->locations[edge->target].is_branchpoint)
        diag_warning(checker->diag, edge->sync->span.begin,
                     "this broadcast receiver leads to a branchpoint without a guard");
}

static void check_weight(struct checker *checker, struct expr *weight) {
    assert(!checker->in_weight);
    checker->in_weight = true;
    bool is_fine = check_condition(checker, weight, "a branch weight");
    checker->in_weight = false;
    if (is_fine && type_kind(weight->type) == TYPE_BOOL)
        check_fail(checker, STATUS_INVALID, weight->span, "a branch weight needs a number, not %s",
                   type_describe(weight->type));
}

static void check_edge(struct checker *checker, const struct template *template,
                       struct edge *edge) {
    for (uint32_t i = 0; i < edge->select_count; i++) check_range_type(checker, edge->selects[i]);
    bool is_fine =
        edge->written_guard && check_label_condition(checker, edge->written_guard, false);
    if (edge->sync) check_sync(checker, template, edge);
    if (is_fine && edge->sync) check_clock_guard(checker, edge);
    if (edge->updates.count) check_effects(checker, &edge->updates);
    if (edge->weight) check_weight(checker, edge->weight);
}

static void check_location(struct checker *checker, const struct template *template,
                           uint32_t index) {
    assert(index < template->location_count);
    struct expr *invariant = template->locations[index].written_invariant;
    checker->invariant = &index;
    bool is_fine = invariant && check_label_condition(checker, invariant, true);
    checker->invariant = NULL;
    if (is_fine && invariant->kind == EXPR_BINARY && invariant->op == OP_LT)
        diag_warning(checker->diag, invariant->span.begin,
                     "Uppaal warns about strict invariants; write '<='");
}

static void check_template(struct checker *checker, struct template *template) {
    begin_template(checker, template);
    check_template_parameters(checker, template->parameters, template->parameter_count);
    checker->template = template;
    check_declarations(checker, &template->declarations);
    checker->template = NULL;
    for (uint32_t i = 0; i < template->location_count; i++) check_location(checker, template, i);
    for (uint32_t i = 0; i < template->edge_count; i++)
        check_edge(checker, template, &template->edges[i]);
    checker->unused = NULL;
}

/* The system */

static void check_progress(struct checker *checker) {
    struct model *model = checker->model;
    for (uint32_t i = 0; i < model->progress_count; i++) {
        struct expr *exprs[] = {model->progress[i].guard, model->progress[i].measure};
        for (int j = 0; j < 2; j++)
            if (exprs[j]) check_integral(checker, exprs[j], "a progress measure");
    }
}

static void check_gantt(struct checker *checker) {
    struct model *model = checker->model;
    for (uint32_t i = 0; i < model->gantt_count; i++)
        for (uint32_t j = 0; j < model->gantt[i].expr_count; j++)
            check_integral(checker, model->gantt[i].exprs[j], "an expression of a gantt chart");
}

static void check_system(struct checker *checker) {
    struct model *model = checker->model;
    check_declarations(checker, &model->system_declarations);
    for (uint32_t i = 0; i < model->process_count; i++) {
        const struct system_process *process = &model->processes[i];
        map_put(&checker->listed, map_key(process->symbol), process->symbol);
        check_process(checker, process);
    }
    checker->has_processes = true;
    check_progress(checker);
    check_gantt(checker);
    check_queries(checker);
}

/* Everything that holds a value before the run, wherever it is declared. */
static void mark_compile_time(struct model *model) {
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int i = 0; i < 2; i++) {
        mark_constants(lists[i]);
        for (uint32_t j = 0; j < lists[i]->count; j++)
            if (lists[i]->items[j]->kind == DECLARATION_INSTANCE)
                mark_parameters(lists[i]->items[j]->instance->parameters,
                                lists[i]->items[j]->instance->parameter_count);
    }
    for (uint32_t i = 0; i < model->template_count; i++) {
        mark_constants(&model->templates[i]->declarations);
        mark_parameters(model->templates[i]->parameters, model->templates[i]->parameter_count);
    }
}

/* Uppaal looks at types only where they are used; the tree is to be complete all the same. */
static void check_unused_types(struct checker *checker, const struct declaration_list *list) {
    checker->is_lenient = true;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        if (declaration->kind != DECLARATION_TYPES) continue;
        for (uint32_t j = 0; j < declaration->declarator_count; j++) {
            struct symbol *symbol = declaration->declarators[j].symbol;
            if (!map_get(&checker->checked, map_key(symbol))) check_type(checker, symbol->type);
        }
    }
    checker->is_lenient = false;
}

static void warn_of_unread(const struct checker *checker) {
    for (uint32_t i = 0; i < checker->unread.count; i++) {
        const struct symbol *symbol = checker->unread.items[i];
        enum type_kind kind = type_base_kind(symbol->type);
        if (!symbol->is_used)
            diag_warning(checker->diag, symbol->span.begin,
                         "%s '%s' is never used and stays as it is",
                         kind == TYPE_CLOCK    ? "clock"
                         : kind == TYPE_DOUBLE ? "double"
                                               : "string",
                         symbol->name);
        else if (kind == TYPE_CLOCK && !checker->model->timed_by &&
                 map_get(&checker->set_clocks, map_key(symbol)))
            diag_warning(checker->diag, symbol->span.begin,
                         "clock '%s' is set, but no guard or invariant tests a clock: time makes "
                         "no difference here",
                         symbol->name);
    }
}

/* INT8_MAX and its like are declared nowhere. */
static void check_predeclared(struct checker *checker) {
    for (uint32_t i = 0; i < checker->model->symbol_count; i++) {
        const struct symbol *symbol = checker->model->symbols[i];
        if (!symbol->declaration && symbol->initialiser && symbol->initialiser->expr)
            check_expr(checker, symbol->initialiser->expr);
    }
}

static void checker_init(struct checker *checker, struct model *model) {
    *checker = (struct checker){.model = model, .arena = model->arena, .diag = model->diag};
    struct map *maps[] = {&checker->checked, &checker->changes,   &checker->restricted,
                          &checker->members, &checker->listed,    &checker->used,
                          &checker->refused, &checker->set_clocks};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_init(maps[i], model->arena);
}

bool model_check_variable(struct model *model, struct symbol *symbol) {
    struct checker checker;
    checker_init(&checker, model);
    return check_symbol_type(&checker, symbol);
}

/* The value joins the model as the expression of a new variable. */
bool model_check_value(struct model *model, struct expr *value, const char *what) {
    struct checker checker;
    checker_init(&checker, model);
    return check_condition(&checker, value, what);
}

/* One item of an update. */
bool model_check_update(struct model *model, struct expr *update) {
    struct checker checker;
    checker_init(&checker, model);
    check_effect(&checker, update);
    return !model->diag->error_count;
}

/* A model may be so large that there is no time for all of it; most are checked soon. */
static bool is_interrupted(struct diag *diag) {
    enum { PATIENCE_SECONDS = 1 };
    if (!interrupt_is_over(PATIENCE_SECONDS)) return false;
    diag_error(diag, STATUS_LIMIT, 0, "the model is not checked to its end: %s",
               interrupt_reason());
    return true;
}

bool model_check(struct model *model) {
    struct checker checker;
    checker_init(&checker, model);
    mark_compile_time(model);
    for (uint32_t i = 0; i < model->process_count; i++) {
        const struct symbol *symbol = model->processes[i].symbol;
        struct template *template =
            symbol->instance ? symbol->instance->template : symbol->template;
        map_put(&checker.used, map_key(template), template);
    }
    check_predeclared(&checker);
    check_declarations(&checker, &model->declarations);
    for (uint32_t i = 0; i < model->template_count; i++) {
        if (is_interrupted(model->diag)) return false;
        check_template(&checker, model->templates[i]);
    }
    check_system(&checker);
    check_unused_types(&checker, &model->declarations);
    check_unused_types(&checker, &model->system_declarations);
    for (uint32_t i = 0; i < model->template_count; i++)
        check_unused_types(&checker, &model->templates[i]->declarations);
    warn_of_unread(&checker);
    assert(!checker.query && !checker.function && !checker.template);
    return !model->diag->error_count;
}
