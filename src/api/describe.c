/* varabs_info and varabs_export */
#include "api/job_internal.h"
#include "command/describing.h"
#include "export/promela.h"
#include "report/check/epistemic_report.h"

#include "base/interrupt.h"

static void tell(uint32_t removal, uint32_t count) {
    if (!count)
        run_tell("finding values");
    else
        run_tell("removal %u of %u", removal, count);
}

static void leave_agents(struct session *session) {
    struct agents agents;
    if (describing_agents(&agents, session))
        job_leave_json(report_agents(session->network, &agents, &session->arena));
}

static enum varabs_status info(const void *given) {
    const varabs *job = given;
    const struct abstract_options options = job_abstract_options(job);
    struct session session;
    enum varabs_status status = VARABS_DONE;
    job_begin_time(job);
    bool is_ready = job_load(job, &session) && session_build(&session);
    if (is_ready && job->settings[VARABS_AGENTS]) {
        leave_agents(&session);
    } else if (is_ready) {
        const struct info_report report = describing_try(&session, &options, tell);
        if (interrupt_is_asked()) status = VARABS_LIMIT;
        job_leave_json(report_info(&report));
    }
    return job_finish(&session, PART_MESSAGES, status);
}

enum varabs_status varabs_info(varabs *job) { return job_run(job, NULL, info, job); }

static enum varabs_status export_model(const void *given) {
    const struct models *request = given;
    struct session session;
    struct promela promela = {0};
    run_tell("exporting");
    if (job_load(request->job, &session) && session_build(&session) &&
        export_promela(&promela, session.network, request->job->name, request->name)) {
        run_leave(PART_OUTPUT, promela.model.data, promela.model.size);
        if (promela.code.size) run_leave(PART_CODE, promela.code.data, promela.code.size);
    }
    promela_close(&promela);
    return job_finish(&session, PART_MESSAGES, VARABS_DONE);
}

enum varabs_status varabs_export(varabs *job, const char *code_name) {
    const struct models request = {.job = job, .name = code_name};
    return job_run(job, NULL, export_model, &request);
}
