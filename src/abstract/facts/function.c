#include "abstract/facts/function.h"

#include "abstract/facts/names.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

struct planner {
    struct function_plan *plan;
    const struct network *network;
    const struct request *request;
    struct diag *diag;
    bool ok;
    VEC(const struct function *) functions; /* in order of declaration */
};

const struct function_change *function_change_of(const struct function_plan *plan,
                                                 const struct function *function) {
    return map_get(&plan->by_function, map_key(function));
}

static void list_functions(struct planner *planner, struct arena *arena) {
    const struct model *model = planner->network->model;
    for (uint32_t i = 0; i < model->template_count + 2; i++) {
        const struct declaration_list *list = i == 0   ? &model->declarations
                                              : i == 1 ? &model->system_declarations
                                                       : &model->templates[i - 2]->declarations;
        for (uint32_t k = 0; k < list->count; k++)
            if (list->items[k]->kind == DECLARATION_FUNCTION)
                VEC_PUSH(arena, &planner->functions, list->items[k]->function);
    }
}

static void for_all_functions(struct planner *planner, const struct symbol *symbol,
                              void (*visit)(struct planner *, const struct function *,
                                            const struct symbol *, void *),
                              void *context) {
    for (uint32_t i = 0; i < planner->functions.count; i++)
        visit(planner, planner->functions.items[i], symbol, context);
}

struct use {
    bool is_read, is_written;
};

static void note_use(struct planner *planner, const struct function *function,
                     const struct symbol *symbol, void *context) {
    struct use *use = context;
    const struct effect *effect = effects_find(network_effects(planner->network, function), symbol);
    if (!effect) return;
    use->is_read |= effect->reads;
    use->is_written |= effect->writes;
}

/* Whether some update that may call a writer also reads the variable. */
static bool is_read_in_updates(const struct network *network, const struct symbol *symbol) {
    const struct model *model = network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct effects *update = &network->labels.edges[t][i].update_effects;
            if (effects_reads(update, symbol) && effects_writes(update, symbol)) return true;
        }
    return false;
}

struct pass {
    bool is_local;
};

static bool is_scalar(const struct symbol *symbol) {
    enum type_kind kind = type_strip(symbol->type)->kind;
    return kind != TYPE_ARRAY && kind != TYPE_STRUCT;
}

struct mention {
    const struct symbol *symbol;
    bool found;
};

static bool find_mention(void *user, const struct expr *expr) {
    struct mention *mention = user;
    if (expr->kind == EXPR_NAME && expr->symbol == mention->symbol) mention->found = true;
    return !mention->found;
}

/* The variable keeps its name in a function that names it; elsewhere it only has to be passed on,
 * and gets another one where its own means something else. NULL if neither will do. */
static const char *name_in_function(struct planner *planner, const struct function *function,
                                    const struct symbol *symbol, bool is_parameter) {
    struct mention mention = {symbol, false};
    walk_statement(function->body, find_mention, &mention);
    bool hides = statement_declares(function->body, symbol->name) ||
                 (is_parameter && names_type(planner->network, symbol->name));
    for (uint32_t i = 0; i < function->parameter_count; i++)
        hides |= function->parameters[i]->name == symbol->name;
    if (mention.found) return hides ? NULL : symbol->name;
    if (!hides && !template_hides(function->template, symbol)) return symbol->name;
    return unhidden_name(planner->network, symbol, planner->plan->arena);
}

/* Whether a name in the type of a parameter or local of the function means something else there:
 * what its body declares comes later. */
static bool is_hidden_in_function(const void *context, const struct symbol *symbol) {
    const struct function *function = context;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (function->parameters[i]->name == symbol->name) return true;
    return template_hides(function->template, symbol);
}

/* Whether some call hands the variable on to a reference parameter that may be written. */
struct handing {
    const struct function_plan *plan; /* or NULL: what is added to calls does not count */
    const struct symbol *symbol;
    bool found;
};

static bool may_be_written(const struct symbol *parameter) {
    return parameter->is_reference && !(type_prefixes(parameter->type) & PREFIX_CONST);
}

static bool find_handing(void *user, const struct expr *expr) {
    struct handing *handing = user;
    const struct function *callee =
        expr->kind == EXPR_CALL && expr->symbol ? expr->symbol->function : NULL;
    if (!callee) return true;
    for (uint32_t i = 0; i < expr->argument_count && i < callee->parameter_count; i++)
        if (may_be_written(callee->parameters[i]) &&
            expr_root(expr->arguments[i]) == handing->symbol)
            handing->found = true;
    const struct function_change *change =
        handing->plan ? function_change_of(handing->plan, callee) : NULL;
    for (uint32_t i = 0; change && i < change->passed.count; i++)
        if (change->passed.items[i].symbol == handing->symbol &&
            change->passed.items[i].passing == PASS_REFERENCE)
            handing->found = true;
    return true;
}

/* Over: whether the variable may be written in the function by another name, that of a reference
 * parameter. */
