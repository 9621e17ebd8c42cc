/* Residuals, the classes they make, and output edges. */
#include "abstract/fold/fold.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/channel.h"
#include "abstract/facts/context.h"
#include "abstract/fold/classify.h"
#include "abstract/fold/doubt.h"
#include "abstract/fold/failing.h"
#include "abstract/fold/guard.h"
#include "abstract/fold/joint.h"
#include "abstract/fold/receive.h"
#include "abstract/fold/residual.h"
#include "abstract/fold/selects.h"
#include "abstract/fold/timing_choice.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/substitute.h"

#include <assert.h>
#include <string.h>

/* All edges of the location together make a bounded number of residuals. */
static uint64_t tuple_limit(const struct folder *folder) {
    uint64_t share = FOLD_MAX_RESIDUALS / (folder->open_edge_count + 1);
    return share > FOLD_MAX_TUPLES ? FOLD_MAX_TUPLES : share < 2 ? 2 : share;
}

/* Whether only the no-error conditions of dropped items name the unknown. */
static bool is_only_in_condition(const struct open_edge *open, const struct unknown *unknown) {
    struct open_edge rest = *open;
    rest.condition = NULL;
    return !open_edge_mentions(&rest, unknown->placeholder);
}

/* A no-error condition of dropped items without the conjuncts that would need a choice for
 * themselves alone: the step stays, whatever the value is. */
static const struct expr *without_choices(struct folder *folder, const struct open_edge *open,
                                          const struct expr *condition) {
    if (!condition) return NULL;
    if (condition->kind == EXPR_BINARY && condition->op == OP_AND)
        return build_and(folder->arena, without_choices(folder, open, condition->child[0]),
                         without_choices(folder, open, condition->child[1]));
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (open->unknowns.items[i]->is_chosen &&
            expr_mentions(condition, open->unknowns.items[i]->placeholder) &&
            is_only_in_condition(open, open->unknowns.items[i]))
            return NULL;
    return condition;
}

/* Whether an edge may be enabled in the original where it is not here, as its step would fail
 * (ST8). Over; which of its residuals fail for certain is not asked. */
static bool may_be_chosen_and_fail(const struct open_edge *open) {
    bool may_fail = open->condition || (open->may_fail && open_edge_has_chosen(open));
    for (uint32_t i = 0; i < open->conjuncts.count; i++)
        may_fail |= !open->conjuncts.items[i].original;
    return may_fail;
}

static void make_residuals(struct folder *folder, struct open_edge *open) {
    /* U2 */
    assert(open->edge && !open_edge_has_chosen(open));
    open->folded.differs =
        edge_is_blocked(folder->context, folder->blocked, open->template, open->edge);
    open->is_doubted =
        open->folded.differs || edge_is_doubted(folder->context, open->template, open->edge);
    if (folder->context->rules->is_mixed)
        open->has_free_effects = effects_are_free(folder->context, open->template, open->edge);
    else if (open->folded.differs)
        return;
    open_edge_choose(folder->context, open, tuple_limit(folder));
    if (may_be_chosen_and_fail(open)) fold_note_failing(folder->context, open->template);
    drop_failing_choices(folder->context, open);
    open->condition = without_choices(folder, open, open->condition);
    if (!folder->context->rules->is_universal) find_failing_pairs(folder->context, open);
    open->fails_unsaid = open->may_fail;
    residuals_make(folder, open);
}

/* F18 */

static bool are_exact(const struct folder *folder) {
    for (uint32_t i = 0; i < folder->classes.count; i++)
        if (!folder->classes.items[i]->is_exact) return false;
    return true;
}

/* Folds anew; whether it is exact. */
static bool fold_with_forms(struct folder *folder, enum ghost_form form) {
    memset(&folder->residuals, 0, sizeof folder->residuals);
    memset(&folder->classes, 0, sizeof folder->classes);
    memset(&folder->fold->inexact, 0, sizeof folder->fold->inexact);
    folder->form = form;
    folder->told = NULL;
    folder->context->has_other_reasons = false;
    for (uint32_t i = 0; i < folder->open_edge_count; i++) {
        folder->open_edges[i]->folded.differs = false;
        residuals_make(folder, folder->open_edges[i]);
    }
    residuals_classify(folder);
    fold_guards(folder);
    return are_exact(folder);
}

