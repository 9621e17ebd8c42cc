/* varabs suggest: what could be removed, and what it costs. What was not tried is not exact. */
#include "command/command.h"
#include "command/fits.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "refine/choose_merges.h"
#include "refine/original.h"
#include "report/abstraction/suggest_report.h"
#include "suggest/irrelevant.h"

/* Work is as much as takes a second or two, so that what is found does not depend on the machine.
 * Time is for what is not counted as work: to prepare a large model. */
enum {
    MEASURE_STATES = 400000,
    MEASURE_WORK = 20000000,
    GLANCE_STATES = 20000,
    GLANCE_WORK = 4000000,
    MOST_SECONDS = 30
};

static struct verify_options measure_limits(const struct command_request *request,
                                            const struct sink *sink) {
    struct verify_options limits = request->verify;
    struct search_options *search = &limits.search;
    limits.engine = ENGINE_AUTO;
    limits.max_states_is_effort = !search->max_states;
    limits_complete_memory(search);
    if (search->max_seconds <= 0) search->max_seconds = MOST_SECONDS;
    search->progress = sink->search;
    search->context = "measuring";
    if (search->max_states) return limits;
    search->max_states = request->is_long ? MEASURE_STATES : GLANCE_STATES;
    search->max_work = request->is_long ? MEASURE_WORK : GLANCE_WORK;
    return limits;
}

static enum status run(struct session *session, const struct observed *observed,
                       const struct command_request *request, struct sink *sink) {
    const struct verify_options limits = measure_limits(request, sink);
    struct abstract_options options = request->abstract;
    struct suggestion suggestion;
    struct exchanges exchanges = {.normal = {.output = {0}}};
    struct original original;
    original_open(&original, session, request->verify.search.max_states);
    options.analysis.errors = &original.errors;
    const struct taken_out *taken_out =
        irrelevant_find(session, observed->items, observed->count, true);
    tell("looking for removals");
    suggestion_make(&suggestion, &session->arena, session->network, observed->items,
                    observed->count, &options, tell_trial);
    if (options.analysis.budget == ANALYSIS_DEFAULT_BUDGET)
        original_know_values(&original, suggestion.values);
    suggestion_choose_merges(&suggestion, observed, request->queries, request->query_count);
    if (!interrupt_is_asked())
        measure_suggestion(&suggestion, request->queries, request->query_count, &limits,
                           &exchanges);
    const struct measured *measured = &suggestion.original;
    if (measured->is_complete && !measured->has_errors) original_meets(&original);
    suggestion.is_interrupted = interrupt_is_asked();
    suggestion.is_late = interrupt_is_timeout();
    suggestion.is_memory_over = interrupt_is_for_memory();
    const struct suggest_report report = {.suggestion = &suggestion,
                                          .exchanges = &exchanges,
                                          .taken_out = taken_out,
                                          .condition =
                                              original_condition(&original, measured->has_errors),
                                          .queries = observed->items,
                                          .query_count = observed->count,
                                          .arena = &session->arena,
                                          .read_seconds = session->read - session->start,
                                          .check_seconds = session->check_seconds,
                                          .total_seconds = clock_seconds() - session->start};
    struct result_page page = command_page("suggest", request, session, NULL);
    FILE *text =
        sink_leave(sink, sink->wants_result ? report_suggest(&report) : NULL, page, session);
    if (text) print_suggest(text, &report);
    original_close(&original);
    return suggestion.is_interrupted ? STATUS_LIMIT : STATUS_DONE;
}

enum status command_suggest(const struct command_request *request, struct sink *sink) {
    struct session session;
    struct observed observed;
    enum status status = STATUS_DONE;
    if (command_load(&session, &request->first) &&
        session_build_observed(&session, request->queries, request->query_count, &observed) &&
        model_fits(session.network, FOR_SUGGEST) && sink->is_ready(sink, &session)) {
        sink->defer();
        status = run(&session, &observed, request, sink);
    }
    return sink->end(sink, &session, NULL, status);
}
