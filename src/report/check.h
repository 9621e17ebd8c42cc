/* CHECK - what `varabs check` found, as JSON (schemas/check.schema.json) and as text. */
#ifndef VARABS_REPORT_CHECK_H
#define VARABS_REPORT_CHECK_H

#include "explore/verify.h"
#include "report/trace.h"

struct check_report {
    const struct network *network;
    const struct verification *verification;
    enum semantics semantics;
    struct arena *arena;
};

json_t *report_check(const struct check_report *report);
void print_check(FILE *file, const struct check_report *report);

/* Shared by the two forms. */

/* "satisfied" and the like. */
const char *verdict_text(enum verdict verdict);
double bytes_per_state(const struct verification *verification);
/* Which bounds of its expressions a query asks for. */
bool query_wants_lower(const struct query *query);
bool query_wants_upper(const struct query *query);

#endif
