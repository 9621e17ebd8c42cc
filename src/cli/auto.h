/* AUTO - the variables that --auto chooses. */
#ifndef VARABS_CLI_AUTO_H
#define VARABS_CLI_AUTO_H

#include "cli/options.h"
#include "session/job.h"

/* What is exact becomes the removals of the options; the queries are those that the variables are
 * kept for. */
void auto_choose(struct session *session, struct options *options, const struct query *queries,
                 uint32_t count);
/* Prints what was chosen. */
void auto_print(const struct session *session, const struct job *job, bool is_normalised);

#endif
