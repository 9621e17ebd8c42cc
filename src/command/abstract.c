/* varabs abstract: removes variables, and leaves the model and a report of it. */
#include "command/abstracting.h"
#include "command/command.h"
#include "command/fits.h"
#include "command/merged_shares.h"
#include "command/reported.h"
#include "command/showing.h"

#include "base/clock.h"
#include "refine/choose_merges.h"
#include "refine/ends_alike.h"
#include "refine/original.h"
#include "refine/states.h"
#include "report/abstraction/abstraction_report.h"
#include "report/json.h"
#include "suggest/irrelevant.h"
#include "suggest/suggest.h"
#include "xml/output.h"

#include <string.h>

enum { PAGE_STATES = 200000 }; /* that are counted for a page */

/* What is made, or made anew by more removals in place of that. */
struct made_job {
    struct job *job;
    const struct job *base; /* before values were exchanged */
    struct session *session;
    const struct normal *normal;
    struct by_query *by_query;
};

struct making {
    const struct command_request *request;
    struct sink *sink;
    struct session session;
    struct job job;
    struct original original;
    struct further_job showing;
    struct observed observed;     /* with is_auto: */
    struct suggestion suggestion; /* what was chosen */
    struct merged_shares shares;
};

/* ---- before ---- */

static bool is_file(const char *path) {
    return path && strcmp(path, "-") != 0 && !file_is_device(path);
}

/* Chooses what is removed: all that is exact; the queries are those that variables are kept for.
 * False (reported) if something is said of that already. */
static bool choose(struct making *making) {
    struct session *session = &making->session;
    struct job *job = &making->job;
    struct suggestion *suggestion = &making->suggestion;
    const struct observed *observed = &making->observed;
    struct abstract_options trials = job->options;
    if (job->removal_count || job->merge_count || job->spec_count)
        return diag_error(&session->diag, STATUS_USAGE, 0,
                          "what is chosen by itself goes without removals, merges and specs");
    tell("looking for removals");
    job->options.memo->network = session->network;
    trials.writes_nothing = true;
    trials.tell = NULL; /* each trial is told */
    suggestion_make(suggestion, &session->arena, session->network, observed->items, observed->count,
                    &trials, tell_trial);
    suggestion->takes_inexact = making->request->is_inexact;
    suggestion_choose_merges(suggestion, observed, making->request->queries,
                             making->request->query_count);
    job->removals = suggestion_arguments(suggestion, &session->arena);
    job->merges = suggestion_merges(suggestion, &session->arena, &job->merge_count);
    job->removal_count = suggestion->exact.count;
    job->choose_seconds = clock_seconds() - session->read - session->check_seconds;
    return true;
}

/* Of merges that some queries, but not all, could be asked of, where no model is written for these,
 * be it by exchanging values. */
static void warn_withheld(const struct making *making, const struct made_job *made) {
    const struct suggestion *suggestion = &making->suggestion;
    struct session *session = made->session;
    if (!suggestion->withheld.count || suggestion->takes_inexact || made->by_query->list.count)
        return;
    const struct withheld_merges *first = &suggestion->withheld.items[0];
    const char *merges = "";
    for (uint32_t i = 0; i < first->count; i++)
        merges = arena_printf(&session->arena, "%s%s--merge '%s'", merges, i ? " " : "",
                              first->arguments[i]);
    diag_warning(
        &session->diag, session->network->model->system_span.begin,
        "a merge would be exact, but is not made, as it cannot say what '%s' asks: %s; "
        "--inexact makes it for the other queries, and `varabs decide` asks each by itself",
        first->lost[0], merges);
}

/* Queries that are to be asked of a mixed model belong to its original: moves are those that they
 * are about (ST8), and what agents observe is written with them. */
static bool writes_queries(const struct command_request *request) {
    bool is_mixed = request->has_mode && request->abstract.mode == MODE_MIXED;
    return is_mixed && !request->is_auto && request->query_count && !request->is_lenient;
}