/* Where a location is not folded exactly: again, with values of selects put in, if then it is. */
static void try_selects(struct folder *folder) {
    struct context *context = folder->context;
    const struct fold_rules *rules = context->rules;
    if (!context->request->ghosts.count || context->network->before_update.list.count ||
        rules->is_mixed || rules->is_confined || rules->is_universal ||
        !context->has_other_reasons || are_exact(folder))
        return;
    struct folder before = *folder;
    struct fold fold = *folder->fold;
    bool *differs = ARENA_ARRAY(folder->scratch, bool, folder->open_edge_count);
    for (uint32_t i = 0; i < folder->open_edge_count; i++)
        differs[i] = folder->open_edges[i]->folded.differs;
    if (selects_put_in(folder) &&
        (fold_with_forms(folder, FORM_DIFFERENCE) || fold_with_forms(folder, FORM_VALUE)))
        return;
    selects_take_out(folder);
    *folder = before;
    *folder->fold = fold;
    context->has_other_reasons = true;
    for (uint32_t i = 0; i < folder->open_edge_count; i++)
        folder->open_edges[i]->folded.differs = differs[i];
}

/* Output edges. */

static struct origin origin_of(struct folder *folder, const struct residual *residual) {
    const struct open_edge *open = residual->open;
    struct origin origin = {.open = open};
    origin.values = ARENA_ARRAY(folder->arena, struct chosen_value, open->unknowns.count + 1);
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (!open->unknowns.items[i]->is_chosen)
            origin.values[origin.value_count++] =
                (struct chosen_value){open->unknowns.items[i], residual->values[i]};
    return origin;
}

/* Whether two residuals differ at most in selects that are put in (F18). */
static bool is_same_origin(const struct residual *left, const struct residual *right) {
    return left && left->open == right->open &&
           !memcmp(left->values, right->values, left->open->unknowns.count * sizeof *left->values);
}

/* x += 0, for the values of a class; or a location, which may not stand alone. */
static bool is_idle(const struct expr *expr) {
    if (expr->kind == EXPR_NAME) return expr->symbol->kind == SYMBOL_LOCATION;
    return expr->kind == EXPR_ASSIGN && (expr->op == OP_ADD_ASSIGN || expr->op == OP_SUB_ASSIGN) &&
           expr->child[0]->kind == EXPR_NAME && expr_is_false(expr->child[1]);
}

static void set_items(struct folder *folder, struct output_edge *out, const struct open_edge *open,
                      const struct expr *const *items) {
    out->items = ARENA_ARRAY(folder->arena, struct item, open->items.count + 1);
    out->item_count = 0;
    for (uint32_t i = 0; i < open->items.count; i++) {
        const struct item *item = &open->items.items[i];
        const struct expr *expr = items ? items[i] : item->expr;
        if (item->is_verbatim || !is_idle(expr))
            out->items[out->item_count++] = (struct item){item->original, expr, item->is_verbatim};
    }
}

static bool is_unchanged(const struct output_edge *out) {
    const struct open_edge *open = out->base;
    if (open->is_concerned || out->origin_count != 1) return false;
    return true;
}

static const struct expr *with_selects_of(struct folder *folder, const struct open_edge *base,
                                          const struct class *class, const struct expr *guard) {
    for (uint32_t m = 0; m < class->members.count; m++)
        guard = fold_with_selects(folder, base, class->members.items[m]->open, guard);
    return guard;
}

/* The unknowns that the update or the synchronisation of an open edge uses. */
static bool is_in_effect(const struct open_edge *open, const struct unknown *unknown) {
    if (expr_mentions(open->sync, unknown->placeholder) ||
        expr_mentions(open->passed, unknown->placeholder))
        return true;
    for (uint32_t i = 0; i < open->items.count; i++)
        if (expr_mentions(open->items.items[i].expr, unknown->placeholder)) return true;
    return false;
}

/* Whether a condition can speak of an unknown: one that has a value in a residual, or a select. */
static const struct expr *with_value(struct folder *folder, const struct expr *condition,
                                     const struct unknown *unknown,
                                     const struct residual *residual) {
    const struct open_edge *open = unknown->open;
    if (unknown->is_chosen || (!residual && is_in_effect(open, unknown))) return condition;
    if (!residual) return NULL;
    uint32_t i = 0;
    while (open->unknowns.items[i] != unknown) i++;
    return expr_substitute(folder->arena, condition, unknown->placeholder,
                           build_int(folder->arena, residual->values[i]));
}

