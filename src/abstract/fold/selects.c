#include "abstract/fold/selects.h"

#include "abstract/edge/express.h"
#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/facts/range.h"
#include "abstract/fold/output.h"
#include "abstract/prepare/ghost.h"
#include "explore/fair/tag.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { MAX_VALUES = 4096, MAX_IMAGES = 64, MAX_WIDTH = 1000 };

static bool is_foreign(const void *select, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    if (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP || expr->kind == EXPR_QUANTIFY)
        return true;
    if (expr->kind == EXPR_CALL)
        return !(symbol && symbol->function && symbol->function->is_compile_time);
    return expr->kind == EXPR_NAME && symbol && symbol->kind != SYMBOL_FUNCTION &&
           symbol != select && !(symbol->scope == SCOPE_GLOBAL && symbol_is_const(symbol));
}

/* Whether an expression reads a select and constants, and nothing else. */
static bool is_of(const struct expr *expr, const struct symbol *select) {
    return !expr_any(expr, is_foreign, select);
}

/* Whether a symbol is in what a guard cannot say in other words. */
static bool is_fixed_by(const struct output_edge *out, const struct symbol *symbol) {
    return expr_mentions(out->sync, symbol) || expr_mentions(out->passed, symbol);
}

/* The only item that mentions the select, if it gives a ghost its value; else NULL. */
static struct item *item_of(const struct output_edge *out, const struct symbol *select) {
    struct item *found = NULL;
    if (expr_mentions(out->guard, select) || is_fixed_by(out, select)) return NULL;
    for (uint32_t i = 0; i < out->item_count; i++) {
        if (!expr_mentions(out->items[i].expr, select)) continue;
        if (found) return NULL;
        found = &out->items[i];
    }
    bool is_ghost = found && found->original && is_ghost_update(found->original) &&
                    found->expr->kind == EXPR_ASSIGN;
    return is_ghost && is_of(found->expr->child[1], select) ? found : NULL;
}

/* By value of the select, the number of its image among the different ones; 0 if there are too many
 * or one cannot be computed. */
static uint32_t find_images(struct context *context, const struct expr *value,
                            const struct symbol *select, int32_t lower, uint32_t *image_of,
                            uint32_t count) {
    int32_t images[MAX_IMAGES], image;
    uint32_t image_count = 0;
    struct arena scratch;
    bool ok = true;
    arena_init(&scratch);
    for (uint32_t i = 0; i < count && ok; i++) {
        const struct expr *number = build_int(&scratch, lower + (int64_t)i);
        ok = closed_value(context, expr_substitute(&scratch, value, select, number), &image);
        uint32_t k = 0;
        while (ok && k < image_count && images[k] != image) k++;
        if (ok && k == image_count && image_count < MAX_IMAGES) images[image_count++] = image;
        ok &= k < image_count;
        image_of[i] = k;
        arena_reset(&scratch);
    }
    arena_close(&scratch);
    return ok ? image_count : 0;
}

/* The shortest run of values that has all images. */
static void find_run(const uint32_t *image_of, uint32_t count, uint32_t image_count,
                     uint32_t *first, uint32_t *last) {
    assert(0 < image_count && image_count <= MAX_IMAGES && image_count <= count);
    uint32_t uses[MAX_IMAGES] = {0}, seen = 0;
    *first = 0;
    *last = count - 1;
    for (uint32_t from = 0, to = 0; to < count; to++) {
        seen += uses[image_of[to]]++ == 0;
        for (; seen == image_count; from++) {
            if (to - from < *last - *first) *first = from, *last = to;
            seen -= --uses[image_of[from]] == 0;
        }
    }
}

