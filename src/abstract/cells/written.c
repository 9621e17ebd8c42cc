/* See written.h. */
#include "abstract/cells/written.h"

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

/* What an update reads of visible variables must be as it was when the guard was read. */
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
