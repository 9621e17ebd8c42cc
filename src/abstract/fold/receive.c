/* Broadcast receivers whose guard was weakened (rule M3): where the abstract model could force one
 * into a step that the original skips, a self-loop lets it decline. In a must-abstraction no
 * process sends then (rule U2). */
#include "abstract/fold/receive.h"

#include "abstract/edge/error.h"
#include "abstract/edge/open_edge.h"
#include "abstract/facts/channel.h"
#include "abstract/facts/context.h"
#include "abstract/fold/joint.h"
#include "abstract/fold/output.h"
#include "abstract/fold/partition.h"
#include "abstract/fold/selects.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "model/step_path.h"

#include <assert.h>

static bool has_decline(const struct folder *folder, const struct expr *sync,
                        const struct expr *guard) {
    for (uint32_t i = 0; i < folder->fold->edges.count; i++) {
        const struct output_edge *out = &folder->fold->edges.items[i];
        if (out->loop == LOOP_DECLINE && expr_equal(out->sync, sync) &&
            (expr_is_true(out->guard) || (!expr_is_true(guard) && expr_equal(out->guard, guard))))
            return true;
    }
    return false;
}

static void emit_decline(struct folder *folder, const struct open_edge *open,
                         const struct expr *sync, const struct expr *guard) {
    /* an error in the channel would spoil the broadcast for all */
    struct error_query query = {.where = open->involved.before};
    assert(folder->context->rules->receivers_decline && sync);
    guard = build_and(folder->arena, guard, no_error_condition(folder->context, &query, sync));
    if (expr_is_false(guard) || has_decline(folder, sync, guard)) return;
    struct output_edge out = {.base = open, .loop = LOOP_DECLINE, .guard = guard, .sync = sync};
    out.origins = ARENA_NEW(folder->arena, struct origin);
    out.origins[0] = (struct origin){.open = open};
    out.origin_count = 1;
    out.items = ARENA_NEW(folder->arena, struct item);
    fold_add_selects(folder, &out);
    if (fold_hides(&out, guard)) { /* it comes from others: without it, it may decline always */
        if (has_decline(folder, sync, NULL)) return;
        out.guard = no_error_condition(folder->context, &query, sync);
        fold_add_selects(folder, &out);
    }
    VEC_PUSH(folder->arena, &folder->fold->edges, out);
    fold_add_reason(folder, "%s: a broadcast receiver may or may not be able to take part",
                    fold_edge_name(folder, open));
}

/* Whether the condition on clocks depends on removed variables. */
static bool timing_differs(struct folder *folder, const struct open_edge *open) {
    if (!open->passed || !expr_has_unknown(open->passed)) return false;
    struct joint_values joint = {.arena = folder->arena};
    joint_add(&joint, open);
    uint64_t count = joint_start(&joint, folder->context, open, FOLD_MAX_JOINT);
    if (!count || open_edge_has_chosen(open)) return count > 0;
    const struct expr *first = joint_substitute(&joint, open, folder->arena, open->passed);
    bool differs = count > FOLD_MAX_JOINT;
    while (!differs && joint_next(&joint))
        differs = !expr_equal(first, joint_substitute(&joint, open, folder->arena, open->passed));
    return differs;
}

static bool guard_is_certain(const struct open_edge *open) {
    return !open_edge_has_chosen(open) && !open->weakens_guard;
}

/* Nothing is known of when it can take part: it always may decline, on every channel it may
 * listen to. */
static void decline_always(struct folder *folder, const struct open_edge *open) {
    struct arena *arena = folder->arena;
    if (!open->unknowns.count || !expr_has_unknown(open->sync)) {
        emit_decline(folder, open, open->sync, NULL);
        return;
    }
    struct joint_values joint = {.arena = arena};
    joint_add(&joint, open);
    uint64_t count = joint_start(&joint, folder->context, open, FOLD_MAX_TUPLES);
    assert(count <= FOLD_MAX_TUPLES); /* else unknowns were chosen (open_edge_choose) */
    if (!count) return;
    do emit_decline(folder, open, joint_substitute(&joint, open, arena, open->sync), NULL);
    while (joint_next(&joint));
}

struct receivers { /* of one location with the same selects */
    VEC(const struct open_edge *) list;
    struct partition partition;
    bool is_timed; /* some ask clocks: that one receives may depend on the time */
};

/* Whether some receiver is enabled on the channel with the current values; base: whose selects are
 * meant. */
static const struct expr *enabled_on(struct folder *folder, const struct receivers *receivers,
                                     const struct open_edge *base, const struct expr *sync) {
    struct arena *arena = folder->arena;
    const struct joint_values *joint = &receivers->partition.joint;
    const struct expr *enabled = build_bool(arena, false);
    for (uint32_t i = 0; i < receivers->list.count; i++) {
        const struct open_edge *open = receivers->list.items[i];
        const struct expr *own = joint_substitute(joint, open, arena, open->sync);
        if (!expr_equal(fold_with_selects(folder, base, open, own), sync)) continue;
        const struct expr *guard = fold_guard_here(joint, open, arena);
        enabled = fold_or(arena, enabled, fold_with_selects(folder, base, open, guard));
    }
    return enabled;
}

