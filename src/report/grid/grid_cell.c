#include "report/grid/grid_cell.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum column {
    COLUMN_NAME,
    COLUMN_KIND,
    COLUMN_EXACT,
    COLUMN_STATES,
    COLUMN_TRANSITIONS,
    COLUMN_SECONDS,
    COLUMN_QUERIES
};

uint32_t grid_column_count(const struct grid_report *report) {
    return COLUMN_QUERIES + report->query_count;
}

bool grid_is_verdict(const struct grid_answer *answer) {
    return answer->verdict && strcmp(answer->verdict, "unknown") != 0;
}

void grid_cell_head(struct grid_cell *cell, const struct grid_report *report, uint32_t column) {
    static const char *const heads[COLUMN_QUERIES] = {"abstraction", "kind",        "exact",
                                                      "states",      "transitions", "seconds"};
    assert(column < grid_column_count(report));
    *cell = (struct grid_cell){.text = cell->own,
                               .is_number = column >= COLUMN_STATES && column < COLUMN_QUERIES};
    if (column < COLUMN_QUERIES)
        cell->text = heads[column];
    else
        snprintf(cell->own, sizeof cell->own, "q%u", column - COLUMN_QUERIES + 1);
}

static const char *dash(const char *text) { return text ? text : "-"; }

/* The time for both, the abstraction and the exploration. */
static void take_seconds(struct grid_cell *cell, const struct grid_row *row) {
    double seconds = row->explore_seconds + (row->make_seconds > 0 ? row->make_seconds : 0);
    cell->text = "-";
    if (row->explore_seconds < 0) return;
    snprintf(cell->own, sizeof cell->own, "%.2f", seconds);
    cell->text = cell->own;
}

static void take_answer(struct grid_cell *cell, const struct grid_row *row,
                        const struct grid_answer *answer) {
    cell->is_verdict = grid_is_verdict(answer);
    cell->carries = !row->mode || answer->carries;
    cell->text = dash(answer->value ? answer->value : answer->verdict);
    if (!cell->is_verdict || cell->carries) return;
    snprintf(cell->own, sizeof cell->own, "(%s)", cell->text);
    cell->text = cell->own;
}

void grid_cell_of(struct grid_cell *cell, const struct grid_report *report,
                  const struct grid_row *row, uint32_t column) {
    assert(column < grid_column_count(report));
    *cell = (struct grid_cell){.is_number = column >= COLUMN_STATES && column < COLUMN_QUERIES};
    switch (column) {
    case COLUMN_NAME: cell->text = row->name; break;
    case COLUMN_KIND: cell->text = dash(row->mode); break;
    case COLUMN_EXACT:
        cell->text = !row->mode || !row->is_made ? "-" : row->is_exact ? "yes" : "no";
        break;
    case COLUMN_STATES: cell->text = dash(row->states); break;
    case COLUMN_TRANSITIONS: cell->text = dash(row->transitions); break;
    case COLUMN_SECONDS: take_seconds(cell, row); break;
    default: take_answer(cell, row, &row->answers[column - COLUMN_QUERIES]);
    }
}

static bool has_condition(const struct grid_report *report, const char *state) {
    for (uint32_t i = 0; i < report->row_count; i++)
        if (report->rows[i].condition && !strcmp(report->rows[i].condition, state)) return true;
    return false;
}

const char *grid_condition(const struct grid_report *report) {
    if (has_condition(report, "broken"))
        return "The original has runtime errors, where Uppaal stops: verdicts carry over to the "
               "steps without them only.";
    if (has_condition(report, "open"))
        return "Verdicts carry over if the original has no runtime errors.";
    return NULL;
}
