/* What abstractions say of queries. */
#include "refine/loop_internal.h"

#include "base/clock.h"

#include <assert.h>
#include <string.h>

static struct refine_side side_of(const struct rounds *rounds, const struct attempt *attempt) {
    return (struct refine_side){
        .is_tried = true,
        .is_made = attempt->is_made,
        .is_exact = attempt->is_exact,
        .is_wide = attempt->is_wide,
        .is_normal = attempt->normal.points.count > 0,
        .carries = attempt->carries,
        .verdict = attempt->verdict,
        .states = attempt->states,
        .limit = attempt->limit,
        .reason = attempt->reason ? arena_printf(rounds->arena, "%s", attempt->reason) : NULL};
}

static void take_bounds(const struct rounds *rounds, struct refinement *own,
                        const struct answer *answer) {
    uint32_t count = own->query->expr_count;
    if (!answer || !answer->bounds) return;
    own->result->bounds = ARENA_ARRAY(rounds->arena, struct bounds_of, count + 1);
    memcpy(own->result->bounds, answer->bounds, count * sizeof *answer->bounds);
}

/* May and must enclose the values of the original from both sides. */
static bool has_same_bounds(const struct attempt *may, const struct attempt *must,
                            const struct query *query) {
    const struct query_traits *traits = query_traits(query->quantifier);
    if (!is_bounds(query) || !may->bounds || !must->bounds || may->verdict != VERDICT_SATISFIED ||
        must->verdict != VERDICT_SATISFIED)
        return false;
    for (uint32_t i = 0; i < query->expr_count; i++) {
        const struct bounds_of *a = &may->answer->bounds[i], *b = &must->answer->bounds[i];
        bool is_lower_same = !traits->wants_lower || a->lower == b->lower;
        bool is_upper_same = !traits->wants_upper || a->upper == b->upper;
        if (!a->is_found || !b->is_found || !is_lower_same || !is_upper_same) return false;
    }
    return true;
}

void conclude(struct refinement *own, enum refine_way way, enum verdict verdict,
              const char *reason) {
    assert(way != BY_NOTHING && verdict != VERDICT_UNKNOWN);
    assert(own->result->way == BY_NOTHING && reason && !own->is_done);
    own->result->way = way;
    own->result->verdict = verdict;
    own->result->reason = reason;
    own->is_done = true;
}

void judge_may(const struct rounds *rounds, struct refinement *own, const struct attempt *may) {
    own->round.may = side_of(rounds, may);
    if (!may->carries) return;
    take_bounds(rounds, own, may->answer);
    conclude(own, BY_MAY, may->verdict, own->round.may.reason);
}

void judge_must(const struct rounds *rounds, struct refinement *own, const struct attempt *may,
                const struct attempt *must) {
    own->round.must = side_of(rounds, must);
    if (must->carries)
        conclude(own, BY_MUST, must->verdict, own->round.must.reason);
    else if (has_same_bounds(may, must, own->query))
        conclude(own, BY_BOTH, VERDICT_SATISFIED, "may and must agree");
    if (own->is_done) take_bounds(rounds, own, must->answer);
}

/* ---- strategies ---- */

/* Plays the strategy of a mixed abstraction in the original (ST10). */
static void play(const struct rounds *rounds, const struct refinement *own,
                 const struct attempt *mixed, struct plan_played *played) {
    const struct strategy_plan *plan = mixed->answer->known->plan;
    struct arena *arena = rounds->arena;
    double left = REFINE_PLAYED_MS / 1000.0 - rounds->played_seconds;
    *played = (struct plan_played){.limit = LIMIT_TIME};
    if (left <= 0) return;
    struct visible visible;
    struct diag diag; /* whose messages are not of interest */
    struct concretize_options limits = {.max_states = REFINE_PLAYED_STATES,
                                        .max_size = rounds->options->verify.search.max_size,
                                        .max_seconds = left,
                                        .diag = &diag};
    uint32_t count;
    const char **names = removal_candidates_ignored(&own->candidates, arena, &count);
    diag_init(&diag, arena, &own->network->model->document->source);
    const char *problem =
        visible_init_in_order(&visible, arena, own->network, mixed->session->network, names, count);
    *played = (struct plan_played){.reason = problem};
    if (!problem)
        play_plan(played, plan, mixed->search, &visible, own->network->model->queries, &limits,
                  arena);
    assert(played->outcome != PLAN_FAILS); /* else the verdict is wrong */
}

static void play_strategy(struct rounds *rounds, const struct refinement *own,
                          const struct attempt *mixed) {
    const struct refine_watch *watch = &rounds->options->watch;
    struct plan_played played;
    if (!mixed->answer || !mixed->answer->known || !mixed->answer->known->plan) return;
    double start = clock_seconds();
    play(rounds, own, mixed, &played);
    rounds->played_seconds += clock_seconds() - start;
    const struct refine_strategy strategy = {mixed, &played};
    if (watch->show_strategy) watch->show_strategy(watch->context, own->number, &strategy);
}

/* ---- formulas ---- */

void judge_formula(struct rounds *rounds, struct refinement *own, const struct attempt *attempt) {
    bool is_mixed = own->round.removals.count > 0;
    struct refine_side *side = is_mixed ? &own->round.mixed : &own->round.may;
    *side = side_of(rounds, attempt);
    side->is_original = !is_mixed && !own->is_left_alone;
    if (own->is_left_alone)
        own->round.mixed = (struct refine_side){
            .is_tried = true,
            .reason = "something in the original may fail, which mixed abstractions do not follow"};
    if (!attempt->carries) return;
    conclude(own, is_mixed ? BY_MIXED : BY_MAY, attempt->verdict, side->reason);
    if (is_mixed) play_strategy(rounds, own, attempt);
}
