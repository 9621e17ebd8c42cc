/* varabs check IN.xml */
#include "base/resources.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "report/check_report.h"
#include "report/epistemic_report.h"
#include "report/json.h"

#include <assert.h>
#include <string.h>

/* ---- the run ---- */

static struct verify_options complete_options(const struct options *options,
                                              const struct session *session) {
    struct verify_options verify = options->verify;
    struct search_options *search = &verify.search;
    verify.wants_traces |= options->values[OPTION_CONCRETIZE] != NULL;
    if (!search->max_size) search->max_size = resources_memory() / 10 * 8;
    if (!search->jobs) search->jobs = resources_processors();
    if (!session->model->query_count) search->is_full = true;
    if (!options->values[OPTION_ENGINE]) verify.engine = ENGINE_AUTO;
    search->progress = progress_search;
    return verify;
}

/* ---- results ---- */

static void report_error(struct session *session, const struct verification *verification) {
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
            bool is_large = answer->known && answer->known->outcome == KNOWN_LIMIT;
            enum status own = !is_new    ? answer->query->problem_status
                              : is_large ? STATUS_LIMIT
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

/* ---- runs in the original ---- */

/* Whether the run of an answer is looked for in the original: not where a run alone proves nothing.
 */
static bool is_followed(const struct answer *answer) { return answer->trace && !answer->known; }

/* Opens the original with the queries of the model that have an answer with a run. */
static bool open_original(struct session *original, const struct options *options,
                          const struct verification *verification) {
    struct arena *arena = verification->arena;
    struct query_source *queries =
        ARENA_ARRAY(arena, struct query_source, verification->answer_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        struct str formula = answer->query->xml->formula->text.content;
        if (is_followed(answer))
            queries[count++] =
                (struct query_source){arena_copy(arena, formula.data, formula.size), false,
                                      "query of the abstraction, in the original"};
    }
    return session_load(original, options->values[OPTION_CONCRETIZE]) &&
           session_build_for(original, queries, count);
}

/* False (reported) if it cannot be done; *status becomes that of a limit where one is met. */
static bool concretize_all(struct session *session, struct session *original,
                           const struct options *options, const struct verify_options *verify,
                           struct check_report *report, enum status *status) {
    const struct verification *verification = report->verification;
    struct arena *arena = &session->arena;
    struct visible visible;
    struct concretizer concretizer;
    struct concretize_options limits = {.semantics = verify->semantics,
                                        .max_states = verify->search.max_states,
                                        .max_size = verify->search.max_size,
                                        .max_seconds = verify->search.max_seconds};
    const struct model *model = original->model;
    uint32_t count, query = 0;
    const char **names = options_ignored(options, arena, &count);
    const char *problem =
        visible_init(&visible, arena, original->network, session->network, names, count);
    if (problem) diag_error(&original->diag, STATUS_USAGE, 0, "%s", problem);
    if (problem) return false;
    const struct concretization **results =
        ARENA_ARRAY(arena, const struct concretization *, verification->answer_count + 1);
    bool is_ready =
        concretizer_init(&concretizer, &visible, model->queries, model->query_count, &limits);
    for (uint32_t i = 0; i < verification->answer_count && is_ready; i++) {
        struct concretization *result = ARENA_NEW(arena, struct concretization);
        if (!is_followed(&verification->answers[i])) continue;
        assert(query < model->query_count);
        concretize(&concretizer, query++, verification->answers[i].trace, arena, result);
        results[i] = result;
        if (result->limit != LIMIT_NONE && *status <= STATUS_VIOLATED) *status = STATUS_LIMIT;
    }
    if (verification->lacks_traces && *status <= STATUS_VIOLATED) *status = STATUS_LIMIT;
    concretizer_close(&concretizer);
    report->original = original->network;
    report->concretizations = results;
    return is_ready;
}

static enum status show(struct session *session, struct session *original,
                        const struct options *options, const struct verification *verification,
                        const struct verify_options *verify) {
    struct check_report report = {.network = session->network,
                                  .verification = verification,
                                  .semantics = verify->semantics,
                                  .arena = &session->arena,
                                  .shows_traces = options->verify.wants_traces};
    const char *json = options->values[OPTION_JSON];
    enum status status = judge(session, verification, verify->search.is_full);
    report_error(session, verification);
    if (original && (!open_original(original, options, verification) ||
                     !concretize_all(session, original, options, verify, &report, &status)))
        return STATUS_DONE; /* that of the original's diagnostics */
    struct result_page page = {.kind = "check", .first = page_model_of(session, options->input)};
    if (original) page.second = page_model_of(original, options->values[OPTION_CONCRETIZE]);
    bool is_written =
        !result_is_wanted(options) ||
        result_write(report_check(&report), json, options, page, &session->arena, &session->diag);
    FILE *text = text_stream(options, is_written);
    progress_end();
    if (text) print_check(text, &report);
    if (!is_written) status = STATUS_DONE; /* that of the diagnostics */
    return status;
}

/* Leaves out what is no query but declares something; false (reported) if a formula is asked for
 * under semantics of runs that it does not have. */
static bool choose_formulas(struct session *session, const struct options *options) {
    struct model *model = session->model;
    uint32_t count = 0;
    bool is_uppaal =
             options->values[OPTION_SEMANTICS] && options->verify.semantics == SEMANTICS_UPPAAL,
         is_fine = true;
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

static enum status check(struct session *session, struct session *original,
                         const struct options *options) {
    struct verification verification;
    struct verify_options verify_options = complete_options(options, session);
    signals_defer();
    bool is_done = verify(&verification, &session->arena, session->network, session->model->queries,
                          session->model->query_count, &verify_options);
    if (original) progress_say("looking for the runs in the original");
    enum status status = STATUS_DONE;
    if (is_done)
        status = show(session, original, options, &verification, &verify_options);
    else if (verification.search->limit != LIMIT_NONE) /* while edges were prepared */
        status = show(session, NULL, options, &verification, &verify_options);
    verify_close(&verification);
    return status;
}

/* varabs check: answers queries; with --concretize looks for the runs in the original. */
int command_check(const struct options *options) {
    struct session session, original = {0};
    enum status status = STATUS_DONE;
    bool has_original = options->values[OPTION_CONCRETIZE] != NULL;
    bool is_ready = session_load(&session, options->input) &&
                    results_are_usable(&session.diag, options) &&
                    session_build_for(&session, options->queries, options->query_count) &&
                    choose_formulas(&session, options);
    if (is_ready) status = check(&session, has_original ? &original : NULL, options);
    int of_original = original.diag.arena ? end_session(&original) : STATUS_DONE;
    int of_session = end_session(&session);
    int worst = of_original > of_session ? of_original : of_session;
    return status == STATUS_DONE || worst > STATUS_VIOLATED ? worst : (int)status;
}
