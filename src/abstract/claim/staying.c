#include "abstract/claim/staying.h"

#include "abstract/cells/plan.h"
#include "abstract/edge/open_edge.h"
#include "abstract/fold/joint.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/substitute.h"

#include <assert.h>

enum { MOST_VALUES = 64 }; /* of the selects of an edge together */

/* The values of a select that a guard asks for; 0 if they are too many to enumerate. */
static uint32_t count_values(const struct staying *staying, const struct symbol *select,
                             int32_t *first) {
    const struct shape *shape = context_shape(staying->folder.context, select->type);
    if (!shape || shape->kind != SHAPE_CELL || shape->is_scalar) return 0;
    assert(shape->lower <= shape->upper);
    *first = shape->lower;
    int64_t count = (int64_t)shape->upper - shape->lower + 1;
    return count <= MOST_VALUES ? (uint32_t)count : 0;
}

/* Whether what a guard reads depends on a select, so that its values are not those of one cell. */
static bool is_index_in_guard(const struct open_edge *open, const struct symbol *select) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->access && expr_mentions(unknown->access, select) && open->guard &&
            expr_mentions(open->guard, unknown->placeholder))
            return true;
    }
    return false;
}

/* Whether it can be said exactly when the guard of an edge holds for some values of its selects. */
static bool is_plain(const struct staying *staying, const struct open_edge *open) {
    uint32_t product = 1;
    int32_t first;
    if (open->inexact.count || open_edge_has_chosen(open)) return false;
    for (uint32_t i = 0; i < open->edge->select_count; i++) {
        const struct symbol *select = open->edge->selects[i];
        if (!expr_mentions(open->edge->written_guard, select)) continue;
        product *= is_index_in_guard(open, select) ? 0 : count_values(staying, select, &first);
        if (!product || product > MOST_VALUES) return false;
    }
    return true;
}

/* Where a guard holds for some values of the selects from one on. */
static const struct expr *for_some_values(const struct staying *staying, const struct edge *edge,
                                          const struct expr *guard) {
    struct arena *arena = staying->folder.arena;
    uint32_t parts = 1;
    if (!guard) return NULL;
    const struct expr **part = ARENA_ARRAY(arena, const struct expr *, MOST_VALUES);
    part[0] = guard;
    for (uint32_t i = 0; i < edge->select_count; i++) {
        int32_t first = 0;
        if (!expr_mentions(edge->written_guard, edge->selects[i])) continue;
        uint32_t count = count_values(staying, edge->selects[i], &first), before = parts;
        assert(count && parts * count <= MOST_VALUES); /* is_plain */
        for (uint32_t k = before * count; k-- > 0;)
            part[k] = expr_substitute(arena, part[k % before], edge->selects[i],
                                      build_int(arena, first + (int64_t)(k / before)));
        parts = before * count;
    }
    const struct expr *some = build_bool(arena, false);
    for (uint32_t k = 0; k < parts; k++) some = fold_or(arena, some, part[k]);
    return some;
}

/* Over: what may fail in a step of the edge, where its guard holds or in finding that out. */
static const struct expr *failing_item(const struct edge *edge) {
    if (expr_can_fault(edge->written_guard)) return edge->written_guard;
    if (expr_can_fault(edge->sync)) return edge->sync;
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (expr_can_fault(edge->updates.items[i])) return edge->updates.items[i];
    return NULL;
}

bool staying_relies_on(struct staying *staying, const struct open_edge *open) {
    const struct expr *failing = failing_item(open->edge);
    if (!failing) return true;
    enum known_errors known = errors_known(staying->errors);
    if (known != ERRORS_UNKNOWN) return known == ERRORS_NONE;
    if (!staying->may_fail)
        staying->may_fail =
            failure_text(staying->folder.arena, open->template, open->edge, failing);
    return true;
}

