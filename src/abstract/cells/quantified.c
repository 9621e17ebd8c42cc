#include "abstract/cells/quantified.h"

#include "abstract/edge/express.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "expr/substitute.h"

#include <assert.h>

/* Whether the zone lies in the range of the quantifier: no zone lies in it in part. */
static bool is_in_range(const struct cell_group *group, const struct cell_quantifier *quantifier,
                        uint32_t zone) {
    uint32_t p = 0;
    while (p < group->position_count && group->zone_of[p] != zone) p++;
    assert(p < group->position_count); /* a zone has cells */
    int64_t index = group->lower[0] + (int64_t)p;
    return index >= quantifier->lower && index <= quantifier->upper;
}

/* The value of the body for a kind, which never fails. */
static int32_t value_of(const struct cell_group *group, const struct cell_quantifier *quantifier,
                        const struct cell_kind *kind, struct arena *scratch) {
    const struct expr *body = quantifier->body;
    int32_t value = 0;
    for (uint32_t f = 0; f < group->fields.count; f++)
        body = expr_substitute(scratch, body, group->fields.items[f].placeholder,
                               group->fields.items[f].is_bool
                                   ? build_bool(scratch, kind->values[f] != 0)
                                   : build_int(scratch, kind->values[f]));
    bool ok = closed_value(group->context, body, &value);
    assert(ok);
    (void)ok;
    return value;
}

/* exists looks for kinds that hold, forall for kinds that do not: then it does not hold itself. */
static bool is_wanted(const struct cell_group *group, const struct cell_quantifier *quantifier,
                      uint32_t zone, uint32_t kind, struct arena *scratch) {
    return (value_of(group, quantifier, &group->zones[zone].kinds.items[kind], scratch) != 0) !=
           quantifier->is_forall;
}

static const struct expr *join(struct arena *arena, bool is_or, const struct expr *left,
                               const struct expr *right) {
    if (!is_or) return build_and(arena, left, right);
    if (!left || !right) return NULL;
    return expr_is_false(left) ? right : expr_is_false(right) ? left : build_or(arena, left, right);
}

static struct quantified_test test_of(const struct cell_group *group, const struct counts *counts,
                                      const struct cell_quantifier *quantifier) {
    struct arena *arena = group->context->arena;
    bool finds =
        quantifier->is_forall == quantifier->is_negated; /* holds if a wanted one is there */
    const struct expr *start = finds ? build_bool(arena, false) : NULL;
    struct quantified_test test = {start, start, true};
    for (uint32_t z = 0; z < group->zone_count; z++) {
        bool some[CELLS_MAX_KINDS] = {false}, all[CELLS_MAX_KINDS];
        if (!is_in_range(group, quantifier, z)) continue;
        for (uint32_t a = 0; a < counts->atom_count[z]; a++) all[a] = true;
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++) {
            bool is_one = is_wanted(group, quantifier, z, k, arena);
            some[counts->atom_of[z][k]] |= is_one;
            all[counts->atom_of[z][k]] &= is_one;
        }
        for (uint32_t a = 0; a < counts->atom_count[z]; a++) test.is_exact &= some[a] == all[a];
        const struct expr *may =
            finds ? counts_at_least(counts, z, some, 1) : counts_none(counts, z, all);
        const struct expr *must =
            finds ? counts_at_least(counts, z, all, 1) : counts_none(counts, z, some);
        test.may = join(arena, finds, test.may, may);
        test.must = join(arena, finds, test.must, must);
    }
    return test;
}

