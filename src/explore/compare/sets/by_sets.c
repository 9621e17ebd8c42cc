#include "explore/compare/sets/by_sets.h"

#include "base/clock.h"
#include "explore/compare/sets/refute_sets.h"
#include "explore/compare/sets/steps_abstract.h"
#include "explore/compare/sets/steps_concrete.h"
#include "explore/symbolic/facts.h"
#include "explore/symbolic/may_idle_sets.h"

#include <assert.h>

enum {
    COMPARE_FACTOR = 4, /* to compare steps may cost so many times what is given to explore */
    MOST_PAIRS_WORK = 1 << 24, /* results, where all pairs are compared */
    LEAST_RUN_WORK = 1 << 24,  /* to find a run; else */
    RUN_FACTOR = 4             /* so many times what the verdict has cost */
};

/* The state of the comparison. */
struct set_comparison {
    struct set_certifier *certifier;
    struct reach *reaches[SIDE_COUNT];
    struct ldd *ldd; /* of the concrete one */
    struct state_map map;
    struct vector_system systems[SIDE_COUNT];
    struct abstract_steps steps;
    struct expander expander;  /* of the abstract model */
    bool is_free;              /* all pairs are compared */
    bool is_open_to_pairs;     /* left open, but pairs may show it */
    bool is_bound;             /* by the work that pairs may cost */
    uint64_t most;             /* that it may cost else; 0 = any */
    struct set_layers *layers; /* or NULL: get what is left of pairs */
    /* Held: pairs before time is compared, and of mapped states, those in which it differs */
    uint32_t whole, mistimed;
};

static enum set_outcome leave_open(struct set_certifier *certifier, const char *reason) {
    certifier->reason = reason;
    return SET_OPEN;
}

static enum set_outcome refuse(struct set_certifier *certifier, const char *reason) {
    certifier->is_refused = true;
    return leave_open(certifier, reason);
}

/* Exploration of one model */

static bool prepare(struct set_certifier *certifier, enum side side) {
    const struct network *network = certifier->visible->networks[side];
    assert(!certifier->is_prepared[side] && !certifier->is_open[side]);
    struct search_options options = certifier->options;
    diag_init(&certifier->diag, certifier->arena, &network->model->document->source);
    options.diag = &certifier->diag; /* the other engine says what is wrong */
    options.jobs = 1;
    options.is_full = true;
    options.max_states = 0;
    options.pause = NULL;
    certifier->is_prepared[side] = true;
    return search_prepare(&certifier->searches[side], network, &options, NULL, 0);
}

/* Nodes of both models, so far. */
static void tell_progress(void *context) {
    struct set_certifier *certifier = context;
    const struct search_options *options = &certifier->options;
    double now = options->progress ? clock_seconds() : 0;
    if (!options->progress || now < certifier->next_progress) return;
    certifier->next_progress = now + 1;
    struct search_figures figures = {.seconds = now - certifier->start};
    for (int side = 0; side < SIDE_COUNT; side++) {
        size_t size = 0;
        if (!certifier->is_open[side]) continue;
        figures.nodes += symbolic_nodes(&certifier->symbolics[side], &size);
        figures.size += size;
    }
    if (figures.nodes) options->progress(options->context, &figures);
}

static struct ldd_limits limits_of(struct set_certifier *certifier) {
    return (struct ldd_limits){.max_size = certifier->options.max_size,
                               .deadline = certifier->deadline,
                               .look = tell_progress,
                               .context = certifier};
}

static void close_symbolic(struct set_certifier *certifier, enum side side) {
    if (certifier->is_open[side]) symbolic_close(&certifier->symbolics[side]);
    certifier->is_open[side] = false;
}

/* Fields that were too narrow are made wider. */
static bool widen(struct set_certifier *certifier, enum side side) {
    struct search *search = &certifier->searches[side];
    const struct symbolic *symbolic = &certifier->symbolics[side];
    assert(symbolic->overflow_count);
    for (uint32_t i = 0; i < symbolic->overflow_count; i++)
        search_widen(search, symbolic->overflows[i].slot, symbolic->overflows[i].value);
    close_symbolic(certifier, side);
    return search_prepare_again(search);
}

