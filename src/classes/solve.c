/* See solve.h. */
#include "classes/solve.h"

#include "approx/labels/domain.h"
#include "approx/labels/label_run.h"
#include "approx/labels/relevance.h"
#include "base/interrupt.h"
#include "classes/compare.h"
#include "classes/crossing.h"
#include "classes/mention.h"
#include "expr/build.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"
#include "model/errors.h"

#include <assert.h>
#include <stdlib.h>

/* Work is counted in comparisons of runs; past its limit no function is run, so that whatever the
 * rest of them read matters (V12). A removal that is asked about must not take noticeably longer
 * for it, so the limit grows with the evaluations that its analysis took. */
enum { WORK_OF_RUN = 10, LEAST_RUNS = 3000, EVALUATIONS_PER_RUN = 16, FACTOR_OF_SEARCH = 32 };

/* Parts of predicates, of all queries together; and of the runs left, one in so many for each. */
enum { MOST_PARTS = 1000, SHARE_OF_PART = 4 };

/* Runs of each function that are looked at for keys. */
enum { MOST_KEY_RUNS = 2000 };

static uint64_t work_limit(const struct analysis *analysis, bool is_all_or_nothing) {
    uint64_t runs = LEAST_RUNS + analysis->evaluation_count / EVALUATIONS_PER_RUN;
    return runs * WORK_OF_RUN * (is_all_or_nothing ? 1 : FACTOR_OF_SEARCH);
}

struct solver {
    struct places *places;
    struct analysis *analysis;
    const struct network *network;
    struct arena arena;
    struct outcomes outcomes;
    struct comparison comparison;
    VEC(struct function_part) functions;
    uint64_t work, most_work;
    uint32_t part_count;
    bool is_all_or_nothing;
    /* Of the function that is checked. */
    uint32_t *may_write; /* by the first slot of a variable: the stamp of the last update that names
                            it as written */
    uint32_t write_stamp;
    bool is_crossed;  /* something that may be written crosses to where it matters */
    bool is_complete; /* all runs are known and compared */
};

/* The places of a slot that have a number. */
static void tell_all_apart(struct places *places, uint32_t slot, uint32_t number) {
    for (uint32_t i = 0; i < places_at_count(places, slot, number); i++) {
        struct class_place *place = place_at(places, slot, number, i);
        if (place_is_merged(place)) place_tell_apart(places, place);
    }
}

/* What the transformation takes as read at all times: weights, and guards and synchronisations
 * behind a branchpoint, as it is not settled when these are read. */

static void tell_apart_everywhere(void *context, const struct binding *binding,
                                  const struct effect *effect) {
    struct solver *solver = context;
    const uint32_t *slots = &solver->network->slot_of[binding->address];
    uint32_t count = places_count_of(solver->places, slots[0]);
    for (uint32_t n = 0; effect->reads && n < count; n++) {
        const struct place_group *group = places_at(solver->places, slots[0], n)->group;
        for (uint32_t k = 0; group->merged_count && k < binding->shape->cell_count; k++)
            tell_all_apart(solver->places, slots[k], n);
    }
}

static void observe_expr(struct solver *solver, const struct process *process,
                         const struct expr *expr) {
    struct effects effects = {0};
    struct effects_table table = solver->network->effects;
    if (!expr) return;
    table.arena = &solver->arena;
    effects_add_expr(&table, &effects, expr);
    each_variable(solver->network, process, &effects, tell_apart_everywhere, solver);
}

static void add_function(struct solver *solver, enum function_kind kind,
                         const struct process *process, const struct edge *edge,
                         uint32_t location) {
    assert(process);
    VEC_PUSH(&solver->arena, &solver->functions,
             (struct function_part){.kind = kind,
                                    .process = process,
                                    .edge = edge,
                                    .location = location,
                                    .number = solver->functions.count});
}

/* A part of an edge that may name what has its places by another process, or a shared variable that
 * is keyed: it may be exchanged by a sender that does not name it. */
struct naming_search {
    const struct solver *solver;
    const struct process *process;
    bool has_found;
};

static void look_for_guest(void *context, const struct binding *binding,
                           const struct effect *effect) {
    struct naming_search *search = context;
    const struct network *network = search->solver->network;
    uint32_t slot = network->slot_of[binding->address];
    const struct process *owner = places_owner(search->solver->places, slot);
    (void)effect;
    if (!slot_is_shared(network, slot)) return;
    const struct place_keys *keys = search->solver->places->keys;
    search->has_found |= (owner && owner != search->process) || (keys && keys->strides[slot] > 1);
}