static bool has_other_name(const struct planner *planner, const struct function *function,
                           const struct symbol *symbol) {
    const struct model *model = planner->network->model;
    struct handing handing = {NULL, symbol, false};
    bool has_reference = false;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        has_reference |= may_be_written(function->parameters[i]);
    if (!has_reference) return false;
    walk_functions_and_hooks(&model->declarations, find_handing, &handing);
    walk_functions_and_hooks(&model->system_declarations, find_handing, &handing);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        walk_functions(&template->declarations, find_handing, &handing);
        for (uint32_t i = 0; i < template->edge_count; i++)
            for (uint32_t k = 0; k < template->edges[i].updates.count; k++)
                walk_expr(template->edges[i].updates.items[k], find_handing, &handing);
    }
    return handing.found;
}

static enum passing passing_of(struct planner *planner, const struct function *function,
                               const struct symbol *symbol, const struct effect *effect) {
    assert(effect->reads || effect->writes);
    struct handing handing = {planner->plan, symbol, effect->writes};
    walk_statement(function->body, find_handing, &handing);
    if (handing.found && (effect->writes || !is_scalar(symbol))) return PASS_REFERENCE;
    if (!is_scalar(symbol)) return PASS_CONST;
    return has_other_name(planner, function, symbol) ? PASS_REFERENCE : PASS_VALUE;
}

static void add_passed(struct planner *planner, const struct function *function,
                       const struct symbol *symbol, void *context) {
    const struct pass *pass = context;
    const struct effect *effect = effects_find(network_effects(planner->network, function), symbol);
    if (!effect) return;
    const char *name = name_in_function(planner, function, symbol, !pass->is_local);
    if (!name) {
        diag_error(planner->diag, STATUS_UNSUPPORTED, function->symbol->span.begin,
                   "'%s' cannot be removed: function '%s' uses it and %s of that name; rename one "
                   "of them",
                   symbol->name, function->symbol->name,
                   names_type(planner->network, symbol->name) ? "there is a type"
                                                              : "declares another");
        planner->ok = false;
        return;
    }
    const struct symbol *hidden = type_find_name(symbol->type, is_hidden_in_function, function);
    if (hidden) {
        diag_error(planner->diag, STATUS_UNSUPPORTED, function->symbol->span.begin,
                   "'%s' cannot be removed: function '%s' uses it, and there the '%s' of its type "
                   "is something else; rename one of them",
                   symbol->name, function->symbol->name, hidden->name);
        planner->ok = false;
        return;
    }
    enum passing passing =
        pass->is_local ? PASS_LOCAL : passing_of(planner, function, symbol, effect);
    if (passing == PASS_REFERENCE && type_strip(symbol->type)->kind == TYPE_SCALAR) {
        diag_error(planner->diag, STATUS_UNSUPPORTED, function->symbol->span.begin,
                   "'%s' cannot be removed: function '%s' assigns it, and Uppaal passes no scalars "
                   "by reference",
                   symbol->name, function->symbol->name);
        planner->ok = false;
        return;
    }
    struct function_change *change = map_get(&planner->plan->by_function, map_key(function));
    if (!change) {
        change = ARENA_NEW(planner->plan->arena, struct function_change);
        change->function = function;
        map_put(&planner->plan->by_function, map_key(function), change);
        VEC_PUSH(planner->plan->arena, &planner->plan->changes, change);
    }
    uint32_t count = change->passed.count;
    assert(passing != PASS_LOCAL || !effect->reads); /* nothing reads what they wrote */
    assert(!count || change->passed.items[count - 1].symbol != symbol); /* a variable once */
    VEC_PUSH(planner->plan->arena, &change->passed, (struct passed){symbol, passing, name});
}

const char *passed_name(const struct function_change *change, const struct symbol *symbol) {
    for (uint32_t i = 0; change && i < change->passed.count; i++)
        if (change->passed.items[i].symbol == symbol) return change->passed.items[i].name;
    return NULL;
}

char *passed_arguments(const struct function_plan *plan, const struct expr *call,
                       const char *(*name)(void *context, const struct symbol *symbol),
                       void *context, struct arena *arena) {
    assert(call->kind == EXPR_CALL);
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    const struct function_change *change = function ? function_change_of(plan, function) : NULL;
    bool is_first = call->argument_count == 0;
    struct buffer text = {0};
    for (uint32_t i = 0; change && i < change->passed.count; i++) {
        if (change->passed.items[i].passing == PASS_LOCAL) continue;
        const char *argument = name(context, change->passed.items[i].symbol);
        assert(argument); /* who calls a function that uses a variable uses it, too */
        buffer_printf(&text, "%s%s", is_first ? "" : ", ", argument);
        is_first = false;
    }
    return buffer_finish(&text, arena);
}

bool function_plan_make(struct function_plan *plan, struct arena *arena,
                        const struct network *network, const struct request *request,
                        struct diag *diag) {
    *plan = (struct function_plan){.arena = arena};
    map_init(&plan->by_function, arena);
    struct planner planner = {plan, network, request, diag, true, {0}};
    list_functions(&planner, arena);
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!removal->is_whole || removal->scope) continue; /* scoped ones are not in functions */
        assert(removal->symbol->kind == SYMBOL_VARIABLE);   /* parameters are not removed */
        struct use use = {false, false};
        for_all_functions(&planner, removal->symbol, note_use, &use);
        struct pass pass = {use.is_written && !use.is_read &&
                            !type_has_scalar(removal->symbol->type) &&
                            !is_read_in_updates(network, removal->symbol)};
        for_all_functions(&planner, removal->symbol, add_passed, &pass);
    }
    return planner.ok;
}
