/* STR - slices of bytes, growing text and interned names.
 *
 * Lifetime: a slice borrows its bytes. A buffer owns heap memory until
 *           buffer_close. Interned names live in the interner's arena; two names
 *           are equal if and only if their pointers are.
 */
#pragma once

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

struct str {
    const char *data;
    size_t size; /* bytes */
};

static inline bool char_is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})

struct str str_of(const char *text); /* of a NUL-terminated text; NULL gives the empty slice */
bool str_equal(struct str left, struct str right);
bool str_is(struct str left, const char *text);
bool str_is_blank(struct str text); /* only space, tab, CR, LF */
/* Whether two differ in such characters only. */
bool str_equal_but_space(struct str left, struct str right);
struct str str_trim(struct str text);

struct buffer {
    char *data; /* NUL-terminated once something was added */
    size_t size, capacity;
};

void buffer_close(struct buffer *buffer);
void buffer_add(struct buffer *buffer, const char *bytes, size_t size);
void buffer_add_text(struct buffer *buffer, const char *text);
/* Decimal; and hexadecimal, without 0x. */
void buffer_add_number(struct buffer *buffer, int64_t number);
void buffer_add_hex(struct buffer *buffer, uint64_t number);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* A copy in the arena; the buffer is emptied but keeps its memory. */
char *buffer_take(struct buffer *buffer, struct arena *arena);
/* The same, and the buffer is closed. */
char *buffer_finish(struct buffer *buffer, struct arena *arena);

struct interner {
    struct arena *arena; /* borrowed */
    const char **names;
    uint64_t salt;            /* so that no input is slow to intern in every run */
    uint32_t count, capacity; /* capacity is a power of two */
};

void interner_init(struct interner *interner, struct arena *arena);
const char *intern(struct interner *interner, const char *bytes, size_t size);
/* The interned name, or NULL if it never was interned. */
const char *intern_find(const struct interner *interner, const char *text);
const char *intern_text(struct interner *interner, const char *text);
/* A name that was not interned before, and is now: base, or base and a number. */
const char *intern_fresh(struct interner *interner, const char *base);

uint64_t hash_bytes(const void *bytes, size_t size);
uint64_t hash_mix(uint64_t hash, uint64_t value);
