/* Variable orders by FORCE. */
#include "explore/symbolic/order.h"

#include "base/debug.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MAX_ROUNDS = 300,
    PATIENCE = 16,     /* rounds without a better one */
    MAX_WRITTEN = 4,   /* variables that a step sets; more are cleared together, and not related */
    COMMON_PART = 8,   /* so much of the fields may be common, */
    FEW_COMMON = 4,    /* or so many */
    MAX_WORK = 1 << 23 /* fields of groups that are looked at in all starts but the first */
};

struct position {
    double mean;
    uint32_t field, rank; /* rank: where it was before */
    uint32_t cluster;     /* one of the fields that it stays with */
};

struct arrangement {
    const struct groups *groups;
    struct position *positions;
    uint32_t count, bound;     /* bound: above every field */
    double *sums;              /* by field: of the means of its groups */
    uint32_t *degrees, *ranks; /* by field */
    uint32_t *sizes;           /* by cluster: how many fields */
    uint32_t *found;           /* the best order of this start */
    uint32_t common;           /* fields of a larger degree are common: see start_apart */
    uint64_t work;
};

static bool is_common(const struct arrangement *arrangement, uint32_t field) {
    return arrangement->degrees[field] > arrangement->common;
}

/* Ranks of the fields as they stand; how far the groups reach together. */
static uint64_t measure(struct arrangement *arrangement) {
    uint64_t span = 0;
    for (uint32_t i = 0; i < arrangement->count; i++) {
        arrangement->positions[i].rank = i;
        arrangement->ranks[arrangement->positions[i].field] = i;
    }
    for (uint32_t g = 0; g < arrangement->groups->items.count; g++) {
        const struct step_group *group = &arrangement->groups->items.items[g];
        uint32_t first = UINT32_MAX, last = 0;
        arrangement->work += group->field_count + 1;
        for (uint32_t i = 0; i < group->field_count; i++) {
            uint32_t rank = arrangement->ranks[group->fields[i]];
            if (is_common(arrangement, group->fields[i])) continue;
            if (rank < first) first = rank;
            if (rank > last) last = rank;
        }
        if (first < last) span += last - first;
    }
    return span;
}

static int compare_positions(const void *left, const void *right) {
    const struct position *a = left, *b = right;
    if (a->mean != b->mean) return a->mean < b->mean ? -1 : 1;
    if (a->cluster != b->cluster) return a->cluster < b->cluster ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void sort(struct arrangement *arrangement) {
    qsort(arrangement->positions, arrangement->count, sizeof *arrangement->positions,
          compare_positions);
}

/* The mean place of the groups of each field. */
static void find_means(struct arrangement *arrangement) {
    memset(arrangement->sums, 0, (arrangement->bound + 1) * sizeof *arrangement->sums);
    for (uint32_t g = 0; g < arrangement->groups->items.count; g++) {
        const struct step_group *group = &arrangement->groups->items.items[g];
        double sum = 0;
        uint32_t count = 0;
        for (uint32_t i = 0; i < group->field_count; i++) {
            if (is_common(arrangement, group->fields[i])) continue;
            sum += arrangement->ranks[group->fields[i]];
            count++;
        }
        for (uint32_t i = 0; i < group->field_count && count; i++)
            arrangement->sums[group->fields[i]] += sum / count;
    }
    for (uint32_t i = 0; i < arrangement->count; i++) {
        struct position *at = &arrangement->positions[i];
        uint32_t degree = arrangement->degrees[at->field];
        at->mean = degree ? arrangement->sums[at->field] / degree : at->rank;
        if (is_common(arrangement, at->field)) at->mean = -1;
    }
}

/* All fields of a cluster go to their mean place. */
static void move(struct arrangement *arrangement) {
    find_means(arrangement);
    memset(arrangement->sums, 0, (arrangement->bound + 1) * sizeof *arrangement->sums);
    memset(arrangement->sizes, 0, (arrangement->bound + 1) * sizeof *arrangement->sizes);
    for (uint32_t i = 0; i < arrangement->count; i++) {
        arrangement->sums[arrangement->positions[i].cluster] += arrangement->positions[i].mean;
        arrangement->sizes[arrangement->positions[i].cluster]++;
    }
    for (uint32_t i = 0; i < arrangement->count; i++) {
        struct position *at = &arrangement->positions[i];
        assert(arrangement->sizes[at->cluster]); /* it counts itself */
        at->mean = arrangement->sums[at->cluster] / arrangement->sizes[at->cluster];
    }
    sort(arrangement);
}

static void keep(const struct arrangement *arrangement) {
    for (uint32_t i = 0; i < arrangement->count; i++)
        arrangement->found[i] = arrangement->positions[i].field;
}

/* Rounds from the order as it stands; the best one is kept. */
static uint64_t improve(struct arrangement *arrangement) {
    uint64_t best = measure(arrangement);
    keep(arrangement);
    for (uint32_t round = 0, waited = 0; round < MAX_ROUNDS && waited < PATIENCE; round++) {
        move(arrangement);
        uint64_t span = measure(arrangement);
        waited = span < best ? 0 : waited + 1;
        if (span >= best) continue;
        best = span;
        keep(arrangement);
    }
    return best;
}

/* Clusters: fields that few groups look at stay with those that the same groups look at, as the
 * variables of one process do; the others, which hold everything together, are alone. */

static uint32_t find_cluster(uint32_t *parents, uint32_t field) {
    while (parents[field] != field) field = parents[field] = parents[parents[field]];
    return field;
}

/* Fields that a group writes whatever they were. */
static uint32_t count_written(const struct step_group *group) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->field_count; i++) count += group->marks[i] == FOOTPRINT_WRITES;
    return count;
}

