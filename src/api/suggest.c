/* varabs_suggest */
#include "api/job_internal.h"
#include "command/suggesting.h"

static void tell_trial(uint32_t trial, uint32_t most) {
    run_tell("looking for removals: trial %u of at most %u", trial, most);
}

static enum varabs_status suggest(const void *request) {
    const varabs *job = request;
    struct session session;
    struct abstract_options abstract = job_abstract_options(job);
    struct suggesting suggesting = {.session = &session,
                                    .abstract = &abstract,
                                    .verify = job_verify_options(job),
                                    .is_long = job->settings[VARABS_MEASURE] != 0,
                                    .tell = tell_trial};
    enum varabs_status status = VARABS_DONE;
    job_begin_time(job);
    if (job_load(job, &session)) {
        suggesting.queries = job_queries(job, &session.arena, &suggesting.query_count);
        if (session_build_observed(&session, suggesting.queries, suggesting.query_count,
                                   &suggesting.observed)) {
            status = (enum varabs_status)suggesting_run(&suggesting);
            const struct result_page page = {.kind = "suggest",
                                             .first = job_page_model(job, &session)};
            job_leave_result(job, report_suggest(&suggesting.report), page, &session);
            suggesting_close(&suggesting);
        }
    }
    return job_finish(&session, PART_MESSAGES, status);
}

enum varabs_status varabs_suggest(varabs *job) { return job_run(job, NULL, suggest, job); }
