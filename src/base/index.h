/* INDEX - numbers of things by the hash of their contents.
 *
 * The things themselves are the user's, who compares them:
 *
 *     for (struct index_probe probe = index_begin(hash); index_next(&index, &probe);)
 *         if (is_same(probe.number, thing)) return probe.number;
 *     return index_add(&index, hash, count) ? count++ : NONE;
 *
 * Invariants: a free entry is always left, so that every search ends.
 * Lifetime:   memory of where the index was told to take it, until index_close. Zeroed, an index is
 *             empty and on the heap.
 * Errors:     index_add gives false if the memory is refused; the index is as it was then.
 */
#pragma once

#include "base/room.h"

#include <stdint.h>

struct index_entry {
    uint32_t hash, number; /* number plus one; 0 = free */
};

struct index {
    struct memory_source memory;
    struct index_entry *entries;
    size_t count, capacity; /* a power of 2 */
};

struct index_probe {
    size_t at;
    uint32_t hash, number; /* the number: of something with this hash, in all likelihood */
};

/* Hashes word by word. */
static inline uint64_t index_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static inline uint64_t index_hash(const uint64_t *words, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) hash = index_mix(hash, words[i]);
    return hash;
}

static inline struct index_probe index_begin(uint64_t hash) {
    uint32_t half = (uint32_t)(hash * UINT64_C(0xD1B54A32D192ED03) >> 32);
    return (struct index_probe){half, half, 0};
}

/* The next number with the hash; false after the last. */
static inline bool index_next(const struct index *index, struct index_probe *probe) {
    if (!index->capacity) return false;
    for (;;) {
        const struct index_entry *entry = &index->entries[probe->at++ & (index->capacity - 1)];
        if (!entry->number) return false;
        probe->number = entry->number - 1;
        if (entry->hash == probe->hash) return true;
    }
}

/* Adds a number, below UINT32_MAX. */
bool index_add(struct index *index, uint64_t hash, uint32_t number);
/* Leaves it empty, with its memory. */
void index_clear(struct index *index);
void index_close(struct index *index);
