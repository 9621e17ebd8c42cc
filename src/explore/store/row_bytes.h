/* ROW BYTES - the words of a state as a row of bytes, whose last word fills some bytes only.
 *
 * Sizes are in bytes. All is inline, so that there is a copy for each size that is a constant. Who
 * includes this defines _DEFAULT_SOURCE, for le64toh.
 */
#pragma once

#include "base/inline.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WORD_SIZE = 8 };

ALWAYS_INLINE uint64_t load_64(const unsigned char *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return le64toh(word);
}

ALWAYS_INLINE void store_64(unsigned char *to, uint64_t word) {
    word = htole64(word);
    memcpy(to, &word, sizeof word);
}

/* The last word of a row, which fills some bytes only. Where there are words before it, the last
 * eight bytes are read and written at once. */
ALWAYS_INLINE uint64_t load_last(const unsigned char *row, uint32_t size) {
    uint32_t rest = size % WORD_SIZE;
    if (size > WORD_SIZE) return load_64(row + size - WORD_SIZE) >> (WORD_SIZE - rest) * 8;
    uint64_t word = 0;
    for (uint32_t i = 0; i < rest; i++) word |= (uint64_t)row[i] << i * 8;
    return word;
}

ALWAYS_INLINE void store_last(unsigned char *row, uint32_t size, const uint64_t *words) {
    uint32_t rest = size % WORD_SIZE, at = size / WORD_SIZE;
    if (size > WORD_SIZE)
        store_64(row + size - WORD_SIZE,
                 words[at] << (WORD_SIZE - rest) * 8 | words[at - 1] >> rest * 8);
    else
        for (uint32_t i = 0; i < rest; i++) row[i] = (unsigned char)(words[0] >> i * 8);
}

ALWAYS_INLINE void read_row(const unsigned char *row, uint32_t size, uint64_t *words) {
    for (uint32_t i = 0; i < size / WORD_SIZE; i++) words[i] = load_64(row + i * WORD_SIZE);
    if (size % WORD_SIZE) words[size / WORD_SIZE] = load_last(row, size);
}

ALWAYS_INLINE void write_row(unsigned char *row, uint32_t size, const uint64_t *words) {
    for (uint32_t i = 0; i < size / WORD_SIZE; i++) store_64(row + i * WORD_SIZE, words[i]);
    if (size % WORD_SIZE) store_last(row, size, words);
}

ALWAYS_INLINE bool is_row(const unsigned char *row, uint32_t size, const uint64_t *words) {
    for (uint32_t i = 0; i < size / WORD_SIZE; i++)
        if (load_64(row + i * WORD_SIZE) != words[i]) return false;
    return size % WORD_SIZE == 0 || load_last(row, size) == words[size / WORD_SIZE];
}