static bool names_guest(const struct solver *solver, const struct process *process,
                        const struct edge_labels *effects) {
    struct naming_search search = {.solver = solver, .process = process};
    each_variable(solver->network, process, &effects->guard_effects, look_for_guest, &search);
    each_variable(solver->network, process, &effects->sync_effects, look_for_guest, &search);
    each_variable(solver->network, process, &effects->update_effects, look_for_guest, &search);
    return search.has_found;
}

/* Whether the update may find something else than guard and channel have found. Where the host of
 * what a receiver names can be is another matter, too: it may send. */
static bool is_taken_apart(const struct solver *solver, const struct process *process,
                           const struct edge *edge) {
    const struct network *network = solver->network;
    const struct template *template = process->template;
    bool receives = edge->sync && !edge->is_send;
    return network->before_update.list.count ||
           (receives && (label_run_is_within_step(solver->analysis, template, edge) ||
                         names_guest(solver, process, labels_of_edge(network, template, edge))));
}

static void add_edge(struct solver *solver, const struct process *process, const struct edge *edge,
                     bool is_alone) {
    observe_expr(solver, process, edge->weight);
    if (is_alone) {
        add_function(solver, FUNCTION_ERRORS, process, edge, edge->source);
    } else if (edge->leaves_branchpoint) {
        observe_expr(solver, process, guard_of_edge(solver->network, process->template, edge));
        observe_expr(solver, process, edge->sync);
        add_function(solver, FUNCTION_UPDATE, process, edge, edge->source);
    } else if (is_taken_apart(solver, process, edge)) {
        add_function(solver, FUNCTION_READINESS, process, edge, edge->source);
        add_function(solver, FUNCTION_UPDATE, process, edge, edge->source);
    } else {
        add_function(solver, FUNCTION_EDGE, process, edge, edge->source);
    }
}

/* Where an invariant has kept values out of the sets (A7), or all of them, so that the location is
 * not reached, it is not asked with all values that steps into the location come with: then what it
 * reads counts as told apart. */
static void add_invariant(struct solver *solver, const struct process *process, uint32_t location) {
    const struct template *template = process->template;
    const struct analysis *analysis = solver->analysis;
    if (analysis->invariant_blocks[template->index][location] ||
        !analysis->processes[process->index].locations[location].is_reached)
        observe_expr(solver, process, invariant_at(solver->network, template, location));
    else
        add_function(solver, FUNCTION_INVARIANT, process, NULL, location);
}

static void add_functions(struct solver *solver) {
    const struct network *network = solver->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct template *template = process->template;
        const struct process_domain *domain = &solver->analysis->processes[p];
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (domain->locations[template->edges[i].source].is_reached &&
                !edge_is_off(network, template, &template->edges[i]))
                add_edge(solver, process, &template->edges[i], domain->is_alone[i]);
        for (uint32_t l = 0; l < template->location_count; l++)
            if (invariant_at(network, template, l)) add_invariant(solver, process, l);
    }
}

/* V1: the predicate as a whole, or the value of an expression. */
static void add_observation(struct solver *solver, const struct expr *expr) {
    if (expr)
        VEC_PUSH(&solver->arena, &solver->functions,
                 (struct function_part){.kind = FUNCTION_OBSERVATION,
                                        .expr = expr,
                                        .number = solver->functions.count});
}

static void add_queries(struct solver *solver, const struct query *queries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        add_observation(solver, queries[i].predicate);
        for (uint32_t k = 0; k < queries[i].expr_count; k++)
            add_observation(solver, queries[i].exprs[k]);
    }
}

/* V12: what takes too many runs as a whole is observed by its parts. That is finer: where no part
 * differs, the whole does not. */

static void add_part(struct solver *solver, const struct expr *expr) {
    add_observation(solver, expr);
    solver->functions.items[solver->functions.count - 1].is_part = true;
}

/* False if there are too many, or nobody knows how many. */
static bool add_bodies(struct solver *solver, const struct expr *expr) {
    struct environment *environment = &solver->outcomes.environment;
    environment->locals = NULL;
    environment->frame = NULL;
    environment->fault = (struct fault){0};
    const struct shape *shape = eval_shape(environment, expr->bound->type);
    environment->fault = (struct fault){0};
    if (!shape || shape->kind != SHAPE_CELL ||
        (int64_t)shape->upper - shape->lower >= MOST_PARTS - (int64_t)solver->part_count)
        return false;
    for (int64_t value = shape->lower; value <= shape->upper; value++, solver->part_count++) {
        struct expr *number = build_int(&solver->arena, value);
        number->span = expr->span;
        add_part(solver, expr_substitute(&solver->arena, expr->child[0], expr->bound, number));
    }
    return true;
}