/* Takes out the processes that are named, or all that can go without a query losing its verdict:
 * those that --auto takes, too. */
static bool take_out(struct making *making, const struct observed *observed) {
    const struct command_request *request = making->request;
    struct session *session = &making->session;
    struct job *job = &making->job;
    bool is_any = request->without ? !strcmp(request->without, "*") : request->is_auto;
    if (!request->without && !is_any) return true;
    const struct query *queries = observed ? observed->items : NULL;
    uint32_t count = observed ? observed->count : 0;
    job->taken_out = is_any ? irrelevant_find(session, queries, count, true)
                            : irrelevant_named(session, request->without, queries, count);
    job->may_be_empty |= is_any || job->taken_out;
    return job->taken_out ? irrelevant_take_out(session, job->taken_out) : is_any;
}

/* With queries if these count; names are tried before anything is chosen. */
static bool open_model(struct making *making) {
    const struct command_request *request = making->request;
    struct session *session = &making->session;
    struct sink *sink = making->sink;
    struct observed *observed = &making->observed;
    if (!command_load(session, &request->first)) return false;
    bool has_queries = request->query_count && !request->is_lenient;
    if (!request->is_auto && !has_queries) return session_build(session) && take_out(making, NULL);
    if (writes_queries(request))
        return session_build_asked(session, request->queries, request->query_count) &&
               session_write_queries(session, session->model) && take_out(making, NULL);
    if (!session_build_observed(session, request->queries, request->query_count, observed) ||
        !take_out(making, observed))
        return false;
    if (making->job.taken_out &&
        !session_build_observed(session, request->queries, request->query_count, observed))
        return false;
    making->job.options.asked = queries_as_text(&session->arena, observed->items, observed->count);
    if (!request->is_auto) return true;
    sink->query_count = observed->count;
    return sink->is_ready(sink, session) && choose(making);
}

/* Queries say what is observed where values are exchanged. */
static bool check_queries(const struct making *making, struct diag *diag) {
    const struct command_request *request = making->request;
    bool exchanges =
        request->is_auto || making->job.spec.exchanges.count || writes_queries(request);
    if (!request->query_count || exchanges || request->is_lenient) return true;
    return diag_error(
        diag, STATUS_USAGE, 0,
        "--query and --queries go with --auto, with --mixed, or with a --spec that normalises; "
        "`varabs grid` says what carries over of other queries");
}

static bool make(struct making *making) {
    struct session *session = &making->session;
    struct sink *sink = making->sink;
    struct job *job = &making->job;
    if (!open_model(making) || !job_read(job, session) || !check_queries(making, &session->diag))
        return false;
    if (making->request->explores &&
        (!model_fits(session->network, FOR_EXPLORE) || !showing_fits(job, &session->diag)))
        return false;
    sink->mode = job->options.mode;
    if (!sink->is_ready(sink, session)) return false;
    tell("looking for runtime errors");
    original_condition(&making->original, false); /* its memory is free again for the job */
    return job_make(job, session);
}

/* ---- after ---- */

static const char **share_names(const struct by_query *by_query, const char *output,
                                struct arena *arena) {
    const char **names = ARENA_ARRAY(arena, const char *, by_query->list.count + 1);
    for (uint32_t i = 0; i < by_query->list.count; i++)
        names[i] = abstracting_share_name(arena, output, by_query->list.items[i].number);
    return names;
}

/* The model for some of the queries, and its report. */
static bool write_share(const struct abstraction_report *whole, const struct made_job *made,
                        uint32_t number) {
    const struct query_share *share = &whole->by_query->list.items[number];
    const char *path = whole->share_names[number];
    struct session *session = share->job ? share->session : made->session;
    struct job job = abstracting_before(share->job ? share->job : made->base);
    struct diag diag;
    diag_init(&diag, &session->arena, &session->document.source);
    normal_apply(&share->normal, &job.abstraction, &diag);
    job.guarantees = (struct guarantees){.condition = whole->guarantees->condition,
                                         .original = made->base->guarantees.original};
    guarantees_make(&job.guarantees, &job.abstraction);
    struct abstraction_report report = abstraction_report_of(&job, session);
    report.normal = &share->normal;
    report.diag = &diag;
    return file_write(path, job.abstraction.output, &session->diag) &&
           (!whole->has_file ||
            report_write(report_abstraction(&report), reported_beside(&session->arena, path),
                         &session->diag));
}

