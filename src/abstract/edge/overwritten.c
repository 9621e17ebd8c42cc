#include "abstract/edge/overwritten.h"

#include "abstract/facts/context.h"
#include "expr/find.h"

#include <assert.h>

/* A walk from the last item to the first. */
struct walk_back {
    const struct edge *edge;
    const struct edge_fact *fact;
    struct effects_table table;
    struct effects after; /* of the items that are kept */
    bool is_partial;      /* the analysis did not meet all values */
    uint32_t at;          /* the items of the edge from here on are after */
    sets_place sets;
    const void *user;
};

static void begin(struct walk_back *walk, struct arena *arena, const struct analysis *analysis,
                  const struct template *template, const struct edge *edge) {
    uint32_t index = (uint32_t)(edge - template->edges);
    assert(index < template->edge_count);
    walk->edge = edge;
    walk->fact = &analysis->edges[template->index][index];
    walk->table = analysis->network->effects;
    walk->table.arena = arena;
    walk->is_partial = analysis->is_pinned;
    walk->at = edge->updates.count;
}

/* Over: whether a kept item after it reads the variable, or another name of it. */
static bool is_read(const struct walk_back *walk, const struct symbol *symbol) {
    for (uint32_t i = 0; i < walk->after.list.count; i++)
        if (walk->after.list.items[i].reads &&
            symbols_may_alias(walk->after.list.items[i].symbol, symbol))
            return true;
    return false;
}

static bool never_fails(struct walk_back *walk, const struct expr *original) {
    while (original && walk->at && walk->edge->updates.items[walk->at - 1] != original) walk->at--;
    assert(walk->at <= walk->edge->updates.count);
    return original && walk->at && !walk->is_partial && !walk->fact->is_incomplete &&
           !walk->fact->item_faults[walk->at - 1];
}

/* Whether the item is left out, which never fails if it is sure; if it is kept, what it reads
 * counts from here on. */
static bool step_back(struct walk_back *walk, const struct expr *expr, bool is_sure) {
    const struct expr *value = expr->kind == EXPR_ASSIGN ? expr->child[1] : NULL;
    const struct symbol *symbol = expr_assigns(expr) ? expr_root(expr->child[0]) : NULL;
    if (is_sure && symbol && !(value && expr_has_effect(value)) && !is_read(walk, symbol) &&
        walk->sets(walk->user, expr->child[0]))
        return true;
    effects_add_expr(&walk->table, &walk->after, expr);
    return false;
}

void overwritten_drop(struct context *context, struct open_edge *open, uint32_t sure,
                      sets_place sets, const void *user) {
    struct walk_back walk = {.sets = sets, .user = user};
    struct item *items = open->items.items;
    uint32_t first = open->items.count;
    assert(sure <= open->items.count);
    begin(&walk, context->arena, context->analysis, open->template, open->edge);
    for (uint32_t i = open->items.count; i-- > 0;) {
        bool is_sure = i < sure || never_fails(&walk, items[i].original);
        if (!step_back(&walk, items[i].expr, is_sure)) items[--first] = items[i];
    }
    open->items.count -= first;
    for (uint32_t i = 0; i < open->items.count; i++) items[i] = items[first + i];
}

const bool *overwritten_find(struct arena *arena, const struct analysis *analysis,
                             const struct template *template, const struct edge *edge,
                             sets_place sets, const void *user) {
    struct walk_back walk = {.sets = sets, .user = user};
    bool *goes = ARENA_ARRAY(arena, bool, edge->updates.count + 1);
    begin(&walk, arena, analysis, template, edge);
    for (uint32_t i = edge->updates.count; i-- > 0;) {
        const struct expr *item = edge->updates.items[i];
        goes[i] = step_back(&walk, item, never_fails(&walk, item));
    }
    return goes;
}
