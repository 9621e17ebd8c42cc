/* Simulation on random graphs, against the greatest fixpoint computed plainly. */
#include "explore/compare/pairs/refute.h"

#include <check.h>
#include <stdlib.h>

Suite *simulate_suite(void);

enum { MAX_NODES = 12, MAX_EDGES = MAX_NODES * MAX_NODES, ROUNDS = 3000 };

struct small {
    uint32_t classes[MAX_NODES], next[MAX_EDGES];
    uint64_t first[MAX_NODES + 1];
    bool has[MAX_NODES][MAX_NODES], can_idle[MAX_NODES];
    uint8_t kinds[MAX_EDGES], kind[MAX_NODES][MAX_NODES]; /* of steps: both have the same */
    struct graph graph;
};

static uint32_t seed;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % below;
}

/* Few classes and few edges, so that all outcomes are frequent. Nodes are numbered by class. */
static void make(struct small *small, uint32_t classes) {
    uint32_t count = 1 + roll(MAX_NODES), edges = 0, rarity = 2 + roll(5);
    *small = (struct small){0};
    for (uint32_t i = 1; i < count; i++)
        small->classes[i] =
            small->classes[i - 1] + (roll(count) < classes && small->classes[i - 1] + 1 < classes);
    for (uint32_t i = 0; i < count; i++) {
        small->can_idle[i] = roll(8);
        for (uint32_t k = 0; k < count; k++) {
            small->has[i][k] = !roll(rarity);
            if (!small->has[i][k]) continue;
            bool may_be_silent = small->classes[i] == small->classes[k];
            small->kind[i][k] = (uint8_t)(may_be_silent ? 1 + roll(3) : STEP_SEEN);
            small->kinds[edges] = small->kind[i][k];
            small->next[edges++] = k;
        }
        small->first[i + 1] = edges;
    }
    small->graph = (struct graph){.count = count,
                                  .classes = small->classes,
                                  .rows = {.first = small->first, .targets = small->next}};
}

/* Whether each step from the node of a side can be followed into good pairs. Where there are silent
 * steps, the abstract node stays for these. */
static bool can_follow(const struct small *sides, bool good[MAX_NODES][MAX_NODES], int side,
                       const uint32_t *nodes) {
    const struct small *mover = &sides[side], *other = &sides[!side];
    for (uint32_t i = 0; i < mover->graph.count; i++) {
        int kind = mover->graph.kinds ? mover->kind[nodes[side]][i] : STEP_SEEN;
        if (!mover->has[nodes[side]][i]) continue;
        if (kind & STEP_SILENT && !good[i][nodes[1]]) return false;
        bool is_met = !(kind & STEP_SEEN);
        for (uint32_t k = 0; k < other->graph.count && !is_met; k++)
            is_met = other->has[nodes[!side]][k] && (side ? good[k][i] : good[i][k]);
        if (!is_met) return false;
    }
    return true;
}

/* Whether time may pass in the other node, too, where it may in that of a side that moves. */
static bool is_timed_alike(const struct small *sides, enum simulation_mode mode, uint32_t i,
                           uint32_t k) {
    bool can = sides[0].can_idle[i], other_can = sides[1].can_idle[k];
    return (mode == SIMULATE_MUST || !can || other_can) &&
           (mode == SIMULATE_MAY || !other_can || can);
}

static bool holds(const struct small *sides, enum simulation_mode mode, bool is_timed) {
    bool good[MAX_NODES][MAX_NODES], changes = true;
    for (uint32_t i = 0; i < MAX_NODES; i++)
        for (uint32_t k = 0; k < MAX_NODES; k++)
            good[i][k] = sides[0].classes[i] == sides[1].classes[k] &&
                         (!is_timed || is_timed_alike(sides, mode, i, k));
    while (changes) {
        changes = false;
        for (uint32_t i = 0; i < sides[0].graph.count; i++)
            for (uint32_t k = 0; k < sides[1].graph.count; k++) {
                uint32_t nodes[SIDE_COUNT] = {i, k};
                if (!good[i][k]) continue;
                good[i][k] = (mode == SIMULATE_MUST || can_follow(sides, good, 0, nodes)) &&
                             (mode == SIMULATE_MAY || can_follow(sides, good, 1, nodes));
                changes |= !good[i][k];
            }
    }
    return good[0][0];
}

