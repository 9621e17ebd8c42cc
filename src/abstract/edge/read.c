/* Rewriting what only reads: every read of a removed cell becomes an unknown. */
#include "abstract/edge/read.h"

#include "abstract/edge/call.h"
#include "abstract/edge/open_edge.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/facts/names.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { MAX_EXPANSION = 64 }; /* values of a quantifier that is written out */

/* Whether evaluation may stop after the first operand. */
static bool is_lazy(const struct expr *expr) {
    return expr->kind == EXPR_COND || (expr->kind == EXPR_BINARY && op_is_connective(expr->op));
}

/* Simplified, but for what would leave out reading a cell by an index: that may fail, where its
 * unknown does not (F2). */
static const struct expr *simplify_read(const struct rewriter *rewriter, const struct expr *expr) {
    const struct open_edge *open = rewriter->open;
    const struct expr *simple = simplify_node(rewriter->context->arena, expr);
    if (simple == expr) return expr;
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->access && expr_mentions(expr, unknown->placeholder) &&
            !expr_mentions(simple, unknown->placeholder))
            return expr;
    }
    return simple;
}

static const struct expr *rewrite_children(struct rewriter *rewriter, const struct expr *expr) {
    struct arena *arena = rewriter->context->arena;
    struct expr *copy = NULL;
    bool is_certain = rewriter->is_certain;
    for (int i = 0; i < 3; i++) {
        if (!expr->child[i] || (expr->kind == EXPR_CALL && i == 0)) continue;
        rewriter->is_certain = is_certain && (i == 0 || !is_lazy(expr));
        const struct expr *child = rewrite_read(rewriter, expr->child[i]);
        if (child == expr->child[i]) continue;
        if (!copy) copy = build_copy(arena, expr);
        copy->child[i] = (struct expr *)child;
    }
    rewriter->is_certain = is_certain;
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        const struct expr *argument = rewrite_read(rewriter, expr->arguments[i]);
        if (argument == expr->arguments[i]) continue;
        if (!copy) copy = build_copy(arena, expr);
        if (copy->arguments == expr->arguments) {
            copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
            memcpy(copy->arguments, expr->arguments,
                   expr->argument_count * sizeof *copy->arguments);
        }
        copy->arguments[i] = (struct expr *)argument;
    }
    return copy ? simplify_read(rewriter, copy) : expr;
}

const struct expr *rewrite_indices(struct rewriter *rewriter, const struct expr *expr) {
    if (expr->kind == EXPR_NAME) return expr;
    const struct expr *inner = rewrite_indices(rewriter, expr->child[0]);
    const struct expr *index =
        expr->kind == EXPR_INDEX ? rewrite_read(rewriter, expr->child[1]) : expr->child[1];
    if (inner == expr->child[0] && index == expr->child[1]) return expr;
    struct expr *copy = build_copy(rewriter->context->arena, expr);
    copy->child[0] = (struct expr *)inner;
    copy->child[1] = (struct expr *)index;
    return copy;
}

static const struct removal *rewriter_removal(const struct rewriter *rewriter,
                                              const struct symbol *symbol) {
    return involved_removal(rewriter->context, &rewriter->open->involved, symbol, rewriter->where);
}

static const struct stored *find_stored(const struct rewriter *rewriter,
                                        const struct symbol *symbol) {
    if (!rewriter->store) return NULL;
    for (uint32_t i = rewriter->store->list.count; i-- > 0;)
        if (rewriter->store->list.items[i].symbol == symbol) return &rewriter->store->list.items[i];
    return NULL;
}

static bool indices_are_stored(const struct rewriter *rewriter, const struct expr *expr) {
    for (uint32_t i = 0; rewriter->store && i < rewriter->store->list.count; i++)
        if (expr_mentions_alias(expr, rewriter->store->list.items[i].symbol)) return true;
    return false;
}

static bool is_scalar_type(const struct type *type) {
    type = type_strip(type);
    return type && type->kind != TYPE_ARRAY && type->kind != TYPE_STRUCT;
}

/* Where a path leads to, and under which condition on its indices to the cell at an offset of the
 * variable; *offset becomes that in the place. */
