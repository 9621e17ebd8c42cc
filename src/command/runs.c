#include "command/runs.h"

#include "command/reported.h"
#include "command/run_model.h"
#include "draw/chart.h"
#include "lang/syntax/query_text.h"

#include <assert.h>

/* ---- in the original ---- */

/* Whether the run of an answer is looked for in the original: not where a run alone proves nothing.
 */
static bool is_followed(const struct answer *answer) { return answer->trace && !answer->known; }

/* Whether the strategy of an answer is played there. */
static bool is_played(const struct verification *verification, const struct answer *answer) {
    return verification->search->network->model->is_mixed && answer->known && answer->known->plan;
}

/* Builds the original with the queries of the model that have an answer with a run. */
static bool build_original(struct session *original, const struct verification *verification,
                           struct arena *arena) {
    struct query_source *queries =
        ARENA_ARRAY(arena, struct query_source, verification->answer_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        struct str formula = answer->query->xml->formula->text.content;
        if (is_followed(answer) || is_played(verification, answer))
            queries[count++] =
                (struct query_source){arena_copy(arena, formula.data, formula.size), false,
                                      "query of the abstraction, in the original"};
    }
    return session_build_for(original, queries, count);
}

/* What the abstract model lacks may have to step in between, which is not tried. */
static const char *const lacks_processes =
    "the abstract model lacks processes that may have to step";

/* Plays the strategy of an answer. */
static const struct plan_played *play(const struct concretizer *concretizer,
                                      const struct answer *answer, uint32_t query,
                                      struct search *search, struct arena *arena,
                                      enum status *status) {
    struct plan_played *played = ARENA_NEW(arena, struct plan_played);
    if (concretizer->visible->is_gone)
        played->reason = lacks_processes;
    else
        play_plan(played, answer->known->plan, search, concretizer->visible,
                  &concretizer->queries[query], &concretizer->options, arena);
    if (played->limit != LIMIT_NONE && *status <= STATUS_VIOLATED) *status = STATUS_LIMIT;
    if (played->outcome == PLAN_FAILS) {
        *status = STATUS_INVALID;
        diag_warning(concretizer->visible->networks[SIDE_CONCRETE]->model->diag, 0,
                     "the strategy for a query does not do there what it is for: this is no model "
                     "that the mixed one is an abstraction of");
    }
    return played;
}

static void follow_all(struct concretizer *concretizer, struct check_report *report,
                       enum status *status) {
    const struct verification *verification = report->verification;
    struct arena *arena = report->arena;
    const struct concretization **results =
        ARENA_ARRAY(arena, const struct concretization *, verification->answer_count + 1);
    const struct plan_played **played =
        ARENA_ARRAY(arena, const struct plan_played *, verification->answer_count + 1);
    uint32_t query = 0;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        if (is_played(verification, answer))
            played[i] = play(concretizer, answer, query++, verification->search, arena, status);
        if (!is_followed(answer)) continue;
        struct concretization *result = ARENA_NEW(arena, struct concretization);
        concretize(concretizer, query++, verification->answers[i].trace, arena, result);
        if (concretizer->visible->is_gone && result->outcome == CONCRETE_SPURIOUS)
            *result = (struct concretization){.problem = lacks_processes, .states = result->states};
        results[i] = result;
        if (result->limit != LIMIT_NONE && *status <= STATUS_VIOLATED) *status = STATUS_LIMIT;
    }
    report->concretizations = results;
    report->played = played;
}

/* What is compared; processes keep the names that the abstract model has. Strategies look at what is
 * removed in some locations only, so that mixed models are compared without a report. */
