/* Two searches, their graphs and the simulation between them. */
#include "explore/compare/certify_internal.h"

#include "base/clock.h"
#include "explore/space/breadth.h"
#include "explore/visible/images.h"

#include <assert.h>
#include <string.h>

enum {
    FIRST_PAUSE = 33000,
    FIRST_PART = 11,     /* of a first look, if one is asked for */
    FEW_STATES = 100000, /* which are soon compared */
    SETS_WORK = 4,       /* results for each of them, which take longer to compare than to find */
    MORE_WORK = 6,       /* for each state after them */
    SETS_PART = 8        /* of the memory is for sets as long as both engines run */
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

/* States that are visited before sets take their first turn. */
static uint64_t first_pause(const struct search_options *options) {
    return options->first_look ? options->first_look * FIRST_PART : FIRST_PAUSE;
}

static uint64_t work_for(uint64_t effort) {
    uint64_t few = effort < FEW_STATES ? effort : FEW_STATES;
    return few * SETS_WORK + (effort - few) * MORE_WORK;
}

/* Why it fails, or that time differs, as sets found it; where a limit is in the way, it is left to
 * states. */
static void show_by_sets(struct certifier *certifier) {
    const struct set_certifier *sets = &certifier->sets;
    enum search_limit limit = certifier->ledger.limit;
    if (sets->has_duel)
        certifier->shown = certify_refute_by(certifier, &sets->duel, sets->searches);
    certifier->ledger.limit = limit;
}

/* Whether sets have answered. */
static bool is_answered(const struct certifier *certifier) {
    return certifier->found == SET_HOLDS || certifier->shown;
}

/* Memory of sets is not there for states. False if sets have answered. */
static bool take_turn(void *context, struct search *search, uint64_t states) {
    struct certifier *certifier = context;
    size_t max_size = search->options.max_size, part = max_size / SETS_PART;
    uint64_t effort = search_effort(search, states);
    if (certifier->is_given_up || effort < first_pause(&search->options)) return true;
    if (!certifier->has_sets) begin_sets(certifier, part);
    certifier->found = set_certifier_run(&certifier->sets, work_for(effort));
    show_by_sets(certifier);
    if (is_answered(certifier)) return false;
    if (certifier->found != SET_MORE) end_sets(certifier);
    if (max_size) search->store.size_limit = max_size - (certifier->has_sets ? part : 0);
    return true;
}

/* The figures are those of sets. */
static void answer_by_sets(struct certifier *certifier, enum simulation_outcome outcome,
                           enum simulation_outcome time) {
    struct certification *result = certifier->result;
    assert(certifier->sets.figures[SIDE_CONCRETE].states.is_known);
    result->outcome = outcome;
    result->time = time;
    result->silence = certifier->sets.silence;
    result->is_silence_known = outcome == SIMULATION_HOLDS && certifier->visible->is_gone;
    result->engine = ENGINE_SYMBOLIC;
    result->joint = NULL;
    for (int side = 0; side < SIDE_COUNT; side++) {
        result->figures[side] = certifier->sets.figures[side];
        result->faults[side] = certifier->sets.faults[side];
    }
    result->pairs = certifier->sets.pairs.is_known ? certifier->sets.pairs
                                                   : result->figures[SIDE_CONCRETE].states;
    certifier->ledger.peak += certifier->sets.peak_size;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (result->is_searched[side]) {
            certifier->ledger.peak += result->searches[side].peak_size;
            search_close(&result->searches[side]);
            result->searches[side] = (struct search){0};
            result->is_searched[side] = false;
        }
}

/* What sets have found, and why. */
static void take_answer(struct certifier *certifier) {
    struct certification *result = certifier->result;
    bool has_failed = certifier->found == SET_FAILS;
    enum simulation_outcome no = SIMULATION_FAILS, yes = SIMULATION_HOLDS;
    answer_by_sets(certifier, has_failed ? no : yes,
                   has_failed         ? SIMULATION_UNKNOWN
                   : certifier->shown ? no
                                      : yes);
    if (has_failed)
        result->refutation = certifier->shown;
    else
        result->time_refutation = certifier->shown;
}

/* By sets alone; false (reported) if they are not for the models. */
static bool run_sets(struct certifier *certifier) {
    struct certification *result = certifier->result;
    begin_sets(certifier, certifier->options->search.max_size);
    certifier->found = set_certifier_run(&certifier->sets, 0);
    show_by_sets(certifier);
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

/* Joint permutations */

static const struct symmetry not_for_agents = {
    .size = 1, .refusal = "agents are compared, which may see single processes"};

static const struct symmetry not_where_some_are_gone = {
    .size = 1, .refusal = "the abstract model lacks processes"};

static const struct joint_symmetry *find_joint(struct certifier *certifier, uint64_t most_text) {
    certifier->joint = joint_symmetry_find(certifier->arena, certifier->visible, most_text);
    certifier->result->joint = certifier->joint->both;
    return certifier->joint;
}

/* As the concrete model sees them, after a first look. */
static const struct symmetry *find_symmetry(void *context) {
    return find_joint(context, SYMMETRY_QUICK_LOOK)->of[SIDE_CONCRETE];
}

/* The abstract model is explored as the concrete one was. */
static void choose_symmetry(struct certifier *certifier, enum side side,
                            struct search_options *options) {
    enum symmetry_use use = certifier->options->symmetry;
    options->symmetry = NULL;
    options->find_symmetry = NULL;
    options->symmetry_context = certifier;
    options->symmetry_waits = false;
    if (use == SYMMETRY_OFF || certifier->is_plain) return;
    bool is_any_gone = certifier->visible->is_gone != NULL;
    if (certifier->options->observes || is_any_gone) {
        if (use == SYMMETRY_REPORT)
            certifier->result->joint = is_any_gone ? &not_where_some_are_gone : &not_for_agents;
        return;
    }
    if (side == SIDE_ABSTRACT) {
        if (certifier->uses_orbits) options->symmetry = certifier->joint->of[side];
    } else if (use == SYMMETRY_AUTO) {
        options->find_symmetry = find_symmetry;
    } else if (find_joint(certifier, SYMMETRY_LONG_LOOK)->both->block_count) {
        options->symmetry = certifier->joint->of[side];
    }
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
    choose_symmetry(certifier, side, &options);
    if (certifier->options->engine == ENGINE_AUTO && !certifier->is_given_up) {
        options.pause = take_turn;
        options.pause_context = certifier;
        options.first_pause = first_pause(&options) / ORBIT_EFFORT;
    }
    result->is_searched[side] = true;
    bool is_prepared = search_run(search, certifier->visible->networks[side], &options, NULL, 0);
    if (is_answered(certifier)) return true;
    if (!is_prepared || ledger_fits(ledger, search->peak_size)) ledger->limit = search->limit;
    ledger->stores[side] = &search->store;
    if (side == SIDE_CONCRETE) certifier->uses_orbits = search->symmetry != NULL;
    if (!certifier->uses_orbits && certifier->options->symmetry == SYMMETRY_AUTO)
        result->joint = NULL;                          /* it was of no use */
    return is_prepared || search->limit != LIMIT_NONE; /* met while edges were prepared */
}

/* The comparison */

static void compare_time(struct certifier *certifier) {
    struct certification *result = certifier->result;
    result->time = simulation_run_timed(&certifier->simulation);
    if (result->time == SIMULATION_FAILS) result->time_refutation = certify_refute(certifier);
}

/* Graphs of all states, the concrete one without its steps if images show that it holds; false at
 * a limit. */
static bool open_graphs(struct certifier *certifier, const struct view *view,
                        const struct search *const searches[SIDE_COUNT]) {
    const struct certify_options *options = certifier->options;
    const bool *is_gone = certifier->visible->is_gone;
    bool is_stuttering = options->is_stuttering;
    struct graph *graphs = certifier->graphs;
    struct classifier classifier;
    struct images images = {
        .graphs = graphs,
        .classifier = &classifier,
        .moves = {options->mode != SIMULATE_MUST, options->mode != SIMULATE_MAY},
        .is_stuttering = is_stuttering,
        .progress = options->progress,
        .context = options->search.context};
    bool is_fine =
        graphs_classify(&classifier, graphs, view, searches, is_gone, &certifier->ledger) &&
        graph_link(&graphs[SIDE_ABSTRACT], is_stuttering, &certifier->ledger);
    if (is_fine && !is_gone && !options->observes) certifier->has_images = images_hold(&images);
    certifier->image_count = images.pair_count;
    classifier_close(&classifier);
    return is_fine && (certifier->has_images ||
                       graph_link(&graphs[SIDE_CONCRETE], is_stuttering, &certifier->ledger));
}

/* Graphs, or orbits of pairs; false at a limit. Close them either way. */
static bool open_pairs(struct certifier *certifier, const struct view *view) {
    const struct search *searches[SIDE_COUNT] = {&certifier->result->searches[SIDE_CONCRETE],
                                                 &certifier->result->searches[SIDE_ABSTRACT]};
    if (!certifier->uses_orbits) return open_graphs(certifier, view, searches);
    return pair_orbits_init(&certifier->orbits, certifier->joint, view, searches,
                            certifier->options->is_stuttering, &certifier->ledger);
}

/* How many pairs were compared, and what they stand for. */
static void count_pairs(struct certifier *certifier) {
    struct certification *result = certifier->result;
    const struct simulation *simulation = &certifier->simulation;
    uint64_t pairs = certifier->has_images ? certifier->image_count : simulation->pair_count;
    assert(simulation->dead_count <= simulation->pair_count);
    if (certifier->uses_orbits) {
        bool is_known = pair_orbits_size(&certifier->orbits, &pairs);
        result->has_orbits = true;
        result->orbits = simulation->pair_count;
        result->are_orbits_exact = !certifier->orbits.work.is_cut;
        if (!is_known) result->pairs = (struct exact){.is_known = false};
        if (!is_known) return;
    }
    result->pairs = exact_number(pairs, certifier->arena);
}

static void close_pairs(struct certifier *certifier) {
    if (certifier->uses_orbits) pair_orbits_close(&certifier->orbits);
    for (int side = 0; side < SIDE_COUNT && !certifier->uses_orbits; side++)
        graph_close(&certifier->graphs[side], &certifier->ledger);
}

static void compare(struct certifier *certifier) {
    struct certification *result = certifier->result;
    const struct certify_options *options = certifier->options;
    struct simulation *simulation = &certifier->simulation;
    struct arena arena;
    struct view view;
    assert(certifier->ledger.limit == LIMIT_NONE); /* all states are there */
    arena_init(&arena);
    view_init(&view, &arena, certifier->visible, result->searches[SIDE_CONCRETE].layout,
              result->searches[SIDE_ABSTRACT].layout);
    simulation_init(simulation, certifier->uses_orbits ? NULL : certifier->graphs,
                    certifier->uses_orbits ? &certifier->orbits : NULL, options->mode,
                    &certifier->ledger);
    simulation->progress = options->progress;
    simulation->context = options->search.context;
    bool is_open = open_pairs(certifier, &view);
    if (certifier->has_images)
        result->outcome = result->time = SIMULATION_HOLDS;
    else if (is_open)
        result->outcome = simulation_run(simulation);
    if (result->outcome == SIMULATION_FAILS) result->refutation = certify_refute(certifier);
    if (result->outcome == SIMULATION_HOLDS && !certifier->has_images) compare_time(certifier);
    if (result->outcome == SIMULATION_HOLDS && certifier->visible->is_gone)
        result->is_silence_known = graph_find_silence(&certifier->graphs[SIDE_CONCRETE],
                                                      &result->silence, &certifier->ledger);
    count_pairs(certifier);
    simulation_close(simulation);
    if (options->observes && result->outcome != SIMULATION_UNKNOWN)
        compare_observers(&result->observers, certifier->arena, result->searches,
                          certifier->graphs);
    close_pairs(certifier);
    arena_close(&arena);
}

/* False (reported) if a model cannot be explored. */
static bool explore_both(struct certifier *certifier) {
    struct ledger *ledger = &certifier->ledger;
    for (int side = 0; side < SIDE_COUNT && ledger->limit == LIMIT_NONE; side++) {
        if (!explore(certifier, (enum side)side)) return false;
        if (is_answered(certifier)) return true;
    }
    return true;
}

/* Without orbits: where one has several pairs, those of a run may not be found in it again. */
static bool explore_again(struct certifier *certifier) {
    struct certification *result = certifier->result;
    for (int side = 0; side < SIDE_COUNT; side++) {
        search_close(&result->searches[side]);
        result->searches[side] = (struct search){0};
        result->is_searched[side] = false;
        certifier->ledger.stores[side] = NULL;
    }
    certifier->is_plain = true;
    certifier->uses_orbits = result->has_orbits = false;
    result->outcome = result->time = SIMULATION_UNKNOWN;
    result->joint = NULL;
    return explore_both(certifier);
}

/* State by state, unless sets show meanwhile that it holds. Where sets have shown that it fails, or
 * that only time differs, that is so even if a limit is in the way of a run to it. */
static bool run_states(struct certifier *certifier) {
    struct certification *result = certifier->result;
    struct ledger *ledger = &certifier->ledger;
    if (!explore_both(certifier)) return false;
    if (is_answered(certifier)) return true;
    result->pairs = exact_number(0, certifier->arena);
    end_sets(certifier);
    if (ledger->limit == LIMIT_NONE) compare(certifier);
    bool has_failed = result->outcome == SIMULATION_FAILS || certifier->sets.has_failed;
    const struct set_certifier *sets = &certifier->sets;
    if (certifier->owes_run) {
        if (!explore_again(certifier)) return false;
        if (ledger->limit == LIMIT_NONE) compare(certifier);
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        result->figures[side] = figures_of(&result->searches[side], certifier->arena);
        result->faults[side] = result->searches[side].first_error.fault;
    }
    assert(!has_failed || result->outcome != SIMULATION_HOLDS);
    if (has_failed) result->outcome = SIMULATION_FAILS;
    assert(!sets->has_steps || !has_failed);
    assert(!sets->has_other_time || result->time != SIMULATION_HOLDS);
    enum simulation_outcome time = sets->has_other_time ? SIMULATION_FAILS : result->time;
    if (sets->has_steps && result->outcome == SIMULATION_UNKNOWN)
        answer_by_sets(certifier, SIMULATION_HOLDS, time);
    result->time = time;
    return true;
}

static bool run(struct certifier *certifier) {
    const struct certify_options *options = certifier->options;
    struct diag *diag = certifier->visible->networks[SIDE_CONCRETE]->model->diag;
    bool is_symbolic = options->engine == ENGINE_SYMBOLIC;
    certifier->is_given_up = options->observes || options->search.max_states ||
                             (options->symmetry == SYMMETRY_REPORT && !is_symbolic);
    if (is_symbolic && options->observes) {
        diag_error(diag, STATUS_UNSUPPORTED, 0,
                   "--observe is for the explicit engine; leave out --engine symbolic");
        return false;
    }
    if (is_symbolic && !run_sets(certifier)) return false;
    if (is_answered(certifier) || certifier->found == SET_STOPPED) return true;
    if (is_symbolic) certifier->result->reason = certifier->sets.reason;
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
    assert(!options->is_stuttering || options->mode != SIMULATE_EXACT);
    *certification = (struct certification){.outcome = SIMULATION_UNKNOWN};
    ledger->max_size = options->search.max_size;
    if (options->search.max_seconds > 0) ledger->deadline = start + options->search.max_seconds;
    bool is_done = run(&certifier);
    if (is_answered(&certifier)) take_answer(&certifier);
    end_sets(&certifier);
    certification->limit = ledger->limit;
    certification->peak_size = ledger->peak;
    certification->seconds = clock_seconds() - start;
    return is_done;
}

/* Frees both searches. */
void certify_close(struct certification *certification) {
    for (int side = 0; side < SIDE_COUNT; side++)
        if (certification->is_searched[side]) search_close(&certification->searches[side]);
}
