/* Answers by sets of states: verdicts from the reachable states as a whole, and runs of which the
 * explicit engine takes every step again. */
#include "explore/verdict/verify_internal.h"

#include "explore/symbolic/decide.h"
#include "explore/symbolic/facts.h"
#include "explore/symbolic/rest.h"
#include "explore/symbolic/runs.h"
#include "explore/symbolic/symbolic.h"
#include "explore/verdict/liveness.h"
#include "lang/syntax/kinds.h"

#include <assert.h>

/* What is known of one watch: sets are held. */
struct finding {
    struct target found, failed; /* where the predicate holds, and where some evaluation fails */
    struct bounds_of *bounds;
    uint32_t runs; /* of a liveness query: states from which a run stays inside */
};

struct answerer {
    struct verification *verification;
    const struct verify_options *options;
    const struct plan *plan;
    struct symbolic symbolic;
    struct reach *reach;
    struct decider decider;
    uint32_t deadlocks, errors; /* held */
    uint32_t ends;              /* held: where runs may end; where has_ends */
    bool has_ends;
    struct finding *findings; /* by watch */
    struct layers layers;
    struct target *targets; /* of all findings, then the errors */
    uint32_t target_count;
    bool has_layers;
    struct expander expander;
    uint64_t *words; /* a state with scratch words */
};

static bool is_bounds(const struct answer *answer) {
    return query_traits(answer->query->quantifier)->family == FAMILY_BOUNDS;
}

static bool is_liveness(const struct answer *answer) {
    return query_traits(answer->query->quantifier)->family == FAMILY_LIVENESS;
}

static uint32_t hold(struct answerer *answerer, uint32_t set) {
    ldd_hold(&answerer->reach->ldd, set);
    return set;
}

static bool find_predicate(struct answerer *answerer, const struct watch *watch,
                           struct finding *finding) {
    struct verdicts verdicts;
    if (!decide(&answerer->decider, &watch->unit, answerer->reach->states, false, &verdicts))
        return false;
    finding->found.set = hold(answerer, verdicts.holds);
    finding->failed.set = hold(answerer, verdicts.fails);
    return true;
}

static bool find_bounds(struct answerer *answerer, const struct unit *value,
                        struct finding *finding, struct bounds_of *bounds) {
    struct verdicts verdicts;
    if (!decide(&answerer->decider, value, finding->found.set, true, &verdicts)) return false;
    finding->failed.set =
        hold(answerer, set_union(&answerer->reach->ldd, finding->failed.set, verdicts.fails));
    *bounds = (struct bounds_of){verdicts.extremes.is_found, verdicts.extremes.lower,
                                 verdicts.extremes.upper};
    return true;
}

/* Liveness: a run that stays inside a predicate, from the initial state or from others */

static bool find_ends(struct answerer *answerer) {
    struct reach *reach = answerer->reach;
    uint32_t idle = LDD_NONE;
    bool is_fine = answerer->has_ends || answerer->options->semantics != SEMANTICS_UPPAAL ||
                   rest_states(&answerer->decider, &idle);
    if (!is_fine || answerer->has_ends) return is_fine;
    answerer->ends = hold(answerer, set_union(&reach->ldd, answerer->deadlocks, idle));
    answerer->has_ends = true;
    return true;
}

static bool find_where(struct answerer *answerer, const struct watch *watch,
                       struct verdicts *verdicts) {
    if (!decide(&answerer->decider, &watch->unit, answerer->reach->states, false, verdicts))
        return false;
    hold(answerer, verdicts->holds);
    hold(answerer, verdicts->fails);
    return true;
}

/* Where a search for runs fails: it looks at its starts, and at all successors of what is inside
 * on the way. */
static uint32_t failing(struct answerer *answerer, const struct verdicts *from,
                        const struct verdicts *inside) {
    struct reach *reach = answerer->reach;
    struct ldd *ldd = &reach->ldd;
    if (inside->fails == LDD_NONE) return from->fails;
    uint32_t begin = hold(answerer, set_intersect(ldd, from->holds, inside->holds));
    uint32_t onward = runs_onward(reach, begin, inside->holds);
    uint32_t met = set_union(ldd, from->holds, runs_successors(reach, onward));
    return set_union(ldd, from->fails, set_intersect(ldd, inside->fails, met));
}

