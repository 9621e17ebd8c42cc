/* Rounds of may, must and the run in the original. Its story:
 *
 *   run_beside_search   the original is searched; at each of its stops, and after it,
 *     take_turn         every query that is not decided has a round:
 *       prepare_round     choose the removals
 *       take_group        queries with the same removals share the abstractions
 *       run_group         judge_may: the may-abstraction is checked; does its verdict carry over?
 *                         judge_must: else the must-abstraction; does its verdict?
 *                         follow_run: else, has the original the run of the may-abstraction?
 *                         refine: else, put back what is to blame, or search further
 *       run_formulas      the same for formulas, by mixed abstractions
 */
#include "refine/loop_internal.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/interrupt.h"
#include "suggest/merges.h"

#include <assert.h>

/* ---- rounds ---- */

static bool is_late(const struct rounds *rounds) {
    return interrupt_is_asked() || (rounds->deadline > 0 && clock_seconds() >= rounds->deadline);
}

static struct put_back put_some_back(const struct rounds *rounds, struct refinement *own,
                                     const struct attempt *may) {
    struct removal_candidates *candidates = &own->candidates;
    if (may->is_wide) {
        suspects_of_text(candidates, may->reason);
        struct put_back wide = removal_candidates_put_wide_back(
            candidates, rounds->options->trial_memo, rounds->arena);
        return wide.names ? wide : removal_candidates_put_back(candidates, rounds->arena);
    }
    if (may->limit != LIMIT_NONE || own->round.number >= REFINE_MAX_ROUNDS ||
        (may->is_made && !may->answer))
        return removal_candidates_put_all_back(candidates);
    if (may->answer && may->answer->hangs) return removal_candidates_put_back_for_equal(candidates);
    if (may->answer && may->answer->problem) /* of a formula: what mixed models do not answer */
        return is_formula(own) ? removal_candidates_put_back_for_equal(candidates)
                               : (struct put_back){0};
    if (may->doubted) suspects_of_doubt(candidates, own->network, may->doubted);
    if (!may->is_made) suspects_of_text(candidates, may->reason);
    if (may->culprit && !removal_candidates_have_suspect(candidates))
        suspects_of_text(candidates, may->culprit);
    return removal_candidates_put_back(candidates, rounds->arena);
}

/* An abstraction that was cut short may be larger than the model. So the finest one is searched as
 * far, and then both four times as far in turns. False if it is time for another one. */
static bool go_further(const struct rounds *rounds, struct refinement *own, bool is_cut_short) {
    bool was_finest = own->removes_dead_only || own->shares_round;
    own->removes_dead_only =
        is_cut_short && !was_finest && removal_candidates_lose(&own->candidates);
    if (is_cut_short && !own->removes_dead_only && !own->shares_round)
        own->state_budget = rounds->state_budget * STOP_FACTOR;
    own->shares_round = false;
    if (was_finest && !is_cut_short) removal_candidates_put_all_back(&own->candidates);
    return is_cut_short;
}

/* Chooses the next removals; without any it is over. */
static void refine(const struct rounds *rounds, struct refinement *own, const struct attempt *may) {
    own->result->reason = own->round.may.is_tried ? own->round.may.reason : own->round.mixed.reason;
    own->result->limit = may->limit;
    own->result->is_open = may->is_open;
    if (is_late(rounds)) {
        own->result->limit = limit_of_time();
        own->is_done = true;
        return;
    }
    bool is_cut_short = is_bounded(rounds) && may->limit == LIMIT_STATES;
    if (is_cut_short && rounds->is_at_stop) {
        own->cut = own->round.removals;
        own->cut_may = own->round.may;
        own->cut_states = rounds->state_budget;
    }
    if (rounds->is_at_stop && (own->is_cut_short |= is_cut_short)) return; /* until the next stop */
    if (!rounds->is_at_stop && go_further(rounds, own, is_cut_short)) return;
    struct put_back back = put_some_back(rounds, own, may);
    own->round.back = back.names;
    own->round.remains = back.remains;
    own->is_done = !back.names;
}

