#include "abstract/edge/frame.h"

#include "abstract/edge/overwritten.h"
#include "abstract/edge/unknown.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/names.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/request.h"
#include "approx/labels/label_run.h"
#include "approx/pin.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Cells */

static bool is_only(const struct value_set *set, int32_t value) {
    return value_set_size(set) == 1 && value_set_has(set, value);
}

static const struct expr *constant_of(struct arena *arena, const struct removal *removal,
                                      uint32_t cell, int32_t value) {
    assert(cell < removal->shape->cell_count);
    const struct type *type = type_strip(cell_type(removal->symbol->type, removal->shape, cell));
    return type->kind == TYPE_BOOL ? build_bool(arena, value != 0) : build_int(arena, value);
}

static void assign(struct context *context, struct item_list *items, const struct removal *removal,
                   const struct symbol *home, uint32_t cell, const struct expr *value) {
    const struct expr *path = cell_path(context->arena, home, removal->shape, cell);
    struct item item = {.expr = build_assignment(context->arena, path, value)};
    VEC_PUSH(context->arena, items, item);
}

const struct expr *frame_value(struct context *context, struct open_edge *open,
                               const struct removal *removal, uint32_t cell) {
    assert(cell < removal->shape->cell_count && removal->is_removed[cell]);
    bool is_within_step = !removal->template &&
                          label_run_is_within_step(context->analysis, open->template, open->edge);
    const struct value_set *values = analysis_values(
        context->analysis, open->template, open->location, removal->symbol, cell, is_within_step);
    bool is_reached = !value_set_is_empty(values); /* else, any value will do */
    assert(removal->initial);                      /* of a request that is finished */
    if (value_set_size(values) <= 1 && !is_scalar_cell(removal, cell))
        return constant_of(context->arena, removal, cell,
                           is_reached ? value_set_at(values, 0) : removal->initial[cell]);
    return build_name(context->arena,
                      unknown_of_cell(context, open, removal, cell, is_within_step)->placeholder);
}

bool frame_set(struct update_frame *frame, const struct removal *removal, const struct symbol *home,
               uint32_t cell, int32_t rest) {
    int64_t constant;
    const struct expr *value = frame_value(frame->context, frame->open, removal, cell);
    bool is_constant = expr_is_constant(value, &constant);
    if (!is_constant || constant != rest)
        assign(frame->context, &frame->before, removal, home, cell, value);
    return !is_constant;
}

static void reset(struct update_frame *frame, const struct removal *removal, uint32_t cell,
                  int32_t rest) {
    assert(removal->is_removed[cell]); /* kept cells hold what they held */
    assign(frame->context, &frame->after, removal, removal->symbol, cell,
           constant_of(frame->context->arena, removal, cell, rest));
}

bool frame_sets_first(const struct open_edge *open, const struct removal *removal) {
    for (uint32_t i = 0; i < open->edge->updates.count && open->involved.items; i++) {
        const struct expr *item = open->edge->updates.items[i];
        const struct effect *effect =
            effects_find(&open->involved.items[i].effects, removal->symbol);
        if (!effect) continue;
        return item->kind == EXPR_ASSIGN && item->child[0]->kind == EXPR_NAME &&
               item->child[0]->symbol == removal->symbol && !effect->reads;
    }
    return false;
}

/* Scopes (rule S1) */

static bool crosses(const struct removal *removal, const struct template *template,
                    const struct edge *edge) {
    assert(template_has_edge(template, edge));
    return removal->scope && removal->template == template &&
           removal->scope[edge->source] != removal->scope[edge->target];
}

bool edge_leaves_scope(const struct removal *removal, const struct template *template,
                       const struct edge *edge) {
    return crosses(removal, template, edge) && removal->scope[edge->source];
}

bool edge_crosses_scope(const struct request *request, const struct template *template,
                        const struct edge *edge) {
    for (uint32_t i = 0; i < request->removals.count; i++)
        if (edge_changes_rest(&request->removals.items[i], template, edge)) return true;
    return false;
}

