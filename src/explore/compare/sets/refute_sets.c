#include "explore/compare/sets/refute_sets.h"

#include "explore/compare/pairs/reason.h"
#include "explore/symbolic/runs.h"

#include <assert.h>
#include <string.h>

/* ---- layers ---- */

uint32_t refute_unmapped(const struct state_map *map, uint32_t set) {
    struct reach *reach = map->reaches[SIDE_CONCRETE];
    if (map->level_count == reach->levels.count) return set;
    for (uint32_t i = 0; i < map->level_count; i++)
        map->kinds[i] = map->origin[i] == NOWHERE ? MARK_SKIP : MARK_READ;
    uint32_t chain = marks_chain(&reach->marks, map->kinds, 0, map->level_count);
    return set_project(&reach->ldd, &reach->marks, set, chain);
}

bool refute_leading_to(struct reach *reach, uint32_t set, struct set_layers *layers) {
    struct ldd *ldd = &reach->ldd;
    uint64_t *initial = reach->program->layout->initial;
    uint32_t *vector = ARENA_ARRAY(layers->arena, uint32_t, reach->levels.count + 1);
    struct level_state point = {initial, count_committed(reach->program, initial)};
    levels_vector(&reach->levels, &point, vector);
    if (reach->marks.items.count > SETS_MAX_CHAINS) return false;
    size_t at = ldd_hold(ldd, set);
    uint32_t left = set_minus(ldd, reach->states, set);
    set_layers_add(layers, reach->states);
    set_layers_add(layers, left);
    while (!ldd_is_over(ldd) && set_has(ldd, left, vector, reach->levels.count)) {
        uint32_t next = runs_before(reach, left, ldd->held[at]);
        if (next == LDD_NONE) return false;
        ldd->held[at] = next;
        left = set_minus(ldd, left, next);
        set_layers_add(layers, left);
        ldd_safe_point(ldd);
    }
    return !ldd_is_over(ldd);
}

/* ---- pairs ---- */

static void take_vector(const struct set_refuter *refuter) {
    struct reach *reach = refuter->map->reaches[SIDE_CONCRETE];
    uint64_t *words = refuter->words[SIDE_CONCRETE];
    struct level_state point = {words, 0};
    if (!refuter->is_of_states) {
        state_map_pair(refuter->map, refuter->words, refuter->vector);
        return;
    }
    point.committed = count_committed(reach->program, words);
    levels_vector(&reach->levels, &point, refuter->vector);
}

/* Of the current pair. What is good but for time is in the first layer; other pairs are bad from
 * the start then, and not known else. */
static struct death find_death(const struct set_refuter *refuter) {
    struct death death = {0};
    take_vector(refuter);
    uint32_t count = refuter->layers->sets.count;
    uint32_t without = set_layers_without(refuter->layers, refuter->vector);
    death.has_held = without > 0;
    if (without < count && (without || refuter->is_timed)) death.time = without + 1;
    return death;
}

static void take_state(const struct set_refuter *refuter, int side, const uint64_t *state) {
    memcpy(refuter->words[side], state, refuter->sides.of[side].words * sizeof *state);
}

static struct death death_of(const void *context, const uint32_t nodes[SIDE_COUNT]) {
    const struct set_refuter *refuter = context;
    for (int side = 0; side < SIDE_COUNT; side++)
        take_state(refuter, side, refuter->sides.of[side].nodes[nodes[side]].state);
    return find_death(refuter);
}

/* ---- the run ---- */

/* The side that moves in whose state alone time may pass, or SIDE_COUNT. */
static enum side timed_side(const struct set_refuter *refuter, const struct deaths *deaths) {
    const struct pair_side *of = refuter->sides.of;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (refuter->is_timed && deaths->moves[side] && of[side].can_idle && !of[!side].can_idle)
            return (enum side)side;
    return SIDE_COUNT;
}

/* Which step leads to a node. */
static uint32_t step_to(const struct set_refuter *refuter, int side, uint32_t node,
                        bool is_silent) {
    const struct pair_node *found = &refuter->sides.of[side].nodes[node];
    return is_silent && side == SIDE_CONCRETE ? found->silent : found->step;
}

struct set_run {
    VEC(uint32_t) nodes[SIDE_COUNT];
    VEC(struct duel_step) steps;
};

