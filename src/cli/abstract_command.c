/* varabs IN.xml --remove VAR --may|--must|--must=lower */
#include "base/clock.h"
#include "cli/auto.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"

#include "command/abstracting.h"
#include "command/checked.h"
#include "command/reported.h"
#include "command/showing.h"
#include "refine/by_query.h"
#include "refine/original.h"
#include "report/abstraction/abstraction_report.h"
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
    uint32_t query_count;       /* of which some may get models of their own */
};

/* The model for some of the queries, by the number of the first. */
static const char *share_path(struct arena *arena, const struct file_names *paths,
                              uint32_t number) {
    return file_beside(arena, paths->model, arena_printf(arena, ".%u.xml", number));
}

static bool is_file(const char *path) { return strcmp(path, "-") != 0 && !file_is_device(path); }

/* The report stands beside the output. */
static bool choose_paths(struct session *session, const struct options *options,
                         const struct abstract_options *abstract, struct file_names *paths) {
    struct arena *arena = &session->arena;
    struct outputs outputs;
    bool is_stdin = !strcmp(options->input, "-");
    paths->model = options->values[OPTION_OUTPUT];
    paths->report = options->values[OPTION_REPORT];
    if (!paths->model)
        paths->model = is_stdin ? "-" : default_path(&session->arena, options->input, abstract);
    if (!paths->report && is_file(paths->model))
        paths->report = reported_beside(arena, paths->model);
    outputs_begin(&outputs, options, arena);
    outputs_add(&outputs, paths->model, "output");
    outputs_add(&outputs, paths->report, "report");
    outputs_add(&outputs, options->values[OPTION_HTML], "page");
    bool has_shares =
        is_file(paths->model) && paths->query_count > 1 && paths->query_count <= BY_QUERY_MOST;
    for (uint32_t i = 1; has_shares && i <= paths->query_count; i++) {
        const char *path = share_path(arena, paths, i);
        outputs_add(&outputs, path, "output for a query");
        if (paths->report) outputs_add(&outputs, reported_beside(arena, path), "report of a query");
    }
    return outputs_are_usable(&outputs, &session->diag);
}

/* Opens it, with queries if there are any; --auto chooses what is removed, once the outputs have
 * been tried. */
static bool open_model(struct session *session, struct options *options, struct file_names *paths) {
    struct observed observed;
    bool is_auto = options->values[OPTION_AUTO] != NULL;
    if (!is_auto && !options->query_count) return session_open(session, options->input);
    if (!session_open_observed(session, options->input, options->queries, options->query_count,
                               &observed))
        return false;
    if (!is_auto) return true;
    paths->query_count = observed.count;
    if (!choose_paths(session, options, &options->abstract, paths)) return false;
    progress_say("looking for removals");
    options->abstract.memo->network = session->network;
    auto_choose(session, options, observed.items, observed.count);
    return true;
}

/* Queries say what is observed where values are exchanged. */
static bool check_queries(const struct job *job, const struct options *options,
                          struct session *session) {
    bool exchanges = options->values[OPTION_AUTO] || job->spec.exchanges.count;
    if (!options->query_count || exchanges) return true;
    diag_error(&session->diag, STATUS_USAGE, 0,
               "--query and --queries go with --auto, or with a --spec that normalises");
    return false;
}

static void tell_stage(const char *stage) { progress_say("making the abstraction: %s", stage); }

static void name_shares(struct abstraction_report *report, struct arena *arena,
                        const struct file_names *paths) {
    const struct by_query *by_query = report->by_query;
    const char **names = ARENA_ARRAY(arena, const char *, by_query->list.count + 1);
    for (uint32_t i = 0; i < by_query->list.count; i++)
        names[i] = share_path(arena, paths, by_query->list.items[i].number);
    report->share_names = names;
}

/* The model for some of the queries, and its report. base: before any values were exchanged. */
static bool write_share(const struct abstraction_report *whole, const struct job *base,
                        uint32_t number, struct session *session) {
    const struct query_share *share = &whole->by_query->list.items[number];
    const char *path = whole->share_names[number];
    struct job job = *base;
    struct diag diag;
    diag_init(&diag, &session->arena, &session->document.source);
    normal_apply(&share->normal, &job.abstraction, &diag);
    job.guarantees = (struct guarantees){.condition = whole->guarantees->condition,
                                         .original = base->guarantees.original};
    guarantees_make(&job.guarantees, &job.abstraction);
    struct abstraction_report report = abstraction_report_of(&job, session);
    report.normal = &share->normal;
    report.diag = &diag;
    return file_write(path, job.abstraction.output, &session->diag) &&
           (!whole->has_file ||
            report_write(report_abstraction(&report), reported_beside(&session->arena, path),
                         &session->diag));
}

