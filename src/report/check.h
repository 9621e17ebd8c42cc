/* CHECK - what `varabs check` found, as JSON (schemas/check.schema.json) and as text. */
#ifndef VARABS_REPORT_CHECK_H
#define VARABS_REPORT_CHECK_H

#include "explore/verify.h"
#include "report/report.h"

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
/* "c[1]!" or "c[1]?"; NULL for an internal edge. */
const char *part_channel(const struct trace_step *step, uint32_t part, struct arena *arena);
/* Names of locations are those of the process's template. */
const char *location_name(const struct process *process, uint32_t location);
/* "model.xml:12:3". */
char *position_text(const struct network *network, position at, struct arena *arena);

#endif
