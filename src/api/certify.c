/* varabs_certify */
#include "api/job_internal.h"
#include "command/certifying.h"
#include "report/certify/certify_report.h"
#include "session/name_list.h"

static void show_pairs(void *context, uint64_t pairs) {
    (void)context;
    run_tell("comparing: %llu pairs of states", (unsigned long long)pairs);
}

static struct certify_options certify_options_of(const struct models *request) {
    static const enum simulation_mode modes[] = {SIMULATE_MAY, SIMULATE_MUST, SIMULATE_EXACT};
    const varabs *job = request->job;
    struct certify_options options = {.mode = modes[request->how],
                                      .observes = job->settings[VARABS_OBSERVE] != 0,
                                      .engine = job_verify_options(job).engine,
                                      .is_stuttering = job->settings[VARABS_STUTTER] != 0,
                                      .search = job->limits,
                                      .progress = show_pairs};
    options.search.progress = run_figures;
    return options;
}

static enum varabs_status compare(const struct models *request, struct certifying *certifying,
                                  bool has_report) {
    enum status status;
    if (!certifying_begin(certifying)) return VARABS_DONE; /* that of the messages */
    if (certifying_run(certifying, &status)) {
        struct certify_report report = {&certifying->visible, &certifying->certification,
                                        &certifying->options, &certifying->concrete->arena,
                                        has_report,           NULL};
        struct result_page page = {.kind = "certify",
                                   .first = job_page_model(request->job, certifying->concrete),
                                   .second = job_page_model(request->second, certifying->abstract),
                                   .is_comparison = true};
        job_leave_result(request->job, report_certify(&report), page, certifying->concrete);
    }
    certify_close(&certifying->certification);
    return (enum varabs_status)status;
}

static enum varabs_status certify_models(const void *given) {
    const struct models *request = given;
    const varabs *job = request->job, *second = request->second;
    struct session concrete, abstract;
    struct certifying certifying = {
        .concrete = &concrete, .abstract = &abstract, .options = certify_options_of(request)};
    enum varabs_status status = VARABS_DONE;
    bool is_ready = job_load(job, &concrete) && session_build(&concrete);
    is_ready = job_load(second, &abstract) && session_build(&abstract) && is_ready;
    if (is_ready && second->report_path)
        is_ready = reported_take(&concrete, &abstract, second->report_path, &certifying.reported);
    else if (is_ready && second->report)
        is_ready = reported_take_bytes(&concrete, &abstract, "the report of the abstract model",
                                       str_of(second->report), &certifying.reported);
    if (is_ready) {
        certifying.ignored = names_of_lists(&concrete.arena, job->ignored.items, job->ignored.count,
                                            &certifying.ignored_count);
        status = compare(request, &certifying, second->report || second->report_path);
    }
    enum varabs_status of_abstract = job_finish(&abstract, PART_SECOND_MESSAGES, VARABS_DONE);
    status = job_finish(&concrete, PART_MESSAGES, status);
    return status > VARABS_VIOLATED || of_abstract == VARABS_DONE ? status : of_abstract;
}

enum varabs_status varabs_certify(varabs *job, varabs *abstract, enum varabs_relation relation) {
    const struct models request = {.job = job, .second = abstract, .how = (int)relation};
    if ((int)relation < 0 || relation > VARABS_IS_EXACT)
        return job_refuse(job, VARABS_USAGE, "varabs: error: there is no such relation\n");
    if (!abstract) return job_refuse(job, VARABS_LIMIT, NO_MEMORY);
    return job_run(job, abstract, certify_models, &request);
}
