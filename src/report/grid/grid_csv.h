/* GRID CSV - abstractions side by side, as comma-separated values (RFC 4180): a line for the head, and one
 * for each row. */
#ifndef VARABS_REPORT_GRID_GRID_CSV_H
#define VARABS_REPORT_GRID_GRID_CSV_H

#include "report/grid/grid_table.h"

#include <stdio.h>

void print_grid_csv(FILE *file, const struct grid_report *report);

#endif
