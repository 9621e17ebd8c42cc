#include "suggest/suggest.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/interrupt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct arguments { /* of --remove */
    const char *const *items;
    uint32_t count;
};

struct chooser {
    struct suggestion *suggestion;
    struct candidate_list dead;
    bool *is_kept;          /* by dead candidate */
    bool *is_exact_alone;   /* likewise; under */
    VEC(const char *) last; /* arguments of the last trial that was exact as a whole */
};

/* False if there were too many, or one more is not wanted. */
static bool begin_trial(struct suggestion *suggestion) {
    if (suggestion->trial_count == SUGGEST_MAX_TRIALS || interrupt_is_asked()) return false;
    suggestion->trial_count++;
    if (suggestion->tell) suggestion->tell(suggestion->trial_count, SUGGEST_MAX_TRIALS);
    return true;
}

/* A trial of the candidates that are kept, but for one, and of more arguments. A quick one on
 * tries no classes, and finds all reasons. */
static struct trial try_set(struct chooser *chooser, uint32_t without, struct arguments more,
                            bool is_quick) {
    assert(without == UINT32_MAX || without < chooser->dead.list.count);
    struct suggestion *suggestion = chooser->suggestion;
    struct abstract_options options = *suggestion->options;
    options.writes_exact_only = true;
    options.ends_inexact = !is_quick;
    if (is_quick) {
        options.is_quick = options.writes_nothing = true;
        options.known = suggestion->values;
    }
    VEC(const char *) arguments = {0};
    struct trial trial = {.outcome = TRIAL_REFUSED, .message = "it was not tried"};
    for (uint32_t i = 0; i < chooser->dead.list.count; i++)
        if (chooser->is_kept[i] && i != without)
            VEC_PUSH(suggestion->arena, &arguments, chooser->dead.list.items[i].argument);
    assert(suggestion->trial_count <= SUGGEST_MAX_TRIALS);
    for (uint32_t i = 0; i < more.count; i++)
        VEC_PUSH(suggestion->arena, &arguments, more.items[i]);
    if (!arguments.count) return (struct trial){.outcome = TRIAL_EXACT};
    if (!begin_trial(suggestion)) return trial;
    trial = trial_run(suggestion->network, arguments.items, arguments.count, &options,
                      suggestion->arena);
    if (trial.outcome == TRIAL_EXACT && !is_quick) suggestion->may_fail = trial.may_fail;
    if (trial.output.size) {
        chooser->last.items = arguments.items;
        chooser->last.count = arguments.count;
        suggestion->output = trial.output;
    }
    return trial;
}

static struct trial try_kept(struct chooser *chooser) {
    return try_set(chooser, UINT32_MAX, (struct arguments){0}, false);
}

static struct trial try_kept_and(struct chooser *chooser, const char *more) {
    return try_set(chooser, UINT32_MAX, (struct arguments){&more, 1}, false);
}

static struct abstract_options options_alone(const struct suggestion *suggestion) {
    struct abstract_options options = suggest_quick_options(suggestion->options);
    options.known = suggestion->values;
    options.writes_nothing = suggestion->options->writes_nothing;
    options.keeps_uncalled = true;
    return options;
}

/* Tries a candidate alone; if it is exact, it is tried again together with others, and nothing is
 * written. */
static struct trial try_alone(struct chooser *chooser, const char *argument, bool is_written,
                              bool ends_inexact) {
    assert(argument);
    struct suggestion *suggestion = chooser->suggestion;
    struct trial trial = {.outcome = TRIAL_REFUSED, .message = "it was not tried"};
    if (!begin_trial(suggestion)) return trial;
    struct abstract_options options = options_alone(suggestion);
    options.ends_inexact = ends_inexact;
    options.writes_inexact_only = true;
    options.writes_nothing |= !is_written;
    return trial_run(suggestion->network, &argument, 1, &options, suggestion->arena);
}

/* Drops candidates that are refused alone: they would be refused with others, too. Whether all are
 * left. */
static bool drop_refused(struct chooser *chooser) {
    bool is_same = true;
    for (uint32_t i = 0; i < chooser->dead.list.count; i++) {
        struct candidate_removal *candidate = &chooser->dead.list.items[i];
        struct trial trial = try_alone(chooser, candidate->argument, false, false);
        is_same &= trial.outcome != TRIAL_REFUSED;
        if (trial.outcome == TRIAL_REFUSED && candidate->wider) {
            struct trial wider = try_alone(chooser, candidate->wider, false, false);
            if (wider.outcome != TRIAL_REFUSED) {
                candidate->argument = candidate->wider;
                trial = wider;
            }
        }
        chooser->is_kept[i] = trial.outcome != TRIAL_REFUSED;
        chooser->is_exact_alone[i] = trial.outcome == TRIAL_EXACT;
    }
    return is_same;
}

