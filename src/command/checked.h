/* CHECKED - results of other runs that --checked names. */
#ifndef VARABS_COMMAND_CHECKED_H
#define VARABS_COMMAND_CHECKED_H

#include "abstract/claim/guarantee.h"
#include "session/session.h"

/* Takes over what these files say; output is the abstract model. False (reported to the session) if
 * one of them is no such result, or of another model. */
bool read_checked(struct guarantees *guarantees, struct session *session, const char *const *paths,
                  uint32_t count, struct str output);

#endif
