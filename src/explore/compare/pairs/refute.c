#include "explore/compare/pairs/refute.h"

#include "explore/compare/pairs/reason.h"
#include "explore/compare/pairs/simulate_internal.h"

#include <assert.h>
#include <string.h>

/* A pair is good but for time if it died late, of those that were there before. */
static struct death death_of(const void *context, const uint32_t nodes[SIDE_COUNT]) {
    const struct simulation *simulation = context;
    uint32_t found = simulation_find(simulation, nodes);
    struct death death = {0};
    if (found == PAIR_NONE) return death;
    death.time = simulation->fates[found].died;
    death.has_held = found < simulation->held_pairs && death.time > simulation->held_deaths;
    return death;
}

/* The pair that a duel has come to, whose orbit is a stored one. */
struct stand {
    uint32_t number, nodes[SIDE_COUNT];
    struct pair_look look;
};

static bool begin_stand(struct simulation *simulation, struct stand *stand) {
    *stand = (struct stand){0};
    if (!simulation->orbits) return simulation_look(simulation, 0, &stand->look);
    if (!pair_orbits_look_initial(simulation->orbits)) return false;
    stand->look = look_of_sides(&simulation->orbits->sides);
    return true;
}

/* The step to a node, or its place among all steps. */
static uint32_t step_of(const struct simulation *simulation, int side, uint32_t node) {
    return simulation->orbits ? simulation->orbits->sides.of[side].nodes[node].step : node;
}

/* Goes on to the pair of the nodes that a reason names; false at a limit. */
static bool move_stand(struct simulation *simulation, struct stand *stand,
                       const struct reason *reason) {
    uint32_t next[SIDE_COUNT];
    join_nodes(next, reason->side, reason->node, reason->choice);
    uint32_t died = simulation->fates[stand->number].died;
    stand->number = simulation_find(simulation, next);
    assert(stand->number != PAIR_NONE);
    assert(simulation->fates[stand->number].died); /* and sooner, so that the duel ends */
    assert(simulation->fates[stand->number].died < died);
    (void)died;
    for (int side = 0; side < SIDE_COUNT; side++)
        stand->nodes[side] = step_of(simulation, side, next[side]);
    if (!simulation->orbits) return simulation_look(simulation, stand->number, &stand->look);
    if (!pair_orbits_look_at(simulation->orbits, next)) return false;
    stand->look = look_of_sides(&simulation->orbits->sides);
    return true;
}

/* The states of the pair that was come to, of orbits. */
static void keep_last(const struct simulation *simulation, struct duel *duel, struct arena *arena) {
    for (int side = 0; side < SIDE_COUNT && simulation->orbits; side++) {
        const struct pair_side *own = &simulation->orbits->sides.of[side];
        uint64_t *copy = layout_state(own->search->layout, arena);
        memcpy(copy, own->state, own->words * sizeof *copy);
        duel->last[side] = copy;
    }
}

bool simulation_refute(struct simulation *simulation, struct duel *duel, struct arena *arena) {
    const struct deaths deaths = {
        .moves = {simulation->moves[SIDE_CONCRETE], simulation->moves[SIDE_ABSTRACT]},
        .is_timed = simulation->is_timed,
        .context = simulation,
        .death_of = death_of};
    VEC(uint32_t) nodes[SIDE_COUNT] = {{0}};
    VEC(struct duel_step) steps = {0};
    struct stand stand;
    *duel = (struct duel){.is_initial = !simulation_starts_alike(simulation)};
    if (!begin_stand(simulation, &stand)) return false;
    for (;;) {
        const struct pair *pair = &simulation->pairs[stand.number];
        uint32_t died = simulation->fates[stand.number].died;
        assert(died);
        for (int side = 0; side < SIDE_COUNT; side++)
            VEC_PUSH(arena, &nodes[side], stand.nodes[side]);
        duel->is_timed = simulation_is_mistimed(simulation, pair);
        if (duel->is_timed) duel->mover = simulation_timed_side(simulation, pair);
        if (duel->is_initial || duel->is_timed) break;
        struct reason reason = reason_of(&deaths, &stand.look, died);
        assert(reason.is_found && (!deaths.is_timed || reason.choice != PAIR_NONE));
        duel->mover = reason.side;
        duel->target = step_of(simulation, (int)reason.side, reason.node);
        if (reason.choice == PAIR_NONE) break;
        VEC_PUSH(arena, &steps, (struct duel_step){reason.side, reason.is_silent, reason.choices});
        if (!move_stand(simulation, &stand, &reason)) return false;
    }
    keep_last(simulation, duel, arena);
    duel->count = nodes[SIDE_CONCRETE].count;
    for (int side = 0; side < SIDE_COUNT; side++) duel->nodes[side] = nodes[side].items;
    duel->steps = steps.items;
    return true;
}
