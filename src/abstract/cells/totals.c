#include "abstract/cells/totals.h"

#include "abstract/cells/row_set.h"
#include "abstract/edge/express.h"
#include "base/interrupt.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

struct adder {
    const struct totals *totals;
    uint64_t work;
    bool has_cell[CELLS_MAX_FOLDS]; /* or a base: by fold, some value is there already */
};

/* All rows with one more cell of the zone. False if there are too many. */
static bool add_cell(struct adder *adder, uint32_t z, const struct row_set *from,
                     struct row_set *to) {
    const struct totals *totals = adder->totals;
    const struct cell_group *group = totals->group;
    const struct cell_zone *zone = &group->zones[z];
    assert(from != to && zone->kinds.count);
    int32_t *row = ARENA_ARRAY(to->arena, int32_t, totals->width + 1);
    for (uint32_t i = 0; i < from->rows.count; i++)
        for (uint32_t k = 0; k < zone->kinds.count; k++) {
            if (++adder->work > TOTALS_MAX_WORK || to->rows.count > TOTALS_MAX_STATES ||
                (adder->work % 4096 == 0 && interrupt_is_asked()))
                return false;
            memcpy(row, from->rows.items[i], totals->width * sizeof *row);
            for (uint32_t g = 0; g < group->fold_count; g++) {
                int32_t weight = zone->kinds.items[k].weights[g];
                if (!zone->operands[g]) continue;
                row[g] =
                    adder->has_cell[g] ? cell_join(group->folds[g].op, row[g], weight) : weight;
            }
            int32_t *count = &row[totals->first_kind[z] + k];
            if (*count < (int32_t)totals->cap) ++*count;
            row_set_add(to, row);
        }
    for (uint32_t g = 0; g < group->fold_count; g++)
        adder->has_cell[g] |= zone->operands[g] != NULL;
    return true;
}

/* Whether the pointer, if there is one, leads to one cell. The cap tells one from more. */
static bool leads_to_one(const struct totals *totals, const int32_t *state) {
    const struct cell_group *group = totals->group;
    int32_t count = group->pointer ? 0 : 1;
    for (uint32_t z = 0; z < group->zone_count; z++)
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++)
            if (cell_kind_is_pointed(group, &group->zones[z].kinds.items[k]))
                count += state[totals->first_kind[z] + k];
    return count == 1;
}

static void note_values(struct totals *totals, struct arena *arena) {
    struct row_set values;
    row_set_init(&values, arena, totals->group->fold_count);
    totals->value_of = ARENA_ARRAY(arena, uint32_t, totals->states.count + 1);
    for (uint32_t i = 0; i < totals->states.count; i++)
        totals->value_of[i] = row_set_add(&values, totals->states.items[i]);
    totals->values.items = values.rows.items;
    totals->values.count = values.rows.count;
    totals->values.capacity = values.rows.capacity;
}

const struct totals *totals_find(const struct cell_group *group, uint32_t cap) {
    struct arena *arena = group->context->arena;
    struct totals *totals = ARENA_NEW(arena, struct totals);
    assert(cap > 1); /* one more than an edge touches */
    *totals = (struct totals){.group = group, .cap = cap, .width = group->fold_count};
    for (uint32_t z = 0; z < group->zone_count; z++) {
        totals->first_kind[z] = totals->width;
        totals->width += group->zones[z].kinds.count;
    }
    struct arena scratch[2];
    struct row_set sets[2];
    struct adder adder = {.totals = totals};
    bool ok = true;
    uint32_t now = 0;
    arena_init(&scratch[0]);
    arena_init(&scratch[1]);
    int32_t *row = ARENA_ARRAY(arena, int32_t, totals->width + 1);
    for (uint32_t g = 0; g < group->fold_count; g++) {
        row[g] = group->folds[g].base;
        adder.has_cell[g] = group->folds[g].has_base || cell_fold_is_sum(&group->folds[g]);
    }
    row_set_init(&sets[0], &scratch[0], totals->width);
    row_set_add(&sets[0], row);
    for (uint32_t z = 0; z < group->zone_count && ok; z++)
        for (uint32_t i = 0; i < group->zones[z].size && ok; i++) {
            arena_reset(&scratch[!now]);
            row_set_init(&sets[!now], &scratch[!now], totals->width);
            ok = add_cell(&adder, z, &sets[now], &sets[!now]);
            now = !now;
        }
    for (uint32_t i = 0; ok && i < sets[now].rows.count; i++) {
        if (!leads_to_one(totals, sets[now].rows.items[i])) continue;
        int32_t *copy = ARENA_ARRAY(arena, int32_t, totals->width + 1);
        memcpy(copy, sets[now].rows.items[i], totals->width * sizeof *copy);
        VEC_PUSH(arena, &totals->states, copy);
    }
    arena_close(&scratch[0]);
    arena_close(&scratch[1]);
    if (ok) note_values(totals, arena);
    return ok ? totals : NULL;
}

