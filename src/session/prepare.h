/* PREPARE - the model as it has to be before variables can be removed from it.
 *
 * Gives processes that do not lose the same templates of their own (abstract/prepare/split.h), and
 * puts what is to go in place of the reference parameters that it is passed to
 * (abstract/prepare/reference.h), and takes out what is only for its record
 * (abstract/prepare/record.h).
 */
#pragma once

#include "abstract/prepare/split.h"
#include "session/session.h"

/* Arguments and places as for split_plan; split->removals are to be removed then. The document is
 * rewritten only if that is necessary. False after an error. */
bool session_prepare(struct session *session, struct split *split, const char *const *arguments,
                     const position *places, uint32_t count);
