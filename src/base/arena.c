#include "base/arena.h"

#include <assert.h>
#include <malloc.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 4 * 1024, LARGEST_BLOCK = 1024 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t used, capacity;
    alignas(max_align_t) char bytes[];
};

/* No memory yet: the first allocation takes it. */
void arena_init(struct arena *arena) { *arena = (struct arena){0}; }

/* All that was allocated is gone; the arena may be used again. */
void arena_close(struct arena *arena) {
    struct arena_block *block = arena->head;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (struct arena){0};
}

void arena_reset(struct arena *arena) {
    struct arena_block *keep = arena->head;
    if (!keep || keep->capacity > LARGEST_BLOCK) {
        arena_close(arena);
        return;
    }
    arena->head = keep->next;
    arena_close(arena);
    memset(keep->bytes, 0, keep->used);
    keep->used = 0;
    keep->next = NULL;
    arena->head = keep;
}

void *arena_alloc(struct arena *arena, size_t size) {
    const size_t unit = alignof(max_align_t);
    if (size > SIZE_MAX / 2) memory_is_over();
    size = (size + unit - 1) / unit * unit;
    struct arena_block *block = arena->head;
    if (!block || block->capacity - block->used < size) {
        size_t regular = FIRST_BLOCK; /* blocks grow with what is in use already */
        while (regular < LARGEST_BLOCK && regular < arena->used_size) regular *= 2;
        size_t capacity = size > regular / 4 ? size : regular;
        memory_take(sizeof *block + capacity);
        struct arena_block *fresh = calloc(1, sizeof *fresh + capacity);
        if (!fresh) memory_is_over();
        memory_taken(fresh, capacity);
        fresh->capacity = capacity;
        if (block && capacity != regular) { /* keep filling the current block */
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->head = fresh;
        }
        block = fresh;
    }
    void *memory = block->bytes + block->used;
    block->used += size;
    arena->used_size += size;
    return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) memory_is_over();
    return arena_alloc(arena, count * size);
}

char *arena_copy(struct arena *arena, const char *bytes, size_t size) {
    char *copy = arena_alloc(arena, size + 1);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

/* The arguments are consumed, as by vprintf. */
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    assert(size >= 0);
    char *text = arena_alloc(arena, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

void *heap_resize(void *memory, size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) memory_is_over();
    size_t before = memory ? malloc_usable_size(memory) : 0;
    if (count * size > before) memory_take(count * size - before);
    void *fresh = realloc(memory, count && size ? count * size : 1);
    if (!fresh) memory_is_over();
    memory_taken(fresh, count * size);
    return fresh;
}
