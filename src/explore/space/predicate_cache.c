/* Direct-mapped tables of parts of states. */
#include "explore/space/predicate_cache.h"

#include "explore/code/reads.h"

#include <assert.h>

enum { TABLE_BITS = 11, MAX_WORDS = 4 };

static bool has_code(const struct watch *watch) {
    bool has_some = watch->unit.entry != NO_CODE;
    for (uint32_t i = 0; i < watch->expr_count; i++) has_some |= watch->values[i].entry != NO_CODE;
    return has_some;
}

static bool find_bits(const struct code *code, const struct watch *watch, uint64_t *bits,
                      bool *asks_stuck) {
    bool is_known = unit_reads(code, &watch->unit, bits, code->layout->word_count, asks_stuck);
    for (uint32_t i = 0; i < watch->expr_count; i++)
        is_known &= unit_reads(code, &watch->values[i], bits, code->layout->word_count, asks_stuck);
    return is_known;
}

/* Nothing is seen yet. Where the watch reads nothing or very much, nothing is remembered. */
void predicate_cache_init(struct predicate_cache *cache, struct arena *arena,
                          const struct code *code, const struct watch *watch) {
    const struct layout *layout = code->layout;
    uint64_t *bits = ARENA_ARRAY(arena, uint64_t, layout->word_count + 1);
    *cache = (struct predicate_cache){0};
    if (watch->kind == WATCH_LATER || !has_code(watch)) return;
    if (!find_bits(code, watch, bits, &cache->asks_stuck)) return;
    cache->words = ARENA_ARRAY(arena, uint32_t, layout->stored_words);
    cache->masks = ARENA_ARRAY(arena, uint64_t, layout->stored_words);
    for (uint32_t i = 0; i < layout->stored_words; i++) {
        if (!bits[i]) continue;
        cache->words[cache->count] = i;
        cache->masks[cache->count++] = bits[i];
    }
    if (!cache->count || cache->count > MAX_WORDS || cache->masks[0] == UINT64_MAX) {
        cache->count = 0;
        return;
    }
    cache->keys = ARENA_ARRAY(arena, uint64_t, (size_t)cache->count << TABLE_BITS);
    for (uint32_t i = 0; i < 1 << TABLE_BITS; i++)
        cache->keys[(size_t)i * cache->count] = ~cache->masks[0]; /* what no state has */
}

uint64_t *predicate_cache_find(const struct predicate_cache *cache, const uint64_t *state,
                               bool *is_there) {
    assert(cache->count && cache->count <= MAX_WORDS); /* or nothing is remembered */
    uint64_t hash = 0, difference = 0;
    for (uint32_t i = 0; i < cache->count; i++)
        hash = (hash ^ (state[cache->words[i]] & cache->masks[i])) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t *place = cache->keys + (hash >> (64 - TABLE_BITS)) * cache->count;
    for (uint32_t i = 0; i < cache->count; i++)
        difference |= place[i] ^ (state[cache->words[i]] & cache->masks[i]);
    *is_there = !difference;
    return place;
}

/* At the place that predicate_cache_find gave for this state. */
void predicate_cache_put(const struct predicate_cache *cache, const uint64_t *state,
                         uint64_t *place) {
    assert(cache->count);
    for (uint32_t i = 0; i < cache->count; i++) place[i] = state[cache->words[i]] & cache->masks[i];
}
