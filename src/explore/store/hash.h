/* HASH - of words: of one, and of many. */
#pragma once

#include <stdint.h>

static inline uint64_t store_mix(uint64_t x) {
    x ^= x >> 32;
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 29;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 32;
}

/* Of so many words at least. */
enum { STORE_WIDE = 8 };
uint64_t store_hash_wide(const uint64_t *words, uint32_t count);
