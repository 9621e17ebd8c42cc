/* See runs.h. */
#include "cli/runs.h"

#include "cli/output.h"
#include "command/run_model.h"
#include "draw/chart.h"
#include "lang/syntax/query_text.h"
#include "xml/output.h"

#include <string.h>

bool runs_are_wanted(const struct options *options) {
    return options->values[OPTION_MSC] || options->values[OPTION_RUN_MODEL];
}

/* "dir/run.2.svg" for "dir/run.svg", for one of several queries. */
static const char *name_of_run(struct arena *arena, const char *path, uint32_t number,
                               uint32_t count) {
    const char *slash = strrchr(path, '/'), *end = strrchr(slash ? slash : path, '.');
    if (count == 1 || !strcmp(path, "-")) return path;
    if (!end) end = path + strlen(path);
    return arena_printf(arena, "%.*s.%u%s", (int)(end - path), path, number, end);
}

/* Any query may have a run. */
static void add_names(struct outputs *outputs, const char *path, const char *what, uint32_t count) {
    outputs_add(outputs, path, what);
    if (!path || !strcmp(path, "-")) return;
    for (uint32_t i = 1; count > 1 && i <= count; i++)
        outputs_add(outputs, name_of_run(outputs->arena, path, i, count), what);
}

void runs_add(struct outputs *outputs, uint32_t count) {
    add_names(outputs, outputs->options->values[OPTION_MSC], "chart", count);
    add_names(outputs, outputs->options->values[OPTION_RUN_MODEL], "model of the run", count);
}

/* Says where it is, unless standard output is for something else. */
static bool say_written(const struct options *options, const char *what, const char *path) {
    if (!standard_output_is_taken(options)) printf("%s: %s\n", what, path);
    return true;
}

static bool write_chart(struct session *session, const char *path, const struct answer *answer) {
    struct str page;
    const char *title = query_formula(&session->arena, answer->query->xml->formula->text.content);
    return draw_chart(&page, session->network, answer->trace, title, &session->arena,
                      &session->diag) &&
           file_write(path, page, &session->diag);
}

static bool write_model(struct session *session, const char *path, const struct answer *answer,
                        const char *observer) {
    struct str model;
    return run_model_make(&model, session, answer->trace, observer) &&
           file_write(path, model, &session->diag);
}

bool runs_write(struct session *session, const struct options *options,
                const struct verification *verification) {
    const char *chart = options->values[OPTION_MSC], *model = options->values[OPTION_RUN_MODEL];
    const char *observer = intern_fresh(&session->names, "run_step");
    uint32_t count = verification->answer_count, found = 0;
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        const struct answer *answer = &verification->answers[i];
        if (!answer->trace) continue;
        if (found++ && ((chart && !strcmp(chart, "-")) || (model && !strcmp(model, "-")))) {
            diag_error(&session->diag, STATUS_USAGE, 0,
                       "several queries have runs; name a file for them, or one query");
            return false;
        }
        if (chart) {
            const char *path = name_of_run(&session->arena, chart, i + 1, count);
            ok = write_chart(session, path, answer) && say_written(options, "chart", path) && ok;
        }
        if (model) {
            const char *path = name_of_run(&session->arena, model, i + 1, count);
            ok = write_model(session, path, answer, observer) &&
                 say_written(options, "model of the run", path) && ok;
        }
    }
    if (!found) diag_warning(&session->diag, 0, "no query has a run that could be written");
    return ok;
}