/* Whether the values that the original can have are all that the output can have, for a variable
 * that is removed: what the analysis knows of it together with others is lost as those go, and what
 * it knows of cells does not keep steps out where these are counted (F6). */
static bool has_no_others(const struct context *context) {
    for (uint32_t i = 0; i < context->request->ghosts.count; i++)
        if (context->is_by_cells && context->is_by_cells[i]) return false;
    return !context->rules->guards_visible_errors ||
           (context->request->removals.count == 1 && !context->analysis->is_combined);
}

/* Whether a cell has one value, where it rests, whenever a location is reached. */
static bool rests(const struct update_frame *frame, uint32_t location,
                  const struct removal *removal, uint32_t cell, int32_t rest) {
    assert(location < frame->open->template->location_count);
    frame->context->asks_targets = true;
    return has_no_others(frame->context) &&
           is_only(analysis_values(frame->context->analysis, frame->open->template, location,
                                   removal->symbol, cell, false),
                   rest);
}

/* Whether the invariant of a location reads a variable: what it lets in says then nothing of what
 * an edge to there leaves behind, as the invariant goes. */
static bool invariant_reads(const struct context *context, const struct template *template,
                            uint32_t location, const struct symbol *symbol) {
    struct effects_table table = context->network->effects;
    struct effects effects = {0};
    table.arena = context->arena;
    effects_add_expr(&table, &effects, invariant_at(context->network, template, location));
    return effects_reads(&effects, symbol);
}

static void enter_scope(struct update_frame *frame, const struct removal *removal) {
    struct context *context = frame->context;
    const struct template *template = frame->open->template;
    const struct edge *edge = frame->open->edge;
    const struct symbol *symbol = removal->symbol;
    bool is_written = effects_writes(open_edge_effects(context, frame->open), symbol);
    bool is_let_in = invariant_reads(context, template, edge->target, symbol);
    assert(removal->scope[edge->target] && !removal->scope[edge->source]);
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) {
        bool is_pinned = analysis_is_pinned(context->analysis, template, edge->target, symbol, k);
        int32_t rest = removal_rest(removal, edge->target, k);
        if (!context->rules->is_confined &&
            ((!is_written && rests(frame, edge->source, removal, k, rest)) ||
             (!is_let_in && !is_pinned && rests(frame, edge->target, removal, k, rest))))
            continue;
        reset(frame, removal, k, rest);
        frame->open->is_concerned = true;
    }
}

/* S6: where the first item that has to do with the variable is x = f(x), what x has there is put
 * in, so that values with one f(x) are alike. False if it is none such. */
static bool puts_in(struct update_frame *frame, const struct removal *removal) {
    struct context *context = frame->context;
    struct item_list *items = &frame->open->items;
    if (removal->shape->kind != SHAPE_CELL) return false;
    for (uint32_t i = 0; i < items->count; i++) {
        struct item *item = &items->items[i];
        const struct expr *expr = item->expr;
        struct effects_table table = context->network->effects;
        struct effects effects = {0};
        table.arena = context->arena;
        effects_add_expr(&table, &effects, expr);
        if (!effects_find(&effects, removal->symbol)) continue;
        if (expr->kind != EXPR_ASSIGN || expr->op != OP_ASSIGN ||
            expr->child[0]->kind != EXPR_NAME || expr->child[0]->symbol != removal->symbol ||
            expr_has_effect(expr->child[1]) || expr_has(expr->child[1], EXPR_CALL))
            return false; /* a call may read the variable where nothing can be put in */
        struct expr *copy = build_copy(context->arena, expr);
        copy->child[1] =
            (struct expr *)expr_substitute(context->arena, expr->child[1], removal->symbol,
                                           frame_value(context, frame->open, removal, 0));
        item->expr = copy;
        item->is_verbatim = false;
        return true;
    }
    return false;
}

static void leave_scope(struct update_frame *frame, const struct removal *removal) {
    assert(!removal->scope[frame->open->edge->target]);
    assert(removal->is_whole); /* scopes are for whole variables (S1) */
    frame->open->is_concerned = true;
    if (frame_sets_first(frame->open, removal) || puts_in(frame, removal)) return;
    uint32_t source = frame->open->edge->source;
    for (uint32_t k = 0; k < removal->shape->cell_count; k++)
        frame_set(frame, removal, removal->symbol, k, removal_rest(removal, source, k));
}

/* S7: within the scope, to where it rests at another value. */
static void move_in_scope(struct update_frame *frame, const struct removal *removal) {
    uint32_t target = frame->open->edge->target;
    assert(removal->shape->cell_count == 1 && removal->scope[target]);
    frame->open->is_concerned = true;
    reset(frame, removal, 0, removal_rest(removal, target, 0));
}

void frame_store(struct context *context, struct open_edge *open, struct symbolic_store *store) {
    assert(!store->list.count); /* before the first item */
    for (uint32_t i = 0; i < context->request->removals.count; i++) {
        const struct removal *removal = &context->request->removals.items[i];
        if (!edge_leaves_scope(removal, open->template, open->edge) ||
            frame_sets_first(open, removal))
            continue;
        const struct expr *before =
            removal->shape->kind == SHAPE_CELL ? frame_value(context, open, removal, 0) : NULL;
        VEC_PUSH(context->arena, &store->list, (struct stored){removal->symbol, NULL, before});
    }
}

/* Variables of which only some cells are removed */

/* Cells that an update may look at, and those it may write, by offset. */
struct cell_scan {
    struct context *context;
    const struct removal *removal;
    bool *reads, *writes;
};

static void mark_all(const struct cell_scan *scan, bool *cells) {
    for (uint32_t i = 0; i < scan->removal->shape->cell_count; i++) cells[i] = true;
}

static void mark_path(const struct cell_scan *scan, bool *cells, const struct expr *path) {
    path_may_be_removed(scan->context, scan->removal, path, cells);
}

static bool scan_expr(void *user, const struct expr *expr);

static void scan_indices(struct cell_scan *scan, const struct expr *path) {
    for (; path->kind != EXPR_NAME; path = path->child[0])
        if (path->kind == EXPR_INDEX) walk_expr(path->child[1], scan_expr, scan);
}

static bool is_path(const struct cell_scan *scan, const struct expr *expr) {
    return expr_is_path(expr) && expr_root(expr) == scan->removal->symbol;
}

static bool scan_expr(void *user, const struct expr *expr) {
    struct cell_scan *scan = user;
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
    scan_indices(scan, expr);
    return false;
}

/* A plain assignment does not look at its target. */
static void scan_item(struct cell_scan *scan, const struct expr *item) {
    if (item->kind != EXPR_ASSIGN || item->op != OP_ASSIGN || !is_path(scan, item->child[0])) {
        walk_expr(item, scan_expr, scan);
        return;
    }
    mark_path(scan, scan->writes, item->child[0]);
    scan_indices(scan, item->child[0]);
    walk_expr(item->child[1], scan_expr, scan);
}

/* Marks the cells that an update reads and writes: by its items that are left, or by all items
 * where it has become a function. */
static void scan_update(struct cell_scan *scan, const struct open_edge *open, bool is_function) {
    for (uint32_t i = 0; i < open->edge->updates.count && is_function; i++)
        scan_item(scan, open->edge->updates.items[i]);
    for (uint32_t i = 0; i < open->items.count && !is_function; i++)
        scan_item(scan, open->items.items[i].expr);
}

static bool refuse(const struct update_frame *frame, const char *why) {
    return diag_error(frame->context->diag, STATUS_UNSUPPORTED,
                      frame->open->edge->updates.items[0]->span.begin, "this update %s", why);
}

/* Whether a cell holds the value where it rests before the update, in it, and after it. */
static bool stays(const struct update_frame *frame, const struct removal *removal, uint32_t cell) {
    struct analysis *analysis = frame->context->analysis;
    const struct open_edge *open = frame->open;
    const struct symbol *symbol = removal->symbol;
    uint32_t target = open->edge->target;
    bool is_shared = !removal->template;
    assert(removal->is_removed[cell]);
    if (frame->context->rules->is_confined || target >= open->template->location_count ||
        analysis->is_pinned || (is_shared && analysis->is_combined))
        return false;
    return is_only(
               analysis_values(analysis, open->template, open->location, symbol, cell, is_shared),
               removal->initial[cell]) &&
           rests(frame, target, removal, cell, removal->initial[cell]) &&
           !invariant_reads(frame->context, open->template, target, symbol);
}