int32_t totals_of_kinds(const struct totals *totals, uint32_t fold, const int32_t *state) {
    const struct cell_group *group = totals->group;
    const struct cell_fold *of = &group->folds[fold];
    int32_t total = of->base;
    bool has_value = of->has_base;
    assert(of->op != OP_ADD && of->op != OP_BIT_XOR);
    for (uint32_t z = 0; z < group->zone_count; z++)
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++) {
            int32_t weight = group->zones[z].kinds.items[k].weights[fold];
            if (!group->zones[z].operands[fold] || !state[totals->first_kind[z] + k]) continue;
            total = has_value ? cell_join(of->op, total, weight) : weight;
            has_value = true;
        }
    return total;
}

/* Tests */

struct tester {
    const struct totals *totals;
    const bool *is_in;
    struct arena *arena;
};

static const struct expr *test_of(const struct tester *tester, uint32_t fold,
                                  const uint32_t *values, uint32_t count);

/* The different values of a fold among totals, ascending. */
static uint32_t sort_values(const struct tester *tester, uint32_t fold, const uint32_t *values,
                            uint32_t count, int32_t *sorted) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t value = tester->totals->values.items[values[i]][fold];
        uint32_t at = found;
        while (at > 0 && sorted[at - 1] >= value) at--;
        if (at < found && sorted[at] == value) continue;
        memmove(sorted + at + 1, sorted + at, (found - at) * sizeof *sorted);
        sorted[at] = value;
        found++;
    }
    return found;
}

/* Values with the same rest of the test stand together. */
static const struct expr *join_tests(const struct tester *tester, uint32_t fold,
                                     const int32_t *sorted, const struct expr *const *tests,
                                     uint32_t count) {
    const struct expr *all = build_bool(tester->arena, false);
    bool *is_done = ARENA_ARRAY(tester->arena, bool, count + 1);
    bool *is_same = ARENA_ARRAY(tester->arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (is_done[i] || expr_is_false(tests[i])) continue;
        for (uint32_t k = 0; k < count; k++) {
            is_same[k] = k >= i && (tests[k] == tests[i] ||
                                    (tests[k] && tests[i] && expr_equal(tests[k], tests[i])));
            is_done[k] |= is_same[k];
        }
        const struct expr *own =
            ghost_test(tester->arena, tester->totals->group->folds[fold].ghost->symbol, sorted,
                       is_same, count);
        const struct expr *both = build_and(tester->arena, own, tests[i]);
        if (!both) return NULL;
        all = expr_is_false(all) ? both : build_or(tester->arena, all, both);
    }
    return all;
}

static const struct expr *test_of(const struct tester *tester, uint32_t fold,
                                  const uint32_t *values, uint32_t count) {
    const struct totals *totals = tester->totals;
    bool has_in = false, has_out = false;
    for (uint32_t i = 0; i < count; i++) *(tester->is_in[values[i]] ? &has_in : &has_out) = true;
    if (!has_out) return NULL;
    if (!has_in) return build_bool(tester->arena, false);
    assert(fold < totals->group->fold_count); /* totals differ in some fold */
    int32_t *sorted = ARENA_ARRAY(tester->arena, int32_t, count + 1);
    uint32_t found = sort_values(tester, fold, values, count, sorted);
    const struct expr **tests = ARENA_ARRAY(tester->arena, const struct expr *, found + 1);
    uint32_t *part = ARENA_ARRAY(tester->arena, uint32_t, count + 1);
    for (uint32_t v = 0; v < found; v++) {
        uint32_t parts = 0;
        for (uint32_t i = 0; i < count; i++)
            if (totals->values.items[values[i]][fold] == sorted[v]) part[parts++] = values[i];
        tests[v] = test_of(tester, fold + 1, part, parts);
    }
    return join_tests(tester, fold, sorted, tests, found);
}

const struct expr *totals_test(const struct totals *totals, const bool *is_in) {
    struct arena *arena = totals->group->context->arena;
    const struct tester tester = {totals, is_in, arena};
    uint32_t *values = ARENA_ARRAY(arena, uint32_t, totals->values.count + 1);
    for (uint32_t i = 0; i < totals->values.count; i++) values[i] = i;
    assert(totals->values.count); /* the initial state has totals */
    return test_of(&tester, 0, values, totals->values.count);
}
