#include "cli/names.h"

#include "command/abstracting.h"
#include "command/reported.h"
#include "xml/output.h"

#include <stdlib.h>
#include <string.h>

bool name_is_standard(const char *path) { return path && !strcmp(path, "-"); }

/* A name of a file that is read or written. */
struct named_file {
    struct file_place place;
    const char *path, *what; /* what it is for, for messages; NULL for an input */
    uint32_t order;
};

/* All files that a command is going to write, which are known before it begins. */
struct output {
    const char *path, *what;
};
struct outputs {
    struct arena *arena;
    VEC(struct output) list;
    VEC(struct named_file) files; /* of these and of inputs */
};

/* path: NULL if it is not asked for. */
static void outputs_add(struct outputs *outputs, const char *path, const char *what) {
    struct output output = {path, what};
    if (path) VEC_PUSH(outputs->arena, &outputs->list, output);
}

/* ---- places ---- */

/* Standard input and output count where they are files. */
static void name_file(struct outputs *outputs, const char *path, const char *what) {
    struct named_file file = {.path = path, .what = what, .order = outputs->files.count};
    bool is_stream = name_is_standard(path);
    if (is_stream) path = what ? "/dev/stdout" : "/dev/stdin";
    if (!path || !file_place_of(&file.place, path, outputs->arena)) return;
    if (is_stream && file_is_device(path)) {
        if (!what) return;
        file.place = (struct file_place){0, 0, "-"};
    }
    VEC_PUSH(outputs->arena, &outputs->files, file);
}

static void name_inputs(struct outputs *outputs, const struct options *options,
                        const struct sink *sink) {
    static const enum request_list lists[] = {LIST_SPEC, LIST_CHECKED};
    const struct command_request *request = &options->request;
    name_file(outputs, request->first.name, NULL);
    name_file(outputs, request->second.name, NULL);
    name_file(outputs, request->actions, NULL);
    if (options->command == COMMAND_CERTIFY) name_file(outputs, sink->report, NULL);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (uint32_t i = 0; i < request->lists[lists[k]].count; i++)
            name_file(outputs, request->lists[lists[k]].items[i], NULL);
    for (uint32_t i = 0; i < request->query_count; i++)
        if (request->queries[i].is_file) name_file(outputs, request->queries[i].text, NULL);
}

/* One place after the other, inputs first. */
static int compare_files(const void *left, const void *right) {
    const struct named_file *one = left, *other = right;
    int order = file_place_compare(&one->place, &other->place);
    if (order) return order;
    if (!one->what != !other->what) return one->what ? 1 : -1;
    return one->order < other->order ? -1 : one->order > other->order;
}

/* Of the names that one file has the first one that is an output too many, or NULL; *before is the
 * one of the same file. */
static const struct named_file *find_clash(struct outputs *outputs,
                                           const struct named_file **before) {
    const struct named_file *clash = NULL;
    uint32_t count = outputs->files.count;
    qsort(outputs->files.items, count, sizeof *outputs->files.items, compare_files);
    for (uint32_t i = 1; i < count; i++) {
        const struct named_file *file = &outputs->files.items[i];
        bool is_first = !clash || file->order < clash->order;
        if (!file->what || file_place_compare(&file[-1].place, &file->place) || !is_first) continue;
        clash = file;
        *before = file - 1;
    }
    return clash;
}

static bool outputs_are_usable(struct outputs *outputs, struct diag *diag) {
    const struct named_file *before;
    bool ok = true, has_stream = false;
    for (uint32_t i = 0; i < outputs->list.count; i++) {
        name_file(outputs, outputs->list.items[i].path, outputs->list.items[i].what);
        has_stream |= name_is_standard(outputs->list.items[i].path);
    }
    if (!has_stream) name_file(outputs, "-", "text on standard output");
    const struct named_file *clash = find_clash(outputs, &before);
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

/* ---- what commands write ---- */

/* "dir/in.may.xml" for "dir/in.xml"; the report stands beside it. */
static void add_abstraction(struct outputs *outputs, const struct options *options,
                            struct sink *sink) {
    const char *const *values = options->values, *input = options->request.first.name;
    struct arena *arena = outputs->arena;
    sink->output = values[OPTION_OUTPUT];
    sink->report = values[OPTION_REPORT];
    if (!sink->output && name_is_standard(input)) sink->output = "-";
    if (!sink->output)
        sink->output =
            file_beside(arena, input,
                        arena_printf(arena, ".%s.xml",
                                     sink->is_favouring ? "favour" : rules_of(sink->mode)->name));
    bool is_file = !name_is_standard(sink->output) && !file_is_device(sink->output);
    if (!sink->report && is_file) sink->report = reported_beside(arena, sink->output);
    outputs_add(outputs, sink->output, "output");
    outputs_add(outputs, sink->report, "report");
    outputs_add(outputs, values[OPTION_HTML], "page");
    bool has_shares = is_file && sink->query_count > 1 && sink->query_count <= BY_QUERY_MOST;
    for (uint32_t i = 1; has_shares && i <= sink->query_count; i++) {
        const char *path = abstracting_share_name(arena, sink->output, i);
        outputs_add(outputs, path, "output for a query");
        if (sink->report) outputs_add(outputs, reported_beside(arena, path), "report of a query");
    }
    sink->wants_result = sink->report || values[OPTION_HTML];
}

/* Programs go by the name, and cannot show SVG as something else: false (reported). */
static bool picture_is_usable(const char *path, const char *hint, struct diag *diag) {
    static const char *const other[] = {".png", ".pdf", ".jpg", ".jpeg", ".eps", ".gif"};
    const char *end = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; end && i < sizeof other / sizeof *other; i++)
        if (!strcmp(end, other[i]))
            return diag_error(diag, STATUS_USAGE, 0, "'%s' would be no picture: %s", path, hint);
    return true;
}

