/* Guards of classes and invariants: the two folds (F3, F4), and whether they agree (X1).
 */
#include "abstract/fold/guard.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/fold/joint.h"
#include "abstract/fold/meaning.h"
#include "abstract/fold/output.h"
#include "abstract/fold/partition.h"
#include "abstract/fold/timing_fold.h"
#include "base/interrupt.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

/* Whether a residual is the one of its edge for the current tuple, in which nothing is chosen. */
static bool matches(const struct residual *residual, const struct joint_values *joint) {
    for (uint32_t i = 0; i < residual->open->unknowns.count; i++) {
        const struct unknown *unknown = residual->open->unknowns.items[i];
        if (unknown->is_chosen) continue;
        uint32_t column = joint_find(joint, unknown);
        assert(column != NO_SLOT);
        if (residual->values[i] != joint->values[column]) return false;
        if (unknown->access && residual->class_of[i] != joint->class_of[column]) return false;
    }
    return true;
}

/* A run through the joint values of the unknowns of a class. */
struct class_run {
    struct partition partition;
    uint64_t count; /* of tuples */
    bool has_unknowns, is_too_long;
    bool is_through;    /* all of them were looked at */
    bool is_alike;      /* members are tuples of one edge, enabled alike; nothing is partitioned */
    bool is_everywhere; /* likewise: all tuples are members */
    const struct open_edge *chosen; /* a member's open edge with an unknown that is chosen */
};

/* The joint values that were found last: classes of one location often have the same unknowns. */
struct found {
    const struct open_edge *open; /* they are of this one alone, which takes values as they are */
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

/* Whether all members are residuals of one edge that takes values as they are. */
static bool is_of_plain_edge(const struct class *class) {
    const struct open_edge *open = class->members.items[0]->open;
    bool is_plain = !open->ghost_values.count && !open->folded.is_put_in;
    for (uint32_t i = 0; i < open->unknowns.count && is_plain; i++)
        is_plain = !open->unknowns.items[i]->access && !open->unknowns.items[i]->is_chosen;
    for (uint32_t k = 1; k < class->members.count && is_plain; k++)
        is_plain = class->members.items[k]->open == open;
    return is_plain;
}

static bool are_enabled_alike(const struct class *class) {
    const struct expr *guard = class->members.items[0]->guard;
    for (uint32_t k = 1; k < class->members.count; k++)
        if (class->members.items[k]->guard != guard) return false;
    return true;
}

/* The joint values of the unknowns of all members. */
static void find_joint(struct folder *folder, const struct class *class, struct found *found,
                       struct class_run *run) {
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct open_edge *member = class->members.items[k]->open;
        if (k && member == class->members.items[k - 1]->open) continue;
        run->has_unknowns |= member->unknowns.count > 0;
        if (!run->chosen && open_edge_has_chosen(member)) run->chosen = member;
        partition_include(&run->partition, member);
    }
    found->open = run->is_alike ? class->members.items[0]->open : NULL;
    if (has_joint(found, &run->partition.joint)) return;
    arena_reset(&found->arena);
    found->joint = run->partition.joint;
    found->joint.arena = &found->arena;
    found->count =
        joint_start(&found->joint, folder->context, class->members.items[0]->open, FOLD_MAX_JOINT);
}

static void run_start(struct folder *folder, const struct class *class, struct found *found,
                      struct class_run *run) {
    assert(class->members.count);
    const struct open_edge *first = class->members.items[0]->open;
    *run = (struct class_run){0};
    run->is_alike = is_of_plain_edge(class) && are_enabled_alike(class);
    partition_init(&run->partition, folder->context,
                   run->is_alike ? folder->scratch : folder->arena);
    if (run->is_alike && found->open == first)
        run->has_unknowns = first->unknowns.count > 0;
    else
        find_joint(folder, class, found, run);
    run->partition.joint = found->joint;
    run->count = found->count;
    run->is_everywhere = class->members.count == run->count;
    run->is_too_long =
        run->count > FOLD_MAX_JOINT || run->count * class->members.count > FOLD_MAX_COMPARISONS;
}

/* Where some member is enabled with the current tuple. */
static const struct expr *enabled_here(struct arena *arena, const struct class *class,
                                       const struct joint_values *joint) {
    const struct expr *enabled = build_bool(arena, false);
    for (uint32_t k = 0; k < class->members.count; k++)
        if (matches(class->members.items[k], joint))
            enabled = fold_or(arena, enabled, class->members.items[k]->guard);
    return enabled;
}

/* Adds what holds for the current tuple, NULL = true. */
static void say(struct folder *folder, const struct class *class, struct partition *partition,
                struct arena *scratch) {
    arena_reset(scratch);
    if (!partition_has_said(partition, enabled_here(scratch, class, &partition->joint)))
        partition_say(partition, enabled_here(folder->arena, class, &partition->joint));
}

