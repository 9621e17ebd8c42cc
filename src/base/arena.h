/* ARENA - memory that lives and dies together.
 *
 * Invariants: memory is zeroed; every allocation is aligned for any object.
 * Lifetime:   everything taken from an arena is valid until arena_close.
 * Errors:     running out of memory ends the process, with one message and
 *             status 5 unless it has another way; callers never see NULL.
 */
#pragma once

#include "base/memory.h"

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *head;
    size_t used_size; /* bytes handed out, for statistics */
};

void arena_init(struct arena *arena);
void arena_close(struct arena *arena);
/* Gives back everything but keeps one block for reuse. */
void arena_reset(struct arena *arena);

/* Zeroed memory of the given size in bytes (size 0 gives a valid pointer). */
void *arena_alloc(struct arena *arena, size_t size);

/* Zeroed memory for count items of the given size; the product is checked. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A NUL-terminated copy of size bytes. */
char *arena_copy(struct arena *arena, const char *bytes, size_t size);

/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_array((arena), (count), sizeof(type)))

/* Heap memory that a pass grows and frees itself; ends the process if there is none. */
void *heap_resize(void *memory, size_t count, size_t size);
