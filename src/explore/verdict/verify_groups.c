/* Queries in groups by what they allow to change places (Y12): those with the largest group of
 * permutations are answered first, by the orbits of that; the others wait for runs of their own. */
#include "explore/verdict/verify_internal.h"

#include "base/clock.h"

#include <assert.h>

enum {
    MOST_QUERIES = 64,
    CANONICAL_COST = 4 /* by default, where work counts: of a canonical state beside another one */
};

/* What is left of a time that is over. */
#define LEAST_SECONDS 1e-6

/* Explorations apart may take so many times what one for all queries takes. */
static const double most_times = 1.2;

/* A look for permutations that keep queries. */
struct group_request {
    struct arena *arena;
    const struct network *network;
    const struct query *queries;
    uint32_t count;
    uint64_t most_text;
    bool is_certain;
    double of_canonical; /* what a canonical state takes beside another one */
    double most_times;
};

/* What a state takes beside one that is stored as it is, where it is to become canonical. */
static double cost_of(uint64_t size, double of_canonical) {
    assert(size && of_canonical > 0);
    return size > 1 ? of_canonical / (double)size : 1;
}

struct grouping {
    const struct group_request *request;
    const char **keys; /* by query: its blocks; queries with the same ones are looked at together */
    uint64_t *sizes;   /* of its permutations */
};

static const struct symmetry *find(const struct group_request *request, const struct query *queries,
                                   uint32_t count) {
    return (request->is_certain ? symmetry_find : symmetry_find_tried)(
        request->arena, request->network, queries, count, request->most_text);
}

/* The queries that have the same key as one. */
static uint32_t collect(const struct grouping *grouping, uint32_t first, struct query *list) {
    const struct group_request *request = grouping->request;
    uint32_t count = 0;
    assert(first < request->count);
    for (uint32_t i = 0; i < request->count; i++)
        if (!strcmp(grouping->keys[i], grouping->keys[first])) list[count++] = request->queries[i];
    return count;
}

/* Sum of what runs of all groups take; *largest: a query of the one with most permutations. */
static double cost_apart(const struct grouping *grouping, uint32_t *largest) {
    double cost = 0;
    *largest = 0;
    for (uint32_t i = 0; i < grouping->request->count; i++) {
        bool is_first = true;
        for (uint32_t k = 0; k < i; k++)
            is_first &= strcmp(grouping->keys[i], grouping->keys[k]) != 0;
        if (is_first) cost += cost_of(grouping->sizes[i], grouping->request->of_canonical);
        if (grouping->sizes[i] > grouping->sizes[*largest]) *largest = i;
    }
    return cost;
}

/* The permutations that keep all queries, or, where that is less work in all, the largest group of
 * queries that allow the same; the others wait. */
static const struct symmetry *group_first(const struct group_request *request, bool *waits) {
    struct arena *arena = request->arena;
    uint32_t count = request->count, largest;
    struct grouping grouping = {.request = request};
    const struct symmetry *all = find(request, request->queries, count);
    if (count < 2 || count > MOST_QUERIES || request->most_times <= 0) return all;
    double most = cost_of(all->size, request->of_canonical) * request->most_times;
    uint64_t size = find(request, NULL, 0)->size;
    if (size == all->size || cost_of(size, request->of_canonical) * 2 > most) return all;
    grouping.keys = ARENA_ARRAY(arena, const char *, count);
    grouping.sizes = ARENA_ARRAY(arena, uint64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct symmetry *own = find(request, &request->queries[i], 1);
        grouping.keys[i] = symmetry_blocks_text(own, arena);
        grouping.sizes[i] = own->size;
    }
    if (cost_apart(&grouping, &largest) > most) return all;
    struct query *list = ARENA_ARRAY(arena, struct query, count);
    const struct symmetry *first = find(request, list, collect(&grouping, largest, list));
    if (first->size <= all->size) return all; /* together they allow less */
    for (uint32_t i = 0; i < count; i++)
        waits[i] = strcmp(grouping.keys[i], grouping.keys[largest]) != 0;
    return first;
}

/* ---- the choice ---- */

static const struct symmetry *find_kept(struct symmetry_choice *choice, bool is_quick) {
    memset(choice->waits, 0, choice->count * sizeof *choice->waits);
    struct group_request request = {.arena = choice->verification->arena,
                                    .network = choice->network,
                                    .queries = choice->queries,
                                    .count = choice->count,
                                    .most_text =
                                        is_quick ? SYMMETRY_QUICK_LOOK : SYMMETRY_LONG_LOOK,
                                    .is_certain = choice->is_certain,
                                    .of_canonical = is_quick ? CANONICAL_COST : 1,
                                    .most_times = choice->are_together ? 0 : most_times};
    const struct symmetry *symmetry = group_first(&request, choice->waits);
    const struct plan *plan = choice->plan;
    for (uint32_t i = 0; i < choice->count; i++) {
        uint32_t end = i + 1 < choice->count ? plan->first_watch[i + 1] : plan->watch_count;
        for (uint32_t k = plan->first_watch[i]; k < end; k++)
            plan->watches[k].waits = choice->waits[i];
    }
    choice->verification->symmetry = symmetry;
    return symmetry;
}

static const struct symmetry *find_symmetry(void *context) { return find_kept(context, true); }

