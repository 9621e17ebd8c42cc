#include "base/str.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Borrows the text. */
struct str str_of(const char *text) {
    return text ? (struct str){text, strlen(text)} : (struct str){"", 0};
}

bool str_equal(struct str left, struct str right) {
    return left.size == right.size && (!left.size || !memcmp(left.data, right.data, left.size));
}

/* Whether the slice has these bytes and no more. */
bool str_is(struct str left, const char *text) { return str_equal(left, str_of(text)); }

struct str str_trim(struct str text) {
    while (text.size && char_is_space(text.data[0])) text.data++, text.size--;
    while (text.size && char_is_space(text.data[text.size - 1])) text.size--;
    return text;
}

/* True for the empty slice. */
bool str_is_blank(struct str text) { return !str_trim(text).size; }

bool str_equal_but_space(struct str left, struct str right) {
    size_t i = 0, k = 0;
    for (;;) {
        while (i < left.size && char_is_space(left.data[i])) i++;
        while (k < right.size && char_is_space(right.data[k])) k++;
        if (i == left.size || k == right.size) return i == left.size && k == right.size;
        if (left.data[i++] != right.data[k++]) return false;
    }
}

/* Frees the bytes; the buffer is empty and may be used again. */
void buffer_close(struct buffer *buffer) {
    free(buffer->data);
    *buffer = (struct buffer){0};
}

static void buffer_reserve(struct buffer *buffer, size_t more) {
    size_t need = buffer->size + more + 1;
    if (need <= buffer->capacity) return;
    size_t capacity = buffer->capacity ? buffer->capacity : 64;
    assert(need > buffer->size); /* no sum of sizes is beyond what memory holds */
    while (capacity < need) capacity *= 2;
    buffer->data = heap_resize(buffer->data, capacity, 1);
    buffer->capacity = capacity;
}

/* The bytes must not lie in the buffer itself. */
void buffer_add(struct buffer *buffer, const char *bytes, size_t size) {
    buffer_reserve(buffer, size);
    if (size) memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
    buffer->data[buffer->size] = 0;
}

/* Without the NUL; there is always one after the last byte. */
void buffer_add_text(struct buffer *buffer, const char *text) {
    buffer_add(buffer, text, strlen(text));
}

static void add_digits(struct buffer *buffer, uint64_t number, unsigned base, bool is_negative) {
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number);
    if (is_negative) digits[--at] = '-';
    buffer_add(buffer, digits + at, sizeof digits - at);
}

void buffer_add_number(struct buffer *buffer, int64_t number) {
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    add_digits(buffer, size, 10, number < 0);
}

void buffer_add_hex(struct buffer *buffer, uint64_t number) {
    add_digits(buffer, number, 16, false);
}

/* The arguments are consumed, as by vprintf. */
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    assert(size >= 0);
    buffer_reserve(buffer, (size_t)size);
    vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, arguments);
    buffer->size += (size_t)size;
}

/* Appends; arguments must not lie in the buffer itself. */
void buffer_printf(struct buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(buffer, format, arguments);
    va_end(arguments);
}

char *buffer_take(struct buffer *buffer, struct arena *arena) {
    assert(buffer->size <= buffer->capacity);
    char *copy = arena_copy(arena, buffer->data, buffer->size);
    buffer->size = 0;
    return copy;
}

char *buffer_finish(struct buffer *buffer, struct arena *arena) {
    char *copy = buffer_take(buffer, arena);
    buffer_close(buffer);
    return copy;
}

/* One step of a hash over several values, in their order. */
uint64_t hash_mix(uint64_t hash, uint64_t value) {
    hash ^= value;
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static uint64_t hash_from(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

/* The hash is equal in every run, so that output may depend on it. */
uint64_t hash_bytes(const void *bytes, size_t size) {
    return hash_from(UINT64_C(0xcbf29ce484222325) ^ size, bytes, size);
}

/* Names live in the arena, and their pointers are as good as their text. */
void interner_init(struct interner *interner, struct arena *arena) {
    *interner = (struct interner){.arena = arena, .capacity = 256};
    interner->names = ARENA_ARRAY(arena, const char *, interner->capacity);
    interner->salt = hash_mix(0, (uint64_t)(uintptr_t)interner->names);
}

static const char **interner_slot(const struct interner *interner, const char *bytes, size_t size) {
    assert(interner->count < interner->capacity &&
           !(interner->capacity & (interner->capacity - 1)));
    uint32_t mask = interner->capacity - 1;
    uint32_t i = (uint32_t)hash_from(interner->salt, bytes, size) & mask;
    while (interner->names[i] &&
           (strncmp(interner->names[i], bytes, size) != 0 || interner->names[i][size] != 0))
        i = (i + 1) & mask;
    return &interner->names[i];
}

/* The one copy of the bytes, with a NUL after them; made at the first time. */
const char *intern(struct interner *interner, const char *bytes, size_t size) {
    const char **slot = interner_slot(interner, bytes, size);
    const char *known = *slot;
    if (known) return known;
    if (interner->count * 2 >= interner->capacity) {
        const char **old = interner->names;
        uint32_t old_capacity = interner->capacity;
        interner->capacity *= 2;
        interner->names = ARENA_ARRAY(interner->arena, const char *, interner->capacity);
        for (uint32_t i = 0; i < old_capacity; i++)
            if (old[i]) *interner_slot(interner, old[i], strlen(old[i])) = old[i];
        slot = interner_slot(interner, bytes, size);
    }
    interner->count++;
    return *slot = arena_copy(interner->arena, bytes, size);
}

const char *intern_find(const struct interner *interner, const char *text) {
    return *interner_slot(interner, text, strlen(text));
}

/* Interns a NUL-terminated text. */
const char *intern_text(struct interner *interner, const char *text) {
    return intern(interner, text, strlen(text));
}

const char *intern_fresh(struct interner *interner, const char *base) {
    const char *name = base;
    for (unsigned i = 2; intern_find(interner, name); i++)
        name = arena_printf(interner->arena, "%s%u", base, i);
    return intern_text(interner, name);
}
