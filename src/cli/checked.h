/* CHECKED - results of other runs that --checked names. */
#ifndef VARABS_CLI_CHECKED_H
#define VARABS_CLI_CHECKED_H

#include "cli/options.h"

/* Takes over what the files of --checked say; output is the abstract model. False (reported) if one
 * of them is no such result, or of another model. */
bool read_checked(struct guarantees *guarantees, struct session *session,
                  const struct options *options, struct str output);

#endif
