/* The report of an abstraction (schemas/report.schema.json): its members in their order at the
 * end. */
#include "abstract/cells/outcomes.h"
#include "base/clock.h"
#include "report/abstraction/abstraction_internal.h"
#include "report/abstraction/prepared_report.h"
#include "report/guarantee_report.h"
#include "xml/byte_map.h"

#include <assert.h>

static json_t *options_entry(const struct abstract_options *options, const char *const *removals,
                             uint32_t count) {
    json_t *entry = json_object();
    set(entry, "remove", texts(removals, count));
    set(entry, "approx",
        text(options->analysis.approximation == APPROX_COMBINED ? "combined" : "template"));
    set(entry, "budget", json_integer((json_int_t)options->analysis.budget));
    set(entry, "drop_priorities", json_boolean(options->drops_priorities));
    if (options->stutters) set(entry, "stutter", json_true());
    if (options->favour) set(entry, "favour", text(options->favour));
    if (options->assumes_live) set(entry, "assume_live", json_true());
    return entry;
}

/* S2: as in a spec, and what each variable replaces. */
static json_t *merge_entries(struct report_writer *writer) {
    const struct request *request = writer->abstraction->request;
    json_t *list = json_array();
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        json_t *entry = json_object(), *slots = json_array();
        for (uint32_t k = 0; k < ghost->cells.count; k++) {
            const struct ghost_cell *cell = &ghost->cells.items[k];
            const struct removal *removal = removed_ever(request, cell->symbol);
            json_array_append_new(slots, text(cell_text(writer, removal, cell->offset)));
        }
        if (ghost->template) set(entry, "template", text(ghost->template->symbol->name));
        set(entry, "name", text(ghost->symbol->name));
        set(entry, "type", trimmed(ghost->definition->type.content));
        set(entry, "expression", trimmed(ghost->definition->value.content));
        if (ghost->scope) set(entry, "locations", scope_entry(ghost->template, ghost->scope));
        set(entry, "replaces", slots);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *rewritten_entries(struct report_writer *writer) {
    const struct abstraction *abstraction = writer->abstraction;
    json_t *list = json_array();
    for (uint32_t i = 0; i < abstraction->rewritten_queries.count; i++) {
        const struct rewritten_query *rewritten = &abstraction->rewritten_queries.items[i];
        const struct query *query = &abstraction->network->model->queries[rewritten->index];
        struct source_location place = source_locate(&writer->document->source, query->span.begin);
        json_t *entry = json_object();
        set_place(entry, place);
        set(entry, "formula", trimmed(query->xml->formula->text.content));
        set(entry, "rewritten", trimmed(str_of(rewritten->formula)));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *dropped_entries(struct report_writer *writer) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < writer->abstraction->dropped_entries.count; i++) {
        const struct dropped_entry *dropped = &writer->abstraction->dropped_entries.items[i];
        json_t *entry = json_object();
        set(entry, "what", text(dropped->what));
        set_place(entry, source_locate(&writer->document->source, dropped->span.begin));
        set(entry, "variable", text(dropped->variable));
        if (dropped->text) set(entry, "formula", text(dropped->text));
        json_array_append_new(list, entry);
    }
    return list;
}

/* F11: reasons in parts, where merges over cells do not say enough. */
static json_t *doubt_entries(struct report_writer *writer) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < writer->abstraction->cell_doubts.count; i++) {
        const struct cell_doubt *doubt = &writer->abstraction->cell_doubts.items[i];
        const struct cell_reason *reason = doubt->reason;
        json_t *entry = json_object();
        set(entry, "template", text(doubt->template->symbol->name));
        set(entry, "edge", json_integer(doubt->edge + 1));
        set(entry, "line", json_integer(source_locate(&writer->document->source, reason->at).line));
        set(entry, "rule", text(reason->rule));
        set(entry, "part", text(reason->part));
        if (reason->expression) set(entry, "expression", text(reason->expression));
        if (reason->merge_count) set(entry, "merge", text(reason->merges[0]));
        if (reason->merge_count > 1)
            set(entry, "further_merges", texts(reason->merges + 1, reason->merge_count - 1));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *note_entries(struct report_writer *writer) {
    json_t *list = json_array();
    const struct analysis *analysis = writer->abstraction->analysis;
    for (uint32_t i = 0; i < analysis->notes.count; i++) {
        const struct analysis_note *note = &analysis->notes.items[i];
        json_t *entry = json_object();
        struct source_location place = source_locate(
            &writer->document->source, note->template->edges[note->edge].xml->element->at);
        set(entry, "template", text(note->template->symbol->name));
        set(entry, "edge", json_integer(note->edge + 1));
        set(entry, "line", json_integer(place.line));
        set(entry, "text", text(note->text));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *warning_entries(const struct diag *diag) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < diag->items.count; i++) {
        const struct diagnostic *item = &diag->items.items[i];
        if (item->status != STATUS_DONE) continue;
        json_t *entry = json_object();
        set_place(entry, source_locate(diag->source, item->at));
        set(entry, "message", text(item->message));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *timing_entry(const struct abstraction_report *report) {
    const struct abstraction *abstraction = report->abstraction;
    const struct timed_phase phases[] = {{"read_seconds", report->read_seconds},
                                         {"check_seconds", report->check_seconds},
                                         {"choose_seconds", report->choose_seconds},
                                         {"analysis_seconds", abstraction->analysis_seconds},
                                         {"fold_seconds", abstraction->fold_seconds},
                                         {"write_seconds", abstraction->write_seconds},
                                         {"exchange_seconds", report->exchange_seconds}};
    return json_timing(phases, sizeof phases / sizeof *phases, report->total_seconds);
}

static json_t *inexact_entries(const struct abstraction *abstraction) {
    return texts(abstraction->inexact.items, abstraction->inexact.count);
}

/* The member "shown": the states that were compared, and the reasons why the fold is not exact. */
static json_t *shown_entry(const struct abstraction *abstraction) {
    const struct explored_exact *explored = abstraction->explored;
    json_t *entry = json_object();
    set(entry, "compared_with",
        text(explored->is_to_original ? "original" : "exact removals alone"));
    set(entry, "states_before", json_integer((json_int_t)explored->states_before));
    set(entry, "states_after", json_integer((json_int_t)explored->states_after));
    set(entry, "compared_before", json_integer((json_int_t)explored->compared_before));
    set(entry, "compared_after", json_integer((json_int_t)explored->compared_after));
    set(entry, "exchanged", json_boolean(explored->is_exchanged));
    set(entry, "otherwise_because", inexact_entries(abstraction));
    return entry;
}

/* Models for some of the queries */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static json_t *measured_entry(const struct measured *measured) {
    json_t *entry = json_object();
    set(entry, "states", json_integer((json_int_t)measured->states.value));
    set(entry, "is_complete", json_boolean(measured->is_complete));
    return entry;
}

static json_t *share_entry(const struct abstraction_report *report, uint32_t number) {
    const struct query_share *share = &report->by_query->list.items[number];
    json_t *entry = json_object(), *queries = json_array();
    for (uint32_t i = 0; i < report->by_query->query_count; i++)
        if (share->is_asked[i]) json_array_append_new(queries, json_integer(i));
    set(entry, "queries", queries);
    set(entry, "output", file_entry(base_name(report->share_names[number]), share->normal.output));
    set(entry, "measured", measured_entry(&share->measured));
    uint32_t first = share->shared_merges;
    if (share->job)
        set(entry, "merges", texts(share->job->merges + first, share->job->merge_count - first));
    return entry;
}

static json_t *by_query_entry(const struct abstraction_report *report) {
    json_t *entry = json_object(), *list = json_array();
    for (uint32_t i = 0; i < report->by_query->list.count; i++)
        json_array_append_new(list, share_entry(report, i));
    set(entry, "together", measured_entry(&report->by_query->together));
    set(entry, "models", list);
    return entry;
}

struct abstraction_report abstraction_report_of(const struct job *job,
                                                const struct session *session) {
    return (struct abstraction_report){.abstraction = &job->abstraction,
                                       .guarantees = &job->guarantees,
                                       .options = &job->options,
                                       .removals = job->removals,
                                       .removal_count = job->removal_count,
                                       .diag = &session->diag,
                                       .read_seconds = session->read - session->start,
                                       .check_seconds = session->check_seconds,
                                       .choose_seconds = job->choose_seconds,
                                       .exchange_seconds = job->exchange_seconds,
                                       .total_seconds = clock_seconds() - session->start};
}

/* Owned by the caller, like all JSON that is returned here. */
json_t *report_abstraction(const struct abstraction_report *report) {
    const struct abstraction *abstraction = report->abstraction;
    const struct guarantees *guarantees = report->guarantees;
    const struct split *split = abstraction->split;
    const struct document *document = abstraction->network->model->document;
    struct report_writer writer = {abstraction, document, abstraction->arena};
    json_t *object = json_object();
    assert(abstraction->is_exact == (!abstraction->inexact.count || abstraction->explored));
    assert(!abstraction->explored || abstraction->inexact.count); /* a reason for each doubt (X1) */
    set_header(object, "report");
    set(object, "mode", text(rules_of(report->options->mode)->name));
    set(object, "exact", json_boolean(abstraction->is_exact));
    set(object, "inexact_because",
        abstraction->explored ? json_array() : inexact_entries(abstraction));
    if (abstraction->cell_doubts.count && !abstraction->explored)
        set(object, "inexact_cells", doubt_entries(&writer));
    if (abstraction->explored) set(object, "shown", shown_entry(abstraction));
    if (abstraction->not_shown) set(object, "not_shown", text(abstraction->not_shown));
    const char *relied = abstraction->may_fail ? abstraction->may_fail : guarantees->relies_on;
    if (relied) set(object, "relies_on", text(relied));
    set(object, "input", file_entry(document->source.name, document_file_bytes(document)));
    set(object, "output", file_entry(NULL, abstraction->output));
    set(object, "options", options_entry(report->options, report->removals, report->removal_count));
    if (abstraction->taken_out) set(object, "without", taken_out_entry(abstraction->taken_out));
    if (split && split->copies.count) set(object, "split", split_entry(split, &document->source));
    if (split && split->references.list.count)
        set(object, "references", references_entry(&split->references, &document->source));
    if (split && split->record.variables.count)
        set(object, "record", texts(split->record.variables.items, split->record.variables.count));
    set(object, "condition", condition_entry(&guarantees->condition, abstraction->arena));
    set(object, "guarantees", guarantee_entries(guarantees, abstraction->arena));
    if (guarantees->original.is_known || guarantees->output.is_known)
        set(object, "explored", explored_entries(guarantees));
    set(object, "removed", removed_entries(&writer));
    if (abstraction->classes) set(object, "together", together_entries(&writer));
    if (abstraction->request->ghosts.count) {
        set(object, "merges", merge_entries(&writer));
        set(object, "rewritten_queries", rewritten_entries(&writer));
    }
    if (report->normal && report->normal->points.count)
        set(object, "normalised", normal_entries(report->normal));
    if (report->by_query) set(object, "by_query", by_query_entry(report));
    if (abstraction->context.data.count) set(object, "data", data_entries(&writer));
    set_value_entries(object, &writer);
    if (abstraction->analysis->trial) set(object, "product", product_entry(&writer));
    set(object, "edges", edges_entry(&writer));
    set(object, "lost", dropped_entries(&writer));
    set(object, "notes", note_entries(&writer));
    set(object, "warnings", warning_entries(report->diag));
    set(object, "timing", timing_entry(report));
    return object;
}
