#include "abstract/cells/row_set.h"

#include "base/str.h"

#include <assert.h>

void row_set_init(struct row_set *set, struct arena *arena, uint32_t width) {
    *set = (struct row_set){.arena = arena, .width = width};
    map_init(&set->first, arena);
}

uint32_t row_set_add(struct row_set *set, const int32_t *row) {
    size_t size = set->width * sizeof *row;
    assert(set->rows.count == set->next.count);
    uint64_t key = hash_bytes((const char *)row, size);
    uint32_t first = (uint32_t)(uintptr_t)map_get(&set->first, key);
    for (uint32_t at = first; at; at = set->next.items[at - 1])
        if (!memcmp(set->rows.items[at - 1], row, size)) return at - 1;
    int32_t *copy = ARENA_ARRAY(set->arena, int32_t, set->width + 1);
    memcpy(copy, row, size);
    VEC_PUSH(set->arena, &set->rows, copy);
    VEC_PUSH(set->arena, &set->next, first);
    map_put(&set->first, key, (void *)(uintptr_t)set->rows.count);
    return set->rows.count - 1;
}
