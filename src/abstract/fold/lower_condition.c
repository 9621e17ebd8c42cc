/* Conditions of the edges that --must=lower keeps. */
#include "abstract/fold/lower_condition.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/fold/joint.h"
#include "abstract/fold/lower_internal.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

bool lower_concerns(const struct lower *lower, const struct template *template,
                    const struct edge *edge) {
    for (uint32_t i = 0; i < lower->list.count; i++)
        if (lower->list.items[i]->template == template &&
            lower_is_inside(lower->list.items[i], edge->source))
            return true;
    return false;
}

/* Whether a row of the group can be the current tuple; an access to a cell that is not known fits
 * with a single row only. */
static bool agrees(const struct lower_group *group, const struct joint_values *joint,
                   const int32_t *row, bool *has_access) {
    for (uint32_t i = 0; i < joint->list.count; i++) {
        const struct unknown *unknown = joint->list.items[i];
        for (uint32_t k = 0; k < group->cell_count; k++) {
            if (unknown->removal != group->removals[k]) continue;
            if (unknown->access)
                *has_access = true;
            else if (unknown->offset == group->cells[k].offset && joint->values[i] != row[k])
                return false;
        }
    }
    return true;
}

/* The value of a cell after the update, in terms of the source state; NULL if that cannot be
 * said. */
static const struct expr *result_of(struct context *context, const struct lower_group *group,
                                    const struct open_edge *open, const struct joint_values *joint,
                                    uint32_t cell, const int32_t *row) {
    assert(cell < group->cell_count);
    const struct symbol *symbol = group->cells[cell].symbol;
    const struct effects *update = open_edge_effects(context, open);
    if (!effects_writes(update, symbol)) return build_int(context->arena, row[cell]);
    for (uint32_t i = open->store.list.count; i-- > 0;) {
        const struct stored *stored = &open->store.list.items[i];
        if (stored->symbol != symbol) continue;
        return joint_substitute(joint, open, context->arena, stored->before);
    }
    return NULL;
}

static const struct expr *equals(struct arena *arena, const struct expr *value, int32_t wanted) {
    if (expr_is_boolean(value)) return wanted ? value : build_not(arena, value);
    return simplify_node(arena, build_binary(arena, OP_EQ, value, build_int(arena, wanted)));
}

/* Whether the row leads into the set of the target; NULL if that cannot be said. */
static const struct expr *leads_inside(struct context *context, const struct lower_group *group,
                                       const struct open_edge *open,
                                       const struct joint_values *joint, const int32_t *row) {
    struct arena *arena = context->arena;
    const struct tuple_set *target = &group->sets[open->edge->target];
    assert(!target->count || target->dimension == group->cell_count);
    const struct expr *condition = build_bool(arena, false);
    if (target->count > OPEN_EDGE_MAX_CONDITIONS * OPEN_EDGE_MAX_CONDITIONS) return NULL;
    for (uint32_t i = 0; i < target->count; i++) {
        const struct expr *same = build_bool(arena, true);
        for (uint32_t k = 0; k < group->cell_count; k++) {
            const struct expr *value = result_of(context, group, open, joint, k, row);
            if (!value) return NULL;
            same = build_and(arena, same, equals(arena, value, lower_row(target, i)[k]));
        }
        condition = build_or(arena, condition, same ? same : build_bool(arena, true));
        if (expr_is_true(condition)) return build_bool(arena, true);
    }
    return condition;
}

static const struct expr *condition_of_group(struct context *context,
                                             const struct lower_group *group,
                                             const struct open_edge *open,
                                             const struct joint_values *joint) {
    struct arena *arena = context->arena;
    const struct tuple_set *source = &group->sets[open->edge->source];
    assert(lower_is_inside(group, open->edge->source));
    const struct edge_outcome *outcome = &group->outcomes[open->edge_index];
    bool stays_inside = lower_is_inside(group, open->edge->target), has_access = false;
    const struct expr *condition = build_bool(arena, false);
    for (uint32_t i = 0; i < source->count; i++) {
        const int32_t *row = lower_row(source, i);
        if (!agrees(group, joint, row, &has_access)) continue;
        const struct expr *stays = build_bool(arena, true);
        if (stays_inside && !tuple_set_has(&outcome->in, row)) continue;
        if (stays_inside && tuple_set_has(&outcome->out, row))
            stays = leads_inside(context, group, open, joint, row);
        if (!stays || (has_access && source->count > 1) || open_edge_has_chosen(open)) {
            diag_error(context->diag, STATUS_UNSUPPORTED, open->edge->xml->element->at,
                       "--must=lower: for which values this edge stays cannot be said in a guard; "
                       "remove less, or use --must");
            return build_bool(arena, false);
        }
        if (expr_is_true(stays)) return NULL;
        condition = build_or(arena, condition, stays);
    }
    return condition;
}

const struct expr *lower_condition(struct context *context, const struct lower *lower,
                                   const struct open_edge *open, const struct joint_values *joint) {
    const struct expr *condition = NULL;
    for (uint32_t i = 0; i < lower->list.count; i++) {
        const struct lower_group *group = lower->list.items[i];
        if (group->template == open->template && lower_is_inside(group, open->edge->source))
            condition = build_and(context->arena, condition,
                                  condition_of_group(context, group, open, joint));
    }
    return condition;
}
