#include "model/undocumented.h"

#include "expr/find.h"
#include "lang/syntax/walk.h"
#include "model/effects.h"
#include "model/hindrance.h"

/* ---- the order of evaluation ---- */

/* Expressions that come to something else in another order of evaluation.
 *
 * The documentation leaves open in which order operands, arguments and the two sides of an
 * assignment are evaluated. Here it is from left to right: an index on the left of `=` before the
 * right side, and the old value of a compound assignment last.
 *
 * Variables are looked at as a whole, not cell by cell. Expressions of more than a thousand nodes
 * are not looked at.
 */

enum { MAX_SIZE = 1 << 10 }; /* nodes: parts are looked at again by each node around them */

struct collision_search {
    struct effects_table *table;
    const struct expr *found;
};

/* Whether one changes what the other reads or changes. */
static bool collide(const struct effects *left, const struct effects *right) {
    for (uint32_t i = 0; i < left->list.count; i++)
        for (uint32_t k = 0; k < right->list.count; k++) {
            const struct effect *one = &left->list.items[i], *other = &right->list.items[k];
            if ((one->writes || other->writes) && symbols_may_alias(one->symbol, other->symbol))
                return true;
        }
    return false;
}

/* What is done to find a place: its indices are evaluated, its value is not looked at. */
static void add_place(struct effects_table *table, struct effects *effects,
                      const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_NAME: break;
    case EXPR_FIELD: add_place(table, effects, expr->child[0]); break;
    case EXPR_INDEX:
        add_place(table, effects, expr->child[0]);
        effects_add_expr(table, effects, expr->child[1]);
        break;
    case EXPR_COND:
        effects_add_expr(table, effects, expr->child[0]);
        add_place(table, effects, expr->child[1]);
        add_place(table, effects, expr->child[2]);
        break;
    default: effects_add_expr(table, effects, expr); break;
    }
}

static bool assignment_collides(struct effects_table *table, const struct expr *expr) {
    struct effects left = {0}, right = {0};
    if (expr->op == OP_ASSIGN)
        add_place(table, &left, expr->child[0]);
    else
        effects_add_expr(table, &left, expr->child[0]);
    effects_add_expr(table, &right, expr->child[1]);
    return collide(&left, &right);
}

static bool index_collides(struct effects_table *table, const struct expr *expr) {
    struct effects array = {0}, index = {0};
    add_place(table, &array, expr->child[0]);
    effects_add_expr(table, &index, expr->child[1]);
    return collide(&array, &index);
}

static bool operands_collide(struct effects_table *table, const struct expr *expr) {
    struct effects left = {0}, right = {0};
    if (op_is_connective(expr->op)) return false;
    effects_add_expr(table, &left, expr->child[0]);
    effects_add_expr(table, &right, expr->child[1]);
    return collide(&left, &right);
}

/* Each argument with all before it. */
static bool arguments_collide(struct effects_table *table, const struct expr *expr) {
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    struct effects before = {0};
    for (uint32_t i = 0; function && i < expr->argument_count; i++) {
        struct effects own = {0};
        bool is_place = i < function->parameter_count && function->parameters[i]->is_reference;
        if (is_place)
            add_place(table, &own, expr->arguments[i]);
        else
            effects_add_expr(table, &own, expr->arguments[i]);
        if (collide(&before, &own)) return true;
        for (uint32_t k = 0; k < own.list.count; k++)
            VEC_PUSH(table->arena, &before.list, own.list.items[k]);
    }
    return false;
}

static bool look(void *user, const struct expr *expr) {
    struct collision_search *search = user;
    bool collides = false;
    if (search->found || !expr_has_effect(expr)) return false;
    switch (expr->kind) {
    case EXPR_ASSIGN: collides = assignment_collides(search->table, expr); break;
    case EXPR_BINARY: collides = operands_collide(search->table, expr); break;
    case EXPR_INDEX: collides = index_collides(search->table, expr); break;
    case EXPR_CALL: collides = arguments_collide(search->table, expr); break;
    default: break;
    }
    if (collides) search->found = expr;
    return !collides;
}

/* The first part of an expression in which one operand changes what another one reads or changes;
 * or NULL. */
static const struct expr *sequence_matters(struct effects_table *table, const struct expr *expr) {
    struct collision_search search = {table, NULL};
    if (expr_size(expr, MAX_SIZE) <= MAX_SIZE) walk_expr(expr, look, &search);
    return search.found;
}