/* SET_HOLDS once all states are there. */
static enum set_outcome explore(struct set_certifier *certifier, enum side side, uint64_t most) {
    struct symbolic *symbolic = &certifier->symbolics[side];
    enum symbolic_end end;
    if (certifier->is_done[side]) return SET_HOLDS;
    if (!certifier->is_prepared[side] && !prepare(certifier, side))
        return refuse(certifier, "it cannot be prepared");
    for (;;) {
        if (!certifier->is_open[side]) {
            const char *problem =
                symbolic_init(symbolic, &certifier->searches[side], limits_of(certifier),
                              certifier->shuffle, false, NULL);
            certifier->is_open[side] = true;
            if (problem) return refuse(certifier, problem);
        }
        if (!symbolic_run(symbolic, most, &end)) return SET_MORE;
        assert(end != SYMBOLIC_FORKED);
        if (end == SYMBOLIC_DONE) break;
        certifier->limit = symbolic->limit;
        if (end == SYMBOLIC_LIMIT || !widen(certifier, side)) return SET_STOPPED;
    }
    certifier->is_done[side] = true;
    return SET_HOLDS;
}

/* Figures */

/* The states without a step; what they are is counted once. */
static uint32_t count_side(struct set_certifier *certifier, enum side side) {
    assert(certifier->is_done[side] && certifier->is_open[side]);
    struct figures *figures = &certifier->figures[side];
    struct reach *reach = certifier->symbolics[side].reach;
    uint32_t deadlocks = reach_deadlocks(reach);
    if (figures->states.is_known || ldd_is_over(&reach->ldd)) return deadlocks;
    reach_count(reach, deadlocks, figures, certifier->arena);
    return deadlocks;
}

/* What fails in a state that has a step which does, if there is one; false if that is not known. */
static bool find_fault(struct set_certifier *certifier, enum side side) {
    struct reach *reach = certifier->symbolics[side].reach;
    struct expander expander;
    if (!certifier->figures[side].errors.value) return true;
    uint64_t *words = layout_state(reach->program->layout, certifier->arena);
    reach_least(reach, reach_errors(reach), words);
    if (ldd_is_over(&reach->ldd)) return false;
    expander_init(&expander, reach->program);
    expander.machine.deadline = certifier->deadline;
    expander.max_size = certifier->options.max_size;
    bool is_fine = expander_run(&expander, words);
    assert(!is_fine || expander.error_count);
    certifier->faults[side] = expander.first_error;
    expander_close(&expander);
    return is_fine;
}

/* The comparison */

/* Leaves it to pairs. */
static enum set_outcome leave_to_pairs(struct set_comparison *comparison, const char *reason) {
    comparison->is_open_to_pairs = !comparison->certifier->visible->is_gone;
    return leave_open(comparison->certifier, reason);
}

/* Where states are mapped by a guess, what is not followed says nothing. */
static enum set_outcome fail(struct set_comparison *comparison) {
    if (!comparison->map.has_guesses) return SET_FAILS;
    return leave_to_pairs(comparison, "a step is not followed where a value is guessed");
}

/* Whether the pair of initial states is left once steps are followed from pairs to pairs. */
static enum set_outcome compare_pairs(struct set_comparison *comparison, struct follow *follow) {
    enum simulation_mode mode = comparison->certifier->mode;
    const bool moves[SIDE_COUNT] = {mode != SIMULATE_MUST, mode != SIMULATE_MAY};
    uint64_t *words[SIDE_COUNT];
    uint32_t *initial =
        ARENA_ARRAY(comparison->map.arena, uint32_t, comparison->map.level_count + 1);
    for (int side = 0; side < SIDE_COUNT; side++)
        words[side] = comparison->reaches[side]->program->layout->initial;
    state_map_pair(&comparison->map, words, initial);
    follow->layers = comparison->layers;
    if (!follow_pairs(follow, comparison->systems, moves, initial))
        return leave_open(comparison->certifier, "there are too many different steps");
    return set_has(comparison->ldd, follow->states, initial, follow->level_count) ? SET_HOLDS
                                                                                  : SET_FAILS;
}

