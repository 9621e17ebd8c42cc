#include "refine/measure.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "refine/exact_by_exploring.h"
#include "refine/key_trial.h"
#include "refine/states.h"
#include "suggest/candidate.h"

#include <string.h>

enum { PART_OF_LOOK = 4 }; /* for each removal alone, where the model is not explored completely */

/* ---- a suggestion ---- */

/* The models of a suggestion: by what is removed, and then with values exchanged. */
struct together {
    struct suggestion *suggestion;
    const struct query_source *queries;
    uint32_t query_count;
    struct str base, model;
    struct exchanges exchanges;
};

/* Values are exchanged in the base. */
static void exchange(struct together *together) {
    struct suggestion *suggestion = together->suggestion;
    struct exchanges *exchanges = &together->exchanges;
    struct arena *arena = suggestion->arena;
    const struct abstract_options quick = suggest_quick_options(suggestion->options);
    double start = clock_seconds();
    together->model = together->base;
    if (suggestion->network->persistent.count) return; /* N9: it would not be exact */
    struct normaliser *normaliser = normaliser_new(arena, together->base, together->queries,
                                                   together->query_count, &quick.analysis);
    if (normaliser) {
        key_trial_run(normaliser, NULL, &exchanges->normal, arena);
        clock_add(&suggestion->seconds.exchange, &start);
        by_query_make(&exchanges->by_query, arena, normaliser, together->base, &exchanges->normal);
        clock_add(&suggestion->seconds.by_query, &start);
        if (exchanges->normal.points.count) together->model = exchanges->normal.output;
    }
    normaliser_free(normaliser);
    clock_add(&suggestion->seconds.exchange, &start);
}

/* Without these; empty if that is refused. */
static struct str remove_all(const struct suggestion *suggestion, const char *const *arguments,
                             uint32_t count) {
    struct merge_request request = {.removals = arguments, .removal_count = count};
    request.merges = suggestion_merges(suggestion, suggestion->arena, &request.merge_count);
    if (request.merge_count)
        return merge_trial_run(suggestion->network, &request, suggestion->options,
                               suggestion->arena)
            .trial.output;
    return trial_run(suggestion->network, arguments, count, suggestion->options, suggestion->arena)
        .output;
}

/* An entry of those that are not exact becomes one of what is, shown by exploration. */
static void take_shown(struct suggestion *suggestion, const struct explored_removal *removal) {
    struct suggested *list = suggestion->lossy.items;
    uint32_t at = 0, count = suggestion->lossy.count;
    while (at < count && strcmp(list[at].removal.argument, removal->argument) != 0) at++;
    if (at == count) return; /* of a name that is written in another way there */
    struct suggested shown = list[at];
    shown.measured = (struct measured){
        .states = {true, removal->states,
                   arena_printf(suggestion->arena, "%llu", (unsigned long long)removal->states)},
        .is_complete = true};
    shown.is_refused = false;
    memmove(list + at, list + at + 1, (count - at - 1) * sizeof *list);
    suggestion->lossy.count--;
    VEC_PUSH(suggestion->arena, &suggestion->explored, shown);
}

/* Looks for removals that exploring shows to be exact, as --auto does (command/showing.h). */
static void go_on(struct together *together) {
    struct suggestion *suggestion = together->suggestion;
    struct together after = *together;
    struct explored_exact proof;
    struct explored_removals explored = {.arena = suggestion->arena,
                                         .model = together->model,
                                         .normal = &together->exchanges.normal,
                                         .original = suggestion->network,
                                         .queries = together->queries,
                                         .query_count = together->query_count,
                                         .options = suggestion->options,
                                         .tell = suggestion->tell};
    struct suggest_seconds *seconds = &suggestion->seconds;
    double start = clock_seconds() - seconds->exchange - seconds->by_query;
    explored.merges = suggestion_merges(suggestion, suggestion->arena, &explored.merge_count);
    explored_removals_find(&explored);
    if (explored.list.count) {
        uint32_t count;
        const char **exact = suggestion_arguments(suggestion, suggestion->arena);
        const char **all =
            explored_removals_arguments(&explored, exact, suggestion->exact.count, &count);
        after.exchanges = (struct exchanges){.normal = {.output = {0}}};
        after.base = remove_all(suggestion, all, count);
        if (after.base.size) exchange(&after);
        const struct compared_models models = {together->base, after.base, after.model,
                                               &after.exchanges.normal};
        if (after.base.size && explored_removals_hold(&explored, &models, &proof)) {
            if (proof.is_exchanged) after.exchanges.by_query.list.count = 0;
            *together = after;
            for (uint32_t i = 0; i < explored.list.count; i++)
                take_shown(suggestion, &explored.list.items[i]);
        }
    }
    seconds->further = clock_seconds() - seconds->exchange - seconds->by_query - start;
}

static void measure_together(struct suggestion *suggestion, const struct query_source *queries,
                             uint32_t query_count, const struct verify_options *limits,
                             struct exchanges *exchanges) {
    struct arena *arena = suggestion->arena;
    struct together together = {.suggestion = suggestion,
                                .queries = queries,
                                .query_count = query_count,
                                .base = suggestion->network->model->document->bytes};
    double start = clock_seconds();
    if (suggestion->exact.count || suggestion->merges.count)
        together.base = suggestion->output.size
                            ? suggestion->output
                            : remove_all(suggestion, suggestion_arguments(suggestion, arena),
                                         suggestion->exact.count);
    clock_add(&suggestion->seconds.exact, &start);
    if (!together.base.size) return;
    exchange(&together);
    go_on(&together);
    *exchanges = together.exchanges;
    start = clock_seconds();
    suggestion->together = measure_model(arena, together.model, limits);
    clock_add(&suggestion->seconds.states, &start);
}

