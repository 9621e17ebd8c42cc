/* DECIDE - what `varabs decide` found out about queries, as JSON (schemas/decide.schema.json). */
#ifndef VARABS_REPORT_DECIDE_H
#define VARABS_REPORT_DECIDE_H

#include "refine/loop.h"

#include <jansson.h>

struct decided {
    const struct query *query;
    struct refine_result result;
    VEC(struct refine_round) rounds;
    double seconds;
};

struct decide_report {
    const struct network *network; /* the original */
    enum semantics semantics;
    VEC(struct decided) list;
    struct arena *arena;
};

json_t *report_decide(const struct decide_report *report);

#endif
