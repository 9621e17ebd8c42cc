/* OPTIONS - a command line that was read, and what the commands share. */
#ifndef VARABS_CLI_OPTIONS_H
#define VARABS_CLI_OPTIONS_H

#include "abstract/claim/guarantee.h"
#include "cli/table.h"
#include "explore/verdict/verify.h"
#include "session/queries.h"

struct options {
    enum command command;
    bool wants_overview;              /* help without a command */
    const char *input, *second;       /* second: of certify and draw */
    const char *values[OPTION_COUNT]; /* the last given; "" for options without argument */
    const char **removals;            /* of certify: what is ignored */
    uint32_t removal_count;
    const char **checked;
    uint32_t checked_count;
    const char **merges, **specs;
    uint32_t merge_count, spec_count;
    struct query_source *queries;
    uint32_t query_count;
    struct abstract_options abstract;
    struct verify_options verify; /* limits that were not given are 0 */
};

/* False after an error, which is printed. */
bool options_parse(struct options *options, int argc, char **argv, struct arena *arena);
int command_abstract(const struct options *options);
int command_info(const struct options *options);
int command_check(const struct options *options);
int command_certify(const struct options *options);
int command_draw(const struct options *options);
int command_suggest(const struct options *options);
int command_decide(const struct options *options);

/* output.c: false (reported) if the file to write, if any, is one that is read or cannot be
 * written.
 */
bool output_is_usable(struct diag *diag, const struct options *options, const char *path,
                      const char *what);
/* output.c: where a result goes as text: NULL if standard output is for the JSON, standard error if
 * that could not be written, so that no verdict is lost. */
FILE *text_stream(const struct options *options, bool is_written);
/* auto.c: for --auto, what is exact becomes the removals of the options; the queries are those that
 * the variables are kept for. Prints what they are. */
void auto_choose(struct session *session, struct options *options, const struct query *queries,
                 uint32_t count);
void auto_print(const struct session *session, const struct options *options);

/* The names of all --ignore. */
const char **options_ignored(const struct options *options, struct arena *arena, uint32_t *count);
/* checked.c: takes over what the files of --checked say; output is the abstract model. */
bool read_checked(struct guarantees *guarantees, struct session *session,
                  const struct options *options, struct str output);

#endif
