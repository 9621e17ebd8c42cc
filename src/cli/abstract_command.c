/* varabs IN.xml --remove VAR --may|--must|--must=lower */
#include "cli/options.h"
#include "report/guarantee.h"
#include "session/job.h"

#include <string.h>

/* "dir/in.may.xml" for "dir/in.xml". */
static const char *default_path(struct arena *arena, const char *input,
                                const struct abstract_options *abstract) {
    return file_beside(arena, input, arena_printf(arena, ".%s.xml", abstract_mode(abstract)));
}

struct paths {
    const char *model, *report; /* report NULL = none */
};

/* The report stands beside the output. */
static bool choose_paths(struct session *session, const struct options *options,
                         const struct abstract_options *abstract, struct paths *paths) {
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
    const struct query *queries;
    uint32_t count;
    struct paths paths;
    if (!options->values[OPTION_AUTO]) return session_open(session, options->input);
    if (!session_open_observed(session, options->input, options->queries, options->query_count,
                               &queries, &count) ||
        !choose_paths(session, options, &options->abstract, &paths))
        return false;
    auto_choose(session, options, queries, count);
    return true;
}

static void print_summary(const struct job *job, const struct paths *paths) {
    const struct abstraction *abstraction = &job->abstraction;
    const struct abstract_options *options = &job->options;
    const struct guarantees *guarantees = &job->guarantees;
    bool is_must = options->analysis.is_must;
    printf("%s: %s-abstraction, %s\n", paths->model, abstract_mode(options),
           abstraction->is_exact ? "exact: every verdict carries over" : "not exact");
    for (uint32_t i = 0; i < abstraction->split->copies.count; i++) {
        const struct split_copy *copy = &abstraction->split->copies.items[i];
        printf("  template %s: %u process%s of %s\n", copy->name, copy->process_count,
               copy->process_count > 1 ? "es" : "", copy->template);
    }
    const struct references *references = &abstraction->split->references;
    for (uint32_t i = 0; i < references->list.count && i < 5; i++)
        printf("  template %s: parameter %s is %s now\n", references->list.items[i].template,
               references->list.items[i].parameter, references->list.items[i].variable);
    if (references->list.count > 5)
        printf("  and %u more parameters in the report\n", references->list.count - 5);
    printf("  edges: %u before, %u after\n", abstraction->edges_before, abstraction->edges_after);
    for (uint32_t i = 0; i < abstraction->inexact.count && i < 5; i++)
        printf("  %s %s\n", i ? "        " : "because:", abstraction->inexact.items[i]);
    if (abstraction->inexact.count > 5)
        printf("           and %u more reasons in the report\n", abstraction->inexact.count - 5);
    if (!options->is_lower) print_guarantees(stdout, guarantees, abstraction);
    if (options->is_lower)
        puts("  carries over: nothing, unless `varabs certify --must` shows it");
    else if (!abstraction->is_exact && !guarantees->list.count)
        puts(is_must
                 ? "  carries over: A[] p if violated, E<> p if satisfied"
                 : "  carries over: A[] p if satisfied, E<> p if violated, bounds of sup and inf");
    if (paths->report) printf("  report: %s\n", paths->report);
}

int command_abstract(const struct options *given) {
    struct session session;
    struct paths paths;
    struct options options = *given;
    if (!open_model(&session, &options)) return session_close(&session);
    struct job job = {.removals = options.removals,
                      .removal_count = options.removal_count,
                      .merges = options.merges,
                      .merge_count = options.merge_count,
                      .specs = options.specs,
                      .spec_count = options.spec_count,
                      .options = options.abstract,
                      .has_mode = options.abstract.is_lower || options.values[OPTION_MAY] ||
                                  options.values[OPTION_MUST],
                      .may_be_empty = options.values[OPTION_AUTO] != NULL};
    bool ok = job_read(&job, &session) && choose_paths(&session, &options, &job.options, &paths) &&
              job_make(&job, &session) &&
              read_checked(&job.guarantees, &session, &options, job.abstraction.output);
    if (ok) guarantees_make(&job.guarantees, &job.abstraction);
    diag_sort(&session.diag); /* the order in which the report lists warnings */
    ok = ok && file_write(paths.model, job.abstraction.output, &session.diag);
    if (ok && paths.report &&
        !session_write_json(&session, job_report(&job, &session), paths.report))
        paths.report = NULL; /* what is known of the model is said all the same */
    if (ok && strcmp(paths.model, "-") != 0 && (!paths.report || strcmp(paths.report, "-") != 0)) {
        auto_print(&session, &options);
        print_summary(&job, &paths);
    }
    job_close(&job);
    return session_close(&session);
}
