/* First what carries over of a query by the kind of abstraction; then what is taken back, for what
 * its agents have lost or a process that was taken out did. */
#include "abstract/claim/guarantee.h"

#include "abstract/claim/favour.h"
#include "abstract/claim/fragment.h"
#include "abstract/claim/moves.h"
#include "abstract/claim/stuck.h"
#include "abstract/claim/taken_out.h"
#include "expr/find.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Whether runs end alike */

static struct carry refused(const char *reason, const char *help) {
    return (struct carry){.reason = reason, .help = help};
}

static bool say(struct carry *carry, const char *reason, const char *help) {
    assert(reason);
    carry->reason = reason;
    carry->help = help;
    return help == NULL;
}

static bool is_live(const struct explored *explored) {
    return explored->is_known && !explored->deadlocks && !explored->errors;
}

/* Whether the original has runtime errors: a step that fails is none, wherever its guard holds. */
static bool fails(const struct guarantees *guarantees, const struct abstraction *abstraction) {
    return guarantees->condition.state == CONDITION_BROKEN ||
           errors_known(abstraction->errors) == ERRORS_SOME;
}

/* L2 */
static bool shown_alike(const struct guarantees *guarantees, const struct abstraction *abstraction,
                        struct carry *carry) {
    const struct ends_alike *ends = &abstraction->ends;
    if (!ends->is_shown || (ends->may_fail && fails(guarantees, abstraction))) return false;
    carry->relies = ends->may_fail && guarantees->condition.state == CONDITION_OPEN;
    return say(carry,
               arena_printf(abstraction->arena, "%s, shown on %llu states of this model",
                            ends->stuck ? "the original is stuck only where this model is"
                                        : "the original is never stuck",
                            (unsigned long long)ends->states),
               NULL);
}

/* L3 */
static bool assume_live(const struct explored *explored, struct carry *carry) {
    carry->is_assumed = !(explored->is_known && explored->deadlocks);
    if (carry->is_assumed) return say(carry, "assumed: the original is never stuck", NULL);
    return say(carry, "the original is assumed to be never stuck, and exploring found that it is",
               "leave out --assume-live");
}

/* So that liveness carries over; sets reason and help. */
static bool runs_end_alike(const struct guarantees *guarantees,
                           const struct abstraction *abstraction, enum path_semantics semantics,
                           struct carry *carry) {
    bool is_must = abstraction->context.rules->is_universal, is_uppaal = semantics == PATH_UPPAAL;
    const struct explored *explored = is_must ? &guarantees->output : &guarantees->original;
    const char *reason;
    if (abstraction->is_exact) return say(carry, "the abstraction is exact", NULL);
    if (network_is_timed(abstraction->network)) /* T4 */
        return say(carry,
                   is_must ? "time may stop here where it goes on in the original"
                           : "time may stop in the original where it goes on here",
                   "remove less, so that the abstraction is exact");
    if (abstraction->stutters &&
        (abstraction->stutters_at_errors || !fails(guarantees, abstraction)))
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
    bool has_urgent = model_has_urgent_channel(abstraction->network->model); /* steps may fail */
    if (is_uppaal && stuck_states_are_idle(abstraction) &&
        (!has_urgent || !fails(guarantees, abstraction))) {
        carry->relies = has_urgent && guarantees->condition.state == CONDITION_OPEN;
        return say(carry, "time may pass for ever in the same states of both models", NULL);
    }
    if (!fails(guarantees, abstraction) && never_stuck(abstraction, is_must, is_uppaal, &reason)) {
        carry->relies = guarantees->condition.state == CONDITION_OPEN;
        return say(carry, reason, NULL);
    }
    if (shown_alike(guarantees, abstraction, carry)) return true;
    if (is_live(explored))
        return say(carry,
                   is_must ? "an exploration found no deadlock in this model"
                           : "an exploration found no deadlock in the original",
                   NULL);
    if (abstraction->assumes_live) return assume_live(explored, carry);
    if (abstraction->stutters)
        return say(carry, "a run of the original may end where a step of it fails",
                   "--stutter explores the original itself and does not use --checked: raise "
                   "--max-states");
    if (is_must)
        return say(carry, "this model may get stuck where the original goes on",
                   "a run that ends in a loop (`varabs check --trace`) carries over; a result of "
                   "`varabs check --full --json` for this model without deadlocks, given with "
                   "--checked, would do for all runs");
    carry->lacks_ends = true;
    return say(carry, "the original may get stuck where this model goes on",
               "--stutter adds the steps that are missing, or a result of `varabs check --full "
               "--json` for the original without deadlocks, given with --checked");
}

