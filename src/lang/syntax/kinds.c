#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <string.h>

static const struct expr_traits exprs[] = {
    [EXPR_INT] = {.level = LEVEL_ATOM},
    [EXPR_BOOL] = {.level = LEVEL_ATOM, .is_truth = true},
    [EXPR_NAME] = {.level = LEVEL_ATOM},
    [EXPR_UNARY] = {.child_count = 1},
    [EXPR_BINARY] = {.child_count = 2},
    [EXPR_ASSIGN] = {.child_count = 2, .may_fail = true, .changes = true},
    [EXPR_STEP] = {.child_count = 1, .may_fail = true, .changes = true},
    [EXPR_COND] = {.level = LEVEL_CONDITION, .child_count = 3},
    [EXPR_CALL] = {.level = LEVEL_POSTFIX,
                   .child_count = 1,
                   .has_arguments = true,
                   .may_fail = true},
    [EXPR_INDEX] = {.level = LEVEL_POSTFIX, .child_count = 2, .may_fail = true},
    [EXPR_FIELD] = {.level = LEVEL_POSTFIX, .child_count = 1},
    [EXPR_QUANTIFY] = {.level = LEVEL_ATOM, .child_count = 1},
    [EXPR_BUILTIN] = {.level = LEVEL_ATOM, .has_arguments = true},
    [EXPR_DEADLOCK] = {.text = "deadlock",
                       .level = LEVEL_ATOM,
                       .is_for_queries = true,
                       .is_truth = true,
                       .is_beyond_state = true},
    [EXPR_PATH] = {.level = LEVEL_ATOM,
                   .child_count = 1,
                   .is_for_queries = true,
                   .is_beyond_state = true,
                   .is_modal = true},
    [EXPR_UNTIL] = {.level = LEVEL_ATOM,
                    .child_count = 2,
                    .is_for_queries = true,
                    .is_beyond_state = true,
                    .is_modal = true},
    [EXPR_KNOW] = {.level = LEVEL_ATOM,
                   .child_count = 1,
                   .has_arguments = true,
                   .is_for_queries = true,
                   .is_beyond_state = true,
                   .is_modal = true},
    [EXPR_ABLE] = {.level = LEVEL_ATOM,
                   .child_count = 1,
                   .has_arguments = true,
                   .is_for_queries = true,
                   .is_beyond_state = true,
                   .is_modal = true},
    [EXPR_ABLE_UNTIL] = {.level = LEVEL_ATOM,
                         .child_count = 2,
                         .has_arguments = true,
                         .is_for_queries = true,
                         .is_beyond_state = true,
                         .is_modal = true},
    [EXPR_DOUBLE] = {.level = LEVEL_ATOM, .refusal = "doubles are not supported"},
    [EXPR_STRING] = {.level = LEVEL_ATOM, .refusal = "strings are not supported"},
    [EXPR_RATE] = {.level = LEVEL_POSTFIX,
                   .child_count = 1,
                   .refusal = "clock rates are not supported"},
};

/* The row of the table; never NULL. */
const struct expr_traits *expr_traits(enum expr_kind kind) {
    assert((unsigned)kind < sizeof exprs / sizeof exprs[0]);
    return &exprs[kind];
}

bool expr_kind_of_word(const char *word, enum expr_kind *kind) {
    assert(word);
    for (size_t i = 0; i < sizeof exprs / sizeof exprs[0]; i++) {
        *kind = (enum expr_kind)i;
        if (exprs[i].is_for_queries && exprs[i].text && !strcmp(exprs[i].text, word)) return true;
    }
    return false;
}

static const struct query_traits queries[] = {
    [QUERY_EMPTY] = {FAMILY_NONE, false, false, false, false},
    [QUERY_ALWAYS] = {FAMILY_REACHABILITY, true, true, false, false},
    [QUERY_POSSIBLY] = {FAMILY_REACHABILITY, false, false, false, false},
    [QUERY_EVENTUALLY] = {FAMILY_LIVENESS, true, true, false, false},
    [QUERY_POTENTIALLY] = {FAMILY_LIVENESS, false, false, false, false},
    [QUERY_LEADS_TO] = {FAMILY_LIVENESS, true, false, false, false},
    [QUERY_SUP] = {FAMILY_BOUNDS, true, false, false, true},
    [QUERY_INF] = {FAMILY_BOUNDS, true, false, true, false},
    [QUERY_BOUNDS] = {FAMILY_BOUNDS, true, false, true, true},
    [QUERY_FORMULA] = {FAMILY_FORMULA, false, false, false, false},
    [QUERY_INVALID] = {FAMILY_NONE, false, false, false, false},
};

/* The row of the table; never NULL. */
const struct query_traits *query_traits(enum quantifier quantifier) {
    assert((unsigned)quantifier < sizeof queries / sizeof queries[0]);
    return &queries[quantifier];
}

static bool is_beyond_state_itself(const void *context, const struct expr *expr) {
    (void)context;
    return expr_traits(expr->kind)->is_beyond_state;
}

bool expr_is_beyond_state(const struct expr *expr) {
    return expr_any(expr, is_beyond_state_itself, NULL);
}

bool expr_is_modal(const struct expr *expr) {
    if (!expr) return false;
    bool is_modal = exprs[expr->kind].is_modal;
    for (int i = 0; i < 3 && !is_modal; i++) is_modal = expr_is_modal(expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count && !is_modal; i++)
        is_modal = expr_is_modal(expr->arguments[i]);
    return is_modal;
}
