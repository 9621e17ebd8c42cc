/* PREDICATE CACHE - what was seen before of a watch, by the bits of the state that it reads.
 *
 * Most states differ from others only in what a watch does not read. Where its predicate did not
 * hold, or bounds were taken, the same bits give nothing new. The table is direct-mapped and
 * forgets: a later entry takes the place of an earlier one.
 *
 * Invariants: an entry is there only if the evaluation found nothing that must be seen again.
 * Lifetime:   in the arena given; one for each watch and worker.
 */
#pragma once

#include "explore/space/space.h"

enum { PREDICATE_CACHE_MAX = 256 }; /* tables of a worker: the watches after have none */

struct predicate_cache {
    uint32_t count; /* words that are read; 0 = nothing is kept */
    uint32_t *words;
    uint64_t *masks;
    uint64_t *keys; /* as the words, by place */
    bool asks_stuck;
};

void predicate_cache_init(struct predicate_cache *cache, struct arena *arena,
                          const struct code *code, const struct watch *watch);
/* The place where the bits of the state belong; is_there: they are there. */
uint64_t *predicate_cache_find(const struct predicate_cache *cache, const uint64_t *state,
                               bool *is_there);
void predicate_cache_put(const struct predicate_cache *cache, const uint64_t *state,
                         uint64_t *place);

/* Whether states are looked up. */
static inline bool predicate_cache_is_used(const struct predicate_cache *cache, bool is_stuck) {
    return cache->count && !(cache->asks_stuck && is_stuck);
}
