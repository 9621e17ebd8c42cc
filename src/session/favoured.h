/* FAVOURED - the processes that `--favour A[,B]` names: by their names, by those of the sets on the
 * system line, or as declared agents and groups (ST11).
 *
 * Lifetime: in the arena of the session.
 * Errors:   a name of nobody is STATUS_USAGE.
 */
#ifndef VARABS_SESSION_FAVOURED_H
#define VARABS_SESSION_FAVOURED_H

#include "session/session.h"

/* By process; NULL after an error, which is reported. */
const bool *favoured_find(struct session *session, const char *names);

#endif
