/* varabs_abstract */
#include "api/job_internal.h"
#include "report/abstraction_report.h"
#include "work/abstracting.h"

static void leave(struct job *work, struct session *session) {
    const struct str *output = &work->abstraction.output;
    guarantees_make(&work->guarantees, &work->abstraction);
    abstracting_warn(work, session);
    diag_sort(&session->diag);
    struct abstraction_report report = abstraction_report_of(work, session);
    run_leave(PART_OUTPUT, output->data, output->size);
    run_leave(PART_EXACT, work->abstraction.is_exact ? "\1" : "", 1);
    job_leave_json(report_abstraction(&report));
}

static enum varabs_status abstract(const void *given) {
    static const enum mode modes[] = {MODE_MAY, MODE_MUST, MODE_LOWER};
    const struct models *request = given;
    const varabs *job = request->job;
    struct session session;
    struct job work = {
        .removals = job->removals.items,
        .removal_count = job->removals.count,
        .merges = job->merges.items,
        .merge_count = job->merges.count,
        .specs = job->specs.items,
        .spec_count = job->specs.count,
        .options = job_abstract_options(job),
        .has_mode = true,
    };
    work.options.mode = modes[request->how];
    job_begin_time(job);
    if (job_load(job, &session) && session_build(&session) && job_read(&work, &session) &&
        job_make(&work, &session))
        leave(&work, &session);
    job_close(&work);
    return job_finish(&session, PART_MESSAGES, VARABS_DONE);
}

enum varabs_status varabs_abstract(varabs *job, enum varabs_mode mode) {
    const struct models request = {.job = job, .how = (int)mode};
    if ((int)mode < 0 || mode > VARABS_MUST_LOWER) return VARABS_USAGE;
    return job_run(job, NULL, abstract, &request);
}
