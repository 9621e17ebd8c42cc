/* See measure.h. */
#include "refine/measure.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "refine/fewest.h"
#include "refine/states.h"
#include "suggest/candidate.h"

enum { PART_OF_LOOK = 4 }; /* for each removal alone, where the model is not explored completely */

/* ---- a suggestion ---- */

static void measure_together(struct suggestion *suggestion, const struct query_source *queries,
                             uint32_t query_count, const struct verify_options *limits,
                             struct exchanges *exchanges) {
    struct arena *arena = suggestion->arena;
    const struct abstract_options short_look = suggest_short_look(suggestion->options);
    struct str model = suggestion->network->model->document->bytes;
    struct suggest_seconds *seconds = &suggestion->seconds;
    double start = clock_seconds();
    if (suggestion->exact.count)
        model = suggestion->output.size
                    ? suggestion->output
                    : trial_run(suggestion->network, suggestion_arguments(suggestion, arena),
                                suggestion->exact.count, suggestion->options, arena)
                          .output;
    clock_add(&seconds->exact, &start);
    if (!model.size) return;
    struct normaliser *normaliser =
        normaliser_new(arena, model, queries, query_count, &short_look.analysis);
    if (normaliser) {
        fewest_run(normaliser, NULL, &exchanges->normal, arena);
        clock_add(&seconds->exchange, &start);
        by_query_make(&exchanges->by_query, arena, normaliser, model, &exchanges->normal);
        clock_add(&seconds->by_query, &start);
        if (exchanges->normal.places.count) model = exchanges->normal.output;
    }
    normaliser_free(normaliser);
    clock_add(&seconds->exchange, &start);
    suggestion->together = measure_model(arena, model, limits);
    clock_add(&seconds->states, &start);
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
    two.is_look = false;
    struct trial trial = trial_run(suggestion->network, &argument, 1, options, suggestion->arena);
    struct measured must = measure_model(suggestion->arena, trial.output, &two);
    return must.states.is_known ? must.states.value : 0;
}

/* Whether no step is left of a must-abstraction of a model that has some. Whether more can be kept
 * is looked for only if nothing is left without. */
static bool must_stands_still(const struct suggestion *suggestion, const char *argument,
                              const struct verify_options *limits) {
    struct abstract_options options = suggest_short_look(suggestion->options);
    if (!suggestion->original.states.is_known || suggestion->original.states.value <= 1)
        return false;
    options.mode = MODE_MUST;
    options.drops_priorities = options.writes_nothing = false;
    options.searches_nothing = true;
    options.known = suggestion->values;
    if (must_states(suggestion, argument, &options, limits) > 1) return false;
    options.searches_nothing = false;
    options.known = NULL;
    return must_states(suggestion, argument, &options, limits) == 1;
}

static void measure_alone(struct suggestion *suggestion, struct suggested *suggested,
                          const struct verify_options *limits) {
    struct verify_options own = *limits;
    const struct measured *original = &suggestion->original;
    double start = clock_seconds();
    if (original->is_complete && original->states.value < own.search.max_states) {
        own.search.max_states = original->states.value + 1;
        own.engine = ENGINE_EXPLICIT; /* which ends there */
        own.is_look = false;
    } else if (own.is_look && !original->is_complete) {
        own.search.max_states /= PART_OF_LOOK;
    }
    suggested->measured = measure_model(suggestion->arena, suggested->output, &own);
    suggested->worth = worth_of(original, &suggested->measured);
    clock_add(&suggestion->seconds.alone, &start);
    suggested->must_stands_still =
        must_stands_still(suggestion, suggested->removal.argument, limits);
    clock_add(&suggestion->seconds.must_alone, &start);
}

static bool is_before(const struct suggested *left, const struct suggested *right) {
    if (left->worth != right->worth) return left->worth < right->worth;
    return left->worth == WORTH_FEWER && left->measured.states.value < right->measured.states.value;
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
    rank(suggestion);
}
