/* Answers queries from one search: watches, then bounds, runs and traces. */
#include "explore/verdict/verify_internal.h"

#include "base/clock.h"
#include "explore/verdict/equal.h"
#include "explore/verdict/liveness.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"

#include <assert.h>

static const struct query_traits *traits_of(const struct answer *answer) {
    return query_traits(answer->query->quantifier);
}

/* Watches */

/* Adds the watches of one query; its runs have to stay inside the last one. */
static uint32_t add_watches(struct watch *watches, const struct query *query, bool is_fair) {
    const struct query_traits *traits = query_traits(query->quantifier);
    if (traits->family == FAMILY_NONE) return 0;
    watches[0] = (struct watch){.kind = WATCH_FIND, .predicate = query->predicate};
    watches[0].is_negated = traits->seeks_negation;
    if (traits->family == FAMILY_LIVENESS) watches[0].kind = WATCH_LATER;
    if (traits->family == FAMILY_FORMULA)
        watches[0] = (struct watch){.kind = WATCH_LATER, .needs_all = true};
    if (traits->family == FAMILY_BOUNDS) {
        watches[0].kind = WATCH_BOUNDS;
        watches[0].exprs = query->exprs;
        watches[0].expr_count = query->expr_count;
    }
    if (query->quantifier != QUERY_LEADS_TO) return 1;
    watches[0].needs_all = !is_fair; /* fair runs are looked for from the initial state on */
    watches[1] = (struct watch){.kind = WATCH_LATER,
                                .predicate = query->exprs[0],
                                .is_negated = true,
                                .needs_all = !is_fair};
    return 2;
}

/* Answers */

struct answerer {
    struct verification *verification;
    const struct verify_options *options;
    struct expander expander;
    struct liveness live;
    struct known_steps kept; /* where there are several formulas */
    bool has_formulas;
};

/* For verdicts that an error of an evaluation keeps open. */
void set_problem(struct answer *answer, struct fault fault) {
    answer->problem = fault_name(fault.kind);
    answer->is_too_long = fault.kind == FAULT_STEPS;
    answer->problem_span = fault.span;
}

void limit_expander(const struct search *search, struct expander *expander, bool is_trace) {
    double seconds = search->options.max_seconds;
    expander->machine.grace = is_trace ? TRACE_SECONDS : 0;
    if (seconds <= 0) return;
    expander->machine.deadline = search->start + seconds;
    if (is_trace) expander->machine.deadline += TRACE_SECONDS + seconds / 10;
}

struct row_path path_join(struct arena *arena, const struct row_path *path,
                          const struct row_path *rest) {
    assert(path->count && rest->count && path->rows[path->count - 1] == rest->rows[0]);
    uint32_t *rows = ARENA_ARRAY(arena, uint32_t, path->count + rest->count);
    memcpy(rows, path->rows, path->count * sizeof *rows);
    memcpy(rows + path->count - 1, rest->rows, rest->count * sizeof *rows);
    return (struct row_path){rows, path->count - 1 + rest->count};
}

static void set_deadline(struct answerer *answerer, bool is_trace) {
    limit_expander(answerer->verification->search, &answerer->expander, is_trace);
}

/* The run along a path, and an error after it; NULL past a limit. */
static struct trace *trace_along(struct answerer *answerer, const struct row_path *path,
                                 bool is_error) {
    struct verification *verification = answerer->verification;
    struct trace *trace = NULL;
    if (path->count)
        trace = (is_error ? trace_new_error : trace_new)(verification->arena, verification->search,
                                                         &answerer->expander, path);
    verification->lacks_traces |= !trace;
    return trace;
}

static struct trace *trace_to(struct answerer *answerer, uint32_t row, bool is_error) {
    assert(row != STORE_FULL);
    struct arena *arena = answerer->verification->arena;
    const struct search *search = answerer->verification->search;
    if (!answerer->options->wants_traces) return NULL;
    set_deadline(answerer, true);
    struct row_path path = trace_path(arena, search, &answerer->expander, row);
    return trace_along(answerer, &path, is_error);
}

/* If a state is found. */
static enum verdict verdict_found(const struct answer *answer) {
    return traits_of(answer)->is_universal ? VERDICT_VIOLATED : VERDICT_SATISFIED;
}

