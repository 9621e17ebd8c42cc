/* See guards.h. */
#include "abstract/facts/guards.h"

#include "abstract/facts/cells.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

bool edge_is_restricted(const struct context *context, const struct template *template,
                        uint32_t index) {
    assert(index < template->edge_count);
    const struct conditions *originals = context->originals;
    return originals &&
           originals->guards[template->index][index].expr != template->edges[index].guard;
}

const struct expr *restricted_guard(const struct context *context, const struct template *template,
                                    uint32_t index, const struct expr **fixed) {
    assert(edge_is_restricted(context, template, index));
    struct arena *arena = context->arena;
    const struct expr *original = context->originals->guards[template->index][index].expr;
    const struct expr *guard = template->edges[index].guard, *rest = guard;
    struct where where = where_guard(template, &template->edges[index]);
    VEC(const struct expr *) behind = {0}; /* the original, last first */
    *fixed = NULL;
    while (rest && !(original && expr_equal(rest, original))) {
        bool is_and = rest->kind == EXPR_BINARY && rest->op == OP_AND;
        if (!is_and && original) return guard; /* it was not added behind */
        VEC_PUSH(arena, &behind, is_and ? rest->child[1] : rest);
        rest = is_and ? rest->child[0] : NULL;
    }
    struct chain read, unread;
    chain_init(&read, arena, OP_AND);
    chain_init(&unread, arena, OP_AND);
    chain_add(&read, original);
    for (uint32_t i = behind.count; i-- > 0;)
        chain_add(expr_reads_removed(context, behind.items[i], where) ? &read : &unread,
                  behind.items[i]);
    *fixed = unread.expr;
    return unread.expr ? read.expr : guard;
}

/* False where no stronger conditions are being tried. */
bool invariant_is_restricted(const struct context *context, const struct template *template,
                             uint32_t location) {
    assert(location < template->location_count);
    const struct conditions *originals = context->originals;
    return originals && originals->invariants[template->index][location] !=
                            template->locations[location].invariant;
}