/* Begins with the current pairs, without some. */
static void start_pairs(struct set_comparison *comparison, struct follow *follow,
                        uint32_t without) {
    struct set_layers *layers = comparison->layers;
    if (layers) set_layers_add(layers, follow->states);
    follow->states = set_minus(comparison->ldd, follow->states, without);
    if (layers) set_layers_add(layers, follow->states);
}

static enum set_outcome compare_steps(struct set_comparison *comparison, struct follow *follow) {
    struct set_certifier *certifier = comparison->certifier;
    const struct vector_system *concrete = &comparison->systems[SIDE_CONCRETE];
    const struct vector_system *abstract = &comparison->systems[SIDE_ABSTRACT];
    bool is_may = certifier->mode != SIMULATE_MUST, is_must = certifier->mode != SIMULATE_MAY;
    bool has_lost = comparison->steps.has_lost;
    if (comparison->is_free) {
        start_pairs(comparison, follow, is_must ? comparison->steps.lost : LDD_NONE);
        return compare_pairs(comparison, follow);
    }
    if (is_may && !follow_all(follow, concrete, abstract)) return fail(comparison);
    if (!is_must) return SET_HOLDS;
    if (has_lost && !is_may)
        return leave_to_pairs(comparison, "some values do not fit the other model");
    if (!has_lost && follow_all(follow, abstract, concrete)) return SET_HOLDS;
    return is_may ? fail(comparison)
                  : leave_to_pairs(comparison,
                                   "a step is not followed from the pairs that are compared");
}

/* Where time may pass for ever, by side; false if that is not known. */
static bool find_idle(struct set_comparison *comparison, uint32_t idle[SIDE_COUNT]) {
    struct decider decider = {.reach = comparison->reaches[SIDE_CONCRETE]};
    if (!may_idle_states(&decider, &idle[SIDE_CONCRETE])) return false;
    idle[SIDE_CONCRETE] = state_map_set(&comparison->map, idle[SIDE_CONCRETE]);
    return steps_abstract_idle(&comparison->steps, &idle[SIDE_ABSTRACT]);
}

/* Of pairs: whether it does in those from which steps are followed to such pairs. */
static enum set_outcome compare_time_of_pairs(struct set_comparison *comparison,
                                              struct follow *follow,
                                              const uint32_t idle[SIDE_COUNT]) {
    struct set_certifier *certifier = comparison->certifier;
    struct ldd *ldd = comparison->ldd;
    uint32_t mistimed = LDD_NONE;
    for (int side = 0; side < SIDE_COUNT; side++) {
        uint32_t only = set_minus(ldd, idle[side], idle[other_side((enum side)side)]);
        if (certifier->mode != (side ? SIMULATE_MAY : SIMULATE_MUST))
            mistimed = set_union(ldd, mistimed, only);
    }
    start_pairs(comparison, follow, mistimed);
    enum set_outcome outcome = compare_pairs(comparison, follow);
    if (outcome != SET_FAILS) return outcome;
    certifier->has_other_time = true;
    return leave_open(certifier, "time may pass in one model only");
}

/* After steps that are followed: whether time may pass in a pair where it may in a state of a side
 * that moves. There may be other pairs where there are guesses, and for must alone. */
