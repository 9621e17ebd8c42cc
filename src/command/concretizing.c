/* See concretizing.h. */
#include "command/concretizing.h"

#include "session/queries.h"

#include <assert.h>

/* Whether the run of an answer is looked for in the original: not where a run alone proves nothing.
 */
static bool is_followed(const struct answer *answer) { return answer->trace && !answer->known; }

/* Builds the original with the queries of the model that have an answer with a run. */
static bool build_original(const struct concretizing *concretizing,
                           const struct verification *verification) {
    struct arena *arena = &concretizing->session->arena;
    struct query_source *queries =
        ARENA_ARRAY(arena, struct query_source, verification->answer_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        struct str formula = answer->query->xml->formula->text.content;
        if (is_followed(answer))
            queries[count++] =
                (struct query_source){arena_copy(arena, formula.data, formula.size), false,
                                      "query of the abstraction, in the original"};
    }
    return session_build_for(concretizing->original, queries, count);
}

static void follow_all(const struct concretizing *concretizing, struct concretizer *concretizer,
                       struct check_report *report, enum status *status) {
    const struct verification *verification = report->verification;
    struct arena *arena = &concretizing->session->arena;
    const struct concretization **results =
        ARENA_ARRAY(arena, const struct concretization *, verification->answer_count + 1);
    uint32_t query = 0;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        struct concretization *result = ARENA_NEW(arena, struct concretization);
        if (!is_followed(&verification->answers[i])) continue;
        assert(query < concretizing->original->model->query_count);
        concretize(concretizer, query++, verification->answers[i].trace, arena, result);
        results[i] = result;
        if (result->limit != LIMIT_NONE && *status <= STATUS_VIOLATED) *status = STATUS_LIMIT;
    }
    report->concretizations = results;
}

bool concretizing_run(const struct concretizing *concretizing, struct check_report *report,
                      enum status *status) {
    struct session *original = concretizing->original;
    const struct verify_options *verify = concretizing->verify;
    struct visible visible;
    struct concretizer concretizer;
    struct concretize_options limits = {.semantics = verify->semantics,
                                        .max_states = verify->search.max_states,
                                        .max_size = verify->search.max_size,
                                        .max_seconds = verify->search.max_seconds};
    if (!build_original(concretizing, report->verification)) return false;
    const char *problem =
        visible_init(&visible, &concretizing->session->arena, original->network, report->network,
                     concretizing->ignored, concretizing->ignored_count);
    if (problem) diag_error(&original->diag, STATUS_USAGE, 0, "%s", problem);
    if (problem) return false;
    const struct model *model = original->model;
    bool is_ready =
        concretizer_init(&concretizer, &visible, model->queries, model->query_count, &limits);
    if (is_ready) follow_all(concretizing, &concretizer, report, status);
    if (report->verification->lacks_traces && *status <= STATUS_VIOLATED) *status = STATUS_LIMIT;
    concretizer_close(&concretizer);
    report->original = original->network;
    return is_ready;
}
