#include "explore/space/figures.h"

#include "explore/space/orbits.h"

struct exact exact_number(uint64_t value, struct arena *arena) {
    return (struct exact){true, value, arena_printf(arena, "%llu", (unsigned long long)value)};
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