enum { KNOWN_GUARDS = 8 };

/* Guards that add nothing to what has been said, until another one adds something. */
struct known_guards {
    const struct expr *guards[KNOWN_GUARDS];
    uint32_t count, next;
};

static bool is_known(const struct known_guards *known, const struct expr *guard) {
    for (uint32_t i = 0; i < known->count; i++)
        if (known->guards[i] == guard) return true;
    return false;
}

static void add_known(struct known_guards *known, const struct expr *guard) {
    if (known->count < KNOWN_GUARDS) known->next = known->count++;
    known->guards[known->next] = guard;
    known->next = (known->next + 1) % KNOWN_GUARDS;
}

/* Each member is a tuple, in the order of tuples; for the others the effect is not there, and one
 * of them stands for all. Members with values that make no difference share their guard. */
static void run_through_members(struct folder *folder, const struct class *class,
                                struct class_run *run, bool needs_all) {
    struct partition *partition = &run->partition;
    const struct expr *no = build_bool(folder->arena, false);
    struct known_guards known = {.count = 0};
    uint32_t count = class->members.count;
    assert(count && count <= run->count && !partition->sides.count);
    if (!matches(class->members.items[0], &partition->joint)) partition_say(partition, no);
    for (uint32_t k = 0; k < count && (needs_all || partition->is_same); k++) {
        const struct expr *own = class->members.items[k]->guard;
        if (is_known(&known, own)) continue;
        const struct expr *guard = fold_or(folder->arena, no, own);
        if (!partition_has_said(partition, guard) && partition_say(partition, guard))
            known.count = 0;
        else
            add_known(&known, own);
    }
    if (count < run->count && !partition_has_said(partition, no)) partition_say(partition, no);
}

/* Looks at the tuples, unless all are needed until the class is not exact. */
static void run_through(struct folder *folder, const struct class *class, struct class_run *run,
                        bool needs_all) {
    struct partition *partition = &run->partition;
    bool is_more = true;
    if (run->is_alike) {
        partition->is_same = run->is_everywhere || expr_is_false(class->members.items[0]->guard);
        run->is_through = needs_all || partition->is_same;
        return;
    }
    partition_begin(partition);
    if (is_of_plain_edge(class)) {
        run_through_members(folder, class, run, needs_all);
        run->is_through = needs_all || partition->is_same;
        return;
    }
    struct arena scratch;
    arena_init(&scratch);
    for (; is_more; is_more = joint_next(&partition->joint)) {
        say(folder, class, partition, &scratch);
        if (!needs_all && !partition->is_same) break;
    }
    run->is_through = !is_more;
    arena_close(&scratch);
}

/* Where the effect of the class is there for some tuple, and for every one; NULL = true. */
static const struct expr *run_may(const struct class *class, struct class_run *run) {
    assert(run->is_through);
    const struct expr *guard = class->members.items[0]->guard;
    if (run->is_alike) return expr_is_true(guard) ? NULL : guard;
    return partition_may(&run->partition);
}

static const struct expr *run_must(struct folder *folder, const struct class *class,
                                   struct class_run *run) {
    assert(run->is_through);
    if (!run->is_alike) return partition_must(&run->partition);
    return run->is_everywhere ? class->members.items[0]->guard : folder_no(folder);
}

static bool has_inexact_member(const struct class *class) {
    for (uint32_t k = 0; k < class->members.count; k++)
        if (class->members.items[k]->open->inexact.count) return true;
    return false;
}

/* Whether the must-guard and the may-guard have equal values in all states, though not equal text.
 */
static bool has_same_meaning(struct folder *folder, const struct class *class,
                             struct class_run *run) {
    enum { MOST_TUPLES = 256 };
    bool is_asked = folder->context->is_by_meaning || !folder->context->has_other_reasons;
    if (!is_asked || run->count > MOST_TUPLES || has_inexact_member(class)) return false;
    if (!run->is_through) run_through(folder, class, run, true);
    return !run->partition.gave_up &&
           conditions_are_same(folder->context, class->members.items[0]->open, run_may(class, run),
                               run_must(folder, class, run));
}

/* Whether must and may agree on a class; says so if not. */
static bool check_exact(struct folder *folder, const struct class *class, const struct expr *may,
                        struct class_run *run) {
    const struct open_edge *open = class->members.items[0]->open;
    assert(!folder->context->rules->disclaimer && open->edge);
    if (expr_is_false(may)) return true;
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
    if (!run->count || run->partition.is_same) return true;
    bool is_same = has_same_meaning(folder, class, run);
    bool had_others = folder->context->has_other_reasons;
    if (is_same && folder->context->is_by_meaning) return true;
    const struct symbol *symbol = run->partition.joint.list.items[0]->removal->symbol;
    if (folder->told != open || folder->told_symbol != symbol)
        fold_add_reason(folder, "%s: whether it is enabled, or what it does, depends on '%s'",
                        fold_edge_name(folder, open), symbol->name);
    folder->told = open;
    folder->told_symbol = symbol;
    folder->context->has_other_reasons = true;
    if (is_same) folder->context->has_other_reasons = had_others;
    return false;
}

