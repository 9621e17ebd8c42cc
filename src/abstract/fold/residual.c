#include "abstract/fold/residual.h"

#include "abstract/edge/closed_terms.h"
#include "abstract/edge/express.h"
#include "abstract/facts/context.h"
#include "abstract/facts/range.h"
#include "abstract/fold/failing.h"
#include "abstract/fold/lower_condition.h"
#include "abstract/prepare/ghost.h"
#include "base/debug.h"
#include "base/index.h"
#include "explore/fair/tag.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "expr/substitute.h"
#include "lang/print/print.h"

#include <assert.h>

void fold_add_reason(struct folder *folder, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(folder->arena, format, arguments);
    va_end(arguments);
    folder->context->has_other_reasons = true;
    for (uint32_t i = 0; i < folder->fold->inexact.count; i++)
        if (str_is(str_of(folder->fold->inexact.items[i]), text)) return;
    VEC_PUSH(folder->arena, &folder->fold->inexact, text);
}

/* Whether some access that the edge certainly makes is outside its array. */
static bool is_outside(const struct open_edge *open, const struct joint_values *joint) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->is_chosen || !unknown->access || !unknown->is_certain) continue;
        uint32_t column = joint_find(joint, unknown);
        assert(column != NO_SLOT && joint->class_of[column] < unknown->class_count);
        if (joint->list.items[column]->classes[joint->class_of[column]].is_outside) return true;
    }
    return false;
}

const struct expr *fold_guard_here(const struct joint_values *joint, const struct open_edge *open,
                                   struct arena *arena) {
    return is_outside(open, joint) ? build_bool(arena, false)
                                   : joint_substitute(joint, open, arena, open->guard);
}

const struct expr *folder_no(struct folder *folder) {
    if (!folder->no) folder->no = build_bool(folder->arena, false);
    return folder->no;
}

const struct expr *fold_or(struct arena *arena, const struct expr *left, const struct expr *right) {
    const struct expr *result = build_or(arena, left, right);
    return expr_is_true(result) ? NULL : result;
}

/* NULL for true in the argument; the result is never NULL. */
const struct expr *fold_not(struct arena *arena, const struct expr *expr) {
    return expr_is_true(expr) ? build_bool(arena, false) : build_not(arena, expr);
}

/* For reasons, in the words of the file: branchpoints are not told apart from locations. */
const char *fold_edge_name(const struct folder *folder, const struct open_edge *open) {
    const struct template *template = open->template;
    assert(open->edge);
    return arena_printf(folder->arena, "%s: edge %u from %s to %s", template->symbol->name,
                        open->edge_index + 1, template->locations[open->edge->source].name,
                        template->locations[open->edge->target].name);
}

static bool is_put_in(const struct open_edge *open, const struct symbol *select) {
    for (uint32_t i = 0; open->folded.is_put_in && i < open->edge->select_count; i++)
        if (open->edge->selects[i] == select) return open->folded.is_put_in[i];
    return false;
}

/* Whether the output edge needs a select: some label names it, or its range may be empty, which
 * disables the edge. In a must-abstraction all do: there, an edge that others stand in for would
 * not be left out any more for the sake of more (must/search.h). */
static bool select_matters(struct folder *folder, const struct open_edge *open,
                           const struct symbol *select) {
    if (is_put_in(open, select)) return false;
    bool matters = folder->context->rules->is_searched || expr_mentions(open->guard, select) ||
                   expr_mentions(open->passed, select) || expr_mentions(open->sync, select) ||
                   expr_mentions(open->condition, select) ||
                   edge_tags_mention(open->edge, str_of(select->name));
    for (uint32_t i = 0; i < open->unknowns.count && !matters; i++)
        matters = expr_mentions(open->unknowns.items[i]->access, select);
    for (uint32_t i = 0; i < open->items.count && !matters; i++)
        matters = expr_mentions(open->items.items[i].expr, select);
    return matters || !range_is_nonempty(folder->context, select->type);
}

