/* Guards of classes and invariants: the two folds (DESIGN section 4), and whether they agree (X1).
 */
#include "abstract/fold/guard.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/fold/joint.h"
#include "abstract/fold/output.h"
#include "abstract/fold/partition.h"
#include "base/interrupt.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

/* Exactness (X1). */

/* Whether a residual is the one of its edge for the current tuple. Access classes partition the
 * indices, so tuples of other classes say nothing against it. */
static bool matches(const struct residual *residual, const struct joint_values *joint) {
    for (uint32_t i = 0; i < residual->open->unknowns.count; i++) {
        const struct unknown *unknown = residual->open->unknowns.items[i];
        uint32_t column = joint_find(joint, unknown);
        assert(column != NO_SLOT);
        if (residual->values[i] != joint->values[column]) return false;
        if (unknown->access && residual->class_of[i] != joint->class_of[column]) return false;
    }
    return true;
}

/* Whether a residual is one for the current access classes, as far as visible values decide them.
 */
static bool same_classes(const struct residual *residual, const struct joint_values *joint) {
    for (uint32_t i = 0; i < residual->open->unknowns.count; i++) {
        const struct unknown *unknown = residual->open->unknowns.items[i];
        uint32_t column = joint_find(joint, unknown);
        if (unknown->access && !expr_has_unknown(unknown->access->child[1]) &&
            residual->class_of[i] != joint->class_of[column])
            return false;
    }
    return true;
}

/* For the current tuple: must and may guard within the current access classes and block. The
 * few members of must come first, as may is then often known. */
static bool is_exact_here(struct arena *arena, const struct class *class,
                          const struct joint_values *joint, const struct partition_block *block) {
    const struct expr *must = build_bool(arena, false), *may = must;
    for (uint32_t k = 0; k < class->members.count; k++)
        if (matches(class->members.items[k], joint))
            must = fold_or(arena, must, class->members.items[k]->guard);
    if (expr_is_true(must)) return true;
    for (uint32_t k = 0; k < class->members.count; k++)
        if ((!block || block->is_member[k]) && same_classes(class->members.items[k], joint))
            may = fold_or(arena, may, class->members.items[k]->guard);
    return !expr_is_true(may) && expr_equal(may, must);
}

/* A run through the joint values of the unknowns of a class. */
struct run {
    struct joint_values joint;
    struct partition partition;
    uint64_t count; /* of tuples */
    uint64_t fate_count;
    unsigned char *fates; /* of the must-fold, by number of the access classes (fate_of) */
    bool has_unknowns, is_too_long;
    const struct open_edge *chosen; /* a member's open edge with an unknown that is chosen */
};

/* The joint values that were found last: classes of one location often have the same unknowns. */
struct found {
    struct arena arena;
    struct joint_values joint;
    uint64_t count;
};

static bool has_joint(const struct found *found, const struct joint_values *joint) {
    uint32_t count = joint->list.count;
    bool is_same = found->joint.arena && count == found->joint.list.count;
    for (uint32_t i = 0; i < count && is_same; i++)
        is_same = joint->list.items[i] == found->joint.list.items[i];
    return is_same;
}

static void run_start(struct folder *folder, const struct class *class, struct found *found,
                      struct run *run) {
    *run = (struct run){.joint = {.arena = folder->arena},
                        .partition = {.context = folder->context,
                                      .arena = folder->arena,
                                      .member_count = class->members.count}};
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct open_edge *member = class->members.items[k]->open;
        run->has_unknowns |= member->unknowns.count > 0;
        if (!run->chosen && open_edge_has_chosen(member)) run->chosen = member;
        if (k && member == class->members.items[k - 1]->open) continue;
        joint_add(&run->joint, member);
        partition_add(&run->partition, member);
    }
    if (!has_joint(found, &run->joint)) {
        arena_reset(&found->arena);
        found->joint = run->joint;
        found->joint.arena = &found->arena;
        found->count = joint_start(&found->joint, folder->context, class->members.items[0]->open,
                                   FOLD_MAX_JOINT);
    }
    run->joint = found->joint;
    run->count = found->count;
    run->is_too_long =
        run->count > FOLD_MAX_JOINT || run->count * class->members.count > FOLD_MAX_COMPARISONS;
}

static bool is_exact(const struct class *class, struct run *run) {
    struct arena scratch;
    bool ok;
    arena_init(&scratch);
    joint_restart(&run->joint);
    do {
        const struct partition_block *block = run->partition.ghost_values.count
                                                  ? partition_block(&run->partition, &run->joint)
                                                  : NULL;
        arena_reset(&scratch);
        ok = is_exact_here(&scratch, class, &run->joint, block);
    } while (ok && joint_next(&run->joint));
    arena_close(&scratch);
    return ok && !run->partition.gave_up;
}

