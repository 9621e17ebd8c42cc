#include "abstract/claim/either.h"

#include "abstract/claim/staying.h"
#include "abstract/fold/output.h"
#include "abstract/fold/selects.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

enum { MOST_NODES = 200 }; /* of a guard that edges are divided by */

static bool is_doubtful_move(const struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    return out->strength == STRENGTH_MAY && !out->loop && !out->is_joint && !edge->sync &&
           edge->target < out->base->template->location_count;
}

/* Under: whether a guard says all that a condition does. */
static bool says(struct arena *arena, const struct expr *guard, const struct expr *condition) {
    struct chain of_guard, of_condition;
    bool is_said = true;
    if (expr_is_true(condition)) return true;
    chain_init(&of_guard, arena, OP_AND);
    chain_init(&of_condition, arena, OP_AND);
    chain_add(&of_guard, guard);
    chain_add(&of_condition, condition);
    for (uint32_t i = 0; i < of_condition.terms.count; i++)
        is_said &= chain_has(&of_guard, of_condition.terms.items[i]);
    return is_said;
}

static void mark(struct abstraction *abstraction, struct fold *fold, uint32_t index,
                 const struct expr *moves, const struct expr *stays) {
    struct arena *arena = abstraction->arena;
    struct output_edge *out = &fold->edges.items[index];
    assert(is_doubtful_move(out) && !out->is_unchanged);
    if (says(arena, out->guard, moves)) {
        out->is_either = true;
        return;
    }
    struct output_edge other = *out;
    other.guard = build_and(arena, stays, out->guard);
    out->guard = build_and(arena, moves, out->guard);
    out->is_either = true;
    VEC_PUSH(arena, &fold->edges, other);
    abstraction->edges_after++;
}

/* Under: whether edges that are certain to be there, or some step of which is, say all of it. */
static bool is_needless(struct arena *arena, const struct fold *fold, const struct expr *stays) {
    const struct expr *none = NULL;
    for (uint32_t i = 0; i < fold->edges.count; i++) {
        const struct output_edge *out = &fold->edges.items[i];
        bool is_sure = out->strength != STRENGTH_MAY && !out->loop && !out->base->edge->sync;
        if (is_sure) none = build_and(arena, none, fold_not(arena, out->guard));
    }
    return says(arena, none, stays);
}

static void mark_at(struct staying *staying, struct abstraction *abstraction,
                    struct location_fold *at) {
    struct arena *arena = abstraction->arena;
    uint32_t count = at->fold.edges.count;
    bool has_some = false;
    for (uint32_t i = 0; i < count; i++) has_some |= is_doubtful_move(&at->fold.edges.items[i]);
    if (!has_some) return;
    staying->may_fail = NULL;
    const struct expr *stays = staying_guard(staying, at);
    if (staying->may_fail || expr_is_true(stays) || expr_size(stays, MOST_NODES) >= MOST_NODES ||
        expr_can_fault(stays) || is_needless(arena, &at->fold, stays))
        return;
    for (uint32_t i = 0; i < count; i++)
        if (is_doubtful_move(&at->fold.edges.items[i]) &&
            fold_hides(&at->fold.edges.items[i], stays))
            return;
    const struct expr *moves = fold_not(arena, stays);
    for (uint32_t i = 0; i < count; i++)
        if (is_doubtful_move(&at->fold.edges.items[i]))
            mark(abstraction, &at->fold, i, moves, stays);
}

void mark_either(struct abstraction *abstraction) {
    const struct network *network = abstraction->network;
    struct staying staying = staying_of(abstraction, false);
    assert(abstraction->context.rules->is_mixed);
    if (network->before_update.list.count || network->after_update.list.count) return;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        struct location_fold *at = abstraction->folds.items[i];
        if (at->location < at->template->location_count) mark_at(&staying, abstraction, at);
    }
}
