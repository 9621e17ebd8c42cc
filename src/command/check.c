/* varabs check: explores a model and answers its queries. */
#include "command/command.h"
#include "command/fits.h"
#include "command/runs.h"
#include "explore/fair/asked.h"
#include "explore/verdict/if_fair.h"
#include "lang/eval/eval.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/query_text.h"
#include "report/check/epistemic_report.h"

#include <string.h>

struct checking {
    const struct command_request *request;
    struct sink *sink;
    struct session session, original; /* original: zero until it is loaded */
    struct verify_options options;
    struct verification verification;
};

/* ---- before ---- */

/* Queries without a formula declare observations; the others stay. False (reported) if a formula is
 * asked for under semantics of runs that it does not have. */
static bool choose_formulas(struct checking *checking) {
    struct session *session = &checking->session;
    struct model *model = session->model;
    uint32_t count = 0;
    bool is_fine = true, has_formula = false;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        if (query->quantifier == QUERY_EMPTY) continue;
        has_formula |= query->quantifier == QUERY_FORMULA;
        if (checking->request->is_uppaal && query->quantifier == QUERY_FORMULA &&
            !strcmp(semantics_of(query, SEMANTICS_UPPAAL), "kripke")) {
            diag_error(&session->diag, STATUS_UNSUPPORTED, query->span.begin,
                       "%s are answered under --semantics kripke only: leave --semantics uppaal "
                       "out",
                       model->is_mixed ? "queries about runs on a mixed model"
                                       : "operators in each other");
            is_fine = false;
        }
        struct query *kept = &model->queries[count++];
        *kept = *query;
        if (model->is_mixed && query_traits(query->quantifier)->family == FAMILY_BOUNDS) {
            query_reject(kept, STATUS_UNSUPPORTED, query->span.begin,
                         "sup, inf and bounds are not answered on a mixed model: ask the original, "
                         "or a may-abstraction for values that enclose them",
                         &session->diag);
            kept->quantifier = QUERY_INVALID;
            is_fine &= !kept->xml->is_given;
        }
    }
    model->query_count = count;
    return is_fine && (!has_formula || model_fits(session->network, FOR_FORMULA));
}

/* False (reported) if the model is mixed and what is asked for is about runs of it, which need not
 * be runs of the original. */
static bool check_mixed(const struct checking *checking) {
    const struct command_request *request = checking->request;
    const struct model *model = checking->session.model;
    bool has_runs = request->wants_charts || request->wants_run_models;
    if (model->is_mixed && has_runs)
        diag_error(model->diag, STATUS_UNSUPPORTED, model->mixed_at,
                   "verdicts on a mixed model come without runs: leave out what is to be done with "
                   "them, or check a may-abstraction");
    return !model->is_mixed || !has_runs;
}

/* Completes the options: everything is explored where there is no query. */
static bool complete(struct checking *checking) {
    const struct command_request *request = checking->request;
    const struct request_names *lists = request->lists;
    struct verify_options *options = &checking->options;
    bool has_runs =
        request->second.name != NULL || request->wants_charts || request->wants_run_models;
    *options = request->verify;
    options->wants_traces |= has_runs && !checking->session.model->is_mixed;
    options->search.progress = checking->sink->search;
    options->fair = (struct fair_names){.weak = lists[LIST_WEAK].items,
                                        .weak_count = lists[LIST_WEAK].count,
                                        .strong = lists[LIST_STRONG].items,
                                        .strong_count = lists[LIST_STRONG].count};
    limits_complete(&options->search);
    if (!choose_formulas(checking) || !check_mixed(checking)) return false;
    if (!checking->session.model->query_count) options->search.is_full = true;
    return fair_read_arguments(&options->fair, &checking->session.arena, checking->session.model);
}

/* ---- after ---- */

