/* Answers by sets of states: verdicts from the reachable states as a whole, and runs of which the
 * explicit engine takes every step again. */
#include "explore/verdict/verify_sets_internal.h"

#include "base/clock.h"
#include "explore/verdict/liveness.h"

#include <assert.h>

enum { AHEAD = 8 /* values that sets met for each level of the search, where they are ahead */ };

/* Layers: only where the order of what is found matters, or a run is wanted */

static void add_target(struct sets *sets, struct target *target) {
    assert(sets->target_count < sets->verification->answer_count * 2 + 2);
    if (target->set != LDD_NONE) sets->targets[sets->target_count++] = *target;
}

static const struct target *target_of(const struct sets *sets, uint32_t set) {
    for (uint32_t i = 0; i < sets->target_count; i++)
        if (sets->targets[i].set == set) return &sets->targets[i];
    return NULL;
}

static bool is_found_first(const struct sets *sets, const struct set_finding *finding) {
    const struct target *found = target_of(sets, finding->found.set);
    const struct target *failed = target_of(sets, finding->failed.set);
    return !failed ||
           (found && found->is_found && (!failed->is_found || found->layer <= failed->layer));
}

static void find_layers(struct sets *sets) {
    const struct verification *verification = sets->verification;
    uint32_t count = verification->answer_count;
    bool wants_pairs = false;
    sets->targets = ARENA_ARRAY(verification->arena, struct target, count * 2 + 2);
    for (uint32_t i = 0; i < count; i++) {
        struct set_finding *finding = &sets->findings[i];
        bool is_run = family_of(&verification->answers[i]) != FAMILY_BOUNDS;
        if (is_run && (sets->options->wants_traces || finding->failed.set))
            add_target(sets, &finding->found);
        add_target(sets, &finding->failed);
        wants_pairs |= finding->known && finding->known->may_have_reason;
    }
    struct target errors = {.set = sets->errors};
    add_target(sets, &errors);
    if (!sets->target_count && !(wants_pairs && sets->options->wants_traces)) return;
    sets->others = ldd_hold(&sets->reach->ldd, LDD_NONE);
    layers_init(&sets->layers, sets->reach);
    layers_find(&sets->layers, sets->targets, sets->target_count);
}

/* The least state of the first layer that has some of a set; of the whole set, if a limit was in
 * the way of layers. False at a limit. */
static bool least_state(struct sets *sets, uint32_t set) {
    struct reach *reach = sets->reach;
    const struct target *target = target_of(sets, set);
    if (ldd_is_over(&reach->ldd)) return false;
    if (target && target->is_found)
        set = set_intersect(&reach->ldd, layers_at(&sets->layers, target->layer), set);
    reach_least(reach, set, sets->words);
    return !ldd_is_over(&reach->ldd);
}

/* Runs */