/* Slots of one variable follow each other, so the slot before tells. */
static void warn_initial_values(const struct network *network, struct diag *diag) {
    const struct symbol *last = NULL;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        const struct symbol *symbol = slot->symbol;
        if (symbol == last || symbol->initialiser || symbol->kind != SYMBOL_VARIABLE ||
            (slot->lower <= 0 && slot->upper >= 0))
            continue;
        last = symbol;
        diag_warning(diag, symbol->span.begin,
                     "'%s' has no initial value and cannot be 0: taken to start at %d; give it one",
                     symbol->name, slot->initial);
    }
}

static void warn_parameters(const struct network *network, struct diag *diag) {
    const struct symbol *last = NULL;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct symbol *symbol = network->slots[i].symbol;
        if (symbol == last || symbol->kind != SYMBOL_PARAMETER) continue;
        last = symbol;
        diag_warning(diag, symbol->span.begin,
                     "the value parameter '%s' is assigned: taken as a variable of each process",
                     symbol->name);
    }
}

struct place_of {
    const struct template *template;
    uint32_t location;
};

static bool is_at(void *context, const struct symbol *location) {
    const struct place_of *at = context;
    return location->template == at->template && location->location == at->location;
}

/* What is wrong with an invariant in the initial state. One that is too large says nothing of it,
 * so nothing can be said of the model. */
static void report_invariant(struct diag *diag, const struct process *process,
                             const struct expr *invariant, const struct fault *fault) {
    position at = invariant->span.begin;
    if (fault->kind == FAULT_STEPS)
        diag_error(
            diag, STATUS_LIMIT, at,
            "this invariant of %s is too long, too deep or too large to compute in the initial "
            "state",
            process->name);
    else if (fault->kind != FAULT_NONE)
        diag_warning(diag, at,
                     "this invariant of %s cannot be computed in the initial state: %s; the state "
                     "is kept all the same",
                     process->name, fault_name(fault->kind));
    else
        diag_warning(diag, at,
                     "the initial state of %s violates this invariant; it is kept all the same",
                     process->name);
}

/* Reports where there is a diag. */
static bool check_initial_state(const struct network *network, struct diag *diag) {
    bool is_valid = true;
    struct arena scratch;
    struct environment environment;
    arena_init(&scratch);
    network_environment(network, &environment, &scratch);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        struct place_of at = {process->template, process->template->initial};
        const struct expr *invariant = process->template->locations[at.location].written_invariant;
        if (!invariant) continue;
        environment.locals = process->locals;
        environment.is_at = is_at;
        environment.clock_holds = clock_holds_at_first;
        environment.context = &at;
        environment.fault = (struct fault){0};
        if (eval_int(&environment, invariant) && !environment.fault.kind) continue;
        is_valid = false;
        if (!diag) break;
        report_invariant(diag, process, invariant, &environment.fault);
    }
    eval_close(&environment);
    arena_close(&scratch);
    return is_valid;
}

bool initial_state_is_valid(const struct network *network) {
    return check_initial_state(network, NULL);
}

struct finding {
    const struct expr *location;
};

static bool find_in_label(void *user, const struct expr *expr) {
    struct finding *finding = user;
    if (expr->kind != EXPR_NAME || !expr->symbol) return true;
    if (expr->symbol->kind == SYMBOL_LOCATION) finding->location = expr;
    return true;
}

static void warn_edge(const struct template *template, const struct edge *edge, struct diag *diag) {
    struct finding update = {0};
    walk_list(&edge->updates, find_in_label, &update);
    if (update.location)
        diag_warning(diag, update.location->span.begin,
                     "a location in an update: taken as the location before the step");
    if (edge->leaves_branchpoint && edge->written_guard)
        diag_warning(diag, edge->written_guard->span.begin,
                     "a guard after a branchpoint: taken to restrict the branches");
    if (edge->leaves_branchpoint && edge->sync)
        diag_warning(diag, edge->sync->span.begin,
                     "a synchronisation after a branchpoint: taken to be that of the step");
    if (edge->leaves_branchpoint && template->locations[edge->target].is_branchpoint)
        diag_warning(diag, edge->xml->element->at,
                     "an edge between branchpoints: taken as a part of one step");
}

/* The language knows one list of priorities, in which `default` should stand. */
static void warn_priorities(const struct model *model, struct diag *diag) {
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    const struct declaration *last = NULL;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++) {
            const struct declaration *declaration = lists[k]->items[i];
            if (declaration->kind != DECLARATION_CHANNEL_PRIORITY) continue;
            if (last)
                diag_warning(diag, declaration->span.begin,
                             "a second 'chan priority': taken in place of the first");
            last = declaration;
        }
    bool has_default = !last;
    for (uint32_t i = 0; last && i < last->priority_count; i++)
        has_default |= !last->priorities[i].channel;
    if (!has_default)
        diag_warning(diag, last->span.begin,
                     "'default' is not in this list: taken to have the lowest priority of it");
}

