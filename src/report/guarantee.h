/* GUARANTEE - what carries over to the original, as JSON (a member of the report) and as a table.
 */
#ifndef VARABS_REPORT_GUARANTEE_H
#define VARABS_REPORT_GUARANTEE_H

#include "abstract/guarantee.h"

#include <jansson.h>
#include <stdio.h>

/* Array with an entry for each query. */
json_t *guarantee_entries(const struct guarantees *guarantees, struct arena *arena);
/* What explorations were handed over. */
json_t *explored_entries(const struct guarantees *guarantees);

void print_guarantees(FILE *file, const struct guarantees *guarantees,
                      const struct abstraction *abstraction);

#endif