static void clip_select(struct folder *folder, struct item *item, const struct symbol *select,
                        struct data_kind whole, struct select_range *range) {
    struct arena *arena = folder->arena;
    assert(whole.lower <= whole.upper);
    uint32_t count = (uint32_t)(whole.upper - whole.lower) + 1, first, last;
    uint32_t *image_of = ARENA_ARRAY(arena, uint32_t, count);
    const struct expr *value = item->expr->child[1];
    uint32_t images = find_images(folder->context, value, select, whole.lower, image_of, count);
    if (!images || images == count) return;
    find_run(image_of, count, images, &first, &last);
    assert(first <= last && last < count);
    *range = (struct select_range){true, whole.lower + (int32_t)first, whole.lower + (int32_t)last};
    if (images > 1) return;
    struct expr *copy = build_copy(arena, item->expr); /* one value will do, so none is chosen */
    copy->child[1] =
        (struct expr *)expr_substitute(arena, value, select, build_int(arena, whole.lower));
    item->expr = simplify_node(arena, copy);
}

static void clip_selects(struct folder *folder, struct output_edge *out) {
    struct context *context = folder->context;
    const struct edge *edge = out->base->edge;
    if (!context->request->ghosts.count) return;
    out->ranges = ARENA_ARRAY(folder->arena, struct select_range, edge->select_count + 1);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        struct item *item = item_of(out, edge->selects[i]);
        if (edge_tags_mention(edge, str_of(edge->selects[i]->name))) continue;
        const struct shape *shape = context_shape(context, edge->selects[i]->type);
        if (!shape || shape->kind != SHAPE_CELL || shape->is_scalar) continue;
        const struct data_kind *part = narrowed_range(&context->narrowed, edge->selects[i]);
        struct data_kind whole = {shape->lower, shape->upper};
        if (part) {
            whole = *part;
            out->ranges[i] = (struct select_range){true, part->lower, part->upper};
        }
        if (item && (int64_t)whole.upper - whole.lower < MAX_VALUES)
            clip_select(folder, item, edge->selects[i], whole, &out->ranges[i]);
    }
}

static bool output_mentions(const struct output_edge *out, const struct symbol *symbol) {
    if (expr_mentions(out->guard, symbol) || is_fixed_by(out, symbol)) return true;
    for (uint32_t i = 0; i < out->item_count; i++)
        if (expr_mentions(out->items[i].expr, symbol)) return true;
    return false;
}

/* A select, and whether its name is that of something else in an expression. */
static bool is_namesake(const void *select, const struct expr *expr) {
    const struct symbol *own = select, *symbol = expr->symbol;
    return (expr->kind == EXPR_NAME || expr->kind == EXPR_CALL) && symbol && symbol != own &&
           symbol->kind != SYMBOL_BOUND && !strcmp(symbol->name, own->name);
}

const struct expr *fold_with_selects(struct folder *folder, const struct open_edge *base,
                                     const struct open_edge *other, const struct expr *expr) {
    const struct edge *edge = base->edge, *from = other->edge;
    for (uint32_t i = 0; i < edge->select_count && from != edge; i++)
        for (uint32_t k = 0; k < from->select_count; k++)
            if (edge->selects[i]->name == from->selects[k]->name &&
                expr_mentions(expr, from->selects[k]))
                expr = expr_substitute(folder->arena, expr, from->selects[k],
                                       build_name(folder->arena, edge->selects[i]));
    return expr;
}

bool fold_hides(const struct output_edge *out, const struct expr *expr) {
    const struct edge *edge = out->base->edge;
    bool hides = false;
    for (uint32_t i = 0; i < edge->select_count && expr; i++)
        hides |= out->keeps_select[i] && expr_any(expr, is_namesake, edge->selects[i]);
    return hides;
}

/* Takes away selects that nothing has ever mentioned, where they hide a name that comes from
 * another edge. */
static void unhide(struct folder *folder, struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct symbol *select = edge->selects[i];
        bool hides = out->keeps_select[i] && (expr_any(out->guard, is_namesake, select) ||
                                              expr_any(out->passed, is_namesake, select));
        if (hides && !output_mentions(out, select) &&
            !edge_tags_mention(edge, str_of(select->name)) &&
            range_is_nonempty(folder->context, select->type))
            out->keeps_select[i] = false;
    }
}

