/* Two searches, their graphs and the simulation between them. */
#include "explore/compare/certify.h"

#include "base/clock.h"

#include <assert.h>

enum {
    REFUTE_SECONDS = 1, /* and a tenth of those of the comparison */
    FIRST_PAUSE = 33000,
    FIRST_PART = 11, /* of a first look, if one is asked for */
    SETS_WORK = 8,   /* results for each state; to compare states takes longer than to find them */
    SETS_PART = 8    /* of the memory is for sets as long as both engines run */
};

/* Everything at hand while it runs. */
struct certifier {
    struct certification *result;
    struct arena *arena;
    const struct visible *visible;
    const struct certify_options *options;
    struct ledger ledger;
    struct graph graphs[SIDE_COUNT];
    struct simulation simulation;
    struct refutation *refutation; /* at hand */
    struct set_certifier sets;
    bool has_sets, is_given_up; /* sets */
    enum set_outcome found;     /* by sets; SET_MORE: nothing */
};

/* Sets */

static void begin_sets(struct certifier *certifier, size_t max_size) {
    const struct certify_options *options = certifier->options;
    certifier->sets = (struct set_certifier){.visible = certifier->visible,
                                             .mode = options->mode,
                                             .is_stuttering = options->is_stuttering,
                                             .options = options->search,
                                             .shuffle = options->shuffle,
                                             .deadline = certifier->ledger.deadline,
                                             .arena = certifier->arena};
    certifier->sets.options.max_size = max_size;
    certifier->has_sets = true;
}

static void end_sets(struct certifier *certifier) {
    if (certifier->has_sets) set_certifier_close(&certifier->sets);
    certifier->has_sets = false;
    certifier->is_given_up = true;
}

/* Memory of sets is not there for states. False if sets have shown that it holds. */
static bool take_turn(void *context, struct search *search, uint64_t states) {
    struct certifier *certifier = context;
    size_t max_size = search->options.max_size, part = max_size / SETS_PART;
    if (certifier->is_given_up) return true;
    if (!certifier->has_sets) begin_sets(certifier, part);
    certifier->found = set_certifier_run(&certifier->sets, states * SETS_WORK);
    if (certifier->found == SET_HOLDS) return false;
    if (certifier->found != SET_MORE) end_sets(certifier);
    if (max_size) search->store.size_limit = max_size - (certifier->has_sets ? part : 0);
    return true;
}

static void hold_by_sets(struct certifier *certifier) {
    struct certification *result = certifier->result;
    assert(certifier->has_sets); /* whose figures are taken */
    result->outcome = result->time = SIMULATION_HOLDS;
    result->engine = ENGINE_SYMBOLIC;
    for (int side = 0; side < SIDE_COUNT; side++)
        result->figures[side] = certifier->sets.figures[side];
    result->pairs = result->figures[SIDE_CONCRETE].states;
    certifier->ledger.peak += certifier->sets.peak_size;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (result->is_searched[side]) {
            certifier->ledger.peak += result->searches[side].peak_size;
            search_close(&result->searches[side]);
            result->searches[side] = (struct search){0};
            result->is_searched[side] = false;
        }
}

/* By sets alone; false (reported) if they are not for the models. */
static bool run_sets(struct certifier *certifier) {
    struct certification *result = certifier->result;
    begin_sets(certifier, certifier->options->search.max_size);
    certifier->found = set_certifier_run(&certifier->sets, 0);
    if (certifier->found == SET_STOPPED) {
        certifier->ledger.limit = certifier->sets.limit;
        certifier->ledger.peak = certifier->sets.peak_size;
        result->engine = ENGINE_SYMBOLIC;
    }
    if (certifier->found != SET_OPEN || !certifier->sets.is_refused) return true;
    diag_error(certifier->visible->networks[SIDE_CONCRETE]->model->diag, STATUS_UNSUPPORTED, 0,
               "--engine symbolic is not for these models: %s; use --engine explicit",
               certifier->sets.reason);
    return false;
}

/* States */

