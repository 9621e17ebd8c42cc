/* Abstractions side by side, as comma-separated values (RFC 4180): a line for the head, and one for
 * each row. */
#include "report/grid/grid_report.h"

#include <string.h>

/* In quotes where it has to be; nothing for NULL. */
static void print_field(FILE *file, const char *text, const char *more) {
    bool is_quoted = text && strpbrk(text, ",\"\r\n");
    if (is_quoted) fputc('"', file);
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '"') fputc('"', file);
        fputc(*c, file);
    }
    fputs(more, file);
    if (is_quoted) fputc('"', file);
}

static void print_seconds(FILE *file, double seconds) {
    if (seconds >= 0)
        fprintf(file, ",%.3f", seconds);
    else
        fputc(',', file);
}

static void print_answer(FILE *file, const struct grid_row *row, const struct grid_answer *answer) {
    fputc(',', file);
    print_field(file, answer->value ? answer->value : answer->verdict, "");
    fprintf(file, ",%s", !row->mode || !answer->verdict ? "" : answer->carries ? "yes" : "no");
}

static void print_row(FILE *file, const struct grid_report *report, const struct grid_row *row) {
    const char *const texts[] = {report->file,
                                 row->name,
                                 row->mode ? row->mode : "original",
                                 row->mode && row->is_made ? row->is_exact ? "yes" : "no" : NULL,
                                 row->states,
                                 row->transitions};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (i) fputc(',', file);
        print_field(file, texts[i], "");
    }
    print_seconds(file, row->make_seconds);
    print_seconds(file, row->explore_seconds);
    fputc(',', file);
    if (row->peak_bytes) fprintf(file, "%llu", (unsigned long long)row->peak_bytes);
    fputc(',', file);
    print_field(file, row->problem, "");
    fputc(',', file);
    print_field(file, row->condition, "");
    for (uint32_t i = 0; i < report->query_count; i++) print_answer(file, row, &row->answers[i]);
    fputs("\r\n", file);
}

void print_grid_csv(FILE *file, const struct grid_report *report) {
    fputs("model,abstraction,kind,exact,states,transitions,abstract_seconds,explore_seconds,"
          "peak_bytes,problem,no_runtime_errors",
          file);
    for (uint32_t i = 0; i < report->query_count; i++) {
        fputc(',', file);
        print_field(file, report->queries[i], "");
        fputc(',', file);
        print_field(file, report->queries[i], " carries over");
    }
    fputs("\r\n", file);
    for (uint32_t i = 0; i < report->row_count; i++) print_row(file, report, &report->rows[i]);
}
