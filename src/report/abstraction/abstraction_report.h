/* ABSTRACTION REPORT - what became of a model, as JSON (schemas/report.schema.json) and as text.
 */
#pragma once

#include "refine/by_query.h"
#include "session/job.h"

#include <jansson.h>
#include <stdio.h>

/* All borrowed. */
struct abstraction_report {
    const struct abstraction *abstraction;
    const struct guarantees *guarantees;
    const struct normal *normal;     /* NULL: was not asked for */
    const struct by_query *by_query; /* models for some of the queries; NULL: there are none */
    const char *const *share_names;  /* by place in their list: the files */
    bool has_file;                   /* the reports are written to files, theirs beside them */
    const struct abstract_options *options;
    const char *const *removals; /* as asked for */
    uint32_t removal_count;
    const struct diag *diag; /* whose warnings are listed */
    double read_seconds, check_seconds, choose_seconds, exchange_seconds, total_seconds;
};

/* That of a job that was made; the time is taken now. */
struct abstraction_report abstraction_report_of(const struct job *job,
                                                const struct session *session);

json_t *report_abstraction(const struct abstraction_report *report);

/* A summary; the names are those of the files that were written, that of the report may be NULL. */
void print_abstraction(FILE *file, const struct abstraction_report *report, const char *model_path,
                       const char *report_path);
