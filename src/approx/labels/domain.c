/* Value sets of the groups of slots, and joins of them (A3). */
#include "approx/labels/domain.h"

#include <assert.h>

struct bounds slot_bounds(const struct analysis *analysis, uint32_t slot) {
    assert(slot < analysis->network->slot_count);
    const struct slot *of = &analysis->network->slots[slot];
    return (struct bounds){of->lower, of->upper,
                           analysis->is_removed[slot] ? LIST_LIMIT : LIST_LIMIT_VISIBLE,
                           &analysis->thresholds};
}

struct bounds slot_union_bounds(const struct analysis *analysis, uint32_t slot) {
    return (struct bounds){INT32_MAX, INT32_MIN, slot_bounds(analysis, slot).limit, NULL};
}

/* No values and no tuples of the group yet. */
void group_domain_init(struct arena *arena, const struct group *group,
                       struct group_domain *domain) {
    assert(group->dimension && group->dimension <= GROUP_MAX_DIMENSION);
    *domain = (struct group_domain){.set = value_set_empty()};
    if (group->dimension == 1) return;
    domain->tuples = ARENA_NEW(arena, struct tuple_set);
    *domain->tuples =
        (struct tuple_set){.addresses = group->addresses, .dimension = group->dimension};
}

struct cell_domain group_cell(const struct group *group, const struct group_domain *domain) {
    struct cell_domain cell = {0};
    if (group->dimension > 1)
        cell.tuples = domain->tuples;
    else
        cell.set = &domain->set;
    return cell;
}

static struct bounds single_bounds(const struct analysis *analysis, const struct group *group) {
    assert(group->dimension == 1);
    return slot_bounds(analysis, analysis->network->slot_of[group->addresses[0]]);
}

/* A relation past its budget is given up for good: the analysis starts again without it. */
static bool add_row(struct arena *arena, struct group *group, struct group_domain *domain,
                    const int32_t *row) {
    if (group->has_overflowed) return false;
    assert(group->dimension > 1 && domain->tuples->dimension == group->dimension);
    bool grew = tuple_set_add(arena, domain->tuples, row);
    if (domain->tuples->count > ANALYSIS_MAX_TUPLES) group->has_overflowed = true;
    return grew;
}

bool group_add_cells(struct analysis *analysis, struct arena *arena, struct group *group,
                     struct group_domain *domain, const int32_t *cells) {
    if (group->dimension == 1) {
        struct bounds bounds = single_bounds(analysis, group);
        return value_set_add(arena, &domain->set, cells[group->addresses[0]], &bounds);
    }
    int32_t row[GROUP_MAX_DIMENSION];
    assert(group->dimension <= GROUP_MAX_DIMENSION);
    for (uint32_t i = 0; i < group->dimension; i++) row[i] = cells[group->addresses[i]];
    return add_row(arena, group, domain, row);
}

bool group_join(struct analysis *analysis, struct arena *arena, struct group *group,
                struct group_domain *domain, const struct group_domain *other) {
    assert(domain != other);
    if (group->dimension == 1) {
        struct bounds bounds = single_bounds(analysis, group);
        return value_set_join(arena, &domain->set, &other->set, &bounds);
    }
    bool grew = false;
    for (uint32_t i = 0; i < other->tuples->count; i++)
        grew |= add_row(arena, group, domain, other->tuples->values + (size_t)i * group->dimension);
    return grew;
}

void group_unite(struct analysis *analysis, struct arena *arena, struct group *group,
                 struct group_domain *domain, const struct group_domain *other) {
    assert(domain != other);
    if (group->dimension > 1) {
        group_join(analysis, arena, group, domain, other);
        return;
    }
    struct bounds bounds =
        slot_union_bounds(analysis, analysis->network->slot_of[group->addresses[0]]);
    value_set_join(arena, &domain->set, &other->set, &bounds);
}

bool group_covers(const struct group *group, const struct group_domain *domain,
                  const struct group_domain *other) {
    if (group->dimension == 1) return value_set_covers(&domain->set, &other->set);
    for (uint32_t i = 0; i < other->tuples->count; i++)
        if (!tuple_set_has(domain->tuples, other->tuples->values + (size_t)i * group->dimension))
            return false;
    return true;
}

static void add_common_values(struct arena *arena, struct value_set *set,
                              const struct value_set *left, const struct value_set *right,
                              const struct bounds *bounds) {
    if (left->is_interval && !right->is_interval) {
        add_common_values(arena, set, right, left, bounds);
    } else if (left->is_interval) {
        int32_t lower = left->lower > right->lower ? left->lower : right->lower;
        int32_t upper = left->upper < right->upper ? left->upper : right->upper;
        if (lower > upper) return; /* they have nothing in common */
        struct value_set both = value_set_range(lower, upper);
        value_set_join(arena, set, &both, bounds);
    } else {
        for (uint32_t i = 0; i < left->count; i++)
            if (value_set_has(right, left->values[i]))
                value_set_add(arena, set, left->values[i], bounds);
    }
}

void group_add_common(struct analysis *analysis, struct arena *arena, struct group *group,
                      struct group_domain *domain, const struct group_domain *left,
                      const struct group_domain *right) {
    if (group->dimension == 1) {
        struct bounds bounds = single_bounds(analysis, group);
        add_common_values(arena, &domain->set, &left->set, &right->set, &bounds);
        return;
    }
    for (uint32_t i = 0; i < left->tuples->count; i++) {
        const int32_t *row = left->tuples->values + (size_t)i * group->dimension;
        if (tuple_set_has(right->tuples, row)) add_row(arena, group, domain, row);
    }
}

void group_add_range(struct analysis *analysis, struct arena *arena, struct group *group,
                     struct group_domain *domain, int32_t lower, int32_t upper) {
    if (group->dimension > 1) {
        group->has_overflowed = true;
        return;
    }
    struct bounds bounds = single_bounds(analysis, group);
    struct value_set values = value_set_range(lower, upper);
    value_set_join(arena, &domain->set, &values, &bounds);
}