static const struct shape *condition_of(struct context *context, const struct shape *shape,
                                        const struct expr *path, uint32_t *offset,
                                        const struct expr **condition) {
    if (path->kind == EXPR_NAME) return shape;
    shape = condition_of(context, shape, path->child[0], offset, condition);
    if (path->kind == EXPR_FIELD) {
        assert(shape->kind == SHAPE_STRUCT && path->field_index < shape->field_count);
        assert(*offset >= shape->offsets[path->field_index]);
        *offset -= shape->offsets[path->field_index];
        return shape->fields[path->field_index];
    }
    assert(shape->kind == SHAPE_ARRAY && *offset < shape->cell_count);
    uint32_t size = shape->element->cell_count;
    int64_t value, index = shape->lower + (int64_t)(*offset / size);
    if (!constant_value(context, path->child[1], &value) || value != index)
        *condition = build_and(
            context->arena, *condition,
            build_binary(context->arena, OP_EQ, path->child[1], build_int(context->arena, index)));
    *offset %= size;
    return shape->element;
}

/* a[i].f where only some cells of a are removed: those that it may mean by test of the indices. */
static const struct expr *rewrite_partial(struct rewriter *rewriter, const struct expr *expr,
                                          const struct removal *removal) {
    struct context *context = rewriter->context;
    const struct expr *path = rewrite_indices(rewriter, expr), *result = path;
    uint32_t count = 0, cell_count = removal->shape->cell_count;
    assert(!removal->is_whole && !rewriter->is_update); /* updates assign such cells (frame.h) */
    bool *cells = ARENA_ARRAY(context->arena, bool, cell_count);
    path_may_be_removed(context, removal, path, cells);
    for (uint32_t i = cell_count; i-- > 0;) {
        if (!removal->is_removed[i] || !cells[i]) continue;
        if (++count > OPEN_EDGE_MAX_CONDITIONS) {
            rewriter->why_not = "too many removed cells after one index";
            return expr;
        }
        struct unknown *unknown =
            unknown_of_cell(context, rewriter->open, removal, i, rewriter->is_within_step);
        const struct expr *here = NULL;
        uint32_t offset = i;
        condition_of(context, removal->shape, path, &offset, &here);
        const struct expr *value = build_name(context->arena, unknown->placeholder);
        result = here ? build_cond(context->arena, here, value, result) : value;
    }
    return result;
}

static const struct expr *rewrite_path(struct rewriter *rewriter, const struct expr *expr,
                                       const struct removal *removal) {
    struct context *context = rewriter->context;
    uint32_t offset;
    if (!removal->is_whole &&
        (rewriter->is_update || !path_may_be_removed(context, removal, expr, NULL)))
        return rewrite_indices(rewriter, expr);
    if (!is_scalar_type(expr->type)) {
        rewriter->why_not = "an array or struct is used as a whole";
        return expr;
    }
    if (expr_has_effect(expr)) {
        rewriter->why_not = "its index has side effects";
        return expr;
    }
    if (type_strip(expr->type)->kind == TYPE_SCALAR &&
        hidden_in_type(rewriter->open->template, rewriter->open->edge, expr->type)) {
        rewriter->why_not = "the name of its type is something else here";
        return expr;
    }
    const struct stored *stored = find_stored(rewriter, removal->symbol);
    if (stored) {
        if (stored->now && removal->shape->kind == SHAPE_CELL) return stored->now;
        rewriter->why_not = "it is read after it was written in the same update";
        return expr;
    }
    if (constant_offset(context, removal, expr, &offset)) {
        assert(offset < removal->shape->cell_count);
        if (!removal->is_removed[offset]) return rewrite_indices(rewriter, expr);
        return build_name(context->arena, unknown_of_cell(context, rewriter->open, removal, offset,
                                                          rewriter->is_within_step)
                                              ->placeholder);
    }
    if (!removal->is_whole) return rewrite_partial(rewriter, expr, removal);
    if (indices_are_stored(rewriter, expr)) {
        rewriter->why_not = "its index changes in the same update";
        return expr;
    }
    const struct expr *access = rewrite_indices(rewriter, expr);
    return build_name(context->arena,
                      unknown_of_access(rewriter, removal, expr, access)->placeholder);
}

/* A variable that is passed by reference must have the very type of the parameter; values do not
 * have to. */
static void check_reference(struct rewriter *rewriter, const struct expr *argument) {
    if (!expr_is_path(argument)) return;
    for (uint32_t i = 0; i < rewriter->open->unknowns.count; i++) {
        struct unknown *unknown = rewriter->open->unknowns.items[i];
        if (unknown->placeholder != argument->symbol ||
            type_strip(unknown->placeholder->type)->kind == TYPE_BOOL)
            continue;
        if (hidden_in_type(rewriter->open->template, rewriter->open->edge,
                           unknown->placeholder->type))
            break;
        unknown->needs_type = true;
        return;
    }
    rewriter->why_not = "it is passed by reference";
}

