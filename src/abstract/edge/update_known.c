#include "abstract/edge/update_known.h"

#include "abstract/edge/read.h"
#include "abstract/edge/unknown.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/facts/unseen.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { KNOWN_MAX_VALUES = 1024, IDLE_MAX_ITEMS = 1024 };

struct finder {
    struct context *context;
    struct open_edge *open;
    const struct removal *removal;
    struct known_values *known;
    bool is_within_step, is_fit;
};

/* Whether an expression reads cells of the variable and nothing else that varies. */
static bool is_closed(const struct finder *finder, const struct expr *expr) {
    const struct type *type = type_strip(expr->type);
    uint32_t offset;
    if (expr->kind == EXPR_INT || expr->kind == EXPR_BOOL) return true;
    if (expr_is_path(expr))
        return expr_root(expr) == finder->removal->symbol && type &&
               (type->kind == TYPE_INT || type->kind == TYPE_BOOL) &&
               constant_offset(finder->context, finder->removal, expr, &offset);
    if (expr->kind != EXPR_UNARY && expr->kind != EXPR_BINARY && expr->kind != EXPR_COND)
        return false;
    for (int i = 0; i < 3; i++)
        if (expr->child[i] && !is_closed(finder, expr->child[i])) return false;
    return true;
}

/* Whether an expression has one value for all values of its only unknown. */
static bool is_known(const struct finder *finder, const struct expr *expr, int64_t *value) {
    struct arena *arena = finder->context->arena;
    const struct unknown *unknown = NULL;
    int64_t other;
    for (uint32_t i = 0; i < finder->open->unknowns.count; i++) {
        if (!expr_mentions(expr, finder->open->unknowns.items[i]->placeholder)) continue;
        if (unknown) return false;
        unknown = finder->open->unknowns.items[i];
    }
    if (!unknown) return expr_is_constant(expr, value);
    uint64_t count = value_set_size(&unknown->values);
    for (uint64_t i = 0; i < count && count <= KNOWN_MAX_VALUES; i++) {
        const struct expr *put = build_int(arena, value_set_at(&unknown->values, i));
        const struct expr *here = expr_substitute(arena, expr, unknown->placeholder, put);
        if (!expr_is_constant(here, i ? &other : value) || (i && other != *value)) return false;
    }
    return count && count <= KNOWN_MAX_VALUES;
}

static bool add_value(struct finder *finder, const struct expr *expr) {
    struct context *context = finder->context;
    struct open_edge *open = finder->open;
    uint32_t unknowns = open->unknowns.count;
    struct rewriter rewriter = {.context = context,
                                .open = open,
                                .where = open->involved.within,
                                .is_update = true,
                                .is_within_step = finder->is_within_step};
    const struct expr *rewritten = rewrite_read(&rewriter, expr);
    int64_t value;
    bool ok = !rewriter.why_not && is_known(finder, rewritten, &value);
    open->unknowns.count = unknowns;
    if (!ok) return false;
    bool is_bool = expr_is_boolean(expr);
    const char *text =
        is_bool ? (value ? "true" : "false")
                : arena_printf(context->arena, value < 0 ? "(%lld)" : "%lld", (long long)value);
    VEC_PUSH(context->arena, &finder->known->list, (struct known_value){expr, text});
    return true;
}

/* The variable must not be read but in closed expressions that are more than itself, and by no
 * function. */
static bool visit(void *user, const struct expr *expr) {
    struct finder *finder = user;
    const struct symbol *symbol = finder->removal->symbol;
    if (!finder->is_fit) return false;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        const struct function_change *change =
            function_change_of(finder->context->functions, expr->symbol->function);
        finder->is_fit = !change || !passed_name(change, symbol);
    } else if (expr_is_path(expr)) {
        finder->is_fit = expr_root(expr) != symbol;
    } else if (expr_mentions(expr, symbol) && is_closed(finder, expr)) {
        finder->is_fit = add_value(finder, expr);
        return false;
    }
    return finder->is_fit;
}

bool known_values_find(struct context *context, struct open_edge *open,
                       const struct removal *removal, bool is_within_step,
                       struct known_values *known) {
    const struct effects *effects = open_edge_effects(context, open);
    struct finder finder = {context, open, removal, known, is_within_step, true};
    uint32_t count = known->list.count;
    assert(removal->is_whole);
    if (context->request->ghosts.count || effects_writes(effects, removal->symbol)) return false;
    walk_list(&open->edge->updates, visit, &finder);
    if (!finder.is_fit) known->list.count = count;
    return finder.is_fit;
}

static bool never_fails(const struct context *context, const struct open_edge *open,
                        uint32_t index) {
    const struct edge_fact *fact =
        &context->analysis->edges[open->template->index][open->edge_index];
    return !fact->is_incomplete && !fact->item_faults[index];
}

static bool goes_unseen(const struct context *context, const struct open_edge *open,
                        uint32_t index) {
    const struct item_facts *facts = &open->involved.items[index];
    assert(index < open->edge->updates.count);
    return unseen_goes(context, open->edge->updates.items[index], &facts->effects,
                       facts->reads_removed);
}

/* Whether an item changes nothing but variables that are removed. One that may fail is worth
 * keeping only where no values have to be chosen for it. */
static bool may_be_idle(const struct context *context, const struct open_edge *open,
                        uint32_t index) {
    const struct item_facts *facts = &open->involved.items[index];
    return facts->writes_only_removed &&
           (facts->reads_removed || never_fails(context, open, index));
}

static bool rest_involves_changed(const struct idle_items *idle, uint32_t index) {
    const struct effects *effects = &idle->facts[index].effects;
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].writes &&
            idle_items_rest_involves(idle, effects->list.items[i].symbol))
            return true;
    return false;
}

/* Arrays in the arena of the context, by item of the update. */
struct idle_items idle_items_find(struct context *context, struct open_edge *open) {
    uint32_t count = open->edge->updates.count;
    struct idle_items idle = {.is_idle = ARENA_ARRAY(context->arena, bool, count + 1),
                              .facts = open->involved.items,
                              .count = count};
    bool is_tried = !context->request->ghosts.count && count <= IDLE_MAX_ITEMS;
    assert(idle.facts); /* an update without removed variables becomes no function */
    for (uint32_t i = 0; i < count; i++)
        idle.is_idle[i] =
            goes_unseen(context, open, i) || (is_tried && may_be_idle(context, open, i));
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t i = 0; i < count; i++)
            if (idle.is_idle[i] && !goes_unseen(context, open, i) &&
                rest_involves_changed(&idle, i)) {
                idle.is_idle[i] = false;
                changes = true;
            }
    }
    for (uint32_t i = 0; i < count; i++)
        if (idle.is_idle[i] && !goes_unseen(context, open, i) && !never_fails(context, open, i))
            open_edge_add_failure(context, open, i, IDLE_FAILURE);
    return idle;
}

bool idle_items_rest_involves(const struct idle_items *idle, const struct symbol *symbol) {
    for (uint32_t i = 0; i < idle->count; i++)
        if (!idle->is_idle[i] && effects_find(&idle->facts[i].effects, symbol)) return true;
    return false;
}
