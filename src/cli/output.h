/* OUTPUT - where results go; names of results are tried before the work. */
#ifndef VARABS_CLI_OUTPUT_H
#define VARABS_CLI_OUTPUT_H

#include "cli/options.h"

/* False (reported) if the file to write, if any, is one that is read or cannot be written. */
bool output_is_usable(struct diag *diag, const struct options *options, const char *path,
                      const char *what);
/* Opens the input and the queries that its variables are kept for (session/queries.h), and tries
 * the name of the result. False after an error; the session is to be closed all the same. */
bool open_observed(struct session *session, const struct options *options,
                   struct observed *observed);
/* Where a result goes as text: NULL if standard output is for the JSON, standard error if that
 * could not be written, so that no verdict is lost. */
FILE *text_stream(const struct options *options, bool is_written);

#endif
