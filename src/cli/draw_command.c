/* varabs draw IN.xml [AFTER.xml] */
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "draw/draw.h"
#include "session/session.h"
#include "xml/output.h"

#include <string.h>

/* "dir/in.svg" for "dir/in.xml"; the second model names the comparison. */
static const char *output_path(const struct options *options, struct arena *arena) {
    const char *model = options->second ? options->second : options->input;
    if (options->values[OPTION_OUTPUT]) return options->values[OPTION_OUTPUT];
    if (!strcmp(model, "-")) return "-";
    return file_beside(arena, model, ".svg");
}

/* Programs go by the name, and cannot show SVG as something else. */
static bool is_named_right(struct diag *diag, const char *output) {
    static const char *const other[] = {".png", ".pdf", ".jpg", ".jpeg", ".eps", ".gif"};
    const char *end = strrchr(output, '.');
    for (size_t i = 0; end && i < sizeof other / sizeof other[0]; i++)
        if (!strcmp(end, other[i])) {
            diag_error(diag, STATUS_USAGE, 0,
                       "'%s' would be no picture: drawings are SVG; choose a name that ends in "
                       ".svg",
                       output);
            return false;
        }
    return true;
}

/* varabs draw: templates as SVG, of one model or of what changed between two. */
int command_draw(const struct options *options) {
    struct session first, second;
    struct outputs outputs;
    struct str page;
    if (options->second && !strcmp(options->input, "-") && !strcmp(options->second, "-")) {
        fputs("varabs: error: standard input can be read only once\n", stderr);
        return STATUS_USAGE;
    }
    bool ok = session_load(&first, options->input);
    if (options->second) ok = session_load(&second, options->second) && ok;
    progress_say("drawing");
    const char *output = output_path(options, &first.arena);
    outputs_begin(&outputs, options, &first.arena);
    outputs_add(&outputs, output, "drawing");
    ok = ok && is_named_right(&first.diag, output) && outputs_are_usable(&outputs, &first.diag) &&
         draw_page(&page, &first.document, options->second ? &second.document : NULL,
                   options->values[OPTION_TEMPLATE], &first.arena, &first.diag) &&
         output_is_in_time(&first.diag) && file_write(output, page, &first.diag);
    progress_end();
    if (ok && strcmp(output, "-") != 0) printf("drawing: %s\n", output);
    int of_second = options->second ? end_session(&second) : STATUS_DONE;
    int of_first = end_session(&first);
    return of_first ? of_first : of_second;
}