/* The run to the first state of a target, with its states in the store; count 0 at a limit. */
static struct row_path path_to(struct sets *sets, const struct target *target) {
    struct search *search = sets->verification->search;
    struct arena *arena = sets->verification->arena;
    struct row_path none = {NULL, 0};
    if (!target || !target->is_found) return none;
    uint32_t count = target->layer + 1;
    size_t words = search->layout->word_count;
    uint64_t *states = ARENA_ARRAY(arena, uint64_t, count * words + 1);
    if (!layers_run(&sets->layers, target, states)) return none;
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

static struct trace *trace_to(struct sets *sets, uint32_t set, bool is_error) {
    struct verification *verification = sets->verification;
    struct trace *trace = NULL;
    if (!sets->options->wants_traces) return NULL;
    struct row_path path = path_to(sets, target_of(sets, set));
    if (path.count)
        trace = (is_error ? trace_new_error : trace_new)(verification->arena, verification->search,
                                                         &sets->expander, &path);
    verification->lacks_traces |= !trace;
    return trace;
}

/* The state with the least values of the first layer that has some of a target; false at a limit.
 * The root is held, and all that layers do not need has to be released after it. */
static bool find_root(struct sets *sets, const struct target *target, struct target *root) {
    struct reach *reach = sets->reach;
    if (!target || !target->is_found) return false;
    uint32_t set = set_intersect(&reach->ldd, layers_at(&sets->layers, target->layer), target->set);
    if (ldd_is_over(&reach->ldd)) return false;
    reach_least_values(reach, set, sets->words);
    if (ldd_is_over(&reach->ldd)) return false;
    struct level_state point = {sets->words, count_committed(reach->program, sets->words)};
    levels_vector(&reach->levels, &point, reach->tuple);
    *root = *target;
    root->set = sets_hold(sets, set_of(&reach->ldd, reach->tuple, reach->levels.count));
    return !ldd_is_over(&reach->ldd);
}

/* The run to that state. */
static struct row_path path_to_root(struct sets *sets, const struct target *target) {
    struct ldd *ldd = &sets->reach->ldd;
    struct row_path path = {NULL, 0};
    struct target root;
    size_t mark = ldd->held_count;
    if (find_root(sets, target, &root)) path = path_to(sets, &root);
    ldd_release(ldd, mark);
    return path;
}

/* To the state that the explicit engine shows for a formula, whose words are left behind. */
static struct trace *trace_to_root(struct sets *sets, const struct target *target) {
    struct verification *verification = sets->verification;
    struct trace *trace = NULL;
    struct row_path path = path_to_root(sets, target);
    if (path.count)
        trace = trace_new(verification->arena, verification->search, &sets->expander, &path);
    verification->lacks_traces |= !trace;
    return trace;
}

/* Runs that stay inside a predicate: the explicit engine looks for them among the states that have
 * one. */

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
static struct row_path run_from(struct sets *sets, uint32_t runs, const struct watch *inside,
                                uint32_t row, enum trace_end *end, uint32_t *loop) {
    struct members members = {sets->reach, runs};
    struct row_path path = {NULL, 0};
    struct liveness live;
    liveness_init(&live, sets->verification->search, &sets->expander, sets->verification->arena);
    live.can_idle = sets->options->semantics == SEMANTICS_UPPAAL;
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

static struct trace *trace_run(struct sets *sets, const struct set_finding *finding,
                               const struct watch *inside) {
    struct verification *verification = sets->verification;
    struct row_path path, rest = {NULL, 0};
    enum trace_end end;
    struct trace *trace = NULL;
    uint32_t loop;
    if (!sets->options->wants_traces) return NULL;
    path = path_to_root(sets, target_of(sets, finding->found.set));
    if (path.count)
        rest = run_from(sets, finding->runs, inside, path.rows[path.count - 1], &end, &loop);
    if (rest.count) {
        struct row_path whole = path_join(verification->arena, &path, &rest);
        trace = trace_new(verification->arena, verification->search, &sets->expander, &whole);
    }
    verification->lacks_traces |= !trace;
    if (!trace) return NULL;
    trace->end = end;
    trace->loop = end == TRACE_LOOP ? path.count - 1 + loop : 0;
    return trace;
}

/* Answers */

/* Evaluates a watch where it fails. */
static void set_failure(struct sets *sets, struct answer *answer, const struct watch *watch,
                        const struct set_finding *finding) {
    assert(finding->failed.set != LDD_NONE);
    struct machine *machine = &sets->expander.machine;
    struct fault fault = {.kind = FAULT_STOPPED};
    if (!least_state(sets, finding->failed.set)) return;
    expander_clear(&sets->expander);
    if (!expander_run(&sets->expander, sets->words)) return;
    machine->is_stuck = !expander_degree(&sets->expander);
    enum outcome outcome = machine_ask(machine, &watch->unit, sets->words);
    if (answer->query->quantifier == QUERY_LEADS_TO && !is_broken_off(outcome) &&
        outcome != RUN_FAULT)
        outcome = machine_ask(machine, &watch[1].unit, sets->words);
    for (uint32_t i = 0; i < watch->expr_count && outcome == RUN_TRUE; i++)
        outcome = machine_ask(machine, &watch->values[i], sets->words);
    assert(outcome == RUN_FAULT || outcome == RUN_LATE);
    if (outcome == RUN_FAULT) fault = machine->fault;
    if (outcome == RUN_FAULT) set_problem(answer, fault);
}

/* A state that the agent cannot tell from the state in words, and the run there. Without traces
 * nobody asks for the shortest run, so that any such state will do. */
static void show_other(struct sets *sets, struct answer *answer, struct set_formula *formula) {
    struct ldd *ldd = &sets->reach->ldd;
    struct target others = {.set = LDD_NONE};
    if (!set_formula_explain(formula, sets->words, &others.set)) return;
    if (!sets->options->wants_traces) {
        reach_least_values(sets->reach, others.set, sets->words);
    } else {
        ldd->held[sets->others] = others.set;
        if (layers_find_one(&sets->layers, &others)) answer->other = trace_to_root(sets, &others);
    }
    answer->known->has_pair &= !ldd_is_over(ldd);
    if (answer->known->has_pair) set_formula_choose(formula, sets->words);
}

/* The state that decides a formula, from outside or the initial one; and why. */
static void show_formula(struct sets *sets, struct answer *answer,
                         const struct set_finding *finding, struct set_formula *formula) {
    struct reach *reach = sets->reach;
    bool wants_traces = sets->options->wants_traces, is_inside = finding->found.set != LDD_NONE;
    struct target start = {.set = reach->initial, .is_found = true};
    if (wants_traces && is_inside)
        answer->trace = trace_to_root(sets, target_of(sets, finding->found.set));
    if (!answer->known->may_have_reason || ldd_is_over(&reach->ldd)) return;
    if (!wants_traces || !is_inside)
        reach_least_values(reach, is_inside ? finding->found.set : reach->initial, sets->words);
    show_other(sets, answer, formula);
    if (wants_traces && !is_inside && answer->known->has_pair)
        answer->trace = trace_to_root(sets, &start);
}

static void answer_formula(struct sets *sets, struct answer *answer,
                           const struct set_finding *finding, struct set_formula *formula) {
    enum known_outcome outcome = finding->known->outcome;
    answer->known = finding->known;
    answer->problem = finding->known->problem;
    answer->problem_span = finding->known->span;
    if (outcome == KNOWN_TRUE) answer->verdict = VERDICT_SATISFIED;
    if (outcome == KNOWN_FALSE) answer->verdict = VERDICT_VIOLATED;
    if (answer->verdict != VERDICT_UNKNOWN) show_formula(sets, answer, finding, formula);
}

static void answer_query(struct sets *sets, uint32_t index) {
    struct answer *answer = &sets->verification->answers[index];
    const struct query *query = answer->query;
    const struct set_finding *finding = &sets->findings[index];
    const struct watch *watch = &sets->plan->watches[sets->plan->first_watch[index]];
    bool is_universal = query_traits(query->quantifier)->is_universal;
    assert(answer->verdict == VERDICT_UNKNOWN && !answer->problem); /* as clear leaves it */
    if (query_traits(query->quantifier)->family == FAMILY_NONE) {
        answer->problem = query->problem;
        answer->problem_span = query->span;
    } else if (finding->known) {
        answer_formula(sets, answer, finding, sets->formulas[index]);
    } else if (family_of(answer) == FAMILY_BOUNDS) {
        answer->bounds = finding->bounds;
        if (finding->failed.set)
            set_failure(sets, answer, watch, finding);
        else
            answer->verdict = VERDICT_SATISFIED;
    } else if (finding->found.set && is_found_first(sets, finding)) {
        answer->verdict = is_universal ? VERDICT_VIOLATED : VERDICT_SATISFIED;
        answer->trace = family_of(answer) == FAMILY_LIVENESS
                            ? trace_run(sets, finding, &watch[query->quantifier == QUERY_LEADS_TO])
                            : trace_to(sets, finding->found.set, false);
    } else if (finding->failed.set) {
        set_failure(sets, answer, watch, finding);
    } else {
        answer->verdict = is_universal ? VERDICT_SATISFIED : VERDICT_VIOLATED;
    }
}

static void report_error(struct sets *sets) {
    struct verification *verification = sets->verification;
    if (sets->errors == LDD_NONE || !least_state(sets, sets->errors)) return;
    expander_clear(&sets->expander);
    if (!expander_run(&sets->expander, sets->words)) return;
    assert(sets->expander.error_count);
    verification->has_error = true;
    verification->error = sets->expander.first_error;
    verification->error_trace = trace_to(sets, sets->errors, true);
}

static void answer_all(struct sets *sets) {
    struct search *search = sets->verification->search;
    expander_init(&sets->expander, search->program);
    limit_expander(search, &sets->expander, true);
    sets->expander.max_size = search->options.max_size;
    sets->words = ARENA_ARRAY(sets->verification->arena, uint64_t, search->layout->word_count + 1);
    if (store_init(&search->store, search->layout, 0, 0)) {
        find_layers(sets);
        for (uint32_t i = 0; i < sets->verification->answer_count; i++) answer_query(sets, i);
        report_error(sets);
    } else {
        search->limit = LIMIT_MEMORY;
    }
    expander_close(&sets->expander);
}

/* Figures */

static void count_all(struct sets *sets) {
    struct search *search = sets->verification->search;
    struct figures *figures = &sets->verification->figures;
    if (!reach_count(sets->reach, sets->deadlocks, figures, sets->verification->arena)) return;
    search->transitions = figures->transitions.value;
    search->deadlocks = figures->deadlocks.value;
    search->errors = figures->errors.value;
}

static void set_limit(struct search *search, const struct ldd *ldd) {
    static const enum search_limit limits[] = {[LDD_MEMORY] = LIMIT_MEMORY,
                                               [LDD_STORES] = LIMIT_MEMORY,
                                               [LDD_TIME] = LIMIT_TIME,
                                               [LDD_INTERRUPT] = LIMIT_INTERRUPT};
    assert(ldd_is_over(ldd));
    search->limit = limits[ldd->end];
}

/* From the states that are there; NULL, or the query that is not for this engine. */
static const struct query *conclude(struct sets *sets) {
    struct search *search = sets->verification->search;
    struct reach *reach = sets->reach = sets->symbolic.reach;
    sets->deadlocks = sets_hold(sets, reach_deadlocks(reach));
    sets->decider = (struct decider){.reach = reach, .deadlocks = sets->deadlocks};
    sets->errors = sets_hold(sets, reach_errors(reach));
    count_all(sets);
    const struct query *query = sets_find_all(sets);
    if (ldd_is_over(&reach->ldd)) {
        set_limit(search, &reach->ldd);
        return NULL;
    }
    if (query && reach->expander.machine.is_late)
        search->limit = limit_of_machine(&reach->expander.machine);
    else if (query)
        return query;
    if (query) return NULL;
    search->is_complete = true;
    answer_all(sets);
    return NULL;
}

/* The run */

static enum sets_end refuse(struct sets *sets, uint32_t at, const char *reason) {
    sets->refusal = reason;
    sets->refused_at = at;
    return SETS_REFUSED;
}

static const char *why_not(const struct sets *sets, const struct query *query) {
    bool is_left_open = false;
    for (uint32_t i = 0; i < sets->verification->answer_count; i++)
        is_left_open |= sets->verification->answers[i].query == query && sets->findings[i].known &&
                        sets->findings[i].known->is_left_open;
    return is_left_open ? "a uniform strategy of this query has to be searched for"
                        : "this query is too complex";
}

/* Forgets answers that were not finished. */
static void clear(struct sets *sets) {
    struct verification *verification = sets->verification;
    struct search *search = verification->search;
    ldd_release(&sets->symbolic.reach->ldd, 0);
    store_close(&search->store);
    search->is_complete = false;
    search->limit = LIMIT_NONE;
    sets->has_ends = false;
    sets->target_count = 0;
    verification->has_error = verification->lacks_traces = false;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        sets->findings[i] = (struct set_finding){0};
        verification->answers[i] = (struct answer){.query = verification->answers[i].query};
    }
}

static enum sets_end run_answers(struct sets *sets, uint64_t most) {
    struct ldd *ldd = &sets->symbolic.reach->ldd;
    struct ldd_limits limits = sets->symbolic.limits;
    if (most) limits.stores = ldd->stores + most;
    clear(sets);
    ldd_resume(ldd, limits);
    const struct query *query = conclude(sets);
    sets->verification->nodes = symbolic_made(&sets->symbolic);
    if (query) return refuse(sets, query->span.begin, why_not(sets, query));
    if (most && ldd_is_over(ldd)) return ldd->end == LDD_STORES ? SETS_MORE : SETS_LIMIT;
    return sets->verification->search->is_complete ? SETS_DONE : SETS_LIMIT;
}

static void tell_progress(void *context) {
    struct sets *sets = context;
    struct search *search = sets->verification->search;
    double now = clock_seconds();
    if (!search->options.progress || now < search->next_progress) return;
    search->next_progress = now + 1;
    struct search_figures figures = {.seconds = now - search->start};
    figures.nodes = symbolic_nodes(&sets->symbolic, &figures.size);
    search->options.progress(search->options.context, &figures);
}

static struct ldd_limits limits_of(struct sets *sets) {
    const struct search *search = sets->verification->search;
    const struct search_options *options = &search->options;
    struct ldd_limits limits = {
        .max_size = options->max_size, .look = tell_progress, .context = sets};
    if (options->max_seconds > 0) limits.deadline = search->start + options->max_seconds;
    return limits;
}

static void close_symbolic(struct sets *sets) {
    if (sets->is_open) symbolic_close(&sets->symbolic);
    sets->is_open = false;
}

/* Explores; layouts that turn out to be too narrow are made anew. SETS_DONE if all states are
 * there. */
static enum sets_end run_states(struct sets *sets, uint64_t most) {
    struct search *search = sets->verification->search;
    enum symbolic_end end = SYMBOLIC_OVERFLOW;
    while (end >= SYMBOLIC_OVERFLOW) {
        if (!sets->is_open) {
            sets_compile_formulas(sets);
            const char *problem =
                symbolic_init(&sets->symbolic, search, limits_of(sets), sets->options->shuffle,
                              !sets->is_forked, sets->told);
            sets->is_open = true;
            if (problem) return refuse(sets, 0, problem);
        }
        bool is_over = symbolic_run(&sets->symbolic, most, &end);
        if (sets->symbolic.peak_size > search->peak_size)
            search->peak_size = sets->symbolic.peak_size;
        if (!is_over) return SETS_MORE;
        if (end < SYMBOLIC_OVERFLOW) break;
        if (end == SYMBOLIC_FORKED) {
            sets->is_forked = true;
            close_symbolic(sets);
            continue;
        }
        assert(sets->symbolic.overflow_count);
        for (uint32_t i = 0; i < sets->symbolic.overflow_count; i++)
            search_widen(search, sets->symbolic.overflows[i].slot,
                         sets->symbolic.overflows[i].value);
        close_symbolic(sets);
        if (!search_prepare_again(search)) return SETS_LIMIT; /* reported */
    }
    sets->verification->nodes = symbolic_made(&sets->symbolic);
    search->limit = sets->symbolic.limit;
    search->too_long = sets->symbolic.too_long;
    return end == SYMBOLIC_DONE ? SETS_DONE : SETS_LIMIT;
}

enum sets_end sets_run(struct sets *sets, uint64_t most) {
    if (!sets->is_open || !sets->symbolic.reach) {
        enum sets_end end = run_states(sets, most);
        if (end != SETS_DONE) return end;
    }
    return run_answers(sets, most);
}

void sets_allow(struct sets *sets, size_t max_size) {
    sets->verification->search->options.max_size = max_size;
    sets->symbolic.limits.max_size = max_size;
}

/* False where nothing was explored. */
bool sets_are_regular(const struct sets *sets) {
    return sets->is_open && symbolic_is_regular(&sets->symbolic);
}

bool sets_are_growing(const struct sets *sets) {
    return sets->is_open && symbolic_is_growing(&sets->symbolic);
}

bool sets_are_ahead(const struct sets *sets, const struct search *search) {
    return sets->is_open &&
           symbolic_vectors(&sets->symbolic) >= (uint64_t)search->level_count * AHEAD;
}

bool sets_are_dense(const struct sets *sets, const struct search *search) {
    return sets->is_open && symbolic_is_dense(&sets->symbolic, search);
}

struct sets *sets_open(struct verification *verification, const struct network *network,
                       const struct verify_options *options, const struct plan *plan,
                       const struct search *other) {
    struct sets *sets = ARENA_NEW(verification->arena, struct sets);
    *sets = (struct sets){.verification = verification, .options = options, .plan = plan};
    sets->findings =
        ARENA_ARRAY(verification->arena, struct set_finding, verification->answer_count + 1);
    sets->formulas =
        ARENA_ARRAY(verification->arena, struct set_formula *, verification->answer_count + 1);
    struct search *search = verification->search;
    bool is_prepared =
        other ? search_prepare_like(search, network, &options->search, plan->watches,
                                    plan->watch_count, other)
              : search_prepare(search, network, &options->search, plan->watches, plan->watch_count);
    return is_prepared ? sets : NULL;
}

/* Frees the sets; answers are in the verification by then. */
void sets_close(struct sets *sets) { close_symbolic(sets); }

/* Verifies by sets alone. */
bool verify_symbolically(struct verification *verification, const struct network *network,
                         const struct verify_options *options, const struct plan *plan) {
    struct sets *sets = sets_open(verification, network, options, plan, NULL);
    if (!sets) return false;
    enum sets_end end = sets_run(sets, 0);
    bool is_prepared = verification->search->program != NULL;
    if (end == SETS_REFUSED)
        diag_error(network->model->diag, STATUS_UNSUPPORTED, sets->refused_at,
                   "--engine symbolic is not for this model: %s; use --engine explicit",
                   sets->refusal);
    sets_close(sets);
    return is_prepared && end != SETS_REFUSED;
}
