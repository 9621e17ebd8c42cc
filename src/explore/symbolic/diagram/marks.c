/* Chains of marks, shared from their ends on. */
#include "explore/symbolic/diagram/marks.h"

#include <assert.h>

/* One chain: MARKS_NONE, which looks at nothing. */
void marks_init(struct marks *marks, struct arena *arena) {
    *marks = (struct marks){.arena = arena};
    VEC_PUSH(arena, &marks->items, (struct mark){0}); /* MARKS_NONE */
    VEC_PUSH(arena, &marks->before, (struct marks_before){{0}});
}

static uint32_t add_mark(struct marks *marks, struct mark mark) {
    assert(mark.next == MARKS_NONE || marks->items.items[mark.next].level == mark.level + 1);
    while (marks->last.count <= mark.level)
        VEC_PUSH(marks->arena, &marks->last, (struct marks_before){{0}});
    struct marks_before *before =
        mark.next == MARKS_NONE ? &marks->last.items[mark.level] : &marks->before.items[mark.next];
    uint32_t index = before->of[mark.kind];
    if (index != MARKS_NONE) return index;
    index = before->of[mark.kind] = marks->items.count;
    VEC_PUSH(marks->arena, &marks->items, mark);
    VEC_PUSH(marks->arena, &marks->before, (struct marks_before){{0}});
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

uint32_t marks_from_first(struct marks *marks, uint32_t chain) {
    if (chain == MARKS_NONE) return chain;
    for (uint32_t level = marks->items.items[chain].level; level-- > 0;)
        chain = add_mark(marks, (struct mark){level, chain, MARK_SKIP});
    return chain;
}