static void answer_reachability(struct answerer *answerer, struct answer *answer,
                                const struct watch *watch) {
    assert(watch->kind == WATCH_FIND);
    bool is_universal = traits_of(answer)->is_universal;
    if (watch->found.is_found) {
        answer->verdict = verdict_found(answer);
        answer->trace = trace_to(answerer, watch->found.row, false);
    } else if (watch->failed.is_found) {
        set_problem(answer, watch->failed.fault);
    } else if (answerer->verification->search->is_complete) {
        answer->verdict = is_universal ? VERDICT_SATISFIED : VERDICT_VIOLATED;
    }
}

void verify_found(struct verification *verification, const struct plan *plan) {
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        struct answer *answer = &verification->answers[i];
        const struct watch *watch = &plan->watches[plan->first_watch[i]];
        *answer = (struct answer){.query = answer->query};
        if (traits_of(answer)->family == FAMILY_REACHABILITY && watch->found.is_found &&
            !verification->search->network->persistent.count)
            answer->verdict = verdict_found(answer);
    }
}

static void answer_bounds(struct answerer *answerer, struct answer *answer,
                          const struct watch *watch) {
    assert(watch->kind == WATCH_BOUNDS);
    answer->bounds =
        ARENA_ARRAY(answerer->verification->arena, struct bounds_of, watch->expr_count + 1);
    for (uint32_t i = 0; i < watch->expr_count; i++) {
        answer->bounds[i] = watch->bounds[i];
        assert(!answer->bounds[i].is_found || answer->bounds[i].lower <= answer->bounds[i].upper);
    }
    if (watch->failed.is_found)
        set_problem(answer, watch->failed.fault);
    else if (answerer->verification->search->is_complete)
        answer->verdict = VERDICT_SATISFIED;
}

/* The way from the initial state to the first row of a path, and on; count 0 past a limit. */
static struct row_path path_from_start(struct answerer *answerer, const struct row_path *rest) {
    struct verification *verification = answerer->verification;
    struct row_path path =
        trace_path(verification->arena, verification->search, &answerer->expander, rest->rows[0]);
    return path.count ? path_join(verification->arena, &path, rest) : path;
}

static void trace_fair_run(struct answerer *answerer, struct answer *answer) {
    struct verification *verification = answerer->verification;
    const struct fair_run *run = &answerer->live.fair_run;
    set_deadline(answerer, true);
    if (run->is_found)
        answer->trace = trace_new_by(verification->arena, verification->search, &answerer->expander,
                                     run->choices, run->path.count - 1);
    verification->lacks_traces |= !answer->trace;
    if (!answer->trace) return;
    answer->trace->end = run->end;
    answer->trace->loop = run->end == TRACE_LOOP ? run->loop : 0;
}

static void trace_run(struct answerer *answerer, struct answer *answer) {
    struct row_path rest, path = {NULL, 0};
    enum trace_end end;
    uint32_t loop;
    set_deadline(answerer, true);
    if (liveness_path(&answerer->live, &rest, &end, &loop)) path = path_from_start(answerer, &rest);
    loop += path.count - rest.count;
    if (path.count && end == TRACE_LOOP)
        answer->trace =
            trace_new_lasso(answerer->verification->arena, answerer->verification->search,
                            &answerer->expander, &path, &loop);
    else
        answer->trace = trace_along(answerer, &path, false);
    answerer->verification->lacks_traces |= !answer->trace;
    if (!answer->trace) return;
    answer->trace->end = end;
    answer->trace->loop = end == TRACE_LOOP ? loop : 0;
    assert(end != TRACE_LOOP || answer->trace->loop + 1 < answer->trace->state_count);
}

static void answer_liveness(struct answerer *answerer, struct answer *answer,
                            const struct watch *watch) {
    assert(watch[0].kind == WATCH_LATER);
    struct liveness *live = &answerer->live;
    bool is_universal = traits_of(answer)->is_universal;
    enum liveness_outcome outcome = answer->query->quantifier == QUERY_LEADS_TO
                                        ? liveness_from_states(live, &watch[0], &watch[1])
                                        : liveness_from_start(live, &watch[0]);
    switch (outcome) {
    case LIVENESS_NONE:
        answer->verdict = is_universal ? VERDICT_SATISFIED : VERDICT_VIOLATED;
        break;
    case LIVENESS_RUN:
        answer->verdict = is_universal ? VERDICT_VIOLATED : VERDICT_SATISFIED;
        if (answerer->options->wants_traces)
            (live->fair ? trace_fair_run : trace_run)(answerer, answer);
        break;
    case LIVENESS_FAULT: set_problem(answer, live->fault); break;
    case LIVENESS_LIMIT:
    case LIVENESS_OVERFLOW: break;
    }
}

