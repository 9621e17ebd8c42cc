/* varabs export IN.xml --to promela */
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "export/promela.h"
#include "session/session.h"
#include "xml/output.h"

#include <string.h>

static const char *output_path(const struct options *options, struct arena *arena) {
    if (options->values[OPTION_OUTPUT]) return options->values[OPTION_OUTPUT];
    if (!strcmp(options->input, "-")) return "-";
    return file_beside(arena, options->input, ".pml");
}

static bool write(struct session *session, const struct promela *promela, const char *output,
                  const char *code) {
    struct str model = {promela->model.data, promela->model.size};
    struct str include = {promela->code.data, promela->code.size};
    if (include.size && !strcmp(output, "-")) {
        diag_error(
            &session->diag, STATUS_USAGE, 0,
            "the model has more C code than Spin takes in one file: name a file with -o, and "
            "the code goes into another one beside it");
        return false;
    }
    return file_write(output, model, &session->diag) &&
           (!include.size || file_write(code, include, &session->diag));
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* varabs export: C functions of the steps, or a model for Spin. */
int command_export(const struct options *options) {
    struct session session;
    struct outputs outputs;
    struct promela promela = {0};
    bool ok = session_open(&session, options->input);
    const char *output = output_path(options, &session.arena);
    const char *code = arena_printf(&session.arena, "%s.h", output);
    progress_say("exporting");
    outputs_begin(&outputs, options, &session.arena);
    outputs_add(&outputs, output, "model");
    if (strcmp(output, "-") != 0) outputs_add(&outputs, code, "code of the model");
    ok = ok && outputs_are_usable(&outputs, &session.diag) &&
         export_promela(&promela, session.network, options->input, base_name(code)) &&
         output_is_in_time(&session.diag) && write(&session, &promela, output, code);
    progress_end();
    if (ok && strcmp(output, "-") != 0) {
        printf("model for Spin: %s\n", output);
        if (promela.code.size) printf("its C code: %s\n", code);
    }
    promela_close(&promela);
    return end_session(&session);
}