static void check_duel(const struct small *sides, const struct duel *duel,
                       enum simulation_mode mode, bool is_timed) {
    const uint32_t *const *nodes = (const uint32_t *const *)duel->nodes;
    uint32_t last = duel->count - 1;
    ck_assert_uint_eq(nodes[0][0] + nodes[1][0], 0);
    ck_assert_int_eq(duel->is_initial, sides[0].classes[0] != sides[1].classes[0]);
    if (duel->is_initial) return;
    for (uint32_t i = 0; i <= last; i++)
        ck_assert_uint_eq(sides[0].classes[nodes[0][i]], sides[1].classes[nodes[1][i]]);
    for (uint32_t i = 0; i < last; i++) {
        ck_assert(mode == SIMULATE_EXACT || duel->steps[i].mover == (mode == SIMULATE_MUST));
        ck_assert_uint_ge(duel->steps[i].choices, 1);
        bool is_silent = duel->steps[i].is_silent;
        ck_assert(!is_silent || sides[0].kind[nodes[0][i]][nodes[0][i + 1]] & STEP_SILENT);
        ck_assert(!is_silent || nodes[1][i] == nodes[1][i + 1]);
        for (int side = 0; side < (is_silent ? 1 : SIDE_COUNT); side++)
            ck_assert(sides[side].has[nodes[side][i]][nodes[side][i + 1]]);
    }
    ck_assert(is_timed || !duel->is_timed);
    if (duel->is_timed) {
        ck_assert(!is_timed_alike(sides, mode, nodes[0][last], nodes[1][last]));
        return;
    }
    const struct small *mover = &sides[duel->mover], *other = &sides[!duel->mover];
    ck_assert(mode == SIMULATE_EXACT || duel->mover == (mode == SIMULATE_MUST));
    ck_assert(mover->has[nodes[duel->mover][last]][duel->target]);
    for (uint32_t k = 0; k < other->graph.count; k++)
        ck_assert(!other->has[nodes[!duel->mover][last]][k] ||
                  other->classes[k] != mover->classes[duel->target]);
}

START_TEST(agrees_with_the_greatest_fixpoint) {
    uint32_t counts[2] = {0, 0}, timed_counts[2] = {0, 0};
    seed = (uint32_t)_i;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct small sides[SIDE_COUNT];
        uint32_t classes = 1 + roll(3);
        make(&sides[0], classes);
        make(&sides[1], classes);
        if (!roll(3)) sides[1] = sides[0]; /* or nearly so */
        if (!roll(2)) sides[1].classes[0] = sides[0].classes[0];
        for (int side = 0; side < SIDE_COUNT; side++) {
            struct graph *graph = &sides[side].graph;
            graph->classes = sides[side].classes;
            graph->rows.first = sides[side].first;
            graph->rows.targets = sides[side].next;
            graph->can_idle = sides[side].can_idle;
        }
        if (roll(2)) sides[0].graph.kinds = sides[0].kinds;
        struct graph graphs[SIDE_COUNT] = {sides[0].graph, sides[1].graph};
        struct ledger ledger = {0};
        struct simulation simulation;
        struct arena arena;
        struct duel duel;
        arena_init(&arena);
        simulation_init(&simulation, graphs, NULL, (enum simulation_mode)_i, &ledger);
        enum simulation_mode mode = (enum simulation_mode)_i;
        bool expected = holds(sides, mode, false), is_timed = expected;
        ck_assert_int_eq(simulation_run(&simulation),
                         expected ? SIMULATION_HOLDS : SIMULATION_FAILS);
        counts[expected]++;
        if (is_timed) {
            expected = holds(sides, mode, true);
            ck_assert_int_eq(simulation_run_timed(&simulation),
                             expected ? SIMULATION_HOLDS : SIMULATION_FAILS);
            timed_counts[expected]++;
        }
        if (!expected) {
            simulation_refute(&simulation, &duel, &arena);
            check_duel(sides, &duel, mode, is_timed);
        }
        simulation_close(&simulation);
        ck_assert_uint_eq(ledger.used, 0);
        arena_close(&arena);
    }
    ck_assert_uint_gt(counts[0], ROUNDS / 10);
    ck_assert_uint_gt(counts[1], ROUNDS / 10);
    ck_assert_uint_gt(timed_counts[0], ROUNDS / 40);
    ck_assert_uint_gt(timed_counts[1], ROUNDS / 40);
}
END_TEST

START_TEST(memory_is_bounded) {
    struct small sides[SIDE_COUNT];
    struct simulation simulation;
    struct ledger ledger = {.max_size = 1000};
    seed = 1;
    make(&sides[0], 1);
    sides[1] = sides[0];
    struct graph graphs[SIDE_COUNT] = {sides[0].graph, sides[0].graph};
    simulation_init(&simulation, graphs, NULL, SIMULATE_MAY, &ledger);
    ck_assert_int_eq(simulation_run(&simulation), SIMULATION_UNKNOWN);
    ck_assert_int_eq(ledger.limit, LIMIT_MEMORY);
    simulation_close(&simulation);
}
END_TEST

Suite *simulate_suite(void) {
    Suite *suite = suite_create("simulate");
    TCase *simulation = tcase_create("simulation");
    tcase_add_loop_test(simulation, agrees_with_the_greatest_fixpoint, SIMULATE_MAY,
                        SIMULATE_EXACT + 1);
    tcase_add_test(simulation, memory_is_bounded);
    suite_add_tcase(suite, simulation);
    return suite;
}
