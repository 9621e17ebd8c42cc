/* REFERENCE_WRITE - the edits that put removed variables in place of reference parameters (M7). */
#pragma once

#include "abstract/prepare/reference.h"

/* Adds the edits that put wanted variables in place of parameters; all processes of a template have
 * the same key. False after an error. */
bool references_replace(struct references *references, struct splices *splices,
                        const struct network *network, struct diag *diag);