static enum worth worth_of(const struct measured *original, const struct measured *measured) {
    if (!original->is_complete || !original->states.is_known || !measured->states.is_known)
        return measured->is_complete && original->states.is_known ? WORTH_FEWER : WORTH_UNKNOWN;
    if (measured->states.value > original->states.value) return WORTH_MORE;
    if (!measured->is_complete) return WORTH_UNKNOWN;
    return measured->states.value < original->states.value ? WORTH_FEWER : WORTH_NO_FEWER;
}

/* States of the must-abstraction of a removal, up to two; 0 if it cannot be explored. */
static uint64_t must_states(const struct suggestion *suggestion, const char *argument,
                            const struct abstract_options *options,
                            const struct verify_options *limits) {
    struct verify_options two = *limits;
    two.search.max_states = 2;
    two.max_states_is_effort = false;
    struct trial trial = trial_run(suggestion->network, &argument, 1, options, suggestion->arena);
    struct measured must = measure_model(suggestion->arena, trial.output, &two);
    return must.states.is_known ? must.states.value : 0;
}

/* Whether no step is left of a must-abstraction of a model that has some. Whether more can be kept
 * is looked for only if nothing is left without. */
static void measure_must(struct suggestion *suggestion, struct suggested *suggested,
                         const struct verify_options *limits) {
    struct abstract_options options = suggest_quick_options(suggestion->options);
    const char *argument = suggested->removal.argument;
    if (!suggestion->original.states.is_known || suggestion->original.states.value <= 1) return;
    options.mode = MODE_MUST;
    options.drops_priorities = options.writes_nothing = false;
    options.searches_nothing = options.keeps_uncalled = options.writes_first_step = true;
    options.known = suggestion->values;
    uint64_t states = must_states(suggestion, argument, &options, limits);
    options.searches_nothing = false;
    options.known = NULL;
    if (states <= 1) states = must_states(suggestion, argument, &options, limits);
    suggested->must_is_measured = states > 0;
    suggested->must_stands_still = states == 1;
}

static void measure_alone(struct suggestion *suggestion, struct suggested *suggested,
                          const struct verify_options *limits) {
    struct verify_options own = *limits;
    const struct measured *original = &suggestion->original;
    double start = clock_seconds();
    if (original->is_complete && original->states.value < own.search.max_states) {
        own.search.max_states = original->states.value + 1;
        own.engine = ENGINE_EXPLICIT; /* which ends there */
        own.max_states_is_effort = false;
    } else if (own.max_states_is_effort && !original->is_complete) {
        own.search.max_states /= PART_OF_LOOK;
    }
    suggested->measured = measure_model(suggestion->arena, suggested->output, &own);
    suggested->worth = worth_of(original, &suggested->measured);
    clock_add(&suggestion->seconds.alone, &start);
    measure_must(suggestion, suggested, limits);
    clock_add(&suggestion->seconds.must_alone, &start);
}

static bool is_before(const struct suggested *left, const struct suggested *right) {
    if (left->worth != right->worth) return left->worth < right->worth;
    return left->worth == WORTH_FEWER && left->measured.states.value < right->measured.states.value;
}

/* Merges that lose no more than a query's name, no further than the original goes. */
static void measure_merges(struct suggestion *suggestion, const struct verify_options *limits) {
    struct verify_options own = *limits;
    const struct measured *original = &suggestion->original;
    double start = clock_seconds();
    if (original->is_complete && original->states.value < own.search.max_states)
        own.search.max_states = original->states.value + 1;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < suggestion->lossy_merges.count; i++) {
        struct suggested_merges *merges = &suggestion->lossy_merges.items[i];
        struct str output = merges->tried.trial.output;
        if (output.size && !interrupt_is_asked())
            merges->measured = measure_model(suggestion->arena, output, &own);
        merges->worth = worth_of(original, &merges->measured);
        if (merges->worth <= WORTH_UNKNOWN) suggestion->lossy_merges.items[kept++] = *merges;
    }
    suggestion->lossy_merges.count = kept; /* what has no fewer states is worth no word */
    clock_add(&suggestion->seconds.alone, &start);
}

/* Stable: those of which nothing is known stay by their estimates. */
static void rank(struct suggestion *suggestion) {
    struct suggested *list = suggestion->lossy.items;
    for (uint32_t i = 1; i < suggestion->lossy.count; i++) {
        struct suggested own = list[i];
        uint32_t at = i;
        for (; at && is_before(&own, &list[at - 1]); at--) list[at] = list[at - 1];
        list[at] = own;
    }
}

void measure_suggestion(struct suggestion *suggestion, const struct query_source *queries,
                        uint32_t query_count, const struct verify_options *limits,
                        struct exchanges *exchanges) {
    double start = clock_seconds();
    suggestion->is_measured = true;
    suggestion->original = measure_network(suggestion->arena, suggestion->network, limits);
    clock_add(&suggestion->seconds.states, &start);
    measure_together(suggestion, queries, query_count, limits, exchanges);
    for (uint32_t i = 0; i < suggestion->lossy.count; i++) {
        struct suggested *suggested = &suggestion->lossy.items[i];
        suggested->worth = WORTH_UNKNOWN;
        if (suggested->output.size && !interrupt_is_asked())
            measure_alone(suggestion, suggested, limits);
    }
    measure_merges(suggestion, limits);
    for (uint32_t i = 0; i < suggestion->explored.count && !interrupt_is_asked(); i++)
        measure_must(suggestion, &suggestion->explored.items[i], limits);
    rank(suggestion);
}
