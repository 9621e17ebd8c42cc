/* See output.h. */
#include "cli/output.h"

#include "base/interrupt.h"

#include "report/json.h"
#include "xml/output.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- names ---- */

/* A name of a file that is read or written. */
struct named_file {
    struct file_place place;
    const char *path, *what; /* what: NULL for an input */
    uint32_t order;
};

struct named_files {
    struct arena *arena;
    VEC(struct named_file) list;
};

/* Standard input and output count where they are files. */
static void name_file(struct named_files *files, const char *path, const char *what) {
    struct named_file file = {.path = path, .what = what, .order = files->list.count};
    bool is_stream = is_standard(path);
    if (is_stream) path = what ? "/dev/stdout" : "/dev/stdin";
    if (!path || !file_place_of(&file.place, path, files->arena)) return;
    if (is_stream && file_is_device(path)) {
        if (!what) return;
        file.place = (struct file_place){0, 0, "-"};
    }
    VEC_PUSH(files->arena, &files->list, file);
}

static void name_inputs(struct named_files *files, const struct options *options) {
    name_file(files, options->input, NULL);
    name_file(files, options->second, NULL);
    name_file(files, options->values[OPTION_CONCRETIZE], NULL);
    name_file(files, options->values[OPTION_ACTIONS], NULL);
    if (options->command == COMMAND_CERTIFY) name_file(files, options->values[OPTION_REPORT], NULL);
    for (uint32_t i = 0; i < options->spec_count; i++) name_file(files, options->specs[i], NULL);
    for (uint32_t i = 0; i < options->checked_count; i++)
        name_file(files, options->checked[i], NULL);
    for (uint32_t i = 0; i < options->query_count; i++)
        if (options->queries[i].is_file) name_file(files, options->queries[i].text, NULL);
}

/* One place after the other, inputs first. */
static int compare_files(const void *left, const void *right) {
    const struct named_file *one = left, *other = right;
    int order = file_place_compare(&one->place, &other->place);
    if (order) return order;
    if (!one->what != !other->what) return one->what ? 1 : -1;
    return one->order < other->order ? -1 : one->order > other->order;
}

void outputs_begin(struct outputs *outputs, const struct options *options, struct arena *arena) {
    *outputs = (struct outputs){.options = options, .arena = arena};
}

void outputs_add(struct outputs *outputs, const char *path, const char *what) {
    struct output output = {path, what};
    if (path) VEC_PUSH(outputs->arena, &outputs->list, output);
}

void outputs_add_results(struct outputs *outputs) {
    outputs_add(outputs, outputs->options->values[OPTION_JSON], "result");
    outputs_add(outputs, outputs->options->values[OPTION_HTML], "page");
}

/* Of the names that one file has the first one that is an output too many, or NULL; *before is the
 * one of the same file. */
static const struct named_file *find_clash(struct named_files *files,
                                           const struct named_file **before) {
    const struct named_file *clash = NULL;
    uint32_t count = files->list.count;
    qsort(files->list.items, count, sizeof *files->list.items, compare_files);
    for (uint32_t i = 1; i < count; i++) {
        const struct named_file *file = &files->list.items[i];
        bool is_first = !clash || file->order < clash->order;
        if (!file->what || file_place_compare(&file[-1].place, &file->place) || !is_first) continue;
        clash = file;
        *before = file - 1;
    }
    return clash;
}

bool outputs_are_usable(const struct outputs *outputs, struct diag *diag) {
    struct named_files files = {.arena = outputs->arena};
    const struct named_file *before;
    bool ok = true, has_stream = false;
    name_inputs(&files, outputs->options);
    for (uint32_t i = 0; i < outputs->list.count; i++) {
        name_file(&files, outputs->list.items[i].path, outputs->list.items[i].what);
        has_stream |= is_standard(outputs->list.items[i].path);
    }
    if (!has_stream) name_file(&files, "-", "text on standard output");
    const struct named_file *clash = find_clash(&files, &before);
    if (clash && before->what)
        diag_error(diag, STATUS_USAGE, 0,
                   "'%s' is named for the %s and the %s; choose another name for one of them",
                   before->path, before->what, clash->what);
    else if (clash)
        diag_error(diag, STATUS_USAGE, 0, "'%s' is an input; choose another name for the %s",
                   clash->path, clash->what);
    for (uint32_t i = 0; i < outputs->list.count && ok && !clash; i++)
        ok = file_can_write(outputs->list.items[i].path, diag);
    return ok && !clash;
}

bool results_are_usable(struct session *session, const struct options *options) {
    struct outputs outputs;
    outputs_begin(&outputs, options, &session->arena);
    outputs_add_results(&outputs);
    return outputs_are_usable(&outputs, &session->diag);
}

bool open_observed(struct session *session, const struct options *options,
                   struct observed *observed) {
    return session_open_observed(session, options->input, options->queries, options->query_count,
                                 observed) &&
           results_are_usable(session, options);
}

bool output_is_in_time(struct diag *diag) {
    if (!interrupt_is_asked()) return true;
    diag_error(diag, STATUS_LIMIT, 0, "nothing is written: %s", interrupt_reason());
    return false;
}