const struct expr *sum_by_counts(const struct cell_group *group, const struct counts *counts,
                                 const struct cell_quantifier *quantifier) {
    struct arena *arena = group->context->arena;
    struct count_form form = {.divisor = 1};
    for (uint32_t z = 0; z < group->zone_count; z++) {
        int32_t weights[CELLS_MAX_KINDS];
        bool is_known[CELLS_MAX_KINDS] = {false};
        if (!is_in_range(group, quantifier, z)) continue;
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++) {
            int32_t value = value_of(group, quantifier, &group->zones[z].kinds.items[k], arena);
            uint32_t atom = counts->atom_of[z][k];
            if (is_known[atom] && weights[atom] != value) return NULL;
            is_known[atom] = true;
            weights[atom] = value;
        }
        if (!counts_weigh(counts, z, weights, &form)) return NULL;
    }
    return counts_value(counts, &form);
}

static struct quantified_test test_of_sum(const struct touched_edge *touched,
                                          const struct counts *counts,
                                          const struct cell_quantifier *quantifier) {
    struct arena *arena = touched->group->context->arena;
    const struct expr *sum = sum_by_counts(touched->group, counts, quantifier);
    const struct expr *comparison = quantifier->comparison;
    assert(sum); /* else the group is refused */
    const struct expr *other = comparison->child[1 - quantifier->side];
    const struct expr *test = build_binary(arena, comparison->op, quantifier->side ? other : sum,
                                           quantifier->side ? sum : other);
    if (quantifier->is_negated) test = build_not(arena, test);
    return (struct quantified_test){test, test, true};
}

struct quantified_test quantified_by_counts(const struct touched_edge *touched,
                                            const struct counts *counts) {
    struct arena *arena = touched->group->context->arena;
    struct quantified_test all = {NULL, NULL, true};
    for (uint32_t i = 0; i < touched->quantifiers.count; i++) {
        const struct cell_quantifier *quantifier = &touched->quantifiers.items[i];
        struct quantified_test test = quantifier->comparison
                                          ? test_of_sum(touched, counts, quantifier)
                                          : test_of(touched->group, counts, quantifier);
        all.may = build_and(arena, all.may, test.may);
        all.must = build_and(arena, all.must, test.must);
        all.is_exact &= test.is_exact;
    }
    return all;
}

/* Whether each zone lies in the range, or outside of it. */
static bool parts_no_zone(const struct cell_group *group,
                          const struct cell_quantifier *quantifier) {
    for (uint32_t p = 0; p < group->position_count; p++) {
        int64_t index = group->lower[0] + (int64_t)p;
        bool is_in = index >= quantifier->lower && index <= quantifier->upper;
        if (is_in != is_in_range(group, quantifier, group->zone_of[p])) return false;
    }
    return true;
}

const struct expr *quantified_says(const struct cell_group *group, const struct counts *counts,
                                   const struct expr *expr) {
    struct cell_quantifier quantifier = {.original = expr};
    if (expr->kind != EXPR_QUANTIFY || !quantifier_read(group, expr, &quantifier) ||
        !parts_no_zone(group, &quantifier))
        return NULL;
    if (expr->op == OP_SUM) return sum_by_counts(group, counts, &quantifier);
    const struct quantified_test test = test_of(group, counts, &quantifier);
    if (!test.is_exact) return NULL;
    return test.may ? test.may : build_bool(group->context->arena, true);
}

bool quantified_holds(const struct touched_edge *touched, const struct totals *totals,
                      const int32_t *state) {
    const struct cell_group *group = touched->group;
    struct arena scratch;
    bool holds = true;
    arena_init(&scratch);
    for (uint32_t i = 0; i < touched->quantifiers.count && holds; i++) {
        const struct cell_quantifier *quantifier = &touched->quantifiers.items[i];
        bool found = false;
        for (uint32_t z = 0; z < group->zone_count; z++)
            for (uint32_t k = 0; k < group->zones[z].kinds.count && !found; k++)
                found = state[totals->first_kind[z] + k] && is_in_range(group, quantifier, z) &&
                        is_wanted(group, quantifier, z, k, &scratch);
        holds = found == (quantifier->is_forall == quantifier->is_negated);
        arena_reset(&scratch);
    }
    arena_close(&scratch);
    return holds;
}