static bool select_is_like(const struct context *context, const struct symbol *left,
                           const struct symbol *right) {
    const struct data_kind *mine = narrowed_range(&context->narrowed, left);
    const struct data_kind *other = narrowed_range(&context->narrowed, right);
    bool are_alike = !mine == !other && (!mine || !memcmp(mine, other, sizeof *mine));
    if (left->name != right->name || !are_alike) return false;
    struct buffer a = {0}, b = {0};
    print_base_type(&a, left->type);
    print_base_type(&b, right->type);
    bool equal = str_equal((struct str){a.data, a.size}, (struct str){b.data, b.size});
    buffer_close(&a);
    buffer_close(&b);
    return equal;
}

bool fold_selects_alike(struct folder *folder, const struct open_edge *left,
                        const struct open_edge *right) {
    if (left == right) return true;
    const struct edge *a = left->edge, *b = right->edge;
    assert(a && b && left->template == right->template);
    for (uint32_t i = 0, k = 0;; i++, k++) {
        while (i < a->select_count && !select_matters(folder, left, a->selects[i])) i++;
        while (k < b->select_count && !select_matters(folder, right, b->selects[k])) k++;
        if (i == a->select_count || k == b->select_count)
            return i == a->select_count && k == b->select_count;
        if (!select_is_like(folder->context, a->selects[i], b->selects[k])) return false;
    }
}

/* Residuals */

/* Where the current values can be: the condition on the index that goes with the class of each
 * access, and v == f(c) for ghosts (S2), also where c is chosen. */
static const struct expr *side_of(struct folder *folder, const struct open_edge *open,
                                  const struct joint_values *joint) {
    struct arena *arena = folder->arena;
    const struct expr *side = NULL;
    for (uint32_t i = 0; i < open->ghost_values.count; i++) {
        const struct ghost_value *value = &open->ghost_values.items[i];
        const struct expr *name = build_name(arena, value->ghost->symbol);
        const struct expr *here = joint_substitute(joint, open, arena, value->value);
        side = build_and(arena, side, simplify_node(arena, build_binary(arena, OP_EQ, name, here)));
    }
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->is_chosen || !unknown->access) continue;
        uint32_t column = joint_find(joint, unknown);
        assert(column != NO_SLOT);
        uint32_t class = joint->class_of[column];
        assert(class < unknown->class_count);
        const struct expr *condition = unknown->classes[class].condition;
        side = build_and(arena, side, joint_substitute(joint, open, arena, condition));
    }
    return side;
}

void fold_note_failing(struct context *context, const struct template *template) {
    for (uint32_t i = 0; i < context->failing.count; i++)
        if (context->failing.items[i] == template) return;
    VEC_PUSH(context->arena, &context->failing, template);
}

/* What values made of labels, by the values of their closed terms. */
struct put_in_memo {
    struct closed_terms terms;
    int32_t *row; /* of the current tuple */
    VEC(int32_t *) rows;
    VEC(const struct expr **) results;
    struct index index;
    bool is_on;
};

/* Puts the tuples of one edge in. */
struct residual_maker {
    struct folder *folder;
    struct open_edge *open;
    const struct joint_values *joint;
    const struct expr **effect; /* of the edge, as effect_of has them */
    bool *depends;              /* on values */
    struct put_in_memo guards, effects;
};

enum {
    MEMO_MIN_TUPLES = 3, /* of fewer none is looked up */
    MEMO_TRIES = 64      /* so many tuples, all told apart, and it is given up */
};

static void memo_init(struct residual_maker *maker, struct put_in_memo *memo) {
    struct arena *arena = maker->folder->scratch;
    bool is_on = maker->joint->total >= MEMO_MIN_TUPLES;
    for (uint32_t i = 0; i < maker->joint->list.count; i++)
        is_on &= !maker->joint->list.items[i]->access;
    *memo = (struct put_in_memo){.terms = {.arena = arena, .open = maker->open},
                                 .index.memory = memory_of_arena(arena),
                                 .is_on = is_on};
}