static void end_round(const struct rounds *rounds, struct refinement *own) {
    const struct refine_watch *watch = &rounds->options->watch;
    own->result->last = own->round;
    DEBUG_LOG("query %u, round %u: %u removals, %llu states, puts back %s", own->number + 1,
              own->round.number, own->round.removals.count,
              (unsigned long long)(own->round.may.states + own->round.mixed.states),
              own->round.back ? own->round.back : "nothing");
    if (watch->end_round) watch->end_round(watch->context, own->number, &own->round);
    if (!own->is_done) return;
    if (rounds->options->original_search)
        original_search_end(rounds->options->original_search, own->number);
    if (watch->end_query) watch->end_query(watch->context, own->number);
}

static void run_group(struct rounds *rounds, const struct round_group *group) {
    struct attempts may;
    try_may(rounds, &may, group);
    try_must(rounds, group, &may);
    for (uint32_t i = 0; i < group->list.count; i++) {
        struct refinement *own = group->list.items[i];
        removal_candidates_clear(&own->candidates);
        follow_run(rounds, own, &may.list[i]);
        if (!own->is_done) refine(rounds, own, &may.list[i]);
        end_round(rounds, own);
    }
    attempts_close(&may);
}

/* Without any removal it is the model itself, which is no mixed one. */
static void run_formulas(struct rounds *rounds, const struct round_group *group) {
    bool is_mixed = group->list.items[0]->round.removals.count > 0;
    struct attempts attempts;
    attempt_mode(rounds, &attempts, group, is_mixed ? MODE_MIXED : MODE_MAY);
    for (uint32_t i = 0; i < group->list.count; i++) {
        struct refinement *own = group->list.items[i];
        removal_candidates_clear(&own->candidates);
        judge_formula(rounds, own, &attempts.list[i]);
        if (!own->is_done) refine(rounds, own, &attempts.list[i]);
        end_round(rounds, own);
    }
    attempts_close(&attempts);
}

static void begin_round(const struct rounds *rounds, struct refinement *own) {
    const struct refine_watch *watch = &rounds->options->watch;
    own->round = (struct refine_round){.number = own->result->last.number + 1};
    assert(own->round.number <=
           2 * REFINE_MAX_ROUNDS); /* some are news of the original search, or cut short */
    if (watch->begin_round) watch->begin_round(watch->context, own->number, own->round.number);
}

static void choose_removals(const struct rounds *rounds, struct refinement *own) {
    struct trial_memo *memo = rounds->options->trial_memo;
    if (!own->has_candidates)
        removal_candidates_find(&own->candidates, own->network, memo, rounds->arena);
    own->has_candidates = true;
    removal_candidates_drop_wide(&own->candidates, memo);
    own->is_left_alone =
        is_formula(own) && errors_known(rounds->options->abstract->analysis.errors) != ERRORS_NONE;
    if (own->is_left_alone) own->candidates.list.count = 0;
    own->round.removals = removal_candidates_removals(
        &own->candidates, own->removes_dead_only || own->shares_round, rounds->arena);
}

/* ---- turns ---- */

/* Time from the start on counts for the query. */
static void count_time(struct refinement *own, double start) {
    own->result->seconds += clock_seconds() - start;
}

static void end_late(const struct rounds *rounds, struct refinement *own) {
    const struct refine_watch *watch = &rounds->options->watch;
    own->result->limit = limit_of_time();
    own->is_done = true;
    if (watch->end_query) watch->end_query(watch->context, own->number);
}

/* Chooses the removals of a round; false if the query has none now. */
static bool prepare_round(const struct rounds *rounds, struct refinement *own) {
    double start = clock_seconds();
    if (!is_late(rounds)) {
        begin_round(rounds, own);
        choose_removals(rounds, own);
    }
    if (is_late(rounds)) end_late(rounds, own);
    count_time(own, start);
    /* Without removals the abstraction is the original, which is searched anyway. */
    own->is_cut_short |= rounds->is_at_stop && !own->round.removals.count;
    return !own->is_done && !own->is_cut_short;
}