static enum set_outcome compare_time(struct set_comparison *comparison, struct follow *follow) {
    struct set_certifier *certifier = comparison->certifier;
    uint32_t idle[SIDE_COUNT];
    bool is_alike = visible_agrees(comparison->certifier->visible, stops_time);
    for (int side = 0; side < SIDE_COUNT; side++)
        is_alike &= !comparison->reaches[side]->program->urgent.count;
    if (is_alike) return SET_HOLDS;
    certifier->has_steps = true;
    if (!find_idle(comparison, idle))
        return leave_open(certifier, "guards on urgent channels are too complex");
    if (comparison->is_free) return compare_time_of_pairs(comparison, follow, idle);
    bool is_may = certifier->mode != SIMULATE_MUST, is_must = certifier->mode != SIMULATE_MAY;
    uint32_t left = LDD_NONE;
    if (is_may) left = set_minus(comparison->ldd, idle[SIDE_CONCRETE], idle[SIDE_ABSTRACT]);
    if (is_must)
        left = set_union(comparison->ldd, left,
                         set_minus(comparison->ldd, idle[SIDE_ABSTRACT], idle[SIDE_CONCRETE]));
    if (left == LDD_NONE) return SET_HOLDS;
    comparison->mistimed = left;
    ldd_hold(comparison->ldd, left);
    certifier->has_other_time = is_may && !comparison->map.has_guesses;
    if (certifier->has_other_time) return leave_open(certifier, "time may pass in one model only");
    return leave_to_pairs(comparison, "time may pass in one model only");
}

/* What processes that the abstract model lacks may do alone; false if that is not known. */
static bool find_silence(struct set_comparison *comparison, struct follow *follow) {
    return !comparison->map.visible->is_gone ||
           follow_silence(follow, &comparison->systems[SIDE_CONCRETE],
                          &comparison->certifier->silence);
}

static void limit_work(struct set_comparison *comparison, uint64_t most) {
    struct ldd_limits limits = limits_of(comparison->certifier);
    if (most) limits.stores = comparison->ldd->stores + most * COMPARE_FACTOR;
    comparison->is_bound =
        comparison->is_free && (!most || most * COMPARE_FACTOR > MOST_PAIRS_WORK);
    if (comparison->is_bound) limits.stores = comparison->ldd->stores + MOST_PAIRS_WORK;
    ldd_resume(comparison->ldd, limits);
}

/* The limit that was met, or SET_MORE: it was too much work for now. */
static enum set_outcome stop(struct set_comparison *comparison) {
    static const enum search_limit limits[] = {
        [LDD_MEMORY] = LIMIT_MEMORY, [LDD_TIME] = LIMIT_TIME, [LDD_INTERRUPT] = LIMIT_INTERRUPT};
    struct set_certifier *certifier = comparison->certifier;
    const struct machine *machine = &comparison->expander.machine;
    if (!machine->is_late) machine = &comparison->reaches[SIDE_CONCRETE]->expander.machine;
    if (comparison->ldd->end == LDD_STORES && comparison->is_bound)
        return leave_open(certifier, "there are too many pairs");
    if (comparison->ldd->end == LDD_STORES) return SET_MORE;
    certifier->limit = machine->is_late ? limit_of_machine(machine) : LIMIT_MEMORY;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (ldd_is_over(&comparison->reaches[side]->ldd))
            certifier->limit = limits[comparison->reaches[side]->ldd.end];
    return SET_STOPPED;
}

/* Whether a limit was met, so that what was found means nothing. */
static bool is_stopped(const struct set_comparison *comparison) {
    return ldd_is_over(comparison->ldd) || expander_is_cut(&comparison->expander) ||
           expander_is_cut(&comparison->reaches[SIDE_CONCRETE]->expander);
}

/* Those that are left. */
static void count_pairs(struct set_comparison *comparison, uint32_t pairs) {
    struct arena *arena = comparison->certifier->arena;
    struct counter counter;
    if (ldd_is_over(comparison->ldd)) return;
    counter_init(&counter, comparison->ldd, comparison->map.level_count * LEVEL_BITS);
    struct count count = count_zero(&counter, arena);
    count_add_set(&counter, &count, pairs, 1);
    comparison->certifier->pairs =
        (struct exact){true, count_value(&count), count_text(&count, arena)};
    counter_close(&counter);
}