/* False if the predicate has no parts. */
static bool add_parts(struct solver *solver, const struct expr *expr) {
    if (expr->kind == EXPR_QUANTIFY && expr->op != OP_SUM) return add_bodies(solver, expr);
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) return add_parts(solver, expr->child[0]);
    bool is_joint = expr->kind == EXPR_BINARY &&
                    (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLY);
    if (!is_joint) return false;
    add_part(solver, expr->child[0]);
    add_part(solver, expr->child[1]);
    return true;
}

static bool is_split(struct solver *solver, const struct function_part *function) {
    ptrdiff_t at = function - solver->functions.items; /* which move */
    if (function->kind != FUNCTION_OBSERVATION || !add_parts(solver, function->expr)) return false;
    solver->functions.items[at].is_split = true;
    return true;
}

/* The cells of a variable, each in the places of that number. */
struct variable_places {
    const struct places *places;
    const uint32_t *slots;
    uint32_t count, number;
};

static struct place_group *group_of(struct variable_places variable) {
    return places_at(variable.places, variable.slots[0], variable.number)->group;
}

static struct variable_places variable_of(const struct solver *solver,
                                          const struct binding *binding) {
    return (struct variable_places){solver->places, &solver->network->slot_of[binding->address],
                                    binding->shape->cell_count, 0};
}

typedef void (*variable_places_found)(void *context, struct variable_places variable);

/* Calls back with each place where the function may find a variable. */
static void each_place_before(const struct solver *solver, const struct function_part *function,
                              const struct binding *binding, variable_places_found found,
                              void *context) {
    struct variable_places variable = variable_of(solver, binding);
    uint32_t slot = variable.slots[0];
    const struct process *owner = places_owner(solver->places, slot);
    const struct value_set *locations = guest_locations(solver->places, function, slot);
    bool is_anywhere = owner && function->kind == FUNCTION_OBSERVATION;
    uint64_t count = locations     ? value_set_size(locations)
                     : is_anywhere ? owner->template->location_count
                                   : 1;
    for (uint32_t i = 0; i < count; i++) {
        variable.number = locations     ? (uint32_t)value_set_at(locations, i)
                          : is_anywhere ? i
                                        : place_before(solver->places, function, slot);
        found(context, variable);
    }
}

/* Whether a function is to be looked at: what it reads or writes is open and one class, and
 * something has changed since the last time. */

struct function_look {
    struct solver *solver;
    const struct function_part *function;
    uint64_t changed_at; /* the last change of a place that it reads or writes */
    bool reads_open;     /* a place that is one class and may hold several values */
    double combinations;
    const struct mentions *mentions; /* where the budget is passed; NULL: everything */
};

static void look_at_change(void *context, struct variable_places variable) {
    struct function_look *look = context;
    uint64_t changed_at = group_of(variable)->changed_at;
    if (changed_at > look->changed_at) look->changed_at = changed_at;
}

static void look_at_read(void *context, struct variable_places variable) {
    struct function_look *look = context;
    look->reads_open |= group_of(variable)->open_count > 0;
}

static void look_at_behind(struct function_look *look, struct variable_places variable) {
    const struct places *places = look->solver->places;
    variable.number = place_behind(places, look->function, variable.slots[0]);
    look_at_change(look, variable);
    variable.number = hand_behind(places, look->function, variable.slots[0]);
    look_at_change(look, variable);
}

/* What is keyed by something that is written may get to another place. */
static void look_at_variable(void *context, const struct binding *binding,
                             const struct effect *effect) {
    struct function_look *look = context;
    const struct function_part *function = look->function;
    const struct places *places = look->solver->places;
    struct variable_places variable = variable_of(look->solver, binding);
    if (effect->reads) each_place_before(look->solver, function, binding, look_at_read, look);
    each_place_before(look->solver, function, binding, look_at_change, look);
    if (!function->edge) return;
    look_at_behind(look, variable);
    for (uint32_t i = 0; effect->writes && places->keys && i < places->keys->keyed_count; i++) {
        uint32_t slot = places->keys->keyed[i], first = places->keys->of[slot]->slot;
        if (first < variable.slots[0] || first >= variable.slots[0] + variable.count) continue;
        struct variable_places keyed = {places, &places->keys->keyed[i], 1,
                                        place_before(places, function, slot)};
        look_at_change(look, keyed);
        look_at_behind(look, keyed);
    }
}

