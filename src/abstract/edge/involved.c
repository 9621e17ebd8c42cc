#include "abstract/edge/involved.h"

#include "abstract/facts/cells.h"
#include "abstract/prepare/ghost.h"

#include <assert.h>

enum { FEW = 32 }; /* symbols that are looked through one by one */

static void add_symbols(struct context *context, struct involved *involved,
                        const struct effects *effects, bool is_update) {
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct symbol *symbol = effects->list.items[i].symbol;
        const struct removal *removal = removed_ever(context->request, symbol);
        struct involved_symbol found = {symbol, removal, removal};
        if (removal && removal->scope) {
            if (!removal_counts(removal, involved->before)) found.before = NULL;
            if (!removal_counts(removal, involved->within)) found.within = NULL;
        }
        assert(found.before || !found.within); /* what counts at both ends counts at the first */
        involved->is_before |= found.before || clock_is_removed(context->request, symbol);
        involved->is_within |= is_update && found.within;
        VEC_PUSH(context->arena, &involved->symbols, found);
    }
}

static bool is_followed(const struct request *request, const struct symbol *symbol) {
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        for (uint32_t k = 0; k < request->ghosts.items[i]->cells.count; k++)
            if (request->ghosts.items[i]->cells.items[k].symbol == symbol) return true;
    return false;
}

static struct item_facts facts_of(struct context *context, const struct involved *involved,
                                  struct effects_table *table, const struct expr *item) {
    struct item_facts facts = {.is_ghost = is_ghost_update(item)};
    bool writes_others = false;
    effects_add_expr(table, &facts.effects, item);
    for (uint32_t i = 0; i < facts.effects.list.count; i++) {
        const struct effect *effect = &facts.effects.list.items[i];
        const struct removal *removal =
            involved_removal(context, involved, effect->symbol, involved->within);
        bool is_whole = removal && removal->is_whole;
        facts.reads_removed |= removal && effect->reads;
        facts.names_whole |= is_whole;
        facts.writes_whole |= is_whole && effect->writes;
        writes_others |= effect->writes && (!is_whole || removal->scope ||
                                            is_followed(context->request, effect->symbol));
    }
    facts.writes_only_removed = facts.writes_whole && !writes_others;
    return facts;
}

struct involved involved_find(struct context *context, const struct template *template,
                              const struct edge *edge, bool needs_items) {
    const struct edge_labels *labels = labels_of_edge(context->network, template, edge);
    struct involved involved = {.before = where_guard(template, edge),
                                .within = where_update(template, edge)};
    assert(labels->has_guard_effects); /* or what the guard reads would be missed */
    add_symbols(context, &involved, &labels->guard_effects, false);
    add_symbols(context, &involved, &labels->sync_effects, false);
    add_symbols(context, &involved, &labels->update_effects, true);
    if (!needs_items && !involved.is_before) return involved;
    struct effects_table table = context->network->effects; /* knows all functions */
    table.arena = context->arena;
    involved.items = ARENA_ARRAY(context->arena, struct item_facts, edge->updates.count + 1);
    for (uint32_t i = 0; i < edge->updates.count; i++)
        involved.items[i] = facts_of(context, &involved, &table, edge->updates.items[i]);
    return involved;
}

const struct removal *involved_removal(const struct context *context,
                                       const struct involved *involved, const struct symbol *symbol,
                                       struct where where) {
    const struct involved_symbol *symbols = involved->symbols.items;
    assert(!involved->symbols.count || where.template == involved->within.template);
    assert(!involved->symbols.count || where.source == involved->before.source);
    if (symbol->kind == SYMBOL_SELECT) return NULL; /* also of what stands for an unknown */
    for (uint32_t i = 0; i < involved->symbols.count && involved->symbols.count <= FEW; i++)
        if (symbols[i].symbol == symbol)
            return where.target == involved->within.target ? symbols[i].within : symbols[i].before;
    return removed_at(context->request, symbol, where);
}

bool involved_reads(const struct context *context, const struct involved *involved,
                    const struct expr *expr, struct where where) {
    assert(where.template == involved->before.template);
    if (expr->kind == EXPR_INT || expr->kind == EXPR_BOOL) return false;
    if (expr->kind == EXPR_NAME && expr->symbol)
        return involved_removal(context, involved, expr->symbol, where) != NULL;
    return expr_reads_removed(context, expr, where);
}
