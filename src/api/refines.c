/* varabs_refines */
#include "api/job_internal.h"
#include "report/refines/refines_report.h"
#include "session/actions.h"
#include "work/limits.h"

static void show_nodes(void *context, uint64_t nodes) {
    (void)context;
    run_tell("comparing: %llu nodes", (unsigned long long)nodes);
}

static struct trace_options trace_options_of(const varabs *job) {
    struct trace_options options = {.search = job->limits, .progress = show_nodes};
    options.fair[SIDE_CONCRETE] = job_fair_names(job, false);
    options.fair[SIDE_ABSTRACT] = job_fair_names(job, true);
    if (job->settings[VARABS_FAILURES]) options.model = REFINE_FAILURES;
    options.search.is_full = job->settings[VARABS_FULL] != 0;
    options.search.progress = run_figures;
    limits_complete_memory(&options.search);
    return options;
}

/* Both models are built. */
static enum varabs_status refine_models(const varabs *job, struct session *concrete,
                                        struct session *abstract) {
    static const enum varabs_status statuses[] = {[REFINE_UNKNOWN] = VARABS_LIMIT,
                                                  [REFINE_HOLDS] = VARABS_DONE,
                                                  [REFINE_FAILS] = VARABS_VIOLATED};
    struct alphabet alphabet;
    struct alphabet_request request = {.visible = job->visible.items,
                                       .visible_count = job->visible.count};
    struct trace_refinement refinement;
    struct trace_options options = trace_options_of(job);
    enum varabs_status status = VARABS_DONE;
    if (!actions_name(&alphabet, concrete, abstract, &request)) return status;
    if (refine(&refinement, &concrete->arena, &alphabet, &options)) {
        struct refines_report report = {&alphabet, &refinement, &options, &concrete->arena,
                                        job->settings[VARABS_TRACES] != 0};
        job_leave_json(report_refines(&report));
        status = statuses[refinement.outcome];
    }
    refinement_close(&refinement);
    return status;
}

static enum varabs_status refines(const void *given) {
    const struct models *request = given;
    struct session concrete, abstract;
    enum varabs_status status = VARABS_DONE;
    bool is_ready = job_load(request->job, &concrete);
    is_ready = job_load(request->second, &abstract) && is_ready;
    if (is_ready && session_build_with(&concrete, NULL, 0) &&
        session_build_with(&abstract, NULL, 0))
        status = refine_models(request->job, &concrete, &abstract);
    enum varabs_status of_abstract = job_finish(&abstract, PART_SECOND_MESSAGES, VARABS_DONE);
    status = job_finish(&concrete, PART_MESSAGES, status);
    return status > VARABS_VIOLATED || of_abstract == VARABS_DONE ? status : of_abstract;
}

enum varabs_status varabs_refines(varabs *job, varabs *abstract) {
    const struct models request = {.job = job, .second = abstract};
    if (!abstract) return VARABS_LIMIT;
    return job_run(job, abstract, refines, &request);
}
