/* See output.h. */
#include "cli/output.h"

#include "report/json.h"
#include "xml/output.h"

#include <string.h>

static bool is_read(const char *input, const char *output) {
    return input && strcmp(input, "-") != 0 && file_is_same(input, output);
}

bool result_is_wanted(const struct options *options) {
    return options->values[OPTION_JSON] || options->values[OPTION_HTML];
}

struct page_model page_model_of(const struct session *session, const char *name) {
    return (struct page_model){
        .name = name, .document = &session->document, .network = session->network};
}

bool result_write(json_t *result, const char *json, const struct options *options,
                  struct result_page page, struct arena *arena, struct diag *diag) {
    const char *html = options->values[OPTION_HTML];
    page.result = result;
    bool ok = !html || page_write(&page, html, arena, diag);
    if (json) return report_write(result, json, diag) && ok;
    json_decref(result);
    return ok;
}

static bool is_standard(const char *path) { return path && !strcmp(path, "-"); }

bool standard_output_is_taken(const struct options *options) {
    static const enum option results[] = {OPTION_JSON, OPTION_HTML, OPTION_MSC, OPTION_RUN_MODEL};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (is_standard(options->values[results[i]])) return true;
    return false;
}

FILE *text_stream(const struct options *options, bool is_written) {
    if (!standard_output_is_taken(options)) return stdout;
    return is_written ? NULL : stderr;
}

bool outputs_differ(struct diag *diag, const char *left, const char *right, const char *what) {
    if (!left || !right || (strcmp(left, right) != 0 && !file_is_same(left, right))) return true;
    diag_error(diag, STATUS_USAGE, 0,
               "'%s' is named for the %s; choose another name for one of them", right, what);
    return false;
}

bool output_is_usable(struct diag *diag, const struct options *options, const char *path,
                      const char *what) {
    if (!path || !strcmp(path, "-")) return true;
    bool is_input =
        is_read(options->input, path) || is_read(options->second, path) ||
        is_read(options->values[OPTION_CONCRETIZE], path) ||
        is_read(options->values[OPTION_ACTIONS], path) ||
        (options->command == COMMAND_CERTIFY && is_read(options->values[OPTION_REPORT], path));
    for (uint32_t i = 0; i < options->spec_count; i++) is_input |= is_read(options->specs[i], path);
    for (uint32_t i = 0; i < options->checked_count; i++)
        is_input |= is_read(options->checked[i], path);
    for (uint32_t i = 0; i < options->query_count; i++)
        is_input |= options->queries[i].is_file && is_read(options->queries[i].text, path);
    if (is_input)
        diag_error(diag, STATUS_USAGE, 0, "'%s' is an input; choose another name for the %s", path,
                   what);
    return !is_input && file_can_write(path, diag);
}

bool results_are_usable(struct diag *diag, const struct options *options) {
    return output_is_usable(diag, options, options->values[OPTION_JSON], "result") &&
           output_is_usable(diag, options, options->values[OPTION_HTML], "page") &&
           outputs_differ(diag, options->values[OPTION_JSON], options->values[OPTION_HTML],
                          "result and the page");
}

bool open_observed(struct session *session, const struct options *options,
                   struct observed *observed) {
    return session_open_observed(session, options->input, options->queries, options->query_count,
                                 observed) &&
           results_are_usable(&session->diag, options);
}
