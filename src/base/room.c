#include "base/room.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

static void *resize_in_arena(void *arena, void *items, size_t old_size, size_t size) {
    if (size <= old_size) return items;
    void *more = arena_alloc(arena, size);
    if (old_size) memcpy(more, items, old_size);
    return more;
}

struct memory_source memory_of_arena(struct arena *arena) {
    return (struct memory_source){resize_in_arena, arena};
}

/* With size 0 gives back and returns what means nothing. */
void *memory_resize(const struct memory_source *memory, void *items, size_t old_size, size_t size) {
    if (!items && !size) return NULL;
    if (memory->resize) return memory->resize(memory->context, items, old_size, size);
    if (size) return heap_resize(items, size, 1);
    free(items);
    return NULL;
}

bool memory_room(const struct memory_source *memory, void **items, size_t *capacity, size_t need,
                 size_t size) {
    size_t more = *capacity ? *capacity : FIRST_ROOM;
    if (need <= *capacity) return true;
    while (more < need) more += more / 2;
    assert(more <= SIZE_MAX / size);
    void *resized = memory_resize(memory, *items, *capacity * size, more * size);
    if (!resized) return false;
    *items = resized;
    *capacity = more;
    return true;
}
