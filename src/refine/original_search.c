#include "refine/original_search.h"

#include "base/interrupt.h"
#include "suggest/candidate.h"

#include <assert.h>
#include <string.h>

uint64_t original_search_states(const struct original_search *search) {
    uint64_t states = search->first;
    for (uint32_t i = 0; i < search->level; i++) states *= STOP_FACTOR;
    return states;
}

void original_search_open(struct original_search *search, struct arena *arena,
                          const struct network *network, const struct query *queries,
                          uint32_t count, const struct abstract_options *abstract) {
    *search = (struct original_search){.arena = arena,
                                       .network = network,
                                       .abstract = abstract,
                                       .count = count,
                                       .first = FIRST_STOP_STATES};
    search->list = ARENA_ARRAY(arena, struct searched_query, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        bool is_asked = is_asked_query(&queries[i]);
        bool is_formula = queries[i].quantifier == QUERY_FORMULA;
        search->list[i] = (struct searched_query){.query = &queries[i],
                                                  .is_asked = is_asked,
                                                  .is_formula = is_formula,
                                                  .source = search->source_count};
        search->source_count += is_asked && !is_formula;
    }
}

/* Frees what was made to exchange values; answers that were taken over stay. */
void original_search_close(struct original_search *search) { normaliser_free(search->normaliser); }

/* ---- which values are exchanged ---- */

static struct query_source source_of(struct arena *arena, const struct query *query) {
    struct str formula = query->xml->formula->text.content;
    return (struct query_source){arena_copy(arena, formula.data, formula.size), false, NULL};
}

static void open_normaliser(struct original_search *search) {
    const struct abstract_options quick = suggest_quick_options(search->abstract);
    struct query_source *sources =
        ARENA_ARRAY(search->arena, struct query_source, search->source_count + 1);
    for (uint32_t i = 0; i < search->count; i++)
        if (search->list[i].is_asked && !search->list[i].is_formula)
            sources[search->list[i].source] = source_of(search->arena, search->list[i].query);
    search->is_opened = true;
    search->normaliser = normaliser_new(search->arena, search->network->model->document->bytes,
                                        sources, search->source_count, &quick.analysis);
    if (!search->normaliser ||
        normaliser_queries(search->normaliser)->count == search->source_count)
        return;
    normaliser_free(search->normaliser); /* a text with several queries in it */
    search->normaliser = NULL;
}

static const struct normal *normal_of(struct original_search *search, uint32_t number) {
    struct searched_query *own = &search->list[number];
    if (own->is_formula) return &own->normal;
    if (!search->is_opened) open_normaliser(search);
    if (!own->is_exchanged && search->normaliser) {
        bool *is_asked = ARENA_ARRAY(search->arena, bool, search->source_count + 1);
        is_asked[own->source] = true;
        normaliser_run(search->normaliser, is_asked, KEYS_ANY, &own->normal);
    }
    own->is_exchanged = true;
    return &own->normal;
}

/* ---- what is found ---- */

/* The queries of one search, by their numbers. */
struct sharing {
    VEC(uint32_t) list;
};

static bool is_open(const struct original_search *search, uint32_t number) {
    return search->list[number].is_asked && !search->list[number].is_decided;
}

/* In so many states, which this limit ended. */
static void take_answer(struct original_search *search, struct search_news *news,
                        const struct answer *answer, uint64_t states, enum search_limit limit) {
    struct refine_side *side = &news->side;
    bool is_known = answer->verdict != VERDICT_UNKNOWN;
    side->is_made = true;
    side->verdict = answer->verdict;
    side->carries = is_known;
    side->states =
        states < INT64_MAX ? states : INT64_MAX; /* there may be more than JSON can say */
    side->limit = is_known ? LIMIT_NONE : limit;
    side->reason = answer->problem ? arena_printf(search->arena, "%s", answer->problem) : NULL;
    if (is_known)
        side->reason = side->is_normal ? "it has the same steps, as far as the query can tell"
                                       : "it is the model itself";
    if (!answer->bounds) return;
    uint32_t count = answer->query->expr_count;
    news->bounds = ARENA_ARRAY(search->arena, struct bounds_of, count + 1);
    memcpy(news->bounds, answer->bounds, count * sizeof *news->bounds);
}

static struct search_news *begin_news(struct original_search *search, uint32_t number,
                                      bool is_normal) {
    struct search_news *news = &search->list[number].news;
    *news = (struct search_news){
        .is_new = true,
        .side = {.is_tried = true, .is_original = true, .is_exact = true, .is_normal = is_normal}};
    return news;
}

/* ---- looking ---- */

