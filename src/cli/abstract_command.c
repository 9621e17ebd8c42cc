/* varabs IN.xml --remove VAR --may|--must|--must=lower */
#include "base/clock.h"
#include "cli/options.h"
#include "report/guarantee.h"
#include "report/report.h"

#include <string.h>

/* "dir/in.may.xml" for "dir/in.xml". */
static const char *default_path(struct arena *arena, const struct options *options,
                                const char *ending) {
    return file_beside(arena, options->input,
                       arena_printf(arena, ".%s.%s", abstract_mode(&options->abstract), ending));
}

struct paths {
    const char *model, *report; /* report NULL = none */
};

static bool choose_paths(struct session *session, const struct options *options,
                         struct paths *paths) {
    bool is_stdin = !strcmp(options->input, "-");
    paths->model = options->values[OPTION_OUTPUT];
    paths->report = options->values[OPTION_REPORT];
    if (!paths->model)
        paths->model = is_stdin ? "-" : default_path(&session->arena, options, "xml");
    if (!paths->report && !is_stdin) paths->report = default_path(&session->arena, options, "json");
    const char *clash = NULL;
    if (!is_stdin && file_is_same(options->input, paths->model)) clash = paths->model;
    if (paths->report && !is_stdin && file_is_same(options->input, paths->report))
        clash = paths->report;
    if (paths->report &&
        (!strcmp(paths->model, paths->report) || file_is_same(paths->model, paths->report)))
        clash = paths->report;
    if (!clash) return true;
    diag_error(&session->diag, STATUS_USAGE, 0,
               "'%s' is named twice among input, output and report; choose another name", clash);
    return false;
}

static bool write_report(struct session *session, const struct options *options,
                         const struct abstraction *abstraction, const struct guarantees *guarantees,
                         const char *path) {
    struct report_timing timing = {session->read - session->start, session->checked - session->read,
                                   clock_seconds() - session->start};
    json_t *report =
        report_abstraction(abstraction, guarantees, &options->abstract, options->removals,
                           options->removal_count, &session->diag, &timing);
    return session_write_json(session, report, path);
}

static void print_summary(const struct abstraction *abstraction,
                          const struct abstract_options *options,
                          const struct guarantees *guarantees, const struct paths *paths) {
    bool is_must = options->analysis.is_must;
    printf("%s: %s-abstraction, %s\n", paths->model, abstract_mode(options),
           abstraction->is_exact ? "exact: every verdict carries over" : "not exact");
    for (uint32_t i = 0; i < abstraction->split->copies.count; i++) {
        const struct split_copy *copy = &abstraction->split->copies.items[i];
        printf("  template %s: %u process%s of %s\n", copy->name, copy->process_count,
               copy->process_count > 1 ? "es" : "", copy->template);
    }
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

/* Gives processes that do not lose the same templates of their own. */
static bool tell_apart(struct session *session, const struct options *options,
                       struct split *split) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    return split_plan(split, &splices, session->network, options->removals, options->removal_count,
                      &session->diag) &&
           (!split->copies.count || session_rewrite(session, &splices));
}

int command_abstract(const struct options *given) {
    struct options copy = *given, *options = &copy;
    struct session session;
    struct abstraction abstraction = {0};
    struct guarantees guarantees = {0};
    struct paths paths;
    if (!auto_open(&session, options) || !choose_paths(&session, options, &paths))
        return session_close(&session);
    struct split split;
    struct request request = {.arena = &session.arena};
    bool ok = tell_apart(&session, options, &split);
    for (uint32_t i = 0; ok && i < split.removal_count; i++)
        request_add(&request, session.network, split.removals[i], &session.diag);
    ok = ok && !session.diag.error_count;
    ok = ok && request_finish(&request, session.network, &session.diag) &&
         abstraction_make(&abstraction, &session.arena, session.network, &request,
                          &options->abstract, &session.diag);
    abstraction.split = &split;
    ok = ok && read_checked(&guarantees, &session, options, abstraction.output);
    if (ok) guarantees_make(&guarantees, &abstraction);
    diag_sort(&session.diag); /* the order in which the report lists warnings */
    ok = ok && file_write(paths.model, abstraction.output, &session.diag);
    if (ok && paths.report)
        ok = write_report(&session, options, &abstraction, &guarantees, paths.report);
    if (ok && strcmp(paths.model, "-") != 0 && (!paths.report || strcmp(paths.report, "-") != 0)) {
        auto_print(&session, options);
        print_summary(&abstraction, &options->abstract, &guarantees, &paths);
    }
    abstraction_close(&abstraction);
    return session_close(&session);
}