static bool find_runs(struct answerer *answerer, const struct query *query,
                      const struct watch *watches, struct finding *finding) {
    struct reach *reach = answerer->reach;
    struct ldd *ldd = &reach->ldd;
    bool has_starts = query->quantifier == QUERY_LEADS_TO;
    struct verdicts from = {.holds = reach->initial}, inside;
    if (has_starts && !find_where(answerer, &watches[0], &from)) return false;
    if (!find_where(answerer, &watches[has_starts], &inside) || !find_ends(answerer)) return false;
    uint32_t ends = hold(answerer, set_intersect(ldd, inside.holds, answerer->ends));
    if (!runs_inside(reach, inside.holds, ends, &finding->runs)) return false;
    hold(answerer, finding->runs);
    finding->found.set = hold(answerer, set_intersect(ldd, from.holds, finding->runs));
    if (finding->found.set == LDD_NONE)
        finding->failed.set = hold(answerer, failing(answerer, &from, &inside));
    return true;
}

/* NULL, or which query is not for this engine. */
static const struct query *find_all(struct answerer *answerer) {
    const struct verification *verification = answerer->verification;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct query *query = verification->answers[i].query;
        if (query_traits(query->quantifier)->family == FAMILY_NONE) continue;
        const struct watch *watch = &answerer->plan->watches[answerer->plan->first_watch[i]];
        struct finding *finding = &answerer->findings[i];
        if (is_liveness(&verification->answers[i])) {
            if (!find_runs(answerer, query, watch, finding)) return query;
            continue;
        }
        if (!find_predicate(answerer, watch, finding)) return query;
        finding->bounds = ARENA_ARRAY(verification->arena, struct bounds_of, watch->expr_count + 1);
        for (uint32_t k = 0; k < watch->expr_count; k++)
            if (!find_bounds(answerer, &watch->values[k], finding, &finding->bounds[k]))
                return query;
    }
    return NULL;
}

/* Layers: only where the order of what is found matters, or a run is wanted */

static void add_target(struct answerer *answerer, struct target *target) {
    if (target->set != LDD_NONE) answerer->targets[answerer->target_count++] = *target;
}

static const struct target *target_of(const struct answerer *answerer, uint32_t set) {
    for (uint32_t i = 0; i < answerer->target_count; i++)
        if (answerer->targets[i].set == set) return &answerer->targets[i];
    return NULL;
}

static bool is_found_first(const struct answerer *answerer, const struct finding *finding) {
    const struct target *found = target_of(answerer, finding->found.set);
    const struct target *failed = target_of(answerer, finding->failed.set);
    return !failed ||
           (found && found->is_found && (!failed->is_found || found->layer <= failed->layer));
}

static void find_layers(struct answerer *answerer) {
    const struct verification *verification = answerer->verification;
    uint32_t count = verification->answer_count;
    answerer->targets = ARENA_ARRAY(verification->arena, struct target, count * 2 + 2);
    for (uint32_t i = 0; i < count; i++) {
        struct finding *finding = &answerer->findings[i];
        bool is_run = !is_bounds(&verification->answers[i]);
        if (is_run && (answerer->options->wants_traces || finding->failed.set))
            add_target(answerer, &finding->found);
        add_target(answerer, &finding->failed);
    }
    struct target errors = {.set = answerer->errors};
    add_target(answerer, &errors);
    if (!answerer->target_count) return;
    layers_init(&answerer->layers, answerer->reach);
    answerer->has_layers =
        layers_find(&answerer->layers, answerer->targets, answerer->target_count);
}

/* The least state of the first layer that has some of a set; of the whole set, if a limit was in
 * the way of layers. False at a limit. */
static bool least_state(struct answerer *answerer, uint32_t set) {
    struct reach *reach = answerer->reach;
    const struct target *target = target_of(answerer, set);
    if (ldd_is_over(&reach->ldd)) return false;
    if (target && target->is_found)
        set = set_intersect(&reach->ldd, layers_at(&answerer->layers, target->layer), set);
    reach_least(reach, set, answerer->words);
    return !ldd_is_over(&reach->ldd);
}

/* Runs */

