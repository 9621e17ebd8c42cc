/* GRID LATEX - abstractions side by side, as a tabular for the package booktabs. All text is escaped. */
#ifndef VARABS_REPORT_GRID_GRID_LATEX_H
#define VARABS_REPORT_GRID_GRID_LATEX_H

#include "report/grid/grid_table.h"

#include <stdio.h>

void print_grid_latex(FILE *file, const struct grid_report *report);

#endif
