/* PROMELA - a network as a model for Spin.
 *
 * The model has one process; a step is one d_step, and its steps are C functions (program_c.h). The
 * state vector has the packed state and nothing else that changes, so that Spin finds as many
 * states as this program, if it is told not to reduce them.
 *
 * Queries A[] p and E<> p become never claims of the same number as in the model; others are named
 * in a comment.
 *
 * Errors: as in program_c.h.
 */
#pragma once

#include "base/str.h"
#include "model/network.h"

struct promela {
    struct buffer model;
    struct buffer code; /* for a file that the model includes; empty if the model has all of it */
};

/* Writes the model; false (reported) if it cannot be written. name: of the file that it is made of,
 * for a comment; include: of the file that the code would go to. Closed by promela_close in either
 * case. */
bool export_promela(struct promela *promela, const struct network *network, const char *name,
                    const char *include);
void promela_close(struct promela *promela);