/* The one without which the least is wrong. */
static uint32_t worst_of(struct chooser *chooser) {
    uint32_t worst = UINT32_MAX, least = UINT32_MAX;
    for (uint32_t i = chooser->dead.list.count; i-- > 0;) { /* the least gain first */
        if (!chooser->is_kept[i]) continue;
        struct trial trial = try_set(chooser, i, (struct arguments){0}, true);
        uint32_t count = trial.outcome == TRIAL_REFUSED ? UINT32_MAX - 1 : trial.reason_count;
        if (count < least) {
            least = count;
            worst = i;
        }
    }
    assert(worst == UINT32_MAX || chooser->is_kept[worst]);
    return worst;
}

/* Until the rest is exact; is_known: not to be so yet. */
static void drop_worst(struct chooser *chooser, bool is_known) {
    while (is_known || try_kept(chooser).outcome != TRIAL_EXACT) {
        is_known = false;
        uint32_t worst = worst_of(chooser);
        if (worst == UINT32_MAX) break;
        assert(chooser->is_kept[worst]);
        chooser->is_kept[worst] = false;
    }
}

/* Keeps the candidates that are exact alone: most of them are exact together. */
static void keep_exact_alone(struct chooser *chooser) {
    uint32_t count = chooser->dead.list.count;
    memcpy(chooser->is_kept, chooser->is_exact_alone, count * sizeof *chooser->is_kept);
    if (try_kept(chooser).outcome != TRIAL_EXACT) memset(chooser->is_kept, false, count);
}

/* One by one what is not kept. */
static void keep_one_by_one(struct chooser *chooser) {
    for (uint32_t i = 0; i < chooser->dead.list.count; i++) {
        struct candidate_removal *candidate = &chooser->dead.list.items[i];
        if (chooser->is_kept[i]) continue;
        struct trial trial = try_kept_and(chooser, candidate->argument);
        if (trial.outcome != TRIAL_EXACT && candidate->wider) {
            struct trial wider = try_kept_and(chooser, candidate->wider);
            if (wider.outcome == TRIAL_EXACT) {
                candidate->argument = candidate->wider;
                trial = wider;
            }
        }
        chooser->is_kept[i] = trial.outcome == TRIAL_EXACT;
    }
}

/* Whether some candidates rest on classes. */
static bool find_candidates(struct chooser *chooser, bool with_classes,
                            struct candidate_list *lossy) {
    struct suggestion *suggestion = chooser->suggestion;
    chooser->dead.list.count = lossy->list.count = 0;
    bool rests = candidates_find(suggestion->live, suggestion->values, with_classes,
                                 suggestion->arena, &chooser->dead, lossy);
    if (suggestion->is_about_formulas)
        candidates_find_elsewhere(suggestion->live, suggestion->values, suggestion->arena,
                                  &chooser->dead, lossy);
    uint32_t count = chooser->dead.list.count;
    chooser->is_kept = ARENA_ARRAY(suggestion->arena, bool, count + lossy->list.count + 1);
    chooser->is_exact_alone = ARENA_ARRAY(suggestion->arena, bool, count + 1);
    memset(chooser->is_kept, true, count);
    return rests;
}

/* What makes no difference by its classes holds as a whole or not at all (C3); then without them.
 */
static bool choose_together(struct chooser *chooser, struct candidate_list *lossy) {
    bool rests = find_candidates(chooser, true, lossy);
    if (try_kept(chooser).outcome == TRIAL_EXACT) return true;
    if (!rests) return false;
    find_candidates(chooser, false, lossy);
    return try_kept(chooser).outcome == TRIAL_EXACT;
}

static void choose(struct chooser *chooser, struct candidate_list *lossy) {
    enum { MAX_TOGETHER = 16 }; /* each round of the search for the worst takes so many trials */
    if (choose_together(chooser, lossy)) return;
    uint32_t count = chooser->dead.list.count, kept = 0;
    bool is_known = drop_refused(chooser) && count <= MAX_TOGETHER; /* not to be exact */
    for (uint32_t i = 0; i < count; i++) kept += chooser->is_kept[i];
    if (kept > MAX_TOGETHER)
        keep_exact_alone(chooser);
    else
        drop_worst(chooser, is_known);
    keep_one_by_one(chooser);
}