/* Past the budget of a function, whatever it reads matters. */
static void give_up_places(void *context, struct variable_places variable) {
    struct function_look *look = context;
    for (uint32_t k = 0; group_of(variable)->open_count && k < variable.count; k++)
        tell_all_apart(look->solver->places, variable.slots[k], variable.number);
}

static void give_up_variable(void *context, const struct binding *binding,
                             const struct effect *effect) {
    struct function_look *look = context;
    if (effect->reads && (!look->mentions || mentions_has(look->mentions, effect->symbol)))
        each_place_before(look->solver, look->function, binding, give_up_places, look);
}

/* All that a query names, of every process that has it. */

struct naming {
    struct effects_table table;
    struct effects effects;
};

static bool name_symbol(void *context, const struct expr *expr) {
    struct naming *naming = context;
    bool is_variable = expr->symbol && (expr->symbol->kind == SYMBOL_VARIABLE ||
                                        expr->symbol->kind == SYMBOL_PARAMETER);
    if (is_variable && !effects_find(&naming->effects, expr->symbol))
        VEC_PUSH(naming->table.arena, &naming->effects.list,
                 (struct effect){.symbol = expr->symbol, .reads = true});
    if (expr->kind != EXPR_CALL || !expr->symbol || !expr->symbol->function) return true;
    const struct effects *own = effects_of_function(&naming->table, expr->symbol->function);
    for (uint32_t i = 0; i < own->list.count; i++) {
        struct effect read = own->list.items[i];
        read.reads = true;
        if (!effects_find(&naming->effects, read.symbol))
            VEC_PUSH(naming->table.arena, &naming->effects.list, read);
    }
    return true;
}

/* Whether the processes of the template know what the symbol is bound to. */
static bool has_symbol(const struct template *template, const struct symbol *symbol) {
    if (symbol->scope == SCOPE_GLOBAL) return true;
    return symbol->scope == SCOPE_TEMPLATE && symbol->index < template->symbol_count &&
           template->symbols[symbol->index] == symbol;
}

static void each_observed(struct function_look *look, variable_found found) {
    struct solver *solver = look->solver;
    const struct network *network = solver->network;
    struct naming naming = {.table = network->effects};
    naming.table.arena = &solver->arena;
    walk_expr(look->function->expr, name_symbol, &naming);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        struct effects own = {0};
        for (uint32_t i = 0; i < naming.effects.list.count; i++)
            if (has_symbol(process->template, naming.effects.list.items[i].symbol))
                VEC_PUSH(&solver->arena, &own.list, naming.effects.list.items[i]);
        each_variable(network, process, &own, found, look);
    }
}

/* Calls back with what the labels name that a function is made of. */
static void each_variable_of(struct function_look *look, variable_found found) {
    const struct function_part *function = look->function;
    const struct network *network = look->solver->network;
    if (function->kind == FUNCTION_OBSERVATION) {
        each_observed(look, found);
        return;
    }
    const struct template *template = function->process->template;
    if (function->kind == FUNCTION_INVARIANT) {
        const struct effects *conjuncts =
            look->solver->analysis->summary->invariants[template->index][function->location];
        uint32_t count = conjunct_count(invariant_at(network, template, function->location));
        for (uint32_t i = 0; i < count; i++)
            each_variable(network, function->process, &conjuncts[i], found, look);
        return;
    }
    const struct edge_labels *edge = labels_of_edge(network, template, function->edge);
    if (function->kind != FUNCTION_UPDATE) {
        each_variable(network, function->process, &edge->guard_effects, found, look);
        each_variable(network, function->process, &edge->sync_effects, found, look);
    }
    if (function->kind != FUNCTION_READINESS && function->kind != FUNCTION_ERRORS)
        each_variable(network, function->process, &edge->update_effects, found, look);
}

static void give_up(struct function_look *look) {
    const struct function_part *function = look->function;
    if (function->edge)
        look->mentions = mentions_of_edge(&look->solver->arena, look->solver->network,
                                          function->process, function->edge);
    each_variable_of(look, give_up_variable);
}

/* V3: what an edge leaves as it is keeps its value, and so its classes. */