/* Whether must and may agree on a class; says so if not. */
static bool check_exact(struct folder *folder, const struct class *class, struct run *run) {
    const struct open_edge *open = class->members.items[0]->open;
    if (expr_is_false(class->may)) return true;
    if (run->chosen) {
        fold_add_reason(folder, "%s: a value of '%s' is chosen freely",
                        fold_edge_name(folder, run->chosen),
                        run->chosen->unknowns.items[0]->removal->symbol->name);
        return false;
    }
    if (!run->has_unknowns) return true;
    if (run->is_too_long) {
        fold_add_reason(folder, "%s: too many combinations of removed values to compare",
                        fold_edge_name(folder, open));
        return false;
    }
    if (!run->count || is_exact(class, run)) return true;
    fold_add_reason(folder, "%s: whether it is enabled, or what it does, depends on '%s'",
                    fold_edge_name(folder, open), run->joint.list.items[0]->removal->symbol->name);
    return false;
}

/* The two folds (DESIGN section 4). */

enum fate { FATE_NONE, FATE_OPEN, FATE_DISABLED /* for some tuple */ };

/* Room for what becomes of the tuples of each combination of access classes. */
static void prepare_fates(struct run *run, struct arena *arena) {
    run->fate_count = 1;
    for (uint32_t i = 0; i < run->joint.list.count; i++)
        if (run->joint.list.items[i]->access && run->fate_count <= FOLD_MAX_JOINT)
            run->fate_count *= run->joint.list.items[i]->class_count;
    if (run->fate_count <= FOLD_MAX_JOINT)
        run->fates = ARENA_ARRAY(arena, unsigned char, run->fate_count);
}

static void note_fate(struct run *run, bool is_disabled) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < run->joint.list.count && run->fates; i++)
        if (run->joint.list.items[i]->access)
            number = number * run->joint.list.items[i]->class_count + run->joint.class_of[i];
    if (run->fates && run->fates[number] != FATE_DISABLED)
        run->fates[number] = is_disabled ? FATE_DISABLED : FATE_OPEN;
}

/* Whether the guard is false, though no single clause is: wherever indices are, some tuple is
 * disabled. */
static bool is_disabled_everywhere(const struct run *run) {
    for (uint64_t i = 0; run->fates && i < run->fate_count; i++)
        if (run->fates[i] == FATE_OPEN) return false;
    return run->fates != NULL;
}

/* What has to hold for the current tuple: that some member is enabled, unless an index is not
 * where the tuple has it. */
static const struct expr *must_clause(struct arena *arena, const struct class *class,
                                      struct run *run) {
    const struct joint_values *joint = &run->joint;
    const struct expr *enabled = build_bool(arena, false), *here = NULL;
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct residual *member = class->members.items[k];
        if (matches(member, joint)) enabled = fold_or(arena, enabled, member->guard);
        if (k == 0 || member->open != class->members.items[k - 1]->open)
            here = build_and(arena, here, fold_access_conditions(joint, member->open, arena));
    }
    note_fate(run, expr_is_false(enabled));
    if (expr_is_true(here)) return enabled;
    return fold_or(arena, build_not(arena, here), enabled);
}

static void add_tuple(struct folder *folder, const struct class *class, struct run *run) {
    struct arena *arena = folder->arena;
    struct partition_block *block = partition_block(&run->partition, &run->joint);
    for (uint32_t k = 0; k < class->members.count; k++) {
        if (block->is_member[k] || !matches(class->members.items[k], &run->joint)) continue;
        block->is_member[k] = true;
        block->may = fold_or(arena, block->may, class->members.items[k]->guard);
    }
    if (folder->context->rules->is_universal &&
        !(block->clauses.expr && expr_is_false(block->clauses.expr)))
        chain_add(&block->clauses, must_clause(arena, class, run));
}

static void add_tuples(struct folder *folder, const struct class *class, struct run *run) {
    joint_restart(&run->joint);
    do add_tuple(folder, class, run);
    while (joint_next(&run->joint));
}

/* The may-fold where tuples are not gone through one by one: the disjunction over the members. */
static const struct expr *may_of_members(struct arena *arena, const struct class *class) {
    const struct expr *guard = build_bool(arena, false);
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct residual *member = class->members.items[k];
        guard = fold_or(arena, guard, build_and(arena, member->ghost_test, member->guard));
    }
    return guard;
}