/* Why it fails */

/* Pairs once more, with what was left of them. */
static bool find_layers_of_pairs(struct set_comparison *comparison, struct follow *follow,
                                 bool is_timed) {
    follow->states = is_timed ? comparison->whole : comparison->steps.states;
    enum set_outcome outcome =
        is_timed ? compare_time(comparison, follow) : compare_steps(comparison, follow);
    return outcome == (is_timed ? SET_OPEN : SET_FAILS);
}

/* States that are mapped, with a step that is not followed, and those that lead to them. */
static bool find_layers_of_states(struct set_comparison *comparison, struct follow *follow,
                                  bool is_timed) {
    const struct vector_system *systems = comparison->systems;
    struct ldd *ldd = comparison->ldd;
    enum simulation_mode mode = comparison->certifier->mode;
    uint32_t bad = comparison->mistimed;
    if (!is_timed) {
        bad = mode == SIMULATE_EXACT ? comparison->steps.lost : LDD_NONE;
        for (int side = 0; side < SIDE_COUNT; side++) {
            size_t held = ldd_hold(ldd, bad);
            if (mode != (side ? SIMULATE_MAY : SIMULATE_MUST))
                bad = set_union(
                    ldd, bad,
                    follow_left(follow, &systems[side], &systems[other_side((enum side)side)]));
            ldd_release(ldd, held);
        }
    }
    return refute_leading_to(comparison->reaches[SIDE_CONCRETE],
                             refute_unmapped(&comparison->map, bad), comparison->layers);
}

static void find_duel(struct set_comparison *comparison, const struct set_layers *layers,
                      bool is_timed) {
    struct set_certifier *certifier = comparison->certifier;
    struct set_refuter refuter = {.map = &comparison->map,
                                  .layers = layers,
                                  .is_of_states = !comparison->is_free,
                                  .is_timed = is_timed,
                                  .mode = certifier->mode,
                                  .is_stuttering = certifier->is_stuttering,
                                  .deadline = certifier->deadline,
                                  .max_size = certifier->options.max_size,
                                  .arena = certifier->arena};
    for (int side = 0; side < SIDE_COUNT; side++)
        refuter.searches[side] = &certifier->searches[side];
    certifier->has_duel = refute_by_layers(&refuter, &certifier->duel);
}

/* The outcome, which is known; SET_MORE if it was too much work for now to say why. */
static enum set_outcome refute(struct set_comparison *comparison, struct follow *follow,
                               enum set_outcome outcome) {
    struct set_certifier *certifier = comparison->certifier;
    struct ldd *ldd = comparison->ldd;
    bool is_timed = outcome == SET_OPEN && certifier->has_other_time;
    if (outcome != SET_FAILS && !is_timed) return outcome;
    certifier->has_failed |= !is_timed;
    const struct reach *reach = comparison->reaches[SIDE_CONCRETE];
    struct set_layers layers = {.ldd = ldd, .arena = &comparison->reaches[SIDE_CONCRETE]->arena};
    layers.length = comparison->is_free ? comparison->map.level_count : reach->levels.count;
    comparison->layers = &layers;
    uint64_t most = ldd->stores * RUN_FACTOR;
    if (most < LEAST_RUN_WORK) most = LEAST_RUN_WORK;
    limit_work(comparison, comparison->most ? comparison->most : most / COMPARE_FACTOR);
    bool has_layers = comparison->is_free ? find_layers_of_pairs(comparison, follow, is_timed)
                                          : find_layers_of_states(comparison, follow, is_timed);
    if (has_layers && !is_stopped(comparison)) {
        if (comparison->is_free) count_pairs(comparison, layers.sets.items[0]);
        find_duel(comparison, &layers, is_timed);
    }
    bool is_short = ldd->end == LDD_STORES && comparison->most && !comparison->is_bound;
    return is_short ? SET_MORE : outcome;
}

