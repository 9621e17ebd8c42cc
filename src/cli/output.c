#include "cli/output.h"

#include "cli/names.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "report/json.h"
#include "report/shell.h"
#include "xml/output.h"

static void say(const char *text) { progress_say("%s", text); }

/* Whether --json, --html, a table or a file of a run wants standard output for itself. */
static bool standard_output_is_taken(const struct options *options) {
    static const enum option results[] = {OPTION_JSON, OPTION_HTML,  OPTION_MSC,
                                          OPTION_CSV,  OPTION_LATEX, OPTION_RUN_MODEL};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (name_is_standard(options->values[results[i]])) return true;
    return false;
}

bool output_is_silent(const struct options *options) {
    static const enum option others[] = {OPTION_OUTPUT, OPTION_REPORT, OPTION_REWRITE};
    bool writes_model = options->command == COMMAND_ABSTRACT || options->command == COMMAND_DRAW ||
                        options->command == COMMAND_EXPORT;
    if (!options->values[OPTION_QUIET] || standard_output_is_taken(options)) return false;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (name_is_standard(options->values[others[i]])) return false;
    return !(writes_model && !options->values[OPTION_OUTPUT] &&
             name_is_standard(options->request.first.name));
}

static bool is_ready(struct sink *sink, struct session *session) {
    struct output_sink *output = (struct output_sink *)sink;
    output->arena = &session->arena;
    return names_are_usable(sink, output->options, session);
}

/* ---- parts ---- */

/* A run of a query; of several queries only one has its run on standard output. */
static bool write_run(struct output_sink *output, enum option option, const char *what,
                      uint32_t number, struct str bytes, struct diag *diag) {
    const char *const *values = output->options->values;
    bool has_stream =
        name_is_standard(values[OPTION_MSC]) || name_is_standard(values[OPTION_RUN_MODEL]);
    bool is_another = output->has_run && output->run != number;
    if (is_another && has_stream) {
        if (!output->has_more)
            diag_error(diag, STATUS_USAGE, 0,
                       "several queries have runs; name a file for them, or one query");
        output->has_more = true;
        return false;
    }
    output->has_run = true;
    output->run = number;
    const char *path =
        name_of_run(output->arena, values[option], number + 1, output->sink.query_count);
    if (!file_write(path, bytes, diag)) return false;
    if (!standard_output_is_taken(output->options)) printf("%s: %s\n", what, path);
    return true;
}

static bool write_code(struct output_sink *output, struct str bytes, struct diag *diag) {
    const char *path = output->sink.output;
    output->has_code = true;
    if (!name_is_standard(path)) return file_write(name_of_code(path, output->arena), bytes, diag);
    return diag_error(
        diag, STATUS_USAGE, 0,
        "the model has more C code than Spin takes in one file: name a file with -o, and "
        "the code goes into another one beside it");
}

/* Where the option names a file. */
static bool write_table(const struct output_sink *output, enum option option, struct str bytes,
                        struct diag *diag) {
    const char *path = output->options->values[option];
    return !path || file_write(path, bytes, diag);
}

static bool put(struct sink *sink, enum made_part part, uint32_t number, struct str bytes,
                struct diag *diag) {
    struct output_sink *output = (struct output_sink *)sink;
    switch (part) {
    case PART_OUTPUT: return output->is_written = file_write(sink->output, bytes, diag);
    case PART_CODE: return write_code(output, bytes, diag);
    case PART_CHARTS: return write_run(output, OPTION_MSC, "chart", number, bytes, diag);
    case PART_RUN_MODELS:
        return write_run(output, OPTION_RUN_MODEL, "model of the run", number, bytes, diag);
    case PART_CSV: return write_table(output, OPTION_CSV, bytes, diag);
    case PART_LATEX: return write_table(output, OPTION_LATEX, bytes, diag);
    default: return true;
    }
}

/* ---- results ---- */

static const char *command_line(const struct options *options, struct arena *arena) {
    const char *text = "varabs";
    for (int i = 1; i < options->argc; i++)
        text = arena_printf(arena, "%s %s", text, shell_word(options->argv[i], arena));
    return text;
}

static bool leave(struct sink *sink, json_t *result, struct result_page page,
                  struct session *session) {
    const struct options *options = ((struct output_sink *)sink)->options;
    const char *html = options->values[OPTION_HTML];
    const char *json =
        options->command == COMMAND_ABSTRACT ? sink->report : options->values[OPTION_JSON];
    page.result = result;
    page.command = html ? command_line(options, &session->arena) : NULL;
    bool ok = !html || page_write(&page, html, &session->arena, &session->diag);
    if (json) return report_write(result, json, &session->diag) && ok;
    json_decref(result);
    return ok;
}

/* None if standard output is for another result; standard error if that could not be written, so
 * that no verdict is lost. */
static FILE *text_of(struct sink *sink, bool is_written) {
    const struct options *options = ((struct output_sink *)sink)->options;
    bool is_taken = standard_output_is_taken(options);
    progress_end();
    if (options->command == COMMAND_ABSTRACT) {
        bool is_quiet =
            is_taken || name_is_standard(sink->output) || name_is_standard(sink->report);
        if (!is_written) sink->report = NULL; /* what is known of the model is said all the same */
        return is_quiet ? NULL : stdout;
    }
    if (options->command == COMMAND_INFO && options->values[OPTION_JSON] &&
        !(options->request.wants_agents && is_written))
        return NULL;
    return !is_taken ? stdout : is_written ? NULL : stderr;
}

/* ---- the end ---- */

/* What was written without a result that says so. */
static void say_written(const struct output_sink *output) {
    const char *path = output->sink.output;
    if (!output->is_written || name_is_standard(path)) return;
    if (output->options->command == COMMAND_DRAW) printf("drawing: %s\n", path);
    if (output->options->command != COMMAND_EXPORT) return;
    bool is_for_spin = !output->options->request.wants_scalars;
    printf("%s: %s\n", is_for_spin ? "model for Spin" : "model with scalar sets", path);
    if (output->has_code) printf("its C code: %s\n", name_of_code(path, output->arena));
}

/* No message is written into the line of progress. */
static enum status end(struct sink *sink, struct session *first, struct session *second,
                       enum status status) {
    progress_end();
    say_written((const struct output_sink *)sink);
    int of_second = second ? session_close(second) : STATUS_DONE, of_first = session_close(first);
    int worst = of_first > of_second ? of_first : of_second;
    return status == STATUS_DONE || worst > STATUS_VIOLATED ? (enum status)worst : status;
}

void output_open(struct output_sink *output, const struct options *options) {
    bool is_live = !standard_output_is_taken(options);
    *output = (struct output_sink){
        .sink = {.say = say,
                 .search = progress_search,
                 .defer = signals_defer,
                 .is_ready = is_ready,
                 .live = is_live ? stdout : NULL,
                 .hold = progress_hold,
                 .release = progress_release,
                 .put = put,
                 .wants_result = options->values[OPTION_JSON] || options->values[OPTION_HTML],
                 .leave = leave,
                 .text = text_of,
                 .end = end},
        .options = options};
}
