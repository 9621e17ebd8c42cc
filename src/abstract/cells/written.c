#include "abstract/cells/written.h"

#include "abstract/edge/error.h"
#include "abstract/facts/range.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

/* Whether a cell before this item got a value of what the effects write: what reads the cell later,
 * and the merged values, would find the new one. */
static bool writes_what_cells_hold(const struct touched_edge *touched, uint32_t item,
                                   const struct effects *effects) {
    for (uint32_t i = 0; i < item; i++) {
        const struct cell_item *before = &touched->items.items[i];
        for (uint32_t w = 0; w < effects->list.count && before->kind == ITEM_WRITE; w++)
            if (effects->list.items[w].writes &&
                expr_mentions_alias(before->expr, effects->list.items[w].symbol))
                return true;
    }
    return false;
}

static bool names_cells_from(const struct touched_edge *touched, uint32_t item) {
    for (uint32_t i = item; i < touched->items.count; i++)
        if (touched->items.items[i].kind == ITEM_WRITE ||
            touched->items.items[i].expr != touched->items.items[i].original)
            return true;
    return false;
}

bool update_reads_what_it_wrote(const struct touched_edge *touched) {
    struct effects written = {0};
    struct effects_table table = touched->group->context->network->effects;
    table.arena = touched->group->context->arena;
    for (uint32_t i = 0; i < touched->items.count; i++) {
        const struct cell_item *item = &touched->items.items[i];
        for (uint32_t w = 0; w < written.list.count; w++) {
            const struct symbol *symbol = written.list.items[w].symbol;
            if (!written.list.items[w].writes) continue;
            bool is_read = item->kind == ITEM_WRITE && expr_mentions_alias(item->expr, symbol);
            for (uint32_t t = 0; t < touched->term_count && item->kind != ITEM_DROPPED; t++)
                is_read |=
                    touched->terms[t].seen && expr_mentions_alias(touched->terms[t].seen, symbol);
            if (is_read) return true;
        }
        if (item->kind != ITEM_VISIBLE) continue;
        effects_add_expr(&table, &written, item->original);
        if (names_cells_from(touched, i + 1) && writes_what_cells_hold(touched, i, &written))
            return true;
    }
    return false;
}

/* Failing */

/* When a visible item does not fail, over the source state; NULL = always, or not known. */
static const struct expr *item_condition(const struct touched_edge *touched,
                                         const struct expr *item) {
    struct context *context = touched->group->context;
    struct arena *arena = context->arena;
    struct error_query query = {.where = where_update(touched->template, touched->edge)};
    const struct expr *condition = no_error_condition(context, &query, item);
    if (query.why_not || query.why_not_visible) return NULL;
    if (!expr_assigns(item)) return condition;
    const struct expr *value = item->child[1];
    if (item->kind == EXPR_STEP) {
        bool is_up = item->op == OP_PRE_INC || item->op == OP_POST_INC;
        value = build_binary(arena, is_up ? OP_ADD : OP_SUB, item->child[0], build_int(arena, 1));
    } else if (item->op != OP_ASSIGN) {
        value = build_binary(arena, op_of_assignment(item->op), item->child[0], value);
    }
    if (!item->child[0]->type || type_strip(item->child[0]->type)->kind != TYPE_INT)
        return condition;
    return build_and(arena, condition, range_condition(context, NULL, value, item->child[0]->type));
}

const struct expr *items_hold(const struct touched_edge *touched, const struct expr *const *items) {
    struct context *context = touched->group->context;
    struct effects written = {0};
    struct effects_table table = context->network->effects;
    const struct expr *all = NULL;
    table.arena = context->arena;
    for (uint32_t i = 0; i < touched->items.count; i++) {
        const struct expr *item = items[i];
        bool is_read = false;
        if (touched->items.items[i].kind != ITEM_VISIBLE) continue;
        const struct expr *condition = item_condition(touched, item);
        for (uint32_t w = 0; w < written.list.count; w++)
            is_read |= written.list.items[w].writes && condition &&
                       expr_mentions_alias(condition, written.list.items[w].symbol);
        if (!is_read) all = build_and(context->arena, all, condition);
        effects_add_expr(&table, &written, item);
    }
    return all;
}
