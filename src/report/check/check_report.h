/* CHECK REPORT - what `varabs check` found, as JSON (schemas/check.schema.json) and as text. */
#pragma once

#include "explore/compare/play_plan.h"
#include "explore/verdict/verify.h"
#include "report/trace_report.h"

struct check_report {
    const struct network *network;
    const struct verification *verification;
    enum semantics semantics;
    struct arena *arena;
    bool shows_traces;
    const struct network *original;                      /* --concretize; NULL without it */
    const struct concretization *const *concretizations; /* by answer; NULL where there is no run */
    const struct plan_played *const *played;             /* likewise; NULL where there is no plan */
};

/* A run of the abstract model, and what became of it in the original. */
struct concretize_report {
    const struct network *network; /* the original */
    const struct trace *run;       /* of the abstract model */
    const struct concretization *result;
    struct arena *arena;
};

/* Guards of the original that are false where a run breaks off: an array of the caller's. */
json_t *false_guard_entries(const struct network *network, const struct concretization *result,
                            struct arena *arena);

/* What came of the strategy of an answer in the original, or NULL. */
const struct plan_played *played_of(const struct check_report *report, const struct answer *answer);
/* The search for an answer's run in the original; false if there was none. */
bool concretize_report_of(const struct check_report *report, const struct answer *answer,
                          struct concretize_report *concrete);

json_t *report_check(const struct check_report *report);
void print_check(FILE *file, const struct check_report *report);

/* Shared by the two forms. */

/* The bounds of each expression of sup, inf or bounds. */
json_t *bounds_entries(const struct query *query, const struct bounds_of *all, struct arena *arena);
double bytes_per_state(const struct verification *verification);
