/* See looks.h. */
#include "refine/looks.h"

#include "base/interrupt.h"
#include "suggest/candidate.h"

#include <assert.h>
#include <string.h>

uint64_t looks_states(const struct looks *looks) {
    uint64_t states = looks->first;
    for (uint32_t i = 0; i < looks->level; i++) states *= LOOK_FACTOR;
    return states;
}

bool looks_are_for(const struct query *query) {
    return query->quantifier != QUERY_EMPTY && query->quantifier != QUERY_INVALID &&
           query->quantifier != QUERY_FORMULA;
}

void looks_open(struct looks *looks, struct arena *arena, const struct network *network,
                const struct query *queries, uint32_t count,
                const struct abstract_options *abstract) {
    *looks = (struct looks){.arena = arena,
                            .network = network,
                            .abstract = abstract,
                            .count = count,
                            .first = LOOK_STATES};
    looks->list = ARENA_ARRAY(arena, struct looked_query, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        bool is_asked = looks_are_for(&queries[i]);
        looks->list[i] = (struct looked_query){
            .query = &queries[i], .is_asked = is_asked, .source = looks->asked_count};
        looks->asked_count += is_asked;
    }
}

/* Frees what was made to exchange values; answers that were taken over stay. */
void looks_close(struct looks *looks) { normaliser_free(looks->normaliser); }

/* ---- which values are exchanged ---- */

static struct query_source source_of(struct arena *arena, const struct query *query) {
    struct str formula = query->xml->formula->text.content;
    return (struct query_source){arena_copy(arena, formula.data, formula.size), false, NULL};
}

static void open_normaliser(struct looks *looks) {
    const struct abstract_options short_look = suggest_short_look(looks->abstract);
    struct query_source *sources =
        ARENA_ARRAY(looks->arena, struct query_source, looks->asked_count + 1);
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->list[i].is_asked)
            sources[looks->list[i].source] = source_of(looks->arena, looks->list[i].query);
    looks->is_opened = true;
    looks->normaliser = normaliser_new(looks->arena, looks->network->model->document->bytes,
                                       sources, looks->asked_count, &short_look.analysis);
    if (!looks->normaliser || normaliser_queries(looks->normaliser)->count == looks->asked_count)
        return;
    normaliser_free(looks->normaliser); /* a text with several queries in it */
    looks->normaliser = NULL;
}

static const struct normal *normal_of(struct looks *looks, uint32_t number) {
    struct looked_query *own = &looks->list[number];
    if (!looks->is_opened) open_normaliser(looks);
    if (!own->is_exchanged && looks->normaliser) {
        bool *is_asked = ARENA_ARRAY(looks->arena, bool, looks->asked_count + 1);
        is_asked[own->source] = true;
        normaliser_run(looks->normaliser, is_asked, true, &own->normal);
    }
    own->is_exchanged = true;
    return &own->normal;
}

/* ---- what is found ---- */

/* The queries of one look, by their numbers. */
struct sharing {
    VEC(uint32_t) list;
};

static bool is_open(const struct looks *looks, uint32_t number) {
    return looks->list[number].is_asked && !looks->list[number].is_decided;
}

/* In so many states, which this limit ended. */
static void take_answer(struct looks *looks, struct look *look, const struct answer *answer,
                        uint64_t states, enum search_limit limit) {
    struct refine_side *side = &look->side;
    bool is_known = answer->verdict != VERDICT_UNKNOWN;
    side->is_made = true;
    side->verdict = answer->verdict;
    side->carries = is_known;
    side->states =
        states < INT64_MAX ? states : INT64_MAX; /* there may be more than JSON can say */
    side->limit = is_known ? LIMIT_NONE : limit;
    side->reason = answer->problem ? arena_printf(looks->arena, "%s", answer->problem) : NULL;
    if (is_known)
        side->reason = side->is_normal ? "it has the same steps, as far as the query can tell"
                                       : "it is the model itself";
    if (!answer->bounds) return;
    uint32_t count = answer->query->expr_count;
    look->bounds = ARENA_ARRAY(looks->arena, struct bounds_of, count + 1);
    memcpy(look->bounds, answer->bounds, count * sizeof *look->bounds);
}

static struct look *begin_look(struct looks *looks, uint32_t number, bool is_normal) {
    struct look *look = &looks->list[number].look;
    *look = (struct look){
        .is_new = true,
        .side = {.is_tried = true, .is_look = true, .is_exact = true, .is_normal = is_normal}};
    return look;
}

/* ---- looking ---- */

