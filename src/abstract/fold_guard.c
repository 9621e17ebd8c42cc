/* Guards of classes and invariants: the two folds (DESIGN section 4), and whether they agree (X1).
 */
#include "abstract/fold_internal.h"

#include <assert.h>

/* Exactness (X1). */

/* Whether a residual is the one of its edge for the current tuple. Access classes partition the
 * indices, so tuples of other classes say nothing against it. */
static bool matches(const struct residual *residual, const struct columns *columns) {
    for (uint32_t i = 0; i < residual->form->unknowns.count; i++) {
        const struct unknown *unknown = residual->form->unknowns.items[i];
        uint32_t column = columns_find(columns, unknown);
        assert(column != NO_SLOT);
        if (residual->values[i] != columns->values[column]) return false;
        if (unknown->access && residual->class_of[i] != columns->class_of[column]) return false;
    }
    return true;
}

static bool same_classes(const struct residual *residual, const struct columns *columns) {
    for (uint32_t i = 0; i < residual->form->unknowns.count; i++) {
        const struct unknown *unknown = residual->form->unknowns.items[i];
        uint32_t column = columns_find(columns, unknown);
        if (unknown->access && residual->class_of[i] != columns->class_of[column]) return false;
    }
    return true;
}

/* For the current tuple: must and may guard within the current access classes. The few members
 * of must come first, as may is then often known. */
static bool is_exact_here(struct arena *arena, const struct class *class,
                          const struct columns *columns) {
    const struct expr *must = build_bool(arena, false), *may = must;
    for (uint32_t k = 0; k < class->members.count; k++)
        if (matches(class->members.items[k], columns))
            must = fold_or(arena, must, class->members.items[k]->guard);
    if (expr_is_true(must)) return true;
    for (uint32_t k = 0; k < class->members.count; k++)
        if (same_classes(class->members.items[k], columns))
            may = fold_or(arena, may, class->members.items[k]->guard);
    return !expr_is_true(may) && expr_equal(may, must);
}

static bool is_exact(const struct class *class, struct columns *columns) {
    struct arena scratch;
    bool ok;
    arena_init(&scratch);
    do {
        arena_reset(&scratch);
        ok = is_exact_here(&scratch, class, columns);
    } while (ok && columns_next(columns));
    arena_close(&scratch);
    return ok;
}

/* Whether must and may agree on a class; says so if not. */
static bool check_exact(struct folder *folder, const struct class *class) {
    bool has_unknowns = false;
    if (expr_is_false(class->may)) return true;
    struct columns columns = {.arena = folder->arena};
    const struct form *form = class->members.items[0]->form;
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct form *member = class->members.items[k]->form;
        has_unknowns |= member->unknowns.count > 0;
        if (form_has_chosen(member)) {
            fold_lose(folder, "%s: a value of '%s' is chosen freely",
                      fold_edge_name(folder, member),
                      member->unknowns.items[0]->removal->symbol->name);
            return false;
        }
        columns_add(&columns, member);
    }
    if (!has_unknowns) return true;
    uint64_t count = columns_start(&columns, folder->context, form, FOLD_MAX_JOINT);
    if (count > FOLD_MAX_JOINT || count * class->members.count > FOLD_MAX_COMPARISONS) {
        fold_lose(folder, "%s: too many combinations of removed values to compare",
                  fold_edge_name(folder, form));
        return false;
    }
    if (!count || is_exact(class, &columns)) return true;
    fold_lose(folder, "%s: whether it is enabled, or what it does, depends on '%s'",
              fold_edge_name(folder, form), columns.list.items[0]->removal->symbol->name);
    return false;
}

/* The two folds (DESIGN section 4). */

static const struct expr *may_guard(struct arena *arena, const struct class *class) {
    const struct expr *guard = build_bool(arena, false);
    for (uint32_t k = 0; k < class->members.count; k++)
        guard = fold_or(arena, guard, class->members.items[k]->guard);
    return guard;
}

/* What has to hold for the current tuple: that some member is enabled, unless an index is not
 * where the tuple has it. */
static const struct expr *must_clause(struct arena *arena, const struct class *class,
                                      const struct columns *columns) {
    const struct expr *enabled = build_bool(arena, false), *here = NULL;
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct residual *member = class->members.items[k];
        if (matches(member, columns)) enabled = fold_or(arena, enabled, member->guard);
        if (k == 0 || member->form != class->members.items[k - 1]->form)
            here = build_and(arena, here, fold_access_conditions(columns, member->form, arena));
    }
    if (expr_is_true(here)) return enabled;
    return fold_or(arena, build_not(arena, here), enabled);
}