static bool shares_abstractions(const struct refinement *left, const struct refinement *right) {
    return is_formula(left) == is_formula(right) &&
           removals_are_same(&left->round.removals, &right->round.removals);
}

/* Takes those out of the waiting that remove what the first one does. */
static struct round_group take_group(const struct rounds *rounds, struct round_group *waiting) {
    struct round_group group = {0};
    const struct refinement *first = waiting->list.items[0];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < waiting->list.count; i++) {
        struct refinement *own = waiting->list.items[i];
        if (shares_abstractions(own, first))
            VEC_PUSH(rounds->arena, &group.list, own);
        else
            waiting->list.items[kept++] = own;
    }
    waiting->list.count = kept;
    assert(group.list.count);
    return group;
}

/* Chooses removals anew, with what the memo has got from the group before. */
static void prepare_again(const struct rounds *rounds, struct round_group *waiting) {
    bool ends = is_late(rounds);
    for (uint32_t i = 0; i < waiting->list.count; i++)
        if (ends)
            end_late(rounds, waiting->list.items[i]);
        else
            choose_removals(rounds, waiting->list.items[i]);
    if (ends) waiting->list.count = 0;
}

/* Where the finest abstraction is searched for one query, the others that have the same share it.
 */
static void share_round(const struct rounds *rounds, const struct round_group *waiting,
                        const struct refinement *sharer) {
    for (uint32_t i = 0; i < waiting->list.count; i++) {
        struct refinement *own = waiting->list.items[i];
        if (own->removes_dead_only || own->shares_round ||
            !removal_candidates_lose(&own->candidates))
            continue;
        const struct removals finest =
            removal_candidates_removals(&own->candidates, true, rounds->arena);
        own->shares_round = is_formula(own) == is_formula(sharer) &&
                            removals_are_same(&finest, &sharer->round.removals);
        if (own->shares_round) own->round.removals = finest;
    }
}

/* The states that an abstraction may be searched for, by the query that asks for most. */
static uint64_t budget_of(const struct round_group *group) {
    uint64_t bound = 0;
    for (uint32_t i = 0; i < group->list.count; i++)
        if (group->list.items[i]->state_budget > bound) bound = group->list.items[i]->state_budget;
    return bound;
}

/* How many abstractions are to be made of them. */
static uint32_t count_groups(const struct round_group *waiting) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < waiting->list.count; i++) {
        bool is_first = true;
        for (uint32_t k = 0; k < i && is_first; k++)
            is_first = !shares_abstractions(waiting->list.items[k], waiting->list.items[i]);
        count += is_first;
    }
    return count;
}

/* At a stop, what is left is for may- and must-abstractions of so many groups. */
static void choose_budget(struct rounds *rounds, uint32_t groups) {
    if (groups > rounds->groups_left) groups = rounds->groups_left;
    rounds->state_budget = groups ? rounds->states_left / 2 / groups : 0;
    if (rounds->state_budget < REFINE_ROUND_STATES) rounds->state_budget = REFINE_ROUND_STATES;
}

/* A round of all queries that are not decided, or as many as there is room for at a stop. False if
 * there are none. */
