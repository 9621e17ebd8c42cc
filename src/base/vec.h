/* VEC - typed vectors that grow inside an arena.
 *
 * Declare one as VEC(int) values = {0}; or name it by typedef/struct. Old storage stays in the
 * arena when a vector grows (at most as much again as the final one).
 */
#pragma once

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        uint32_t count, capacity;                                                                  \
    }

#define VEC_PUSH(arena, vec, ...)                                                                  \
    do {                                                                                           \
        if ((vec)->count == (vec)->capacity)                                                       \
            (vec)->items = vec_grow((arena), (vec)->items, (vec)->count, &(vec)->capacity,         \
                                    sizeof *(vec)->items);                                         \
        (vec)->items[(vec)->count] = (__VA_ARGS__);                                                \
        (vec)->count++;                                                                            \
    } while (0)

/* Makes room for so many more items at once. */
#define VEC_RESERVE(arena, vec, more)                                                              \
    ((vec)->items = vec_reserve((arena), (vec)->items, (vec)->count, &(vec)->capacity, (more),     \
                                sizeof *(vec)->items))

static inline void *vec_grow(struct arena *arena, const void *items, uint32_t count,
                             uint32_t *capacity, size_t size) {
    *capacity = *capacity ? *capacity * 2 : 4;
    void *fresh = arena_array(arena, *capacity, size);
    if (count) memcpy(fresh, items, count * size);
    return fresh;
}

static inline void *vec_reserve(struct arena *arena, void *items, uint32_t count,
                                uint32_t *capacity, uint32_t more, size_t size) {
    if (*capacity - count >= more) return items;
    *capacity = count + more > *capacity * 2 ? count + more : *capacity * 2;
    void *fresh = arena_array(arena, *capacity, size);
    if (count) memcpy(fresh, items, count * size);
    return fresh;
}