static const char *make_visible(struct session *session, struct session *original,
                                const struct command_request *request, struct reported *reported,
                                struct visible *visible) {
    struct network *network = session->network;
    const char **names = ARENA_ARRAY(&session->arena, const char *, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) names[p] = network->processes[p].name;
    const char *path = request->finds_report ? request->first.name : NULL, *problem = "";
    const struct diag before = session->diag;
    bool is_taken = session->model->is_mixed ||
                    reported_take(original, session, &request->report, path, reported);
    if (!is_taken && request->report.bytes.data) { /* this may be the original of its original */
        session->diag = before;
        *reported = (struct reported){.refused = "the report of this abstraction was not taken"};
        is_taken = true;
    }
    if (is_taken)
        problem = reported_visible(reported, visible, &session->arena, original, session,
                                   &request->lists[LIST_IGNORE]);
    for (uint32_t p = 0; p < network->process_count; p++) network->processes[p].name = names[p];
    return problem;
}

/* Where a run is spurious and no removed variable says why: by what it was looked for. */
static void warn_of_names(const struct check_report *report, const struct reported *reported,
                          struct session *session) {
    bool is_by_names = false;
    for (uint32_t i = 0; i < report->verification->answer_count; i++) {
        const struct concretization *result = report->concretizations[i];
        is_by_names |= result && result->outcome == CONCRETE_SPURIOUS && !result->is_at_end &&
                       !result->slot_count;
    }
    if (!is_by_names || reported->is_taken) return;
    reported_warn_refused(reported, session);
    diag_warning(&session->diag, 0,
                 "a run is looked for by the values of all variables that both models have, as "
                 "there is no report of this abstraction; leave out some with --ignore");
}

bool runs_concretize(struct session *session, struct session *original,
                     const struct command_request *request, const struct verify_options *options,
                     struct check_report *report, enum status *status) {
    struct visible visible;
    struct reported reported = {0};
    struct concretizer concretizer;
    struct concretize_options limits = {.semantics = options->semantics,
                                        .max_states = options->search.max_states,
                                        .max_size = options->search.max_size,
                                        .max_seconds = options->search.max_seconds};
    assert(report->network == session->network);
    if (!build_original(original, report->verification, &session->arena)) return false;
    const char *problem = make_visible(session, original, request, &reported, &visible);
    if (problem && *problem) diag_error(&original->diag, STATUS_USAGE, 0, "%s", problem);
    if (problem) return false;
    const struct model *model = original->model;
    bool is_ready =
        concretizer_init(&concretizer, &visible, model->queries, model->query_count, &limits);
    if (is_ready) follow_all(&concretizer, report, status);
    if (is_ready) warn_of_names(report, &reported, session);
    if (report->verification->lacks_traces && *status <= STATUS_VIOLATED) *status = STATUS_LIMIT;
    concretizer_close(&concretizer);
    report->original = original->network;
    return is_ready;
}

/* ---- for people and other tools ---- */

const struct page_chart *runs_charts(struct session *session,
                                     const struct verification *verification, uint32_t *count) {
    struct page_chart *charts =
        ARENA_ARRAY(&session->arena, struct page_chart, verification->answer_count + 1);
    *count = 0;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        struct page_chart *chart = &charts[*count];
        chart->query = i;
        if (answer->trace && draw_chart(&chart->drawing, session->network, answer->trace, "",
                                        &session->arena, &session->diag))
            ++*count;
    }
    return charts;
}

void runs_leave(struct session *session, const struct command_request *request, struct sink *sink,
                const struct verification *verification) {
    const char *observer = intern_fresh(&session->names, "run_step");
    struct diag *diag = &session->diag;
    struct str made;
    bool is_wanted = request->wants_charts || request->wants_run_models, has_run = false;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        if (!answer->trace) continue;
        has_run = true;
        const char *title =
            query_formula(&session->arena, answer->query->xml->formula->text.content);
        if (request->wants_charts &&
            draw_chart(&made, session->network, answer->trace, title, &session->arena, diag))
            sink->put(sink, PART_CHARTS, i, made, diag);
        if (request->wants_run_models && run_model_make(&made, session, answer->trace, observer))
            sink->put(sink, PART_RUN_MODELS, i, made, diag);
    }
    if (is_wanted && !has_run && !request->is_lenient)
        diag_warning(diag, 0, "no query has a run that could be written");
}