/* The report, and a page with the model before and after. */
static bool write_results(const struct abstraction_report *report, const struct options *options,
                          const struct file_names *paths, struct session *session) {
    const char *html = options->values[OPTION_HTML];
    struct session after;
    if (!paths->report && !html) return true;
    struct result_page page = {.kind = "abstraction",
                               .first = page_model_of(session, options->input)};
    if (html && session_load_bytes(&after, paths->model, report->abstraction->output)) {
        page.second = (struct page_model){.name = paths->model, .document = &after.document};
        page.is_comparison = true;
    }
    bool ok = result_write(report_abstraction(report), paths->report, options, page,
                           &session->arena, &session->diag);
    if (html) session_drop(&after);
    return ok;
}

/* What was made: by the job of the command, or by another one in its place. */
struct written {
    struct job *job;
    const struct job *base; /* before values were exchanged */
    struct session *session;
    const struct normal *normal;
    const struct by_query *by_query;
};

/* Writes and says what was made. */
static void finish(const struct written *written, const struct options *options,
                   struct file_names *paths) {
    struct job *job = written->job;
    struct session *session = written->session;
    bool ok = read_checked(&job->guarantees, session, options->checked, options->checked_count,
                           job->abstraction.output);
    if (ok) guarantees_make(&job->guarantees, &job->abstraction);
    abstracting_warn(job, session);
    diag_sort(&session->diag); /* the order in which the report lists warnings */
    struct abstraction_report report = abstraction_report_of(job, session);
    report.normal = written->normal;
    report.has_file = paths->report && !file_is_device(paths->report);
    if (is_file(paths->model) && written->by_query->list.count) report.by_query = written->by_query;
    if (report.by_query) name_shares(&report, &session->arena, paths);
    ok = ok && file_write(paths->model, job->abstraction.output, &session->diag);
    if (ok && !write_results(&report, options, paths, session))
        paths->report = NULL; /* what is known of the model is said all the same */
    for (uint32_t i = 0; ok && report.by_query && i < written->by_query->list.count; i++)
        ok = write_share(&report, written->base, i, session);
    progress_end();
    if (ok && strcmp(paths->model, "-") != 0 &&
        (!paths->report || strcmp(paths->report, "-") != 0) && !standard_output_is_taken(options)) {
        if (options->values[OPTION_AUTO])
            auto_print(session, job, written->normal->places.count > 0);
        print_abstraction(stdout, &report, paths->model, paths->report);
    }
}

/* Exchanges values, and explores where that was asked for, or may show that more is exact. */
static void complete(struct job *job, struct session *session, const struct options *options,
                     struct file_names *paths, struct further_job *showing,
                     struct original *original) {
    struct normal normal = {.output = {0}};
    struct by_query by_query = {.query_count = 0};
    const struct job base = abstracting_before(job);
    struct written written = {job, &base, session, &normal, &by_query};
    struct exchanging exchanging = {.queries = options->queries,
                                    .query_count = options->query_count,
                                    .is_auto = options->values[OPTION_AUTO] != NULL,
                                    .normal = &normal,
                                    .by_query = &by_query};
    if (!abstracting_exchange(&exchanging, job, session)) return;
    if (options->values[OPTION_EXPLORE]) {
        progress_say("exploring");
        showing_compare(job, session, &options->verify.search);
        if (job->abstraction.shown) original_meets(original);
    }
    if (exchanging.is_auto)
        showing_go_on(showing, job, session, &base.abstraction.output, &exchanging, progress_trial);
    if (showing->is_taken)
        written = (struct written){&showing->job, &showing->base, &showing->session,
                                   &showing->normal, &showing->by_query};
    progress_say("looking for runtime errors");
    written.job->guarantees.condition =
        *original_condition(original, exchanging.is_auto || options->values[OPTION_EXPLORE]);
    finish(&written, options, paths);
}

/* varabs abstract: removes variables and writes model and report. */
int command_abstract(const struct options *given) {
    struct session session;
    struct file_names paths = {.query_count = 0};
    struct options options = *given;
    struct analysis_memo memo = {.analysis = NULL}; /* the last trial of --auto is like the job */
    struct further_job showing = {.is_taken = false};
    struct original original;
    arena_init(&memo.arena);
    options.abstract.memo = &memo;
    original_open(&original, &session, options.verify.search.max_states);
    options.abstract.analysis.errors = &original.errors;
    bool is_open = open_model(&session, &options, &paths);
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
    if (is_open && options.values[OPTION_AUTO])
        job.choose_seconds = clock_seconds() - session.read - session.check_seconds;
    job.options.tell = tell_stage;
    if (is_open && job_read(&job, &session) && check_queries(&job, &options, &session) &&
        (!options.values[OPTION_EXPLORE] || showing_fits(&job, &session.diag)) &&
        choose_paths(&session, &options, &job.options, &paths) && job_make(&job, &session))
        complete(&job, &session, &options, &paths, &showing, &original);
    progress_end();
    job_close(&job);
    showing_close(&showing);
    original_close(&original);
    arena_close(&memo.arena);
    int status = end_session(showing.is_taken ? &showing.session : &session);
    if (showing.is_taken) session_drop(&session);
    return status;
}