struct transfer {
    const struct context *context;
    const struct open_edge *open;
    const struct function *function;
    struct where where;
    bool ok;
};

static bool is_parameter(const struct function *function, const struct symbol *symbol) {
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (function->parameters[i] == symbol) return true;
    return false;
}

/* A name has to mean at the edge what it means in the function. Quantifiers are written out, so
 * that their variables do not get there. */
static bool check_name(void *user, const struct expr *expr) {
    struct transfer *transfer = user;
    const struct open_edge *open = transfer->open;
    if (expr->kind == EXPR_QUANTIFY &&
        !expr_reads_removed(transfer->context, expr->child[0], transfer->where))
        transfer->ok = false;
    if (expr->bound && hidden_in_type(open->template, open->edge, expr->bound->type))
        transfer->ok = false;
    const struct symbol *symbol = expr->symbol;
    if ((expr->kind == EXPR_NAME || expr->kind == EXPR_CALL) && symbol &&
        symbol->scope != SCOPE_FRAME && !is_parameter(transfer->function, symbol)) {
        transfer->ok &= !template_hides(open->template, symbol);
        for (uint32_t i = 0; open->edge && i < open->edge->select_count; i++)
            transfer->ok &= open->edge->selects[i]->name != symbol->name;
    }
    return transfer->ok;
}

/* The expression that a function returns, in place of its call (M2); NULL if that will not do. */
static const struct expr *expr_inline_call(struct rewriter *rewriter, const struct expr *call) {
    struct context *context = rewriter->context;
    struct open_edge *open = rewriter->open;
    const struct function *function = call->symbol->function;
    assert(call->kind == EXPR_CALL && function);
    const struct expr *result = function_result(context, function, NULL);
    if (!result) return NULL;
    struct transfer transfer = {context, open, function, rewriter->where, true};
    walk_expr(result, check_name, &transfer);
    result = transfer.ok ? with_arguments(context, NULL, result, call) : NULL;
    return result && open_edge_may_expand(open, result, 1) ? result : NULL;
}

/* Why a call cannot hand on its arguments, or NULL. */
static const char *unpassable_argument(const struct rewriter *rewriter, const struct expr *call,
                                       const struct function *function) {
    for (uint32_t i = 0; i < call->argument_count && i < function->parameter_count; i++) {
        const struct expr *argument = call->arguments[i];
        const struct symbol *root = expr_root(argument);
        const struct removal *bound = root ? rewriter_removal(rewriter, root) : NULL;
        if (!bound || (rewriter->is_update && !bound->is_whole)) continue;
        if (function->parameters[i]->is_reference &&
            !(type_prefixes(function->parameters[i]->type) & PREFIX_CONST))
            return "it is passed by reference";
        if (!is_scalar_type(argument->type)) return "an array or struct is used as a whole";
    }
    return NULL;
}

static bool uses_partly_removed(const struct context *context, const struct function *function,
                                struct where where) {
    const struct effects *effects = network_effects(context->network, function);
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct removal *removal =
            removed_at(context->request, effects->list.items[i].symbol, where);
        if (removal && !removal->is_whole) return true;
    }
    return false;
}

static bool passes_values_only(const struct function_change *change) {
    for (uint32_t i = 0; change && i < change->passed.count; i++)
        if (change->passed.items[i].passing != PASS_VALUE &&
            change->passed.items[i].passing != PASS_LOCAL)
            return false;
    return true;
}