/* Takes the step that a reason names, and what follows it. */
static bool go_on(struct set_refuter *refuter, struct set_run *run, const struct reason *reason) {
    uint32_t nodes[SIDE_COUNT];
    const uint64_t *states[SIDE_COUNT];
    nodes[reason->side] = reason->node;
    nodes[other_side(reason->side)] = reason->choice;
    VEC_PUSH(refuter->arena, &run->steps,
             (struct duel_step){reason->side, reason->is_silent, reason->choices});
    for (int side = 0; side < SIDE_COUNT; side++) {
        VEC_PUSH(refuter->arena, &run->nodes[side],
                 step_to(refuter, side, nodes[side], reason->is_silent));
        states[side] = refuter->sides.of[side].nodes[nodes[side]].state;
    }
    return pair_sides_look(&refuter->sides, states);
}

/* Goes on from a pair that was looked at until a step has no choice. */
static bool run_on(struct set_refuter *refuter, struct set_run *run, struct duel *duel) {
    const struct deaths deaths = {
        .moves = {refuter->mode != SIMULATE_MUST, refuter->mode != SIMULATE_MAY},
        .is_timed = refuter->is_timed,
        .context = refuter,
        .death_of = death_of};
    for (;;) {
        for (int side = 0; side < SIDE_COUNT; side++)
            take_state(refuter, side, refuter->sides.of[side].state);
        struct death death = find_death(refuter);
        duel->mover = timed_side(refuter, &deaths);
        duel->is_timed = duel->mover != SIDE_COUNT;
        if (duel->is_timed) return true;
        struct pair_look look = look_of_sides(&refuter->sides);
        struct reason reason = reason_of(&deaths, &look, death.time);
        if (!reason.is_found) return false;
        duel->mover = reason.side;
        duel->target = step_to(refuter, reason.side, reason.node, reason.is_silent);
        if (reason.choice == PAIR_NONE) return !refuter->is_timed && !reason.choices;
        if (!go_on(refuter, run, &reason)) return false;
    }
}

static void keep_run(const struct set_refuter *refuter, struct set_run *run, struct duel *duel) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct pair_side *own = &refuter->sides.of[side];
        uint64_t *copy = layout_state(own->search->layout, refuter->arena);
        memcpy(copy, own->state, own->words * sizeof *copy);
        duel->last[side] = copy;
        duel->nodes[side] = run->nodes[side].items;
    }
    duel->count = run->nodes[SIDE_CONCRETE].count;
    duel->steps = run->steps.items;
}

static bool find_run(struct set_refuter *refuter, struct duel *duel) {
    struct set_run run = {0};
    const uint64_t *initial[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        VEC_PUSH(refuter->arena, &run.nodes[side], NO_STEP); /* of a first pair, which has none */
        initial[side] = refuter->searches[side]->layout->initial;
    }
    duel->is_initial = !refuter->layers;
    if (duel->is_initial == pair_sides_start_alike(&refuter->sides) ||
        !pair_sides_look(&refuter->sides, initial) ||
        (!duel->is_initial && !run_on(refuter, &run, duel)))
        return false;
    keep_run(refuter, &run, duel);
    return true;
}

bool refute_by_layers(struct set_refuter *refuter, struct duel *duel) {
    struct view view;
    const struct visible *visible = refuter->map->visible;
    *duel = (struct duel){.count = 0};
    view_init(&view, refuter->arena, visible, refuter->searches[SIDE_CONCRETE]->layout,
              refuter->searches[SIDE_ABSTRACT]->layout);
    refuter->ledger = (struct ledger){.max_size = refuter->max_size, .deadline = refuter->deadline};
    refuter->sides = (struct pair_sides){.view = &view,
                                         .ledger = &refuter->ledger,
                                         .is_gone = visible->is_gone,
                                         .is_stuttering = refuter->is_stuttering};
    for (int side = 0; side < SIDE_COUNT; side++)
        refuter->words[side] = layout_state(refuter->searches[side]->layout, refuter->arena);
    refuter->vector = ARENA_ARRAY(refuter->arena, uint32_t, refuter->map->level_count + 1);
    pair_sides_open(&refuter->sides, refuter->searches);
    bool is_found = find_run(refuter, duel);
    pair_sides_close(&refuter->sides);
    return is_found;
}
