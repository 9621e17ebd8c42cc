/* See guarantee.h. */
#include "abstract/claim/guarantee.h"

#include "abstract/claim/stuck.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Whether runs end alike */

static bool say(struct carry *carry, const char *reason, const char *help) {
    carry->reason = reason;
    carry->help = help;
    return help == NULL;
}

static bool is_live(const struct explored *explored) {
    return explored->is_known && !explored->deadlocks && !explored->errors;
}

/* So that liveness carries over; sets reason and help. */
static bool runs_end_alike(const struct guarantees *guarantees,
                           const struct abstraction *abstraction, enum path_semantics semantics,
                           struct carry *carry) {
    bool is_must = abstraction->context.rules->is_universal, is_uppaal = semantics == PATH_UPPAAL;
    const struct explored *explored = is_must ? &guarantees->output : &guarantees->original;
    const char *reason;
    if (abstraction->is_exact) return say(carry, "the abstraction is exact", NULL);
    if (abstraction->stutters)
        return say(carry, "this model may stay wherever a run of the original may end", NULL);
    if (is_uppaal && changes_urgency(abstraction))
        return is_must
                   ? say(carry,
                         "time may pass for ever here where the original has a step on an urgent "
                         "channel",
                         "a run that ends in a loop (`varabs check --trace`) carries over")
                   : say(carry,
                         "time may pass for ever in the original where this model has a step on an "
                         "urgent channel",
                         "--stutter adds the steps that are missing");
    if (is_uppaal && stuck_states_are_idle(abstraction))
        return say(carry, "time may pass for ever in the same states of both models", NULL);
    if (never_stuck(abstraction, is_must, is_uppaal, &reason)) return say(carry, reason, NULL);
    if (is_live(explored))
        return say(carry,
                   is_must ? "an exploration found no deadlock in this model"
                           : "an exploration found no deadlock in the original",
                   NULL);
    if (is_must)
        return say(carry, "this model may get stuck where the original goes on",
                   "a run that ends in a loop (`varabs check --trace`) carries over; a result of "
                   "`varabs check --full --json` for this model without deadlocks, given with "
                   "--checked, would do for all runs");
    return say(carry, "the original may get stuck where this model goes on",
               "--stutter adds the steps that are missing, or a result of `varabs check --full "
               "--json` for the original without deadlocks, given with --checked");
}

/* The table (DESIGN.md section 6): a may-abstraction has at least the states and runs of the
 * original, a must-abstraction at most those. So what holds of all carries over from more to fewer,
 * what holds of some from fewer to more, and the opposite verdicts the other way. */

/* Which of the two verdicts carries over if the abstraction is not exact. */
static bool carries_satisfied(const struct query *query, bool is_must) {
    return query_traits(query->quantifier)->is_universal != is_must;
}

/* Values in more states are the same and perhaps others. */
static enum bound bound_of(const struct query *query, bool is_must) {
    const struct query_traits *traits = query_traits(query->quantifier);
    assert(traits->wants_lower || traits->wants_upper);
    if (traits->wants_lower && traits->wants_upper)
        return is_must ? BOUND_ENCLOSED : BOUND_ENCLOSES;
    return traits->wants_upper != is_must ? BOUND_UPPER : BOUND_LOWER;
}

static bool looks_further(const struct query *query) {
    bool does = expr_looks_further(query->predicate);
    for (uint32_t i = 0; i < query->expr_count; i++) does |= expr_looks_further(query->exprs[i]);
    return does;
}

static bool is_deadlock(const void *context, const struct expr *expr) {
    (void)context;
    return expr->kind == EXPR_DEADLOCK;
}

static bool is_dropped(const struct abstraction *abstraction, const struct query *query) {
    uint32_t index = (uint32_t)(query - abstraction->network->model->queries);
    assert(index < abstraction->network->model->query_count);
    for (uint32_t i = 0; i < abstraction->dropped_queries.count; i++)
        if (abstraction->dropped_queries.items[i] == index) return true;
    return false;
}

/* Under both semantics alike. */
static void set_both(struct guarantee *guarantee, bool satisfied, bool violated, const char *reason,
                     const char *help) {
    for (int i = 0; i < PATH_COUNT; i++)
        guarantee->carry[i] = (struct carry){satisfied, violated, reason, help};
}

static void set_liveness(struct guarantee *guarantee, const struct guarantees *guarantees,
                         const struct abstraction *abstraction) {
    bool is_satisfied =
        carries_satisfied(guarantee->query, abstraction->context.rules->is_universal);
    for (int i = 0; i < PATH_COUNT; i++) {
        struct carry *carry = &guarantee->carry[i];
        bool is_alike = runs_end_alike(guarantees, abstraction, (enum path_semantics)i, carry);
        carry->satisfied = is_alike && (is_satisfied || abstraction->is_exact);
        carry->violated = is_alike && (!is_satisfied || abstraction->is_exact);
    }
}

static void set_bounds(struct guarantee *guarantee, bool is_must) {
    guarantee->bound = bound_of(guarantee->query, is_must);
    set_both(guarantee, false, false,
             is_must ? "the original has these values and perhaps more"
                     : "the values here enclose those of the original",
             NULL);
}

