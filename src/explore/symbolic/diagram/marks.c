/* Chains of marks, shared from their ends on. */
#include "explore/symbolic/diagram/marks.h"

#include <assert.h>

/* One chain: MARKS_NONE, which looks at nothing. */
void marks_init(struct marks *marks, struct arena *arena) {
    *marks = (struct marks){.arena = arena};
    map_init(&marks->by_content, arena);
    VEC_PUSH(arena, &marks->items, (struct mark){0}); /* MARKS_NONE */
}

static uint32_t add_mark(struct marks *marks, struct mark mark) {
    uint64_t key = ((uint64_t)mark.level << 2 | (uint64_t)mark.kind) << 32 | mark.next;
    uintptr_t known = (uintptr_t)map_get(&marks->by_content, key);
    assert(mark.level < 1u << 30);
    if (known) return (uint32_t)known;
    uint32_t index = marks->items.count;
    VEC_PUSH(marks->arena, &marks->items, mark);
    map_put(&marks->by_content, key, (void *)(uintptr_t)index);
    return index;
}

uint32_t marks_chain(struct marks *marks, const unsigned char *kinds, uint32_t from,
                     uint32_t count) {
    uint32_t chain = MARKS_NONE;
    for (uint32_t level = count; level-- > from;)
        if (chain != MARKS_NONE || kinds[level] != MARK_SKIP)
            chain = add_mark(marks, (struct mark){level, chain, (enum mark_kind)kinds[level]});
    return chain;
}
