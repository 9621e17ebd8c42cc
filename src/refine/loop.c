/* Rounds of may, must and the run in the original. */
#include "refine/loop.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/interrupt.h"
#include "lang/syntax/kinds.h"
#include "refine/put_back.h"
#include "suggest/candidate.h"

#include <assert.h>
#include <string.h>

struct refinement {
    const struct network *network;
    const struct query *query;
    const struct refine_options *options;
    struct arena *arena;
    struct refine_items items; /* greatest estimate first */
    double deadline;           /* 0 = none */
    uint32_t level;            /* of the next look */
    struct refine_result *result;
};

/* ---- what is removed ---- */

static struct refine_item *item_of(struct refinement *loop, const struct live_variable *variable) {
    for (uint32_t i = 0; i < loop->items.list.count; i++)
        if (loop->items.list.items[i].variable == variable) return &loop->items.list.items[i];
    return NULL;
}

static void lower(struct refine_item *item) {
    assert(item->level != REMOVED_NOTHING);
    item->level = item->level == REMOVED_WHOLE && item->dead ? REMOVED_DEAD : REMOVED_NOTHING;
}

static const char *argument_of(const struct refine_item *item) {
    if (item->level == REMOVED_NOTHING) return NULL;
    return item->level == REMOVED_WHOLE ? item->whole : item->dead;
}

static void find_items(struct refinement *loop) {
    struct candidate_list dead = {0}, lossy = {0};
    struct live *live = live_new(loop->arena, loop->network, loop->query, 1);
    candidates_find(live, learnt_values(loop->options->learnt), false, loop->arena, &dead, &lossy);
    for (uint32_t i = 0; i < lossy.list.count; i++) {
        const struct candidate_removal *removal = &lossy.list.items[i];
        VEC_PUSH(loop->arena, &loop->items.list,
                 (struct refine_item){.variable = removal->variable,
                                      .level = REMOVED_WHOLE,
                                      .whole = removal->argument,
                                      .estimate = removal->estimate});
    }
    for (uint32_t i = 0; i < dead.list.count; i++) {
        const struct candidate_removal *removal = &dead.list.items[i];
        struct refine_item *item = item_of(loop, removal->variable);
        if (item)
            item->dead = removal->argument;
        else
            VEC_PUSH(loop->arena, &loop->items.list,
                     (struct refine_item){.variable = removal->variable,
                                          .level = REMOVED_WHOLE,
                                          .whole = removal->argument,
                                          .is_dead = true,
                                          .estimate = removal->estimate});
    }
}

/* What is refused alone is never tried, nor what leaves a choice of very many values, alone or for
 * a query before. */
static void drop_refused(struct refinement *loop) {
    struct learnt *learnt = loop->options->learnt;
    for (uint32_t i = 0; i < loop->items.list.count; i++) {
        struct refine_item *item = &loop->items.list.items[i];
        if (learnt_is_wide(learnt, item->variable)) lower(item);
        for (const char *argument; (argument = argument_of(item)) && !interrupt_is_asked();) {
            if (!learnt_refuses(learnt, argument)) break;
            lower(item);
        }
    }
}

static void take_arguments(struct refinement *loop, struct refine_round *round) {
    assert(!round->arguments && !round->argument_count);
    round->arguments = ARENA_ARRAY(loop->arena, const char *, loop->items.list.count + 1);
    for (uint32_t i = 0; i < loop->items.list.count; i++) {
        const char *argument = argument_of(&loop->items.list.items[i]);
        if (argument) round->arguments[round->argument_count++] = argument;
    }
}

/* ---- rounds ---- */

static struct refine_side side_of(struct refinement *loop, const struct attempt *attempt) {
    return (struct refine_side){
        .is_tried = true,
        .is_made = attempt->is_made,
        .is_exact = attempt->is_exact,
        .is_wide = attempt->is_wide,
        .is_normal = attempt->normal.places.count > 0,
        .carries = attempt->carries,
        .verdict = attempt->verdict,
        .states = attempt->states,
        .limit = attempt->limit,
        .reason = attempt->reason ? arena_printf(loop->arena, "%s", attempt->reason) : NULL};
}

/* Half of the time that is left, so that something remains for finer abstractions. */
static struct verify_options limits_of(const struct refinement *loop) {
    struct verify_options verify = loop->options->verify;
    double left = loop->deadline - clock_seconds();
    if (loop->deadline > 0) verify.search.max_seconds = left > 0.02 ? left / 2 : 0.01;
    return verify;
}

static void attempt_mode(struct refinement *loop, struct attempt *attempt,
                         const struct refine_round *round, bool is_must) {
    struct verify_options verify = limits_of(loop);
    struct abstract_options options = *loop->options->abstract;
    options.mode = is_must ? MODE_MUST : MODE_MAY;
    if (is_must) options.drops_priorities = false;
    verify.wants_traces = !is_must;
    verify.engine = ENGINE_AUTO;
    attempt_make(attempt, loop->network, round->arguments, round->argument_count, &options,
                 &verify);
}