/* The run to the first state of a target, with its states in the store; count 0 at a limit. */
static struct row_path path_to(struct answerer *answerer, const struct target *target) {
    struct search *search = &answerer->verification->search;
    struct arena *arena = answerer->verification->arena;
    struct row_path none = {NULL, 0};
    if (!target || !target->is_found) return none;
    uint32_t count = target->layer + 1;
    size_t words = search->layout->word_count;
    uint64_t *states = ARENA_ARRAY(arena, uint64_t, count * words + 1);
    if (!layers_run(&answerer->layers, target, states)) return none;
    struct row_path path = {ARENA_ARRAY(arena, uint32_t, count), count};
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *state = states + i * words;
        struct shelf shelf = {0, 0};
        bool is_new;
        if (!store_reserve(&search->store, STORE_RUN)) return none;
        store_refill(&search->store, &shelf, 1);
        path.rows[i] =
            store_add(&search->store, &shelf, state, store_hash(&search->store, state), &is_new);
        store_seal(&search->store, &shelf);
    }
    return path;
}

static struct trace *trace_to(struct answerer *answerer, uint32_t set, bool is_error) {
    struct verification *verification = answerer->verification;
    struct trace *trace = NULL;
    if (!answerer->options->wants_traces) return NULL;
    struct row_path path = path_to(answerer, target_of(answerer, set));
    if (path.count)
        trace = (is_error ? trace_new_error : trace_new)(verification->arena, &verification->search,
                                                         &answerer->expander, &path);
    verification->lacks_traces |= !trace;
    return trace;
}

/* Runs that stay inside a predicate: the explicit engine looks for them among the states that have
 * one. */

/* The state from which there is a run; false at a limit. */
static bool find_root(struct answerer *answerer, uint32_t set, struct target *root) {
    struct reach *reach = answerer->reach;
    const struct target *target = target_of(answerer, set);
    if (!target || !target->is_found) return false;
    set = set_intersect(&reach->ldd, layers_at(&answerer->layers, target->layer), set);
    if (ldd_is_over(&reach->ldd)) return false;
    reach_least_values(reach, set, answerer->words);
    if (ldd_is_over(&reach->ldd)) return false;
    struct level_state point = {answerer->words, count_committed(reach->program, answerer->words)};
    levels_vector(&reach->levels, &point, reach->tuple);
    *root = *target;
    root->set = hold(answerer, set_of(&reach->ldd, reach->tuple, reach->levels.count));
    return !ldd_is_over(&reach->ldd);
}

struct members {
    struct reach *reach;
    uint32_t set;
};

static bool is_member(void *context, const uint64_t *state) {
    const struct members *members = context;
    struct reach *reach = members->reach;
    struct level_state point = {(uint64_t *)state, count_committed(reach->program, state)};
    levels_vector(&reach->levels, &point, reach->tuple);
    return set_has(&reach->ldd, members->set, reach->tuple, reach->levels.count);
}

/* A run from a row on; count 0 at a limit. */
static struct row_path run_from(struct answerer *answerer, uint32_t runs,
                                const struct watch *inside, uint32_t row, enum trace_end *end,
                                uint32_t *loop) {
    struct members members = {answerer->reach, runs};
    struct row_path path = {NULL, 0};
    struct liveness live;
    liveness_init(&live, &answerer->verification->search, &answerer->expander,
                  answerer->verification->arena);
    live.can_idle = answerer->options->semantics == SEMANTICS_UPPAAL;
    live.wants_runs = true;
    live.has_run = is_member;
    live.context = &members;
    live.horizon = UINT32_MAX; /* what it expands was counted */
    if (liveness_from_row(&live, inside, row) != LIVENESS_RUN ||
        !liveness_path(&live, &path, end, loop))
        path.count = 0;
    liveness_close(&live);
    return path;
}

static struct trace *trace_run(struct answerer *answerer, const struct finding *finding,
                               const struct watch *inside) {
    struct verification *verification = answerer->verification;
    struct target root;
    struct row_path path = {NULL, 0}, rest = {NULL, 0};
    enum trace_end end;
    struct trace *trace = NULL;
    uint32_t loop;
    if (!answerer->options->wants_traces) return NULL;
    if (find_root(answerer, finding->found.set, &root)) path = path_to(answerer, &root);
    if (path.count)
        rest = run_from(answerer, finding->runs, inside, path.rows[path.count - 1], &end, &loop);
    if (rest.count) {
        struct row_path whole = path_join(verification->arena, &path, &rest);
        trace = trace_new(verification->arena, &verification->search, &answerer->expander, &whole);
    }
    verification->lacks_traces |= !trace;
    if (!trace) return NULL;
    trace->end = end;
    trace->loop = end == TRACE_LOOP ? path.count - 1 + loop : 0;
    return trace;
}