/* For a page: how many states there are, within limits. */
static const char *states_text(struct str model, struct arena *arena) {
    struct verify_options limits = {.search = {.max_states = PAGE_STATES, .jobs = 1}};
    limits_complete_memory(&limits.search);
    struct measured measured = measure_model(arena, model, &limits);
    if (!measured.states.is_known) return NULL;
    return arena_printf(arena, "%s%s", measured.is_complete ? "" : "more than ",
                        measured.states.text);
}

/* The report, with a page of the model before and after. */
static FILE *leave_report(const struct making *making, const struct abstraction_report *report,
                          struct session *session) {
    const char *input = making->request->first.name, *output = making->sink->output;
    struct session after;
    struct result_page page = command_page("abstraction", making->request, session, NULL);
    bool has_page = making->request->wants_page;
    if (has_page && session_load_bytes(&after, input, report->abstraction->output)) {
        if (!output) output = arena_printf(&session->arena, "%s, abstraction", input);
        page.second = (struct page_model){.name = output, .document = &after.document};
        page.is_comparison = true;
        tell("counting states");
        page.first.states = states_text(document_file_bytes(&session->document), &session->arena);
        page.second.states = states_text(report->abstraction->output, &session->arena);
    }
    json_t *result = making->sink->wants_result ? report_abstraction(report) : NULL;
    FILE *text = sink_leave(making->sink, result, page, session);
    if (has_page) session_drop(&after);
    return text;
}

static void print_chosen(FILE *file, const struct made_job *made) {
    const struct job *job = made->job;
    const char *name = made->session->document.source.name;
    if (!job->removal_count && !job->merge_count)
        fprintf(file, "%s: %s\n", name,
                made->normal->points.count ? "nothing can be removed exactly"
                : job->taken_out
                    ? "no variable can be removed exactly"
                    : "nothing can be removed exactly; the output is the model as it is");
    for (uint32_t i = 0; i < job->removal_count; i++)
        fprintf(file, "%s%s%s%s", i ? "" : name, i ? " " : ": removed: ", job->removals[i],
                i + 1 == job->removal_count ? "\n" : "");
    for (uint32_t i = 0; i < job->merge_count; i++)
        fprintf(file, "%s: merged: %s\n", name, job->merges[i]);
}

/* Says what carries over if runs end alike, as exploring what was made may show (L2): before values
 * are exchanged, which leaves ends of runs as they are. */
static void show_ends(struct original *original, struct job *job) {
    struct guarantees wanted = job->guarantees;
    wanted.condition = *original_condition(original, false);
    guarantees_make(&wanted, &job->abstraction);
    ends_alike_show(&job->abstraction, &wanted);
}

/* Leaves what was made, and says so. */
static void finish(struct making *making, const struct made_job *made) {
    const struct command_request *request = making->request;
    const struct request_names *checked = &request->lists[LIST_CHECKED];
    struct sink *sink = making->sink;
    struct job *job = made->job;
    struct session *session = made->session;
    struct diag *diag = &session->diag;
    const struct str *output = &job->abstraction.output;
    bool ok =
        reported_take_checks(&job->guarantees, session, checked->items, checked->count, *output);
    if (ok && !request->is_auto && !made->normal->points.count) show_ends(&making->original, job);
    if (ok) guarantees_make(&job->guarantees, &job->abstraction);
    abstracting_warn(job, session);
    warn_withheld(making, made);
    diag_sort(diag); /* the order in which the report lists warnings */
    struct abstraction_report report = abstraction_report_of(job, session);
    report.normal = made->normal;
    report.has_file = sink->report && !file_is_device(sink->report);
    if (is_file(sink->output) && made->by_query->list.count) {
        report.by_query = made->by_query;
        report.share_names = share_names(made->by_query, sink->output, &session->arena);
    }
    if (!ok || !sink->put(sink, PART_OUTPUT, 0, *output, diag)) return;
    sink->put(sink, PART_EXACT, 0, str_of(job->abstraction.is_exact ? "\1" : ""), diag);
    FILE *text = leave_report(making, &report, session);
    for (uint32_t i = 0; ok && report.by_query && i < made->by_query->list.count; i++)
        ok = write_share(&report, made, i);
    if (text && ok && request->is_auto) print_chosen(text, made);
    if (text && ok) print_abstraction(text, &report, sink->output, sink->report);
}

