/* varabs IN.xml --remove VAR --may|--must|--must=lower */
#include "base/clock.h"
#include "cli/options.h"
#include "report/guarantee.h"
#include "report/report.h"
#include "session/spec.h"

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
    for (uint32_t i = 0; i < options->spec_count; i++)
        if (file_is_same(options->specs[i], paths->model) ||
            (paths->report && file_is_same(options->specs[i], paths->report)))
            clash = options->specs[i];
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

static bool read_merges(struct session *session, const struct options *options, struct spec *spec) {
    bool ok = true;
    struct str *files = spec->files;
    if (!files) files = ARENA_ARRAY(&session->arena, struct str, options->spec_count + 1);
    *spec = (struct spec){.files = files};
    for (uint32_t i = 0; i < options->merge_count; i++)
        ok &= spec_add_merge(spec, session, options->merges[i]);
    for (uint32_t i = 0; i < options->spec_count && ok; i++)
        ok = spec_add_file(spec, session, options->specs[i], &files[i]);
    return ok;
}

/* What arguments and files say together; the files may say which kind of abstraction. */
static bool read_spec(struct session *session, struct options *options, struct spec *spec) {
    struct arena *arena = &session->arena;
    struct abstract_options *abstract = &options->abstract;
    bool is_given = abstract->is_lower || abstract->analysis.is_must || options->values[OPTION_MAY];
    if (!read_merges(session, options, spec)) return false;
    for (uint32_t i = 0; i < options->removal_count; i++)
        VEC_PUSH(arena, &spec->removals, (struct spec_removal){options->removals[i], 0});
    const char *problem = NULL;
    if (!is_given && spec->mode) {
        abstract->is_lower = !strcmp(spec->mode, "must-lower");
        abstract->analysis.is_must = !strcmp(spec->mode, "must");
    } else if (!is_given) {
        problem = "say what kind of abstraction to write: --may, --must or --must=lower";
    }
    if (is_given && spec->mode && strcmp(spec->mode, abstract_mode(abstract)) != 0)
        problem = "the command line asks for another kind of abstraction; leave one out";
    else if (abstract->is_lower && spec->merges.count)
        problem = "--must=lower knows no merges: use --must";
    else if (!spec->removals.count && !spec->merges.count && !options->values[OPTION_AUTO])
        problem = "there is nothing to remove or merge";
    if (problem) diag_error(&session->diag, STATUS_USAGE, spec->mode_at, "%s", problem);
    const char **removals = ARENA_ARRAY(arena, const char *, spec->removals.count + 1);
    for (uint32_t i = 0; i < spec->removals.count; i++) removals[i] = spec->removals.items[i].text;
    options->removals = removals;
    options->removal_count = spec->removals.count;
    return !problem;
}

/* Gives processes that do not lose the same templates of their own. */
static bool tell_apart(struct session *session, const struct options *options,
                       const struct spec *spec, struct split *split) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    position *places = ARENA_ARRAY(&session->arena, position, spec->removals.count + 1);
    for (uint32_t i = 0; i < spec->removals.count; i++) places[i] = spec->removals.items[i].at;
    return split_plan(split, &splices, session->network, options->removals, places,
                      options->removal_count, &session->diag) &&
           (!split->copies.count || session_rewrite(session, &splices));
}

/* What is read from files and arguments joins the document, so it is read anew where that has
 * changed. Merges change the model, so the network is made anew. */
static bool make_request(struct session *session, struct options *options, struct spec *spec,
                         struct split *split, struct request *request) {
    struct ghost_list ghosts = {0};
    *request = (struct request){.arena = &session->arena};
    if (!tell_apart(session, options, spec, split)) return false;
    if (split->copies.count && !read_merges(session, options, spec)) return false;
    if (spec->merges.count) {
        if (!ghosts_add(&ghosts, session->model, session->network, spec->merges.items,
                        spec->merges.count))
            return false;
        session->network = network_new(&session->arena, session->model);
        if (!session->network) return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < split->removal_count; i++) {
        request->at = split->copies.count ? 0 : spec->removals.items[i].at;
        ok &= request_add(request, session->network, split->removals[i], &session->diag);
    }
    for (uint32_t i = 0; i < ghosts.list.count && ok; i++)
        ok = request_merge(request, session->network, ghosts.list.items[i], &session->diag);
    return ok && request_finish(request, session->network, &session->diag);
}

int command_abstract(const struct options *given) {
    struct session session;
    struct abstraction abstraction = {0};
    struct guarantees guarantees = {0};
    struct paths paths;
    struct options options = *given;
    struct spec spec = {0};
    struct request request;
    struct split split;
    if (!auto_open(&session, &options) || !read_spec(&session, &options, &spec) ||
        !choose_paths(&session, &options, &paths))
        return session_close(&session);
    bool ok = make_request(&session, &options, &spec, &split, &request) &&
              abstraction_make(&abstraction, &session.arena, session.network, &request,
                               &options.abstract, &session.diag);
    abstraction.split = &split;
    ok = ok && read_checked(&guarantees, &session, &options, abstraction.output);
    if (ok) guarantees_make(&guarantees, &abstraction);
    diag_sort(&session.diag); /* the order in which the report lists warnings */
    ok = ok && file_write(paths.model, abstraction.output, &session.diag);
    if (ok && paths.report)
        ok = write_report(&session, &options, &abstraction, &guarantees, paths.report);
    if (ok && strcmp(paths.model, "-") != 0 && (!paths.report || strcmp(paths.report, "-") != 0)) {
        auto_print(&session, &options);
        print_summary(&abstraction, &options.abstract, &guarantees, &paths);
    }
    abstraction_close(&abstraction);
    return session_close(&session);
}
