/* varabs_decide */
#include "api/job_internal.h"
#include "work/deciding.h"

static void begin_round(void *context, const struct decide_report *report, uint32_t number) {
    (void)context;
    run_tell("query %u, round %u", report->list.count, number);
}

static enum varabs_status decide(const void *request) {
    const varabs *job = request;
    struct session session;
    struct abstract_options abstract = job_abstract_options(job);
    struct deciding deciding = {.session = &session,
                                .input = job->name,
                                .abstract = &abstract,
                                .verify = job_verify_options(job),
                                .keeps_runs = job->settings[VARABS_TRACES] != 0,
                                .begin_round = begin_round};
    enum varabs_status status = VARABS_DONE;
    job_begin_time(job);
    if (job_load(job, &session)) {
        uint32_t count;
        const struct query_source *queries = job_queries(job, &session.arena, &count);
        if (session_build_observed(&session, queries, count, &deciding.observed)) {
            status = (enum varabs_status)deciding_run(&deciding);
            if (deciding.report.list.count) job_leave_json(report_decide(&deciding.report));
            decide_report_close(&deciding.report);
        }
    }
    return job_finish(&session, PART_MESSAGES, status);
}

enum varabs_status varabs_decide(varabs *job) { return job_run(job, NULL, decide, job); }
