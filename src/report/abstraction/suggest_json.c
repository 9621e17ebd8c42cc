/* What `varabs suggest` found, as JSON. */
#include "report/abstraction/suggest_report.h"

#include "lang/syntax/query_text.h"
#include "report/guarantee_report.h"
#include "report/json.h"
#include "xml/byte_map.h"

#include <assert.h>
#include <math.h>

static void set_measured(json_t *entry, const char *key, const struct measured *measured) {
    if (!measured->states.is_known) return;
    json_t *figure = json_object();
    set_exact(figure, "states", "states_text", &measured->states);
    set(figure, "is_complete", json_boolean(measured->is_complete));
    set(entry, key, figure);
}

static json_t *removal_entry(const struct suggest_report *report,
                             const struct suggested *suggested) {
    assert(suggested->removal.argument && suggested->removal.reason);
    const struct candidate_removal *removal = &suggested->removal;
    json_t *entry = json_object();
    set(entry, "variable",
        text(variable_name(report->arena, removal->variable->template, removal->variable->symbol)));
    set(entry, "remove", text(removal->argument));
    set(entry, "reduction", json_real(removal->gain));
    set(entry, "processes", json_integer(removal->process_count));
    set(entry, "reason", text(removal->reason));
    if (report->suggestion->is_measured) set_measured(entry, "measured", &suggested->measured);
    if (suggested->must_is_measured)
        set(entry, "must_stands_still", json_boolean(suggested->must_stands_still));
    return entry;
}

static json_t *merge_entry(const struct suggest_report *report,
                           const struct suggested_merges *merges) {
    const struct merge_proposal *proposal = &merges->proposal;
    const struct merge_trial *tried = &merges->tried;
    json_t *entry = json_object();
    assert(proposal->arguments.count);
    set(entry, "merge", texts(proposal->arguments.items, proposal->arguments.count));
    set(entry, "reduction", json_real(exp2(proposal->gain)));
    set(entry, "reasons", texts(tried->reasons.items, tried->reasons.count));
    set(entry, "reason_count", json_integer(tried->trial.reason_count));
    set(entry, "lost_queries", texts(tried->lost.items, tried->lost.count));
    set(entry, "is_about_agents", json_boolean(tried->is_about_agents));
    if (report->suggestion->is_measured) set_measured(entry, "measured", &merges->measured);
    return entry;
}

/* Variables, each once, of which values are exchanged. */
static json_t *exchanged_entries(const struct normal *normal) {
    json_t *list = json_array();
    const char *last = NULL;
    for (uint32_t i = 0; i < normal->points.count; i++) {
        const char *variable = normal->points.items[i].variable;
        if (!last || strcmp(last, variable) != 0) json_array_append_new(list, text(variable));
        last = variable;
    }
    return list;
}

static json_t *by_query_entries(const struct by_query *by_query) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < by_query->list.count; i++) {
        const struct query_share *share = &by_query->list.items[i];
        json_t *entry = json_object(), *queries = json_array();
        for (uint32_t k = 0; k < by_query->query_count; k++)
            if (share->is_asked[k]) json_array_append_new(queries, json_integer(k));
        set(entry, "queries", queries);
        set_measured(entry, "measured", &share->measured);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *timing_entry(const struct suggest_report *report) {
    const struct suggest_seconds *seconds = &report->suggestion->seconds;
    const struct timed_phase phases[] = {
        {"read_seconds", report->read_seconds},  {"check_seconds", report->check_seconds},
        {"analysis_seconds", seconds->values},   {"exact_seconds", seconds->exact},
        {"lossy_seconds", seconds->lossy},       {"exchange_seconds", seconds->exchange},
        {"by_query_seconds", seconds->by_query}, {"states_seconds", seconds->states},
        {"alone_seconds", seconds->alone},       {"must_alone_seconds", seconds->must_alone},
        {"further_seconds", seconds->further}};
    return json_timing(phases, sizeof phases / sizeof *phases, report->total_seconds);
}

/* Owned by the caller. */
json_t *report_suggest(const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    json_t *object = json_object(), *queries = json_array(), *observed = json_array(),
           *exact = json_array(), *shown = json_array(), *lossy = json_array(),
           *refused = json_array(), *merges = json_array(), *lossy_merges = json_array();
    for (uint32_t i = 0; i < report->query_count; i++)
        json_array_append_new(
            queries,
            text(query_formula(report->arena, report->queries[i].xml->formula->text.content)));
    for (uint32_t i = 0; i < suggestion->live->variable_count; i++)
        if (suggestion->live->variables[i].is_observed)
            json_array_append_new(
                observed, text(variable_name(report->arena, suggestion->live->variables[i].template,
                                             suggestion->live->variables[i].symbol)));
    for (uint32_t i = 0; i < suggestion->exact.count; i++)
        json_array_append_new(exact, removal_entry(report, &suggestion->exact.items[i]));
    for (uint32_t i = 0; i < suggestion->explored.count; i++)
        json_array_append_new(shown, removal_entry(report, &suggestion->explored.items[i]));
    for (uint32_t i = 0; i < suggestion->lossy.count; i++) {
        const struct suggested *suggested = &suggestion->lossy.items[i];
        json_array_append_new(suggested->is_refused ? refused : lossy,
                              removal_entry(report, suggested));
    }
    const struct document *document = suggestion->network->model->document;
    set_header(object, "suggest");
    set(object, "input", file_entry(document->source.name, document_file_bytes(document)));
    set(object, "queries", queries);
    set(object, "observed", observed);
    set(object, "is_analysed", json_boolean(suggestion->live->is_complete));
    const char *limit = suggestion->is_late          ? "time"
                        : suggestion->is_memory_over ? "memory"
                                                     : "interrupt";
    set(object, "limit", suggestion->is_interrupted ? text(limit) : json_null());
    set(object, "condition", condition_entry(report->condition, report->arena));
    if (report->taken_out)
        set(object, "without",
            texts(report->taken_out->processes.items, report->taken_out->processes.count));
    set(object, "exact", exact);
    set(object, "shown", shown);
    set(object, "lossy", lossy);
    set(object, "refused", refused);
    for (uint32_t i = 0; i < suggestion->merges.count; i++)
        json_array_append_new(merges, merge_entry(report, &suggestion->merges.items[i]));
    for (uint32_t i = 0; i < suggestion->lossy_merges.count; i++)
        json_array_append_new(lossy_merges,
                              merge_entry(report, &suggestion->lossy_merges.items[i]));
    set(object, "merges", merges);
    set(object, "lossy_merges", lossy_merges);
    if (suggestion->is_measured) {
        set_measured(object, "original", &suggestion->original);
        set_measured(object, "together", &suggestion->together);
        set(object, "normalised", exchanged_entries(&report->exchanges->normal));
        set(object, "by_query", by_query_entries(&report->exchanges->by_query));
    }
    set(object, "timing", timing_entry(report));
    return object;
}
