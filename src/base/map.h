/* MAP - hash map from a 64-bit key (an interned pointer, a packed pair) to a pointer.
 *
 * Lifetime: storage lives in the arena given at map_init; values are borrowed.
 */
#pragma once

#include "base/arena.h"

#include <stdint.h>

struct map_entry {
    uint64_t key;
    void *value; /* NULL marks a free entry, so NULL cannot be stored */
};

struct map {
    struct arena *arena; /* borrowed */
    struct map_entry *entries;
    uint32_t count, capacity;
};

void map_init(struct map *map, struct arena *arena);
void *map_get(const struct map *map, uint64_t key); /* NULL if absent */
void map_put(struct map *map, uint64_t key, void *value);

static inline uint64_t map_key(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }
