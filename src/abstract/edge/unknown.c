/* Unknowns: what stands for the removed cells that an edge reads, and which values it may have. */
#include "abstract/edge/unknown.h"

#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/names.h"
#include "abstract/facts/range.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/syntax/walk.h"

#include <assert.h>

static bool is_taken(struct context *context, struct open_edge *open, const char *name) {
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (str_is(str_of(open->unknowns.items[i]->placeholder->name), name)) return true;
    for (uint32_t i = 0; open->edge && i < open->edge->select_count; i++)
        if (str_is(str_of(open->edge->selects[i]->name), name)) return true;
    for (uint32_t i = 0; i < context->taken.count; i++)
        if (str_is(str_of(context->taken.items[i]), name)) return true;
    return false;
}

const char *fresh_name(struct context *context, struct open_edge *open, const char *base,
                       const struct removal *removal) {
    const struct symbol *own = removal ? removal->symbol : NULL;
    assert(*base);
    for (uint32_t i = 0;; i++) {
        const char *name = i ? arena_printf(context->arena, "%s_%u", base, i) : base;
        bool is_own = own && removal->is_whole && !removal->scope &&
                      str_is(str_of(own->name), name) && !template_hides(open->template, own) &&
                      !names_type(context->network, own->name);
        if (!is_own && intern_find(context->names, name)) continue;
        if (!is_taken(context, open, name)) return name;
    }
}

static struct unknown *unknown_new(struct context *context, struct open_edge *open,
                                   const struct removal *removal, const char *name,
                                   const struct type *type, bool is_within_step) {
    struct unknown *unknown = ARENA_NEW(context->arena, struct unknown);
    struct symbol *symbol = ARENA_NEW(context->arena, struct symbol);
    assert(type && removal->symbol);
    symbol->kind = SYMBOL_SELECT;
    symbol->scope = SCOPE_FRAME;
    symbol->name = fresh_name(context, open, name, removal);
    symbol->type = (struct type *)type;
    *unknown = (struct unknown){.removal = removal,
                                .open = open,
                                .is_within_step = is_within_step,
                                .placeholder = symbol,
                                .values = value_set_empty()};
    VEC_PUSH(context->arena, &open->unknowns, unknown);
    return unknown;
}

/* "dec_recv_2" for the cell dec_recv[2]. */
static const char *name_of_cell(struct context *context, const struct removal *removal,
                                uint32_t offset) {
    const struct symbol *symbol = removal->symbol;
    char *name = cell_name(context->arena, symbol->name, symbol->type, removal->shape, offset);
    char *to = name;
    for (char *from = name; *from; from++) {
        if (*from == ']') continue;
        *to = *from;
        if (*from == '[' || *from == '.') *to = '_';
        if (*from == '-') *to = 'm';
        to++;
    }
    *to = 0;
    return name;
}

struct unknown *unknown_of_cell(struct context *context, struct open_edge *open,
                                const struct removal *removal, uint32_t offset,
                                bool is_within_step) {
    assert(offset < removal->shape->cell_count && removal->is_removed[offset]);
    is_within_step = is_within_step && !removal->template; /* nobody else writes what is local */
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        struct unknown *unknown = open->unknowns.items[i];
        if (unknown->removal == removal && !unknown->access && unknown->offset == offset &&
            unknown->is_within_step == is_within_step)
            return unknown;
    }
    struct unknown *unknown =
        unknown_new(context, open, removal, name_of_cell(context, removal, offset),
                    cell_type(removal->symbol->type, removal->shape, offset), is_within_step);
    unknown->offset = offset;
    unknown->values = *analysis_values(context->analysis, open->template, open->location,
                                       removal->symbol, offset, is_within_step);
    return unknown;
}

/* Which cells an access can be, over all processes and selects: all of them if the index reads
 * slots. */
struct access_scan {
    struct context *context;
    const struct open_edge *open;
    const struct expr *access;
    const struct removal *removal;
    bool *reaches;
    struct binding *frame;
    uint64_t left; /* evaluations */
};

static bool scan_selects(struct access_scan *scan, uint32_t select, const struct process *process) {
    struct environment *environment = &scan->context->environment;
    const struct edge *edge = scan->open->edge;
    if (edge && select < edge->select_count) {
        const struct symbol *symbol = edge->selects[select];
        if (!expr_mentions(scan->access, symbol)) return scan_selects(scan, select + 1, process);
        const struct shape *shape = context_shape(scan->context, symbol->type);
        if (!shape || shape->kind != SHAPE_CELL) return false;
        assert(symbol->index < edge->frame_size && shape->lower <= shape->upper);
        uint32_t address = environment->stack;
        eval_push(environment, 1);
        scan->frame[symbol->index] = (struct binding){address, shape};
        bool ok = true;
        for (int64_t v = shape->lower; v <= shape->upper && ok; v++) {
            environment->cells[address] = (int32_t)v;
            ok = scan_selects(scan, select + 1, process);
        }
        assert(environment->stack >= address); /* selects inside have gone already */
        environment->stack = address;
        return ok;
    }
    if (!scan->left--) return false;
    struct binding place;
    enum path_end end = context_place(scan->context, scan->access, &place);
    if (end != PATH_FOUND) return end == PATH_FAILS; /* an index error is no step */
    const struct binding *variable =
        variable_binding(scan->context->network, process, scan->removal->symbol);
    if (place.address < variable->address ||
        place.address - variable->address >= scan->removal->shape->cell_count)
        return false;
    scan->reaches[place.address - variable->address] = true;
    return true;
}

static void scan_access(struct access_scan *scan) {
    const struct network *network = scan->context->network;
    struct environment *environment = &scan->context->environment;
    uint32_t size = network->model->system_frame_size;
    if (scan->open->edge && scan->open->edge->frame_size > size)
        size = scan->open->edge->frame_size;
    scan->frame = ARENA_ARRAY(scan->context->arena, struct binding, size + 1);
    bool ok = true;
    for (uint32_t p = 0; p < network->process_count && ok; p++) {
        if (network->processes[p].template != scan->open->template) continue;
        environment->locals = network->processes[p].locals;
        environment->frame = scan->frame;
        /* a read of a slot is seen by the hook, also of those bound after the memory */
        ok = scan_selects(scan, 0, &network->processes[p]);
    }
    environment->locals = NULL;
    environment->frame = NULL;
    if (!ok)
        for (uint32_t i = 0; i < scan->removal->shape->cell_count; i++) scan->reaches[i] = true;
}

/* Where evaluation stops before the access, the index may be outside the array: the classes are to
 * cover all indices. */
static void add_outside(struct context *context, struct unknown *unknown) {
    const struct expr *index = unknown->access->child[1];
    int64_t lower = unknown->removal->shape->lower, upper = unknown->removal->shape->upper;
    if (index_fits(context, index, lower, upper)) return;
    struct arena *arena = context->arena;
    const struct expr *below = build_binary(arena, OP_LT, index, build_int(arena, lower));
    const struct expr *above = build_binary(arena, OP_GT, index, build_int(arena, upper));
    assert(unknown->class_count <= OPEN_EDGE_MAX_CONDITIONS); /* there is room for one more */
    int32_t any = value_set_at(&unknown->values, 0);
    unknown->classes[unknown->class_count++] = (struct access_class){
        index_fits(context, index, lower, INT32_MAX)   ? above
        : index_fits(context, index, INT32_MIN, upper) ? below
                                                       : build_or(arena, below, above),
        value_set_range(any, any), true};
}

static bool find_visible(void *context, const struct expr *expr) {
    bool *is_clear = context;
    *is_clear &= expr->kind != EXPR_CALL && (expr->kind != EXPR_NAME || expr_has_unknown(expr));
    return *is_clear;
}

/* Whether an index reads only what is visible or only unknowns. Their values then say which class
 * an access is in, and no guard has to. */
static bool index_is_clear(const struct expr *index) {
    bool is_clear = true;
    if (expr_has_unknown(index)) walk_expr(index, find_visible, &is_clear);
    return is_clear;
}

/* One class: of all cells that the index reaches, or of none if it reaches none. */
static void make_one_class(struct context *context, const struct open_edge *open,
                           struct unknown *unknown, const bool *reaches) {
    const struct removal *removal = unknown->removal;
    bool reaches_any = false;
    for (uint32_t i = 0; i < removal->shape->cell_count; i++) reaches_any |= reaches[i];
    if (!reaches_any)
        unknown->values = *analysis_values(context->analysis, open->template, open->location,
                                           removal->symbol, 0, unknown->is_within_step);
    unknown->class_count = 1;
    unknown->classes = ARENA_NEW(context->arena, struct access_class);
    unknown->classes[0] =
        (struct access_class){.values = unknown->values, .is_outside = !reaches_any};
}

/* Cells with equal value sets stay together; others are told apart by a test of the index. */
static void classify(struct context *context, struct open_edge *open, struct unknown *unknown,
                     const bool *reaches) {
    const struct removal *removal = unknown->removal;
    const struct shape *shape = removal->shape;
    assert(unknown->access && !unknown->classes && shape->cell_count);
    uint32_t cells = shape->cell_count, *class_of = ARENA_ARRAY(context->arena, uint32_t, cells);
    const struct value_set *sets[OPEN_EDGE_MAX_CONDITIONS];
    uint32_t count = 0;
    bool splits = !unknown->is_within_step && removal_is_plain_array(removal) &&
                  index_is_clear(unknown->access->child[1]) &&
                  (!open_edge_is_branch(open) || expr_has_unknown(unknown->access->child[1])) &&
                  type_strip(unknown->access->child[1]->type)->kind != TYPE_SCALAR;
    struct bounds bounds = {.lower = INT32_MAX, .upper = INT32_MIN, .limit = 256};
    for (uint32_t i = 0; i < cells; i++) {
        if (!reaches[i]) continue;
        const struct value_set *set =
            analysis_values(context->analysis, open->template, open->location, removal->symbol, i,
                            unknown->is_within_step);
        if (set->lower < bounds.lower) bounds.lower = set->lower;
        if (set->upper > bounds.upper) bounds.upper = set->upper;
        value_set_join(context->arena, &unknown->values, set, &bounds);
        uint32_t c = 0;
        while (splits && c < count && !value_set_equal(sets[c], set)) c++;
        if (c == OPEN_EDGE_MAX_CONDITIONS) splits = false;
        if (!splits) continue;
        assert(c <= count && c < OPEN_EDGE_MAX_CONDITIONS);
        if (c == count) sets[count++] = set;
        class_of[i] = c;
    }
    assert(count <= OPEN_EDGE_MAX_CONDITIONS);
    if (!splits || count <= 1) {
        make_one_class(context, open, unknown, reaches);
        return;
    }
    unknown->class_count = count;
    unknown->classes = ARENA_ARRAY(context->arena, struct access_class, count + 1);
    int32_t *members = ARENA_ARRAY(context->arena, int32_t, cells);
    for (uint32_t c = 0; c < count; c++) {
        uint32_t members_count = 0;
        for (uint32_t i = 0; i < cells; i++)
            if (reaches[i] && class_of[i] == c)
                members[members_count++] = shape->lower + (int32_t)i;
        assert(members_count > 0);
        unknown->classes[c] =
            (struct access_class){build_member(context->arena, unknown->access->child[1], members,
                                               members_count, INT32_MIN, INT32_MAX),
                                  *sets[c], false};
    }
    add_outside(context, unknown);
}

struct unknown *unknown_of_access(struct rewriter *rewriter, const struct removal *removal,
                                  const struct expr *original, const struct expr *access) {
    struct context *context = rewriter->context;
    struct open_edge *open = rewriter->open;
    assert(access->kind != EXPR_NAME && expr_root(access) == removal->symbol);
    /* A cell of its own array is another one if the index changes within the step (A2). */
    bool is_within_step =
        (rewriter->is_within_step || (rewriter->is_update && context->has_before_update)) &&
        expr_depends_on_shared(access);
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        struct unknown *unknown = open->unknowns.items[i];
        if (unknown->removal == removal && unknown->access &&
            unknown->is_within_step == is_within_step && expr_equal(unknown->access, access)) {
            unknown->is_certain |= rewriter->is_certain;
            return unknown;
        }
    }
    struct unknown *unknown =
        unknown_new(context, open, removal, removal->symbol->name, original->type, is_within_step);
    assert(unknown->removal == removal && !unknown->access);
    unknown->access = access;
    unknown->is_certain = rewriter->is_certain;
    struct access_scan scan = {
        .context = context, .open = open, .access = original, .removal = removal, .left = 1 << 20};
    scan.reaches = ARENA_ARRAY(context->arena, bool, removal->shape->cell_count);
    scan_access(&scan);
    classify(context, open, unknown, scan.reaches);
    assert(unknown->class_count); /* some class has the value, wherever the index leads */
    return unknown;
}