static void sort_open_edge(struct staying *staying, const struct open_edge *open) {
    struct arena *arena = staying->folder.arena;
    const struct template *template = open->template;
    bool is_plain_edge = is_plain(staying, open),
         is_branching = open->edge->target >= template->location_count;
    if (cells_plan_edge(staying->folder.context->cells, template, open->edge_index)) {
        if (edge_is_sure(&staying->sure, template, open->edge_index) &&
            staying_relies_on(staying, open))
            VEC_PUSH(arena, &staying->sure_cells, open->edge_index);
        return; /* on no urgent channel (cells/plan.h) */
    }
    if (edge_is_sure(&staying->sure, template, open->edge_index) && is_plain_edge &&
        staying_relies_on(staying, open)) {
        VEC_PUSH(arena, &staying->sure_edges, open);
        partition_include(&staying->partition, open);
    }
    if (!staying->has_urgent || !(is_branching || sync_may_be_urgent(open->edge->sync))) return;
    VEC_PUSH(arena, &staying->urgent, open);
    partition_include(&staying->partition, open);
    staying->is_always |= is_branching || !is_plain_edge || expr_has_unknown(open->sync) ||
                          open->edge->select_count || !staying_relies_on(staying, open);
}

/* The guard for the current values: that no such edge is enabled, or that some urgent edge is
 * disabled.
 */
static const struct expr *guard_here(const struct staying *staying) {
    struct arena *arena = staying->folder.arena;
    const struct joint_values *joint = &staying->partition.joint;
    const struct expr *moves = build_bool(arena, false);
    for (uint32_t i = 0; i < staying->sure_edges.count; i++) {
        const struct open_edge *open = staying->sure_edges.items[i];
        moves = fold_or(arena, moves,
                        for_some_values(staying, open->edge, fold_guard_here(joint, open, arena)));
    }
    const struct expr *guard = fold_not(arena, moves);
    for (uint32_t i = 0; i < staying->urgent.count; i++) {
        const struct open_edge *open = staying->urgent.items[i];
        guard = fold_or(arena, guard, fold_not(arena, fold_guard_here(joint, open, arena)));
    }
    return guard;
}

static const struct expr *guard_by_values(struct staying *staying,
                                          const struct location_fold *fold) {
    struct partition *partition = &staying->partition;
    assert(fold->open_edge_count);
    partition_init(partition, staying->folder.context, staying->folder.arena);
    staying->sure_edges.count = staying->urgent.count = staying->sure_cells.count = 0;
    staying->is_always = false;
    for (uint32_t i = 0; i < fold->open_edge_count; i++)
        sort_open_edge(staying, fold->open_edges[i]);
    if (staying->is_always) return NULL;
    if (joint_start(&partition->joint, staying->folder.context, fold->open_edges[0],
                    FOLD_MAX_JOINT) > FOLD_MAX_JOINT)
        return NULL;
    if (partition->joint.is_empty) return build_bool(staying->folder.arena, false);
    partition_begin(partition);
    do partition_say(partition, guard_here(staying));
    while (joint_next(&partition->joint));
    return partition_may(partition);
}

/* Edges that touch cells are enabled for certain by what merged values are (L2). */
const struct expr *staying_guard(struct staying *staying, const struct location_fold *fold) {
    struct arena *arena = staying->folder.arena;
    const struct expr *guard = guard_by_values(staying, fold);
    if (!staying->sure_cells.count) return guard;
    const struct expr *sure = cells_plan_sure(staying->folder.context->cells, fold->template,
                                              staying->sure_cells.items, staying->sure_cells.count);
    return build_and(arena, guard, fold_not(arena, sure));
}

struct staying staying_of(struct abstraction *abstraction, bool has_urgent) {
    struct staying staying = {
        .folder = {.context = &abstraction->context, .arena = abstraction->arena},
        .has_urgent = has_urgent,
        .errors = abstraction->errors};
    sure_steps_find(&staying.sure, abstraction, false);
    return staying;
}
