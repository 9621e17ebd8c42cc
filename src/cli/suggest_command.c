/* varabs suggest IN.xml */
#include "base/interrupt.h"
#include "base/resources.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "refine/measure.h"
#include "report/json.h"
#include "report/suggest_report.h"

#include <string.h>

enum { MEASURE_STATES = 400000, MEASURE_SECONDS = 2, GLANCE_STATES = 20000 };

static struct verify_options measure_limits(const struct options *options) {
    struct verify_options limits = options->verify;
    struct search_options *search = &limits.search;
    limits.engine = ENGINE_AUTO;
    limits.is_look = !search->max_states;
    bool is_long = options->values[OPTION_MEASURE] != NULL;
    if (!search->max_states) search->max_states = is_long ? MEASURE_STATES : GLANCE_STATES;
    if (search->max_seconds <= 0) search->max_seconds = MEASURE_SECONDS;
    if (!search->max_size) search->max_size = resources_memory() / 10 * 8;
    search->progress = progress_search;
    search->context = "measuring";
    if (!search->jobs) search->jobs = resources_processors();
    return limits;
}

/* varabs suggest: what could be removed, and what it costs. */
int command_suggest(const struct options *options) {
    struct session session;
    struct observed observed;
    const char *json = options->values[OPTION_JSON];
    if (!open_observed(&session, options, &observed)) return end_session(&session);
    struct suggestion suggestion;
    struct verify_options limits = measure_limits(options);
    signals_defer();
    progress_say("looking for removals");
    suggestion_make(&suggestion, &session.arena, session.network, observed.items, observed.count,
                    &options->abstract, progress_trial);
    struct exchanges exchanges = {.normal = {.output = {0}}};
    if (!interrupt_is_asked())
        measure_suggestion(&suggestion, options->queries, options->query_count, &limits,
                           &exchanges);
    suggestion.is_interrupted = interrupt_is_asked();
    suggestion.is_late = interrupt_is_timeout();
    struct suggest_report report = {&suggestion, &exchanges, observed.items, observed.count,
                                    &session.arena};
    progress_end();
    struct result_page page = {.kind = "suggest", .first = page_model_of(&session, options->input)};
    bool is_written =
        !result_is_wanted(options) ||
        result_write(report_suggest(&report), json, options, page, &session.arena, &session.diag);
    FILE *text = text_stream(options, is_written);
    if (text) print_suggest(text, &report);
    int status = end_session(&session);
    return !status && suggestion.is_interrupted ? STATUS_LIMIT : status;
}