/* The runs to the row that decides and to the one that an agent takes for it; without such a row,
 * from the initial state. */
static void trace_formula(struct answerer *answerer, struct answer *answer) {
    const struct decided_formula *known = answer->known;
    uint32_t start = store_skip(&answerer->verification->search->store, 0);
    if (known->has_row) answer->trace = trace_to(answerer, known->row, false);
    if (known->has_pair && !known->has_row) answer->trace = trace_to(answerer, start, false);
    if (known->has_pair) answer->other = trace_to(answerer, known->pair.other, false);
}

static void answer_formula(struct answerer *answerer, struct answer *answer) {
    struct verification *verification = answerer->verification;
    answer->known = ARENA_NEW(verification->arena, struct decided_formula);
    knowledge_decide(answer->known, verification->search, &answerer->expander,
                     answer->query->predicate, answerer->has_formulas ? &answerer->kept : NULL,
                     verification->arena);
    switch (answer->known->outcome) {
    case KNOWN_TRUE: answer->verdict = VERDICT_SATISFIED; break;
    case KNOWN_FALSE: answer->verdict = VERDICT_VIOLATED; break;
    case KNOWN_PROBLEM:
    case KNOWN_LIMIT:
        answer->problem = answer->known->problem;
        answer->problem_span = answer->known->span;
        break;
    case KNOWN_OPEN: break;
    }
    if (answer->verdict != VERDICT_UNKNOWN) trace_formula(answerer, answer);
}

static void answer_query(struct answerer *answerer, struct answer *answer,
                         const struct watch *watch) {
    *answer = (struct answer){.query = answer->query};
    assert(answer->query->quantifier != QUERY_EMPTY);
    if (watch->waits && answerer->verification->search->symmetry) return;
    set_deadline(answerer, false);
    switch (traits_of(answer)->family) {
    case FAMILY_NONE:
        answer->problem = answer->query->problem;
        answer->problem_span = answer->query->span;
        break;
    case FAMILY_REACHABILITY: answer_reachability(answerer, answer, watch); break;
    case FAMILY_LIVENESS:
        known_steps_close(&answerer->kept); /* its memory may be needed */
        answer_liveness(answerer, answer, watch);
        break;
    case FAMILY_BOUNDS: answer_bounds(answerer, answer, watch); break;
    case FAMILY_FORMULA: answer_formula(answerer, answer); break;
    }
    assert(!answer->problem || answer->verdict == VERDICT_UNKNOWN);
}

/* The first error of the search, or else of the liveness queries. */
static void report_error(struct answerer *answerer) {
    struct verification *verification = answerer->verification;
    const struct search *search = verification->search;
    const struct row_path *rest = &answerer->live.error_path;
    verification->has_error = search->first_error.is_found;
    verification->error = search->first_error.fault;
    verification->error_trace = NULL;
    if (!verification->has_error || !answerer->options->wants_traces) return;
    if (!answerer->live.has_found_error) {
        verification->error_trace = trace_to(answerer, search->first_error.row, true);
        return;
    }
    set_deadline(answerer, true);
    struct row_path path = rest->count ? path_from_start(answerer, rest) : *rest;
    verification->error_trace = trace_along(answerer, &path, true);
}

static uint32_t count_formulas(const struct verification *verification) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < verification->answer_count; i++)
        count += traits_of(&verification->answers[i])->family == FAMILY_FORMULA;
    return count;
}

