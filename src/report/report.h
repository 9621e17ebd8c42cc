/* REPORT - the JSON reports (schemas/) as jansson trees.
 *
 * Lifetime: the caller owns the result (json_decref). Key order is that of insertion, so equal
 *           runs give equal bytes but for the member "timing".
 */
#ifndef VARABS_REPORT_REPORT_H
#define VARABS_REPORT_REPORT_H

#include "abstract/guarantee.h"

#include <jansson.h>

enum { REPORT_MAX_VALUES = 64, REPORT_MAX_ORIGINS = 64 };

struct report_timing {
    double read_seconds, check_seconds, total_seconds;
};

/* The report of an abstraction (schemas/report.schema.json). */
json_t *report_abstraction(const struct abstraction *abstraction,
                           const struct guarantees *guarantees,
                           const struct abstract_options *options, const char *const *removals,
                           uint32_t removal_count, const struct diag *diag,
                           const struct report_timing *timing);

/* The description of a model (schemas/info.schema.json). exactness[i] is 1 if removing the i-th
 * listed variable would be exact, 0 if not, -1 if it cannot be removed, -2 if it is not known. */
json_t *report_info(const struct network *network, const signed char *exactness,
                    struct arena *arena);

/* Listed variables: the global ones, then those of each template. */
struct listed_variable {
    const struct template *template;
    const struct symbol *symbol;
    const struct shape *shape; /* NULL if the template has no process */
    const char *name;
};
uint32_t list_variables(const struct network *network, struct listed_variable **list,
                        struct arena *arena);

/* "int[0,2]", "bool", "T[3]": the declared type as text. */
char *type_text(const struct type *type, struct arena *arena);

/* Text form of report_info. */
void print_info(FILE *file, const struct network *network, const signed char *exactness,
                struct arena *arena);

/* JSON text with a line end, as written to files. */
char *report_dump(const json_t *report);

#endif