/* U1: for every tuple some member is enabled (U4: a shared slot as the guard and as the update
 * finds it are columns of their own). What cannot be said is false. */
static const struct expr *must_guard(struct folder *folder, const struct class *class) {
    struct arena *arena = folder->arena;
    const struct expr *no = build_bool(arena, false), *guard = NULL;
    struct columns columns = {.arena = arena};
    const struct form *form = class->members.items[0]->form;
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct form *member = class->members.items[k]->form;
        bool is_branch = member->location >= member->template->location_count;
        if (form_has_chosen(member) || member->losses.count) return no;
        if (is_branch && expr_has_unknown(member->guard)) return no; /* read in which state? */
        columns_add(&columns, member);
    }
    uint64_t count = columns_start(&columns, folder->context, form, FOLD_MAX_JOINT);
    if (count > FOLD_MAX_JOINT || count * class->members.count > FOLD_MAX_COMPARISONS) return no;
    if (columns.is_empty) return no; /* the location is never reached */
    VEC(const struct expr *) clauses = {0};
    do {
        const struct expr *clause = must_clause(arena, class, &columns);
        bool is_known = expr_is_true(clause);
        if (expr_is_false(clause)) return no;
        for (uint32_t i = 0; i < clauses.count && !is_known; i++)
            is_known = expr_equal(clauses.items[i], clause);
        if (is_known) continue;
        VEC_PUSH(arena, &clauses, clause);
        guard = build_and(arena, guard, clause);
    } while (columns_next(&columns));
    return guard;
}

static bool class_has_losses(const struct class *class) {
    for (uint32_t k = 0; k < class->members.count; k++)
        if (class->members.items[k]->form->losses.count) return true;
    return false;
}

void fold_guards(struct folder *folder) {
    for (uint32_t i = 0; i < folder->classes.count; i++) {
        struct class *class = folder->classes.items[i];
        class->may = may_guard(folder->arena, class);
        class->is_exact = !folder->context->lower && check_exact(folder, class);
        class->guard = class->may;
        if (folder->context->is_must && (!class->is_exact || class_has_losses(class)))
            class->guard = must_guard(folder, class);
    }
}

const struct expr *fold_invariant(struct form_context *context, struct form *form,
                                  struct fold *fold) {
    struct folder folder = {.context = context, .arena = context->arena, .fold = fold};
    const char *name = form->template->locations[form->location].name;
    for (uint32_t k = 0; k < form->losses.count; k++)
        fold_lose(&folder, "%s: location %s: %s", form->template->symbol->name, name,
                  form->losses.items[k]);
    if (context->is_must && form->losses.count) return build_bool(context->arena, false);
    if (!form->unknowns.count) return form->guard;
    struct columns columns = {.arena = context->arena};
    columns_add(&columns, form);
    uint64_t count = columns_start(&columns, context, form, FOLD_MAX_TUPLES);
    bool is_must = context->is_must;
    const struct expr *folded = is_must ? NULL : build_bool(context->arena, false), *first = NULL;
    bool is_same = true, is_scalar = false;
    for (uint32_t i = 0; i < form->unknowns.count; i++)
        is_scalar |= type_strip(form->unknowns.items[i]->placeholder->type)->kind == TYPE_SCALAR;
    if (!count) return build_bool(context->arena, false); /* the location is never reached */
    if (count > FOLD_MAX_TUPLES || is_scalar) {
        fold_lose(&folder, "%s: location %s: the invariant is taken as %s",
                  form->template->symbol->name, name, is_must ? "false" : "true");
        return is_must ? build_bool(context->arena, false) : NULL;
    }
    for (bool is_first = true, more = true; more; is_first = false) {
        const struct expr *here = fold_access_conditions(&columns, form, context->arena);
        const struct expr *holds = columns_substitute(&columns, form, context->arena, form->guard);
        const struct expr *guard = build_and(context->arena, here, holds);
        if (expr_is_true(guard)) guard = NULL;
        if (is_first) first = guard;
        is_same &= is_first || (!first || !guard ? first == guard : expr_equal(first, guard));
        if (!is_must)
            folded = fold_or(context->arena, folded, guard);
        else if (expr_is_true(here))
            folded = build_and(context->arena, folded, guard);
        else
            folded = build_and(context->arena, folded,
                               fold_or(context->arena, build_not(context->arena, here), holds));
        more = columns_next(&columns);
    }
    if (!is_same)
        fold_lose(&folder, "%s: the invariant of %s depends on '%s'", form->template->symbol->name,
                  name, form->unknowns.items[0]->removal->symbol->name);
    return folded;
}
