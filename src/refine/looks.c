/* See looks.h. */
#include "refine/looks.h"

#include "suggest/candidate.h"

#include <assert.h>
#include <string.h>

uint64_t look_states(const struct looks *looks, uint32_t level) {
    uint64_t states = looks->first;
    for (uint32_t i = 0; i < level; i++) states *= LOOK_FACTOR;
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
        normaliser_run(looks->normaliser, is_asked, &own->normal);
    }
    own->is_exchanged = true;
    return &own->normal;
}

/* ---- looking ---- */

/* The queries of one look. */
struct sharing {
    VEC(uint32_t) list; /* numbers */
    uint32_t level;
};

static bool is_open(const struct looks *looks, uint32_t number, uint32_t level) {
    const struct looked_query *own = &looks->list[number];
    return own->is_asked && !own->is_decided && !own->looks[level].is_done;
}

static void find_sharing(struct looks *looks, uint32_t number, struct sharing *sharing) {
    for (uint32_t i = 0; i < looks->count; i++)
        if (is_open(looks, i, sharing->level) &&
            (i == number || !sharing->level ||
             normal_is_same(normal_of(looks, i), normal_of(looks, number))))
            VEC_PUSH(looks->arena, &sharing->list, i);
}

static void take_answer(struct looks *looks, struct look *look, const struct verification *found,
                        const struct answer *answer) {
    struct refine_side *side = &look->side;
    bool is_known = answer->verdict != VERDICT_UNKNOWN;
    uint64_t states = found->states.value; /* there may be more than JSON can say */
    side->is_made = true;
    side->verdict = answer->verdict;
    side->carries = is_known;
    side->states = states < INT64_MAX ? states : INT64_MAX;
    side->limit = is_known ? LIMIT_NONE : found->search->limit;
    side->reason = answer->problem ? arena_printf(looks->arena, "%s", answer->problem) : NULL;
    if (is_known)
        side->reason = side->is_normal ? "it has the same steps, as far as the query can tell"
                                       : "it is the model itself";
    if (!answer->bounds) return;
    uint32_t count = answer->query->expr_count;
    look->bounds = ARENA_ARRAY(looks->arena, struct bounds_of, count + 1);
    memcpy(look->bounds, answer->bounds, count * sizeof *look->bounds);
}

/* With so many queries, in the order of the sharing. */
static void look_at(struct looks *looks, const struct sharing *sharing,
                    const struct network *network, const struct query *queries,
                    const struct verify_options *options) {
    struct verify_options verify_options = *options;
    struct search_options *search = &verify_options.search;
    struct verification verification;
    struct arena arena;
    struct diag diag;
    uint64_t most = search->max_states, states = look_states(looks, sharing->level);
    arena_init(&arena);
    diag_init(&diag, &arena, &network->model->document->source);
    search->max_states = most && most < states ? most : states;
    search->diag = &diag;
    verify_options.engine = ENGINE_AUTO;
    verify_options.is_look = !most;
    bool is_made =
        verify(&verification, &arena, network, queries, sharing->list.count, &verify_options);
    for (uint32_t i = 0; i < sharing->list.count; i++) {
        struct look *look = &looks->list[sharing->list.items[i]].looks[sharing->level];
        if (is_made)
            take_answer(looks, look, &verification, &verification.answers[i]);
        else
            look->side.reason = arena_printf(looks->arena, "%s", trial_problem(&diag));
    }
    verify_close(&verification);
    arena_close(&arena);
}

static void look_at_original(struct looks *looks, const struct sharing *sharing,
                             const struct verify_options *options) {
    struct query *queries = ARENA_ARRAY(looks->arena, struct query, sharing->list.count + 1);
    for (uint32_t i = 0; i < sharing->list.count; i++)
        queries[i] = *looks->list[sharing->list.items[i]].query;
    look_at(looks, sharing, looks->network, queries, options);
}

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
    look_at(looks, sharing, session.network, session.model->queries, options);
    session_drop(&session);
}

const struct look *looks_take(struct looks *looks, uint32_t number, uint32_t level,
                              const struct verify_options *options) {
    assert(looks->first && number < looks->count && level < LOOK_COUNT &&
           looks->list[number].is_asked);
    struct sharing sharing = {.level = level};
    struct look *own = &looks->list[number].looks[level];
    if (own->is_done) return own;
    const struct normal *normal = level ? normal_of(looks, number) : NULL;
    bool is_normal = normal && normal->places.count;
    find_sharing(looks, number, &sharing);
    for (uint32_t i = 0; i < sharing.list.count; i++)
        looks->list[sharing.list.items[i]].looks[level] = (struct look){
            .is_done = true,
            .side = {.is_tried = true, .is_look = true, .is_exact = true, .is_normal = is_normal}};
    if (is_normal)
        look_at_normal(looks, &sharing, normal->output, options);
    else
        look_at_original(looks, &sharing, options);
    assert(own->is_done);
    return own;
}

void looks_end(struct looks *looks, uint32_t number) {
    assert(number < looks->count);
    looks->list[number].is_decided = true;
}
