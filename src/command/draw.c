/* varabs draw: templates as SVG or for LaTeX, of one model or of what changed between two. */
#include "draw/draw.h"
#include "command/command.h"

#include <string.h>

static bool is_tikz(const struct command_request *request, const struct sink *sink) {
    const char *end = sink->output ? strrchr(sink->output, '.') : NULL;
    return request->wants_tikz || (end && !strcmp(end, ".tex"));
}

static bool draw(struct str *drawing, const struct command_request *request,
                 const struct sink *sink, struct session *first, const struct session *second) {
    const struct document *after = request->second.name ? &second->document : NULL;
    return (is_tikz(request, sink) ? draw_tikz : draw_page)(
        drawing, &first->document, after, request->template_name, &first->arena, &first->diag);
}

enum status command_draw(const struct command_request *request, struct sink *sink) {
    struct session first, second;
    struct str page;
    bool has_second = request->second.name != NULL;
    bool ok = command_load(&first, &request->first);
    if (has_second) ok = command_load(&second, &request->second) && ok;
    tell("drawing");
    if (ok && sink->is_ready(sink, &first) && draw(&page, request, sink, &first, &second) &&
        sink_is_in_time(&first.diag))
        sink->put(sink, PART_OUTPUT, 0, page, &first.diag);
    enum status own = first.diag.status,
                status = sink->end(sink, &first, has_second ? &second : NULL, STATUS_DONE);
    return own != STATUS_DONE ? own : status;
}
