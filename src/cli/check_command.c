/* varabs check IN.xml */
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/signals.h"
#include "command/checking.h"
#include "command/concretizing.h"
#include "command/limits.h"
#include "explore/fair/asked.h"
#include "explore/verdict/if_fair.h"
#include "report/check/check_report.h"
#include "report/json.h"

static enum status show(struct session *session, struct session *original,
                        const struct options *options, const struct verification *verification,
                        const struct verify_options *verify) {
    struct check_report report = {.network = session->network,
                                  .verification = verification,
                                  .semantics = verify->semantics,
                                  .arena = &session->arena,
                                  .shows_traces = options->verify.wants_traces};
    const char *json = options->values[OPTION_JSON];
    enum status status = checking_judge(session, verification, verify->search.is_full);
    checking_warn(session, verification);
    if (original) {
        struct concretizing concretizing = {session, original, verify, NULL, 0};
        concretizing.ignored =
            options_ignored(options, &session->arena, &concretizing.ignored_count);
        if (!session_load(original, options->values[OPTION_CONCRETIZE]) ||
            !concretizing_run(&concretizing, &report, &status))
            return STATUS_DONE; /* that of the original's diagnostics */
    }
    struct result_page page = {.kind = "check", .first = page_model_of(session, options->input)};
    if (original) page.second = page_model_of(original, options->values[OPTION_CONCRETIZE]);
    bool is_written =
        !result_is_wanted(options) ||
        result_write(report_check(&report), json, options, page, &session->arena, &session->diag);
    FILE *text = text_stream(options, is_written);
    progress_end();
    if (text) print_check(text, &report);
    if (runs_are_wanted(options) && !runs_write(session, options, verification)) is_written = false;
    if (!is_written) status = STATUS_DONE; /* that of the diagnostics */
    return status;
}

static enum status check(struct session *session, struct session *original,
                         const struct options *options, struct verify_options verify_options) {
    struct verification verification;
    limits_take_time(&verify_options.search);
    signals_defer();
    bool is_done = verify(&verification, &session->arena, session->network, session->model->queries,
                          session->model->query_count, &verify_options);
    if (is_done) if_fair_find(&verification, session->network, &verify_options);
    if (original) progress_say("looking for the runs in the original");
    enum status status = STATUS_DONE;
    if (is_done)
        status = show(session, original, options, &verification, &verify_options);
    else if (verification.search->limit != LIMIT_NONE) /* while edges were prepared */
        status = show(session, NULL, options, &verification, &verify_options);
    verify_close(&verification);
    return status;
}

static struct verify_options verify_options_of(const struct options *options) {
    struct verify_options verify = options->verify;
    verify.wants_traces |= options->values[OPTION_CONCRETIZE] || runs_are_wanted(options);
    if (!options->values[OPTION_ENGINE]) verify.engine = ENGINE_AUTO;
    verify.search.progress = progress_search;
    return verify;
}

static bool names_are_usable(struct session *session, const struct options *options) {
    struct outputs outputs;
    outputs_begin(&outputs, options, &session->arena);
    outputs_add_results(&outputs);
    runs_add(&outputs, session->model->query_count);
    return outputs_are_usable(&outputs, &session->diag);
}

/* varabs check: answers queries; with --concretize looks for the runs in the original. */
int command_check(const struct options *options) {
    struct session session, original = {0};
    struct verify_options verify = verify_options_of(options);
    enum status status = STATUS_DONE;
    bool has_original = options->values[OPTION_CONCRETIZE] != NULL;
    bool is_uppaal =
        options->values[OPTION_SEMANTICS] && options->verify.semantics == SEMANTICS_UPPAAL;
    bool is_ready = session_load(&session, options->input) &&
                    session_build_for(&session, options->queries, options->query_count) &&
                    names_are_usable(&session, options) &&
                    checking_begin(&session, &verify, is_uppaal);
    struct fair_names *fair = &verify.fair;
    if (is_ready) {
        fair->weak = options_names(options, LIST_WEAK, &session.arena, &fair->weak_count);
        fair->strong = options_names(options, LIST_STRONG, &session.arena, &fair->strong_count);
        if (fair_read_arguments(fair, &session.arena, session.model))
            status = check(&session, has_original ? &original : NULL, options, verify);
    }
    int of_original = original.diag.arena ? end_session(&original) : STATUS_DONE;
    int of_session = end_session(&session);
    int worst = of_original > of_session ? of_original : of_session;
    return status == STATUS_DONE || worst > STATUS_VIOLATED ? worst : (int)status;
}