/* The may-fold where tuples are not enumerated: the disjunction over the members. */
static const struct expr *may_of_members(struct folder *folder, const struct class *class) {
    struct arena *arena = folder->arena;
    const struct expr *guard = folder_no(folder);
    struct known_guards known = {.count = 0};
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct residual *member = class->members.items[k];
        if (!member->side && is_known(&known, member->guard)) continue;
        const struct expr *all =
            fold_or(arena, guard, build_and(arena, member->side, member->guard));
        bool is_new = !expr_equal(all, guard);
        guard = all;
        if (is_new) known.count = 0;
        if (!is_new && !member->side) add_known(&known, member->guard);
    }
    return guard;
}

/* U1: for every tuple some member is enabled (U4: a shared slot as the guard and as the update
 * finds it are columns of their own). What cannot be said is false. */
static const struct expr *must_guard(struct folder *folder, const struct class *class,
                                     struct class_run *run) {
    const struct expr *no = folder_no(folder);
    assert(folder->context->rules->is_universal || folder->context->rules->is_mixed);
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct open_edge *member = class->members.items[k]->open;
        if (member->inexact.count) return no;
        if (open_edge_is_branch(member) && expr_has_unknown(member->guard)) return no; /* refused */
    }
    return run->is_through ? run_must(folder, class, run) : no;
}

/* The conjuncts that are fixed in all members (open_edge.h). If members differ in them, they become
 * part of the guards, and the result is NULL. */
static const struct expr *take_fixed(struct arena *arena, const struct class *class) {
    assert(class->members.count > 0);
    const struct expr *fixed = class->members.items[0]->open->fixed;
    bool is_common = true;
    for (uint32_t k = 1; k < class->members.count; k++)
        is_common &= expr_equal(class->members.items[k]->open->fixed, fixed);
    for (uint32_t k = 0; k < class->members.count && !is_common; k++) {
        struct residual *member = class->members.items[k];
        member->guard = build_and(arena, member->guard, member->open->fixed);
    }
    return is_common ? fixed : NULL;
}

/* MX1: where the effect of a class is there for every tuple; false where an edge could not bear
 * such a guard. */
static const struct expr *certain_guard(struct folder *folder, const struct class *class,
                                        struct class_run *run) {
    const struct open_edge *open = class->members.items[0]->open;
    if (open->is_doubted || open_edge_is_branch(open)) return build_bool(folder->arena, false);
    return must_guard(folder, class, run);
}

static void fold_class(struct folder *folder, struct class *class, struct found *found) {
    const struct fold_rules *rules = folder->context->rules;
    struct class_run run;
    assert(!class->guard && !class->is_done);
    if (interrupt_is_asked()) { /* the result is not used: the coarsest there is */
        class->guard = build_bool(folder->arena, !rules->is_universal);
        return;
    }
    const struct expr *fixed = take_fixed(folder->arena, class);
    run_start(folder, class, found, &run);
    if (run.has_unknowns && !run.chosen && !run.is_too_long && run.count)
        run_through(folder, class, &run,
                    run.partition.sides.count || rules->is_universal || rules->is_mixed);
    const struct expr *may = run.is_through ? run_may(class, &run) : may_of_members(folder, class);
    class->is_exact = !rules->disclaimer && check_exact(folder, class, may, &run);
    class->guard = may;
    for (uint32_t k = 0; k < class->members.count && !class->is_exact; k++)
        class->members.items[k]->open->folded.differs = true;
    if (rules->is_universal && (!class->is_exact || has_inexact_member(class)))
        class->guard = must_guard(folder, class, &run);
    assert(!expr_is_true(class->guard) || !expr_is_false(may)); /* must has no more than may */
    class->guard = build_and(folder->arena, class->guard, fixed);
    if (!rules->is_mixed) return;
    assert(!fixed); /* nothing is kept here by stronger guards */
    class->is_certain =
        class->is_exact && !has_inexact_member(class) && !class->members.items[0]->open->is_doubted;
    class->certain = certain_guard(folder, class, &run);
}

/* Whether it depends on values that are chosen if a residual is enabled, or where. */
static bool asks_chosen(const struct residual *residual) {
    return (residual->guard && expr_has_unknown(residual->guard)) ||
           (residual->sync && expr_has_unknown(residual->sync)) || residual->passed ||
           (residual->side && expr_has_unknown(residual->side)) || residual->open->condition;
}

