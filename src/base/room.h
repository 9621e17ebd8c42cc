/* ROOM - where a growing table takes its memory from: the heap, an arena, or an account with a
 * limit.
 *
 * Errors: an account may refuse and notes that itself; the heap and an arena never do (arena.h).
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

struct memory_source {
    /* Memory of another size, with what was in it; NULL if it is refused, with the memory as it
     * was. It is given back by size 0. NULL: the heap. */
    void *(*resize)(void *context, void *memory, size_t old_size, size_t size);
    void *context;
};

/* Borrows the arena. */
struct memory_source memory_of_arena(struct arena *arena);

void *memory_resize(const struct memory_source *memory, void *items, size_t old_size, size_t size);

/* Grows an array to at least so many items of the size, by half or more; false if it is refused. */
bool memory_room(const struct memory_source *memory, void **items, size_t *capacity, size_t need,
                 size_t size);