/* Whether the model has runtime errors, and whether a trace is missing. */
static void warn(struct session *session, const struct verification *verification) {
    const struct trace *trace = verification->error_trace;
    const char *where = "";
    if (verification->lacks_traces)
        diag_warning(
            &session->diag, 0,
            "a limit ended the search for a trace, which is left out; give it more time or "
            "memory");
    if (verification->search->limit == LIMIT_EVALUATION)
        diag_warning(&session->diag, verification->search->too_long.begin,
                     "the evaluation of this takes more than %d steps or cells, or %d nested "
                     "calls, so the search ends here: make it simpler",
                     EVAL_MAX_STEPS, EVAL_MAX_DEPTH);
    if (!verification->has_error) return;
    if (trace && trace->step_count) {
        const struct edge_instance *part = trace->steps[trace->step_count - 1].parts[0];
        where = arena_printf(&session->arena, " in a step of %s from %s to %s", part->process->name,
                             location_name(part->process, part->source),
                             location_name(part->process, part->target));
    }
    diag_warning(&session->diag, verification->error.span.begin,
                 "%s%s%s; Uppaal would stop here, varabs left out %s such steps",
                 fault_name(verification->error.kind), where,
                 trace || verification->lacks_traces ? "" : " (--trace shows how it is reached)",
                 verification->figures.errors.text);
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
            bool is_new = answer->query->quantifier != QUERY_INVALID; /* else there is a warning */
            bool is_large =
                answer->is_too_long || (answer->known && answer->known->outcome == KNOWN_LIMIT);
            enum status own = !is_new         ? answer->query->problem_status
                              : is_large      ? STATUS_LIMIT
                              : answer->hangs ? STATUS_UNSUPPORTED
                                              : STATUS_INVALID;
            if (answer->known && answer->known->is_unsupported) own = STATUS_UNSUPPORTED;
            if (status != STATUS_INVALID) status = own;
            if (is_new)
                diag_error(&session->diag, own, answer->problem_span.begin,
                           "this query cannot be decided: %s", answer->problem);
        } else {
            is_open |= answer->verdict == VERDICT_UNKNOWN;
        }
    }
    if (status != STATUS_DONE) return status;
    if (is_open || (is_full && !verification->search->is_complete)) return STATUS_LIMIT;
    return is_violated ? STATUS_VIOLATED : STATUS_DONE;
}

/* Says what was found; concretizes: looks for the runs in the original, too. */
static enum status finish(struct checking *checking, bool concretizes) {
    const struct command_request *request = checking->request;
    struct session *session = &checking->session;
    const struct verification *verification = &checking->verification;
    struct check_report report = {.network = session->network,
                                  .verification = verification,
                                  .semantics = checking->options.semantics,
                                  .arena = &session->arena,
                                  .shows_traces = request->verify.wants_traces};
    enum status status = judge(session, verification, checking->options.search.is_full);
    warn(session, verification);
    if (concretizes && (!command_load(&checking->original, &request->second) ||
                        !runs_concretize(session, &checking->original, request, &checking->options,
                                         &report, &status)))
        return STATUS_DONE; /* that of the original's messages */
    struct result_page page =
        command_page("check", request, session, concretizes ? &checking->original : NULL);
    if (request->wants_page && report.shows_traces)
        page.charts = runs_charts(session, verification, &page.chart_count);
    json_t *result = checking->sink->wants_result ? report_check(&report) : NULL;
    FILE *text = sink_leave(checking->sink, result, page, session);
    if (text) print_check(text, &report);
    runs_leave(session, request, checking->sink, verification);
    return status;
}

static enum status explore(struct checking *checking) {
    struct session *session = &checking->session;
    struct verification *verification = &checking->verification;
    enum status status = STATUS_DONE;
    limits_take_time(&checking->options.search);
    checking->sink->defer();
    bool is_done = verify(verification, &session->arena, session->network, session->model->queries,
                          session->model->query_count, &checking->options);
    bool concretizes = is_done && checking->request->second.name;
    if (is_done) if_fair_find(verification, session->network, &checking->options);
    if (concretizes) tell("looking for the runs in the original");
    if (is_done || verification->search->limit != LIMIT_NONE) /* while edges were prepared */
        status = finish(checking, concretizes);
    verify_close(verification);
    return status;
}

enum status command_check(const struct command_request *request, struct sink *sink) {
    struct checking checking = {.request = request, .sink = sink};
    struct session *session = &checking.session, *original = &checking.original;
    enum status status = STATUS_DONE;
    if (command_load(session, &request->first) &&
        session_build_asked(session, request->queries, request->query_count) &&
        model_fits(session->network, FOR_CHECK)) {
        sink->query_count = session->model->query_count;
        if (sink->is_ready(sink, session) && complete(&checking)) status = explore(&checking);
    }
    return sink->end(sink, session, original->diag.arena ? original : NULL, status);
}