/* The place for the result for the values of a residual; NULL if it is not kept. */
static const struct expr ***memo_find(struct put_in_memo *memo, const struct residual *residual) {
    struct arena *arena = memo->terms.arena;
    uint32_t count = memo->terms.list.count;
    size_t size = count * sizeof *memo->row;
    if (memo->is_on && !count && memo->results.count) return &memo->results.items[0];
    if (!memo->row) memo->row = ARENA_ARRAY(arena, int32_t, count + 1);
    if (!memo->is_on || !closed_terms_evaluate(&memo->terms, residual->values, memo->row))
        return NULL;
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) hash = index_mix(hash, (uint32_t)memo->row[i]);
    for (struct index_probe probe = index_begin(hash); index_next(&memo->index, &probe);)
        if (!memcmp(memo->rows.items[probe.number], memo->row, size))
            return &memo->results.items[probe.number];
    if (!index_add(&memo->index, hash, memo->rows.count)) return NULL;
    VEC_PUSH(arena, &memo->rows, memo->row);
    VEC_PUSH(arena, &memo->results, NULL);
    memo->row = NULL;
    return &memo->results.items[memo->results.count - 1];
}

/* A result for all tuples that came so far was of no use. */
static void memo_look(struct put_in_memo *memo, uint32_t tuples) {
    if (tuples == MEMO_TRIES && memo->rows.count == tuples) memo->is_on = false;
}

/* Of what values were put in. */
static void residual_check(const struct open_edge *open, const struct expr *expr) {
    assert(open_edge_has_chosen(open) || !expr || !expr_has_unknown(expr));
}

/* The guard with the no-error condition. */
static const struct expr *guard_of(struct residual_maker *maker, const struct residual *residual) {
    struct folder *folder = maker->folder;
    struct arena *arena = folder->arena;
    const struct open_edge *open = maker->open;
    const struct expr ***kept = memo_find(&maker->guards, residual);
    if (kept && *kept) return **kept;
    const struct expr *guard = fold_guard_here(maker->joint, open, arena);
    guard = build_and(arena, guard, joint_substitute(maker->joint, open, arena, open->condition));
    DEBUG_CHECK(residual_check(open, guard));
    if (!kept) return guard;
    *kept = ARENA_ARRAY(folder->scratch, const struct expr *, 1);
    return **kept = guard;
}

/* Synchronisation, what is passed, and the items. */
static const struct expr **effect_of(struct residual_maker *maker,
                                     const struct residual *residual) {
    struct arena *arena = maker->folder->arena;
    const struct open_edge *open = maker->open;
    const struct expr ***kept = memo_find(&maker->effects, residual);
    if (kept && *kept) return *kept;
    uint32_t count = open->items.count + 2;
    const struct expr **effect = ARENA_ARRAY(arena, const struct expr *, count);
    memcpy(effect, maker->effect, count * sizeof *effect);
    struct joint_values of_items = *maker->joint;
    of_items.keeps_failures = open->fails_unsaid;
    for (uint32_t i = 0; i < count; i++) {
        if (!maker->depends[i]) continue;
        effect[i] = joint_substitute(i < 2 ? maker->joint : &of_items, open, arena, effect[i]);
        DEBUG_CHECK(residual_check(open, effect[i]));
    }
    if (kept) *kept = effect;
    return effect;
}

static void set_values(struct residual *residual, const struct joint_values *joint) {
    const struct open_edge *open = residual->open;
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        uint32_t column = joint_find(joint, open->unknowns.items[i]);
        assert(column != NO_SLOT || open->unknowns.items[i]->is_chosen);
        if (column == NO_SLOT) continue;
        residual->values[i] = joint->values[column];
        residual->class_of[i] = joint->class_of[column];
    }
}