void choose_symmetry(struct symmetry_choice *choice, struct verify_options *options) {
    struct verification *verification = choice->verification;
    bool is_usable = verification->engine != ENGINE_SYMBOLIC && !fair_is_asked(&options->fair);
    options->search.symmetry = NULL;
    options->search.find_symmetry = NULL;
    options->search.symmetry_context = choice;
    if (options->symmetry == SYMMETRY_OFF || !is_usable) return;
    if (options->symmetry == SYMMETRY_AUTO || options->stop || options->max_states_is_effort) {
        options->search.find_symmetry = find_symmetry;
        return;
    }
    const struct symmetry *symmetry = find_kept(choice, false);
    if (!symmetry->block_count) return;
    options->search.symmetry = symmetry;
    verification->engine = ENGINE_EXPLICIT;
}

bool search_certainly(struct search *search, const struct network *network,
                      struct verify_options *options, const struct plan *plan) {
    struct symmetry_choice *choice = options->search.symmetry_context;
    double start = search->start, most = options->search.max_seconds;
    assert(!choice->is_certain);
    choice->is_certain = true;
    options->search.stop = search->options.stop;
    search_close(search);
    choose_symmetry(choice, options);
    double lost = clock_seconds() - start;
    if (most > 0) options->search.max_seconds = most > lost ? most - lost : LEAST_SECONDS;
    bool is_prepared =
        search_run(search, network, &options->search, plan->watches, plan->watch_count);
    search->start = start;
    search->options.max_seconds = most;
    search->seconds = clock_seconds() - start;
    assert(!search->orders_differ);
    return is_prepared;
}

/* ---- the rest ---- */

static void swap_searches(struct verification *left, struct verification *right) {
    struct verification kept = *left;
    left->search = right->search;
    left->engine = right->engine;
    left->figures = right->figures;
    left->symmetry = right->symmetry;
    right->search = kept.search;
    right->engine = kept.engine;
    right->figures = kept.figures;
    right->symmetry = kept.symmetry;
}

static void note_apart(struct verification *verification, const struct verification *rest,
                       const uint32_t *numbers) {
    struct answered_apart *own = ARENA_NEW(verification->arena, struct answered_apart);
    uint32_t *queries = ARENA_ARRAY(verification->arena, uint32_t, rest->answer_count);
    *own = (struct answered_apart){.symmetry = rest->symmetry,
                                   .figures = rest->figures,
                                   .queries = queries,
                                   .next = rest->apart};
    for (uint32_t i = 0; i < rest->answer_count; i++) {
        bool is_here = true;
        for (const struct answered_apart *at = rest->apart; at; at = at->next)
            for (uint32_t k = 0; k < at->count; k++) is_here &= at->queries[k] != i;
        if (is_here) queries[own->count++] = i;
    }
    verification->apart = own;
    for (; own; own = own->next)
        for (uint32_t k = 0; k < own->count; k++)
            ((uint32_t *)own->queries)[k] = numbers[own->queries[k]];
}

static void take(struct verification *verification, struct verification *rest,
                 const uint32_t *numbers, const struct query *queries) {
    assert(rest->answer_count <= verification->answer_count);
    for (uint32_t i = 0; i < rest->answer_count; i++) {
        struct answer *answer = &verification->answers[numbers[i]];
        *answer = rest->answers[i];
        answer->query = &queries[numbers[i]];
    }
    note_apart(verification, rest, numbers);
    if (!verification->has_error && rest->has_error) {
        verification->has_error = true;
        verification->error = rest->error;
        verification->error_trace = rest->error_trace;
    }
    verification->lacks_traces |= rest->lacks_traces;
    verification->nodes += rest->nodes;
    size_t peak = verification->search->peak_size;
    if (rest->search->peak_size > peak) peak = rest->search->peak_size;
    enum search_limit limit = verification->search->limit;
    if (limit == LIMIT_NONE) limit = rest->search->limit;
    if (!verification->search->is_complete && rest->search->is_complete)
        swap_searches(verification, rest);
    verification->search->peak_size = peak;
    verification->search->limit = limit;
}

/* What is left of the limits; false if nothing is. */
static bool limit_rest(struct search_options *search, const struct search *first) {
    double elapsed = clock_seconds() - first->start;
    if (limit_stays(first->limit)) return false;
    if (search->max_seconds > 0 && search->max_seconds <= elapsed) return false;
    if (search->max_seconds > 0) search->max_seconds -= elapsed;
    search->is_full = false;
    return true;
}

bool verify_rest(const struct symmetry_choice *choice, const struct verify_options *options) {
    struct verification *verification = choice->verification;
    struct arena *arena = verification->arena;
    uint32_t rest_count = 0;
    struct query *list = ARENA_ARRAY(arena, struct query, choice->count + 1);
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, choice->count + 1);
    struct verify_options own = *options;
    struct verification rest;
    for (uint32_t i = 0; i < choice->count && verification->search->symmetry; i++) {
        if (!choice->waits[i]) continue;
        numbers[rest_count] = i;
        list[rest_count++] = choice->queries[i];
    }
    if (!rest_count || !limit_rest(&own.search, verification->search)) return true;
    assert(rest_count < choice->count);
    own.tries_no_orders |= choice->is_certain;
    double start = verification->search->start;
    store_close(&verification->search->store); /* its memory is for the rest */
    bool is_done = verify(&rest, arena, choice->network, list, rest_count, &own);
    if (is_done) take(verification, &rest, numbers, choice->queries);
    verification->search->start = start;
    verify_close(&rest);
    return is_done;
}
