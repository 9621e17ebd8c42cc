/* Abstractions side by side, as JSON. */
#include "report/grid/grid_report.h"

#include "report/json.h"

#include <stdlib.h>

/* Digits as a number, where readers of JSON take it; null without digits. */
static json_t *number_of(const char *digits) {
    const long long most = 1LL << 53;
    if (!digits) return json_null();
    long long value = strtoll(digits, NULL, 10);
    return value < most ? json_integer(value) : json_null();
}

static json_t *seconds_of(double seconds) { return seconds < 0 ? json_null() : json_real(seconds); }

static json_t *answer_entry(const struct grid_answer *answer, bool is_original) {
    json_t *entry = json_object();
    set(entry, "verdict", text_or_null(answer->verdict));
    if (answer->value) set(entry, "value", text(answer->value));
    if (!is_original) set(entry, "carries_over", json_boolean(answer->carries));
    if (answer->reason) set(entry, "reason", text(answer->reason));
    return entry;
}

static json_t *row_entry(const struct grid_report *report, const struct grid_row *row) {
    json_t *entry = json_object(), *answers = json_array();
    set(entry, "name", text(row->name));
    set(entry, "mode", text_or_null(row->mode));
    set(entry, "exact", row->mode && row->is_made ? json_boolean(row->is_exact) : json_null());
    set(entry, "states", number_of(row->states));
    set(entry, "states_text", text_or_null(row->states));
    set(entry, "transitions", number_of(row->transitions));
    set(entry, "transitions_text", text_or_null(row->transitions));
    set(entry, "errors", number_of(row->errors));
    set(entry, "errors_text", text_or_null(row->errors));
    set(entry, "engine", text_or_null(row->engine));
    set(entry, "abstract_seconds", seconds_of(row->make_seconds));
    set(entry, "explore_seconds", seconds_of(row->explore_seconds));
    set(entry, "peak_bytes",
        row->peak_bytes ? json_integer((json_int_t)row->peak_bytes) : json_null());
    if (row->mode) set(entry, "no_runtime_errors", text_or_null(row->condition));
    set(entry, "problem", text_or_null(row->problem));
    for (uint32_t i = 0; i < report->query_count; i++)
        json_array_append_new(answers, answer_entry(&row->answers[i], !row->mode));
    set(entry, "queries", answers);
    return entry;
}

json_t *report_grid(const struct grid_report *report) {
    json_t *object = json_object(), *rows = json_array();
    set_header(object, "grid");
    set(object, "input", file_entry(report->file, report->bytes));
    set(object, "semantics", text(report->semantics));
    set(object, "queries", texts(report->queries, report->query_count));
    for (uint32_t i = 0; i < report->row_count; i++)
        json_array_append_new(rows, row_entry(report, &report->rows[i]));
    set(object, "rows", rows);
    return object;
}