/* Whether an item gives a merged variable its value, by what cannot fail. */
static bool gives_ghost(const struct item *item) {
    return item->original && is_ghost_update(item->original) && item->expr->kind == EXPR_ASSIGN &&
           item->expr->child[0]->kind == EXPR_NAME && !expr_can_fault(item->expr->child[1]);
}

/* What a merged variable was with the current values, and what an item gives it; false if that is
 * not known, or another participant may have changed it within the step. */
static bool ghost_change(const struct residual_maker *maker, const struct item *item,
                         const struct expr *expr, int32_t *was, int32_t *becomes) {
    const struct open_edge *open = maker->open;
    struct arena *arena = maker->folder->arena;
    const struct symbol *ghost = expr->child[0]->symbol;
    if ((open->edge->sync && !open->edge->is_send) || open_edge_is_branch(open)) return false;
    for (uint32_t i = 0; i < open->items.count; i++) {
        const struct item *other = &open->items.items[i];
        if (other != item && gives_ghost(other) && other->expr->child[0]->symbol == ghost)
            return false;
    }
    for (uint32_t i = 0; i < open->ghost_values.count; i++) {
        const struct ghost_value *value = &open->ghost_values.items[i];
        if (value->ghost->symbol != ghost) continue;
        const struct expr *here = joint_substitute(maker->joint, open, arena, value->value);
        if (!closed_value(maker->folder->context, here, was)) return false;
        const struct expr *name = build_int(arena, *was);
        return closed_value(maker->folder->context,
                            expr_substitute(arena, expr->child[1], ghost, name), becomes);
    }
    return false;
}

/* m = m + 1 or m = 3, whatever else says so. */
static const struct expr *form_of(const struct residual_maker *maker, const struct item *item,
                                  const struct expr *expr) {
    struct arena *arena = maker->folder->arena;
    int32_t was, becomes;
    if (!gives_ghost(item) || expr->kind != EXPR_ASSIGN ||
        !ghost_change(maker, item, expr, &was, &becomes))
        return expr;
    struct expr *copy = build_copy(arena, expr);
    int64_t change = (int64_t)becomes - was;
    const struct expr *value = build_int(arena, becomes);
    if (type_strip(expr->child[0]->symbol->type)->kind == TYPE_BOOL)
        value = build_bool(arena, becomes != 0);
    else if (maker->folder->form == FORM_DIFFERENCE && change)
        value = build_binary(arena, change > 0 ? OP_ADD : OP_SUB, expr->child[0],
                             build_int(arena, change > 0 ? change : -change));
    else if (maker->folder->form == FORM_DIFFERENCE)
        copy->op = OP_ADD_ASSIGN, value = build_int(arena, 0);
    copy->child[1] = (struct expr *)value;
    return copy;
}