/* False if a field turned out to be too narrow; nothing is answered then. */
static bool answer_all(struct answerer *answerer, const uint32_t *first_watch) {
    struct verification *verification = answerer->verification;
    struct search *search = verification->search;
    struct fair_marker marker;
    bool is_fair = fair_is_asked(&answerer->options->fair);
    if (is_fair)
        fair_marker_init(&marker, verification->arena, &verification->fair, search->program);
    expander_init(&answerer->expander, search->program);
    answerer->expander.max_size = search->options.max_size;
    liveness_init(&answerer->live, search, &answerer->expander, verification->arena);
    answerer->live.can_idle = answerer->options->semantics == SEMANTICS_UPPAAL;
    answerer->live.wants_runs = answerer->options->wants_traces;
    if (is_fair) answerer->live.fair = &marker;
    answerer->live.max_fair_steps = answerer->options->max_fair_steps;
    bool is_fine = true;
    verification->lacks_traces = false;
    answerer->has_formulas = count_formulas(verification) > 1;
    for (uint32_t i = 0; i < verification->answer_count && is_fine; i++) {
        answer_query(answerer, &verification->answers[i], &search->watches[first_watch[i]]);
        is_fine = !answerer->live.has_overflowed;
    }
    if (is_fine) report_error(answerer);
    known_steps_close(&answerer->kept);
    liveness_close(&answerer->live);
    return is_fine;
}

/* False if it has to be explored again. */
static bool search_is_answered(struct search *search, struct answerer *answerer,
                               const struct plan *plan) {
    bool is_answered = !search->orders_differ && answer_all(answerer, plan->first_watch);
    search->orders_differ |= answerer->expander.orders_differ;
    return is_answered;
}

bool verify_explicitly(struct verification *verification, const struct network *network,
                       const struct verify_options *options, const struct plan *plan) {
    struct search *search = verification->search;
    struct verify_options own = *options;
    struct answerer answerer = {.verification = verification, .options = &own};
    bool is_prepared =
        search_run(search, network, &options->search, plan->watches, plan->watch_count);
    while (is_prepared && !search->is_left && !search_is_answered(search, &answerer, plan)) {
        uint32_t slot = answerer.expander.machine.overflow_slot;
        int32_t value = answerer.expander.machine.overflow_value;
        if (answerer.expander.program) expander_close(&answerer.expander);
        answerer.expander.program = NULL;
        is_prepared = search->orders_differ ? search_certainly(search, network, &own, plan)
                                            : search_restart(search, slot, value);
    }
    if (!is_prepared) return false;
    if (search->is_left && !answerer.expander.program) return true;
    expander_close(&answerer.expander);
    verification->figures = figures_of(search, verification->arena);
    return true;
}

/* Meta variables */

/* Adds what the agents of a formula observe. */
static void add_observed(struct effects_table *table, struct effects *effects,
                         const struct network *network, const struct query *query) {
    struct agents agents;
    struct formulas formulas;
    agents_init(&agents, table->arena, network);
    bool is_made = formulas_make(&formulas, table->arena, &agents, query->predicate);
    for (uint32_t i = 0; i < agents.list.count && is_made; i++)
        for (uint32_t k = 0; k < agents.list.items[i]->items.count; k++)
            observed_effects(table, effects, network, &agents.list.items[i]->items.items[k]);
    agents_close(&agents);
}

static bool reads_meta(const struct network *network, const struct query *query) {
    struct effects_table table = network->effects;
    struct effects effects = {0};
    struct arena arena;
    bool reads = false;
    arena_init(&arena);
    table.arena = &arena;
    map_init(&table.functions, &arena);
    effects_add_expr(&table, &effects, query->predicate);
    for (uint32_t i = 0; i < query->expr_count; i++)
        effects_add_expr(&table, &effects, query->exprs[i]);
    if (query->quantifier == QUERY_FORMULA && network->persistent.count)
        add_observed(&table, &effects, network, query);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        reads |= symbol->kind == SYMBOL_VARIABLE && type_prefixes(symbol->type) & PREFIX_META;
    }
    arena_close(&arena);
    return reads;
}

/* Whether a verdict is the same whichever of equal states is found first; equal: NULL if that is
 * not known. */
static bool is_settled(const struct answer *answer, bool reads_meta, bool is_fair,
                       const struct equal_states *equal) {
    enum query_family family = traits_of(answer)->family;
    bool by_steps = is_fair || family == FAMILY_FORMULA;
    if (family == FAMILY_REACHABILITY && answer->verdict != verdict_found(answer)) return true;
    return equal && (by_steps ? equal->have_same_steps : equal->have_same_ends) &&
           (!reads_meta || equal->are_none);
}