static void warn_persistent(const struct network *network, struct diag *diag) {
    for (uint32_t i = 0; i < network->persistent.count; i++) {
        const struct persistent *persistent = &network->persistent.items[i];
        diag_warning(
            diag, (persistent->reader ? persistent->reader->span : persistent->symbol->span).begin,
            "the meta variable '%s' may be read before the step writes it: taken to keep "
            "what was written last, and what depends on which of two states is found "
            "first that differ in it alone is unknown",
            persistent->symbol->name);
    }
}

/* The symbolic part of Uppaal ignores them, and so does everything here. */
static void warn_rates(const struct template *template, struct diag *diag) {
    for (uint32_t i = 0; i < template->location_count; i++) {
        const struct element *rate = template->locations[i].xml->labels.of[LABEL_RATE];
        if (!rate) continue;
        diag_warning(diag, rate->at,
                     "exponential rates are ignored, as they are by A[], E<>, A<>, E[] and -->");
        return;
    }
}

/* Whether time may pass where only an invariant forbids an urgent step. */
static void warn_urgency(const struct network *network, struct diag *diag) {
    const struct model *model = network->model;
    struct hindrance hindrance;
    hindrance_find(&hindrance, network);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct expr *sync = model->templates[t]->edges[i].sync;
            if (sync_may_be_urgent(sync) && edge_is_hindered(&hindrance, model->templates[t], i))
                diag_warning(diag, sync->span.begin,
                             "an invariant may forbid this step on an urgent channel: taken to let "
                             "no time pass all the same, as the guards hold");
        }
}

struct sequence_check {
    struct effects_table *table;
    struct diag *diag;
};

static bool check_sequence(void *user, const struct expr *expr) {
    const struct sequence_check *check = user;
    const struct expr *found = sequence_matters(check->table, expr);
    if (found)
        diag_warning(check->diag, found->span.begin,
                     "one part of this changes what another one reads or changes: taken to be "
                     "evaluated from left to right");
    return false;
}

static void check_declarations(struct sequence_check *check, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        if (declaration->kind == DECLARATION_HOOK)
            walk_list(&declaration->hook, check_sequence, check);
        if (declaration->kind == DECLARATION_FUNCTION)
            walk_statement(declaration->function->body, check_sequence, check);
    }
}

static void warn_sequence(const struct network *network, struct diag *diag) {
    const struct model *model = network->model;
    struct sequence_check check = {(struct effects_table *)&network->effects, diag};
    check_declarations(&check, &model->declarations);
    check_declarations(&check, &model->system_declarations);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        check_declarations(&check, &template->declarations);
        for (uint32_t i = 0; i < template->edge_count; i++)
            walk_list(&template->edges[i].updates, check_sequence, &check);
    }
}

/* Whether a select has no values, in any process of its template. */
static bool is_empty(struct environment *environment, const struct network *network,
                     const struct template *template, const struct symbol *select) {
    struct process_range range = network->processes_of[template->index];
    for (uint32_t p = range.first; p < range.end; p++) {
        if (network->processes[p].template != template) continue;
        environment->locals = network->processes[p].locals;
        if (eval_shape(environment, select->type)) return false;
        bool is_reversed = environment->fault.kind == FAULT_SIZE;
        environment->fault = (struct fault){0};
        if (!is_reversed) return false;
    }
    return range.end > 0;
}

static void warn_selects(const struct network *network, struct diag *diag) {
    const struct model *model = network->model;
    struct arena scratch;
    struct environment environment;
    arena_init(&scratch);
    network_environment(network, &environment, &scratch);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            for (uint32_t k = 0; k < edge->select_count; k++)
                if (is_empty(&environment, network, model->templates[t], edge->selects[k]))
                    diag_warning(diag, edge->selects[k]->span.begin,
                                 "'%s' has no values, as its range is empty: this edge is never "
                                 "taken",
                                 edge->selects[k]->name);
        }
    eval_close(&environment);
    arena_close(&scratch);
}

/* The model is used as varabs understands it, but for an invariant that is too large. */
void warn_undocumented(const struct network *network, struct diag *diag) {
    const struct model *model = network->model;
    warn_initial_values(network, diag);
    warn_parameters(network, diag);
    warn_persistent(network, diag);
    warn_priorities(model, diag);
    warn_urgency(network, diag);
    warn_sequence(network, diag);
    warn_selects(network, diag);
    check_initial_state(network, diag);
    for (uint32_t t = 0; t < model->template_count; t++) {
        warn_rates(model->templates[t], diag);
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            warn_edge(model->templates[t], &model->templates[t]->edges[i], diag);
    }
}