void fold_keep_selects(struct folder *folder, struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    const struct expr *guard = guard_of_edge(folder->context->network, out->base->template, edge);
    clip_selects(folder, out);
    out->keeps_select = ARENA_ARRAY(folder->arena, bool, edge->select_count + 1);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct symbol *select = edge->selects[i];
        bool was_used = expr_mentions(guard, select) || expr_mentions(edge->sync, select);
        for (uint32_t k = 0; k < edge->updates.count && !was_used; k++)
            was_used = expr_mentions(edge->updates.items[k], select);
        out->keeps_select[i] = !was_used || output_mentions(out, select) ||
                               edge_tags_mention(edge, str_of(select->name)) ||
                               !range_is_nonempty(folder->context, select->type);
    }
    unhide(folder, out);
}

const struct expr *fold_membership(struct folder *folder, const struct unknown *unknown,
                                   const struct value_set *set) {
    struct arena *arena = folder->arena;
    const struct type *type = type_strip(unknown->placeholder->type);
    assert(value_set_is_empty(set) || set->lower <= set->upper);
    const struct expr *name = build_name(arena, unknown->placeholder);
    if (type->kind == TYPE_SCALAR || value_set_is_empty(set)) return NULL;
    if (!set->is_interval)
        return build_member(arena, name, set->values, set->count,
                            unknown->needs_type ? INT32_MIN : set->lower,
                            unknown->needs_type ? INT32_MAX : set->upper);
    if (!unknown->needs_type) return NULL;
    return build_and(arena, build_binary(arena, OP_GE, name, build_int(arena, set->lower)),
                     build_binary(arena, OP_LE, name, build_int(arena, set->upper)));
}

void fold_add_select(struct output_edge *out, const struct unknown *unknown,
                     const struct value_set *set) {
    assert(out->select_count <= out->base->unknowns.count); /* each once */
    out->selects[out->select_count++] = (struct chosen_select){unknown, set->lower, set->upper};
}

void fold_add_width(const struct value_set *set, uint64_t *values, uint64_t *width) {
    uint64_t span = (uint64_t)((int64_t)set->upper - set->lower + 1);
    *values *= value_set_size(set);
    *width = span < UINT64_MAX / *width ? *width * span : UINT64_MAX;
}

bool fold_is_sparse(uint64_t edges, uint64_t width) {
    return edges <= MAX_IMAGES && width > MAX_WIDTH && width / MAX_IMAGES > edges;
}

void fold_add_chosen(struct folder *folder, struct output_edge *out) {
    const struct open_edge *open = out->base;
    out->selects = ARENA_ARRAY(folder->arena, struct chosen_select, open->unknowns.count + 1);
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (!unknown->is_chosen || !output_mentions(out, unknown->placeholder)) continue;
        fold_add_select(out, unknown, &unknown->values);
        if (open_edge_is_branch(open))
            continue; /* all values between, as nothing can keep them out */
        out->guard = build_and(folder->arena, fold_membership(folder, unknown, &unknown->values),
                               out->guard);
    }
}

/* The values that are put in for a placeholder, everywhere in an output edge. */
static void put_in(struct folder *folder, struct output_edge *out, const struct symbol *placeholder,
                   int32_t value) {
    struct arena *arena = folder->arena;
    assert(!is_fixed_by(out, placeholder));
    const struct expr *number = build_int(arena, value);
    out->guard = expr_substitute(arena, out->guard, placeholder, number);
    for (uint32_t i = 0; i < out->item_count; i++) {
        struct item *item = &out->items[i];
        if (!expr_mentions(item->expr, placeholder)) continue;
        item->expr = expr_substitute(arena, item->expr, placeholder, number);
        item->is_verbatim = false;
    }
}