/* Answers */

/* Evaluates a watch where it fails. */
static void set_failure(struct answerer *answerer, struct answer *answer, const struct watch *watch,
                        const struct finding *finding) {
    struct machine *machine = &answerer->expander.machine;
    struct fault fault = {.kind = FAULT_STOPPED};
    if (!least_state(answerer, finding->failed.set)) return;
    expander_clear(&answerer->expander);
    if (!expander_run(&answerer->expander, answerer->words)) return;
    machine->is_stuck = !expander_degree(&answerer->expander);
    enum outcome outcome = machine_unit(machine, &watch->unit, answerer->words);
    if (answer->query->quantifier == QUERY_LEADS_TO && !is_broken_off(outcome) &&
        outcome != RUN_FAULT)
        outcome = machine_unit(machine, &watch[1].unit, answerer->words);
    for (uint32_t i = 0; i < watch->expr_count && outcome == RUN_TRUE; i++)
        outcome = machine_unit(machine, &watch->values[i], answerer->words);
    assert(outcome == RUN_FAULT || outcome == RUN_LATE);
    if (outcome == RUN_FAULT) fault = machine->fault;
    if (outcome == RUN_FAULT) set_problem(answer, fault);
}

static void answer_query(struct answerer *answerer, uint32_t index) {
    struct answer *answer = &answerer->verification->answers[index];
    const struct query *query = answer->query;
    const struct finding *finding = &answerer->findings[index];
    const struct watch *watch = &answerer->plan->watches[answerer->plan->first_watch[index]];
    bool is_universal = query_traits(query->quantifier)->is_universal;
    if (query_traits(query->quantifier)->family == FAMILY_NONE) {
        answer->problem = query->problem;
        answer->problem_span = query->span;
    } else if (is_bounds(answer)) {
        answer->bounds = finding->bounds;
        if (finding->failed.set)
            set_failure(answerer, answer, watch, finding);
        else
            answer->verdict = VERDICT_SATISFIED;
    } else if (finding->found.set && is_found_first(answerer, finding)) {
        answer->verdict = is_universal ? VERDICT_VIOLATED : VERDICT_SATISFIED;
        answer->trace = is_liveness(answer) ? trace_run(answerer, finding,
                                                        &watch[query->quantifier == QUERY_LEADS_TO])
                                            : trace_to(answerer, finding->found.set, false);
    } else if (finding->failed.set) {
        set_failure(answerer, answer, watch, finding);
    } else {
        answer->verdict = is_universal ? VERDICT_SATISFIED : VERDICT_VIOLATED;
    }
}

static void report_error(struct answerer *answerer) {
    struct verification *verification = answerer->verification;
    if (answerer->errors == LDD_NONE || !least_state(answerer, answerer->errors)) return;
    expander_clear(&answerer->expander);
    if (!expander_run(&answerer->expander, answerer->words)) return;
    assert(answerer->expander.error_count);
    verification->has_error = true;
    verification->error = answerer->expander.first_error;
    verification->error_trace = trace_to(answerer, answerer->errors, true);
}

static void answer_all(struct answerer *answerer) {
    struct search *search = &answerer->verification->search;
    expander_init(&answerer->expander, search->program);
    limit_expander(search, &answerer->expander, true);
    answerer->expander.max_size = search->options.max_size;
    answerer->words =
        ARENA_ARRAY(answerer->verification->arena, uint64_t, search->layout->word_count + 1);
    if (store_init(&search->store, search->layout, 0, 0)) {
        find_layers(answerer);
        for (uint32_t i = 0; i < answerer->verification->answer_count; i++)
            answer_query(answerer, i);
        report_error(answerer);
    }
    expander_close(&answerer->expander);
}

/* Figures */

static struct exact exact_of(struct answerer *answerer, const struct count *count) {
    return (struct exact){true, count_value(count),
                          count_text(count, answerer->verification->arena)};
}

