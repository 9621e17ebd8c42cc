#include "base/map.h"

#include "base/str.h"

#include <assert.h>

/* Empty; it takes memory of the arena when something is put in. */
void map_init(struct map *map, struct arena *arena) { *map = (struct map){.arena = arena}; }

static struct map_entry *map_slot(const struct map *map, uint64_t key) {
    assert(map->count < map->capacity); /* a search ends at a free entry */
    uint32_t mask = map->capacity - 1;
    uint32_t i = (uint32_t)(hash_mix(0, key) >> 20) & mask;
    while (map->entries[i].value && map->entries[i].key != key) i = (i + 1) & mask;
    return &map->entries[i];
}

/* The last pointer put in for the key. */
void *map_get(const struct map *map, uint64_t key) {
    return map->capacity ? map_slot(map, key)->value : NULL;
}

void map_put(struct map *map, uint64_t key, void *value) {
    assert(value);
    if (map->count * 2 >= map->capacity) {
        struct map old = *map;
        map->capacity = old.capacity ? old.capacity * 2 : 16;
        map->entries = ARENA_ARRAY(map->arena, struct map_entry, map->capacity);
        for (uint32_t i = 0; i < old.capacity; i++)
            if (old.entries[i].value) *map_slot(map, old.entries[i].key) = old.entries[i];
    }
    struct map_entry *entry = map_slot(map, key);
    if (!entry->value) map->count++;
    *entry = (struct map_entry){key, value};
}
