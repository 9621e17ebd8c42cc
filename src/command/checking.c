/* See checking.h. */
#include "command/checking.h"

#include "command/limits.h"
#include "report/check/epistemic_report.h"
#include "report/trace_report.h"

#include <string.h>

/* Queries without a formula declare observations; the others stay. */
static bool choose_formulas(struct session *session, bool is_uppaal) {
    struct model *model = session->model;
    uint32_t count = 0;
    bool is_fine = true;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        if (query->quantifier == QUERY_EMPTY) continue;
        if (is_uppaal && query->quantifier == QUERY_FORMULA &&
            !strcmp(semantics_of(query, SEMANTICS_UPPAAL), "kripke")) {
            diag_error(&session->diag, STATUS_UNSUPPORTED, query->span.begin,
                       "operators in each other are answered under --semantics kripke only: "
                       "leave --semantics uppaal out");
            is_fine = false;
        }
        model->queries[count++] = *query;
    }
    model->query_count = count;
    return is_fine;
}

bool checking_begin(struct session *session, struct verify_options *options, bool is_uppaal) {
    limits_complete(&options->search);
    if (!choose_formulas(session, is_uppaal)) return false;
    if (!session->model->query_count) options->search.is_full = true;
    return true;
}

void checking_warn(struct session *session, const struct verification *verification) {
    const struct trace *trace = verification->error_trace;
    const char *where = "";
    if (verification->lacks_traces)
        diag_warning(&session->diag, 0,
                     "a limit ended the look for a trace, which is left out; give it more time or "
                     "memory");
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
                 verification->errors.text);
}

enum status checking_judge(struct session *session, const struct verification *verification,
                           bool is_full) {
    bool is_open = false, is_violated = false;
    enum status status = STATUS_DONE;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        is_violated |= answer->verdict == VERDICT_VIOLATED;
        if (answer->problem) {
            bool is_new = answer->query->quantifier != QUERY_INVALID; /* else there is a warning */
            bool is_large = answer->known && answer->known->outcome == KNOWN_LIMIT;
            enum status own = !is_new         ? answer->query->problem_status
                              : is_large      ? STATUS_LIMIT
                              : answer->hangs ? STATUS_UNSUPPORTED
                                              : STATUS_INVALID;
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