/* A candidate that may lose something, in the order in which they are listed. */
struct lossy_candidate {
    struct suggested suggested;
    bool is_exact_alone, is_taken; /* taken: it is exact with all that is kept */
};

struct lossy_trials {
    struct lossy_candidate *items;
    uint32_t taken_count;
    VEC(uint32_t) pending; /* exact alone, and not yet tried together with what is kept */
};

/* A variable that is read may make no difference all the same. Then all of it is removed, rather
 * than what is dead of it. */
static void take_whole(struct chooser *chooser, struct lossy_candidate *candidate) {
    const struct candidate_removal *removal = &candidate->suggested.removal;
    uint32_t count = chooser->dead.list.count;
    assert(!removal->wider && !candidate->is_taken); /* a whole variable */
    for (uint32_t i = 0; i < count; i++)
        if (chooser->dead.list.items[i].variable == removal->variable) chooser->is_kept[i] = false;
    VEC_PUSH(chooser->suggestion->arena, &chooser->dead.list, *removal);
    chooser->dead.list.items[count].reason = "read, but to no effect";
    chooser->is_kept[count] = true;
    candidate->is_taken = true;
}

/* Pending ones from one to another. What is exact alone mostly is so together, so that one trial
 * does for all; one by one, each would be tried with all before it. If they are not, then one half
 * is tried before the other. */
static void settle_some(struct chooser *chooser, struct lossy_trials *trials, uint32_t begin,
                        uint32_t end) {
    VEC(const char *) more = {0};
    for (uint32_t i = begin; i < end; i++)
        VEC_PUSH(chooser->suggestion->arena, &more,
                 trials->items[trials->pending.items[i]].suggested.removal.argument);
    struct arguments arguments = {more.items, more.count};
    if (begin == end) return;
    if (try_set(chooser, UINT32_MAX, arguments, false).outcome == TRIAL_EXACT) {
        for (uint32_t i = begin; i < end; i++)
            take_whole(chooser, &trials->items[trials->pending.items[i]]);
        trials->taken_count += end - begin;
    } else if (end - begin > 1) {
        uint32_t middle = begin + (end - begin) / 2;
        settle_some(chooser, trials, begin, middle);
        settle_some(chooser, trials, middle, end);
    }
}

static void settle_pending(struct chooser *chooser, struct lossy_trials *trials) {
    settle_some(chooser, trials, 0, trials->pending.count);
    trials->pending.count = 0;
}

/* Each alone, and twice as many as before together, so that there are few trials of many. */
static void try_lossy(struct chooser *chooser, struct lossy_trials *trials, uint32_t count) {
    struct suggestion *suggestion = chooser->suggestion;
    uint32_t written = 0;
    bool is_exact_only = suggestion->options->writes_nothing;
    for (uint32_t i = 0; i < count; i++) {
        struct suggested *suggested = &trials->items[i].suggested;
        bool is_written = written < SUGGEST_MAX_OUTPUTS;
        struct trial trial =
            try_alone(chooser, suggested->removal.argument, is_written, is_exact_only);
        assert(trial.outcome == TRIAL_EXACT || trial.message);
        trials->items[i].is_exact_alone = trial.outcome == TRIAL_EXACT;
        suggested->is_refused = trial.outcome == TRIAL_REFUSED || trial.chooses_widely;
        if (trial.message) suggested->removal.reason = trial.message;
        if (!suggested->is_refused) suggested->output = trial.output;
        written += suggested->output.size > 0;
        if (trials->items[i].is_exact_alone) VEC_PUSH(suggestion->arena, &trials->pending, i);
        if (trials->pending.count > trials->taken_count) settle_pending(chooser, trials);
    }
    settle_pending(chooser, trials);
}

/* Of what is exact alone only. */
static struct str output_alone(const struct chooser *chooser, const char *argument) {
    const struct suggestion *suggestion = chooser->suggestion;
    const struct abstract_options options = options_alone(suggestion);
    return trial_run(suggestion->network, &argument, 1, &options, suggestion->arena).output;
}