/* "dir/in.svg" for "dir/in.xml"; the second model names the comparison. */
static bool add_drawing(struct outputs *outputs, const struct options *options, struct sink *sink,
                        struct diag *diag) {
    const struct command_request *request = &options->request;
    const char *model = request->second.name ? request->second.name : request->first.name;
    sink->output = options->values[OPTION_OUTPUT];
    if (!sink->output)
        sink->output = name_is_standard(model) ? "-" : file_beside(outputs->arena, model, ".svg");
    outputs_add(outputs, sink->output, "drawing");
    return picture_is_usable(sink->output,
                             "drawings are SVG, or TikZ for LaTeX; choose a name that ends in .svg "
                             "or .tex",
                             diag);
}

const char *name_of_code(const char *output, struct arena *arena) {
    return arena_printf(arena, "%s.h", output);
}

static void add_export(struct outputs *outputs, const struct options *options, struct sink *sink) {
    const char *input = options->request.first.name;
    sink->output = options->values[OPTION_OUTPUT];
    const char *ending = options->request.wants_scalars ? ".scalars.xml" : ".pml";
    if (!sink->output)
        sink->output = name_is_standard(input) ? "-" : file_beside(outputs->arena, input, ending);
    const char *code = name_of_code(sink->output, outputs->arena), *slash = strrchr(code, '/');
    sink->code = slash ? slash + 1 : code;
    outputs_add(outputs, sink->output, "model");
    if (!name_is_standard(sink->output) && !options->request.wants_scalars)
        outputs_add(outputs, code, "code of the model");
}

const char *name_of_run(struct arena *arena, const char *path, uint32_t number, uint32_t count) {
    const char *slash = strrchr(path, '/'), *end = strrchr(slash ? slash : path, '.');
    if (count == 1 || !strcmp(path, "-")) return path;
    if (!end) end = path + strlen(path);
    return arena_printf(arena, "%.*s.%u%s", (int)(end - path), path, number, end);
}

/* Any query may have a run. */
static void add_runs(struct outputs *outputs, const char *path, const char *what, uint32_t count) {
    outputs_add(outputs, path, what);
    if (!path || !strcmp(path, "-")) return;
    for (uint32_t i = 1; count > 1 && i <= count; i++)
        outputs_add(outputs, name_of_run(outputs->arena, path, i, count), what);
}

bool names_are_usable(struct sink *sink, const struct options *options, struct session *session) {
    struct outputs outputs = {.arena = &session->arena};
    const char *const *values = options->values;
    name_inputs(&outputs, options, sink);
    switch (options->command) {
    case COMMAND_ABSTRACT: add_abstraction(&outputs, options, sink); break;
    case COMMAND_EXPORT: add_export(&outputs, options, sink); break;
    case COMMAND_DRAW:
        if (!add_drawing(&outputs, options, sink, &session->diag)) return false;
        break;
    case COMMAND_INFO:
        outputs_add(&outputs, values[OPTION_JSON], "description");
        outputs_add(&outputs, values[OPTION_REWRITE], "output");
        break;
    default:
        if (!picture_is_usable(values[OPTION_MSC],
                               "charts are SVG; choose a name that ends in .svg", &session->diag))
            return false;
        outputs_add(&outputs, values[OPTION_JSON], "result");
        outputs_add(&outputs, values[OPTION_HTML], "page");
        outputs_add(&outputs, values[OPTION_CSV], "table");
        outputs_add(&outputs, values[OPTION_LATEX], "table for LaTeX");
        add_runs(&outputs, values[OPTION_MSC], "chart", sink->query_count);
        add_runs(&outputs, values[OPTION_RUN_MODEL], "model of the run", sink->query_count);
    }
    return outputs_are_usable(&outputs, &session->diag);
}