/* Takes back what depends on the order in which states are found. */
static void settle(struct verification *verification, const struct network *network,
                   const struct verify_options *options, const struct equal_states *equal) {
    bool is_fair = fair_is_asked(&options->fair);
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        struct answer *answer = &verification->answers[i];
        bool reads = reads_meta(network, answer->query);
        if (answer->verdict == VERDICT_UNKNOWN || (!reads && !network->persistent.count) ||
            is_settled(answer, reads, is_fair, equal))
            continue;
        *answer = (struct answer){.query = answer->query};
        if (!equal && network->persistent.count) continue; /* a limit is the reason */
        answer->hangs = true;
        answer->problem_span = answer->query->span;
        answer->problem =
            network->persistent.count
                ? arena_printf(verification->arena,
                               "it depends on which of two states is found first that differ in "
                               "the meta variable '%s' alone",
                               network->persistent.items[0].symbol->name)
                : "it asks for a meta variable, which is not kept between steps";
    }
}

/* False at a limit. */
static bool count_equal(struct verification *verification, struct equal_states *equal) {
    struct search *search = verification->search;
    struct arena *arena = verification->arena;
    struct expander expander;
    expander_init(&expander, search->program);
    limit_expander(search, &expander, false);
    expander.max_size = search->options.max_size;
    bool is_known = equal_find(equal, search, &expander);
    expander_close(&expander);
    if (!is_known && search->limit == LIMIT_NONE) search->limit = equal->limit;
    if (!is_known || !equal->have_same_ends) return is_known;
    verification->figures = (struct figures){.states = exact_number(equal->states, arena),
                                             .transitions = exact_number(equal->transitions, arena),
                                             .deadlocks = exact_number(equal->deadlocks, arena),
                                             .errors = exact_number(equal->errors, arena)};
    return true;
}

static void settle_all(struct verification *verification, const struct network *network,
                       const struct verify_options *options) {
    struct equal_states equal;
    bool is_known = network->persistent.count && verification->search->is_complete &&
                    verification->search->program && count_equal(verification, &equal);
    settle(verification, network, options, is_known ? &equal : NULL);
}

static bool has_family(const struct query *queries, uint32_t count, enum query_family family) {
    bool has = false;
    for (uint32_t i = 0; i < count; i++)
        has |= query_traits(queries[i].quantifier)->family == family;
    return has;
}

/* Why queries cannot be answered as the options want it, or NULL. */
static const char *obstacle_of(const struct verify_options *options, bool has_formula,
                               bool has_persistent, bool is_mixed) {
    bool is_fair = fair_is_asked(&options->fair), is_symbolic = options->engine == ENGINE_SYMBOLIC;
    if (is_fair && has_formula)
        return "operators in each other and knowledge are answered without fairness; leave out "
               "--weak and --strong, or these queries";
    if (is_mixed && is_symbolic)
        return "mixed models are for the explicit engine; leave out --engine symbolic";
    if (is_mixed && has_persistent)
        return "meta variables that a step may read before it writes them are not followed in "
               "mixed "
               "models";
    if (is_fair && is_symbolic)
        return "fairness is for the explicit engine; leave out --engine symbolic";
    if (has_persistent && is_symbolic)
        return "meta variables that a step may read before it writes them are for the explicit "
               "engine; leave out --engine symbolic";
    return NULL;
}

/* Chooses an engine; false (reported) if options and queries do not go together. */
static bool choose_engine(struct verification *verification, const struct network *network,
                          const struct query *queries, uint32_t count,
                          const struct verify_options *options, struct plan *plan) {
    struct diag *diag = network->model->diag;
    bool has_formula = has_family(queries, count, FAMILY_FORMULA);
    bool is_fair = fair_is_asked(&options->fair);
    bool is_mixed = network->model->is_mixed;
    const char *obstacle = obstacle_of(options, has_formula, network->persistent.count, is_mixed);
    const char *unknown = fair_resolve(&verification->fair, verification->arena, network,
                                       &options->fair, &verification->constraint_count);
    if (obstacle) diag_error(diag, STATUS_UNSUPPORTED, 0, "%s", obstacle);
    if (unknown) diag_error(diag, STATUS_USAGE, 0, "%s", unknown);
    if (is_fair && !has_family(queries, count, FAMILY_LIVENESS))
        diag_warning(diag, 0,
                     "fairness matters to A<>, E[] and --> only, and there is no such "
                     "query");
    plan->is_by_states = is_fair || is_mixed;
    if (plan->is_by_states && !options->stop) verification->engine = ENGINE_EXPLICIT;
    return !obstacle && !unknown;
}

