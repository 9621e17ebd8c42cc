/* --json: a file that is read must not be written. */
#include "cli/options.h"

#include <string.h>

bool json_is_free(struct session *session, const struct options *options) {
    const char *json = options->values[OPTION_JSON], *clash = NULL;
    if (!json || !strcmp(json, "-")) return true;
    if (strcmp(options->input, "-") != 0 && file_is_same(options->input, json))
        clash = options->input;
    const char *original = options->values[OPTION_CONCRETIZE];
    if (original && strcmp(original, "-") != 0 && file_is_same(original, json)) clash = original;
    for (uint32_t i = 0; i < options->query_count; i++) {
        const struct query_source *given = &options->queries[i];
        if (given->is_file && strcmp(given->text, "-") != 0 && file_is_same(given->text, json))
            clash = given->text;
    }
    if (!clash) return true;
    diag_error(&session->diag, STATUS_USAGE, 0,
               "'%s' is the input; choose another name for the result", clash);
    return false;
}
