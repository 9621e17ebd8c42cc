#include "explore/compare/pairs/pair_orbits.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_SECONDS = 1, TICK = 1 << 10 }; /* to count pairs */

/* ---- both states in one ---- */

/* Fields as the cells of both models: those of the abstract one come after. */
static const struct layout *join_layouts(struct pair_orbits *orbits) {
    struct layout *joined = ARENA_NEW(&orbits->arena, struct layout);
    const struct layout *own[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        own[side] = orbits->sides.of[side].search->layout;
        joined->field_count += own[side]->field_count;
        joined->stored_words += own[side]->stored_words;
    }
    joined->word_count = joined->stored_words;
    joined->stored_bytes = joined->stored_words * (uint32_t)sizeof(uint64_t);
    joined->fields = ARENA_ARRAY(&orbits->arena, struct packed, joined->field_count + 1);
    joined->initial = ARENA_ARRAY(&orbits->arena, uint64_t, joined->stored_words + 1);
    for (int side = 0, field = 0, word = 0; side < SIDE_COUNT; side++) {
        for (uint32_t i = 0; i < own[side]->field_count; i++, field++) {
            joined->fields[field] = own[side]->fields[i];
            joined->fields[field].word += (uint32_t)word;
        }
        memcpy(joined->initial + word, own[side]->initial,
               own[side]->stored_words * sizeof(uint64_t));
        word += (int)own[side]->stored_words;
    }
    return joined;
}

static void join_states(const struct pair_orbits *orbits, const uint64_t *const states[SIDE_COUNT],
                        uint64_t *pair) {
    uint32_t words = orbits->sides.of[SIDE_CONCRETE].words;
    memcpy(pair, states[SIDE_CONCRETE], words * sizeof *pair);
    memcpy(pair + words, states[SIDE_ABSTRACT],
           orbits->sides.of[SIDE_ABSTRACT].words * sizeof *pair);
}

static void join_nodes(const struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT],
                       uint64_t *pair) {
    const uint64_t *states[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        assert(nodes[side] < orbits->sides.of[side].count);
        states[side] = orbits->sides.of[side].nodes[nodes[side]].state;
    }
    join_states(orbits, states, pair);
}

/* ---- begin and end ---- */

bool pair_orbits_init(struct pair_orbits *orbits, const struct joint_symmetry *joint,
                      const struct view *view, const struct search *const searches[SIDE_COUNT],
                      bool is_stuttering, struct ledger *ledger) {
    *orbits = (struct pair_orbits){.ledger = ledger, .row = PAIR_NONE};
    orbits->sides =
        (struct pair_sides){.view = view, .ledger = ledger, .is_stuttering = is_stuttering};
    arena_init(&orbits->arena);
    for (int side = 0; side < SIDE_COUNT; side++)
        assert(searches[side]->is_complete && searches[side]->program->canon);
    pair_sides_open(&orbits->sides, searches);
    const struct layout *layout = join_layouts(orbits);
    orbits->words = layout->stored_words;
    orbits->pair = heap_resize(NULL, orbits->words + 1, sizeof *orbits->pair);
    orbits->other = heap_resize(NULL, orbits->words + 1, sizeof *orbits->other);
    canon_work_init(&orbits->work, canon_new(&orbits->arena, layout, joint->both));
    bool is_fine = store_init(&orbits->store, layout, ledger_left(ledger), 0);
    if (!is_fine) ledger->limit = LIMIT_MEMORY;
    ledger->stores[SIDE_COUNT] = &orbits->store;
    return is_fine;
}

void pair_orbits_close(struct pair_orbits *orbits) {
    struct ledger *ledger = orbits->ledger;
    ledger_fits(ledger, 0); /* notes the peak */
    pair_sides_close(&orbits->sides);
    ledger->stores[SIDE_COUNT] = NULL;
    store_close(&orbits->store);
    canon_work_close(&orbits->work);
    arena_close(&orbits->arena);
    free(orbits->pair);
    free(orbits->other);
}

/* ---- rows ---- */

/* The row of the current pair, which becomes canonical. */
static uint32_t row_of(struct pair_orbits *orbits, bool is_added) {
    bool is_new;
    canon_apply(&orbits->work, orbits->other);
    uint64_t hash = store_hash(&orbits->store, orbits->other);
    if (!is_added) {
        uint32_t row = store_find(&orbits->store, orbits->other, hash);
        return row == STORE_FULL ? PAIR_NONE : row;
    }
    if (!ledger_refill(orbits->ledger, &orbits->store, &orbits->shelf)) return PAIR_NONE;
    return store_add(&orbits->store, &orbits->shelf, orbits->other, hash, &is_new);
}

static void take_initial(const struct pair_orbits *orbits, uint64_t *pair) {
    const uint64_t *states[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++)
        states[side] = orbits->sides.of[side].search->layout->initial;
    join_states(orbits, states, pair);
}

bool pair_orbits_start_alike(const struct pair_orbits *orbits) {
    return pair_sides_start_alike(&orbits->sides);
}

uint32_t pair_orbits_add_initial(struct pair_orbits *orbits) {
    take_initial(orbits, orbits->other);
    return row_of(orbits, true);
}

uint32_t pair_orbits_find(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]) {
    join_nodes(orbits, nodes, orbits->other);
    return row_of(orbits, false);
}

uint32_t pair_orbits_add(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]) {
    join_nodes(orbits, nodes, orbits->other);
    return row_of(orbits, true);
}

/* ---- looks ---- */

/* Looks at the pair as it is. */
static bool look(struct pair_orbits *orbits) {
    const uint64_t *states[SIDE_COUNT] = {orbits->pair,
                                          orbits->pair + orbits->sides.of[SIDE_CONCRETE].words};
    canon_base(&orbits->work, orbits->pair);
    return pair_sides_look(&orbits->sides, states);
}

bool pair_orbits_look(struct pair_orbits *orbits, uint32_t row) {
    assert(row != PAIR_NONE);
    if (orbits->row == row) return true;
    orbits->row = PAIR_NONE;
    store_load(&orbits->store, row, orbits->pair);
    if (!look(orbits)) return false;
    orbits->row = row;
    return true;
}

bool pair_orbits_look_initial(struct pair_orbits *orbits) {
    orbits->row = PAIR_NONE;
    take_initial(orbits, orbits->pair);
    return look(orbits);
}

bool pair_orbits_look_at(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]) {
    orbits->row = PAIR_NONE;
    join_nodes(orbits, nodes, orbits->pair);
    return look(orbits);
}

bool pair_orbits_size(struct pair_orbits *orbits, uint64_t *pairs) {
    uint32_t end = (uint32_t)store_count(&orbits->store) - (orbits->shelf.end - orbits->shelf.next);
    double end_time = clock_seconds() + COUNT_SECONDS;
    *pairs = 0;
    for (uint32_t row = 0; row < end; row++) {
        if (row % TICK == 0 && clock_seconds() > end_time) return false;
        store_load(&orbits->store, row, orbits->other);
        uint64_t size = canon_orbit_size(&orbits->work, orbits->other);
        if (__builtin_add_overflow(*pairs, size, pairs)) return false;
    }
    return !orbits->work.is_cut;
}
