/* varabs draw: templates as SVG, of one model or of what changed between two. */
#include "draw/draw.h"
#include "command/command.h"

enum status command_draw(const struct command_request *request, struct sink *sink) {
    struct session first, second;
    struct str page;
    bool has_second = request->second.name != NULL;
    bool ok = command_load(&first, &request->first);
    if (has_second) ok = command_load(&second, &request->second) && ok;
    tell("drawing");
    if (ok && sink->is_ready(sink, &first) &&
        draw_page(&page, &first.document, has_second ? &second.document : NULL,
                  request->template_name, &first.arena, &first.diag) &&
        sink_is_in_time(&first.diag))
        sink->put(sink, PART_OUTPUT, 0, page, &first.diag);
    enum status own = first.diag.status,
                status = sink->end(sink, &first, has_second ? &second : NULL, STATUS_DONE);
    return own != STATUS_DONE ? own : status;
}
