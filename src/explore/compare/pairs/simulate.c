/* The greatest set of good pairs: pairs are refuted until none is left to be. */
#include "explore/compare/pairs/simulate_internal.h"

#include "base/clock.h"
#include "base/debug.h"

#include <assert.h>
#include <string.h>

enum {
    TICK = 1 << 12,
    FIRST_CAPACITY = 1 << 10,
    AHEAD = 8,       /* pairs until one is looked at whose entries were asked for */
    MOST_ASKED = 16, /* of its steps */
    MAX_STEPS = (1 << 30) - 1,
    FIRST_SWEEP = 1 << 5, /* pairs */
    MAX_EFFORT = 2,       /* of sweeps: looks at pairs, for each pair */
    SPARE = 64,           /* nodes of the concrete graph, for each that may have a second pair */
    GLANCES = 8           /* at the steps of so many pairs take as long as a look at one */
};
#define NONE UINT32_MAX

/* Memory */

/* Numbers have 32 bits. */
static bool give_up(struct simulation *simulation) {
    simulation->ledger->limit = LIMIT_MEMORY;
    return false;
}

static uint32_t hash_nodes(const struct simulation *simulation, const uint32_t *nodes) {
    uint64_t hash = store_mix((uint64_t)nodes[0] << 32 | nodes[1]);
    return (uint32_t)hash & (simulation->table_size - 1);
}

/* Whether the entry is free or that of the pair. */
static bool is_entry_of(const struct simulation *simulation, uint32_t entry,
                        const uint32_t *nodes) {
    if (!entry) return true;
    const uint32_t *found = simulation->pairs[entry - 1].nodes;
    return found[0] == nodes[0] && found[1] == nodes[1];
}

/* The entry of a pair, or the free one where it belongs. Most concrete nodes have one pair, which
 * needs no hash; none becomes free again, so that the first pair of a node stays so. */
static uint32_t *entry_of(const struct simulation *simulation, const uint32_t *nodes) {
    assert(simulation->other_count < simulation->table_size); /* some entry is free */
    uint32_t *head = &simulation->heads[nodes[SIDE_CONCRETE]];
    if (is_entry_of(simulation, *head, nodes)) return head;
    uint32_t at = hash_nodes(simulation, nodes);
    while (!is_entry_of(simulation, simulation->table[at], nodes))
        at = (at + 1) & (simulation->table_size - 1);
    return &simulation->table[at];
}

static bool is_head(const struct simulation *simulation, uint32_t number) {
    return simulation->heads[simulation->pairs[number].nodes[SIDE_CONCRETE]] == number + 1;
}

static bool grow_table(struct simulation *simulation) {
    uint32_t old = simulation->table_size, size = old ? old * 2 : FIRST_CAPACITY;
    if (size < old) return give_up(simulation);
    uint32_t *table = ledger_take(simulation->ledger, size, sizeof *table);
    if (!table) return false;
    LEDGER_GIVE(simulation->ledger, simulation->table);
    simulation->table = table;
    simulation->table_size = size;
    for (uint32_t i = 0; i < simulation->pair_count && old; i++)
        if (!is_head(simulation, i)) *entry_of(simulation, simulation->pairs[i].nodes) = i + 1;
    return true;
}

/* Orbits have a store. */
static bool make_table(struct simulation *simulation) {
    if (simulation->orbits) return true;
    simulation->heads = ledger_take(simulation->ledger, simulation->graphs[SIDE_CONCRETE].count,
                                    sizeof *simulation->heads);
    return grow_table(simulation);
}

uint32_t simulation_find(const struct simulation *simulation, const uint32_t *nodes) {
    if (simulation->orbits) return pair_orbits_find(simulation->orbits, nodes);
    return *entry_of(simulation, nodes) - 1; /* NONE if it is not there */
}

static bool are_alike(const struct simulation *simulation, const uint32_t *nodes) {
    return simulation->graphs[SIDE_CONCRETE].classes[nodes[0]] ==
           simulation->graphs[SIDE_ABSTRACT].classes[nodes[1]];
}

static bool is_dead(const struct simulation *simulation, uint32_t number) {
    assert(number < simulation->pair_count);
    if (simulation->has_needs) return simulation->fates[number].died;
    return simulation->dead[number / 64] >> number % 64 & 1;
}

