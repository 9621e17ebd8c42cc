/* varabs suggest IN.xml */
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "command/suggesting.h"
#include "report/json.h"

/* varabs suggest: what could be removed, and what it costs. */
int command_suggest(const struct options *options) {
    struct session session;
    const char *json = options->values[OPTION_JSON];
    struct suggesting suggesting = {.session = &session,
                                    .queries = options->queries,
                                    .query_count = options->query_count,
                                    .abstract = &options->abstract,
                                    .verify = options->verify,
                                    .is_long = options->values[OPTION_MEASURE] != NULL,
                                    .tell = progress_trial};
    if (!open_observed(&session, options, &suggesting.observed)) return end_session(&session);
    suggesting.verify.search.progress = progress_search;
    suggesting.verify.search.context = "measuring";
    signals_defer();
    progress_say("looking for removals");
    enum status status = suggesting_run(&suggesting);
    progress_end();
    struct result_page page = {.kind = "suggest", .first = page_model_of(&session, options->input)};
    bool is_written =
        !result_is_wanted(options) || result_write(report_suggest(&suggesting.report), json,
                                                   options, page, &session.arena, &session.diag);
    FILE *text = text_stream(options, is_written);
    if (text) print_suggest(text, &suggesting.report);
    suggesting_close(&suggesting);
    int of_session = end_session(&session);
    return of_session ? of_session : (int)status;
}
