/* See guards.h. */
#include "abstract/guards.h"

#include "abstract/cells.h"
#include "expr/find.h"
#include "expr/simplify.h"

bool edge_is_restricted(const struct form_context *context, const struct template *template,
                        uint32_t index) {
    const struct conditions *originals = context->originals;
    return originals && originals->guards[template->index][index] != template->edges[index].guard;
}

const struct expr *restricted_guard(const struct form_context *context,
                                    const struct template *template, uint32_t index,
                                    const struct expr **added) {
    struct arena *arena = context->arena;
    const struct expr *original = context->originals->guards[template->index][index];
    const struct expr *guard = template->edges[index].guard, *rest = guard, *read = NULL;
    *added = NULL;
    while (rest && !(original && expr_equal(rest, original))) {
        bool is_and = rest->kind == EXPR_BINARY && rest->op == OP_AND;
        const struct expr *last = is_and ? rest->child[1] : rest;
        if (!is_and && original) break; /* it was not added behind */
        rest = is_and ? rest->child[0] : NULL;
        if (expr_reads_removed(context, last))
            read = build_and(arena, last, read);
        else
            *added = build_and(arena, last, *added);
    }
    if (rest && !expr_equal(rest, original)) *added = NULL;
    return *added ? build_and(arena, original, read) : guard;
}

bool invariant_is_restricted(const struct form_context *context, const struct template *template,
                             uint32_t location) {
    const struct conditions *originals = context->originals;
    return originals && originals->invariants[template->index][location] !=
                            template->locations[location].invariant;
}
