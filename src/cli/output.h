/* OUTPUT - where results go; names of results are tried before the work. */
#ifndef VARABS_CLI_OUTPUT_H
#define VARABS_CLI_OUTPUT_H

#include "cli/options.h"

/* False (reported) if the file to write, if any, is one that is read or cannot be written. */
bool output_is_usable(struct diag *diag, const struct options *options, const char *path,
                      const char *what);
/* Where a result goes as text: NULL if standard output is for the JSON, standard error if that
 * could not be written, so that no verdict is lost. */
FILE *text_stream(const struct options *options, bool is_written);

#endif