/* The table (X4): a may-abstraction has at least the states and runs of the
 * original, a must-abstraction at most those. So what holds of all carries over from more to fewer,
 * what holds of some from fewer to more, and the opposite verdicts the other way.
 *
 *           A[]         E<>         A<>, -->          E[]               A<>, -->, E[] of fair runs
 *   may     satisfied   violated    satisfied (ends)  violated (ends)   none
 *   must    violated    satisfied   violated (ends)   satisfied (ends)  none
 *   exact   both        both        both              both              none
 *
 * (ends): if runs end alike. Fairness does not carry over (rule R5.7): a step may be possible more
 * often in a may-abstraction, less often in a must-abstraction, and edges with different tags may
 * become one even in an exact one. So nothing here is about runs of --weak and --strong. */

/* Which of the two verdicts carries over if the abstraction is not exact. */
static bool carries_satisfied(const struct query *query, bool is_must) {
    enum query_family family = query_traits(query->quantifier)->family;
    assert(family == FAMILY_REACHABILITY || family == FAMILY_LIVENESS);
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

static bool is_beyond_state(const struct query *query) {
    bool does = expr_is_beyond_state(query->predicate);
    for (uint32_t i = 0; i < query->expr_count; i++) does |= expr_is_beyond_state(query->exprs[i]);
    return does;
}

/* Whether a query is among those that are dropped, from the given one on. */
static bool is_dropped(const struct abstraction *abstraction, const struct query *query,
                       uint32_t from) {
    uint32_t index = (uint32_t)(query - abstraction->network->model->queries);
    assert(index < abstraction->network->model->query_count);
    for (uint32_t i = from; i < abstraction->dropped_queries.count; i++)
        if (abstraction->dropped_queries.items[i] == index) return true;
    return false;
}

/* Under both semantics alike. */
static void set_both(struct guarantee *guarantee, bool satisfied, bool violated, const char *reason,
                     const char *help) {
    for (int i = 0; i < PATH_COUNT; i++)
        guarantee->carry[i] = (struct carry){
            .satisfied = satisfied, .violated = violated, .reason = reason, .help = help};
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

/* Operators in each other, and knowledge. What all runs have carries over from more runs to fewer,
 * what some run has from fewer to more. That is how knowledge goes, too: what holds in all states
 * that are the same to an agent does so in fewer of them (K-up). What an agent takes for possible
 * in a must-abstraction it does in the original, if it observes no less there (K-down). */

/* "" if nobody has lost anything. */
static const char *joined_names(struct arena *arena, const struct watcher_list *watchers) {
    struct buffer text = {0};
    for (uint32_t i = 0; i < watchers->list.count; i++) {
        const struct watcher *watcher = watchers->list.items[i];
        for (uint32_t k = 0; k < watcher->lost.count && k < 3; k++)
            buffer_printf(&text, "%s%s: %s observes it", text.size ? "; " : "",
                          watcher->lost.items[k], watcher->agent->name);
    }
    return text.size ? buffer_finish(&text, arena) : "";
}

static bool have_lost(const struct watcher_list *watchers) {
    for (uint32_t i = 0; i < watchers->list.count; i++)
        if (watchers->list.items[i]->lost.count) return true;
    return false;
}

/* Takes back verdicts that knowledge does not let carry over: an agent that observes less knows
 * less. */
static void restrict_to_known(struct carry *carry, const struct fragment *fragment,
                              const struct abstraction *abstraction,
                              const struct watcher_list *watchers) {
    bool is_must = abstraction->context.rules->is_universal && !abstraction->is_exact;
    bool has_lost = have_lost(watchers), is_full = abstraction->is_exact && !has_lost;
    struct carry before = *carry;
    if (is_must) {
        carry->satisfied &= !fragment->knows && (!fragment->doubts || !has_lost);
        carry->violated &= !fragment->doubts && (!fragment->knows || !has_lost);
    } else {
        carry->satisfied &= is_full || !fragment->doubts;
        carry->violated &= is_full || !fragment->knows;
    }
    assert(before.satisfied >= carry->satisfied && before.violated >= carry->violated);
    if (carry->satisfied || carry->violated || !(before.satisfied || before.violated)) return;
    if (has_lost) {
        carry->reason = is_must ? "an agent that observes less takes more for possible"
                                : "an agent that observes less may seem not to know";
        carry->help =
            arena_printf(abstraction->arena, "keep %s", joined_names(abstraction->arena, watchers));
    } else {
        carry->reason = is_must ? "there may be more states that agents take for possible"
                                : "what agents take for possible here may not be so";
        carry->help = "remove less, so that the abstraction is exact";
    }
}

/* X2: an exact abstraction shows what coalitions can do if players have the same moves and, where
 * they choose by what they observe, have lost nothing of it. */
static void restrict_to_played(struct carry *carry, const struct expr *formula,
                               const struct abstraction *abstraction) {
    struct arena *arena = abstraction->arena;
    struct watcher_list players = {0}, choosing = {0};
    observations_of(abstraction->observations, formula, ROLE_PLAYS, arena, &players);
    observations_of(abstraction->observations, formula, ROLE_CHOOSES, arena, &choosing);
    const char *lost = moves_lost(abstraction, &players);
    if (lost) {
        *carry = refused(lost, "ask what coalitions can do in the original");
    } else if (have_lost(&choosing)) {
        const char *help = arena_printf(arena, "keep %s", joined_names(arena, &choosing));
        *carry = refused("a player that observes less cannot choose by what it has lost", help);
    }
}

static void claim_agents(struct guarantee *guarantee, struct carry *carry,
                         const struct fragment *fragment, const struct abstraction *abstraction) {
    const struct observations *observations = abstraction->observations;
    const struct expr *formula = guarantee->query->predicate;
    struct watcher_list knowing = {0};
    assert(observations);
    if (observations->problem) {
        *carry = refused(observations->problem, "ask about agents in the original");
        return;
    }
    observations_of(observations, formula, ROLE_KNOWS | ROLE_CHOOSES, abstraction->arena,
                    &guarantee->watchers);
    observations_of(observations, formula, ROLE_KNOWS, abstraction->arena, &knowing);
    if (fragment->is_about_coalitions) restrict_to_played(carry, formula, abstraction);
    restrict_to_known(carry, fragment, abstraction, &knowing);
}

/* Sets the verdicts on a formula that carry over by how the runs of the two models are related. */
static void claim_runs(struct carry *carry, const struct guarantees *guarantees,
                       const struct fragment *fragment, const struct abstraction *abstraction) {
    bool is_must = abstraction->context.rules->is_universal, is_exact = abstraction->is_exact;
    if (is_exact)
        say(carry, "the abstraction is exact", NULL);
    else if (!fragment->needs_ends)
        say(carry,
            is_must ? "every reachable state of this model is in the original"
                    : "every reachable state of the original is here, too",
            NULL);
    else if (!runs_end_alike(guarantees, abstraction, PATH_KRIPKE, carry))
        return;
    carry->satisfied = is_exact || !(is_must ? fragment->has_all : fragment->has_some);
    carry->violated = is_exact || !(is_must ? fragment->has_some : fragment->has_all);
    if (carry->satisfied || carry->violated) return;
    say(carry, "it is about all runs and about some, and the abstraction is not exact", NULL);
}

static void set_formula(struct guarantee *guarantee, const struct guarantees *guarantees,
                        const struct abstraction *abstraction) {
    const struct expr *formula = guarantee->query->predicate;
    const struct fragment fragment = fragment_of(formula);
    struct carry carry = {.satisfied = false};
    bool is_about_agents = fragment.knows || fragment.doubts || fragment.is_about_coalitions;
    bool is_merged = is_about_agents && abstraction->request->ghosts.count;
    if (abstraction->explored && (fragment.is_about_coalitions || is_merged)) {
        set_both(guarantee, false, false,
                 is_merged ? "exploring compares what both models have, not what is merged"
                           : "exploring compares steps, not what players may choose",
                 "remove less, so that the abstraction is exact without exploring");
        return;
    }
    if (fragment.is_about_coalitions && !abstraction->is_exact) {
        set_both(guarantee, false, false,
                 "who can enforce what depends on moves, which may be gone or be others here",
                 "remove less, so that the abstraction is exact");
        return;
    }
    if (fragment.is_about_next || (!abstraction->is_exact && expr_has(formula, EXPR_DEADLOCK))) {
        set_both(guarantee, false, false,
                 fragment.is_about_next ? "steps that make no visible difference may be gone"
                                        : "deadlocks can vanish or appear",
                 NULL);
        return;
    }
    claim_runs(&carry, guarantees, &fragment, abstraction);
    if (is_about_agents) claim_agents(guarantee, &carry, &fragment, abstraction);
    for (int i = 0; i < PATH_COUNT; i++) guarantee->carry[i] = carry;
}

/* L2: `A[] not deadlock` of an abstraction that shows that the original is never stuck. */
static bool asks_for_no_deadlock(const struct query *query) {
    const struct expr *predicate = query->predicate;
    return query->quantifier == QUERY_ALWAYS && predicate && predicate->kind == EXPR_UNARY &&
           predicate->op == OP_NOT && predicate->child[0]->kind == EXPR_DEADLOCK;
}

static void set_never_stuck(struct guarantee *guarantee, const struct guarantees *guarantees,
                            const struct abstraction *abstraction) {
    struct carry carry = {.satisfied = false};
    carry.satisfied = shown_alike(guarantees, abstraction, &carry);
    for (int i = 0; i < PATH_COUNT; i++) guarantee->carry[i] = carry;
}

static void set_deadlocks(struct guarantee *guarantee, bool is_must) {
    set_both(guarantee, false, false,
             is_must ? "deadlocks can appear in a must-abstraction"
                     : "deadlocks can vanish in a may-abstraction",
             "remove less, so that the abstraction is exact");
    guarantee->carry[PATH_KRIPKE].lacks_ends = !is_must && asks_for_no_deadlock(guarantee->query);
}

/* What `varabs check` of a mixed abstraction can say (MX2, MX3, ST7). */

/* The agents that have a role and have lost something, as what to keep; NULL if there is none. */
static const char *what_was_lost(const struct abstraction *abstraction, const struct expr *formula,
                                 uint32_t roles) {
    struct watcher_list watchers = {0};
    observations_of(abstraction->observations, formula, roles, abstraction->arena, &watchers);
    const char *names = joined_names(abstraction->arena, &watchers);
    return *names ? arena_printf(abstraction->arena, "keep %s", names) : NULL;
}

static struct carry of_agents(const struct abstraction *abstraction, const struct expr *formula,
                              const struct fragment *fragment) {
    struct carry carry = {.satisfied = true, .violated = true};
    const char *lost = what_was_lost(abstraction, formula, ROLE_KNOWS);
    if (fragment->is_about_coalitions) {
        carry.reason = "what a coalition can do is shown by moves of it that are certain and all "
                       "that others may do, what it cannot by the reverse";
        carry.help = what_was_lost(abstraction, formula, ROLE_KNOWS | ROLE_CHOOSES);
    } else if (lost) {
        carry.reason =
            "what an agent knows is shown by all states, and nothing shows that it does not where "
            "it has lost something";
        carry.help = lost;
    } else {
        carry.reason = "what an agent knows is shown by all states, what it does not by those that "
                       "certain steps reach";
    }
    return carry;
}

static struct carry three_valued_carry(const struct abstraction *abstraction,
                                       const struct query *query) {
    enum query_family family = query_traits(query->quantifier)->family;
    const struct fragment fragment =
        family == FAMILY_FORMULA ? fragment_of(query->predicate) : (struct fragment){false};
    if (family == FAMILY_BOUNDS)
        return refused("bounds are not answered on a mixed model", "make a may-abstraction: --may");
    if (query_has(query, EXPR_DEADLOCK))
        return refused("deadlocks are not answered on a mixed model", "ask the original");
    if (fragment.knows || fragment.doubts || fragment.is_about_coalitions)
        return of_agents(abstraction, query->predicate, &fragment);
    return (struct carry){
        .satisfied = true,
        .violated = true,
        .reason = "what all runs do is shown by all steps, what some run does by those that "
                  "are certain"};
}

/* ST11 */
static void set_favoured(struct guarantee *guarantee, const struct abstraction *abstraction) {
    const struct observations *observations = abstraction->observations;
    struct carry carry = favoured_carry(abstraction, guarantee->query);
    if (guarantee->query->quantifier == QUERY_FORMULA)
        observations_of(observations, guarantee->query->predicate, ROLE_KNOWS | ROLE_CHOOSES,
                        abstraction->arena, &guarantee->watchers);
    for (int i = 0; i < PATH_COUNT; i++) guarantee->carry[i] = carry;
}

/* X9: that a process that was taken out steps is not seen. */
static const char *why_step_counts(const struct taken_out *taken_out, const struct query *query) {
    enum query_family family = query_traits(query->quantifier)->family;
    const struct fragment fragment =
        family == FAMILY_FORMULA ? fragment_of(query->predicate) : (struct fragment){false};
    bool needs_ends =
        family == FAMILY_LIVENESS || fragment.needs_ends || fragment.is_about_coalitions;
    if (taken_out->has_steps && query_has(query, EXPR_DEADLOCK))
        return "a process that was taken out may have a step where this model is stuck";
    if (taken_out->has_steps && fragment.is_about_next)
        return "the next step may be one of a process that was taken out";
    if (taken_out->may_diverge && needs_ends)
        return "a process that was taken out may step for ever, and nobody else then";
    return NULL;
}

static void restrict_to_seen(struct guarantee *guarantee, const struct taken_out *taken_out) {
    const char *why = taken_out ? why_step_counts(taken_out, guarantee->query) : NULL;
    if (!why) return;
    set_both(guarantee, false, false, why, "leave that process in");
    guarantee->three_valued = guarantee->carry[PATH_KRIPKE];
    guarantee->bound = BOUND_NONE;
}

/* Uppaal may answer what is not supported here. */
static const char *why_not_read(const struct query *query) {
    bool is_legal = query->problem && query->problem_status == STATUS_UNSUPPORTED;
    return is_legal ? query->problem : "the query cannot be read";
}

static void fill(struct guarantee *guarantee, const struct guarantees *guarantees,
                 const struct abstraction *abstraction) {
    const struct query *query = guarantee->query;
    enum query_family family = query_traits(query->quantifier)->family;
    bool is_must = abstraction->context.rules->is_universal;
    uint32_t first_exchanged = abstraction->dropped_queries.count - abstraction->exchanged_count;
    if (family == FAMILY_NONE)
        set_both(guarantee, false, false, why_not_read(query), NULL);
    else if (is_dropped(abstraction, query, first_exchanged))
        set_both(guarantee, false, false, "it names a variable whose values are exchanged",
                 "ask it, too, with --query");
    else if (is_dropped(abstraction, query, 0))
        set_both(guarantee, false, false, "it names a removed variable",
                 "keep what the query names");
    else if (abstraction->lower)
        set_both(guarantee, false, false, "the lower construction guarantees nothing",
                 "`varabs certify --must` may show that it is a must-abstraction");
    else if (abstraction->may_fail && guarantees->condition.state == CONDITION_BROKEN)
        set_both(guarantee, false, false,
                 "it relies on the original having no runtime errors, and it has some",
                 "let the original be explored here, too, by a higher --max-states");
    else if (abstraction_keeps_persistent(abstraction))
        set_both(guarantee, false, false,
                 "a meta variable that is read before a step writes it may have other values in "
                 "the original",
                 "remove that variable, too");
    else if (favours_some(abstraction))
        set_favoured(guarantee, abstraction);
    else if (family == FAMILY_FORMULA && network_is_timed(abstraction->network))
        set_both(guarantee, false, false,
                 "operators in each other and knowledge are for models without clocks", NULL);
    else if (family == FAMILY_FORMULA)
        set_formula(guarantee, guarantees, abstraction);
    else if (abstraction->is_exact)
        set_both(guarantee, true, true, "the abstraction is exact", NULL);
    else if (abstraction->ends.is_shown && !abstraction->ends.stuck && asks_for_no_deadlock(query))
        set_never_stuck(guarantee, guarantees, abstraction);
    else if (is_beyond_state(query))
        set_deadlocks(guarantee, is_must);
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
    guarantee->is_mixed = abstraction->context.rules->is_mixed && !abstraction->favours;
    bool is_refused = family == FAMILY_NONE || is_dropped(abstraction, query, 0) ||
                      (abstraction->may_fail && guarantees->condition.state == CONDITION_BROKEN) ||
                      abstraction_keeps_persistent(abstraction);
    if (guarantee->is_mixed)
        guarantee->three_valued =
            !is_refused ? three_valued_carry(abstraction, query) : guarantee->carry[PATH_KRIPKE];
    if (family != FAMILY_NONE) restrict_to_seen(guarantee, abstraction->taken_out);
}

/* The first update that may fail as it stands, or NULL. */
static const char *first_failure(const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            for (uint32_t k = 0; k < edge->updates.count; k++)
                if (expr_can_fault(edge->updates.items[k]))
                    return failure_text(abstraction->arena, model->templates[t], edge,
                                        edge->updates.items[k]);
        }
    return NULL;
}

void guarantees_make(struct guarantees *guarantees, const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    const struct explored *original = &guarantees->original;
    assert(!guarantees->list.count);
    if (guarantees->condition.state == CONDITION_OPEN && original->is_known)
        guarantees->condition.state = original->errors ? CONDITION_BROKEN : CONDITION_MET;
    for (uint32_t i = 0; i < model->query_count; i++) {
        struct guarantee guarantee = {.query = &model->queries[i]};
        if (guarantee.query->quantifier == QUERY_EMPTY) continue;
        fill(&guarantee, guarantees, abstraction);
        assert(guarantee.bound == BOUND_NONE ||
               query_traits(guarantee.query->quantifier)->family == FAMILY_BOUNDS);
        assert(!guarantee.is_mixed || guarantee.three_valued.reason);
        for (int path = 0; path < PATH_COUNT; path++)
            assert(guarantee.carry[path].reason); /* every claim says why, and every refusal */
        for (int path = 0; path < PATH_COUNT && !guarantees->relies_on; path++)
            if (guarantee.carry[path].relies) guarantees->relies_on = first_failure(abstraction);
        VEC_PUSH(abstraction->arena, &guarantees->list, guarantee);
    }
}