static bool take_turn(struct rounds *rounds) {
    struct round_group waiting = {0};
    uint32_t count = rounds->list.count, first = rounds->is_at_stop ? rounds->first : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct refinement *own = &rounds->list.items[(first + i) % count];
        if (!own->is_done && !own->is_cut_short && prepare_round(rounds, own))
            VEC_PUSH(rounds->arena, &waiting.list, own);
    }
    bool is_any = waiting.list.count > 0;
    if (rounds->is_at_stop) choose_budget(rounds, count_groups(&waiting));
    for (uint32_t i = 0; i < waiting.list.count; i++)
        if (waiting.list.items[i]->removes_dead_only)
            share_round(rounds, &waiting, waiting.list.items[i]);
    while (waiting.list.count && (!rounds->is_at_stop || rounds->groups_left)) {
        struct round_group group = take_group(rounds, &waiting);
        double start = clock_seconds();
        if (!rounds->is_at_stop) rounds->state_budget = budget_of(&group);
        if (is_formula(group.list.items[0]))
            run_formulas(rounds, &group);
        else
            run_group(rounds, &group);
        count_time(group.list.items[0], start);
        prepare_again(rounds, &waiting);
        if (rounds->is_at_stop) rounds->groups_left--;
    }
    if (waiting.list.count) rounds->first = (uint32_t)(waiting.list.items[0] - rounds->list.items);
    return is_any;
}

/* ---- merges ---- */

static struct merge_list propose(const struct rounds *rounds, const struct network *network) {
    struct merge_proposals proposals;
    VEC(const char *) all = {0};
    merges_propose(&proposals, rounds->arena, network, network->model->queries,
                   network->model->query_count);
    for (uint32_t i = 0; i < proposals.list.count && i < REFINE_MAX_PROPOSALS; i++) {
        const struct merge_proposal *proposal = &proposals.list.items[i];
        bool is_small = !proposal->counts && proposal->gain < REFINE_LEAST_GAIN;
        if (proposal->is_index_seen || is_small) continue;
        for (uint32_t k = 0; k < proposal->arguments.count; k++)
            VEC_PUSH(rounds->arena, &all, proposal->arguments.items[k]);
    }
    return (struct merge_list){all.items, all.count};
}

static void attempt_merged(struct rounds *rounds, struct attempts *attempts,
                           const struct round_group *group, const struct network *network,
                           enum mode mode) {
    struct abstract_options options = *rounds->options->abstract;
    struct verify_options verify = limits_of(rounds);
    options.mode = mode;
    if (mode != MODE_MAY) options.drops_priorities = false;
    verify.engine = ENGINE_AUTO;
    verify.wants_traces = false;
    bound_states(rounds, &verify);
    attempts_make_merged(attempts, network, &group->list.items[0]->round.merges, &options,
                         rounds->options->condition, !rounds->is_at_stop, &verify);
}

/* All queries that are not decided yet, by all merges that are proposed, once. */
static void try_merges(struct rounds *rounds) {
    struct round_group group = {0};
    struct attempts may, must;
    struct query *queries = ARENA_ARRAY(rounds->arena, struct query, rounds->list.count + 1);
    double start = clock_seconds();
    bool needs_any = false;
    rounds->has_tried_merges = true;
    for (uint32_t i = 0; i < rounds->list.count; i++) {
        if (rounds->list.items[i].is_done) continue;
        queries[group.list.count] = *rounds->list.items[i].query;
        VEC_PUSH(rounds->arena, &group.list, &rounds->list.items[i]);
    }
    uint32_t count = group.list.count;
    if (!count || is_late(rounds)) return;
    const struct network *network = network_for(rounds, queries, count);
    const struct merge_list merges = propose(rounds, network);
    if (!merges.count) return;
    if (rounds->is_at_stop)
        choose_budget(rounds, 1);
    else
        rounds->state_budget = budget_of(&group);
    for (uint32_t i = 0; i < count; i++) {
        begin_round(rounds, group.list.items[i]);
        group.list.items[i]->round.merges = merges;
    }
    attempt_merged(rounds, &may, &group, network, MODE_MAY);
    for (uint32_t i = 0; i < count; i++) {
        judge_may(rounds, group.list.items[i], &may.list[i]);
        needs_any |= needs_must(group.list.items[i], &may.list[i]);
    }
    if (needs_any) attempt_merged(rounds, &must, &group, network, MODE_MUST);
    for (uint32_t i = 0; i < count; i++) {
        struct refinement *own = group.list.items[i];
        if (needs_must(own, &may.list[i])) judge_must(rounds, own, &may.list[i], &must.list[i]);
        if (!i) count_time(own, start);
        end_round(rounds, own);
    }
    attempts_close(&may);
    if (needs_any) attempts_close(&must);
}

