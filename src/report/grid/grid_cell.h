/* GRID CELL - the columns of a grid: what the tables for people have in common.
 *
 * Columns: name, kind, exact, states, transitions, seconds, and one for each query. */
#pragma once

#include "report/grid/grid_table.h"

struct grid_cell {
    const char *text; /* "-" where there is nothing to say; borrowed, or in `own` */
    bool is_number;
    bool is_verdict; /* as grid_is_verdict says; then: */
    bool carries;
    char own[64];
};

uint32_t grid_column_count(const struct grid_report *report);
void grid_cell_head(struct grid_cell *cell, const struct grid_report *report, uint32_t column);
void grid_cell_of(struct grid_cell *cell, const struct grid_report *report,
                  const struct grid_row *row, uint32_t column);

/* Whether a query has an answer in a row; "unknown" is none. */
bool grid_is_verdict(const struct grid_answer *answer);
/* On what the verdicts that carry over rely, in a sentence; NULL = on nothing. */
const char *grid_condition(const struct grid_report *report);