static enum set_outcome run_comparison(struct set_comparison *comparison) {
    struct set_certifier *certifier = comparison->certifier;
    struct reach *reach = comparison->reaches[SIDE_CONCRETE];
    struct state_map *map = &comparison->map;
    struct vector_system *systems = comparison->systems;
    struct abstract_steps *steps = &comparison->steps;
    uint32_t stuck = systems[SIDE_CONCRETE].stuck;
    *steps = (struct abstract_steps){
        .map = map, .expander = &comparison->expander, .seeks_stuck = certifier->is_stuttering};
    steps->states = state_map_set(map, reach->states);
    ldd_hold(comparison->ldd, steps->states);
    systems[SIDE_CONCRETE].stuck = state_map_set(map, stuck);
    ldd_hold(comparison->ldd, systems[SIDE_CONCRETE].stuck);
    if (!steps_concrete(&systems[SIDE_CONCRETE], map))
        return is_stopped(comparison)
                   ? stop(comparison)
                   : leave_open(certifier,
                                "a step looks at too many variables that are not compared");
    if (!steps_abstract(&systems[SIDE_ABSTRACT], steps)) return stop(comparison);
    systems[SIDE_ABSTRACT].stuck = steps->stuck;
    ldd_hold(comparison->ldd, steps->stuck);
    ldd_hold(comparison->ldd, steps->lost);
    struct follow follow = {.ldd = comparison->ldd,
                            .marks = &reach->marks,
                            .level_count = map->level_count,
                            .states = steps->states,
                            .is_visible = map->is_visible,
                            .derived = map->committed};
    follow_init(&follow, &reach->arena);
    enum set_outcome outcome = compare_steps(comparison, &follow);
    if (outcome == SET_HOLDS && !find_silence(comparison, &follow))
        outcome = leave_open(certifier, "there are too many different steps");
    if (outcome == SET_HOLDS && !ldd_is_over(comparison->ldd)) {
        comparison->whole = follow.states;
        outcome = compare_time(comparison, &follow);
    }
    if (outcome == SET_HOLDS && comparison->is_free) count_pairs(comparison, follow.states);
    if (!is_stopped(comparison)) return refute(comparison, &follow, outcome);
    certifier->has_steps = certifier->has_other_time = false;
    return stop(comparison);
}

static void close_comparison(struct set_comparison *comparison) {
    for (int side = 0; side < SIDE_COUNT; side++)
        for (uint32_t i = 0; i < comparison->systems[side].count; i++)
            action_close(&comparison->systems[side].actions[i]);
    steps_abstract_close(&comparison->steps);
    expander_close(&comparison->expander);
}

/* SET_HOLDS if nothing is in the way of a comparison of steps. */
static enum set_outcome compare_rest(struct set_comparison *comparison) {
    struct set_certifier *certifier = comparison->certifier;
    const char *obstacle = state_map_init(&comparison->map, certifier->visible, comparison->reaches,
                                          comparison->is_free);
    if (!obstacle && certifier->visible->is_gone && comparison->map.has_guesses)
        obstacle = "the abstract model lacks processes, and has variables that are not compared";
    for (int side = 0; side < SIDE_COUNT; side++)
        if (ldd_is_over(&comparison->reaches[side]->ldd)) return SET_STOPPED;
    if (obstacle) {
        leave_to_pairs(comparison, obstacle);
        return refuse(certifier, obstacle);
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        uint32_t stuck = count_side(certifier, (enum side)side);
        if (certifier->is_stuttering && side == SIDE_CONCRETE)
            comparison->systems[side].stuck = stuck;
        bool is_known = find_fault(certifier, (enum side)side);
        if (ldd_is_over(&comparison->reaches[side]->ldd)) return SET_STOPPED;
        if (!is_known) return leave_open(certifier, "steps fail");
    }
    ldd_hold(comparison->ldd, comparison->systems[SIDE_CONCRETE].stuck);
    if (state_map_keeps_initial(&comparison->map)) return SET_HOLDS;
    enum set_outcome outcome = fail(comparison);
    certifier->has_failed |= outcome == SET_FAILS;
    if (outcome == SET_FAILS) find_duel(comparison, NULL, false);
    return outcome;
}