/* Makes room for the fates of so many pairs; false if there is none. */
static bool make_room_for_fates(struct simulation *simulation, size_t count) {
    return LEDGER_ROOM(simulation->ledger, simulation->fates, count) &&
           LEDGER_ROOM(simulation->ledger, simulation->deaths, count);
}

/* Makes room for another pair; false if there is none. */
static bool make_room(struct simulation *simulation) {
    uint32_t number = simulation->pair_count;
    if (number == NONE - 1) return give_up(simulation);
    return (simulation->orbits || simulation->other_count < simulation->table_size / 8 * 5 ||
            grow_table(simulation)) &&
           LEDGER_ROOM(simulation->ledger, simulation->pairs, (size_t)number + 1) &&
           (simulation->has_needs
                ? make_room_for_fates(simulation, (size_t)number + 1)
                : LEDGER_ROOM_ZEROED(simulation->ledger, simulation->dead, number / 64 + 1));
}

/* The number of a new pair, NULL the initial one, or NONE if there is no memory. */
static uint32_t add_pair(struct simulation *simulation, const uint32_t *nodes) {
    uint32_t number = simulation->pair_count;
    if (!make_room(simulation)) return NONE;
    if (simulation->has_needs) simulation->fates[number] = (struct fate){.needs = NONE};
    if (simulation->orbits) {
        uint32_t row = nodes ? pair_orbits_add(simulation->orbits, nodes)
                             : pair_orbits_add_initial(simulation->orbits);
        if (row == PAIR_NONE) return NONE;
        assert(row == number); /* rows go by first appearance */
        simulation->pairs[number] = (struct pair){0};
        simulation->pair_count++;
        return number;
    }
    static const uint32_t initial[SIDE_COUNT];
    if (!nodes) nodes = initial;
    DEBUG_CHECK(assert(!number || are_alike(simulation, nodes)));
    simulation->pairs[number] = (struct pair){{nodes[0], nodes[1]}};
    *entry_of(simulation, nodes) = number + 1;
    simulation->other_count += !is_head(simulation, number);
    simulation->pair_count++;
    return number;
}

/* Needs */

/* Without needs, those who bet on it wait for a sweep. */
static void die(struct simulation *simulation, uint32_t number) {
    if (is_dead(simulation, number)) return;
    assert(simulation->dead_count < simulation->pair_count);
    uint32_t died = ++simulation->dead_count;
    if (simulation->has_needs) {
        simulation->deaths[died - 1] = number;
        simulation->fates[number].died = died;
        return;
    }
    uint32_t node = simulation->pairs[number].nodes[SIDE_CONCRETE];
    uint64_t bit = UINT64_C(1) << node % 64;
    simulation->dead[number / 64] |= UINT64_C(1) << number % 64;
    simulation->dead_nodes[0][node / 64] |= bit;
    simulation->dead_nodes[1][node / 64] |= bit;
}

/* Looks at a pair; false at a limit. */
bool simulation_look(struct simulation *simulation, uint32_t number, struct pair_look *look) {
    struct pair_orbits *orbits = simulation->orbits;
    struct pair *pair = &simulation->pairs[number];
    if (!orbits) {
        *look = look_of_graphs(simulation->graphs, pair->nodes);
        return true;
    }
    if (!pair_orbits_look(orbits, number)) return false;
    for (int side = 0; side < SIDE_COUNT; side++)
        pair->nodes[side] = orbits->sides.of[side].can_idle;
    *look = look_of_sides(&orbits->sides);
    return true;
}

/* A pair among the choices that is there already and not bad, or NONE. */
static uint32_t known_choice(const struct simulation *simulation, const struct need *need) {
    for (uint32_t i = 0; i < need->choices.count; i++) {
        uint32_t nodes[SIDE_COUNT];
        join_nodes(nodes, need->side, need->node, need->choices.nodes[i]);
        uint32_t pair = simulation_find(simulation, nodes);
        if (pair != NONE && !is_dead(simulation, pair)) return pair;
    }
    return NONE;
}

/* The first choice that is not bad, from a place on and round; NONE if all are: false if memory is
 * short. */