/* Exchanges values, and explores where that was asked for, or may show that more is exact. */
static void complete(struct making *making) {
    const struct command_request *request = making->request;
    struct session *session = &making->session;
    struct job *job = &making->job;
    struct further_job *showing = &making->showing;
    struct normal normal = {.output = {0}};
    struct by_query by_query = {.query_count = 0};
    if (request->is_auto) show_ends(&making->original, job);
    const struct job base = abstracting_before(job);
    struct made_job made = {job, &base, session, &normal, &by_query};
    struct exchanging exchanging = {.queries = request->queries,
                                    .query_count = request->query_count,
                                    .is_auto = request->is_auto,
                                    .normal = &normal,
                                    .by_query = is_file(making->sink->output) ? &by_query : NULL};
    if (!abstracting_exchange(&exchanging, job, session)) return;
    if (request->explores) {
        tell("exploring");
        showing_compare(job, session, &request->verify.search);
        if (job->abstraction.explored) original_meets(&making->original);
    }
    if (request->is_auto)
        showing_go_on(showing, job, session, &base.abstraction.output, &exchanging);
    if (showing->is_taken)
        made = (struct made_job){&showing->job, &showing->base, &showing->session, &showing->normal,
                                 &showing->by_query};
    const struct merged_base merged = {session, job, made.job->abstraction.output,
                                       &making->observed};
    if (request->is_auto && !request->is_inexact && exchanging.by_query)
        merged_shares_make(&making->shares, made.by_query, &merged, &making->suggestion);
    tell("looking for runtime errors");
    made.job->guarantees.condition =
        *original_condition(&making->original, request->is_auto || request->explores);
    finish(making, &made);
}

enum status command_abstract(const struct command_request *request, struct sink *sink) {
    const struct request_names *lists = request->lists;
    struct analysis_memo memo = {.analysis = NULL}; /* the last trial of --auto is like the job */
    struct making making = {.request = request,
                            .sink = sink,
                            .job = {.removals = lists[LIST_REMOVE].items,
                                    .removal_count = lists[LIST_REMOVE].count,
                                    .merges = lists[LIST_MERGE].items,
                                    .merge_count = lists[LIST_MERGE].count,
                                    .specs = lists[LIST_SPEC].items,
                                    .spec_count = lists[LIST_SPEC].count,
                                    .options = request->abstract,
                                    .has_mode = request->has_mode,
                                    .may_be_empty = request->is_auto}};
    struct session *first = &making.session, *other = &making.showing.session;
    arena_init(&memo.arena);
    original_open(&making.original, first, request->verify.search.max_states);
    making.job.options.memo = &memo;
    making.job.options.analysis.errors = &making.original.errors;
    making.job.options.tell = tell_stage;
    sink->mode = request->abstract.mode;
    sink->is_favouring = request->abstract.favour;
    if (make(&making)) complete(&making);
    job_close(&making.job);
    showing_close(&making.showing);
    merged_shares_close(&making.shares);
    original_close(&making.original);
    arena_close(&memo.arena);
    bool is_other = making.showing.is_taken;
    enum status status = sink->end(sink, is_other ? other : first, NULL, STATUS_DONE);
    if (is_other) session_drop(first);
    return status;
}
