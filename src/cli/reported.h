/* REPORTED - what the report of an abstraction tells `varabs certify --report`.
 *
 * Processes that got copies of their template have new names; they get back those they had. Slots
 * that were removed and are in the abstract model all the same (cells of an array, a variable that
 * is removed in some locations only, what a merge reads) are not to be compared.
 *
 * Errors: STATUS_INVALID, if the file is no such report, or that of other models.
 */
#ifndef VARABS_CLI_REPORTED_H
#define VARABS_CLI_REPORTED_H

#include "session/session.h"

/* Names as for --ignore; in the arena of the abstract session. */
struct ignored {
    VEC(const char *) list;
};

/* Adds to the names. False (reported to the abstract session) if the file cannot be used. */
bool reported_take(struct session *concrete, struct session *abstract, const char *path,
                   struct ignored *ignored);

#endif
