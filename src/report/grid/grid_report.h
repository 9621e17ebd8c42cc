/* GRID REPORT - several abstractions of one model side by side, as JSON (schemas/grid.schema.json),
 * text, comma-separated values and LaTeX. */
#pragma once

#include "report/grid/grid_table.h"

#include <jansson.h>
#include <stdio.h>

json_t *report_grid(const struct grid_report *report);
void print_grid(FILE *file, const struct grid_report *report);
void print_grid_csv(FILE *file, const struct grid_report *report);
void print_grid_latex(FILE *file, const struct grid_report *report);
