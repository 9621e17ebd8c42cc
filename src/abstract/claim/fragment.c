#include "abstract/claim/fragment.h"

#include "lang/syntax/kinds.h"

static bool is_of_all_runs(enum op op) {
    return op == OP_AG || op == OP_AF || op == OP_AX || (op >= OP_AU && op <= OP_AR);
}

/* What a prefix of a run shows, or a run of it that goes on: A[], AW, AR that something fails, E<>
 * and EU that something comes. */
static bool shows_early(enum op op) {
    return op == OP_AG || op == OP_AW || op == OP_AR || op == OP_EF || op == OP_EU;
}

static void find(struct fragment *fragment, const struct expr *expr, bool is_negated) {
    if (!expr || !expr_is_modal(expr)) return;
    if (expr->kind == EXPR_KNOW) *(is_negated ? &fragment->doubts : &fragment->knows) = true;
    fragment->is_about_coalitions |= expr->kind == EXPR_ABLE || expr->kind == EXPR_ABLE_UNTIL;
    fragment->is_about_next |= expr->op == OP_ABLE_X;
    if (expr->kind == EXPR_PATH || expr->kind == EXPR_UNTIL) {
        *(is_of_all_runs(expr->op) != is_negated ? &fragment->has_all : &fragment->has_some) = true;
        fragment->needs_ends |= !shows_early(expr->op);
        fragment->is_about_next |= expr->op == OP_AX || expr->op == OP_EX;
    }
    for (int i = 0; i < 2; i++) {
        bool turns = expr->op == OP_NOT || (expr->op == OP_IMPLY && !i);
        find(fragment, expr->child[i], is_negated != turns);
    }
}

/* Over: an operator counts wherever it stands, be it decided by others or not. */
struct fragment fragment_of(const struct expr *formula) {
    struct fragment fragment = {.has_all = false};
    find(&fragment, formula, false);
    return fragment;
}
