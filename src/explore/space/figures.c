#include "explore/space/figures.h"

#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>

enum { COUNT_SECONDS = 1, TICK = 1 << 10 }; /* to count states that were not expanded */

struct orbits {
    uint64_t count, states; /* that are stored, and all states of these */
    bool is_known; /* else some orbit may be stored more than once, or there are too many */
};

/* Of a search with a canon; its store is there. Counting ends at a limit of time. */
static struct orbits orbits_of(const struct search *search) {
    const struct store *store = &search->store;
    struct orbits orbits = {.is_known = true};
    struct canon_work work;
    double end_time = clock_seconds() + COUNT_SECONDS;
    assert(search->program && search->program->canon);
    if (search->is_complete)
        return (struct orbits){store_count(store), search->orbit_states, !search->has_large_counts};
    canon_work_init(&work, search->program->canon);
    uint64_t *state = layout_state(search->layout, NULL);
    uint32_t end = atomic_load(&((struct search *)search)->store.next);
    for (uint32_t row = store_skip(store, 0); row < end; row = store_skip(store, row + 1)) {
        store_load(store, row, state);
        uint64_t size = canon_orbit_size(&work, state);
        orbits.count++;
        if (orbits.count % TICK == 0 && clock_seconds() > end_time) {
            orbits.count = store_count(store);
            orbits.is_known = false;
            break;
        }
        if (__builtin_add_overflow(orbits.states, size, &orbits.states)) orbits.is_known = false;
    }
    orbits.is_known &= !work.is_cut;
    canon_work_close(&work);
    free(state);
    return orbits;
}

/* Adds a state to a table that has room and no other marks; true if it was not there. */
static bool add(uint64_t *table, bool *is_taken, uint64_t capacity, uint64_t hash,
                const uint64_t *state, uint32_t words) {
    uint64_t place = hash & (capacity - 1);
    while (is_taken[place]) {
        if (!memcmp(table + place * words, state, words * sizeof *state)) return false;
        place = (place + 1) & (capacity - 1);
    }
    is_taken[place] = true;
    memcpy(table + place * words, state, words * sizeof *state);
    return true;
}

uint64_t orbits_among(struct search *search, const struct symmetry *symmetry) {
    const struct store *store = &search->store;
    uint32_t words = search->layout->stored_words, end = atomic_load(&search->store.next);
    uint64_t capacity = 16, count = 0;
    struct canon_work work;
    assert(!search->program->canon && search->is_profile);
    while (capacity < (uint64_t)end * 2) capacity *= 2;
    canon_work_init(&work, canon_new(&search->arena, search->layout, symmetry));
    uint64_t *table = heap_resize(NULL, capacity * words, sizeof *table);
    bool *is_taken = heap_resize(NULL, capacity, sizeof *is_taken);
    memset(is_taken, 0, capacity * sizeof *is_taken);
    uint64_t *state = layout_state(search->layout, NULL);
    for (uint32_t row = store_skip(store, 0); row < end; row = store_skip(store, row + 1)) {
        store_load(store, row, state);
        canon_apply(&work, state);
        count += add(table, is_taken, capacity, store_hash(store, state), state, words);
    }
    if (work.is_cut) count = 0;
    canon_work_close(&work);
    free(table);
    free(is_taken);
    free(state);
    return count;
}

/* Figures */

struct exact exact_number(uint64_t value, struct arena *arena) {
    return (struct exact){true, value, arena_printf(arena, "%llu", (unsigned long long)value)};
}

static struct exact sum_of(bool is_known, uint64_t value, struct arena *arena) {
    return is_known ? exact_number(value, arena) : (struct exact){0};
}

struct figures figures_of(const struct search *search, struct arena *arena) {
    bool has_canon = search->program && search->program->canon && search->store.capacity;
    struct orbits orbits = {.states = store_count(&search->store), .is_known = true};
    if (search->is_ahead) orbits.states = search->max_states;
    if (has_canon) orbits = orbits_of(search);
    bool is_known = orbits.is_known && !search->has_large_counts;
    return (struct figures){.states = sum_of(orbits.is_known, orbits.states, arena),
                            .transitions = sum_of(is_known, search->transitions, arena),
                            .deadlocks = sum_of(is_known, search->deadlocks, arena),
                            .errors = sum_of(is_known, search->errors, arena),
                            .has_orbits = has_canon,
                            .are_orbits_exact = !has_canon || orbits.is_known,
                            .orbits = orbits.count};
}
