/* varabs_check and varabs_concretize */
#include "api/job_internal.h"
#include "command/checking.h"
#include "command/concretizing.h"
#include "command/run_model.h"
#include "draw/chart.h"
#include "explore/fair/asked.h"
#include "explore/verdict/if_fair.h"
#include "lang/syntax/query_text.h"
#include "report/check/check_report.h"
#include "session/name_list.h"

struct checked {
    const varabs *job, *second; /* second: the original, or NULL */
    struct session *session, *original;
    const struct verify_options *options;
};

/* Charts and models of the runs, by query; a run that has none is reported. */
static void leave_runs(const struct checked *checked, const struct verification *verification) {
    const long long *settings = checked->job->settings;
    struct session *session = checked->session;
    const char *observer = intern_fresh(&session->names, "run_step");
    struct buffer charts = {0}, models = {0};
    struct str made;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        if (!answer->trace) continue;
        const char *title =
            query_formula(&session->arena, answer->query->xml->formula->text.content);
        if (settings[VARABS_CHARTS] && draw_chart(&made, session->network, answer->trace, title,
                                                  &session->arena, &session->diag))
            job_pack(&charts, i, made);
        if (settings[VARABS_RUN_MODELS] && run_model_make(&made, session, answer->trace, observer))
            job_pack(&models, i, made);
    }
    if (charts.size) run_leave(PART_CHARTS, charts.data, charts.size);
    if (models.size) run_leave(PART_RUN_MODELS, models.data, models.size);
    buffer_close(&charts);
    buffer_close(&models);
}

/* False (reported to it) if the runs cannot be looked for in the original. */
static bool concretize_runs(const struct checked *checked, struct check_report *report,
                            enum status *status) {
    struct concretizing concretizing = {checked->session, checked->original, checked->options, NULL,
                                        0};
    const struct text_list *ignored = &checked->job->ignored;
    concretizing.ignored = names_of_lists(&checked->session->arena, ignored->items, ignored->count,
                                          &concretizing.ignored_count);
    run_tell("looking for the runs in the original");
    return concretizing_run(&concretizing, report, status);
}

static enum varabs_status leave(const struct checked *checked,
                                const struct verification *verification, bool is_done) {
    const varabs *job = checked->job;
    struct session *session = checked->session;
    struct check_report report = {.network = session->network,
                                  .verification = verification,
                                  .semantics = checked->options->semantics,
                                  .arena = &session->arena,
                                  .shows_traces = job->settings[VARABS_TRACES] != 0};
    enum status status = checking_judge(session, verification, checked->options->search.is_full);
    checking_warn(session, verification);
    struct result_page page = {.kind = "check", .first = job_page_model(job, session)};
    if (checked->original && is_done) {
        if (!concretize_runs(checked, &report, &status)) return VARABS_DONE;
        page.second = job_page_model(checked->second, checked->original);
    }
    job_leave_result(job, report_check(&report), page, session);
    leave_runs(checked, verification);
    return (enum varabs_status)status;
}

static enum varabs_status explore(const struct checked *checked) {
    struct verification verification;
    struct session *session = checked->session;
    const struct model *model = session->model;
    enum varabs_status status = VARABS_DONE;
    bool is_done = verify(&verification, &session->arena, session->network, model->queries,
                          model->query_count, checked->options);
    if (is_done) if_fair_find(&verification, session->network, checked->options);
    if (is_done || verification.search->limit != LIMIT_NONE) /* met while edges were prepared */
        status = leave(checked, &verification, is_done);
    verify_close(&verification);
    return status;
}

static enum varabs_status check(const void *given) {
    const struct models *request = given;
    const varabs *job = request->job;
    struct session session, original;
    struct verify_options options = job_verify_options(job);
    const struct checked checked = {job, request->second, &session,
                                    request->second ? &original : NULL, &options};
    enum varabs_status status = VARABS_DONE, of_original = VARABS_DONE;
    bool is_uppaal = job->settings[VARABS_SEMANTICS] == 1;
    options.wants_traces |=
        request->second || job->settings[VARABS_CHARTS] || job->settings[VARABS_RUN_MODELS];
    bool is_ready = job_load(job, &session);
    if (request->second) is_ready = job_load(request->second, &original) && is_ready;
    if (is_ready) {
        uint32_t count;
        const struct query_source *queries = job_queries(job, &session.arena, &count);
        run_tell("exploring");
        if (session_build_for(&session, queries, count) &&
            checking_begin(&session, &options, is_uppaal) &&
            fair_read_arguments(&options.fair, &session.arena, session.model))
            status = explore(&checked);
    }
    if (request->second) of_original = job_finish(&original, PART_SECOND_MESSAGES, VARABS_DONE);
    status = job_finish(&session, PART_MESSAGES, status);
    return status > VARABS_VIOLATED || of_original == VARABS_DONE ? status : of_original;
}

enum varabs_status varabs_check(varabs *job) {
    const struct models request = {.job = job};
    return job_run(job, NULL, check, &request);
}

enum varabs_status varabs_concretize(varabs *job, varabs *original) {
    const struct models request = {.job = job, .second = original};
    if (!original) return job_refuse(job, VARABS_LIMIT, NO_MEMORY);
    return job_run(job, original, check, &request);
}
