/* The hash of many words. */
#include "explore/store/hash.h"

#include <assert.h>

static uint64_t mix_in(uint64_t hash, uint64_t word) {
    return (store_mix(hash) ^ word) * UINT64_C(0xD1B54A32D192ED03);
}

/* Each word waits for the fourth before it alone, not for the one before. */
uint64_t store_hash_wide(const uint64_t *words, uint32_t count) {
    uint64_t lanes[] = {words[0], words[1], words[2], words[3]};
    uint32_t i = 4;
    assert(count >= i);
    for (; i + 3 < count; i += 4)
        for (uint32_t k = 0; k < 4; k++) lanes[k] = mix_in(lanes[k], words[i + k]);
    for (; i < count; i++) lanes[i % 4] = mix_in(lanes[i % 4], words[i]);
    for (uint32_t k = 1; k < 4; k++) lanes[0] = mix_in(lanes[0], lanes[k]);
    return store_mix(lanes[0]);
}