/* With so many queries, in the order of the sharing. */
static void search_model(struct original_search *search, const struct sharing *sharing,
                         const struct network *network, const struct query *queries,
                         const struct verify_options *options, bool is_normal) {
    struct verify_options verify_options = *options;
    struct verification verification;
    struct arena arena;
    struct diag diag;
    arena_init(&arena);
    diag_init(&diag, &arena, &network->model->document->source);
    verify_options.search.diag = &diag;
    verify_options.engine = ENGINE_AUTO;
    bool is_made =
        verify(&verification, &arena, network, queries, sharing->list.count, &verify_options);
    bool is_left =
        is_made && verification.engine == ENGINE_EXPLICIT && verification.search->is_left;
    if (is_made && !is_normal) {
        search->is_complete = !is_left && verification.search->is_complete;
        search->has_errors |= verification.has_error || verification.search->errors;
    }
    for (uint32_t i = 0; i < sharing->list.count && !is_left; i++) {
        struct search_news *news = begin_news(search, sharing->list.items[i], is_normal);
        if (is_made)
            take_answer(search, news, &verification.answers[i], verification.figures.states.value,
                        verification.search->limit);
        else
            news->side.reason = arena_printf(search->arena, "%s", trial_problem(&diag));
    }
    verify_close(&verification);
    arena_close(&arena);
}

/* ---- at the model as it is ---- */

struct search_run {
    struct original_search *search;
    const struct sharing *sharing;
    bool (*at_stop)(void *context);
    void *context;
};

static uint64_t stop(void *context, const struct verification *so_far) {
    const struct search_run *run = context;
    struct original_search *search = run->search;
    search->size = store_used(&so_far->search->store);
    for (uint32_t i = 0; i < run->sharing->list.count; i++) {
        uint32_t number = run->sharing->list.items[i];
        if (is_open(search, number))
            take_answer(search, begin_news(search, number, false), &so_far->answers[i],
                        original_search_states(search), LIMIT_STATES);
    }
    if (!run->at_stop(run->context) || ++search->level == STOP_COUNT) return 0;
    return original_search_states(search);
}

void original_search_run(struct original_search *search, const struct verify_options *options,
                         bool (*at_stop)(void *context), void *context) {
    struct sharing sharing = {0};
    struct search_run run = {search, &sharing, at_stop, context};
    struct verify_options stopping = *options;
    struct query *queries = ARENA_ARRAY(search->arena, struct query, search->count + 1);
    stopping.stop = stop;
    stopping.stop_context = &run;
    stopping.first_stop = search->first;
    if (search->first < FIRST_STOP_STATES)
        stopping.search.first_look = search->first; /* for tests */
    for (uint32_t i = 0; i < search->count; i++) {
        if (!is_open(search, i)) continue;
        queries[sharing.list.count] = *search->list[i].query;
        VEC_PUSH(search->arena, &sharing.list, i);
    }
    assert(search->first);
    if (sharing.list.count)
        search_model(search, &sharing, search->network, queries, &stopping, false);
}

/* ---- with values exchanged ---- */

static void search_normal(struct original_search *search, const struct sharing *sharing,
                          struct str model, const struct verify_options *options) {
    uint32_t count = sharing->list.count;
    struct query_source *sources = ARENA_ARRAY(search->arena, struct query_source, count + 1);
    struct session session;
    for (uint32_t i = 0; i < count; i++)
        sources[i] = source_of(search->arena, search->list[sharing->list.items[i]].query);
    bool is_read = session_load_bytes(&session, "(exchanged)", model) &&
                   session_build_for(&session, sources, count);
    assert(is_read && session.model->query_count == count);
    search_model(search, sharing, session.network, session.model->queries, options, true);
    session_drop(&session);
}

/* The open queries for which the same values are exchanged, some at all. */
static struct sharing sharing_of(struct original_search *search, uint32_t number) {
    struct sharing sharing = {0};
    const struct normal *own = normal_of(search, number);
    for (uint32_t i = 0; i < search->count && own->points.count; i++)
        if (is_open(search, i) && normal_is_same(normal_of(search, i), own))
            VEC_PUSH(search->arena, &sharing.list, i);
    return sharing;
}

void original_search_exchange(struct original_search *search,
                              const struct verify_options *options) {
    struct verify_options limits = *options;
    VEC(struct sharing) groups = {0};
    if (search->network->persistent.count) return; /* N9: states may be one then that were not */
    for (uint32_t i = 0; i < search->count && !interrupt_is_asked(); i++) {
        if (!is_open(search, i)) continue;
        struct sharing sharing = sharing_of(search, i);
        if (sharing.list.count && sharing.list.items[0] == i)
            VEC_PUSH(search->arena, &groups, sharing);
    }
    if (!groups.count) return;
    uint64_t most = limits.search.max_states,
             states = original_search_states(search) / EXCHANGED_PART;
    states = states / groups.count;
    if (states < EXCHANGED_STATES) states = EXCHANGED_STATES;
    limits.max_states_is_effort = !most;
    limits.search.max_states = most && most < states ? most : states;
    for (uint32_t i = 0; i < groups.count && !interrupt_is_asked(); i++) {
        const struct sharing *sharing = &groups.items[i];
        search_normal(search, sharing, normal_of(search, sharing->list.items[0])->output, &limits);
    }
}

/* ---- what is new ---- */

const struct search_news *original_search_take(struct original_search *search, uint32_t number) {
    assert(number < search->count && search->list[number].is_asked);
    struct search_news *news = &search->list[number].news;
    if (!news->is_new) return NULL;
    news->is_new = false;
    return news;
}

void original_search_end(struct original_search *search, uint32_t number) {
    assert(number < search->count);
    search->list[number].is_decided = true;
}
