/* Updates of variables of which only some cells are removed: the variable stays declared, and its
 * removed cells hold their initial value in every state. */
#include "abstract/edge/update_partial.h"

#include "abstract/edge/unknown.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/names.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "lang/syntax/walk.h"

/* Cells that an update may look at, and those it may write, by offset. */
struct partial_scan {
    struct context *context;
    const struct removal *removal;
    bool *reads, *writes;
};

static void mark_all(const struct partial_scan *scan, bool *cells) {
    for (uint32_t i = 0; i < scan->removal->shape->cell_count; i++) cells[i] = true;
}

static void mark_path(const struct partial_scan *scan, bool *cells, const struct expr *path) {
    path_may_be_removed(scan->context, scan->removal, path, cells);
}

static bool is_path(const struct partial_scan *scan, const struct expr *expr) {
    return (expr->kind == EXPR_NAME || expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD) &&
           expr_root(expr) == scan->removal->symbol;
}

static bool scan_expr(void *user, const struct expr *expr) {
    struct partial_scan *scan = user;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        const struct effects *effects =
            network_effects(scan->context->network, expr->symbol->function);
        if (effects_reads(effects, scan->removal->symbol)) mark_all(scan, scan->reads);
        if (effects_writes(effects, scan->removal->symbol)) mark_all(scan, scan->writes);
        return true;
    }
    if (!is_path(scan, expr)) return true;
    mark_path(scan, scan->reads, expr); /* and written, where it is a target inside something */
    mark_path(scan, scan->writes, expr);
    for (; expr->kind != EXPR_NAME; expr = expr->child[0])
        if (expr->kind == EXPR_INDEX) walk_expr(expr->child[1], scan_expr, scan);
    return false;
}

/* A plain assignment does not look at its target. */
static void scan_item(struct partial_scan *scan, const struct expr *item) {
    if (item->kind != EXPR_ASSIGN || item->op != OP_ASSIGN || !is_path(scan, item->child[0])) {
        walk_expr(item, scan_expr, scan);
        return;
    }
    mark_path(scan, scan->writes, item->child[0]);
    for (const struct expr *at = item->child[0]; at->kind != EXPR_NAME; at = at->child[0])
        if (at->kind == EXPR_INDEX) walk_expr(at->child[1], scan_expr, scan);
    walk_expr(item->child[1], scan_expr, scan);
}

static int32_t initial_value(const struct context *context, const struct open_edge *open,
                             const struct removal *removal, uint32_t offset) {
    const struct network *network = context->network;
    if (!removal->template)
        return network->cells[network->globals[removal->symbol->index].address + offset];
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == open->template)
            return network
                ->cells[network->processes[p].locals[removal->symbol->index].address + offset];
    return 0;
}

/* What is left of the update; all of it where it has become a function. */
static void scan_update(struct partial_scan *scan, const struct open_edge *open, bool is_function) {
    for (uint32_t i = 0; i < open->edge->updates.count && is_function; i++)
        scan_item(scan, open->edge->updates.items[i]);
    for (uint32_t i = 0; i < open->items.count && !is_function; i++)
        scan_item(scan, open->items.items[i].expr);
}

/* Sets the removed cells that the update may look at before it, and resets them behind it. */
bool update_frame_partial(struct context *context, const struct removal *removal,
                          struct open_edge *open, bool is_within_step, bool is_function) {
    struct arena *arena = context->arena;
    struct partial_scan scan = {context, removal, NULL, NULL};
    scan.reads = ARENA_ARRAY(arena, bool, removal->shape->cell_count);
    scan.writes = ARENA_ARRAY(arena, bool, removal->shape->cell_count);
    scan_update(&scan, open, is_function);
    VEC(struct item) before = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < removal->shape->cell_count; i++) {
        if (!removal->is_removed[i] || (!scan.reads[i] && !scan.writes[i])) continue;
        if (is_hidden(open->template, open->edge, removal->symbol)) {
            diag_error(context->diag, STATUS_UNSUPPORTED, open->edge->updates.items[0]->span.begin,
                       "this update uses '%s' through a function while its name means something "
                       "else here; rename one of them",
                       removal->symbol->name);
            return false;
        }
        if (++count > UPDATE_MAX_CELLS || is_scalar_cell(removal, i)) {
            diag_error(context->diag, STATUS_UNSUPPORTED, open->edge->updates.items[0]->span.begin,
                       "this update may look at %s removed cells of '%s'; remove the whole "
                       "variable",
                       is_scalar_cell(removal, i) ? "scalar" : "more than 16",
                       removal->symbol->name);
            return false;
        }
        struct expr *path = cell_path(arena, removal->symbol, removal->shape, i);
        int32_t initial = initial_value(context, open, removal, i);
        if (scan.reads[i]) {
            struct unknown *unknown = unknown_of_cell(context, open, removal, i, is_within_step);
            bool is_initial =
                value_set_size(&unknown->values) == 1 && value_set_has(&unknown->values, initial);
            const struct expr *value = build_name(arena, unknown->placeholder);
            if (!is_initial)
                VEC_PUSH(arena, &before,
                         (struct item){NULL, build_assignment(arena, path, value), false});
        }
        VEC_PUSH(
            arena, &open->items,
            (struct item){NULL, build_assignment(arena, path, build_int(arena, initial)), false});
    }
    for (uint32_t i = 0; i < open->items.count; i++) VEC_PUSH(arena, &before, open->items.items[i]);
    open->items.items = before.items;
    open->items.count = before.count;
    open->items.capacity = before.capacity;
    return true;
}

bool update_involves(const struct context *context, const struct open_edge *open,
                     const struct symbol *symbol) {
    return effects_find(
               &context->network->edge_effects[open->template->index][open->edge_index].update,
               symbol) != NULL;
}
