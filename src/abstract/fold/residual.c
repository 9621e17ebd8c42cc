/* See residual.h. */
#include "abstract/fold/residual.h"

#include "abstract/edge/closed_terms.h"
#include "abstract/facts/context.h"
#include "abstract/facts/range.h"
#include "abstract/fold/failing.h"
#include "abstract/fold/lower_condition.h"
#include "base/index.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
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

/* Whether the output edge needs a select: some label names it, or its range may be empty, which
 * disables the edge. In a must-abstraction all do: there, an edge that others stand in for would
 * not be left out any more for the sake of more (must/search.h). */
static bool select_matters(struct folder *folder, const struct open_edge *open,
                           const struct symbol *select) {
    bool matters = folder->context->rules->is_searched || expr_mentions(open->guard, select) ||
                   expr_mentions(open->passed, select) || expr_mentions(open->sync, select) ||
                   expr_mentions(open->condition, select);
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
    struct put_in_memo guards, effects;
};

enum {
    MEMO_MIN_TUPLES = 3, /* of fewer none is looked up */
    MEMO_TRIES = 64       /* so many tuples, all told apart, and it is given up */
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

/* The guard with the no-error condition. */
static const struct expr *guard_of(struct residual_maker *maker, const struct residual *residual) {
    struct folder *folder = maker->folder;
    struct arena *arena = folder->arena;
    const struct open_edge *open = maker->open;
    const struct expr ***kept = memo_find(&maker->guards, residual);
    if (kept && *kept) return **kept;
    const struct expr *guard = fold_guard_here(maker->joint, open, arena);
    guard = build_and(arena, guard, joint_substitute(maker->joint, open, arena, open->condition));
    assert(open_edge_has_chosen(open) || !guard || !expr_has_unknown(guard));
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
    effect[0] = joint_substitute(maker->joint, open, arena, open->sync);
    effect[1] = joint_substitute(maker->joint, open, arena, open->passed);
    struct joint_values of_items = *maker->joint;
    of_items.keeps_failures = open->fails_unsaid;
    for (uint32_t i = 2; i < count; i++)
        effect[i] = joint_substitute(&of_items, open, arena, open->items.items[i - 2].expr);
    for (uint32_t i = 0; i < count; i++)
        assert(open_edge_has_chosen(open) || !effect[i] || !expr_has_unknown(effect[i]));
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
    assert(open_edge_has_chosen(open) || !residual->side || !expr_has_unknown(residual->side));
    VEC_PUSH(folder->scratch, &folder->residuals, residual);
}

void residuals_make(struct folder *folder, struct open_edge *open, struct joint_values *joint) {
    struct residual_maker maker = {.folder = folder, .open = open, .joint = joint};
    uint32_t count = 0;
    memo_init(&maker, &maker.guards);
    memo_init(&maker, &maker.effects);
    closed_terms_add(&maker.guards.terms, open->guard);
    closed_terms_add(&maker.guards.terms, open->condition);
    closed_terms_add(&maker.effects.terms, open->sync);
    closed_terms_add(&maker.effects.terms, open->passed);
    for (uint32_t i = 0; i < open->items.count; i++)
        closed_terms_add(&maker.effects.terms, open->items.items[i].expr);
    do {
        add_residual(&maker);
        count++;
        memo_look(&maker.guards, count);
        memo_look(&maker.effects, count);
    } while (open->unknowns.count && joint_next(joint));
}
