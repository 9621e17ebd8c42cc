/* Compile-time values, and which cells paths and expressions mean. */
#include "abstract/facts/cells.h"

#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

static bool has_call_or_quantifier(void *found, const struct expr *expr) {
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_QUANTIFY || expr_assigns(expr) ||
        (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind != SYMBOL_VARIABLE))
        *(bool *)found = true;
    return !*(bool *)found;
}

bool constant_value(struct context *context, const struct expr *expr, int64_t *value) {
    if (expr_is_constant(expr, value)) return true;
    bool refused = false;
    walk_expr(expr, has_call_or_quantifier, &refused);
    if (refused) return false;
    const struct type *type = type_strip(expr->type);
    if (type && !type_is_number(type)) return false;
    int32_t found;
    bool ok = context_value(context, expr, &found);
    *value = found;
    return ok;
}

bool constant_offset(struct context *context, const struct removal *removal,
                     const struct expr *expr, uint32_t *offset) {
    assert(expr->kind != EXPR_NAME || expr->symbol == removal->symbol);
    if (expr->kind == EXPR_NAME) {
        *offset = 0;
        return true;
    }
    const struct expr *inner = expr->child[0];
    if (!constant_offset(context, removal, inner, offset)) return false;
    const struct shape *shape = removal->shape;
    uint32_t rest = *offset;
    /* Walk down to the shape of the inner expression. */
    const struct expr *path[64] = {NULL};
    uint32_t depth = 0;
    for (const struct expr *at = inner; at->kind != EXPR_NAME; at = at->child[0]) {
        if (depth == 64) return false;
        path[depth++] = at;
    }
    while (depth--)
        shape = path[depth]->kind == EXPR_INDEX ? shape->element
                                                : shape->fields[path[depth]->field_index];
    if (expr->kind == EXPR_FIELD) {
        assert(shape->kind == SHAPE_STRUCT && expr->field_index < shape->field_count);
        *offset = rest + shape->offsets[expr->field_index];
        return true;
    }
    int64_t index;
    if (shape->kind != SHAPE_ARRAY || !constant_value(context, expr->child[1], &index) ||
        index < shape->lower || index > shape->upper)
        return false;
    *offset = rest + (uint32_t)(index - shape->lower) * shape->element->cell_count;
    assert(*offset < removal->shape->cell_count);
    return true;
}

struct path_search {
    struct context *context;
    const struct removal *removal;
    bool *cells;
};

static bool mark_cells(const struct path_search *search, uint32_t offset, uint32_t count) {
    assert(offset + count <= search->removal->shape->cell_count);
    bool found = false;
    for (uint32_t i = offset; i < offset + count && (search->cells || !found); i++) {
        found |= search->removal->is_removed[i];
        if (search->cells) search->cells[i] = true;
    }
    return found;
}

/* From the outermost of its steps that are left, the last of which stands first. */
static bool follow_path(const struct path_search *search, const struct expr *const *steps,
                        uint32_t count, const struct shape *shape, uint32_t offset) {
    if (!count) return mark_cells(search, offset, shape->cell_count);
    const struct expr *step = steps[--count];
    assert(step->kind != EXPR_FIELD || shape->kind == SHAPE_STRUCT);
    if (step->kind == EXPR_FIELD)
        return follow_path(search, steps, count, shape->fields[step->field_index],
                           offset + shape->offsets[step->field_index]);
    assert(step->kind == EXPR_INDEX && shape->kind == SHAPE_ARRAY);
    int64_t index, first = shape->lower, last = shape->upper;
    if (constant_value(search->context, step->child[1], &index) && index >= first && index <= last)
        first = last = index;
    bool found = false;
    for (int64_t i = first; i <= last && (search->cells || !found); i++)
        found |= follow_path(search, steps, count, shape->element,
                             offset + (uint32_t)(i - shape->lower) * shape->element->cell_count);
    return found;
}

bool path_may_be_removed(struct context *context, const struct removal *removal,
                         const struct expr *path, bool *cells) {
    enum { MAX_STEPS = 64 };
    const struct path_search search = {context, removal, cells};
    const struct expr *steps[MAX_STEPS] = {NULL};
    uint32_t count = 0;
    /* down to the name, or to that of a variable of a process in a query */
    for (; path->symbol != removal->symbol && count < MAX_STEPS; path = path->child[0]) {
        if (path->kind != EXPR_INDEX && path->kind != EXPR_FIELD) break;
        steps[count++] = path;
    }
    if (path->symbol != removal->symbol) return mark_cells(&search, 0, removal->shape->cell_count);
    assert(path->kind == EXPR_NAME || path->kind == EXPR_FIELD);
    return follow_path(&search, steps, count, removal->shape, 0);
}

static bool effects_removed(const struct context *context, const struct expr *expr,
                            struct where where, bool writes) {
    struct effects_table table = context->network->effects; /* knows all functions */
    struct effects effects = {0};
    table.arena = context->arena;
    effects_add_expr(&table, &effects, expr);
    assert(where.template || !where.edge);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        if ((writes ? effect->writes : effect->reads) &&
            removed_at(context->request, effect->symbol, where))
            return true;
    }
    return false;
}

bool expr_reads_removed(const struct context *context, const struct expr *expr,
                        struct where where) {
    return effects_removed(context, expr, where, false);
}

/* Over, as for reads: a call counts for all that its function may write. */
bool expr_writes_removed(const struct context *context, const struct expr *expr,
                         struct where where) {
    return effects_removed(context, expr, where, true);
}

bool is_scalar_cell(const struct removal *removal, uint32_t offset) {
    assert(offset < removal->shape->cell_count);
    return type_strip(cell_type(removal->symbol->type, removal->shape, offset))->kind ==
           TYPE_SCALAR;
}

bool removal_is_plain_array(const struct removal *removal) {
    return removal->shape->kind == SHAPE_ARRAY && removal->shape->element->kind == SHAPE_CELL;
}
