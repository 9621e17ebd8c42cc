/* CLAIMS - which verdicts carry over from a model that lacks processes of the original.
 *
 * What is compared is the same up to steps that these processes make alone: so are reachable states,
 * and runs if they end alike, and if such steps come to an end where the original moves. Queries are
 * about what is compared, and about single states without deadlock.
 */
#ifndef VARABS_REPORT_CERTIFY_CLAIMS_H
#define VARABS_REPORT_CERTIFY_CLAIMS_H

#include "report/certify/certify_report.h"

/* In a list that ends with one without a query. */
struct carried {
    const char *query; /* "A[]" and the like */
    bool is_about_ends;
    bool satisfied, violated; /* whether that verdict carries over */
};

enum { MOST_CARRIED = 6 };

/* Nothing carries over unless it holds. */
void carried_find(struct carried carried[MOST_CARRIED], const struct certify_report *report);

json_t *lacking_entry(const struct certify_report *report);
/* Nothing if no process is gone. */
void print_lacking(FILE *file, const struct certify_report *report);

#endif
