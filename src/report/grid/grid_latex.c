/* Abstractions side by side, as a tabular for the package booktabs. All text is escaped. */
#include "report/grid/grid_report.h"

#include "base/latex.h"
#include "report/grid/grid_cell.h"

#include <ctype.h>
#include <string.h>

static void print_escaped(FILE *file, const char *text) {
    struct buffer escaped = {0};
    latex_escape(&escaped, str_of(text));
    if (escaped.size) fputs(escaped.data, file);
    buffer_close(&escaped);
}

/* "235\,633" */
static void print_number(FILE *file, const char *digits) {
    size_t size = strspn(digits, "0123456789");
    for (size_t i = 0; i < size; i++)
        fprintf(file, "%s%c", i && (size - i) % 3 == 0 ? "\\," : "", digits[i]);
    fputs(digits + size, file);
}

/* By commands, so that a paper can say how verdicts look in it. */
static void print_verdict(FILE *file, const struct grid_cell *cell,
                          const struct grid_answer *answer) {
    fputs(cell->carries ? "" : "\\varabsOnly{", file);
    if (answer->value)
        print_escaped(file, answer->value);
    else
        fputs(!strcmp(answer->verdict, "satisfied") ? "\\varabsSatisfied" : "\\varabsViolated",
              file);
    fputs(cell->carries ? "" : "}", file);
}

static void print_row(FILE *file, const struct grid_report *report, const struct grid_row *row) {
    uint32_t count = grid_column_count(report);
    for (uint32_t i = 0; i < count; i++) {
        struct grid_cell cell;
        grid_cell_of(&cell, report, row, i);
        if (i) fputs(" & ", file);
        if (cell.is_verdict)
            print_verdict(file, &cell, &row->answers[i - (count - report->query_count)]);
        else if (!strcmp(cell.text, "-"))
            fputs("--", file);
        else if (cell.is_number)
            print_number(file, cell.text);
        else
            print_escaped(file, cell.text);
    }
    fputs(" \\\\\n", file);
}

static void print_head(FILE *file, const struct grid_report *report) {
    uint32_t count = grid_column_count(report);
    fputs("\\providecommand*{\\varabsSatisfied}{sat.}%\n"
          "\\providecommand*{\\varabsViolated}{viol.}%\n"
          "\\providecommand*{\\varabsOnly}[1]{(#1)}% a verdict that does not carry over\n"
          "\\begin{tabular}{",
          file);
    for (uint32_t i = 0; i < count; i++) {
        struct grid_cell cell;
        grid_cell_head(&cell, report, i);
        fputc(cell.is_number ? 'r' : 'l', file);
    }
    fputs("}\n\\toprule\n", file);
    for (uint32_t i = 0; i < count; i++) {
        struct grid_cell cell;
        grid_cell_head(&cell, report, i);
        if (i + report->query_count >= count)
            fprintf(file, " & $q_{%s}$", cell.text + 1);
        else
            fprintf(file, "%s%c%s", i ? " & " : "", toupper((unsigned char)*cell.text),
                    cell.text + 1);
    }
    fputs(" \\\\\n\\midrule\n", file);
}

/* A comment is one line. */
static void print_comment(FILE *file, const char *name, const char *text) {
    fprintf(file, "%% %s: ", name);
    for (; *text; text++) fputc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
    fputc('\n', file);
}

void print_grid_latex(FILE *file, const struct grid_report *report) {
    fputs("% Written by varabs grid. Needs \\usepackage{booktabs}.\n", file);
    print_comment(file, "model", report->file);
    for (uint32_t i = 0; i < report->query_count; i++) {
        char name[24];
        snprintf(name, sizeof name, "q%u", i + 1);
        print_comment(file, name, report->queries[i]);
    }
    for (uint32_t i = 0; i < report->row_count; i++)
        if (report->rows[i].problem)
            print_comment(file, "a row is not complete", report->rows[i].problem);
    if (grid_condition(report)) print_comment(file, "condition", grid_condition(report));
    print_head(file, report);
    for (uint32_t i = 0; i < report->row_count; i++) print_row(file, report, &report->rows[i]);
    fputs("\\bottomrule\n\\end{tabular}\n", file);
}
