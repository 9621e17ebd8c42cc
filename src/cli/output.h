/* OUTPUT - where results go; names of results are tried before the work. */
#ifndef VARABS_CLI_OUTPUT_H
#define VARABS_CLI_OUTPUT_H

#include "cli/options.h"
#include "page/page.h"
#include "session/session.h"

/* All files that a command is going to write, which are known before it begins. */
struct output {
    const char *path, *what; /* what it is for, for messages */
};
struct outputs {
    const struct options *options;
    struct arena *arena;
    VEC(struct output) list;
};
void outputs_begin(struct outputs *outputs, const struct options *options, struct arena *arena);
/* path: NULL if it is not asked for. */
void outputs_add(struct outputs *outputs, const char *path, const char *what);
/* What --json and --html name. */
void outputs_add_results(struct outputs *outputs);
/* False (reported) if one of them is a file that is read, or has two names, or cannot be written,
 * under whatever names. */
bool outputs_are_usable(const struct outputs *outputs, struct diag *diag);
/* The same where nothing but results is written. */
bool results_are_usable(struct session *session, const struct options *options);
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
/* Whether --json, --html or a file of a run wants standard output for itself. */
bool standard_output_is_taken(const struct options *options);
/* Where a result goes as text: NULL if standard output is for another result, standard error
 * if that could not be written, so that no verdict is lost. */
FILE *text_stream(const struct options *options, bool is_written);

/* Whether work that knows nothing until it is done was not asked to end; else an error says so. */
bool output_is_in_time(struct diag *diag);

#endif