/* The guard of an output edge, and that no values meet with which the step certainly fails: those
 * of a residual, or any. */
static const struct expr *with_failing_pairs(struct folder *folder, const struct open_edge *open,
                                             const struct residual *residual,
                                             const struct expr *guard) {
    for (uint32_t i = 0; i < open->folded.failing_pairs.count; i++) {
        const struct failing_pair *pair = &open->folded.failing_pairs.items[i];
        const struct expr *condition = with_value(folder, pair->condition, pair->unknown, residual);
        if (condition && pair->other)
            condition = with_value(folder, condition, pair->other, residual);
        guard = build_and(folder->arena, guard, condition);
    }
    return guard;
}

/* With this guard, which is that of the class or stronger. */
static struct output_edge *emit_class(struct folder *folder, const struct class *class,
                                      const struct expr *guard, enum strength strength) {
    const struct residual *first = NULL, *last = NULL; /* that are possible at all */
    struct output_edge out = {.origins =
                                  ARENA_ARRAY(folder->arena, struct origin, class->members.count)};
    for (uint32_t i = 0; i < class->members.count; i++) {
        const struct residual *member = class->members.items[i];
        if (expr_is_false(member->guard)) continue;
        if (!first) first = member;
        if (!is_same_origin(last, member))
            out.origins[out.origin_count++] = origin_of(folder, member);
        last = member;
    }
    assert(first && out.origin_count && !class->is_done);
    out.base = first->open;
    out.strength = strength;
    out.guard = with_selects_of(folder, first->open, class, guard);
    if (class->members.count == 1)
        out.guard = with_failing_pairs(folder, first->open, first, out.guard);
    out.passed = with_selects_of(folder, first->open, class, first->passed);
    out.sync = first->sync;
    set_items(folder, &out, first->open, first->items);
    fold_add_selects(folder, &out);
    bool has_mark = folder->context->rules->is_mixed && strength != STRENGTH_MUST;
    out.is_unchanged = !has_mark && is_unchanged(&out);
    VEC_PUSH(folder->arena, &folder->fold->edges, out);
    uint32_t index = folder->fold->edges.count - 1;
    struct output_edge *added = &folder->fold->edges.items[index];
    added->is_unchanged &= fold_keeps_element(folder->fold, index);
    return added;
}

/* MX1: an edge where the class is certain, and one where it may be there. */
static void emit_marked(struct folder *folder, const struct class *class) {
    const struct expr *rest = class->guard, *certain = class->certain;
    const struct open_edge *open = class->members.items[0]->open;
    if (class->is_certain) {
        emit_class(folder, class, class->guard, STRENGTH_MUST);
        return;
    }
    bool is_sure = !expr_is_false(rest) &&
                   (expr_is_true(open->folded.sure) || expr_equal(open->folded.sure, rest));
    if (!expr_is_false(certain)) emit_class(folder, class, certain, STRENGTH_MUST);
    if (!expr_is_false(certain) && !(certain && expr_can_fault(certain)))
        rest = build_and(folder->arena, rest, fold_not(folder->arena, certain));
    if (!expr_is_false(rest))
        emit_class(folder, class, rest, is_sure ? STRENGTH_SURE : STRENGTH_MAY);
}

/* Where an open edge is among those of the location. */
static uint32_t number_of(const struct folder *folder, const struct open_edge *open) {
    uint32_t low = 0, high = folder->open_edge_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(folder->open_edges[middle]->edge_index > open->edge_index ? &high : &low) = middle;
    }
    assert(folder->open_edges[low] == open);
    return low;
}

static void find_classes_of_edges(struct folder *folder) {
    folder->of_edges = ARENA_ARRAY(folder->scratch, struct edge_classes, folder->open_edge_count);
    for (uint32_t i = 0; i < folder->classes.count; i++) {
        struct class *class = folder->classes.items[i];
        for (uint32_t k = 0; k < class->members.count; k++) {
            struct edge_classes *own =
                &folder->of_edges[number_of(folder, class->members.items[k]->open)];
            bool has = own->list.count && own->list.items[own->list.count - 1] == class;
            if (!has) VEC_PUSH(folder->scratch, &own->list, class);
        }
    }
}

