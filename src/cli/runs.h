/* RUNS - files with the witnesses and counterexamples of a check, for people and other tools. */
#ifndef VARABS_CLI_RUNS_H
#define VARABS_CLI_RUNS_H

#include "cli/output.h"
#include "session/session.h"

/* Whether some are asked for, so that they have to be found. */
bool runs_are_wanted(const struct options *options);
/* Adds the name given and those of the files, for so many queries. */
void runs_add(struct outputs *outputs, uint32_t query_count);
/* Writes what --msc and --run-model ask for: a file for each query that has a run, by the number of
 * the query if there are several queries. False (reported) if one cannot be made or written. */
bool runs_write(struct session *session, const struct options *options,
                const struct verification *verification);

#endif
