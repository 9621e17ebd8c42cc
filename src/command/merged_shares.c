#include "command/merged_shares.h"

#include "base/interrupt.h"
#include "refine/key_trial.h"
#include "suggest/irrelevant.h"

struct merged_share {
    struct session session;
    struct job job; /* before values are exchanged */
};

enum { MOST_WITHHELD = 32 };

struct maker {
    struct merged_shares *shares;
    struct by_query *by_query;
    const struct merged_base *base;
    const struct suggestion *suggestion;
    struct arena *arena;
};

static struct str text_of(const struct query *query) {
    return str_trim(query->xml->formula->text.content);
}

/* The withheld merges that the query can be asked of, as bits. */
static uint32_t merges_for(const struct maker *maker, uint32_t query) {
    const struct suggestion *suggestion = maker->suggestion;
    const struct query *asked = &maker->base->observed->items[query];
    struct str text = text_of(asked);
    uint32_t merges = 0;
    if (!is_asked_query(asked)) return 0;
    for (uint32_t i = 0; i < suggestion->withheld.count && i < MOST_WITHHELD; i++) {
        const struct withheld_merges *withheld = &suggestion->withheld.items[i];
        bool is_lost = false;
        for (uint32_t k = 0; k < withheld->lost_count; k++)
            is_lost |= str_equal(text, str_of(withheld->lost[k]));
        if (!is_lost) merges |= UINT32_C(1) << i;
    }
    return merges;
}

static const char *const *arguments_of(const struct maker *maker, uint32_t merges,
                                       uint32_t *count) {
    const struct suggestion *suggestion = maker->suggestion;
    VEC(const char *) list = {0};
    for (uint32_t i = 0; i < maker->base->job->merge_count; i++)
        VEC_PUSH(maker->arena, &list, maker->base->job->merges[i]);
    for (uint32_t i = 0; i < suggestion->withheld.count && i < MOST_WITHHELD; i++)
        for (uint32_t k = 0; merges >> i & 1 && k < suggestion->withheld.items[i].count; k++)
            VEC_PUSH(maker->arena, &list, suggestion->withheld.items[i].arguments[k]);
    *count = list.count;
    return list.items;
}

/* Whether the abstraction can be asked the query. */
static bool keeps(const struct abstraction *abstraction, const struct query *query) {
    for (uint32_t i = 0; i < abstraction->dropped_queries.count; i++) {
        const struct model *model = abstraction->network->model;
        const struct query *lost = &model->queries[abstraction->dropped_queries.items[i]];
        if (str_equal(text_of(lost), text_of(query))) return false;
    }
    return true;
}

/* False if it is not exact, or loses one of the queries. */
static bool make_job(const struct maker *maker, struct merged_share *own, uint32_t merges,
                     const bool *is_asked) {
    const struct merged_base *base = maker->base;
    const struct session *session = base->session;
    struct str bytes = document_file_bytes(&session->document);
    bool is_loaded = session_load_bytes(&own->session, session->document.source.name, bytes);
    own->session.is_stdin = session->is_stdin;
    own->session.start = session->start;
    own->session.read = session->read;
    own->job = (struct job){.removals = base->job->removals,
                            .removal_count = base->job->removal_count,
                            .options = base->job->options,
                            .has_mode = base->job->has_mode,
                            .taken_out = base->job->taken_out,
                            .choose_seconds = base->job->choose_seconds};
    own->job.merges = arguments_of(maker, merges, &own->job.merge_count);
    own->job.options.memo = NULL;
    own->job.options.tell = NULL;
    own->job.options.by_cells_only = true; /* as it was tried */
    const struct taken_out *taken_out = base->job->taken_out;
    bool ok = is_loaded && session_build(&own->session) &&
              (!taken_out || irrelevant_take_out(&own->session, taken_out)) &&
              job_read(&own->job, &own->session) && job_make(&own->job, &own->session) &&
              own->job.abstraction.is_exact && !interrupt_is_asked();
    for (uint32_t i = 0; i < base->observed->count && ok; i++)
        ok = !is_asked[i] || keeps(&own->job.abstraction, &base->observed->items[i]);
    return ok;
}

/* Exchanges values as far as these queries do not see it. False if the queries of the output are
 * not those that should be left. */
static bool exchange(const struct maker *maker, struct merged_share *own,
                     struct query_share *share) {
    const struct observed *observed = maker->base->observed;
    const struct abstract_options quick = suggest_quick_options(&own->job.options);
    bool *is_asked = ARENA_ARRAY(maker->arena, bool, observed->count + 1);
    uint32_t left = 0;
    for (uint32_t i = 0; i < observed->count; i++)
        if (keeps(&own->job.abstraction, &observed->items[i]))
            is_asked[left++] = share->is_asked[i];
    share->normal = (struct normal){.output = {0}};
    struct normaliser *normaliser =
        normaliser_new(maker->arena, own->job.abstraction.output, NULL, 0, &quick.analysis);
    bool ok = !normaliser || normaliser_queries(normaliser)->count == left;
    if (normaliser && ok) key_trial_run(normaliser, is_asked, &share->normal, maker->arena);
    normaliser_free(normaliser);
    if (!share->normal.points.count) share->normal.output = own->job.abstraction.output;
    return ok;
}

static void close_share(struct merged_share *own) {
    job_close(&own->job);
    session_drop(&own->session);
}

/* The model for some queries, with as many of the merges as are exact together. */
static void make_share(const struct maker *maker, uint32_t merges, const bool *is_asked) {
    struct query_share share = {.is_asked = is_asked,
                                .shared_merges = maker->base->job->merge_count};
    for (uint32_t last = MOST_WITHHELD; merges && last-- && !interrupt_is_asked();) {
        struct merged_share *own = ARENA_NEW(maker->arena, struct merged_share);
        while (!(merges >> last & 1)) last--;
        share.job = &own->job;
        share.session = &own->session;
        for (share.number = 1; !is_asked[share.number - 1];) share.number++;
        if (make_job(maker, own, merges, is_asked) && exchange(maker, own, &share) &&
            by_query_put(maker->by_query, maker->arena, maker->base->output, &share)) {
            VEC_PUSH(maker->arena, &maker->shares->list, own);
            return;
        }
        close_share(own);
        merges &= ~(UINT32_C(1) << last);
    }
}

void merged_shares_make(struct merged_shares *shares, struct by_query *by_query,
                        const struct merged_base *base, const struct suggestion *suggestion) {
    struct maker maker = {shares, by_query, base, suggestion, suggestion->arena};
    uint32_t count = base->observed->count;
    const struct model *model = base->job->abstraction.network->model;
    if (!suggestion->withheld.count || count < 2 || by_query_listed(model) != count ||
        count > BY_QUERY_MOST || (by_query->list.count && by_query->query_count != count))
        return;
    uint32_t *merges = ARENA_ARRAY(maker.arena, uint32_t, count);
    by_query->query_count = count;
    for (uint32_t i = 0; i < count; i++) merges[i] = merges_for(&maker, i);
    for (uint32_t i = 0; i < count && !interrupt_is_asked(); i++) {
        bool *is_asked = ARENA_ARRAY(maker.arena, bool, count + 1), is_first = merges[i] != 0;
        for (uint32_t k = 0; k < count; k++) {
            is_asked[k] = merges[k] == merges[i];
            is_first &= k >= i || !is_asked[k];
        }
        if (is_first) make_share(&maker, merges[i], is_asked);
    }
}

void merged_shares_close(struct merged_shares *shares) {
    for (uint32_t i = 0; i < shares->list.count; i++) close_share(shares->list.items[i]);
}
