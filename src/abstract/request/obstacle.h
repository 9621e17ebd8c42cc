/* OBSTACLE - whether removals can be done at all, once a request is complete.
 *
 * Errors: STATUS_UNSUPPORTED, with the reason.
 */
#pragma once

#include "abstract/request/request.h"

/* Once all are added: checks that the removals can be done and marks the slots. */
bool request_finish(struct request *request, const struct network *network, struct diag *diag);

/* Why a variable cannot be removed at all, or NULL: used by `varabs info` too. That it is passed to
 * reference parameters is no obstacle (prepare/reference.h). */
const char *removal_obstacle(const struct network *network, const struct template *template,
                             const struct symbol *symbol);

/* Whether a template or instantiation gets a global variable, or a part of it, as an argument (M7).
 */
bool variable_is_passed(const struct network *network, const struct symbol *symbol);
