/* Abstractions side by side, as text. */
#include "report/grid/grid_report.h"

#include "report/grid/grid_cell.h"

#include <string.h>

enum { GAP = 2, NAME_MOST = 60 };

/* ---- the table ---- */

/* How wide a column is; names that are longer than most do not count. */
static int width_of(const struct grid_report *report, uint32_t column) {
    struct grid_cell cell;
    grid_cell_head(&cell, report, column);
    size_t width = strlen(cell.text);
    for (uint32_t i = 0; i < report->row_count; i++) {
        grid_cell_of(&cell, report, &report->rows[i], column);
        size_t size = strlen(cell.text);
        if (size > width && size <= NAME_MOST) width = size;
    }
    return (int)width;
}

static void print_cell(FILE *file, const struct grid_cell *cell, int width, bool is_last) {
    if (cell->is_number)
        fprintf(file, "%*s", width, cell->text);
    else if (is_last)
        fputs(cell->text, file);
    else
        fprintf(file, "%-*s", width, cell->text);
    if (!is_last) fprintf(file, "%*s", GAP, "");
}

/* The row, or the head where that is NULL. */
static void print_row(FILE *file, const struct grid_report *report, const struct grid_row *row,
                      const int *widths) {
    uint32_t count = grid_column_count(report);
    for (uint32_t i = 0; i < count; i++) {
        struct grid_cell cell;
        if (row)
            grid_cell_of(&cell, report, row, i);
        else
            grid_cell_head(&cell, report, i);
        print_cell(file, &cell, widths[i], i + 1 == count);
    }
    fputc('\n', file);
}

static void print_table(FILE *file, const struct grid_report *report) {
    struct arena arena;
    arena_init(&arena);
    uint32_t count = grid_column_count(report);
    int *widths = ARENA_ARRAY(&arena, int, count);
    for (uint32_t i = 0; i < count; i++) widths[i] = width_of(report, i);
    print_row(file, report, NULL, widths);
    for (uint32_t i = 0; i < report->row_count; i++)
        print_row(file, report, &report->rows[i], widths);
    arena_close(&arena);
}

/* ---- what stands below it ---- */

static bool has_weak_verdicts(const struct grid_report *report) {
    for (uint32_t i = 0; i < report->row_count; i++)
        for (uint32_t j = 0; j < report->query_count && report->rows[i].mode; j++) {
            const struct grid_answer *answer = &report->rows[i].answers[j];
            if (grid_is_verdict(answer) && !answer->carries) return true;
        }
    return false;
}

static void print_notes(FILE *file, const struct grid_report *report) {
    for (uint32_t i = 0; i < report->row_count; i++)
        if (report->rows[i].problem)
            fprintf(file, "%s: %s\n", report->rows[i].name, report->rows[i].problem);
    if (has_weak_verdicts(report))
        fputs("A verdict in parentheses is one of the abstraction: it does not carry over to the "
              "original.\n",
              file);
    const char *condition = grid_condition(report);
    if (condition) fprintf(file, "%s\n", condition);
}

void print_grid(FILE *file, const struct grid_report *report) {
    print_table(file, report);
    for (uint32_t i = 0; i < report->query_count; i++)
        fprintf(file, "%sq%u: %s\n", i ? "" : "\n", i + 1, report->queries[i]);
    fputc('\n', file);
    print_notes(file, report);
}
