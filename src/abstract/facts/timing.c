#include "abstract/facts/timing.h"

#include "base/debug.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

static void split(struct arena *arena, const struct expr *condition, struct timed_condition *into) {
    if (condition->kind == EXPR_BINARY && condition->op == OP_AND) {
        split(arena, condition->child[0], into);
        split(arena, condition->child[1], into);
        return;
    }
    const struct expr **part = expr_names_clock(condition) ? &into->timing : &into->numbers;
    assert(condition != *part);
    *part = build_and(arena, *part, condition);
}

/* request: whose clocks are removed; NULL = all clocks. */
static const struct expr *drop_clocks(struct arena *arena, const struct request *request,
                                      const struct expr *condition) {
    if (request ? !removed_clock_in(request, condition) : !expr_names_clock(condition))
        return condition;
    bool is_joint = condition->kind == EXPR_BINARY && op_is_connective(condition->op);
    if (!is_joint && condition->kind != EXPR_QUANTIFY) return build_bool(arena, true);
    struct expr *copy = build_copy(arena, condition);
    for (int i = 0; i < 2 && condition->child[i]; i++)
        copy->child[i] = (struct expr *)drop_clocks(arena, request, condition->child[i]);
    if (!is_joint) return expr_is_true(copy->child[0]) ? build_bool(arena, true) : copy;
    return simplify_node(arena, copy);
}

const struct expr *timing_drop_clocks(struct arena *arena, const struct request *request,
                                      const struct expr *condition) {
    if (!condition || !removed_clock_in(request, condition)) return condition;
    const struct expr *result = drop_clocks(arena, request, condition);
    DEBUG_CHECK(assert(!removed_clock_in(request, result)));
    return expr_is_true(result) ? NULL : result;
}

const struct expr *timing_numbers(struct arena *arena, const struct expr *condition) {
    const struct expr *numbers = drop_clocks(arena, NULL, condition);
    DEBUG_CHECK(assert(!expr_names_clock(numbers)));
    return numbers;
}

struct timed_condition timing_split(struct arena *arena, const struct expr *condition) {
    struct timed_condition parts = {condition, NULL};
    if (!expr_names_clock(condition)) return parts;
    parts.numbers = NULL;
    split(arena, condition, &parts);
    DEBUG_CHECK(assert(!parts.numbers || !expr_names_clock(parts.numbers)));
    assert(parts.timing);
    return parts;
}
