/* varabs_check */
#include "api/job_internal.h"
#include "explore/verdict/if_fair.h"
#include "report/check_report.h"
#include "work/checking.h"

static enum varabs_status explore(const varabs *job, struct session *session,
                                  const struct verify_options *options) {
    struct verification verification;
    const struct model *model = session->model;
    enum varabs_status status = VARABS_DONE;
    bool is_done = verify(&verification, &session->arena, session->network, model->queries,
                          model->query_count, options);
    if (is_done) if_fair_find(&verification, session->network, options);
    if (is_done || verification.search->limit != LIMIT_NONE) { /* met while edges were prepared */
        struct check_report report = {.network = session->network,
                                      .verification = &verification,
                                      .semantics = options->semantics,
                                      .arena = &session->arena,
                                      .shows_traces = job->settings[VARABS_TRACES] != 0};
        status =
            (enum varabs_status)checking_judge(session, &verification, options->search.is_full);
        checking_warn(session, &verification);
        job_leave_json(report_check(&report));
    }
    verify_close(&verification);
    return status;
}

static enum varabs_status check(const void *request) {
    const varabs *job = request;
    struct session session;
    struct verify_options options = job_verify_options(job);
    enum varabs_status status = VARABS_DONE;
    bool is_uppaal = job->settings[VARABS_SEMANTICS] == 1;
    if (job_load(job, &session)) {
        uint32_t count;
        const struct query_source *queries = job_queries(job, &session.arena, &count);
        run_tell("exploring");
        if (session_build_for(&session, queries, count) &&
            checking_begin(&session, &options, is_uppaal))
            status = explore(job, &session, &options);
    }
    return job_finish(&session, PART_MESSAGES, status);
}

enum varabs_status varabs_check(varabs *job) { return job_run(job, NULL, check, job); }