/* False if there is no program, but for a limit, which is noted. */
static bool explore(struct certifier *certifier, enum side side) {
    struct certification *result = certifier->result;
    struct ledger *ledger = &certifier->ledger;
    struct search *search = &result->searches[side];
    struct search_options options = certifier->options->search;
    assert(!result->is_searched[side]);
    if (ledger->deadline > 0) {
        options.max_seconds = ledger->deadline - clock_seconds();
        if (!ledger_has_time(ledger)) return true;
    }
    if (ledger->max_size) options.max_size = ledger_left(ledger);
    options.jobs = 1; /* the order of states decides which counterexample is found */
    options.is_full = true;
    if (certifier->options->engine == ENGINE_AUTO && !certifier->is_given_up) {
        options.pause = take_turn;
        options.pause_context = certifier;
        options.first_pause = options.first_look ? options.first_look * FIRST_PART : FIRST_PAUSE;
    }
    result->is_searched[side] = true;
    bool is_prepared = search_run(search, certifier->visible->networks[side], &options, NULL, 0);
    if (certifier->found == SET_HOLDS) return true;
    if (!is_prepared || ledger_fits(ledger, search->peak_size)) ledger->limit = search->limit;
    ledger->stores[side] = &search->store;
    return is_prepared || search->limit != LIMIT_NONE; /* met while edges were prepared */
}

/* Refutation */

/* Whether a row has no steps. Past a limit the expander is cut. */
static bool is_stuck(struct expander *expander, const struct search *search, uint32_t row,
                     uint64_t *state) {
    store_load(&search->store, row, state);
    expander_clear(expander);
    bool is_fine = expander_run(expander, state);
    assert(is_fine || expander_is_cut(expander));
    return is_fine && !expander_degree(expander);
}

/* The trace of a side along the duel, without its stutters; NULL past a limit. */
static struct trace *trace_side(struct certifier *certifier, const struct duel *duel,
                                enum side side, struct expander *expander) {
    struct refutation *refutation = certifier->refutation;
    const struct search *search = &certifier->result->searches[side];
    struct arena *arena = certifier->arena;
    bool is_mover = side == duel->mover && !duel->is_initial && !duel->is_timed;
    assert(duel->count); /* the pair of the initial states */
    uint64_t *state = layout_state(search->layout, arena);
    struct row_path path = {ARENA_ARRAY(arena, uint32_t, duel->count + 1), 0};
    refutation->at[side] = ARENA_ARRAY(arena, uint32_t, duel->count);
    for (uint32_t i = 0; i < duel->count; i++) {
        uint32_t row = duel->nodes[side][i];
        bool is_stutter =
            i && row == duel->nodes[side][i - 1] && is_stuck(expander, search, row, state);
        if (expander_is_cut(expander)) return NULL;
        if (!is_stutter) path.rows[path.count++] = row;
        assert(path.count); /* the first state is no stutter */
        refutation->at[side][i] = path.count - 1;
    }
    uint32_t last = duel->nodes[side][duel->count - 1];
    bool is_last_stuck = is_stuck(expander, search, last, state);
    if (expander_is_cut(expander)) return NULL;
    if (is_mover) {
        refutation->is_stutter = is_last_stuck;
        if (!is_last_stuck) path.rows[path.count++] = duel->target;
    } else {
        refutation->choices = expander_degree(expander);
        refutation->has_fault = expander->error_count > 0;
        refutation->fault = expander->first_error;
    }
    return trace_new(arena, search, expander, &path);
}

/* False past a limit. */
static bool refute_side(struct certifier *certifier, const struct duel *duel, enum side side) {
    struct ledger *ledger = &certifier->ledger;
    double seconds = certifier->options->search.max_seconds;
    struct expander expander;
    expander_init(&expander, certifier->result->searches[side].program);
    expander.max_size = ledger->max_size;
    expander.machine.grace = REFUTE_SECONDS;
    if (seconds > 0) expander.machine.deadline = ledger->deadline + REFUTE_SECONDS + seconds / 10;
    struct trace *trace = trace_side(certifier, duel, side, &expander);
    certifier->refutation->traces[side] = trace;
    if (!trace) ledger->limit = expander_limit(&expander);
    expander_close(&expander);
    return trace != NULL;
}

/* NULL past a limit. */
static struct refutation *refute(struct certifier *certifier) {
    assert(certifier->simulation.pairs[0].died);
    struct duel duel;
    struct refutation *refutation = ARENA_NEW(certifier->arena, struct refutation);
    simulation_refute(&certifier->simulation, &duel, certifier->arena);
    certifier->refutation = refutation;
    *refutation = (struct refutation){.count = duel.count,
                                      .steps = duel.steps,
                                      .is_initial = duel.is_initial,
                                      .is_timed = duel.is_timed,
                                      .mover = duel.mover};
    bool is_done = refute_side(certifier, &duel, SIDE_CONCRETE) &&
                   refute_side(certifier, &duel, SIDE_ABSTRACT);
    return is_done ? refutation : NULL;
}

/* The comparison */

static void compare_time(struct certifier *certifier) {
    struct certification *result = certifier->result;
    result->time = simulation_run_timed(&certifier->simulation);
    if (result->time == SIMULATION_FAILS) result->time_refutation = refute(certifier);
}

