/* Abstractions of a round: made, searched within their limits, and their runs followed. */
#include "refine/loop_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "suggest/candidate.h"

#include <assert.h>

/* Half of the time that is left, so that something remains for finer abstractions. What was made so
 * far, and the states of the original search, which has stopped, take memory meanwhile. */
struct verify_options limits_of(const struct rounds *rounds) {
    struct verify_options verify = rounds->options->verify;
    double left = rounds->deadline - clock_seconds();
    if (rounds->deadline > 0) verify.search.max_seconds = left > 0.02 ? left / 2 : 0.01;
    if (rounds->is_at_stop && verify.search.max_size) {
        size_t size = rounds->options->original_search->size;
        assert(size < verify.search.max_size); /* at most half of it, or there is no stop */
        verify.search.max_size -= size;
    }
    size_t most = memory_for_search();
    if (verify.search.max_size > most) verify.search.max_size = most;
    return verify;
}

const struct network *network_for(const struct rounds *rounds, struct query *queries,
                                  uint32_t count) {
    const struct model *model =
        model_with_queries(rounds->arena, rounds->network->model, queries, count);
    return network_with_model(rounds->arena, rounds->network, model);
}

bool is_bounded(const struct rounds *rounds) {
    uint64_t most = rounds->options->verify.search.max_states;
    return !most || most > rounds->state_budget;
}

/* Then the must-abstraction is not searched for more steps yet, which may take longer than
 * the original search takes to its next stop. */
static bool is_first_stop(const struct rounds *rounds) {
    return rounds->is_at_stop && !rounds->options->original_search->level;
}

void bound_states(const struct rounds *rounds, struct verify_options *verify) {
    if (!is_bounded(rounds)) return;
    verify->max_states_is_effort = !verify->search.max_states;
    verify->search.max_states = rounds->state_budget;
}

/* States that were searched are not left for other abstractions of this stop. */
static void count_states(struct rounds *rounds, const struct attempts *attempts) {
    uint64_t left = rounds->states_left, states = attempts->states;
    rounds->states_left = left > states ? left - states : 0;
}

void attempt_mode(struct rounds *rounds, struct attempts *attempts, const struct round_group *group,
                  enum mode mode) {
    bool is_must = mode == MODE_MUST;
    struct verify_options verify = limits_of(rounds);
    struct abstract_options options = *rounds->options->abstract;
    struct query *queries = ARENA_ARRAY(rounds->arena, struct query, group->list.count);
    for (uint32_t i = 0; i < group->list.count; i++) queries[i] = *group->list.items[i]->query;
    options.mode = mode;
    if (mode != MODE_MAY) options.drops_priorities = false;
    if (is_must) options.analysis = suggest_quick_options(&options).analysis; /* there are many */
    verify.wants_traces = mode == MODE_MAY && !is_formula(group->list.items[0]);
    options.searches_nothing = is_first_stop(rounds);
    verify.engine = ENGINE_AUTO;
    bound_states(rounds, &verify);
    attempts_make(attempts, network_for(rounds, queries, group->list.count),
                  &group->list.items[0]->round.removals, &options, &verify);
    count_states(rounds, attempts);
}

/* Whether the may-abstraction of each was cut short at the stop before, and would be again. */
static bool was_cut_short(const struct rounds *rounds, const struct round_group *group) {
    for (uint32_t i = 0; i < group->list.count; i++) {
        const struct refinement *own = group->list.items[i];
        if (own->cut_states < rounds->state_budget ||
            !removals_are_same(&own->cut, &own->round.removals))
            return false;
    }
    return rounds->is_at_stop;
}

void try_may(struct rounds *rounds, struct attempts *may, const struct round_group *group) {
    if (!was_cut_short(rounds, group)) {
        attempt_mode(rounds, may, group, MODE_MAY);
        for (uint32_t i = 0; i < group->list.count; i++)
            judge_may(rounds, group->list.items[i], &may->list[i]);
        return;
    }
    attempts_none(may, group->list.count);
    for (uint32_t i = 0; i < group->list.count; i++) {
        struct refinement *own = group->list.items[i];
        own->round.may = own->cut_may;
        may->list[i] = (struct attempt){.is_made = own->cut_may.is_made,
                                        .is_exact = own->cut_may.is_exact,
                                        .limit = own->cut_may.limit};
    }
}

bool needs_must(const struct refinement *own, const struct attempt *may) {
    return !own->is_done && may->is_made && !may->is_exact && !may->is_wide;
}

/* In a round that was cut short; bounds need both abstractions at once. */
static bool has_tried_must(const struct refinement *own) {
    return !is_bounds(own->query) && removals_are_same(&own->must_tried, &own->round.removals);
}

void try_must(struct rounds *rounds, const struct round_group *group, const struct attempts *may) {
    struct round_group own = {0};
    VEC(const struct attempt *) others = {0};
    for (uint32_t i = 0; i < group->list.count; i++) {
        const struct refinement *waiting = group->list.items[i];
        if (!needs_must(waiting, &may->list[i]) || has_tried_must(waiting)) continue;
        VEC_PUSH(rounds->arena, &own.list, group->list.items[i]);
        VEC_PUSH(rounds->arena, &others, &may->list[i]);
    }
    if (!own.list.count) return;
    struct attempts must;
    attempt_mode(rounds, &must, &own, MODE_MUST);
    for (uint32_t i = 0; i < own.list.count; i++) {
        judge_must(rounds, own.list.items[i], others.items[i], &must.list[i]);
        if (must.list[i].limit == LIMIT_NONE && !is_first_stop(rounds))
            own.list.items[i]->must_tried = own.list.items[i]->round.removals;
    }
    attempts_close(&must);
}

static void take_finding(const struct rounds *rounds, struct refinement *own,
                         const struct attempt *may, const struct concretization *followed) {
    const struct refine_watch *watch = &rounds->options->watch;
    const struct refine_run run = {may, followed};
    if (own->round.finding == FINDING_SPURIOUS && !followed->is_at_end) {
        own->round.step = followed->step + 1;
        own->round.loop_rounds = followed->round;
    }
    if (watch->show_run && own->round.finding != FINDING_NONE)
        watch->show_run(watch->context, own->number, &own->round, &run);
}

/* Whether the original has the run of the may-abstraction. Where it has persistent meta variables,
 * that it could make the run does not say that Uppaal finds it (model/persistent.h). */
void follow_run(const struct rounds *rounds, struct refinement *own, const struct attempt *may) {
    if (!needs_must(own, may) || !may->answer || !may->answer->trace ||
        rounds->network->persistent.count)
        return;
    struct suspects suspects = {.candidates = &own->candidates};
    struct verify_options limits = limits_of(rounds);
    limits.search.max_states = rounds->is_at_stop ? rounds->state_budget : REFINE_MAX_STATES;
    own->round.finding = suspects_of_run(&suspects, own->network, may, &limits, rounds->arena);
    own->is_cut_short = rounds->is_at_stop && suspects.followed.limit == LIMIT_STATES;
    take_finding(rounds, own, may, &suspects.followed);
    if (own->round.finding == FINDING_REAL)
        conclude(own, BY_RUN, may->verdict, "the original has the run");
}