static bool is_bounds(const struct query *query) {
    return query_traits(query->quantifier)->family == FAMILY_BOUNDS;
}

static void take_bounds(struct refinement *loop, const struct answer *answer) {
    uint32_t count = loop->query->expr_count;
    struct refine_result *result = loop->result;
    if (!answer || !answer->bounds) return;
    result->bounds = ARENA_ARRAY(loop->arena, struct bounds_of, count + 1);
    memcpy(result->bounds, answer->bounds, count * sizeof *result->bounds);
}

/* May and must enclose the values of the original from both sides. */
static bool has_same_bounds(const struct attempt *may, const struct attempt *must,
                            const struct query *query) {
    const struct query_traits *traits = query_traits(query->quantifier);
    if (!is_bounds(query) || may->verdict != VERDICT_SATISFIED ||
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

static bool conclude(struct refinement *loop, enum refine_way way, enum verdict verdict,
                     const char *reason) {
    assert(way != BY_NOTHING && verdict != VERDICT_UNKNOWN);
    assert(loop->result->way == BY_NOTHING && reason);
    loop->result->way = way;
    loop->result->verdict = verdict;
    loop->result->reason = reason;
    return true;
}

/* The must-abstraction of the same removals. */
static bool try_must(struct refinement *loop, struct refine_round *round,
                     const struct attempt *may) {
    struct attempt must;
    attempt_mode(loop, &must, round, true);
    round->must = side_of(loop, &must);
    bool is_done = false;
    if (must.carries) {
        is_done = conclude(loop, BY_MUST, must.verdict, round->must.reason);
        take_bounds(loop, must.answer);
    } else if (has_same_bounds(may, &must, loop->query)) {
        is_done = conclude(loop, BY_BOTH, VERDICT_SATISFIED, "may and must agree");
        take_bounds(loop, must.answer);
    }
    attempt_close(&must);
    return is_done;
}

/* Puts back what the run, or else a reason why the abstraction is not exact, blames; whatever costs
 * least. False if nothing is left. */
static bool put_back(struct refinement *loop, struct refine_round *round) {
    struct refine_item *least = NULL;
    for (int pass = 0; pass < 3 && !least; pass++)
        for (uint32_t i = 0; i < loop->items.list.count; i++) {
            struct refine_item *item = &loop->items.list.items[i];
            bool is_suspect = pass == 0   ? item->is_suspect
                              : pass == 1 ? !item->is_dead && item->level == REMOVED_WHOLE
                                          : true;
            if (item->level != REMOVED_NOTHING && is_suspect &&
                (!least || item->estimate < least->estimate))
                least = item;
        }
    if (!least) return false;
    lower(least);
    assert(least->level != REMOVED_WHOLE);
    round->back = variable_name(loop->arena, least->variable->template, least->variable->symbol);
    round->remains = argument_of(least);
    return true;
}

/* All that makes edges choose from very many values comes back, as far as anything is known of
 * that.
 */
static bool put_wide_back(struct refinement *loop, struct refine_round *round) {
    struct buffer names = {0};
    for (uint32_t i = 0; i < loop->items.list.count; i++) {
        struct refine_item *item = &loop->items.list.items[i];
        if (!item->is_suspect || item->level == REMOVED_NOTHING) continue;
        const struct live_variable *variable = item->variable;
        lower(item);
        learnt_add_wide(loop->options->learnt, variable);
        buffer_printf(&names, "%s%s", names.size ? ", " : "",
                      variable_name(loop->arena, variable->template, variable->symbol));
    }
    if (names.size) round->back = buffer_take(&names, loop->arena);
    buffer_close(&names);
    return round->back != NULL;
}

/* Everything that is not dead comes back. */
static bool put_all_back(struct refinement *loop, struct refine_round *round) {
    bool is_any = false;
    for (uint32_t i = 0; i < loop->items.list.count; i++) {
        struct refine_item *item = &loop->items.list.items[i];
        if (item->is_dead || item->level != REMOVED_WHOLE) continue;
        lower(item);
        is_any = true;
    }
    if (is_any) round->back = "all that is not dead";
    return is_any;
}

static bool is_late(const struct refinement *loop) {
    return interrupt_is_asked() || (loop->deadline > 0 && clock_seconds() >= loop->deadline);
}

/* Of the run of the may-abstraction. */
static void take_finding(const struct refinement *loop, struct refine_round *round,
                         const struct attempt *may, const struct concretization *followed) {
    const struct refine_options *options = loop->options;
    const struct refine_run run = {may, followed};
    if (round->finding == FINDING_SPURIOUS && !followed->is_at_end) {
        round->step = followed->step + 1;
        round->loop_rounds = followed->round;
    }
    if (options->show_run && round->finding != FINDING_NONE)
        options->show_run(options->context, round, &run);
}

/* Whether the query is decided, with the may-abstraction at hand. */
static bool judge_round(struct refinement *loop, struct refine_round *round, struct attempt *may) {
    round->may = side_of(loop, may);
    if (!may->is_made) return false;
    if (may->carries) {
        take_bounds(loop, may->answer);
        return conclude(loop, BY_MAY, may->verdict, round->may.reason);
    }
    if (may->is_exact || may->is_wide) return false;
    if (try_must(loop, round, may)) return true;
    if (!may->answer || !may->answer->trace) return false;
    struct suspects suspects = {.items = &loop->items};
    struct verify_options limits = limits_of(loop);
    round->finding = suspects_of_run(&suspects, loop->network, may, &limits, loop->arena);
    take_finding(loop, round, may, &suspects.followed);
    return round->finding == FINDING_REAL &&
           conclude(loop, BY_RUN, may->verdict, "the original has the run");
}

static bool has_suspect(const struct refinement *loop) {
    for (uint32_t i = 0; i < loop->items.list.count; i++)
        if (loop->items.list.items[i].is_suspect) return true;
    return false;
}

/* Chooses the next removals. False if there are none. */
static bool refine(struct refinement *loop, struct refine_round *round, struct attempt *may) {
    struct refine_result *result = loop->result;
    result->reason = round->may.reason;
    result->limit = may->limit;
    if (is_late(loop)) {
        result->limit = limit_of_time();
        return false;
    }
    if (may->is_wide) {
        suspects_of_text(&loop->items, may->reason);
        return put_wide_back(loop, round) || put_back(loop, round);
    }
    if (may->limit != LIMIT_NONE || round->number == REFINE_MAX_ROUNDS ||
        (may->is_made && !may->answer))
        return put_all_back(loop, round);
    if (may->answer && may->answer->problem) return false;
    if (!may->is_made) suspects_of_text(&loop->items, may->reason);
    if (may->culprit && !has_suspect(loop)) suspects_of_text(&loop->items, may->culprit);
    return put_back(loop, round);
}

static bool run_round(struct refinement *loop, struct refine_round *round) {
    struct attempt may;
    for (uint32_t i = 0; i < loop->items.list.count; i++)
        loop->items.list.items[i].is_suspect = false;
    take_arguments(loop, round);
    attempt_mode(loop, &may, round, false);
    bool goes_on = !judge_round(loop, round, &may) && refine(loop, round, &may);
    attempt_close(&may);
    return goes_on;
}

/* ---- the model without removals ---- */

/* Before the first rounds, as far as the limits go. False if there is no need of the next round. */
static bool look_first(struct refinement *loop) {
    struct refine_result *result = loop->result;
    const struct refine_options *options = loop->options;
    uint64_t most = options->verify.search.max_states;
    if (!options->looks || loop->level == LOOK_COUNT ||
        (most && loop->level && look_states(options->looks, loop->level - 1) >= most))
        return true;
    struct verify_options limits = limits_of(loop);
    const struct look *look = looks_take(options->looks, options->number, loop->level++, &limits);
    struct refine_round round = {.number = result->last.number + 1, .may = look->side};
    round.arguments = ARENA_ARRAY(loop->arena, const char *, 1);
    bool is_known = look->side.verdict != VERDICT_UNKNOWN;
    if (is_known) {
        conclude(loop, BY_MAY, look->side.verdict, look->side.reason);
        result->bounds = look->bounds;
    }
    result->last = round;
    if (options->show) options->show(options->context, &round);
    return !is_known;
}

void refine_query(struct refine_result *result, const struct network *network,
                  const struct refine_options *options, struct arena *arena) {
    assert(network->model->query_count == 1);
    struct refinement loop = {.network = network,
                              .query = &network->model->queries[0],
                              .options = options,
                              .arena = arena,
                              .result = result};
    *result = (struct refine_result){.verdict = VERDICT_UNKNOWN};
    double seconds = options->verify.search.max_seconds;
    if (seconds > 0) loop.deadline = clock_seconds() + seconds;
    if (!interrupt_is_asked() && !look_first(&loop)) return;
    if (!interrupt_is_asked()) find_items(&loop);
    drop_refused(&loop);
    if (interrupt_is_asked()) result->limit = limit_of_time();
    for (bool goes_on = !interrupt_is_asked(); goes_on;) {
        struct refine_round round = {.number = result->last.number + 1};
        goes_on = run_round(&loop, &round);
        result->last = round;
        assert(round.number <= REFINE_MAX_ROUNDS + 1 && (!goes_on || round.back));
        DEBUG_LOG("round %u: %u removals, %llu states, puts back %s", round.number,
                  round.argument_count, (unsigned long long)round.may.states,
                  round.back ? round.back : "nothing");
        if (options->show) options->show(options->context, &round);
        if (goes_on && !look_first(&loop)) return;
    }
}
