/* varabs_refines */
#include "api/job_internal.h"
#include "command/limits.h"
#include "explore/fair/asked.h"
#include "report/certify/refines_report.h"
#include "session/actions.h"

static void show_nodes(void *context, uint64_t nodes) {
    (void)context;
    run_tell("comparing: %llu nodes", (unsigned long long)nodes);
}

/* What a file of actions and a job name. */
static const char **fair_names(const char *const *given, uint32_t given_count,
                               const char *const *more, uint32_t more_count, struct arena *arena,
                               uint32_t *count) {
    const char **names = ARENA_ARRAY(arena, const char *, (size_t)given_count + more_count + 1);
    for (uint32_t i = 0; i < given_count; i++) names[i] = given[i];
    for (uint32_t i = 0; i < more_count; i++) names[given_count + i] = more[i];
    *count = given_count + more_count;
    return names;
}

static struct trace_options trace_options_of(const varabs *job, const struct actions_file *file,
                                             struct arena *arena) {
    struct trace_options options = {.search = job->limits, .progress = show_nodes};
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct fair_names *fair = &options.fair[side];
        const struct fair_names own = job_fair_names(job, side == SIDE_ABSTRACT);
        fair->weak = fair_names(own.weak, own.weak_count, file->weak[side].items,
                                file->weak[side].count, arena, &fair->weak_count);
        fair->strong = fair_names(own.strong, own.strong_count, file->strong[side].items,
                                  file->strong[side].count, arena, &fair->strong_count);
    }
    if (job->settings[VARABS_FAILURES]) options.model = REFINE_FAILURES;
    options.search.is_full = job->settings[VARABS_FULL] != 0;
    options.search.progress = run_figures;
    options.search.jobs = (uint32_t)job->settings[VARABS_JOBS];
    limits_complete(&options.search);
    return options;
}

/* Both models are built. */
static enum varabs_status refine_models(const struct models *models, struct session *concrete,
                                        struct session *abstract, const struct actions_file *file) {
    static const enum varabs_status statuses[] = {[REFINE_UNKNOWN] = VARABS_LIMIT,
                                                  [REFINE_HOLDS] = VARABS_DONE,
                                                  [REFINE_FAILS] = VARABS_VIOLATED};
    const varabs *job = models->job;
    struct alphabet alphabet;
    struct alphabet_request request = {.actions = file->actions.items,
                                       .action_count = file->actions.count,
                                       .visible = job->visible.items,
                                       .visible_count = job->visible.count,
                                       .hidden = job->hidden.items,
                                       .hidden_count = job->hidden.count};
    struct trace_refinement refinement;
    struct trace_options options = trace_options_of(job, file, &concrete->arena);
    enum varabs_status status = VARABS_DONE;
    if (!actions_name(&alphabet, concrete, abstract, &request) ||
        !fair_read_arguments(&options.fair[SIDE_CONCRETE], &concrete->arena, concrete->model) ||
        !fair_read_arguments(&options.fair[SIDE_ABSTRACT], &concrete->arena, abstract->model))
        return status;
    if (refine(&refinement, &concrete->arena, &alphabet, &options)) {
        struct refines_report report = {&alphabet, &refinement, &options, &concrete->arena,
                                        job->settings[VARABS_TRACES] != 0};
        const struct result_page page = {.kind = "refines",
                                         .first = job_page_model(job, concrete),
                                         .second = job_page_model(models->second, abstract)};
        job_leave_result(job, report_refines(&report), page, concrete);
        status = statuses[refinement.outcome];
    }
    refinement_close(&refinement);
    return status;
}

static enum varabs_status refines(const void *given) {
    const struct models *request = given;
    const struct text_list *files = &request->job->actions;
    const char *path = files->count ? files->items[files->count - 1] : NULL;
    struct session concrete, abstract;
    struct actions_file file = {0};
    enum varabs_status status = VARABS_DONE;
    bool is_ready = job_load(request->job, &concrete);
    is_ready = job_load(request->second, &abstract) && is_ready;
    if (is_ready && path) is_ready = actions_read(&file, &concrete, path);
    if (is_ready && actions_build(&file, &concrete, SIDE_CONCRETE, path) &&
        actions_build(&file, &abstract, SIDE_ABSTRACT, path))
        status = refine_models(request, &concrete, &abstract, &file);
    enum varabs_status of_abstract = job_finish(&abstract, PART_SECOND_MESSAGES, VARABS_DONE);
    status = job_finish(&concrete, PART_MESSAGES, status);
    return status > VARABS_VIOLATED || of_abstract == VARABS_DONE ? status : of_abstract;
}

enum varabs_status varabs_refines(varabs *job, varabs *abstract) {
    const struct models request = {.job = job, .second = abstract};
    if (!abstract) return job_refuse(job, VARABS_LIMIT, NO_MEMORY);
    return job_run(job, abstract, refines, &request);
}
