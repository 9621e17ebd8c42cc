/* varabs IN.xml --remove VAR --may|--must|--must=lower */
#include "cli/auto.h"
#include "cli/checked.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "normal/normal.h"

#include "report/abstraction_report.h"
#include "report/json.h"
#include "suggest/candidate.h"
#include "xml/output.h"

#include <string.h>

/* "dir/in.may.xml" for "dir/in.xml". */
static const char *default_path(struct arena *arena, const char *input,
                                const struct abstract_options *abstract) {
    return file_beside(arena, input,
                       arena_printf(arena, ".%s.xml", rules_of(abstract->mode)->name));
}

struct file_names {
    const char *model, *report; /* report NULL = none */
};

/* The report stands beside the output. */
static bool choose_paths(struct session *session, const struct options *options,
                         const struct abstract_options *abstract, struct file_names *paths) {
    bool is_stdin = !strcmp(options->input, "-");
    paths->model = options->values[OPTION_OUTPUT];
    paths->report = options->values[OPTION_REPORT];
    if (!paths->model)
        paths->model = is_stdin ? "-" : default_path(&session->arena, options->input, abstract);
    if (!paths->report && strcmp(paths->model, "-") != 0 && !file_is_device(paths->model))
        paths->report = file_beside(&session->arena, paths->model, ".json");
    if (!output_is_usable(&session->diag, options, paths->model, "output") ||
        !output_is_usable(&session->diag, options, paths->report, "report"))
        return false;
    if (!paths->report ||
        (strcmp(paths->model, paths->report) != 0 && !file_is_same(paths->model, paths->report)))
        return true;
    diag_error(&session->diag, STATUS_USAGE, 0,
               "'%s' is named for the output and the report; choose another name for one of them",
               paths->report);
    return false;
}

/* Opens it; --auto chooses what is removed, once the outputs have been tried. */
static bool open_model(struct session *session, struct options *options) {
    struct observed observed;
    struct file_names paths;
    if (!options->values[OPTION_AUTO]) return session_open(session, options->input);
    if (!session_open_observed(session, options->input, options->queries, options->query_count,
                               &observed) ||
        !choose_paths(session, options, &options->abstract, &paths))
        return false;
    progress_say("looking for removals");
    auto_choose(session, options, observed.items, observed.count);
    return true;
}

static void tell_stage(const char *stage) { progress_say("making the abstraction: %s", stage); }

/* What --auto leaves has each value exchanged for the one that stands for it. */
static void normalise(struct normal *normal, struct job *job, struct session *session,
                      const struct options *options) {
    const struct abstract_options look = suggest_short_look(&job->options);
    normal_make(normal, &session->arena, job->abstraction.output, options->queries,
                options->query_count, &look.analysis);
    normal_apply(normal, &job->abstraction, &session->diag);
}

/* varabs abstract: removes variables and writes model and report. */
int command_abstract(const struct options *given) {
    struct session session;
    struct file_names paths;
    struct options options = *given;
    if (!open_model(&session, &options)) return end_session(&session);
    struct job job = {.removals = options.removals,
                      .removal_count = options.removal_count,
                      .merges = options.merges,
                      .merge_count = options.merge_count,
                      .specs = options.specs,
                      .spec_count = options.spec_count,
                      .options = options.abstract,
                      .has_mode = options.values[OPTION_MAY] || options.values[OPTION_MUST] ||
                                  options.values[OPTION_MUST_LOWER],
                      .may_be_empty = options.values[OPTION_AUTO] != NULL};
    job.options.tell = tell_stage;
    bool ok = job_read(&job, &session) && choose_paths(&session, &options, &job.options, &paths) &&
              job_make(&job, &session);
    struct normal normal = {.output = {0}};
    if (ok && options.values[OPTION_AUTO]) normalise(&normal, &job, &session, &options);
    ok = ok && read_checked(&job.guarantees, &session, &options, job.abstraction.output);
    if (ok) guarantees_make(&job.guarantees, &job.abstraction);
    diag_sort(&session.diag); /* the order in which the report lists warnings */
    ok = ok && file_write(paths.model, job.abstraction.output, &session.diag);
    struct abstraction_report report = abstraction_report_of(&job, &session);
    report.normal = &normal;
    if (ok && paths.report &&
        !report_write(report_abstraction(&report), paths.report, &session.diag))
        paths.report = NULL; /* what is known of the model is said all the same */
    progress_end();
    if (ok && strcmp(paths.model, "-") != 0 && (!paths.report || strcmp(paths.report, "-") != 0)) {
        auto_print(&session, &options, normal.places.count > 0);
        print_abstraction(stdout, &report, paths.model, paths.report);
    }
    job_close(&job);
    return end_session(&session);
}