/* ---- beside the original search ---- */

/* Takes the news about each query. False if all are decided. */
static bool take_news(const struct rounds *rounds) {
    bool is_any = false;
    for (uint32_t i = 0; i < rounds->list.count; i++) {
        struct refinement *own = &rounds->list.items[i];
        const struct search_news *news =
            own->is_done ? NULL
                         : original_search_take(rounds->options->original_search, own->number);
        if (news) {
            begin_round(rounds, own);
            own->round.may = news->side;
            if (news->side.verdict != VERDICT_UNKNOWN) {
                conclude(own, BY_MAY, news->side.verdict, news->side.reason);
                own->result->bounds = news->bounds;
            }
            end_round(rounds, own);
        }
        is_any |= !own->is_done;
    }
    return is_any;
}

/* The budget of a stop is a part of what the original search took: of states, and of
 * abstractions, which take their time to be made. */
static void begin_stop(struct rounds *rounds) {
    const struct original_search *search = rounds->options->original_search;
    rounds->is_at_stop = true;
    rounds->states_left =
        original_search_states(search) / (search->level ? REFINE_PART : REFINE_FIRST_PART);
    rounds->groups_left = 1;
    for (uint32_t i = 0; i < search->level; i++)
        rounds->groups_left *= i ? STOP_FACTOR : REFINE_FIRST_FACTOR;
    for (uint32_t i = 0; i < rounds->list.count; i++) rounds->list.items[i].is_cut_short = false;
}

static bool work_at_stop(void *context) {
    struct rounds *rounds = context;
    struct original_search *search = rounds->options->original_search;
    size_t most = rounds->options->verify.search.max_size;
    bool is_any = take_news(rounds);
    if (is_any && !is_late(rounds) && !(most && search->size > most / 2)) {
        begin_stop(rounds);
        if (!rounds->has_tried_merges) try_merges(rounds);
        if (search->level) {
            const struct verify_options limits = limits_of(rounds);
            original_search_exchange(search, &limits);
            take_news(rounds);
        }
        while (rounds->groups_left && rounds->states_left && take_turn(rounds)) {
        }
        rounds->is_at_stop = false;
    }
    is_any = false;
    for (uint32_t i = 0; i < rounds->list.count; i++) is_any |= !rounds->list.items[i].is_done;
    return is_any && !is_late(rounds);
}

static void run_beside_search(struct rounds *rounds) {
    struct original_search *search = rounds->options->original_search;
    const struct verify_options limits = limits_of(rounds);
    original_search_run(search, &limits, work_at_stop, rounds);
    take_news(rounds);
    for (uint32_t i = 0; i < rounds->list.count; i++) {
        rounds->list.items[i].is_cut_short = false;
        if (search->level)
            rounds->list.items[i].state_budget = original_search_states(search) / STOP_FACTOR;
    }
}

void refine_queries(struct refine_result *results, const struct network *network,
                    struct query *queries, uint32_t count, const struct refine_options *options,
                    struct arena *arena) {
    struct rounds rounds = {.network = network, .options = options, .arena = arena};
    double seconds = options->verify.search.max_seconds;
    if (seconds > 0) rounds.deadline = clock_seconds() + seconds;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_asked_query(&queries[i])) continue;
        results[i] = (struct refine_result){.verdict = VERDICT_UNKNOWN};
        VEC_PUSH(arena, &rounds.list,
                 (struct refinement){.number = i,
                                     .query = &queries[i],
                                     .network = network_for(&rounds, &queries[i], 1),
                                     .state_budget = options->state_budget,
                                     .result = &results[i]});
    }
    if (options->original_search) {
        run_beside_search(&rounds);
        if (!rounds.has_tried_merges) try_merges(&rounds);
    }
    while (take_turn(&rounds)) {
    }
}
