#include "refine/by_query.h"

#include "base/interrupt.h"
#include "refine/key_trial.h"
#include "refine/states.h"

enum { BY_QUERY_STATES = 30000 };

struct sharer {
    struct by_query *by_query;
    struct arena *arena;
    struct normaliser *normaliser;
    const struct normal *together;
};

static const struct query *query_of(const struct sharer *sharer, uint32_t query) {
    return &normaliser_queries(sharer->normaliser)->items[query];
}

static void add_query(struct sharer *sharer, uint32_t query) {
    struct by_query *by_query = sharer->by_query;
    bool *is_asked = ARENA_ARRAY(sharer->arena, bool, by_query->query_count + 1);
    struct query_share share = {.is_asked = is_asked, .number = query + 1};
    is_asked[query] = true;
    key_trial_run(sharer->normaliser, is_asked, &share.normal, sharer->arena);
    if (!share.normal.points.count || normal_is_same(&share.normal, sharer->together)) return;
    for (uint32_t i = 0; i < by_query->list.count; i++) {
        struct query_share *own = &by_query->list.items[i];
        if (!normal_is_same(&own->normal, &share.normal)) continue;
        ((bool *)own->is_asked)[query] = true;
        return;
    }
    VEC_PUSH(sharer->arena, &by_query->list, share);
}

static uint32_t asked_count(const struct by_query *by_query, const struct query_share *share) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < by_query->query_count; i++) count += share->is_asked[i];
    return count;
}

/* Asks for these queries together: all get the same exchanges, and other queries are lost. */
static void ask_together(struct sharer *sharer) {
    for (uint32_t i = 0; i < sharer->by_query->list.count; i++) {
        struct query_share *share = &sharer->by_query->list.items[i];
        if (asked_count(sharer->by_query, share) > 1)
            key_trial_run(sharer->normaliser, share->is_asked, &share->normal, sharer->arena);
    }
}

static struct measured measure(struct arena *arena, struct str model) {
    const struct verify_options limits = {.search = {.max_states = BY_QUERY_STATES, .jobs = 1}};
    return measure_model(arena, model, &limits);
}

static bool has_fewer(const struct measured *measured, const struct measured *together) {
    return measured->is_complete && measured->states.is_known &&
           (!together->is_complete || measured->states.value < together->states.value);
}

/* Keeps what has fewer states. */
static void keep_smaller(struct by_query *by_query, struct arena *arena, struct str model) {
    uint32_t kept = 0;
    if (by_query->list.count) by_query->together = measure(arena, model);
    const struct measured *together = &by_query->together;
    for (uint32_t i = 0; i < by_query->list.count && !interrupt_is_asked(); i++) {
        struct query_share *share = &by_query->list.items[i];
        share->measured = measure(arena, share->normal.output);
        bool is_smaller = together->is_complete ? has_fewer(&share->measured, together)
                                                : share->measured.states.is_known;
        if (is_smaller) by_query->list.items[kept++] = *share;
    }
    by_query->list.count = kept;
}

void by_query_make(struct by_query *by_query, struct arena *arena, struct normaliser *normaliser,
                   struct str model, const struct normal *together) {
    struct sharer sharer = {by_query, arena, normaliser, together};
    *by_query = (struct by_query){.query_count = normaliser_queries(normaliser)->count};
    if (by_query->query_count < 2 || by_query->query_count > BY_QUERY_MOST) return;
    for (uint32_t i = 0; i < by_query->query_count && !interrupt_is_asked(); i++)
        if (query_of(&sharer, i)->quantifier != QUERY_FORMULA &&
            query_of(&sharer, i)->quantifier != QUERY_EMPTY)
            add_query(&sharer, i);
    ask_together(&sharer);
    keep_smaller(by_query, arena, together->points.count ? together->output : model);
}

uint32_t by_query_listed(const struct model *model) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->query_count; i++)
        count += model->queries[i].quantifier != QUERY_EMPTY;
    return count;
}

static bool is_dropped(const struct abstraction *abstraction, uint32_t query) {
    bool is = false;
    for (uint32_t i = 0; i < abstraction->dropped_queries.count; i++)
        is |= abstraction->dropped_queries.items[i] == query;
    return is;
}

static void number_share(struct query_share *share, struct arena *arena, const uint32_t *numbers,
                         uint32_t kept, uint32_t all) {
    bool *is_asked = ARENA_ARRAY(arena, bool, all + 1);
    for (uint32_t i = 0; i < kept; i++) is_asked[numbers[i]] = share->is_asked[i];
    share->number = numbers[share->number - 1] + 1;
    share->is_asked = is_asked;
}

void by_query_number(struct by_query *by_query, struct arena *arena,
                     const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, model->query_count + 1);
    uint32_t kept = 0, all = 0;
    for (uint32_t i = 0; i < model->query_count; i++) {
        if (model->queries[i].quantifier == QUERY_EMPTY) continue;
        if (!is_dropped(abstraction, i)) numbers[kept++] = all;
        all++;
    }
    if (kept != by_query->query_count)
        by_query->list.count = 0; /* it is not known which is which */
    for (uint32_t i = 0; i < by_query->list.count; i++)
        number_share(&by_query->list.items[i], arena, numbers, kept, all);
    by_query->query_count = all;
}

/* Takes away what the other share has. False if nothing is left. */
static bool leave_queries(struct by_query *by_query, struct arena *arena, struct query_share *own,
                          const struct query_share *other) {
    bool *is_asked = ARENA_ARRAY(arena, bool, by_query->query_count + 1);
    own->number = 0;
    for (uint32_t i = 0; i < by_query->query_count; i++) {
        is_asked[i] = own->is_asked[i] && !other->is_asked[i];
        if (is_asked[i] && !own->number) own->number = i + 1;
    }
    own->is_asked = is_asked;
    return own->number;
}

static bool share_a_query(const struct by_query *by_query, const struct query_share *left,
                          const struct query_share *right) {
    for (uint32_t i = 0; i < by_query->query_count; i++)
        if (left->is_asked[i] && right->is_asked[i]) return true;
    return false;
}

static void insert(struct by_query *by_query, struct arena *arena, struct query_share share) {
    VEC_PUSH(arena, &by_query->list, share);
    struct query_share *items = by_query->list.items;
    for (uint32_t i = by_query->list.count - 1; i && items[i - 1].number > items[i].number; i--) {
        struct query_share larger = items[i - 1];
        items[i - 1] = items[i];
        items[i] = larger;
    }
}

bool by_query_put(struct by_query *by_query, struct arena *arena, struct str together,
                  struct query_share *share) {
    uint32_t kept = 0;
    if (!by_query->list.count) by_query->together = measure(arena, together);
    share->measured = measure(arena, share->normal.output);
    if (!has_fewer(&share->measured, &by_query->together)) return false;
    for (uint32_t i = 0; i < by_query->list.count; i++)
        if (share_a_query(by_query, &by_query->list.items[i], share) &&
            has_fewer(&by_query->list.items[i].measured, &share->measured))
            return false; /* of as many states, one model for several queries is better */
    for (uint32_t i = 0; i < by_query->list.count; i++) {
        struct query_share own = by_query->list.items[i];
        if (leave_queries(by_query, arena, &own, share)) by_query->list.items[kept++] = own;
    }
    by_query->list.count = kept;
    insert(by_query, arena, *share);
    return true;
}
