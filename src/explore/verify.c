#include "explore/verify.h"

#include <assert.h>

/* The watches of one query. */
struct asked {
    uint32_t first; /* watch; one, or none where the query is invalid */
};

static bool is_bounds(enum quantifier quantifier) {
    return quantifier == QUERY_SUP || quantifier == QUERY_INF || quantifier == QUERY_BOUNDS;
}

static struct watch watch_of(const struct query *query) {
    struct watch watch = {.kind = WATCH_FIND, .predicate = query->predicate};
    watch.is_negated = query->quantifier == QUERY_ALWAYS;
    if (!is_bounds(query->quantifier)) return watch;
    watch.kind = WATCH_BOUNDS;
    watch.exprs = query->exprs;
    watch.expr_count = query->expr_count;
    return watch;
}

static void set_problem(struct answer *answer, const struct candidate *failed) {
    answer->problem = fault_name(failed->fault.kind);
    answer->problem_span = failed->fault.span;
}

static void answer_reachability(struct verification *verification, struct answer *answer,
                                const struct watch *watch) {
    const struct search *search = &verification->search;
    bool is_always = answer->query->quantifier == QUERY_ALWAYS;
    if (watch->found.is_found)
        answer->verdict = is_always ? VERDICT_VIOLATED : VERDICT_SATISFIED;
    else if (watch->failed.is_found)
        set_problem(answer, &watch->failed);
    else if (search->is_complete)
        answer->verdict = is_always ? VERDICT_SATISFIED : VERDICT_VIOLATED;
}

static void answer_bounds(struct verification *verification, struct answer *answer,
                          const struct watch *watch) {
    answer->bounds = ARENA_ARRAY(verification->arena, struct bounds_of, watch->expr_count + 1);
    for (uint32_t i = 0; i < watch->expr_count; i++) answer->bounds[i] = watch->bounds[i];
    if (watch->failed.is_found)
        set_problem(answer, &watch->failed);
    else if (verification->search.is_complete)
        answer->verdict = VERDICT_SATISFIED;
}

static void answer_query(struct verification *verification, struct answer *answer,
                         const struct asked *asked) {
    const struct watch *watch = &verification->search.watches[asked->first];
    switch (answer->query->quantifier) {
    case QUERY_ALWAYS:
    case QUERY_POSSIBLY: answer_reachability(verification, answer, watch); break;
    case QUERY_SUP:
    case QUERY_INF:
    case QUERY_BOUNDS: answer_bounds(verification, answer, watch); break;
    case QUERY_EVENTUALLY:
    case QUERY_POTENTIALLY:
    case QUERY_LEADS_TO: answer->problem = "liveness is not supported yet"; break;
    case QUERY_INVALID:
        answer->problem = answer->query->problem;
        answer->problem_span = answer->query->span;
        break;
    case QUERY_EMPTY: assert(false);
    }
}

bool verify(struct verification *verification, struct arena *arena, const struct network *network,
            const struct query *queries, uint32_t count, const struct verify_options *options) {
    *verification = (struct verification){.arena = arena, .answer_count = count};
    verification->answers = ARENA_ARRAY(arena, struct answer, count + 1);
    struct watch *watches = ARENA_ARRAY(arena, struct watch, count + 1);
    struct asked *asked = ARENA_ARRAY(arena, struct asked, count + 1);
    uint32_t watch_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        verification->answers[i].query = &queries[i];
        asked[i].first = watch_count;
        enum quantifier quantifier = queries[i].quantifier;
        if (is_bounds(quantifier) || quantifier == QUERY_ALWAYS || quantifier == QUERY_POSSIBLY)
            watches[watch_count++] = watch_of(&queries[i]);
    }
    struct search *search = &verification->search;
    if (!search_run(search, network, &options->search, watches, watch_count)) return false;
    for (uint32_t i = 0; i < count; i++)
        answer_query(verification, &verification->answers[i], &asked[i]);
    verification->has_error = search->first_error.is_found;
    verification->error = search->first_error.fault;
    return true;
}

void verify_close(struct verification *verification) { search_close(&verification->search); }
