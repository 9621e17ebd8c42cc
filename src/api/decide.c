/* varabs_decide */
#include "api/job_internal.h"
#include "command/deciding.h"

static void begin_round(void *context, uint32_t query, uint32_t round) {
    (void)context;
    run_tell("query %u, round %u", query + 1, round);
}

static enum varabs_status decide(const void *request) {
    const varabs *job = request;
    struct session session;
    struct abstract_options abstract = job_abstract_options(job);
    bool has_page = job->settings[VARABS_PAGE] != 0;
    struct deciding deciding = {.session = &session,
                                .input = job->name,
                                .abstract = &abstract,
                                .verify = job_verify_options(job),
                                .has_no_looks = job->settings[VARABS_NO_LOOK] != 0,
                                .keeps_runs = job->settings[VARABS_TRACES] || has_page,
                                .draws_runs = has_page,
                                .begin_round = begin_round};
    enum varabs_status status = VARABS_DONE;
    job_begin_time(job);
    if (job_load(job, &session)) {
        uint32_t count;
        const struct query_source *queries = job_queries(job, &session.arena, &count);
        if (session_build_observed(&session, queries, count, &deciding.observed)) {
            status = (enum varabs_status)deciding_run(&deciding);
            struct result_page page = {.kind = "decide", .first = job_page_model(job, &session)};
            page.rounds = deciding_rounds(&deciding, &page.round_count);
            if (deciding.report.list.count)
                job_leave_result(job, report_decide(&deciding.report), page, &session);
            deciding_close(&deciding);
        }
    }
    return job_finish(&session, PART_MESSAGES, status);
}

enum varabs_status varabs_decide(varabs *job) { return job_run(job, NULL, decide, job); }
