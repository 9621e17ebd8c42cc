/* CONCRETIZE - what became of a witness or counterexample in the original, as JSON and as text. */
#ifndef VARABS_REPORT_CONCRETIZE_H
#define VARABS_REPORT_CONCRETIZE_H

#include "explore/compare/concretize.h"
#include "report/trace.h"

struct concretize_report {
    const struct network *network; /* the original */
    const struct trace *run;       /* of the abstract model */
    const struct concretization *result;
    struct arena *arena;
};

/* Without the trace. */
json_t *concretization_entry(const struct concretize_report *report);
/* One line, wrapped. */
void print_concretization(FILE *file, const struct concretize_report *report);

#endif