static void set_reachability(struct guarantee *guarantee, bool is_must) {
    bool is_universal = query_traits(guarantee->query->quantifier)->is_universal;
    bool is_satisfied = carries_satisfied(guarantee->query, is_must);
    const char *help = is_must ? "a may-abstraction can show the opposite verdict"
                               : "`varabs check --concretize` says whether a run of this model is "
                                 "one of the original";
    static const char *const reasons[2][2] = {
        /* by is_must, is_universal */
        {"what is not reachable here is not in the original",
         "every reachable state of the original is here, too"},
        {"what is reachable here is in the original, too",
         "every reachable state of this model is in the original"}};
    set_both(guarantee, is_satisfied, !is_satisfied, reasons[is_must][is_universal], help);
}

/* Operators in each other. What all runs have carries over from more runs to fewer, what some run
 * has from fewer to more. Of knowledge nothing is claimed: agents observe this model, in which what
 * they observed may be gone, or be another thing. Nor of AX and EX: a step may be gone that makes
 * no visible difference. */
struct fragment {
    bool is_about_next, is_about_knowledge;
    bool has_all, has_some; /* runs, with an even number of negations around */
};

static void find_fragment(struct fragment *fragment, const struct expr *expr, bool is_negated) {
    if (!expr || !expr_is_modal(expr)) return;
    bool is_all =
        expr->op == OP_AG || expr->op == OP_AF || (expr->op >= OP_AU && expr->op <= OP_AR);
    fragment->is_about_knowledge |= expr->kind == EXPR_KNOW;
    fragment->is_about_next |= expr->op == OP_AX || expr->op == OP_EX;
    if (expr->kind == EXPR_PATH || expr->kind == EXPR_UNTIL)
        *(is_all != is_negated ? &fragment->has_all : &fragment->has_some) = true;
    for (int i = 0; i < 2; i++) {
        bool turns = expr->op == OP_NOT || (expr->op == OP_IMPLY && !i);
        find_fragment(fragment, expr->child[i], is_negated != turns);
    }
}

static void set_formula(struct guarantee *guarantee, const struct guarantees *guarantees,
                        const struct abstraction *abstraction) {
    struct fragment fragment = {.has_all = false};
    bool is_must = abstraction->context.rules->is_universal, is_exact = abstraction->is_exact;
    struct carry carry = {.satisfied = false};
    find_fragment(&fragment, guarantee->query->predicate, false);
    if (fragment.is_about_knowledge) {
        set_both(guarantee, false, false,
                 "what agents observe may be gone, or be another thing here",
                 "ask for knowledge in the original");
        return;
    }
    if (fragment.is_about_next ||
        (!is_exact && expr_any(guarantee->query->predicate, is_deadlock, NULL))) {
        set_both(guarantee, false, false,
                 fragment.is_about_next ? "steps that make no visible difference may be gone"
                                        : "deadlocks can vanish or appear",
                 NULL);
        return;
    }
    if (runs_end_alike(guarantees, abstraction, PATH_KRIPKE, &carry)) {
        carry.satisfied = is_exact || !(is_must ? fragment.has_all : fragment.has_some);
        carry.violated = is_exact || !(is_must ? fragment.has_some : fragment.has_all);
        if (!carry.satisfied && !carry.violated) {
            carry.reason = "it is about all runs and about some, and the abstraction is not exact";
            carry.help = NULL;
        }
    }
    for (int i = 0; i < PATH_COUNT; i++) guarantee->carry[i] = carry;
}

static void fill(struct guarantee *guarantee, const struct guarantees *guarantees,
                 const struct abstraction *abstraction) {
    const struct query *query = guarantee->query;
    enum query_family family = query_traits(query->quantifier)->family;
    bool is_must = abstraction->context.rules->is_universal;
    if (family == FAMILY_NONE)
        set_both(guarantee, false, false, "the query cannot be read", NULL);
    else if (is_dropped(abstraction, query))
        set_both(guarantee, false, false, "it names a removed variable",
                 "keep what the query names");
    else if (abstraction->lower)
        set_both(guarantee, false, false, "the lower construction guarantees nothing",
                 "`varabs certify --must` may show that it is a must-abstraction");
    else if (family == FAMILY_FORMULA)
        set_formula(guarantee, guarantees, abstraction);
    else if (abstraction->is_exact)
        set_both(guarantee, true, true, "the abstraction is exact", NULL);
    else if (looks_further(query))
        set_both(guarantee, false, false,
                 is_must ? "deadlocks can appear in a must-abstraction"
                         : "deadlocks can vanish in a may-abstraction",
                 "remove less, so that the abstraction is exact");
    else if (family == FAMILY_BOUNDS)
        set_bounds(guarantee, is_must);
    else if (family == FAMILY_REACHABILITY)
        set_reachability(guarantee, is_must);
    else if (family == FAMILY_LIVENESS)
        set_liveness(guarantee, guarantees, abstraction);
    else
        set_both(guarantee, false, false, "nothing is claimed of this form of query", NULL);
    if (family == FAMILY_BOUNDS && guarantee->carry[PATH_KRIPKE].satisfied)
        guarantee->bound = BOUND_EXACT;
}

void guarantees_make(struct guarantees *guarantees, const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    assert(!guarantees->list.count);
    for (uint32_t i = 0; i < model->query_count; i++) {
        struct guarantee guarantee = {.query = &model->queries[i]};
        if (guarantee.query->quantifier == QUERY_EMPTY) continue;
        fill(&guarantee, guarantees, abstraction);
        for (int path = 0; path < PATH_COUNT; path++)
            assert(guarantee.carry[path].reason); /* every claim says why, and every refusal */
        VEC_PUSH(abstraction->arena, &guarantees->list, guarantee);
    }
}
