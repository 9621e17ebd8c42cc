/* CERTIFYING - what `varabs certify` is made of, between its options and its output.
 *
 * Lifetime: in the arena of the concrete session; certify_close frees the certification, once it
 *           was run.
 * Errors:   go to the diags of the sessions.
 */
#ifndef VARABS_COMMAND_CERTIFYING_H
#define VARABS_COMMAND_CERTIFYING_H

#include "command/reported.h"
#include "explore/compare/certify.h"

struct certifying {
    /* asked for */
    struct session *concrete, *abstract; /* opened */
    const char **ignored;                /* names as for --ignore */
    uint32_t ignored_count;
    struct reported reported; /* of a report, or empty */
    struct certify_options options;
    /* made */
    struct visible visible;
    struct certification certification;
};

/* Finds what is compared, and completes the limits. */
bool certifying_begin(struct certifying *certifying);
/* Compares; the exit status in *status. False if a network cannot be prepared. */
bool certifying_run(struct certifying *certifying, enum status *status);

#endif