static void compare(struct certifier *certifier) {
    struct certification *result = certifier->result;
    const struct certify_options *options = certifier->options;
    const struct search *searches[SIDE_COUNT] = {&result->searches[SIDE_CONCRETE],
                                                 &result->searches[SIDE_ABSTRACT]};
    struct arena arena;
    struct view view;
    assert(certifier->ledger.limit == LIMIT_NONE); /* all states are there */
    arena_init(&arena);
    view_init(&view, &arena, certifier->visible, searches[SIDE_CONCRETE]->layout,
              searches[SIDE_ABSTRACT]->layout);
    simulation_init(&certifier->simulation, certifier->graphs, options->mode, &certifier->ledger);
    certifier->simulation.progress = options->progress;
    certifier->simulation.context = options->search.context;
    if (graphs_init(certifier->graphs, &view, searches, options->is_stuttering, &certifier->ledger))
        result->outcome = simulation_run(&certifier->simulation);
    result->pairs = exact_number(certifier->simulation.pair_count, certifier->arena);
    assert(certifier->simulation.dead_count <= certifier->simulation.pair_count);
    if (result->outcome == SIMULATION_FAILS) result->refutation = refute(certifier);
    if (result->outcome == SIMULATION_HOLDS) compare_time(certifier);
    simulation_close(&certifier->simulation);
    if (options->observes && result->outcome != SIMULATION_UNKNOWN)
        compare_observers(&result->observers, certifier->arena, result->searches,
                          certifier->graphs);
    for (int side = 0; side < SIDE_COUNT; side++)
        graph_close(&certifier->graphs[side], &certifier->ledger);
    arena_close(&arena);
}

/* State by state, unless sets show meanwhile that it holds. Where sets have shown that it fails,
 * that is so even if a limit is in the way of a counterexample. */
static bool run_states(struct certifier *certifier) {
    struct certification *result = certifier->result;
    struct ledger *ledger = &certifier->ledger;
    for (int side = 0; side < SIDE_COUNT && ledger->limit == LIMIT_NONE; side++) {
        if (!explore(certifier, (enum side)side)) return false;
        if (certifier->found == SET_HOLDS) return true;
    }
    result->pairs = exact_number(0, certifier->arena);
    for (int side = 0; side < SIDE_COUNT; side++)
        result->figures[side] = figures_of(&result->searches[side], certifier->arena);
    end_sets(certifier);
    if (ledger->limit == LIMIT_NONE) compare(certifier);
    if (certifier->found != SET_FAILS) return true;
    assert(result->outcome != SIMULATION_HOLDS);
    result->outcome = SIMULATION_FAILS;
    return true;
}

static bool run(struct certifier *certifier) {
    const struct certify_options *options = certifier->options;
    struct diag *diag = certifier->visible->networks[SIDE_CONCRETE]->model->diag;
    bool is_symbolic = options->engine == ENGINE_SYMBOLIC;
    certifier->is_given_up = options->observes || options->search.max_states;
    if (is_symbolic && options->observes) {
        diag_error(diag, STATUS_UNSUPPORTED, 0,
                   "--observe is for the explicit engine; leave out --engine symbolic");
        return false;
    }
    if (is_symbolic && !run_sets(certifier)) return false;
    if (certifier->found == SET_HOLDS || certifier->found == SET_STOPPED) return true;
    if (is_symbolic) end_sets(certifier);
    return run_states(certifier);
}

/* False (reported) if a model cannot be explored; limits are outcomes. Close it either way. */
bool certify(struct certification *certification, struct arena *arena,
             const struct visible *visible, const struct certify_options *options) {
    struct certifier certifier = {.result = certification,
                                  .arena = arena,
                                  .visible = visible,
                                  .options = options,
                                  .found = SET_MORE};
    struct ledger *ledger = &certifier.ledger;
    double start = clock_seconds();
    *certification = (struct certification){.outcome = SIMULATION_UNKNOWN};
    ledger->max_size = options->search.max_size;
    if (options->search.max_seconds > 0) ledger->deadline = start + options->search.max_seconds;
    bool is_done = run(&certifier);
    if (certifier.found == SET_HOLDS) hold_by_sets(&certifier);
    end_sets(&certifier);
    certification->limit = ledger->limit;
    certification->peak_size = ledger->peak;
    certification->seconds = clock_seconds() - start;
    return is_done;
}

/* Frees both searches, of which the refutation holds states. */
void certify_close(struct certification *certification) {
    for (int side = 0; side < SIDE_COUNT; side++)
        if (certification->is_searched[side]) search_close(&certification->searches[side]);
}