static void take_lossy(struct chooser *chooser, const struct candidate_list *lossy) {
    struct suggestion *suggestion = chooser->suggestion;
    uint32_t count = lossy->list.count, written = 0;
    struct lossy_trials trials = {
        .items = ARENA_ARRAY(suggestion->arena, struct lossy_candidate, count + 1)};
    for (uint32_t i = 0; i < count; i++) trials.items[i].suggested.removal = lossy->list.items[i];
    try_lossy(chooser, &trials, count);
    for (uint32_t i = 0; i < count; i++) {
        struct lossy_candidate *candidate = &trials.items[i];
        struct suggested *suggested = &candidate->suggested;
        if (candidate->is_taken) continue;
        if (written >= SUGGEST_MAX_OUTPUTS)
            suggested->output = (struct str){NULL, 0};
        else if (candidate->is_exact_alone)
            suggested->output = output_alone(chooser, suggested->removal.argument);
        written += suggested->output.size > 0;
        VEC_PUSH(suggestion->arena, &suggestion->lossy, *suggested);
    }
}

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The model of the last trial is the one without all that is exact if it was of the same. */
static bool is_last(const struct chooser *chooser) {
    const struct suggestion *suggestion = chooser->suggestion;
    uint32_t count = suggestion->exact.count;
    if (chooser->last.count != count) return false;
    if (!count) return true;
    const char **exact = suggestion_arguments(suggestion, suggestion->arena);
    qsort(exact, count, sizeof *exact, compare_texts);
    qsort(chooser->last.items, count, sizeof *chooser->last.items, compare_texts);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(exact[i], chooser->last.items[i]) != 0) return false;
    return true;
}

static void take_exact(struct chooser *chooser) {
    struct suggestion *suggestion = chooser->suggestion;
    struct candidate_list exact = {0};
    for (uint32_t i = 0; i < chooser->dead.list.count; i++)
        if (chooser->is_kept[i])
            VEC_PUSH(suggestion->arena, &exact.list, chooser->dead.list.items[i]);
    candidates_sort(&exact);
    assert(exact.list.count <= chooser->dead.list.count);
    for (uint32_t i = 0; i < exact.list.count; i++)
        VEC_PUSH(suggestion->arena, &suggestion->exact,
                 (struct suggested){.removal = exact.list.items[i]});
    if (!is_last(chooser)) suggestion->output = (struct str){NULL, 0};
}

/* Tries in memory what the classes and the live variables offer. tell may be NULL. */
void suggestion_make(struct suggestion *suggestion, struct arena *arena,
                     const struct network *network, const struct query *queries,
                     uint32_t query_count, const struct abstract_options *options,
                     void (*tell)(uint32_t trial, uint32_t most)) {
    struct candidate_list lossy = {0};
    struct chooser chooser = {.suggestion = suggestion};
    *suggestion =
        (struct suggestion){.network = network, .options = options, .arena = arena, .tell = tell};
    struct suggest_seconds *seconds = &suggestion->seconds;
    double start = clock_seconds();
    for (uint32_t i = 0; i < query_count; i++)
        suggestion->is_about_formulas |= queries[i].quantifier == QUERY_FORMULA;
    suggestion->live = live_new(arena, network, queries, query_count);
    suggestion->values = suggest_values(network, options, arena);
    clock_add(&seconds->values, &start);
    choose(&chooser, &lossy);
    clock_add(&seconds->exact, &start);
    take_lossy(&chooser, &lossy);
    take_exact(&chooser);
    clock_add(&seconds->lossy, &start);
    DEBUG_LOG("%u exact and %u lossy removals in %u trials", suggestion->exact.count,
              suggestion->lossy.count, suggestion->trial_count);
}

const char **suggestion_arguments(const struct suggestion *suggestion, struct arena *arena) {
    const char **arguments = ARENA_ARRAY(arena, const char *, suggestion->exact.count + 1);
    assert(suggestion->trial_count <= SUGGEST_MAX_TRIALS);
    for (uint32_t i = 0; i < suggestion->exact.count; i++)
        arguments[i] = suggestion->exact.items[i].removal.argument;
    return arguments;
}

const char **suggestion_merges(const struct suggestion *suggestion, struct arena *arena,
                               uint32_t *count) {
    VEC(const char *) arguments = {0};
    for (uint32_t i = 0; i < suggestion->merges.count; i++) {
        const struct merge_proposal *proposal = &suggestion->merges.items[i].proposal;
        for (uint32_t k = 0; k < proposal->arguments.count; k++)
            VEC_PUSH(arena, &arguments, proposal->arguments.items[k]);
    }
    *count = arguments.count;
    return arguments.items;
}
