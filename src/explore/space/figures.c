/* See figures.h. */
#include "explore/space/figures.h"

#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>

enum { COUNT_SECONDS = 1, TICK = 1 << 10 }; /* to count states that were not expanded */

struct exact exact_number(uint64_t value, struct arena *arena) {
    return (struct exact){true, value, arena_printf(arena, "%llu", (unsigned long long)value)};
}

struct orbits orbits_of(const struct search *search) {
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

static struct exact sum_of(bool is_known, uint64_t value, struct arena *arena) {
    return is_known ? exact_number(value, arena) : (struct exact){0};
}

struct figures figures_of(const struct search *search, struct arena *arena) {
    bool has_canon = search->program && search->program->canon && search->store.capacity;
    struct orbits orbits = {.states = store_count(&search->store), .is_known = true};
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