/* The loop on one channel: enabled if for some values no receiver is. None if that does not depend
 * on the values, since then the receivers' own guards say it. */
static void decline_on(struct folder *folder, const struct open_edge *open,
                       struct receivers *receivers, const struct expr *sync) {
    struct partition *partition = &receivers->partition;
    partition_begin(partition);
    do {
        const struct expr *enabled = enabled_on(folder, receivers, open, sync);
        partition_say(partition, fold_not(folder->arena, enabled));
    } while (joint_next(&partition->joint));
    if (!partition->is_same)
        emit_decline(folder, open, sync,
                     receivers->is_timed ? NULL : partition_differing(partition));
}

static void decline(struct folder *folder, struct open_edge *open) {
    struct arena *arena = folder->arena;
    struct receivers receivers = {0};
    struct joint_values *joint = &receivers.partition.joint;
    partition_init(&receivers.partition, folder->context, arena);
    for (uint32_t i = 0; i < folder->open_edge_count; i++) {
        const struct open_edge *other = folder->open_edges[i];
        if (other != open && (!open_edge_receives_broadcast(folder->context, other) ||
                              !guard_is_certain(other) || !fold_selects_alike(folder, other, open)))
            continue;
        VEC_PUSH(arena, &receivers.list, other);
        partition_include(&receivers.partition, other);
        receivers.is_timed |= other->passed != NULL;
    }
    if (receivers
            .is_timed) { /* where they ask for time, one does not stand in for another (T3.6) */
        receivers.list.count = 0;
        VEC_PUSH(arena, &receivers.list, open);
    }
    uint64_t count = joint_start(joint, folder->context, open, FOLD_MAX_JOINT);
    if (!guard_is_certain(open) || count > FOLD_MAX_JOINT || timing_differs(folder, open)) {
        decline_always(folder, open);
        return;
    }
    if (joint->is_empty) return;
    assert(count && receivers.list.count);
    VEC(const struct expr *) syncs = {0}; /* that some values give */
    do {
        const struct expr *sync = joint_substitute(joint, open, arena, open->sync);
        bool is_new = true;
        for (uint32_t i = 0; i < syncs.count && is_new; i++)
            is_new = !expr_equal(syncs.items[i], sync);
        if (is_new) VEC_PUSH(arena, &syncs, sync);
    } while (joint_next(joint));
    for (uint32_t i = 0; i < syncs.count; i++) decline_on(folder, open, &receivers, syncs.items[i]);
}

void fold_declines(struct folder *folder) {
    for (uint32_t i = 0; i < folder->open_edge_count; i++) {
        struct open_edge *open = folder->open_edges[i];
        if (open_edge_receives_broadcast(folder->context, open) &&
            (open->weakens_guard || expr_has_unknown(open->guard) || expr_has_unknown(open->sync) ||
             timing_differs(folder, open)))
            decline(folder, open);
        if (open->has_condition_of_receiver)
            fold_add_reason(folder, "%s: a broadcast receiver that may fail",
                            fold_edge_name(folder, open));
    }
}

/* U2 */

/* The channel on which the failures of a receiver keep others from sending; NULL = all. */
static const struct symbol *spoilt_by(const struct open_edge *open, const struct edge *receiver) {
    bool spoils_all =
        receiver == open->edge ? open->spoils_all_broadcasts : expr_can_fault(receiver->sync);
    return spoils_all ? NULL : expr_root(receiver->sync);
}

/* Blocks the channels on which steps may be received whose path has the edge. */
static void block(struct folder *folder, const struct open_edge *open, bool tells) {
    const struct template *template = open->template;
    struct step_path path;
    step_path_open(&path, template, open->edge);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (!path.has[i] || edge->is_send ||
            !sync_is_broadcast(folder->context, template, edge->sync))
            continue;
        const struct symbol *root = spoilt_by(open, edge);
        if (tells)
            fold_add_reason(
                folder, "%s: who receives depends on removed values, so no process sends on %s",
                fold_edge_name(folder, open),
                root ? arena_printf(folder->arena, "'%s'", root->name) : "any broadcast channel");
        blocked_channels_add(&folder->fold->blocks, root, folder->arena);
    }
    step_path_close(&path);
}

void fold_blocks(struct folder *folder) {
    assert(folder->context->rules->blocks_sends);
    for (uint32_t i = 0; i < folder->open_edge_count; i++) {
        const struct open_edge *open = folder->open_edges[i];
        bool differs = open->inexact.count || open->has_condition_of_receiver;
        for (uint32_t k = 0; k < folder->of_edges[i].list.count; k++)
            differs |= !folder->of_edges[i].list.items[k]->is_exact;
        if (differs) block(folder, open, true);
    }
}

/* MX4 */
void fold_doubtful_sends(struct folder *folder) {
    assert(folder->context->rules->is_mixed);
    for (uint32_t i = 0; i < folder->open_edge_count; i++) {
        const struct open_edge *open = folder->open_edges[i];
        if (open->has_condition_of_receiver) block(folder, open, false);
    }
}