static bool has_inexact_member(const struct class *class) {
    for (uint32_t k = 0; k < class->members.count; k++)
        if (class->members.items[k]->open->inexact.count) return true;
    return false;
}

/* U1: for every tuple some member is enabled (U4: a shared slot as the guard and as the update
 * finds it are columns of their own). What cannot be said is false. */
static const struct expr *must_guard(struct folder *folder, const struct class *class,
                                     struct run *run) {
    const struct expr *no = build_bool(folder->arena, false);
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct open_edge *member = class->members.items[k]->open;
        if (open_edge_has_chosen(member) || member->inexact.count) return no;
        if (open_edge_is_branch(member) && expr_has_unknown(member->guard)) return no; /* refused */
    }
    /* no tuple: the location is never reached */
    if (run->is_too_long || run->joint.is_empty) return no;
    if (run->partition.ghost_values.count) return partition_must(&run->partition);
    prepare_fates(run, folder->arena);
    add_tuples(folder, class, run);
    return is_disabled_everywhere(run) ? no : partition_must(&run->partition);
}

static void fold_class(struct folder *folder, struct class *class, struct found *found) {
    struct run run;
    if (interrupt_is_asked()) { /* nobody will use it: the coarsest there is */
        class->may = build_bool(folder->arena, true);
        class->guard = build_bool(folder->arena, !folder->context->rules->is_universal);
        return;
    }
    run_start(folder, class, found, &run);
    bool is_divided =
        run.partition.ghost_values.count && !run.is_too_long && !run.joint.is_empty && !run.chosen;
    if (is_divided) add_tuples(folder, class, &run);
    class->may = is_divided ? partition_may(&run.partition) : may_of_members(folder->arena, class);
    class->is_exact = !folder->context->rules->disclaimer && check_exact(folder, class, &run);
    class->guard = class->may;
    if (folder->context->rules->is_universal && (!class->is_exact || has_inexact_member(class)))
        class->guard = must_guard(folder, class, &run);
}

void fold_guards(struct folder *folder) {
    struct found found = {0};
    arena_init(&found.arena);
    for (uint32_t i = 0; i < folder->classes.count; i++)
        fold_class(folder, folder->classes.items[i], &found);
    arena_close(&found.arena);
}

const struct expr *fold_invariant(struct context *context, struct open_edge *open,
                                  struct fold *fold) {
    struct folder folder = {.context = context, .arena = context->arena, .fold = fold};
    const char *name = open->template->locations[open->location].name;
    for (uint32_t k = 0; k < open->inexact.count; k++)
        fold_add_reason(&folder, "%s: location %s: %s", open->template->symbol->name, name,
                        open->inexact.items[k]);
    if (context->rules->is_universal && open->inexact.count)
        return build_bool(context->arena, false);
    if (!open->unknowns.count) return open->guard;
    struct joint_values joint = {.arena = context->arena};
    joint_add(&joint, open);
    uint64_t count = joint_start(&joint, context, open, FOLD_MAX_TUPLES);
    bool is_must = context->rules->is_universal, is_same = true, is_scalar = false;
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        is_scalar |= type_strip(open->unknowns.items[i]->placeholder->type)->kind == TYPE_SCALAR;
    if (!count) return build_bool(context->arena, false); /* the location is never reached */
    if (count > FOLD_MAX_TUPLES || is_scalar) {
        fold_add_reason(&folder, "%s: location %s: the invariant is taken as %s",
                        open->template->symbol->name, name, is_must ? "false" : "true");
        return is_must ? build_bool(context->arena, false) : NULL;
    }
    struct partition partition = {.context = context, .arena = context->arena};
    partition_add(&partition, open);
    do {
        struct partition_block *block = partition_block(&partition, &joint);
        const struct expr *here = fold_access_conditions(&joint, open, context->arena);
        const struct expr *holds = fold_guard_here(&joint, open, context->arena);
        const struct expr *guard = build_and(context->arena, here, holds), *first = block->first;
        if (expr_is_true(guard)) guard = NULL;
        if (block->is_new) block->first = first = guard;
        block->is_new = false;
        is_same &= !first || !guard ? first == guard : expr_equal(first, guard);
        block->may = fold_or(context->arena, block->may, guard);
        if (!expr_is_true(here))
            guard = fold_or(context->arena, build_not(context->arena, here), holds);
        chain_add(&block->clauses, guard);
    } while (joint_next(&joint));
    if (!is_same || partition.gave_up)
        fold_add_reason(&folder, "%s: the invariant of %s depends on '%s'",
                        open->template->symbol->name, name,
                        open->unknowns.items[0]->removal->symbol->name);
    return is_must ? partition_must(&partition) : partition_may(&partition);
}