static bool next_choice(struct simulation *simulation, const struct need *need, uint32_t place,
                        uint32_t *pair) {
    uint32_t count = need->choices.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t nodes[SIDE_COUNT];
        join_nodes(nodes, need->side, need->node, need->choices.nodes[(place + i) % count]);
        *pair = simulation_find(simulation, nodes);
        if (*pair == NONE) {
            *pair = add_pair(simulation, nodes);
            return *pair != NONE;
        }
        if (!is_dead(simulation, *pair)) return true;
    }
    *pair = NONE;
    return true;
}

/* Where the choice that a need bet on stands among its choices, which are in ascending order.
 * Successors of orbits have no numbers that stay: there, the first one. */
static uint32_t place_of(const struct simulation *simulation, const struct need *need,
                         uint32_t pair) {
    if (simulation->orbits) return 0;
    uint32_t node = simulation->pairs[pair].nodes[other_side(need->side)];
    uint32_t low = 0, high = need->choices.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (need->choices.nodes[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    assert(need->choices.nodes[low] == node);
    return low;
}

/* Stores that the need with a number bets on a pair. */
static void store_bet(struct simulation *simulation, uint32_t number, uint32_t pair) {
    assert(number < simulation->need_count);
    simulation->needs[number].next = simulation->fates[pair].needs;
    simulation->fates[pair].needs = number;
}

/* A new need of a pair bets; the pair is bad if there is nothing to bet on. False if memory is
 * short. */
static bool add_need(struct simulation *simulation, uint32_t number, const struct need *need,
                     struct stored_need stored) {
    uint32_t pair = need->choices.count > 1 ? known_choice(simulation, need) : NONE;
    if (pair == NONE && !next_choice(simulation, need, 0, &pair)) return false;
    if (pair == NONE) die(simulation, number);
    if (!simulation->has_needs) return true;
    if (simulation->need_count == NONE - 1) return give_up(simulation);
    if (!LEDGER_ROOM(simulation->ledger, simulation->needs, (size_t)simulation->need_count + 1))
        return false;
    simulation->needs[simulation->need_count++] = stored;
    if (pair != NONE) store_bet(simulation, simulation->need_count - 1, pair);
    return true;
}

/* Steps of a pair */

/* Whether time may pass in the node of a side that moves, but not in the other: the side, or
 * SIDE_COUNT. */
enum side simulation_timed_side(const struct simulation *simulation, const struct pair *pair) {
    bool can_idle[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++)
        can_idle[side] = simulation->orbits
                             ? pair->nodes[side]
                             : graph_can_idle(&simulation->graphs[side], pair->nodes[side]);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (simulation->moves[side] && can_idle[side] && !can_idle[!side]) return (enum side)side;
    return SIDE_COUNT;
}

bool simulation_is_mistimed(const struct simulation *simulation, const struct pair *pair) {
    return simulation->is_timed && simulation_timed_side(simulation, pair) != SIDE_COUNT;
}

/* The needs of a side for its steps to nodes that look the same: false if memory is short. */
static bool add_needs(struct simulation *simulation, uint32_t number,
                      const struct successor_group *group, enum side side) {
    const struct pair_look *look = &group->look;
    struct node_list moves = group->same[side], choices = group->same[other_side(side)];
    /* Then the other side has bet on the same pair. */
    bool is_mutual = moves.count == 1 && choices.count == 1 && side && simulation->moves[0] &&
                     is_step(look, SIDE_CONCRETE, choices.nodes, STEP_SEEN);
    assert(look->lists[side].count <= MAX_STEPS); /* more than bytes fit memory */
    for (uint32_t i = 0; i < moves.count && !is_dead(simulation, number); i++) {
        const uint32_t *node = moves.nodes + i;
        struct stored_need stored = {.index =
                                         (uint32_t)(node - look->lists[side].nodes) & MAX_STEPS,
                                     .side = (unsigned)side & 1};
        struct need seen = {side, *node, choices}, silent = {side, *node, {&look->still, 1}};
        if (!is_mutual && is_step(look, side, node, STEP_SEEN) &&
            !add_need(simulation, number, &seen, stored))
            return false;
        stored.is_silent = 1;
        if (!is_dead(simulation, number) && is_step(look, side, node, STEP_SILENT) &&
            !add_need(simulation, number, &silent, stored))
            return false;
    }
    return true;
}

/* The needs of a pair that was not looked at yet: false if memory is short. */
static bool expand(struct simulation *simulation, uint32_t number) {
    struct successor_group group = {0};
    if (simulation->has_needs) {
        assert(number == simulation->expanded_count);
        simulation->fates[number].own = simulation->need_count;
        simulation->expanded_count++;
    }
    if (is_dead(simulation, number)) return true;
    if (!simulation_look(simulation, number, &group.look)) return false;
    if (simulation_is_mistimed(simulation, &simulation->pairs[number]) ||
        is_stranded(&group.look, simulation->moves)) {
        die(simulation, number);
        return true;
    }
    while (next_group(&group))
        for (int side = 0; side < SIDE_COUNT; side++) {
            if (simulation->moves[side] && !add_needs(simulation, number, &group, (enum side)side))
                return false;
            if (is_dead(simulation, number)) return true;
        }
    return true;
}

static void give_bits(struct simulation *simulation) {
    LEDGER_GIVE(simulation->ledger, simulation->dead, simulation->dead_nodes[0],
                simulation->dead_nodes[1]);
    simulation->dead = simulation->dead_nodes[0] = simulation->dead_nodes[1] = NULL;
}

/* From now on needs are stored, those of the first pairs at once, some of which are found to be bad
 * again: false at a limit. */
static bool store_needs(struct simulation *simulation, uint32_t count) {
    assert(!simulation->has_needs && count <= simulation->pair_count);
    if (!make_room_for_fates(simulation, (size_t)simulation->pair_count + 1)) return false;
    for (uint32_t i = 0; i < simulation->pair_count; i++)
        simulation->fates[i] = (struct fate){.needs = NONE};
    simulation->has_needs = true;
    simulation->dead_count = 0;
    give_bits(simulation);
    for (uint32_t i = 0; i < count; i++) {
        if (i % TICK == 0 && !ledger_has_time(simulation->ledger)) return false;
        if (!expand(simulation, i)) return false;
    }
    return true;
}

/* The pair that a need is of: the last one whose own needs begin there or before. */
static uint32_t owner_of(const struct simulation *simulation, uint32_t number) {
    uint32_t low = 0, high = simulation->expanded_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (simulation->fates[middle].own <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The need with a number bets on another pair than the one that died: false if memory is short. */
static bool bet_again(struct simulation *simulation, uint32_t number, uint32_t dead) {
    struct stored_need stored = simulation->needs[number];
    enum side side = (enum side)stored.side;
    struct pair_look look;
    uint32_t owner = owner_of(simulation, number), pair;
    if (is_dead(simulation, owner)) return true;
    if (!simulation_look(simulation, owner, &look)) return false;
    assert(stored.index < look.lists[side].count);
    struct need need = {.side = side, .node = look.lists[side].nodes[stored.index]};
    need.choices = choices_of(&look, side, need.node, stored.is_silent);
    if (!next_choice(simulation, &need, place_of(simulation, &need, dead), &pair)) return false;
    if (pair == NONE)
        die(simulation, owner);
    else
        store_bet(simulation, number, pair);
    return true;
}

/* Those who bet on pairs that died since: false if memory is short. */
static bool bury(struct simulation *simulation, uint32_t *buried) {
    for (; *buried < simulation->dead_count; ++*buried) {
        if (*buried % TICK == 0 && !ledger_has_time(simulation->ledger)) return false;
        uint32_t dead = simulation->deaths[*buried];
        uint32_t number = simulation->fates[dead].needs, next;
        assert(simulation->fates[dead].died == *buried + 1);
        for (; number != NONE; number = next) {
            next = simulation->needs[number].next;
            if (!bet_again(simulation, number, dead)) return false;
        }
    }
    return true;
}

static void show_progress(struct simulation *simulation) {
    double now = clock_seconds();
    if (!simulation->progress || now < simulation->next_progress) return;
    simulation->next_progress = now + 1;
    simulation->progress(simulation->context, simulation->pair_count);
}

void simulation_init(struct simulation *simulation, const struct graph *graphs,
                     struct pair_orbits *orbits, enum simulation_mode mode, struct ledger *ledger) {
    assert(!graphs == !!orbits);
    *simulation = (struct simulation){.graphs = graphs, .orbits = orbits, .ledger = ledger};
    simulation->sweep_at = FIRST_SWEEP;
    simulation->moves[SIDE_CONCRETE] = mode != SIMULATE_MUST;
    simulation->moves[SIDE_ABSTRACT] = mode != SIMULATE_MAY;
}

/* Whether a step of a pair leads to a concrete node of a pair that died. */
static bool is_in_doubt(const struct simulation *simulation, uint32_t number) {
    struct node_list list = graph_successors(&simulation->graphs[SIDE_CONCRETE],
                                             simulation->pairs[number].nodes[SIDE_CONCRETE]);
    for (uint32_t i = 0; i < list.count; i++)
        if (simulation->dead_nodes[0][list.nodes[i] / 64] >> list.nodes[i] % 64 & 1) return true;
    return false;
}

/* Looks again at those of the first pairs that may have bet on what died since the last sweep. The
 * last ones come first, for most steps lead to pairs that were made later. False at a limit. */
static bool sweep(struct simulation *simulation, uint32_t count) {
    uint64_t *swept = simulation->dead_nodes[0], *since = simulation->dead_nodes[1];
    memset(since, 0, ledger_bytes(since));
    simulation->swept_deaths = simulation->dead_count;
    simulation->effort += count / GLANCES;
    for (uint32_t i = count; i-- > 0;) {
        if (i % TICK == 0 && !ledger_has_time(simulation->ledger)) return false;
        if (is_dead(simulation, i) || !is_in_doubt(simulation, i)) continue;
        simulation->effort++;
        if (!expand(simulation, i)) return false;
    }
    simulation->dead_nodes[0] = since;
    simulation->dead_nodes[1] = swept;
    return true;
}

/* Those who bet on pairs that died look for others, now or, without needs, when so many pairs have
 * been looked at that a sweep pays. A refutation needs needs. False at a limit. */
static bool follow_deaths(struct simulation *simulation, uint32_t count, uint32_t *buried) {
    bool is_end = count == simulation->pair_count;
    if (simulation->has_needs) return bury(simulation, buried);
    if (simulation->swept_deaths == simulation->dead_count) return true;
    if (is_dead(simulation, 0) || (is_end && simulation->effort > (uint64_t)count * MAX_EFFORT))
        return store_needs(simulation, count) && bury(simulation, buried);
    if (!is_end && count < simulation->sweep_at) return true;
    simulation->sweep_at = count < NONE / 2 ? count * 2 : NONE;
    if (!is_end) simulation->effort = 0;
    return sweep(simulation, count);
}

/* Asks for what a pair that comes soon will look at: first for the entries of the nodes that its
 * steps lead to, and nearer to it for their pairs. */
static void ask_ahead(const struct simulation *simulation, uint32_t number, bool is_near) {
    if (simulation->orbits || number >= simulation->pair_count) return;
    const struct graph *graph = &simulation->graphs[SIDE_CONCRETE];
    struct node_list list = graph_successors(graph, simulation->pairs[number].nodes[SIDE_CONCRETE]);
    uint32_t count = list.count < MOST_ASKED ? list.count : MOST_ASKED;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *head = &simulation->heads[list.nodes[i]];
        if (is_near && *head) __builtin_prefetch(&simulation->pairs[*head - 1]);
        if (is_near) continue;
        __builtin_prefetch(head);
        __builtin_prefetch(&graph->classes[list.nodes[i]]);
    }
}

/* Looks at the pairs from the first on until no more are made, and no bet is on what is bad. */
static enum simulation_outcome settle(struct simulation *simulation, uint32_t first,
                                      uint32_t buried) {
    assert(first <= simulation->pair_count && buried <= simulation->dead_count);
    for (uint32_t i = first;;) {
        if (!follow_deaths(simulation, i, &buried)) return SIMULATION_UNKNOWN;
        if (simulation->has_needs && is_dead(simulation, 0)) return SIMULATION_FAILS;
        bool is_quiet = simulation->has_needs || simulation->swept_deaths == simulation->dead_count;
        if (i == simulation->pair_count && is_quiet) return SIMULATION_HOLDS;
        if (i == simulation->pair_count) continue;
        if (i % TICK == 0) {
            if (!ledger_has_time(simulation->ledger)) return SIMULATION_UNKNOWN;
            show_progress(simulation);
        }
        ask_ahead(simulation, i + 2 * AHEAD, false);
        ask_ahead(simulation, i + AHEAD, true);
        if (!expand(simulation, i++)) return SIMULATION_UNKNOWN;
    }
}

/* Whether the initial states look the same. */
bool simulation_starts_alike(const struct simulation *simulation) {
    static const uint32_t initial[SIDE_COUNT];
    return simulation->orbits ? pair_orbits_start_alike(simulation->orbits)
                              : are_alike(simulation, initial);
}

/* False if memory is short; orbits need none. */
static bool take_bits(struct simulation *simulation) {
    for (int i = 0; i < 2 && simulation->graphs; i++)
        simulation->dead_nodes[i] = ledger_take(
            simulation->ledger, simulation->graphs[SIDE_CONCRETE].count / 64 + 1, sizeof(uint64_t));
    return !simulation->graphs || simulation->dead_nodes[1];
}

/* If the concrete side moves, all of its nodes have pairs unless it fails, most of them one. */
static void expect_pairs(struct simulation *simulation) {
    if (!simulation->graphs || !simulation->moves[SIDE_CONCRETE]) return;
    uint64_t count = simulation->graphs[SIDE_CONCRETE].count;
    LEDGER_EXPECT(simulation->ledger, simulation->pairs, count + count / SPARE);
}

/* SIMULATION_UNKNOWN at a limit, which the ledger says. */
enum simulation_outcome simulation_run(struct simulation *simulation) {
    assert(!simulation->table_size);
    simulation->next_progress = clock_seconds() + 1;
    if (!take_bits(simulation) || !make_table(simulation) || add_pair(simulation, NULL) == NONE)
        return SIMULATION_UNKNOWN;
    expect_pairs(simulation);
    bool is_alike = simulation_starts_alike(simulation);
    bool stores = simulation->orbits || !is_alike; /* to look at an orbit again takes long */
    if (stores && !store_needs(simulation, 0)) return SIMULATION_UNKNOWN;
    if (!is_alike) die(simulation, 0);
    return settle(simulation, 0, 0);
}

/* Whether time may pass in only one node of some pair that is good so far. */
static bool has_mistimed(const struct simulation *simulation) {
    for (uint32_t i = 0; i < simulation->pair_count; i++)
        if (!is_dead(simulation, i) &&
            simulation_timed_side(simulation, &simulation->pairs[i]) != SIDE_COUNT)
            return true;
    return false;
}

enum simulation_outcome simulation_run_timed(struct simulation *simulation) {
    assert(!is_dead(simulation, 0));
    if (!has_mistimed(simulation)) return SIMULATION_HOLDS;
    if (!simulation->has_needs) {
        uint32_t count = simulation->pair_count;
        if (!store_needs(simulation, count)) return SIMULATION_UNKNOWN;
        if (settle(simulation, count, 0) != SIMULATION_HOLDS) return SIMULATION_UNKNOWN;
    }
    uint32_t buried = simulation->dead_count;
    simulation->is_timed = true;
    simulation->held_pairs = simulation->pair_count;
    simulation->held_deaths = simulation->dead_count;
    for (uint32_t i = 0; i < simulation->held_pairs; i++)
        if (simulation_is_mistimed(simulation, &simulation->pairs[i])) die(simulation, i);
    if (!bury(simulation, &buried)) return SIMULATION_UNKNOWN;
    return settle(simulation, simulation->held_pairs, buried);
}

/* Gives its memory back to the ledger; the graphs stay. */
void simulation_close(struct simulation *simulation) {
    struct ledger *ledger = simulation->ledger;
    give_bits(simulation);
    LEDGER_GIVE(ledger, simulation->pairs, simulation->heads, simulation->table, simulation->needs,
                simulation->fates, simulation->deaths);
    *simulation = (struct simulation){.ledger = ledger};
}
