/* Variable orders by FORCE. */
#include "explore/symbolic/order.h"

#include <stdlib.h>

enum { MAX_ROUNDS = 300, PATIENCE = 30 /* rounds without a better one */ };

struct position {
    double mean;
    uint32_t field, rank; /* rank: where it was before */
};

struct arrangement {
    const struct groups *groups;
    struct position *places;
    uint32_t count;
    double *sums;              /* by field: of the means of its groups */
    uint32_t *degrees, *ranks; /* by field */
};

/* Ranks of the fields as they stand; how far the groups reach together. */
static uint64_t measure(struct arrangement *arrangement) {
    uint64_t span = 0;
    for (uint32_t i = 0; i < arrangement->count; i++) {
        arrangement->places[i].rank = i;
        arrangement->ranks[arrangement->places[i].field] = i;
    }
    for (uint32_t g = 0; g < arrangement->groups->items.count; g++) {
        const struct group *group = &arrangement->groups->items.items[g];
        uint32_t first = UINT32_MAX, last = 0;
        for (uint32_t i = 0; i < group->field_count; i++) {
            uint32_t rank = arrangement->ranks[group->fields[i]];
            if (rank < first) first = rank;
            if (rank > last) last = rank;
        }
        if (group->field_count) span += last - first;
    }
    return span;
}

static int compare_places(const void *left, const void *right) {
    const struct position *a = left, *b = right;
    if (a->mean != b->mean) return a->mean < b->mean ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void move(struct arrangement *arrangement) {
    for (uint32_t i = 0; i < arrangement->count; i++)
        arrangement->sums[arrangement->places[i].field] = 0;
    for (uint32_t g = 0; g < arrangement->groups->items.count; g++) {
        const struct group *group = &arrangement->groups->items.items[g];
        double sum = 0;
        for (uint32_t i = 0; i < group->field_count; i++)
            sum += arrangement->ranks[group->fields[i]];
        for (uint32_t i = 0; i < group->field_count; i++)
            arrangement->sums[group->fields[i]] += sum / group->field_count;
    }
    for (uint32_t i = 0; i < arrangement->count; i++) {
        struct position *place = &arrangement->places[i];
        uint32_t degree = arrangement->degrees[place->field];
        place->mean = degree ? arrangement->sums[place->field] / degree : place->rank;
    }
    qsort(arrangement->places, arrangement->count, sizeof *arrangement->places, compare_places);
}

static void keep(const struct arrangement *arrangement, uint32_t *fields) {
    for (uint32_t i = 0; i < arrangement->count; i++) fields[i] = arrangement->places[i].field;
}

void order_fields(struct arena *arena, uint32_t *fields, uint32_t count, uint32_t field_bound,
                  const struct groups *groups) {
    struct arrangement arrangement = {groups,
                                      ARENA_ARRAY(arena, struct position, count + 1),
                                      count,
                                      ARENA_ARRAY(arena, double, field_bound + 1),
                                      ARENA_ARRAY(arena, uint32_t, field_bound + 1),
                                      ARENA_ARRAY(arena, uint32_t, field_bound + 1)};
    for (uint32_t g = 0; g < groups->items.count; g++)
        for (uint32_t i = 0; i < groups->items.items[g].field_count; i++)
            arrangement.degrees[groups->items.items[g].fields[i]]++;
    for (uint32_t i = 0; i < count; i++) arrangement.places[i].field = fields[i];
    uint64_t best = measure(&arrangement);
    for (uint32_t round = 0, waited = 0; round < MAX_ROUNDS && waited < PATIENCE; round++) {
        move(&arrangement);
        uint64_t span = measure(&arrangement);
        waited = span < best ? 0 : waited + 1;
        if (span >= best) continue;
        best = span;
        keep(&arrangement, fields);
    }
}