/* Whether a ghost follows the variable on an edge where the name of the variable means something
 * else. */
static bool is_followed_by_other_name(const struct open_edge *open, const struct symbol *symbol) {
    bool found = false;
    for (uint32_t i = 0; i < open->edge->updates.count; i++)
        found |= is_ghost_update(open->edge->updates.items[i]) &&
                 expr_mentions(open->edge->updates.items[i], symbol);
    return found && is_hidden(open->template, open->edge, symbol);
}

static bool frame_cells(struct update_frame *frame, const struct removal *removal,
                        bool is_function) {
    struct context *context = frame->context;
    struct open_edge *open = frame->open;
    struct cell_scan scan = {context, removal, NULL, NULL};
    uint32_t cells = removal->shape->cell_count, count = 0;
    assert(!removal->is_whole && !removal->scope); /* removed everywhere, but declared */
    scan.reads = ARENA_ARRAY(context->arena, bool, cells);
    scan.writes = ARENA_ARRAY(context->arena, bool, cells);
    scan_update(&scan, open, is_function);
    bool is_captured = is_followed_by_other_name(open, removal->symbol);
    for (uint32_t i = 0; i < cells; i++) {
        if (!removal->is_removed[i] || (!scan.reads[i] && !scan.writes[i]) ||
            (!is_captured && stays(frame, removal, i)))
            continue;
        if (is_hidden(open->template, open->edge, removal->symbol))
            return refuse(frame, arena_printf(context->arena,
                                              "uses '%s' through a function while its name means "
                                              "something else here; rename one of them",
                                              removal->symbol->name));
        if (++count > FRAME_MAX_CELLS)
            return refuse(frame, arena_printf(context->arena,
                                              "may look at more than 16 removed cells of '%s'; "
                                              "remove the whole variable",
                                              removal->symbol->name));
        if (scan.reads[i]) frame_set(frame, removal, removal->symbol, i, removal->initial[i]);
        reset(frame, removal, i, removal->initial[i]);
    }
    return true;
}

static bool sets_cell(const void *user, const struct expr *place) {
    const struct item_list *after = user;
    for (uint32_t i = 0; i < after->count; i++)
        if (expr_equal(after->items[i].expr->child[0], place)) return true;
    return false;
}

bool frame_update(struct context *context, struct open_edge *open, bool is_function) {
    struct update_frame frame = {.context = context, .open = open};
    assert(!is_function || open->items.count <= 1); /* the call, or nothing is left to do */
    for (uint32_t i = 0; i < context->request->removals.count; i++) {
        const struct removal *removal = &context->request->removals.items[i];
        bool is_crossing = crosses(removal, open->template, open->edge);
        if (is_crossing && removal->scope[open->edge->source]) leave_scope(&frame, removal);
        if (is_crossing && removal->scope[open->edge->target]) enter_scope(&frame, removal);
        if (removal->scope && !is_crossing &&
            edge_changes_rest(removal, open->template, open->edge))
            move_in_scope(&frame, removal);
        if (!removal->is_whole && effects_find(open_edge_effects(context, open), removal->symbol) &&
            !frame_cells(&frame, removal, is_function))
            return false;
    }
    uint32_t before = frame.before.count;
    for (uint32_t i = 0; i < open->items.count; i++)
        VEC_PUSH(context->arena, &frame.before, open->items.items[i]);
    open->items = frame.before;
    /* A function that the update has become reads what was set before it: no effects of it are
     * known. */
    if (frame.after.count && !is_function)
        overwritten_drop(context, open, before, sets_cell, &frame.after);
    for (uint32_t i = 0; i < frame.after.count; i++)
        VEC_PUSH(context->arena, &open->items, frame.after.items[i]);
    return true;
}
