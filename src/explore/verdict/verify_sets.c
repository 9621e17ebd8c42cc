/* Where what is asked holds, among all states. */
#include "explore/verdict/verify_sets_internal.h"

#include "explore/symbolic/may_idle_sets.h"
#include "explore/symbolic/runs.h"

#include <assert.h>

static bool find_predicate(struct sets *sets, const struct watch *watch,
                           struct set_finding *finding) {
    struct verdicts verdicts;
    if (!decide(&sets->decider, &watch->unit, sets->reach->states, false, &verdicts)) return false;
    finding->found.set = sets_hold(sets, verdicts.holds);
    finding->failed.set = sets_hold(sets, verdicts.fails);
    return true;
}

static bool find_bounds(struct sets *sets, const struct unit *value, struct set_finding *finding,
                        struct bounds_of *bounds) {
    struct verdicts verdicts;
    if (!decide(&sets->decider, value, finding->found.set, true, &verdicts)) return false;
    finding->failed.set =
        sets_hold(sets, set_union(&sets->reach->ldd, finding->failed.set, verdicts.fails));
    assert(!verdicts.extremes.is_found || verdicts.extremes.lower <= verdicts.extremes.upper);
    *bounds = (struct bounds_of){verdicts.extremes.is_found, verdicts.extremes.lower,
                                 verdicts.extremes.upper};
    return true;
}

/* Liveness: a run that stays inside a predicate, from the initial state or from others */

static bool find_ends(struct sets *sets) {
    uint32_t idle = LDD_NONE;
    bool is_fine = sets->has_ends || sets->options->semantics != SEMANTICS_UPPAAL ||
                   may_idle_states(&sets->decider, &idle);
    if (!is_fine || sets->has_ends) return is_fine;
    sets->ends = sets_hold(sets, set_union(&sets->reach->ldd, sets->deadlocks, idle));
    sets->has_ends = true;
    return true;
}

static bool find_where(struct sets *sets, const struct watch *watch, struct verdicts *verdicts) {
    if (!decide(&sets->decider, &watch->unit, sets->reach->states, false, verdicts)) return false;
    sets_hold(sets, verdicts->holds);
    sets_hold(sets, verdicts->fails);
    return true;
}

/* Where a search for runs fails: it looks at its starts, and at all successors of what is inside
 * on the way. */
static uint32_t failing(struct sets *sets, const struct verdicts *from,
                        const struct verdicts *inside) {
    struct reach *reach = sets->reach;
    struct ldd *ldd = &reach->ldd;
    if (inside->fails == LDD_NONE) return from->fails;
    uint32_t begin = sets_hold(sets, set_intersect(ldd, from->holds, inside->holds));
    uint32_t onward = runs_onward(reach, begin, inside->holds);
    uint32_t met = set_union(ldd, from->holds, runs_successors(reach, onward));
    return set_union(ldd, from->fails, set_intersect(ldd, inside->fails, met));
}

static bool find_runs(struct sets *sets, const struct query *query, const struct watch *watches,
                      struct set_finding *finding) {
    struct reach *reach = sets->reach;
    struct ldd *ldd = &reach->ldd;
    bool has_starts = query->quantifier == QUERY_LEADS_TO;
    struct verdicts from = {.holds = reach->initial}, inside;
    assert(query_traits(query->quantifier)->family == FAMILY_LIVENESS);
    if (has_starts && !find_where(sets, &watches[0], &from)) return false;
    if (!find_where(sets, &watches[has_starts], &inside) || !find_ends(sets)) return false;
    uint32_t ends = sets_hold(sets, set_intersect(ldd, inside.holds, sets->ends));
    if (!runs_inside(reach, inside.holds, ends, &finding->runs)) return false;
    sets_hold(sets, finding->runs);
    finding->found.set = sets_hold(sets, set_intersect(ldd, from.holds, finding->runs));
    if (finding->found.set == LDD_NONE)
        finding->failed.set = sets_hold(sets, failing(sets, &from, &inside));
    return true;
}

static bool find_formula(struct sets *sets, struct set_formula *formula,
                         struct set_finding *finding) {
    finding->known = ARENA_NEW(sets->verification->arena, struct decided_formula);
    return set_formula_decide(formula, &sets->decider, finding->known, &finding->found.set);
}

const struct query *sets_find_all(struct sets *sets) {
    const struct verification *verification = sets->verification;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct query *query = verification->answers[i].query;
        enum query_family family = query_traits(query->quantifier)->family;
        if (family == FAMILY_NONE) continue;
        const struct watch *watch = &sets->plan->watches[sets->plan->first_watch[i]];
        struct set_finding *finding = &sets->findings[i];
        if (family == FAMILY_LIVENESS) {
            if (!find_runs(sets, query, watch, finding)) return query;
            continue;
        }
        if (family == FAMILY_FORMULA) {
            if (!find_formula(sets, sets->formulas[i], finding)) return query;
            continue;
        }
        if (family != FAMILY_REACHABILITY && family != FAMILY_BOUNDS) return query;
        if (!find_predicate(sets, watch, finding)) return query;
        finding->bounds = ARENA_ARRAY(verification->arena, struct bounds_of, watch->expr_count + 1);
        for (uint32_t k = 0; k < watch->expr_count; k++)
            if (!find_bounds(sets, &watch->values[k], finding, &finding->bounds[k])) return query;
    }
    return NULL;
}

/* Makes the code of formulas, and tells moves of coalitions from others. */
void sets_compile_formulas(struct sets *sets) {
    struct verification *verification = sets->verification;
    struct arena *arena = verification->arena;
    uint32_t count = verification->search->program->instances.count;
    uint32_t *told = ARENA_ARRAY(arena, uint32_t, count + 1);
    bool has_moves = false;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct query *query = verification->answers[i].query;
        if (query_traits(query->quantifier)->family != FAMILY_FORMULA) continue;
        sets->formulas[i] = set_formula_new(arena, verification->search, query->predicate);
        has_moves |= set_formula_tell(sets->formulas[i], told, count);
    }
    sets->told = has_moves ? told : NULL;
}