/* Joins the fields of each group that at most so many groups look at; the first stands for all. */
static void join_clusters(const struct arrangement *arrangement, uint32_t *parents,
                          uint32_t degree) {
    for (uint32_t i = 0; i < arrangement->count; i++)
        parents[arrangement->positions[i].field] = arrangement->positions[i].field;
    for (uint32_t g = 0; g < arrangement->groups->items.count; g++) {
        const struct step_group *group = &arrangement->groups->items.items[g];
        uint32_t first = UINT32_MAX;
        bool is_cleared = count_written(group) > MAX_WRITTEN;
        for (uint32_t i = 0; i < group->field_count; i++) {
            if (arrangement->degrees[group->fields[i]] > degree) continue;
            if (is_cleared && group->marks[i] == FOOTPRINT_WRITES) continue;
            uint32_t own = find_cluster(parents, group->fields[i]);
            if (first == UINT32_MAX) first = own;
            parents[own > first ? own : first] = own < first ? own : first;
            if (own < first) first = own;
        }
    }
}

/* Cluster by cluster; false if the clusters are too small or too large to be of use. */
static bool start_clustered(struct arrangement *arrangement, uint32_t *parents, uint32_t degree) {
    uint32_t clusters = 0, largest = 0;
    join_clusters(arrangement, parents, degree);
    memset(arrangement->sizes, 0, (arrangement->bound + 1) * sizeof *arrangement->sizes);
    for (uint32_t i = 0; i < arrangement->count; i++) {
        struct position *at = &arrangement->positions[i];
        at->rank = at->field;
        at->mean = at->cluster = find_cluster(parents, at->field);
        assert(at->cluster <= at->field && at->field < arrangement->bound);
        clusters += at->cluster == at->field;
        if (++arrangement->sizes[at->cluster] > largest) largest = arrangement->sizes[at->cluster];
    }
    sort(arrangement);
    return clusters * 2 <= arrangement->count && largest * 2 <= arrangement->count;
}

static void init(struct arrangement *arrangement, struct arena *arena, const uint32_t *fields) {
    const struct groups *groups = arrangement->groups;
    arrangement->positions = ARENA_ARRAY(arena, struct position, arrangement->count + 1);
    arrangement->sums = ARENA_ARRAY(arena, double, arrangement->bound + 1);
    arrangement->degrees = ARENA_ARRAY(arena, uint32_t, arrangement->bound + 1);
    arrangement->ranks = ARENA_ARRAY(arena, uint32_t, arrangement->bound + 1);
    arrangement->sizes = ARENA_ARRAY(arena, uint32_t, arrangement->bound + 1);
    arrangement->found = ARENA_ARRAY(arena, uint32_t, arrangement->count + 1);
    for (uint32_t g = 0; g < groups->items.count; g++)
        for (uint32_t i = 0; i < groups->items.items[g].field_count; i++)
            arrangement->degrees[groups->items.items[g].fields[i]]++;
    for (uint32_t i = 0; i < arrangement->count; i++)
        arrangement->positions[i] = (struct position){.field = fields[i], .cluster = fields[i]};
}

