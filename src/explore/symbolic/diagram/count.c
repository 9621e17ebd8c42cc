/* Exact numbers of vectors: one number a node, by dynamic programming. */
#include "explore/symbolic/diagram/count.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LIMB_BITS = 32, SPARE_BITS = 64 };
#define NO_PLACE UINT32_MAX

/* Numbers */

static void add_limbs(uint32_t *sum, const uint32_t *limbs, uint32_t count, uint32_t times) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i < count; i++) {
        carry += (uint64_t)limbs[i] * times + sum[i];
        sum[i] = (uint32_t)carry;
        carry >>= LIMB_BITS;
    }
    assert(!carry);
}

/* Divides in place; the remainder. */
static uint32_t divide_limbs(uint32_t *limbs, uint32_t count, uint32_t by) {
    uint64_t rest = 0;
    while (count-- > 0) {
        rest = rest << LIMB_BITS | limbs[count];
        limbs[count] = (uint32_t)(rest / by);
        rest %= by;
    }
    return (uint32_t)rest;
}

/* Exact, however large the number is. */
static bool is_zero(const struct count *count) {
    for (uint32_t i = 0; i < count->limb_count; i++)
        if (count->limbs[i]) return false;
    return true;
}

uint64_t count_value(const struct count *count) {
    assert(count->limb_count >= 2);
    for (uint32_t i = 2; i < count->limb_count; i++)
        if (count->limbs[i]) return UINT64_MAX;
    return (uint64_t)count->limbs[1] << LIMB_BITS | count->limbs[0];
}

char *count_text(const struct count *count, struct arena *arena) {
    uint32_t digits = count->limb_count * 10 + 1; /* a limb has fewer than 10 digits of its own */
    uint32_t *limbs = ARENA_ARRAY(arena, uint32_t, count->limb_count);
    char *text = ARENA_ARRAY(arena, char, digits + 1);
    struct count rest = {limbs, count->limb_count};
    memcpy(limbs, count->limbs, count->limb_count * sizeof *limbs);
    uint32_t at = digits;
    do text[--at] = (char)('0' + divide_limbs(limbs, count->limb_count, 10));
    while (!is_zero(&rest));
    assert(at < digits);
    return text + at;
}

/* Nodes */

/* The place of a node; NO_PLACE if it was not counted. */
static uint32_t place_of(const struct counter *counter, uint32_t node) {
    for (struct index_probe probe = index_begin(node); index_next(&counter->index, &probe);)
        if (counter->nodes[probe.number] == node) return probe.number;
    return NO_PLACE;
}

static uint32_t *limbs_at(const struct counter *counter, uint32_t place) {
    return counter->limbs + (size_t)place * counter->limb_count;
}

/* A place for a node, with the number 0. */
static uint32_t add_place(struct counter *counter, uint32_t node) {
    uint32_t place = (uint32_t)counter->index.count;
    index_add(&counter->index, node, place);
    memory_room(&counter->index.memory, (void **)&counter->nodes, &counter->node_capacity,
                counter->index.count, sizeof *counter->nodes);
    memory_room(&counter->index.memory, (void **)&counter->limbs, &counter->limb_capacity,
                counter->index.count * counter->limb_count, sizeof *counter->limbs);
    counter->nodes[place] = node;
    memset(limbs_at(counter, place), 0, counter->limb_count * sizeof *counter->limbs);
    return place;
}

/* Counts below a node first; depth is that of vectors. */
static uint32_t place_counted(struct counter *counter, uint32_t node, uint32_t level) {
    uint32_t place = place_of(counter, node);
    if (place != NO_PLACE) return place;
    for (uint32_t at = node; at > LDD_UNIT; at = counter->ldd->nodes[at].right)
        if (counter->ldd->nodes[at].down > LDD_UNIT)
            place_counted(counter, counter->ldd->nodes[at].down, level + 1);
    place = add_place(counter, node);
    uint32_t *sum = limbs_at(counter, place), one = 1;
    if (node == LDD_UNIT && !counter->own) add_limbs(sum, &one, 1, 1);
    if (node > LDD_UNIT && counter->own)
        counter->own(counter->context, node, level, &(struct count){sum, counter->limb_count});
    for (uint32_t at = node; at > LDD_UNIT; at = counter->ldd->nodes[at].right) {
        uint32_t below = place_of(counter, counter->ldd->nodes[at].down);
        assert(below != NO_PLACE);
        add_limbs(sum, limbs_at(counter, below), counter->limb_count, 1);
    }
    return place;
}

void counter_init_own(struct counter *counter, const struct ldd *ldd, uint32_t bits, count_own *own,
                      void *context) {
    *counter = (struct counter){.ldd = ldd,
                                .limb_count = (bits + SPARE_BITS) / LIMB_BITS + 1,
                                .own = own,
                                .context = context};
    place_counted(counter, LDD_UNIT, 0); /* which later calls find, whatever its level is */
}

void counter_init(struct counter *counter, const struct ldd *ldd, uint32_t bits) {
    counter_init_own(counter, ldd, bits, NULL, NULL);
}

/* Numbers that were counted stay in their arenas. */
void counter_close(struct counter *counter) {
    free(counter->nodes);
    free(counter->limbs);
    index_close(&counter->index);
}

/* A number to add to, wide enough for the sums that counter_init allows. */
struct count count_zero(const struct counter *counter, struct arena *arena) {
    return (struct count){ARENA_ARRAY(arena, uint32_t, counter->limb_count), counter->limb_count};
}

void count_add_set(struct counter *counter, struct count *count, uint32_t set, uint32_t times) {
    assert(count->limb_count == counter->limb_count);
    if (set == LDD_NONE) return;
    add_limbs(count->limbs, limbs_at(counter, place_counted(counter, set, 0)), counter->limb_count,
              times);
}
