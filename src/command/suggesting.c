/* See suggesting.h. */
#include "command/suggesting.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "command/limits.h"

/* Work is as much as takes a second or two, so that what is found does not depend on the machine.
 * Time is for what is not counted as work: to prepare a large model. */
enum {
    MEASURE_STATES = 400000,
    MEASURE_WORK = 20000000,
    GLANCE_STATES = 20000,
    GLANCE_WORK = 4000000,
    MOST_SECONDS = 30
};

static struct verify_options measure_limits(const struct suggesting *suggesting) {
    struct verify_options limits = suggesting->verify;
    struct search_options *search = &limits.search;
    limits.engine = ENGINE_AUTO;
    limits.is_look = !search->max_states;
    limits_complete_memory(search);
    if (search->max_seconds <= 0) search->max_seconds = MOST_SECONDS;
    if (search->max_states) return limits;
    search->max_states = suggesting->is_long ? MEASURE_STATES : GLANCE_STATES;
    search->max_work = suggesting->is_long ? MEASURE_WORK : GLANCE_WORK;
    return limits;
}

enum status suggesting_run(struct suggesting *suggesting) {
    struct session *session = suggesting->session;
    const struct observed *observed = &suggesting->observed;
    struct suggestion *suggestion = &suggesting->suggestion;
    struct verify_options limits = measure_limits(suggesting);
    original_open(&suggesting->original, session, suggesting->verify.search.max_states);
    suggesting->options = *suggesting->abstract;
    suggesting->options.analysis.errors = &suggesting->original.errors;
    suggestion_make(suggestion, &session->arena, session->network, observed->items, observed->count,
                    &suggesting->options, suggesting->tell);
    suggesting->exchanges = (struct exchanges){.normal = {.output = {0}}};
    if (!interrupt_is_asked())
        measure_suggestion(suggestion, suggesting->queries, suggesting->query_count, &limits,
                           &suggesting->exchanges);
    const struct measured *measured = &suggestion->original;
    if (measured->is_complete && !measured->has_errors) original_meets(&suggesting->original);
    suggestion->is_interrupted = interrupt_is_asked();
    suggestion->is_late = interrupt_is_timeout();
    suggestion->is_memory_over = interrupt_is_for_memory();
    suggesting->report = (struct suggest_report){
        .suggestion = suggestion,
        .exchanges = &suggesting->exchanges,
        .condition = original_condition(&suggesting->original, measured->has_errors),
        .queries = observed->items,
        .query_count = observed->count,
        .arena = &session->arena,
        .read_seconds = session->read - session->start,
        .check_seconds = session->check_seconds,
        .total_seconds = clock_seconds() - session->start};
    return suggestion->is_interrupted ? STATUS_LIMIT : STATUS_DONE;
}

void suggesting_close(struct suggesting *suggesting) { original_close(&suggesting->original); }