/* The live classes of an open edge, if all their members are its own; 0 if it shares one. */
static uint32_t own_classes(const struct edge_classes *own, const struct open_edge *open,
                            struct class **classes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < own->list.count; i++) {
        struct class *class = own->list.items[i];
        if (expr_is_false(class->guard)) continue;
        for (uint32_t k = 0; k < class->members.count; k++)
            if (class->members.items[k]->open != open) return 0;
        assert(!class->is_done); /* only its own edge could have */
        classes[count++] = class;
    }
    return count;
}

/* The values of the unknowns in the effect that a class stands for, as a test. */
static const struct expr *class_test(struct folder *folder, const struct open_edge *open,
                                     const struct class *class) {
    const struct expr *test = NULL;
    const struct residual *residual = class->members.items[0];
    assert(residual->open == open);
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->is_chosen || !is_in_effect(open, unknown)) continue;
        const struct expr *equal =
            build_binary(folder->arena, OP_EQ, build_name(folder->arena, unknown->placeholder),
                         build_int(folder->arena, residual->values[i]));
        test = build_and(folder->arena, test, equal);
    }
    return test;
}

/* Whether each class is one tuple of the unknowns in the effect, and no tuple is in two. */
static bool is_one_to_one(const struct open_edge *open, struct class *const *classes,
                          uint32_t count) {
    for (uint32_t c = 0; c < count; c++) {
        const struct residual *first = classes[c]->members.items[0];
        for (uint32_t k = 1; k < classes[c]->members.count; k++)
            for (uint32_t i = 0; i < open->unknowns.count; i++)
                if (is_in_effect(open, open->unknowns.items[i]) &&
                    classes[c]->members.items[k]->values[i] != first->values[i])
                    return false;
    }
    return true;
}

static bool guards_are_equal(struct class *const *classes, uint32_t count) {
    for (uint32_t c = 1; c < count; c++)
        if (!expr_equal(classes[c]->guard, classes[0]->guard)) return false;
    return true;
}

static bool has_effect_unknowns(const struct open_edge *open) {
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (!open->unknowns.items[i]->is_chosen && is_in_effect(open, open->unknowns.items[i]))
            return true;
    return false;
}

/* The guard of a select edge: which values, and for them which guard. */
static const struct expr *select_guard(struct folder *folder, const struct open_edge *open,
                                       struct class *const *classes, uint32_t count) {
    const struct expr *guard = build_bool(folder->arena, false);
    for (uint32_t c = 0; c < count; c++) {
        const struct expr *test = class_test(folder, open, classes[c]);
        const struct expr *both = build_and(folder->arena, test, classes[c]->guard);
        guard = fold_or(folder->arena, guard, both);
    }
    return guard;
}

/* Whether selects for the values give the classes without a test in the guard. */
static bool needs_no_test(struct folder *folder, const struct open_edge *open,
                          const struct value_set *sets) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (!unknown->is_chosen && is_in_effect(open, unknown) &&
            !expr_is_true(fold_membership(folder, unknown, &sets[i])))
            return false;
    }
    return true;
}

/* How certain an edge with selects for values is; false if its classes need edges of their own. */
static bool strength_of_select(const struct folder *folder, const struct open_edge *open,
                               struct class *const *classes, uint32_t count,
                               enum strength *strength) {
    bool are_certain = true, are_sure = true;
    if (!folder->context->rules->is_mixed) return true;
    for (uint32_t c = 0; c < count; c++) {
        are_certain &= classes[c]->is_certain;
        are_sure &=
            expr_is_true(open->folded.sure) || expr_equal(open->folded.sure, classes[c]->guard);
    }
    *strength = are_certain ? STRENGTH_MUST : are_sure ? STRENGTH_SURE : STRENGTH_MAY;
    for (uint32_t c = 0; c < count && !are_certain; c++)
        if (classes[c]->is_certain || !expr_is_false(classes[c]->certain)) return false;
    return true;
}

/* Whether the guard of some member may hold. None may where the limit on memory has ended the fold:
 * then there is no edge to write. */
static bool are_possible(struct class *const *classes, uint32_t count) {
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t k = 0; k < classes[c]->members.count; k++)
            if (!expr_is_false(classes[c]->members.items[k]->guard)) return true;
    return false;
}