/* The conjuncts that read the select and nothing else, and those that read the select besides. */
struct reading {
    const struct expr *own, *mixed; /* NULL = none */
};

static struct reading reading_of(struct arena *arena, const struct expr *guard,
                                 const struct symbol *select) {
    if (!expr_mentions(guard, select)) return (struct reading){NULL, NULL};
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        struct reading left = reading_of(arena, guard->child[0], select),
                       right = reading_of(arena, guard->child[1], select);
        return (struct reading){build_and(arena, left.own, right.own),
                                build_and(arena, left.mixed, right.mixed)};
    }
    return is_of(guard, select) ? (struct reading){guard, NULL} : (struct reading){NULL, guard};
}

/* Whether a value of the select makes a condition hold that reads nothing else. */
static bool holds_with(struct context *context, const struct expr *condition,
                       const struct symbol *select, int64_t value, struct arena *scratch) {
    int32_t holds = 0;
    const struct expr *number = build_int(scratch, value);
    return !condition ||
           (closed_value(context, expr_substitute(scratch, condition, select, number), &holds) &&
            holds);
}

/* The first value from one end that makes such a condition hold. */
static bool find_possible(struct context *context, const struct expr *condition,
                          const struct chosen_select *select, bool is_downwards, int32_t *value) {
    int64_t size = (int64_t)select->upper - select->lower + 1;
    bool holds = false;
    struct arena scratch;
    arena_init(&scratch);
    for (int64_t i = 0; i < MAX_VALUES && i < size && !holds; i++) {
        *value = (int32_t)(is_downwards ? select->upper - i : select->lower + i);
        holds = holds_with(context, condition, select->unknown->placeholder, *value, &scratch);
        arena_reset(&scratch);
    }
    arena_close(&scratch);
    return holds;
}

/* A guard with such a value put in; without the conjuncts that then hold. */
static const struct expr *guard_with(struct context *context, const struct expr *guard,
                                     const struct symbol *select, int32_t value) {
    struct arena *arena = context->arena;
    if (!expr_mentions(guard, select)) return guard;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND)
        return build_and(arena, guard_with(context, guard->child[0], select, value),
                         guard_with(context, guard->child[1], select, value));
    if (is_of(guard, select)) return NULL;
    guard = expr_substitute(arena, guard, select, build_int(arena, value));
    return range_is_certain(context, guard) ? NULL : guard;
}

/* A choice that only has to exist: nothing but the guard reads it, and some value makes that hold
 * whenever any value does. Then that one will do. */
static bool leave_choice(struct folder *folder, struct output_edge *out,
                         const struct chosen_select *select) {
    const struct symbol *placeholder = select->unknown->placeholder;
    const struct expr *guard = output_guard(out, folder->arena);
    if (!expr_mentions(guard, placeholder) || expr_mentions(out->sync, placeholder) ||
        type_strip(placeholder->type)->kind == TYPE_SCALAR)
        return false;
    for (uint32_t i = 0; i < out->item_count; i++)
        if (expr_mentions(out->items[i].expr, placeholder)) return false;
    struct reading reading = reading_of(folder->arena, guard, placeholder);
    struct tendency tendency = range_tendency(folder->context, reading.mixed, placeholder);
    int32_t value;
    if ((!tendency.goes_down && !tendency.goes_up) ||
        !find_possible(folder->context, reading.own, select, !tendency.goes_down, &value))
        return false;
    out->guard = guard_with(folder->context, out->guard, placeholder, value);
    out->passed = guard_with(folder->context, out->passed, placeholder, value);
    return true;
}

