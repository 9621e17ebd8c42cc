/* varabs check IN.xml */
#define _POSIX_C_SOURCE 200809L

#include "base/resources.h"
#include "cli/options.h"
#include "report/check.h"

#include <string.h>
#include <unistd.h>

/* A file that is read must not be written. */
static bool check_json(struct session *session, const struct options *options) {
    const char *json = options->values[OPTION_JSON], *clash = NULL;
    if (!json || !strcmp(json, "-")) return true;
    if (strcmp(options->input, "-") != 0 && file_is_same(options->input, json))
        clash = options->input;
    for (uint32_t i = 0; i < options->query_count; i++) {
        const struct query_source *given = &options->queries[i];
        if (given->is_file && strcmp(given->text, "-") != 0 && file_is_same(given->text, json))
            clash = given->text;
    }
    if (!clash) return true;
    diag_error(&session->diag, STATUS_USAGE, 0,
               "'%s' is the input; choose another name for the result", clash);
    return false;
}

/* ---- the run ---- */

static void show_progress(void *context, const struct search_figures *figures) {
    bool *is_shown = context;
    double rate = figures->seconds > 0 ? (double)figures->states / figures->seconds : 0;
    *is_shown = true;
    fprintf(stderr, "\r%llu states, %.0f/s, %llu to expand, %llu MiB, %.0f s   ",
            (unsigned long long)figures->states, rate, (unsigned long long)figures->queue,
            (unsigned long long)(figures->size >> 20), figures->seconds);
    fflush(stderr);
}

static struct verify_options complete_options(const struct options *options,
                                              const struct session *session, bool *is_shown) {
    struct verify_options verify = options->verify;
    struct search_options *search = &verify.search;
    if (!search->max_size) search->max_size = resources_memory() / 10 * 8;
    if (!search->jobs) search->jobs = resources_processors();
    if (!session->model->query_count) search->is_full = true;
    if (isatty(STDERR_FILENO)) {
        search->progress = show_progress;
        search->context = is_shown;
    }
    return verify;
}

static void report_error(struct session *session, const struct verification *verification) {
    const struct trace *trace = verification->error_trace;
    const char *where = "";
    if (!verification->has_error) return;
    if (trace && trace->step_count) {
        const struct edge_instance *part = trace->steps[trace->step_count - 1].parts[0];
        where = arena_printf(&session->arena, " in a step of %s from %s to %s", part->process->name,
                             location_name(part->process, part->source),
                             location_name(part->process, part->target));
    }
    diag_warning(&session->diag, verification->error.span.begin,
                 "%s%s%s; Uppaal would stop here, varabs left out %llu such steps",
                 fault_name(verification->error.kind), where,
                 trace ? "" : " (--trace shows how it is reached)",
                 (unsigned long long)verification->search.errors);
}

/* The exit status, once everything is explored: what could not be decided comes first. */
static enum status judge(struct session *session, const struct verification *verification,
                         bool is_full) {
    bool is_open = false, is_violated = false;
    enum status status = STATUS_DONE;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        is_violated |= answer->verdict == VERDICT_VIOLATED;
        if (answer->problem) {
            status = STATUS_INVALID;
            if (answer->query->quantifier != QUERY_INVALID) /* about which there is a warning */
                diag_error(&session->diag, STATUS_INVALID, answer->problem_span.begin,
                           "this query cannot be decided: %s", answer->problem);
        } else {
            is_open |= answer->verdict == VERDICT_UNKNOWN;
        }
    }
    if (status != STATUS_DONE) return status;
    if (is_open || (is_full && !verification->search.is_complete)) return STATUS_LIMIT;
    return is_violated ? STATUS_VIOLATED : STATUS_DONE;
}

static enum status check(struct session *session, const struct options *options) {
    struct verification verification;
    bool is_shown = false;
    struct verify_options verify_options = complete_options(options, session, &is_shown);
    bool is_done = verify(&verification, &session->arena, session->network, session->model->queries,
                          session->model->query_count, &verify_options);
    if (is_shown) fprintf(stderr, "\r%79s\r", "");
    enum status status = STATUS_DONE;
    if (is_done) {
        struct check_report report = {session->network, &verification, verify_options.semantics,
                                      &session->arena};
        const char *json = options->values[OPTION_JSON];
        status = judge(session, &verification, verify_options.search.is_full);
        report_error(session, &verification);
        if (json && !session_write_json(session, report_check(&report), json)) status = STATUS_DONE;
        if (!json || strcmp(json, "-") != 0) print_check(stdout, &report);
    }
    verify_close(&verification);
    return status;
}

int command_check(const struct options *options) {
    struct session session;
    enum status status = STATUS_DONE;
    bool is_ready = session_load(&session, options->input) && check_json(&session, options) &&
                    session_choose_queries(&session, options->queries, options->query_count) &&
                    session_build(&session);
    if (is_ready) status = check(&session, options);
    int of_session = session_close(&session);
    return status == STATUS_DONE || of_session > STATUS_VIOLATED ? of_session : (int)status;
}