/* With so many queries, in the order of the sharing. */
static void look_at(struct looks *looks, const struct sharing *sharing,
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
        looks->is_complete = !is_left && verification.search->is_complete;
        looks->has_errors |= verification.has_error || verification.search->errors;
    }
    for (uint32_t i = 0; i < sharing->list.count && !is_left; i++) {
        struct look *look = begin_look(looks, sharing->list.items[i], is_normal);
        if (is_made)
            take_answer(looks, look, &verification.answers[i], verification.figures.states.value,
                        verification.search->limit);
        else
            look->side.reason = arena_printf(looks->arena, "%s", trial_problem(&diag));
    }
    verify_close(&verification);
    arena_close(&arena);
}

/* ---- at the model as it is ---- */

struct looking {
    struct looks *looks;
    const struct sharing *sharing;
    bool (*at_stop)(void *context);
    void *context;
};

static uint64_t stop(void *context, const struct verification *so_far) {
    const struct looking *looking = context;
    struct looks *looks = looking->looks;
    looks->size = store_used(&so_far->search->store);
    for (uint32_t i = 0; i < looking->sharing->list.count; i++) {
        uint32_t number = looking->sharing->list.items[i];
        if (is_open(looks, number))
            take_answer(looks, begin_look(looks, number, false), &so_far->answers[i],
                        looks_states(looks), LIMIT_STATES);
    }
    if (!looking->at_stop(looking->context) || ++looks->level == LOOK_COUNT) return 0;
    return looks_states(looks);
}

void looks_run(struct looks *looks, const struct verify_options *options,
               bool (*at_stop)(void *context), void *context) {
    struct sharing sharing = {0};
    struct looking looking = {looks, &sharing, at_stop, context};
    struct verify_options stopping = *options;
    struct query *queries = ARENA_ARRAY(looks->arena, struct query, looks->count + 1);
    stopping.stop = stop;
    stopping.stop_context = &looking;
    stopping.first_stop = looks->first;
    if (looks->first < LOOK_STATES) stopping.search.first_look = looks->first; /* for tests */
    for (uint32_t i = 0; i < looks->count; i++) {
        if (!is_open(looks, i)) continue;
        queries[sharing.list.count] = *looks->list[i].query;
        VEC_PUSH(looks->arena, &sharing.list, i);
    }
    assert(looks->first);
    if (sharing.list.count) look_at(looks, &sharing, looks->network, queries, &stopping, false);
}

/* ---- with values exchanged ---- */

static void look_at_normal(struct looks *looks, const struct sharing *sharing, struct str model,
                           const struct verify_options *options) {
    uint32_t count = sharing->list.count;
    struct query_source *sources = ARENA_ARRAY(looks->arena, struct query_source, count + 1);
    struct session session;
    for (uint32_t i = 0; i < count; i++)
        sources[i] = source_of(looks->arena, looks->list[sharing->list.items[i]].query);
    bool is_read = session_load_bytes(&session, "(exchanged)", model) &&
                   session_build_for(&session, sources, count);
    assert(is_read && session.model->query_count == count);
    look_at(looks, sharing, session.network, session.model->queries, options, true);
    session_drop(&session);
}

/* The open queries for which the same values are exchanged, some at all. */
static struct sharing sharing_of(struct looks *looks, uint32_t number) {
    struct sharing sharing = {0};
    const struct normal *own = normal_of(looks, number);
    for (uint32_t i = 0; i < looks->count && own->points.count; i++)
        if (is_open(looks, i) && normal_is_same(normal_of(looks, i), own))
            VEC_PUSH(looks->arena, &sharing.list, i);
    return sharing;
}

void looks_exchange(struct looks *looks, const struct verify_options *options) {
    struct verify_options limits = *options;
    VEC(struct sharing) groups = {0};
    for (uint32_t i = 0; i < looks->count && !interrupt_is_asked(); i++) {
        if (!is_open(looks, i)) continue;
        struct sharing sharing = sharing_of(looks, i);
        if (sharing.list.count && sharing.list.items[0] == i)
            VEC_PUSH(looks->arena, &groups, sharing);
    }
    if (!groups.count) return;
    uint64_t most = limits.search.max_states, states = looks_states(looks) / EXCHANGED_PART;
    states = states / groups.count;
    if (states < EXCHANGED_STATES) states = EXCHANGED_STATES;
    limits.is_look = !most;
    limits.search.max_states = most && most < states ? most : states;
    for (uint32_t i = 0; i < groups.count && !interrupt_is_asked(); i++) {
        const struct sharing *sharing = &groups.items[i];
        look_at_normal(looks, sharing, normal_of(looks, sharing->list.items[0])->output, &limits);
    }
}

/* ---- what is new ---- */

const struct look *looks_take(struct looks *looks, uint32_t number) {
    assert(number < looks->count && looks->list[number].is_asked);
    struct look *look = &looks->list[number].look;
    if (!look->is_new) return NULL;
    look->is_new = false;
    return look;
}

void looks_end(struct looks *looks, uint32_t number) {
    assert(number < looks->count);
    looks->list[number].is_decided = true;
}