/* A process that a query names, and its place there. */
struct named_process {
    struct span span;
    const struct symbol *symbol; /* NULL until it is found */
};

static bool find_named(void *context, const struct expr *expr) {
    struct named_process *named = context;
    if (expr->kind == EXPR_CALL && expr->span.begin == named->span.begin &&
        expr->span.end == named->span.end)
        named->symbol = expr->symbol;
    return !named->symbol;
}

/* Says of queries about a process that there is not which ones there are. */
static void name_processes(struct verification *verification, const struct network *network) {
    const char *missing = fault_name(FAULT_PROCESS);
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        struct answer *answer = &verification->answers[i];
        if (!answer->problem || strcmp(answer->problem, missing) != 0) continue;
        struct named_process named = {.span = answer->problem_span};
        walk_query(answer->query, find_named, &named);
        const char *first = NULL, *last = NULL;
        for (uint32_t p = 0; p < network->process_count; p++) {
            if (!named.symbol || network->processes[p].symbol != named.symbol) continue;
            last = network->processes[p].name;
            if (!first) first = last;
        }
        if (first && first == last)
            answer->problem = arena_printf(verification->arena, "%s; there is %s", missing, first);
        else if (first)
            answer->problem =
                arena_printf(verification->arena, "%s; there are %s to %s", missing, first, last);
    }
}

bool verify(struct verification *verification, struct arena *arena, const struct network *network,
            const struct query *queries, uint32_t count, const struct verify_options *options) {
    *verification =
        (struct verification){.arena = arena, .answer_count = count, .engine = options->engine};
    verification->search = ARENA_NEW(arena, struct search);
    verification->answers = ARENA_ARRAY(arena, struct answer, count + 1);
    struct plan plan = {.watches = ARENA_ARRAY(arena, struct watch, (size_t)count * 2 + 1),
                        .first_watch = ARENA_ARRAY(arena, uint32_t, count + 1)};
    for (uint32_t i = 0; i < count; i++) {
        verification->answers[i].query = &queries[i];
        plan.first_watch[i] = plan.watch_count;
        plan.watch_count += add_watches(&plan.watches[plan.watch_count], &queries[i],
                                        fair_is_asked(&options->fair));
    }
    assert(plan.watch_count <= (uint64_t)count * 2 && options->engine <= ENGINE_AUTO);
    if (count && !plan.watch_count)
        plan.watches[plan.watch_count++].kind = WATCH_LATER; /* nothing to look for */
    if (!choose_engine(verification, network, queries, count, options, &plan)) return false;
    bool (*const engines[])(struct verification *, const struct network *,
                            const struct verify_options *,
                            const struct plan *) = {[ENGINE_EXPLICIT] = verify_explicitly,
                                                    [ENGINE_SYMBOLIC] = verify_symbolically,
                                                    [ENGINE_AUTO] = verify_in_turns};
    struct verify_options own = *options;
    own.search.is_full |= network->persistent.count > 0;
    struct symmetry_choice choice = {.verification = verification,
                                     .network = network,
                                     .queries = queries,
                                     .count = count,
                                     .plan = &plan,
                                     .waits = ARENA_ARRAY(arena, bool, count + 1),
                                     .are_together = options->stop || options->max_states_is_effort,
                                     .is_certain = options->tries_no_orders};
    choose_symmetry(&choice, &own);
    bool is_prepared = engines[verification->engine](verification, network, &own, &plan);
    if (own.search.find_symmetry && !verification->figures.has_orbits)
        verification->symmetry = NULL; /* it was of no use */
    struct search *search = verification->search;
    if (is_prepared && !search->is_left) settle_all(verification, network, options);
    name_processes(verification, network);
    if (is_prepared) is_prepared = verify_rest(&choice, options);
    search = verification->search;
    search->seconds = clock_seconds() - search->start;
    if (!verification->fair.problem) return is_prepared;
    diag_error(network->model->diag, verification->fair.problem_status,
               verification->fair.problem_at, "%s", verification->fair.problem);
    search->limit = LIMIT_NONE; /* there is nothing to be shown */
    return false;
}

/* Frees what was explored; answers stay in the arena given to verify. */
void verify_close(struct verification *verification) { search_close(verification->search); }