void fold_narrow_chosen(struct folder *folder, struct output_edge *out) {
    uint32_t kept = 0;
    if (open_edge_is_branch(out->base)) return; /* when its guard is read is not settled */
    for (uint32_t i = 0; i < out->select_count; i++) {
        struct chosen_select select = out->selects[i];
        const struct symbol *placeholder = select.unknown->placeholder;
        bool is_wide = (int64_t)select.upper - select.lower >= ANALYSIS_WIDE_VALUES &&
                       type_strip(placeholder->type)->kind != TYPE_SCALAR;
        if (is_wide && !select.unknown->needs_type &&
            range_narrow(folder->context, out->guard, placeholder, &select.lower, &select.upper) &&
            select.lower == select.upper && !is_fixed_by(out, placeholder)) {
            put_in(folder, out, placeholder, select.lower);
            continue;
        }
        if (leave_choice(folder, out, &select)) continue;
        out->selects[kept++] = select;
    }
    out->select_count = kept;
}

void fold_add_selects(struct folder *folder, struct output_edge *out) {
    fold_add_chosen(folder, out);
    fold_narrow_chosen(folder, out);
    fold_keep_selects(folder, out);
}

void fold_align_selects(struct fold *fold) {
    for (uint32_t i = 0; i < fold->edges.count; i++) {
        struct output_edge *out = &fold->edges.items[i];
        const struct edge *edge = out->base->edge;
        bool is_named = edge_has_tag(edge, STR("action")) || edge_has_tag(edge, STR("nature"));
        uint32_t count = 0;
        for (uint32_t k = 0; k < fold->edges.count; k++) {
            const struct output_edge *other = &fold->edges.items[k];
            if (other->base != out->base) continue;
            count++;
            for (uint32_t s = 0; s < edge->select_count; s++)
                out->keeps_select[s] |= other->keeps_select[s];
        }
        for (uint32_t s = 0; s < edge->select_count; s++) {
            out->keeps_select[s] |= is_named;
            if (out->ranges && (count > 1 || is_named)) out->ranges[s].is_clipped = false;
        }
    }
}

/* The name of a select of an output edge by number: those that it keeps, then those it gets; NULL
 * for one that goes. */
static const struct symbol *output_select(const struct output_edge *out, uint32_t number) {
    const struct edge *edge = out->base->edge;
    assert(number < edge->select_count + out->select_count);
    if (number >= edge->select_count)
        return out->selects[number - edge->select_count].unknown->placeholder;
    return out->keeps_select[number] ? edge->selects[number] : NULL;
}

/* A name that would mean a select here, and is that of something else. */
static bool is_hidden_by_select(const void *context, const struct expr *expr) {
    const struct output_edge *out = context;
    const struct symbol *symbol = expr->symbol;
    bool is_name = expr->kind == EXPR_NAME || expr->kind == EXPR_CALL;
    if (!is_name || !symbol || symbol->kind == SYMBOL_SELECT || symbol->kind == SYMBOL_BOUND)
        return false;
    for (uint32_t i = 0; i < out->base->edge->select_count + out->select_count; i++) {
        const struct symbol *select = output_select(out, i);
        if (select && !strcmp(select->name, symbol->name)) return true;
    }
    return false;
}

void fold_check_names(const struct output_edge *out) {
    uint32_t own = out->base->edge->select_count;
    assert(out->base->edge && out->keeps_select);
    for (uint32_t i = 0; i < out->select_count; i++) {
        const struct symbol *placeholder = out->selects[i].unknown->placeholder;
        assert(type_strip(placeholder->type)->kind == TYPE_SCALAR ||
               out->selects[i].lower <= out->selects[i].upper);
        for (uint32_t k = 0; k < own + i; k++) {
            const struct symbol *other = output_select(out, k);
            assert(!other || strcmp(other->name, placeholder->name) != 0);
        }
    }
    assert(!expr_any(out->guard, is_hidden_by_select, out));
    assert(!expr_any(out->passed, is_hidden_by_select, out));
    assert(!expr_any(out->sync, is_hidden_by_select, out));
    for (uint32_t i = 0; i < out->item_count; i++)
        assert(!expr_any(out->items[i].expr, is_hidden_by_select, out));
    for (uint32_t i = 0; i < out->origin_count; i++)
        assert(out->origins[i].open->location == out->base->location);
}
