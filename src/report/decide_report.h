/* DECIDE REPORT - what `varabs decide` found out about queries, as JSON
 * (schemas/decide.schema.json) and as text. */
#ifndef VARABS_REPORT_DECIDE_REPORT_H
#define VARABS_REPORT_DECIDE_REPORT_H

#include "refine/loop.h"

#include <jansson.h>
#include <stdio.h>

struct decided {
    const struct query *query;
    struct refine_result result;
    VEC(struct refine_round) rounds;
    double seconds;
};

struct decide_report {
    const struct network *network; /* the original */
    const char *input;             /* its file, as it was named */
    enum semantics semantics;
    VEC(struct decided) list;
    struct arena *arena;
};

json_t *report_decide(const struct decide_report *report);
/* A round, as soon as it is over. */
void print_round(FILE *file, const struct refine_round *round, struct arena *arena);
/* The verdict on a query and where it is from. */
void print_decided(FILE *file, const struct decide_report *report, const struct decided *decided);

#endif