/* The next larger degree that some field has; UINT32_MAX after the last. */
static uint32_t next_degree(const struct arrangement *arrangement, uint32_t degree) {
    uint32_t next = UINT32_MAX;
    for (uint32_t i = 0; i < arrangement->count; i++) {
        uint32_t own = arrangement->degrees[arrangement->positions[i].field];
        if (own > degree && own < next) next = own;
    }
    return next;
}

/* Fields that many groups look at, as they all wait for one flag, pull the others to one place.
 * Here these stand in front of all, in the order of the declarations at first, and pull nothing. */
static void start_apart(struct arrangement *arrangement) {
    uint32_t above = arrangement->count;
    arrangement->common = 0;
    while (above > FEW_COMMON && above > arrangement->count / COMMON_PART) {
        arrangement->common = next_degree(arrangement, arrangement->common);
        above = 0;
        for (uint32_t i = 0; i < arrangement->count; i++)
            above += is_common(arrangement, arrangement->positions[i].field);
    }
    for (uint32_t i = 0; i < arrangement->count; i++) {
        struct position *at = &arrangement->positions[i];
        at->rank = at->cluster = at->field;
        at->mean = is_common(arrangement, at->field) ? -1.0 : at->field;
    }
    sort(arrangement);
}

/* Whether without the common fields this start brings the groups much nearer together than the best
 * order so far does. */
static bool is_apart_better(struct arrangement *arrangement, const uint32_t *near) {
    start_apart(arrangement);
    uint64_t apart = improve(arrangement);
    for (uint32_t i = 0; i < arrangement->count; i++) arrangement->positions[i].field = near[i];
    return apart * 4 < measure(arrangement) * 3;
}

/* The order that a start leads to, if it is better than the best so far. */
static void take_best(const struct arrangement *arrangement, uint32_t *fields, uint64_t span,
                      uint64_t *best) {
    if (span >= *best) return;
    *best = span;
    memcpy(fields, arrangement->found, arrangement->count * sizeof *fields);
}

/* That an order has every field once. */
static void order_check(const struct arrangement *arrangement, const uint32_t *order) {
    memset(arrangement->sizes, 0, (arrangement->bound + 1) * sizeof *arrangement->sizes);
    for (uint32_t i = 0; i < arrangement->count; i++) {
        assert(order[i] < arrangement->bound && !arrangement->sizes[order[i]]);
        arrangement->sizes[order[i]]++;
    }
    for (uint32_t i = 0; i < arrangement->count; i++)
        assert(arrangement->sizes[arrangement->positions[i].field]);
}
bool order_fields(struct arena *arena, const uint32_t *fields, uint32_t count, uint32_t field_bound,
                  const struct groups *groups, uint32_t *near, uint32_t *whole) {
    struct arrangement arrangement = {
        .groups = groups, .count = count, .bound = field_bound, .common = UINT32_MAX};
    uint32_t *parents = ARENA_ARRAY(arena, uint32_t, field_bound + 1);
    uint64_t best = UINT64_MAX;
    bool has_whole = false;
    init(&arrangement, arena, fields);
    take_best(&arrangement, near, improve(&arrangement), &best);
    for (uint32_t degree = next_degree(&arrangement, 0);
         degree < UINT32_MAX && arrangement.work < MAX_WORK;
         degree = next_degree(&arrangement, degree)) {
        if (!start_clustered(&arrangement, parents, degree)) continue;
        take_best(&arrangement, near, improve(&arrangement), &best);
        memcpy(whole, arrangement.found, count * sizeof *whole);
        has_whole = true;
    }
    DEBUG_CHECK(order_check(&arrangement, near));
    if (!has_whole && arrangement.work < MAX_WORK && is_apart_better(&arrangement, near)) {
        memcpy(whole, arrangement.found, count * sizeof *whole);
        has_whole = true;
    }
    if (has_whole) DEBUG_CHECK(order_check(&arrangement, whole));
    return has_whole && memcmp(near, whole, count * sizeof *near) != 0;
}

uint64_t order_depth(struct arena *arena, const uint32_t *order, uint32_t count,
                     uint32_t field_bound, const struct groups *groups) {
    uint32_t *ranks = ARENA_ARRAY(arena, uint32_t, field_bound + 1);
    uint64_t depth = 0;
    for (uint32_t i = 0; i < count; i++) ranks[order[i]] = i;
    for (uint32_t g = 0; g < groups->items.count; g++) {
        const struct step_group *group = &groups->items.items[g];
        uint32_t first = count;
        for (uint32_t i = 0; i < group->field_count; i++)
            if (ranks[group->fields[i]] < first) first = ranks[group->fields[i]];
        depth += first;
    }
    return depth;
}
