/* GUARANTEE REPORT - what carries over to the original, as JSON (a member of the report of an
 * abstraction) and as a table. */
#ifndef VARABS_REPORT_GUARANTEE_REPORT_H
#define VARABS_REPORT_GUARANTEE_REPORT_H

#include "abstract/claim/guarantee.h"

#include <jansson.h>
#include <stdio.h>

/* Array with an entry for each query. */
json_t *guarantee_entries(const struct guarantees *guarantees, struct arena *arena);
/* What explorations were handed over. */
json_t *explored_entries(const struct guarantees *guarantees);

void print_guarantees(FILE *file, const struct guarantees *guarantees,
                      const struct abstraction *abstraction);

/* Shared by the two forms. */

const char *bound_text(enum bound bound);
/* One text for both semantics; it names them where they differ. Each may be NULL. */
const char *joint_text(const char *kripke, const char *uppaal, struct arena *arena);

#endif