/* is_free: of all pairs. may_be: whether these may show what is left open. */
static enum set_outcome compare_by(struct set_certifier *certifier, uint64_t most, bool is_free,
                                   bool *may_be) {
    assert(certifier->is_done[SIDE_CONCRETE] && certifier->is_done[SIDE_ABSTRACT]);
    struct reach *reach = certifier->symbolics[SIDE_CONCRETE].reach;
    struct set_comparison comparison = {
        .certifier = certifier, .ldd = &reach->ldd, .is_free = is_free, .most = most};
    for (int side = 0; side < SIDE_COUNT; side++) {
        comparison.reaches[side] = certifier->symbolics[side].reach;
        ldd_resume(&comparison.reaches[side]->ldd, limits_of(certifier));
    }
    size_t held = comparison.ldd->held_count;
    enum set_outcome outcome = compare_rest(&comparison);
    *may_be = comparison.is_open_to_pairs;
    if (outcome == SET_STOPPED) return stop(&comparison);
    if (outcome != SET_HOLDS) return outcome;
    expander_init(&comparison.expander, comparison.reaches[SIDE_ABSTRACT]->program);
    comparison.expander.machine.deadline = certifier->deadline;
    comparison.expander.max_size = certifier->options.max_size;
    limit_work(&comparison, most);
    outcome = run_comparison(&comparison);
    *may_be = comparison.is_open_to_pairs;
    close_comparison(&comparison);
    ldd_release(comparison.ldd, held);
    return outcome;
}

/* Of states and those that they are mapped to; where that leaves it open, of all pairs. */
static enum set_outcome compare(struct set_certifier *certifier, uint64_t most) {
    bool may_be;
    enum set_outcome outcome = compare_by(certifier, most, false, &may_be);
    if (outcome != SET_OPEN || !may_be) return outcome;
    const struct set_certifier before = *certifier;
    certifier->is_refused = false;
    outcome = compare_by(certifier, most, true, &may_be);
    bool is_full = outcome == SET_STOPPED && certifier->limit == LIMIT_MEMORY;
    if (is_full) certifier->limit = LIMIT_NONE;
    if (!is_full && outcome != SET_OPEN) certifier->reason = NULL;
    if (!is_full && (outcome != SET_OPEN || certifier->has_other_time)) return outcome;
    bool says_more = (before.is_refused && !certifier->is_refused) ||
                     (certifier->has_steps && !before.has_steps);
    certifier->is_refused &= before.is_refused;
    certifier->has_steps |= before.has_steps;
    return leave_open(certifier, says_more ? certifier->reason : before.reason);
}

static void note_size(struct set_certifier *certifier) {
    size_t size = 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct symbolic *symbolic = &certifier->symbolics[side];
        size_t compared = certifier->is_done[side] ? symbolic->reach->ldd.peak_size : 0;
        if (!certifier->is_open[side]) continue;
        size += symbolic->peak_size > compared ? symbolic->peak_size : compared;
    }
    if (size > certifier->peak_size) certifier->peak_size = size;
}

enum set_outcome set_certifier_run(struct set_certifier *certifier, uint64_t most) {
    enum set_outcome outcome = SET_HOLDS;
    if (certifier->start == 0) certifier->start = certifier->next_progress = clock_seconds();
    for (int side = SIDE_COUNT; side-- > 0 && outcome == SET_HOLDS;)
        outcome = explore(certifier, (enum side)side, most);
    if (outcome == SET_HOLDS) outcome = compare(certifier, most);
    note_size(certifier);
    return outcome;
}

void set_certifier_close(struct set_certifier *certifier) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        close_symbolic(certifier, (enum side)side);
        if (certifier->is_prepared[side]) search_close(&certifier->searches[side]);
        certifier->is_prepared[side] = false;
    }
}