/* F5: one edge with selects instead of the classes of an open edge that differ in a value only. */
static bool emit_select(struct folder *folder, struct open_edge *open,
                        const struct edge_classes *own) {
    struct class **classes = ARENA_ARRAY(folder->scratch, struct class *, own->list.count + 1);
    uint32_t count = own_classes(own, open, classes);
    if (count < 2 || !has_effect_unknowns(open) || !is_one_to_one(open, classes, count) ||
        !are_possible(classes, count))
        return false;
    struct output_edge out = {.base = open, .passed = open->passed, .sync = open->sync};
    if (!strength_of_select(folder, open, classes, count, &out.strength)) return false;
    struct bounds bounds = {.lower = INT32_MIN, .upper = INT32_MAX, .limit = FOLD_MAX_TUPLES};
    struct value_set *sets = ARENA_ARRAY(folder->arena, struct value_set, open->unknowns.count);
    uint64_t product = 1, width = 1;
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        sets[i] = value_set_empty();
        for (uint32_t c = 0; c < count; c++)
            value_set_add(folder->arena, &sets[i], classes[c]->members.items[0]->values[i],
                          &bounds);
        if (!open->unknowns.items[i]->is_chosen && is_in_effect(open, open->unknowns.items[i]))
            fold_add_width(&sets[i], &product, &width);
    }
    if (fold_is_sparse(count, width)) return false;
    bool is_product = product == count && guards_are_equal(classes, count);
    if (open_edge_is_branch(open) && !(is_product && needs_no_test(folder, open, sets)))
        return false;
    out.guard = is_product ? classes[0]->guard : select_guard(folder, open, classes, count);
    set_items(folder, &out, open, NULL);
    fold_add_chosen(folder, &out);
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->is_chosen || !is_in_effect(open, unknown)) continue;
        fold_add_select(&out, unknown, &sets[i]);
        if (is_product)
            out.guard =
                build_and(folder->arena, fold_membership(folder, unknown, &sets[i]), out.guard);
    }
    out.guard = with_failing_pairs(folder, open, NULL, out.guard);
    uint32_t origins = 0;
    for (uint32_t c = 0; c < count; c++) origins += classes[c]->members.count;
    out.origins = ARENA_ARRAY(folder->arena, struct origin, origins);
    for (uint32_t c = 0; c < count; c++) {
        classes[c]->is_done = true;
        for (uint32_t k = 0; k < classes[c]->members.count; k++)
            if (!expr_is_false(classes[c]->members.items[k]->guard))
                out.origins[out.origin_count++] = origin_of(folder, classes[c]->members.items[k]);
    }
    assert(out.origin_count && out.origin_count <= origins);
    fold_narrow_chosen(folder, &out);
    fold_keep_selects(folder, &out);
    VEC_PUSH(folder->arena, &folder->fold->edges, out);
    return true;
}

static void emit(struct folder *folder) {
    for (uint32_t f = 0; f < folder->open_edge_count; f++) {
        struct open_edge *open = folder->open_edges[f];
        const struct edge_classes *own = &folder->of_edges[f];
        uint32_t before = folder->fold->edges.count;
        bool had_part = false;
        if (open->unknowns.count && !open->folded.is_put_in) emit_select(folder, open, own);
        for (uint32_t i = 0; i < own->list.count; i++) {
            struct class *class = own->list.items[i];
            for (uint32_t k = 0; k < class->members.count; k++)
                had_part |= class->members.items[k]->open == open && !expr_is_false(class->guard) &&
                            !expr_is_false(class->members.items[k]->guard);
            if (class->is_done || expr_is_false(class->guard)) continue;
            const struct residual *first = NULL;
            for (uint32_t k = 0; k < class->members.count && !first; k++)
                if (!expr_is_false(class->members.items[k]->guard)) first = class->members.items[k];
            if (!first || first->open != open) continue;
            if (folder->context->rules->is_mixed)
                emit_marked(folder, class);
            else
                emit_class(folder, class, class->guard, STRENGTH_MUST);
            class->is_done = true;
        }
        if (folder->fold->edges.count == before && !had_part)
            VEC_PUSH(folder->arena, &folder->fold->dropped, open);
    }
    if (folder->context->rules->is_mixed) fold_align_selects(folder->fold);
    for (uint32_t i = 0; i < folder->fold->edges.count; i++)
        fold_check_names(&folder->fold->edges.items[i]);
}

