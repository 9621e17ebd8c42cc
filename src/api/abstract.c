/* varabs_abstract */
#include "api/job_internal.h"
#include "command/abstracting.h"
#include "command/checked.h"
#include "command/showing.h"
#include "refine/original.h"
#include "report/abstraction/abstraction_report.h"

static void tell_trial(uint32_t trial, uint32_t most) {
    run_tell("looking for removals: trial %u of at most %u", trial, most);
}

/* Chooses what is removed. False (reported) if something is said of that already. */
static bool choose(struct job *work, struct session *session, const struct observed *observed) {
    struct suggestion suggestion;
    if (work->removal_count || work->merge_count || work->spec_count) {
        diag_error(&session->diag, STATUS_USAGE, 0,
                   "what is chosen by itself goes without removals, merges and specs");
        return false;
    }
    work->options.memo->network = session->network;
    struct abstract_options trials = work->options;
    trials.writes_nothing = true;
    suggestion_make(&suggestion, &session->arena, session->network, observed->items,
                    observed->count, &trials, tell_trial);
    work->removals = suggestion_arguments(&suggestion, &session->arena);
    work->removal_count = suggestion.exact.count;
    return true;
}

static bool build(const varabs *job, struct job *work, struct session *session,
                  const struct query_source *queries, uint32_t count) {
    struct observed observed;
    if (!job->settings[VARABS_AUTO]) return session_build(session);
    return session_build_observed(session, queries, count, &observed) &&
           choose(work, session, &observed);
}

static void leave_report(const varabs *job, const struct abstraction_report *report,
                         struct session *session) {
    struct session after;
    struct result_page page = {.kind = "abstraction", .first = job_page_model(job, session)};
    bool has_page = job->settings[VARABS_PAGE] != 0;
    if (has_page && session_load_bytes(&after, job->name, report->abstraction->output)) {
        const char *name = arena_printf(&session->arena, "%s, abstraction", job->name);
        page.second = (struct page_model){.name = name, .document = &after.document};
        page.is_comparison = true;
    }
    job_leave_result(job, report_abstraction(report), page, session);
    if (has_page) session_drop(&after);
}

static void leave(const varabs *job, struct job *work, struct session *session,
                  const struct normal *normal) {
    const struct str *output = &work->abstraction.output;
    guarantees_make(&work->guarantees, &work->abstraction);
    abstracting_warn(work, session);
    diag_sort(&session->diag);
    struct abstraction_report report = abstraction_report_of(work, session);
    report.normal = normal;
    run_leave(PART_OUTPUT, output->data, output->size);
    run_leave(PART_EXACT, work->abstraction.is_exact ? "\1" : "", 1);
    leave_report(job, &report, session);
}

/* Goes on with what is exact as exploring shows; what is left is that, then. */
static void complete(const varabs *job, struct job *work, struct session *session,
                     const struct str *base, const struct exchanging *exchanging,
                     struct further_job *showing, struct original *original) {
    struct search_options limits = job_verify_options(job).search;
    if (job->settings[VARABS_EXPLORE]) {
        showing_compare(work, session, &limits);
        if (work->abstraction.shown) original_meets(original);
    }
    if (exchanging->is_auto) showing_go_on(showing, work, session, base, exchanging, tell_trial);
    if (showing->is_taken) {
        work = &showing->job;
        session = &showing->session;
    }
    bool explores = exchanging->is_auto || job->settings[VARABS_EXPLORE];
    work->guarantees.condition = *original_condition(original, explores);
    if (read_checked(&work->guarantees, session, job->checked.items, job->checked.count,
                     work->abstraction.output))
        leave(job, work, session, showing->is_taken ? &showing->normal : exchanging->normal);
}

static void make(const varabs *job, struct job *work, struct session *session,
                 struct further_job *showing, struct original *original) {
    struct normal normal = {.output = {0}};
    struct exchanging exchanging = {.is_auto = job->settings[VARABS_AUTO] != 0, .normal = &normal};
    exchanging.queries = job_queries(job, &session->arena, &exchanging.query_count);
    if (!build(job, work, session, exchanging.queries, exchanging.query_count) ||
        !job_read(work, session) ||
        (job->settings[VARABS_EXPLORE] && !showing_fits(work, &session->diag)) ||
        !job_make(work, session))
        return;
    const struct str base = work->abstraction.output;
    if (abstracting_exchange(&exchanging, work, session))
        complete(job, work, session, &base, &exchanging, showing, original);
}

static enum varabs_status abstract(const void *given) {
    static const enum mode modes[] = {MODE_MAY, MODE_MUST, MODE_LOWER};
    const struct models *request = given;
    const varabs *job = request->job;
    struct session session;
    struct analysis_memo memo = {.analysis = NULL};
    struct further_job showing = {.is_taken = false};
    struct original original;
    struct job work = {
        .removals = job->removals.items,
        .removal_count = job->removals.count,
        .merges = job->merges.items,
        .merge_count = job->merges.count,
        .specs = job->specs.items,
        .spec_count = job->specs.count,
        .options = job_abstract_options(job),
        .has_mode = true,
        .may_be_empty = job->settings[VARABS_AUTO] != 0,
    };
    arena_init(&memo.arena);
    work.options.mode = modes[request->how];
    work.options.memo = &memo;
    original_open(&original, &session, job_verify_options(job).search.max_states);
    work.options.analysis.errors = &original.errors;
    job_begin_time(job);
    if (job_load(job, &session)) make(job, &work, &session, &showing, &original);
    job_close(&work);
    showing_close(&showing);
    original_close(&original);
    arena_close(&memo.arena);
    struct session *last = showing.is_taken ? &showing.session : &session;
    enum varabs_status status = job_finish(last, PART_MESSAGES, VARABS_DONE);
    if (showing.is_taken) session_drop(&session);
    return status;
}

enum varabs_status varabs_abstract(varabs *job, enum varabs_mode mode) {
    const struct models request = {.job = job, .how = (int)mode};
    if ((int)mode < 0 || mode > VARABS_MUST_LOWER)
        return job_refuse(job, VARABS_USAGE, "varabs: error: there is no such mode\n");
    return job_run(job, NULL, abstract, &request);
}