static void note_write(void *context, const struct binding *binding, const struct effect *effect) {
    struct solver *solver = context;
    const struct network *network = solver->network;
    uint32_t slot = network->slot_of[binding->address]; /* a reference may be to any cell */
    if (effect->writes) solver->may_write[slot - network->slots[slot].offset] = solver->write_stamp;
}

/* By the update whose writes are noted. */
static bool may_be_written(const void *context, uint32_t slot) {
    const struct solver *solver = context;
    return solver->may_write[slot - solver->network->slots[slot].offset] == solver->write_stamp;
}

/* Has each crossing of an update found, once its writes are noted. */
static void find_crossings(struct solver *solver, const struct function_part *function,
                           crossing_found found) {
    if (!function_has_update(function)) return;
    const struct process *process = function->process;
    const struct template *template = process->template;
    const struct edge_labels *edge = labels_of_edge(solver->network, template, function->edge);
    solver->write_stamp++;
    each_variable(solver->network, process, &edge->update_effects, note_write, solver);
    each_crossing(solver->places, function, may_be_written, found, solver);
}

static void carry(struct solver *solver, struct crossing crossing) {
    place_refine(solver->places, crossing.before, crossing.behind);
}

static void cross(void *context, struct crossing crossing) {
    struct solver *solver = context;
    assert(place_is_merged(crossing.before) && crossing.before->is_open);
    if (may_be_written(solver, crossing.slot) ||
        (crossing.key != NO_SLOT && may_be_written(solver, crossing.key)))
        solver->is_crossed = true;
    else
        carry(solver, crossing);
}

static void pass(void *context, struct key_passage passage) {
    struct solver *solver = context;
    if (!passage.write) place_refine(solver->places, passage.before, passage.behind);
}

static void pass_keyed(void *context, uint32_t slot) {
    struct solver *solver = context;
    each_passage(&solver->outcomes, slot, pass, solver);
}

/* What becomes of keys is known by runs. */
static void cross_behind_runs(void *context, struct crossing crossing) {
    struct solver *solver = context;
    bool is_known =
        crossing.key != NO_SLOT || outcomes_always_write(&solver->outcomes, crossing.slot);
    if (!solver->is_complete || !is_known) carry(solver, crossing);
}

/* False past the work of this function or of all. */
static bool run_function(struct solver *solver, const struct function_part *function,
                         bool is_compared) {
    if (solver->work >= solver->most_work) return false;
    uint64_t most_runs = (solver->most_work - solver->work) / WORK_OF_RUN + 1;
    if (function->is_part) most_runs /= SHARE_OF_PART;
    bool is_complete = outcomes_run(&solver->outcomes, function, most_runs);
    solver->work += (uint64_t)WORK_OF_RUN * solver->outcomes.runs.count;
    return is_complete && (!is_compared || comparison_run(&solver->comparison));
}

/* What a guest writes has the same classes wherever the host can be. */

static void equalise_variable(void *context, const struct binding *binding,
                              const struct effect *effect) {
    struct function_look *look = context;
    struct places *places = look->solver->places;
    struct variable_places variable = variable_of(look->solver, binding);
    const struct value_set *locations = guest_locations(places, look->function, variable.slots[0]);
    if (!locations || !effect->writes) return;
    uint64_t count = value_set_size(locations);
    for (uint32_t k = 0; k < variable.count; k++) {
        uint32_t slot = variable.slots[k];
        struct class_place *first = place_of(places, slot, (uint32_t)value_set_at(locations, 0));
        for (uint64_t i = 1; i < count; i++)
            place_refine(places, first,
                         place_of(places, slot, (uint32_t)value_set_at(locations, i)));
        for (uint64_t i = 1; i < count; i++)
            place_refine(places, place_of(places, slot, (uint32_t)value_set_at(locations, i)),
                         first);
    }
}

static void equalise(struct function_look *look) {
    const struct places *places = look->solver->places;
    if (function_has_update(look->function) && places->homes && places->homes->has_hosts)
        each_variable_of(look, equalise_variable);
}