static void count_all(struct answerer *answerer) {
    struct verification *verification = answerer->verification;
    struct search *search = &verification->search;
    struct totals totals;
    reach_count(answerer->reach, answerer->deadlocks, &totals, verification->arena);
    if (ldd_is_over(&answerer->reach->ldd)) return;
    verification->states = exact_of(answerer, &totals.states);
    verification->transitions = exact_of(answerer, &totals.transitions);
    verification->deadlocks = exact_of(answerer, &totals.deadlocks);
    verification->errors = exact_of(answerer, &totals.errors);
    search->transitions = verification->transitions.value;
    search->deadlocks = verification->deadlocks.value;
    search->errors = verification->errors.value;
}

static void set_limit(struct search *search, const struct ldd *ldd) {
    static const enum search_limit limits[] = {[LDD_MEMORY] = LIMIT_MEMORY,
                                               [LDD_STORES] = LIMIT_MEMORY,
                                               [LDD_TIME] = LIMIT_TIME,
                                               [LDD_INTERRUPT] = LIMIT_INTERRUPT};
    search->limit = limits[ldd->end];
}

/* From the states that are there; NULL, or the query that is not for this engine. */
static const struct query *conclude(struct answerer *answerer) {
    struct search *search = &answerer->verification->search;
    struct reach *reach = answerer->reach = answerer->symbolic.reach;
    answerer->deadlocks = hold(answerer, reach_deadlocks(reach));
    answerer->decider = (struct decider){.reach = reach, .deadlocks = answerer->deadlocks};
    answerer->errors = hold(answerer, reach_errors(reach));
    count_all(answerer);
    const struct query *query = find_all(answerer);
    if (ldd_is_over(&reach->ldd)) {
        set_limit(search, &reach->ldd);
        return NULL;
    }
    if (query && reach->expander.machine.is_late)
        search->limit = limit_of_time();
    else if (query)
        return query;
    if (query) return NULL;
    search->is_complete = true;
    answer_all(answerer);
    return NULL;
}

/* The run */

static bool refuse(const struct search *search, uint32_t at, const char *reason) {
    struct diag *diag = search->options.diag ? search->options.diag : search->network->model->diag;
    diag_error(diag, STATUS_UNSUPPORTED, at,
               "--engine symbolic is not for this model: %s; use --engine explicit", reason);
    return false;
}

static void set_limits(struct answerer *answerer) {
    const struct search *search = &answerer->verification->search;
    const struct search_options *options = &search->options;
    struct ldd_limits *limits = &answerer->symbolic.limits;
    limits->max_size = options->max_size;
    if (options->max_seconds > 0) limits->deadline = search->start + options->max_seconds;
}

/* Explores; layouts that turn out to be too narrow are made anew. */
static bool explore(struct answerer *answerer, enum symbolic_end *end) {
    struct search *search = &answerer->verification->search;
    for (;;) {
        const char *problem =
            symbolic_init(&answerer->symbolic, search, answerer->options->shuffle);
        if (problem) return refuse(search, 0, problem);
        set_limits(answerer);
        *end = symbolic_run(&answerer->symbolic);
        if (answerer->symbolic.peak_size > search->peak_size)
            search->peak_size = answerer->symbolic.peak_size;
        if (*end != SYMBOLIC_OVERFLOW) return true;
        symbolic_close(&answerer->symbolic);
        if (!search_prepare_again(search, answerer->symbolic.overflow_slot,
                                  answerer->symbolic.overflow_value))
            return false;
    }
}

bool verify_symbolically(struct verification *verification, const struct network *network,
                         const struct verify_options *options, const struct plan *plan) {
    struct search *search = &verification->search;
    struct answerer answerer = {.verification = verification, .options = options, .plan = plan};
    enum symbolic_end end;
    answerer.findings =
        ARENA_ARRAY(verification->arena, struct finding, verification->answer_count + 1);
    bool is_prepared =
        search_prepare(search, network, &options->search, plan->watches, plan->watch_count);
    if (!is_prepared) return false;
    bool is_fine = explore(&answerer, &end);
    const struct query *query = NULL;
    if (is_fine && end == SYMBOLIC_DONE)
        query = conclude(&answerer);
    else
        search->limit = answerer.symbolic.limit;
    if (query) is_fine = refuse(search, query->span.begin, "this query is too complex");
    if (is_fine && answerer.reach) verification->nodes = answerer.reach->ldd.made;
    symbolic_close(&answerer.symbolic);
    return is_fine;
}