/* Where a class of several edges is certain, and none of them alone; false = nowhere. */
static const struct expr *certain_together(struct folder *folder, const struct class *joint,
                                           const struct class_list *apart) {
    struct arena *arena = folder->arena;
    const struct expr *rest = fold_certain_guard(folder, joint);
    for (uint32_t i = 0; i < apart->count && !expr_is_false(rest); i++) {
        const struct class *class = apart->items[i];
        const struct expr *own = class->is_certain ? class->guard : class->certain;
        if (expr_is_false(own) || (own && expr_can_fault(own)) ||
            !residuals_are_alike(folder, class->members.items[0], joint->members.items[0]))
            continue;
        rest = build_and(arena, rest, fold_not(arena, own));
    }
    return rest;
}

/* MX1: what several edges do is certain for all tuples, though which of them does it is not. */
static void emit_joint(struct folder *folder) {
    struct folder joint = *folder;
    struct class_list apart = {folder->classes.items, folder->classes.count};
    memset(&joint.classes, 0, sizeof joint.classes);
    joint.is_joining = true;
    residuals_classify(&joint);
    for (uint32_t i = 0; i < joint.classes.count; i++) {
        const struct class *class = joint.classes.items[i];
        const struct open_edge *first = class->members.items[0]->open;
        bool is_one = true, is_possible = false;
        for (uint32_t k = 0; k < class->members.count; k++) {
            is_one &= class->members.items[k]->open == first;
            is_possible |= !expr_is_false(class->members.items[k]->guard);
        }
        if (is_one || !is_possible) continue;
        const struct expr *rest = certain_together(&joint, class, &apart);
        if (!expr_is_false(rest)) emit_class(&joint, class, rest, STRENGTH_MUST)->is_joint = true;
    }
}

/* Where the must-fold keeps steps of its edges. */
static void find_kept(struct folder *folder) {
    for (uint32_t f = 0; f < folder->open_edge_count; f++) {
        struct open_edge *open = folder->open_edges[f];
        open->folded.keeps_all = true;
        open->folded.kept = build_bool(folder->arena, false);
        for (uint32_t i = 0; i < folder->of_edges[f].list.count; i++) {
            const struct class *class = folder->of_edges[f].list.items[i];
            open->folded.keeps_all &= class->is_exact;
            open->folded.kept = fold_or(folder->arena, open->folded.kept, class->guard);
        }
        open->folded.keeps_all &= !expr_is_false(open->folded.kept);
    }
}

void fold_location(struct context *context, const struct lower *lower,
                   const struct blocked_channels *blocked, struct open_edge *const *open_edges,
                   uint32_t count, struct fold *fold) {
    const struct fold_rules *rules = context->rules;
    assert(count && !fold->edges.count && !fold->dropped.count && (lower || !rules->is_confined));
    struct arena scratch;
    arena_init(&scratch);
    struct folder folder = {.context = context,
                            .lower = lower,
                            .blocked = blocked,
                            .arena = context->arena,
                            .scratch = &scratch,
                            .fold = fold,
                            .open_edges = open_edges,
                            .open_edge_count = count};
    for (uint32_t i = 1; i < count; i++)
        assert(open_edges[i]->location == open_edges[0]->location &&
               open_edges[i]->edge_index > open_edges[i - 1]->edge_index);
    bool has_others = context->has_other_reasons;
    selects_take_out(&folder);
    context->has_other_reasons = false;
    for (uint32_t i = 0; i < count; i++) make_residuals(&folder, open_edges[i]);
    residuals_classify(&folder);
    fold_guards(&folder);
    try_selects(&folder);
    context->has_other_reasons |= has_others;
    if (rules->is_universal) fold_timing_choices(&folder);
    find_classes_of_edges(&folder);
    if (rules->blocks_sends) fold_blocks(&folder);
    if (rules->is_mixed) fold_doubtful_sends(&folder);
    if (rules->is_searched) find_kept(&folder);
    emit(&folder);
    assert(fold->dropped.count <= count);
    if (rules->is_mixed) emit_joint(&folder);
    if (rules->receivers_decline) fold_declines(&folder);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < open_edges[i]->inexact.count; k++)
            fold_add_reason(&folder, "%s: %s", fold_edge_name(&folder, open_edges[i]),
                            open_edges[i]->inexact.items[k]);
    arena_close(&scratch);
}