static void check(struct solver *solver, struct function_part *function) {
    struct function_look look = {.solver = solver, .function = function};
    uint64_t now = solver->places->clock;
    if (function->is_split) return;
    equalise(&look);
    solver->is_crossed = false;
    find_crossings(solver, function, cross);
    each_variable_of(&look, look_at_variable);
    if (!look.reads_open) function->failing = NULL;
    if (!look.reads_open && !solver->is_crossed) return;
    if (function->checked_at && look.changed_at <= function->checked_at) return;
    function->checked_at = now;
    solver->is_complete = run_function(solver, function, look.reads_open);
    function->failing = look.reads_open ? solver->comparison.failing : NULL;
    if (!solver->is_complete && is_split(solver, function)) return;
    if (!solver->is_complete) give_up(&look);
    if (!solver->is_crossed) return;
    find_crossings(solver, function, cross_behind_runs);
    if (solver->is_complete) each_keyed(solver->places, function, pass_keyed, solver);
}

static bool is_over(const struct solver *solver) {
    return interrupt_is_asked() || (solver->is_all_or_nothing && solver->places->apart_count);
}

/* What takes little comes first: it may settle all. */

static void count_values(void *context, struct variable_places variable) {
    struct function_look *look = context;
    look->combinations *= group_of(variable)->combinations;
}

static void count_combinations(void *context, const struct binding *binding,
                               const struct effect *effect) {
    struct function_look *look = context;
    if (effect->reads) each_place_before(look->solver, look->function, binding, count_values, look);
}

static int compare_functions(const void *left, const void *right) {
    const struct function_part *a = left, *b = right;
    if (a->combinations != b->combinations) return a->combinations < b->combinations ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void sort_functions(struct solver *solver) {
    for (uint32_t i = 0; i < solver->functions.count; i++) {
        struct function_part *function = &solver->functions.items[i];
        struct function_look look = {.solver = solver, .function = function, .combinations = 1};
        each_variable_of(&look, count_combinations);
        function->combinations = look.combinations;
    }
    if (solver->functions.count)
        qsort(solver->functions.items, solver->functions.count, sizeof *solver->functions.items,
              compare_functions);
}

static void solve(struct solver *solver) {
    uint64_t before;
    do {
        before = solver->places->clock;
        for (uint32_t i = 0; i < solver->functions.count && !is_over(solver); i++)
            check(solver, &solver->functions.items[i]);
    } while (solver->places->clock != before && !is_over(solver));
    for (uint32_t i = 0; i < solver->places->count && is_over(solver); i++)
        if (place_is_merged(&solver->places->list[i]))
            place_tell_apart(solver->places, &solver->places->list[i]);
}

static void settle(struct solver *solver, struct settling *settling) {
    settling->outcomes = &solver->outcomes;
    for (uint32_t i = 0; i < solver->functions.count; i++)
        settle_function(settling, &solver->functions.items[i]);
    settling->outcomes = NULL;
}

static void note_all(struct solver *solver, struct key_search *search) {
    for (uint32_t i = 0; i < solver->functions.count && !interrupt_is_asked(); i++) {
        outcomes_run(&solver->outcomes, &solver->functions.items[i], MOST_KEY_RUNS);
        key_search_note(search, &solver->outcomes);
    }
}

/* By the order of the model. */
static const char *first_failure(const struct solver *solver, struct arena *arena) {
    const struct function_part *first = NULL;
    for (uint32_t i = 0; i < solver->functions.count; i++) {
        const struct function_part *function = &solver->functions.items[i];
        if (function->failing && (!first || function->number < first->number)) first = function;
    }
    return first ? failure_text(arena, first->process->template, first->edge, first->failing)
                 : NULL;
}

const char *solve_places(struct places *places, const struct solve_request *request) {
    struct solver solver = {.places = places,
                            .analysis = request->analysis,
                            .network = request->analysis->network,
                            .is_all_or_nothing = request->is_all_or_nothing};
    solver.most_work = work_limit(request->analysis, request->is_all_or_nothing);
    solver.may_write = ARENA_ARRAY(&solver.arena, uint32_t, solver.network->slot_count + 1);
    outcomes_init(&solver.outcomes, &solver.arena, places, solver.analysis);
    comparison_init(&solver.comparison, &solver.arena, &solver.outcomes, places, &solver.work,
                    solver.most_work);
    solver.comparison.is_strict = request->is_strict;
    add_functions(&solver);
    add_queries(&solver, request->queries, request->query_count);
    sort_functions(&solver);
    solve(&solver);
    const char *failure = first_failure(&solver, request->arena);
    if (request->settling) settle(&solver, request->settling);
    if (request->key_search) {
        *request->key_search = key_search_new(request->arena, places);
        note_all(&solver, *request->key_search);
    }
    outcomes_close(&solver.outcomes);
    arena_close(&solver.arena);
    return failure;
}
