/* The greatest set of good pairs: pairs are refuted until none is left to be. */
#include "explore/compare/simulate.h"

#include "base/clock.h"
#include "base/debug.h"
#include "explore/compare/pair_look.h"

#include <assert.h>
#include <string.h>

enum {
    TICK = 1 << 12,
    FIRST_CAPACITY = 1 << 10,
    LINE = 1 << 2, /* entries of the table that are looked at together */
    MAX_STEPS = (1 << 30) - 1
};
#define NONE UINT32_MAX

/* Memory */

/* Numbers have 32 bits. */
static bool give_up(struct simulation *simulation) {
    simulation->ledger->limit = LIMIT_MEMORY;
    return false;
}

/* Pairs by their nodes: those of a concrete node are where the nodes with numbers near it have
 * theirs, as long as there is room, for pairs come up in that order. */

static uint32_t line_of(const struct simulation *simulation, const uint32_t *nodes) {
    uint64_t lines = simulation->table_size / LINE;
    uint64_t line = nodes[0] * lines / simulation->graphs[SIDE_CONCRETE].count;
    assert(line < lines);
    return (uint32_t)line * LINE;
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

/* The entry of a pair, or the free one where it belongs. None becomes free again, so that a line
 * that was full stays so. */
static uint32_t *entry_of(const struct simulation *simulation, const uint32_t *nodes) {
    assert(simulation->pair_count < simulation->table_size); /* some entry is free */
    uint32_t *line = simulation->table + line_of(simulation, nodes);
    for (uint32_t i = 0; i < LINE; i++)
        if (is_entry_of(simulation, line[i], nodes)) return &line[i];
    uint32_t at = hash_nodes(simulation, nodes);
    while (!is_entry_of(simulation, simulation->table[at], nodes))
        at = (at + 1) & (simulation->table_size - 1);
    return &simulation->table[at];
}

static bool grow_table(struct simulation *simulation) {
    if (simulation->orbits) return true; /* they have a store */
    uint32_t old = simulation->table_size, size = old ? old * 2 : FIRST_CAPACITY * 2;
    while (!old && size && size / 8 * 5 < simulation->graphs[SIDE_CONCRETE].count) size *= 2;
    if (size < old || !size) return give_up(simulation);
    uint32_t *table = ledger_take(simulation->ledger, size, sizeof *table);
    if (!table) return false;
    LEDGER_GIVE(simulation->ledger, simulation->table);
    simulation->table = table;
    simulation->table_size = size;
    for (uint32_t i = 0; i < simulation->pair_count; i++)
        *entry_of(simulation, simulation->pairs[i].nodes) = i + 1;
    return true;
}

static uint32_t find_pair(const struct simulation *simulation, const uint32_t *nodes) {
    if (simulation->orbits) return pair_orbits_find(simulation->orbits, nodes);
    return *entry_of(simulation, nodes) - 1; /* NONE if it is not there */
}

static bool are_alike(const struct simulation *simulation, const uint32_t *nodes) {
    return simulation->graphs[SIDE_CONCRETE].classes[nodes[0]] ==
           simulation->graphs[SIDE_ABSTRACT].classes[nodes[1]];
}

static bool is_dead(const struct simulation *simulation, uint32_t number) {
    assert(number < simulation->pair_count);
    return simulation->has_needs ? simulation->fates[number].died
                                 : number == simulation->first_dead;
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
    return (simulation->orbits || number < simulation->table_size / 8 * 5 ||
            grow_table(simulation)) &&
           LEDGER_ROOM(simulation->ledger, simulation->pairs, (size_t)number + 1) &&
           (!simulation->has_needs || make_room_for_fates(simulation, (size_t)number + 1));
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
    simulation->pair_count++;
    return number;
}

/* Needs */

/* The first one waits for store_needs. */
static void die(struct simulation *simulation, uint32_t number) {
    if (is_dead(simulation, number)) return;
    if (!simulation->has_needs) {
        assert(simulation->first_dead == NONE);
        simulation->first_dead = number;
        return;
    }
    assert(simulation->dead_count < simulation->pair_count);
    simulation->deaths[simulation->dead_count++] = number;
    simulation->fates[number].died = simulation->dead_count;
}

/* Looks at a pair; false at a limit. */
static bool look_at(struct simulation *simulation, uint32_t number, struct pair_look *look) {
    struct pair_orbits *orbits = simulation->orbits;
    struct pair *pair = &simulation->pairs[number];
    if (!orbits) {
        *look = look_of_graphs(simulation->graphs, pair->nodes);
        return true;
    }
    if (!pair_orbits_look(orbits, number)) return false;
    for (int side = 0; side < SIDE_COUNT; side++) pair->nodes[side] = orbits->sides[side].can_idle;
    *look = look_of_orbits(orbits);
    return true;
}

static void join(uint32_t nodes[SIDE_COUNT], enum side side, uint32_t node, uint32_t choice) {
    nodes[side] = node;
    nodes[other_side(side)] = choice;
}

/* A pair among the choices that is there already and not bad, or NONE. */
static uint32_t known_choice(const struct simulation *simulation, const struct need *need) {
    for (uint32_t i = 0; i < need->choices.count; i++) {
        uint32_t nodes[SIDE_COUNT];
        join(nodes, need->side, need->node, need->choices.nodes[i]);
        uint32_t pair = find_pair(simulation, nodes);
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
        join(nodes, need->side, need->node, need->choices.nodes[(place + i) % count]);
        *pair = find_pair(simulation, nodes);
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
static enum side timed_side(const struct simulation *simulation, const struct pair *pair) {
    bool can_idle[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++)
        can_idle[side] = simulation->orbits
                             ? pair->nodes[side]
                             : graph_can_idle(&simulation->graphs[side], pair->nodes[side]);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (simulation->moves[side] && can_idle[side] && !can_idle[!side]) return (enum side)side;
    return SIDE_COUNT;
}

static bool is_mistimed(const struct simulation *simulation, const struct pair *pair) {
    return simulation->is_timed && timed_side(simulation, pair) != SIDE_COUNT;
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
    if (!look_at(simulation, number, &group.look)) return false;
    if (is_mistimed(simulation, &simulation->pairs[number]) ||
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

/* From now on needs are stored, those of the first pairs at once, one of which is found to be bad
 * again: false at a limit. */
static bool store_needs(struct simulation *simulation, uint32_t count) {
    assert(!simulation->has_needs && count <= simulation->pair_count);
    if (!make_room_for_fates(simulation, (size_t)simulation->pair_count + 1)) return false;
    for (uint32_t i = 0; i < simulation->pair_count; i++)
        simulation->fates[i] = (struct fate){.needs = NONE};
    simulation->has_needs = true;
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
    if (!look_at(simulation, owner, &look)) return false;
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
    simulation->first_dead = NONE;
    simulation->moves[SIDE_CONCRETE] = mode != SIMULATE_MUST;
    simulation->moves[SIDE_ABSTRACT] = mode != SIMULATE_MAY;
}

/* Looks at the pairs from the first on until no more are made. */
static enum simulation_outcome settle(struct simulation *simulation, uint32_t first,
                                      uint32_t buried) {
    assert(first <= simulation->pair_count && buried <= simulation->dead_count);
    for (uint32_t i = first; i < simulation->pair_count && !is_dead(simulation, 0); i++) {
        if (i % TICK == 0) {
            if (!ledger_has_time(simulation->ledger)) return SIMULATION_UNKNOWN;
            show_progress(simulation);
        }
        if (!expand(simulation, i)) return SIMULATION_UNKNOWN;
        bool is_first = !simulation->has_needs && simulation->first_dead != NONE;
        if (is_first && !store_needs(simulation, i + 1)) return SIMULATION_UNKNOWN;
        if (!bury(simulation, &buried)) return SIMULATION_UNKNOWN;
    }
    return is_dead(simulation, 0) ? SIMULATION_FAILS : SIMULATION_HOLDS;
}

/* Whether the initial states look the same. */
static bool starts_alike(const struct simulation *simulation) {
    static const uint32_t initial[SIDE_COUNT];
    return simulation->orbits ? pair_orbits_start_alike(simulation->orbits)
                              : are_alike(simulation, initial);
}

/* SIMULATION_UNKNOWN at a limit, which the ledger says. */
enum simulation_outcome simulation_run(struct simulation *simulation) {
    assert(!simulation->table_size);
    simulation->next_progress = clock_seconds() + 1;
    if (!grow_table(simulation) || add_pair(simulation, NULL) == NONE) return SIMULATION_UNKNOWN;
    bool is_alike = starts_alike(simulation);
    bool stores = simulation->orbits || !is_alike; /* to look at an orbit again takes long */
    if (stores && !store_needs(simulation, 0)) return SIMULATION_UNKNOWN;
    if (!is_alike) die(simulation, 0);
    return settle(simulation, 0, 0);
}

enum simulation_outcome simulation_run_timed(struct simulation *simulation) {
    assert(!is_dead(simulation, 0));
    const struct graph *graphs = simulation->graphs;
    if (graphs && !graphs[SIDE_CONCRETE].can_idle && !graphs[SIDE_ABSTRACT].can_idle)
        return SIMULATION_HOLDS;
    uint32_t buried = simulation->dead_count;
    simulation->is_timed = true;
    simulation->held_pairs = simulation->pair_count;
    simulation->held_deaths = simulation->dead_count;
    for (uint32_t i = 0; i < simulation->held_pairs; i++) {
        if (!is_mistimed(simulation, &simulation->pairs[i])) continue;
        if (!simulation->has_needs && !store_needs(simulation, simulation->held_pairs))
            return SIMULATION_UNKNOWN;
        die(simulation, i);
    }
    if (!bury(simulation, &buried)) return SIMULATION_UNKNOWN;
    return settle(simulation, simulation->held_pairs, buried);
}

/* Gives its memory back to the ledger; the graphs stay. */
void simulation_close(struct simulation *simulation) {
    struct ledger *ledger = simulation->ledger;
    LEDGER_GIVE(ledger, simulation->pairs, simulation->table, simulation->needs, simulation->fates,
                simulation->deaths);
    *simulation = (struct simulation){.ledger = ledger};
}

/* Refutation */

/* A step of a bad pair, and of what follows it the pair that died first. */
struct reason {
    bool is_found, is_silent;
    enum side side;
    uint32_t node, choices;
    uint32_t choice; /* NONE if there are no choices */
    uint32_t died;   /* of the choice; 0 likewise */
};

/* Whether a pair is known to be good but for time. */
static bool has_held(const struct simulation *simulation, uint32_t pair) {
    return pair < simulation->held_pairs && simulation->fates[pair].died > simulation->held_deaths;
}

/* Whether all choices of a step, which is silent if the reason says so, were bad before the pair
 * was. Where time is compared, the one that is taken was good before: a pair that was good had bet
 * on such a one for every step. */
static bool explain(const struct simulation *simulation, const struct pair_look *look,
                    uint32_t deadline, enum side side, uint32_t node, struct reason *reason) {
    struct node_list choices = choices_of(look, side, node, reason->is_silent);
    *reason = (struct reason){true, reason->is_silent, side, node, choices.count, NONE, 0};
    for (uint32_t i = 0; i < choices.count; i++) {
        uint32_t nodes[SIDE_COUNT];
        join(nodes, side, node, choices.nodes[i]);
        uint32_t found = find_pair(simulation, nodes);
        uint32_t died = found == NONE ? 0 : simulation->fates[found].died;
        if (!died || died >= deadline) return false;
        if (reason->choice != NONE && reason->died < died) continue;
        if (simulation->is_timed && !has_held(simulation, found)) continue;
        reason->choice = choices.nodes[i];
        reason->died = died;
    }
    return true;
}

/* Why a pair that died at a time is bad: if possible, a step that nothing follows. */
static struct reason reason_of(const struct simulation *simulation, const struct pair_look *look,
                               uint32_t died) {
    struct reason best = {0};
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct node_list list = look->lists[side];
        for (uint32_t i = 0; simulation->moves[side] && i < list.count; i++)
            for (int kind = STEP_SEEN; kind <= STEP_SILENT; kind++) {
                struct reason reason = {.is_silent = kind == STEP_SILENT};
                if (is_step(look, side, list.nodes + i, (uint8_t)kind) &&
                    explain(simulation, look, died, (enum side)side, list.nodes[i], &reason) &&
                    (!best.is_found || reason.died < best.died))
                    best = reason;
            }
    }
    assert(best.is_found && (!simulation->is_timed || best.choice != NONE));
    return best;
}

/* The pair that a duel has come to, whose orbit is a stored one. */
struct stand {
    uint32_t number, nodes[SIDE_COUNT];
    struct pair_look look;
};

static bool begin_stand(struct simulation *simulation, struct stand *stand) {
    *stand = (struct stand){0};
    if (!simulation->orbits) return look_at(simulation, 0, &stand->look);
    if (!pair_orbits_look_initial(simulation->orbits)) return false;
    stand->look = look_of_orbits(simulation->orbits);
    return true;
}

/* The step to a node, or its place among all steps. */
static uint32_t step_of(const struct simulation *simulation, int side, uint32_t node) {
    return simulation->orbits ? simulation->orbits->sides[side].nodes[node].step : node;
}

/* Goes on to the pair of the nodes that a reason names; false at a limit. */
static bool move_stand(struct simulation *simulation, struct stand *stand,
                       const struct reason *reason) {
    uint32_t next[SIDE_COUNT];
    join(next, reason->side, reason->node, reason->choice);
    uint32_t died = simulation->fates[stand->number].died;
    stand->number = find_pair(simulation, next);
    assert(stand->number != NONE);
    assert(simulation->fates[stand->number].died); /* and sooner, so that the duel ends */
    assert(simulation->fates[stand->number].died < died);
    (void)died;
    for (int side = 0; side < SIDE_COUNT; side++)
        stand->nodes[side] = step_of(simulation, side, next[side]);
    if (!simulation->orbits) return look_at(simulation, stand->number, &stand->look);
    if (!pair_orbits_look_at(simulation->orbits, next)) return false;
    stand->look = look_of_orbits(simulation->orbits);
    return true;
}

/* The states of the pair that was come to, of orbits. */
static void keep_last(const struct simulation *simulation, struct duel *duel, struct arena *arena) {
    for (int side = 0; side < SIDE_COUNT && simulation->orbits; side++) {
        const struct pair_side *own = &simulation->orbits->sides[side];
        uint64_t *copy = layout_state(own->search->layout, arena);
        memcpy(copy, own->state, own->words * sizeof *copy);
        duel->last[side] = copy;
    }
}

bool simulation_refute(struct simulation *simulation, struct duel *duel, struct arena *arena) {
    VEC(uint32_t) nodes[SIDE_COUNT] = {{0}};
    VEC(struct duel_step) steps = {0};
    struct stand stand;
    *duel = (struct duel){.is_initial = !starts_alike(simulation)};
    if (!begin_stand(simulation, &stand)) return false;
    for (;;) {
        const struct pair *pair = &simulation->pairs[stand.number];
        uint32_t died = simulation->fates[stand.number].died;
        assert(died);
        for (int side = 0; side < SIDE_COUNT; side++)
            VEC_PUSH(arena, &nodes[side], stand.nodes[side]);
        duel->is_timed = is_mistimed(simulation, pair);
        if (duel->is_timed) duel->mover = timed_side(simulation, pair);
        if (duel->is_initial || duel->is_timed) break;
        struct reason reason = reason_of(simulation, &stand.look, died);
        duel->mover = reason.side;
        duel->target = step_of(simulation, (int)reason.side, reason.node);
        if (reason.choice == NONE) break;
        VEC_PUSH(arena, &steps, (struct duel_step){reason.side, reason.is_silent, reason.choices});
        if (!move_stand(simulation, &stand, &reason)) return false;
    }
    keep_last(simulation, duel, arena);
    duel->count = nodes[SIDE_CONCRETE].count;
    for (int side = 0; side < SIDE_COUNT; side++) duel->nodes[side] = nodes[side].items;
    duel->steps = steps.items;
    return true;
}