/* @sure: for every tuple some residual of the edge is enabled, on the same channel, and makes a
 * step whatever it does. */
static void find_sure(struct folder *folder, struct open_edge *open, struct found *found) {
    struct class all = {.guard = NULL};
    struct class_run run;
    bool is_settled = !open->is_doubted && !open->may_fail && open->has_free_effects;
    open->folded.sure = build_bool(folder->arena, false);
    for (uint32_t i = 0; i < folder->residuals.count; i++)
        if (folder->residuals.items[i]->open == open)
            VEC_PUSH(folder->arena, &all.members, folder->residuals.items[i]);
    for (uint32_t i = 0; i < all.members.count; i++)
        is_settled &= expr_equal(all.members.items[i]->sync, all.members.items[0]->sync) &&
                      !asks_chosen(all.members.items[i]);
    if (!is_settled || !all.members.count || !open->unknowns.count) return;
    run_start(folder, &all, found, &run);
    if (run.is_too_long || !run.count) return;
    run_through(folder, &all, &run, true);
    open->folded.sure = must_guard(folder, &all, &run);
}

const struct expr *fold_certain_guard(struct folder *folder, const struct class *class) {
    struct found found = {0};
    struct class_run run;
    const struct expr *certain = build_bool(folder->arena, false);
    for (uint32_t k = 0; k < class->members.count; k++) {
        const struct open_edge *open = class->members.items[k]->open;
        if (open->is_doubted || open_edge_is_branch(open)) return certain;
    }
    arena_init(&found.arena);
    run_start(folder, class, &found, &run);
    if (!run.chosen && !run.is_too_long && run.count) {
        run_through(folder, class, &run, true);
        certain = must_guard(folder, class, &run);
    }
    arena_close(&found.arena);
    return certain;
}

void fold_guards(struct folder *folder) {
    struct found found = {0};
    arena_init(&found.arena);
    for (uint32_t i = 0; i < folder->classes.count; i++)
        fold_class(folder, folder->classes.items[i], &found);
    for (uint32_t i = 0; i < folder->open_edge_count && folder->context->rules->is_mixed; i++)
        if (!interrupt_is_asked()) find_sure(folder, folder->open_edges[i], &found);
    arena_close(&found.arena);
}

void fold_guard_of(struct folder *folder, struct class *class) {
    struct found found = {0};
    arena_init(&found.arena);
    fold_class(folder, class, &found);
    arena_close(&found.arena);
}

static const struct expr *fold_evaluated(struct folder *folder, const struct open_edge *open) {
    struct context *context = folder->context;
    const char *name = open->template->locations[open->location].name;
    assert(open->location < open->template->location_count);
    if (context->rules->is_universal && open->inexact.count)
        return build_bool(context->arena, false);
    if (!open->unknowns.count) return open->guard;
    struct partition partition;
    partition_init(&partition, context, context->arena);
    partition_include(&partition, open);
    uint64_t count = joint_start(&partition.joint, context, open, FOLD_MAX_TUPLES);
    bool is_must = context->rules->is_universal;
    if (!count) return build_bool(context->arena, false); /* the location is never reached */
    if (count > FOLD_MAX_TUPLES || open_edge_has_scalar(open)) {
        fold_add_reason(folder, "%s: location %s: the invariant is taken as %s",
                        open->template->symbol->name, name, is_must ? "false" : "true");
        return is_must ? build_bool(context->arena, false) : NULL;
    }
    partition_begin(&partition);
    do partition_say(&partition, fold_guard_here(&partition.joint, open, context->arena));
    while (joint_next(&partition.joint));
    if (!partition.is_same)
        fold_add_reason(folder, "%s: the invariant of %s depends on '%s'",
                        open->template->symbol->name, name,
                        open->unknowns.items[0]->removal->symbol->name);
    return is_must ? partition_must(&partition) : partition_may(&partition);
}

struct folded_invariant fold_invariant(struct context *context, struct open_edge *open,
                                       struct fold *fold) {
    struct folder folder = {.context = context, .arena = context->arena, .fold = fold};
    assert(!open->edge && !open->items.count && !open_edge_has_chosen(open));
    for (uint32_t k = 0; k < open->inexact.count; k++)
        fold_add_reason(&folder, "%s: location %s: %s", open->template->symbol->name,
                        open->template->locations[open->location].name, open->inexact.items[k]);
    struct folded_invariant folded = {.evaluated = fold_evaluated(&folder, open)};
    bool differs = false;
    folded.passed = fold_timing(&folder, open, &differs);
    if (differs)
        fold_add_reason(&folder, "%s: how long a process stays in %s depends on '%s'",
                        open->template->symbol->name,
                        open->template->locations[open->location].name,
                        open->unknowns.items[0]->removal->symbol->name);
    return folded;
}
