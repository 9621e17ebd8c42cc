/* Exact numbers of vectors: one number a node, by dynamic programming. */
#include "explore/symbolic/count.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LIMB_BITS = 32, SPARE_BITS = 64, FIRST_CAPACITY = 1 << 10 };

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
bool count_is_zero(const struct count *count) {
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

/* The nearest double, more or less; infinite where there is none. */
double count_double(const struct count *count) {
    double value = 0;
    for (uint32_t i = count->limb_count; i-- > 0;)
        value = value * 4294967296.0 + (double)count->limbs[i];
    return value;
}

char *count_text(const struct count *count, struct arena *arena) {
    uint32_t digits = count->limb_count * 10 + 1; /* a limb has fewer than 10 digits of its own */
    uint32_t *limbs = ARENA_ARRAY(arena, uint32_t, count->limb_count);
    char *text = ARENA_ARRAY(arena, char, digits + 1);
    struct count rest = {limbs, count->limb_count};
    memcpy(limbs, count->limbs, count->limb_count * sizeof *limbs);
    uint32_t at = digits;
    do text[--at] = (char)('0' + divide_limbs(limbs, count->limb_count, 10));
    while (!count_is_zero(&rest));
    assert(at < digits);
    return text + at;
}

/* Nodes */

static uint32_t place_of(const struct counter *counter, uint32_t node) {
    uint32_t at = (uint32_t)(node * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (counter->capacity - 1);
    while (counter->nodes[at] && counter->nodes[at] != node)
        at = (at + 1) & (counter->capacity - 1);
    return at;
}

static uint32_t *limbs_at(const struct counter *counter, uint32_t place) {
    return counter->limbs + (size_t)place * counter->limb_count;
}

static void grow(struct counter *counter) {
    struct counter old = *counter;
    counter->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
    size_t limbs = (size_t)counter->capacity * counter->limb_count;
    counter->nodes = heap_resize(NULL, counter->capacity, sizeof *counter->nodes);
    counter->limbs = heap_resize(NULL, limbs, sizeof *counter->limbs);
    memset(counter->nodes, 0, counter->capacity * sizeof *counter->nodes);
    memset(counter->limbs, 0, limbs * sizeof *counter->limbs);
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (!old.nodes[i]) continue;
        uint32_t at = place_of(counter, old.nodes[i]);
        counter->nodes[at] = old.nodes[i];
        memcpy(limbs_at(counter, at), limbs_at(&old, i), old.limb_count * sizeof *old.limbs);
    }
    free(old.nodes);
    free(old.limbs);
}

/* Counts below a node first; depth is that of vectors. */
static uint32_t place_counted(struct counter *counter, uint32_t node) {
    uint32_t place = place_of(counter, node);
    if (counter->nodes[place]) return place;
    for (uint32_t at = node; at > LDD_UNIT; at = counter->ldd->nodes[at].right)
        if (counter->ldd->nodes[at].down > LDD_UNIT)
            place_counted(counter, counter->ldd->nodes[at].down);
    if (counter->used * 2 >= counter->capacity) grow(counter);
    place = place_of(counter, node);
    counter->nodes[place] = node;
    counter->used++;
    uint32_t *sum = limbs_at(counter, place), one = 1;
    if (node == LDD_UNIT) add_limbs(sum, &one, 1, 1);
    for (uint32_t at = node; at > LDD_UNIT; at = counter->ldd->nodes[at].right) {
        uint32_t below = place_of(counter, counter->ldd->nodes[at].down);
        assert(counter->nodes[below]);
        add_limbs(sum, limbs_at(counter, below), counter->limb_count, 1);
    }
    return place;
}

void counter_init(struct counter *counter, const struct ldd *ldd, uint32_t bits) {
    *counter = (struct counter){.ldd = ldd, .limb_count = (bits + SPARE_BITS) / LIMB_BITS + 1};
    grow(counter);
    place_counted(counter, LDD_UNIT); /* which later calls find */
}

/* Numbers that were counted stay in their arenas. */
void counter_close(struct counter *counter) {
    free(counter->nodes);
    free(counter->limbs);
}

/* A number to add to, wide enough for the sums that counter_init allows. */
struct count count_zero(const struct counter *counter, struct arena *arena) {
    return (struct count){ARENA_ARRAY(arena, uint32_t, counter->limb_count), counter->limb_count};
}

void count_add_set(struct counter *counter, struct count *count, uint32_t set, uint32_t times) {
    assert(count->limb_count == counter->limb_count);
    if (set == LDD_NONE) return;
    add_limbs(count->limbs, limbs_at(counter, place_counted(counter, set)), counter->limb_count,
              times);
}