static void set_forms(const struct residual_maker *maker, struct residual *residual) {
    const struct open_edge *open = residual->open;
    uint32_t count = open->items.count;
    const struct expr **items = ARENA_ARRAY(maker->folder->arena, const struct expr *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        items[i] = form_of(maker, &open->items.items[i], residual->items[i]);
    residual->items = items;
}

/* The residual with one value of a select put in. */
static struct residual *with_value(struct folder *folder, const struct residual *residual,
                                   const struct symbol *select, int64_t value) {
    struct arena *arena = folder->arena;
    const struct expr *number = build_int(arena, value);
    struct residual *copy = ARENA_NEW(folder->scratch, struct residual);
    uint32_t count = residual->open->items.count;
    *copy = *residual;
    if (copy->guard) copy->guard = expr_substitute(arena, copy->guard, select, number);
    if (expr_is_true(copy->guard)) copy->guard = NULL;
    copy->items = ARENA_ARRAY(arena, const struct expr *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        copy->items[i] = expr_mentions(residual->items[i], select)
                             ? expr_substitute(arena, residual->items[i], select, number)
                             : residual->items[i];
    return copy;
}

/* F18: for each combination of values of the selects that are put in. */
static void add_with_selects(struct residual_maker *maker, struct residual *residual,
                             uint32_t first) {
    struct folder *folder = maker->folder;
    const struct open_edge *open = residual->open;
    const struct edge *edge = open->edge;
    while (first < edge->select_count && !(open->folded.is_put_in && open->folded.is_put_in[first]))
        first++;
    if (first == edge->select_count) {
        if (folder->form != FORM_TEXT) set_forms(maker, residual);
        VEC_PUSH(folder->scratch, &folder->residuals, residual);
        return;
    }
    const struct symbol *select = edge->selects[first];
    const struct shape *shape = context_shape(folder->context, select->type);
    assert(shape && shape->kind == SHAPE_CELL);
    for (int64_t value = shape->lower; value <= shape->upper; value++)
        add_with_selects(maker, with_value(folder, residual, select, value), first + 1);
}

static void add_residual(struct residual_maker *maker) {
    struct folder *folder = maker->folder;
    struct arena *arena = folder->arena;
    struct open_edge *open = maker->open;
    const struct joint_values *joint = maker->joint;
    struct residual *residual = ARENA_NEW(folder->scratch, struct residual);
    residual->open = open;
    residual->values = ARENA_ARRAY(folder->scratch, int32_t, open->unknowns.count + 1);
    residual->class_of = ARENA_ARRAY(folder->scratch, uint32_t, open->unknowns.count + 1);
    set_values(residual, joint);
    residual->guard = guard_of(maker, residual);
    if (folder->context->rules->is_confined && !expr_is_false(residual->guard))
        residual->guard = build_and(arena, residual->guard,
                                    lower_condition(folder->context, folder->lower, open, joint));
    residual->side = side_of(folder, open, joint);
    if (!expr_is_false(residual->guard) && step_certainly_fails(folder->context, open, joint)) {
        residual->guard = build_bool(arena, false);
        fold_note_failing(folder->context, open->template);
    }
    if (expr_is_true(residual->guard)) residual->guard = NULL;
    const struct expr **effect = effect_of(maker, residual);
    residual->sync = effect[0];
    residual->passed = effect[1];
    residual->items = effect + 2;
    if (residual->passed && expr_is_false(residual->passed))
        residual->guard = build_bool(arena, false);
    if (expr_is_true(residual->passed)) residual->passed = NULL;
    DEBUG_CHECK(residual_check(open, residual->side));
    add_with_selects(maker, residual, 0);
}

static void list_effect(struct residual_maker *maker) {
    struct arena *arena = maker->folder->scratch;
    const struct open_edge *open = maker->open;
    uint32_t count = open->items.count + 2;
    maker->effect = ARENA_ARRAY(arena, const struct expr *, count);
    maker->depends = ARENA_ARRAY(arena, bool, count);
    maker->effect[0] = open->sync;
    maker->effect[1] = open->passed;
    for (uint32_t i = 2; i < count; i++) maker->effect[i] = open->items.items[i - 2].expr;
    for (uint32_t i = 0; i < count; i++) {
        maker->depends[i] = maker->effect[i] && expr_has_unknown(maker->effect[i]);
        closed_terms_add(&maker->effects.terms, maker->effect[i]);
    }
}

static void make(struct folder *folder, struct open_edge *open, struct joint_values *joint) {
    struct residual_maker maker = {.folder = folder, .open = open, .joint = joint};
    uint32_t count = 0;
    memo_init(&maker, &maker.guards);
    memo_init(&maker, &maker.effects);
    closed_terms_add(&maker.guards.terms, open->guard);
    closed_terms_add(&maker.guards.terms, open->condition);
    list_effect(&maker);
    do {
        add_residual(&maker);
        count++;
        memo_look(&maker.guards, count);
        memo_look(&maker.effects, count);
    } while (open->unknowns.count && joint_next(joint));
}

void residuals_make(struct folder *folder, struct open_edge *open) {
    struct joint_values joint = {.arena = folder->scratch};
    joint_add(&joint, open);
    uint64_t count = joint_start(&joint, folder->context, open, FOLD_MAX_TUPLES);
    open->may_fail &= count > 1; /* else it fails where the original does */
    bool is_reached = count && !joint.is_empty;
    if (is_reached || !open->unknowns.count) make(folder, open, &joint);
}

/* F18 */

/* Whether what is not put in mentions a select. */
static bool is_in_rest(const struct open_edge *open, const struct symbol *select) {
    bool found = expr_mentions(open->sync, select) || expr_mentions(open->passed, select) ||
                 expr_mentions(open->fixed, select) ||
                 edge_tags_mention(open->edge, str_of(select->name));
    for (uint32_t i = 0; i < open->unknowns.count && !found; i++)
        found = expr_mentions(open->unknowns.items[i]->access, select);
    for (uint32_t i = 0; i < open->ghost_values.count && !found; i++)
        found = expr_mentions(open->ghost_values.items[i].value, select);
    for (uint32_t i = 0; i < open->folded.failing_pairs.count && !found; i++)
        found = expr_mentions(open->folded.failing_pairs.items[i].condition, select);
    return found;
}

static bool can_be_put_in(const struct open_edge *open, const struct symbol *select) {
    bool is_used = false;
    if (is_in_rest(open, select)) return false;
    for (uint32_t i = 0; i < open->items.count; i++) {
        if (!expr_mentions(open->items.items[i].expr, select)) continue;
        if (!gives_ghost(&open->items.items[i])) return false;
        is_used = true;
    }
    return is_used;
}

/* Marks selects of an open edge. Their combinations of values; 0 if there are too many, 1 = no
 * select. */
static uint64_t put_in(struct folder *folder, struct open_edge *open) {
    const struct edge *edge = open->edge;
    uint64_t combinations = 1;
    bool can_fail = (open->guard && expr_can_fault(open->guard)) ||
                    (open->condition && expr_can_fault(open->condition));
    if (open_edge_is_branch(open) || open_edge_has_chosen(open) || can_fail) return 1;
    bool *is_put_in = ARENA_ARRAY(folder->scratch, bool, edge->select_count + 1);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct shape *shape = context_shape(folder->context, edge->selects[i]->type);
        if (!shape || shape->kind != SHAPE_CELL || shape->is_scalar) return 1;
        if (narrowed_range(&folder->context->narrowed, edge->selects[i]) ||
            !can_be_put_in(open, edge->selects[i]))
            continue;
        int64_t size = (int64_t)shape->upper - shape->lower + 1;
        if (size < 1 || size > PUT_IN_MAX || combinations * (uint64_t)size > PUT_IN_MAX) return 0;
        is_put_in[i] = true;
        combinations *= (uint64_t)size;
    }
    if (combinations > 1) open->folded.is_put_in = is_put_in;
    return combinations;
}

bool selects_put_in(struct folder *folder) {
    bool found = false;
    uint64_t residuals = 0;
    for (uint32_t i = 0; i < folder->open_edge_count; i++) {
        struct open_edge *open = folder->open_edges[i];
        uint64_t combinations = put_in(folder, open), own = 0;
        for (uint32_t k = 0; k < folder->residuals.count; k++)
            own += folder->residuals.items[k]->open == open;
        found |= combinations > 1;
        residuals += own * combinations;
        if (!combinations || residuals > FOLD_MAX_RESIDUALS || open->inexact.count) return false;
    }
    return found;
}

void selects_take_out(struct folder *folder) {
    for (uint32_t i = 0; i < folder->open_edge_count; i++)
        folder->open_edges[i]->folded.is_put_in = NULL;
}
