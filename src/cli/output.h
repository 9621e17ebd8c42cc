/* OUTPUT - where results go; names of results are tried before the work. */
#ifndef VARABS_CLI_OUTPUT_H
#define VARABS_CLI_OUTPUT_H

#include "cli/options.h"
#include "page/page.h"
#include "session/session.h"

/* False (reported) if the file to write, if any, is one that is read or cannot be written. */
bool output_is_usable(struct diag *diag, const struct options *options, const char *path,
                      const char *what);
/* The same for what --json and --html name. */
bool results_are_usable(struct diag *diag, const struct options *options);
/* Opens the input and the queries that its variables are kept for (session/queries.h), and tries
 * the name of the result. False after an error; the session is to be closed all the same. */
bool open_observed(struct session *session, const struct options *options,
                   struct observed *observed);
/* Whether the result is asked for in another form than text. */
bool result_is_wanted(const struct options *options);
/* Writes it, which is given up, as JSON to a file (NULL: it is not asked for), and as --html asks
 * for with the other members of the page. False (reported) if one of them cannot be written. */
bool result_write(json_t *result, const char *json, const struct options *options,
                  struct result_page page, struct arena *arena, struct diag *diag);
/* The model of a session, as read from there. */
struct page_model page_model_of(const struct session *session, const char *name);
/* False (reported) if two outputs have one name; either may be NULL. */
bool outputs_differ(struct diag *diag, const char *left, const char *right, const char *what);
/* Whether --json, --html or a file of a run wants standard output for itself. */
bool standard_output_is_taken(const struct options *options);
/* Where a result goes as text: NULL if standard output is for another result, standard error
 * if that could not be written, so that no verdict is lost. */
FILE *text_stream(const struct options *options, bool is_written);

#endif
