/* See figures.h. */
#include "explore/space/figures.h"

struct exact exact_number(uint64_t value, struct arena *arena) {
    return (struct exact){true, value, arena_printf(arena, "%llu", (unsigned long long)value)};
}

struct figures figures_of(const struct search *search, struct arena *arena) {
    return (struct figures){.states = exact_number(store_count(&search->store), arena),
                            .transitions = exact_number(search->transitions, arena),
                            .deadlocks = exact_number(search->deadlocks, arena),
                            .errors = exact_number(search->errors, arena)};
}