/* M2: a function that reads removed scalars gets them as arguments. */
static const struct expr *rewrite_call(struct rewriter *rewriter, const struct expr *expr) {
    struct context *context = rewriter->context;
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    if (!function) return rewrite_children(rewriter, expr);
    const struct function_change *change = function_change_of(context->functions, function);
    const char *unpassable = unpassable_argument(rewriter, expr, function);
    if (!unpassable && !rewriter->is_update &&
        uses_partly_removed(context, function, rewriter->where))
        unpassable = "a function uses a partly removed variable";
    if (!unpassable && !passes_values_only(change))
        unpassable = "a function uses it as a whole or writes it";
    if (unpassable || (expr_reads_removed(context, expr, rewriter->where) &&
                       expr_can_fault(function_value(function)))) {
        const struct expr *inlined = expr_inline_call(rewriter, expr);
        if (inlined) return rewrite_read(rewriter, inlined);
        rewriter->why_not = unpassable;
        if (unpassable) return expr;
    }
    const struct expr *inner = rewrite_children(rewriter, expr);
    assert(inner->kind == EXPR_CALL && inner->argument_count == expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count && i < function->parameter_count; i++)
        if (function->parameters[i]->is_reference && inner->arguments[i] != expr->arguments[i])
            check_reference(rewriter, inner->arguments[i]);
    if (!change) return inner;
    struct expr *copy = build_copy(context->arena, inner);
    copy->arguments =
        ARENA_ARRAY(context->arena, struct expr *, inner->argument_count + change->passed.count);
    for (uint32_t i = 0; i < inner->argument_count; i++) copy->arguments[i] = inner->arguments[i];
    for (uint32_t i = 0; i < change->passed.count; i++) {
        const struct passed *passed = &change->passed.items[i];
        if (passed->passing == PASS_LOCAL) continue;
        struct expr *name = build_name(context->arena, passed->symbol);
        copy->arguments[copy->argument_count++] = (struct expr *)rewrite_read(rewriter, name);
    }
    assert(copy->argument_count <= inner->argument_count + change->passed.count);
    return copy;
}

/* A quantifier over removed cells is written out, so that each cell is an unknown. */
static const struct expr *rewrite_quantifier(struct rewriter *rewriter, const struct expr *expr) {
    struct context *context = rewriter->context;
    struct arena *arena = context->arena;
    rewriter->is_certain = false; /* its range may be empty, its end come early */
    if (!expr_reads_removed(context, expr->child[0], rewriter->where))
        return rewrite_children(rewriter, expr);
    const struct shape *shape = context_shape(context, expr->bound->type);
    if (!shape || shape->is_scalar || (int64_t)shape->upper - shape->lower >= MAX_EXPANSION) {
        const struct expr *same =
            expr_mentions(expr->child[0], expr->bound) ? NULL : rewrite_children(rewriter, expr);
        if (same && !expr_is_captured(same->child[0], expr->bound)) return same;
        if (!rewriter->why_not) rewriter->why_not = "a quantifier over it is too wide to write out";
        return expr;
    }
    uint32_t count = (uint32_t)(shape->upper - shape->lower) + 1;
    if (!open_edge_may_expand(rewriter->open, expr->child[0], count)) {
        rewriter->why_not = "the quantifiers over it are too long to write out";
        return expr;
    }
    enum op op = expr->op == OP_FORALL ? OP_AND : expr->op == OP_EXISTS ? OP_OR : OP_ADD;
    const struct expr *result = NULL;
    for (int64_t i = shape->lower; i <= shape->upper; i++) {
        const struct expr *value = build_int(arena, i);
        const struct expr *body =
            rewrite_read(rewriter, expr_substitute(arena, expr->child[0], expr->bound, value));
        result = result ? simplify_read(rewriter, build_binary(arena, op, result, body)) : body;
    }
    assert(result); /* a range that is known is not empty */
    return op == OP_ADD ? result : build_truth(arena, result);
}

const struct expr *rewrite_read(struct rewriter *rewriter, const struct expr *expr) {
    if (rewriter->why_not) return expr;
    switch (expr->kind) {
    case EXPR_NAME:
    case EXPR_INDEX:
    case EXPR_FIELD: {
        const struct symbol *root = expr_root(expr);
        const struct removal *removal = root ? rewriter_removal(rewriter, root) : NULL;
        return removal ? rewrite_path(rewriter, expr, removal) : rewrite_children(rewriter, expr);
    }
    case EXPR_CALL: return rewrite_call(rewriter, expr);
    case EXPR_QUANTIFY: {
        bool is_certain = rewriter->is_certain;
        const struct expr *result = rewrite_quantifier(rewriter, expr);
        rewriter->is_certain = is_certain;
        return result;
    }
    case EXPR_ASSIGN:
    case EXPR_STEP:
        if (expr_reads_removed(rewriter->context, expr, rewriter->where) ||
            expr_writes_removed(rewriter->context, expr, rewriter->where))
            rewriter->why_not = "an assignment inside an expression involves it";
        return expr;
    default: return rewrite_children(rewriter, expr);
    }
}
