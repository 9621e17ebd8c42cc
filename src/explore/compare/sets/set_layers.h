/* SET LAYERS - sets of pairs that shrink, as pairs turn out to be bad: each is part of the one
 * before. The first one has all pairs.
 *
 * Lifetime: in the arena given; the sets are held in the diagram until the caller releases them.
 */
#pragma once

#include "base/vec.h"
#include "explore/symbolic/diagram/sets.h"

struct set_layers {
    struct ldd *ldd;
    struct arena *arena;
    uint32_t length; /* of vectors */
    VEC(uint32_t) sets;
};

static inline void set_layers_add(struct set_layers *layers, uint32_t set) {
    ldd_hold(layers->ldd, set);
    VEC_PUSH(layers->arena, &layers->sets, set);
}

/* The first set that does not have a vector; as many as there are sets if all have it. */
static inline uint32_t set_layers_without(const struct set_layers *layers, const uint32_t *vector) {
    uint32_t first = 0, end = layers->sets.count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (set_has(layers->ldd, layers->sets.items[middle], vector, layers->length))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}
