/* See keeping.h. */
#include "grid/keeping.h"

#include "base/memory.h"
#include "report/json.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool put(struct sink *sink, enum made_part part, uint32_t number, struct str bytes,
                struct diag *diag) {
    struct buffer *output = &((struct memory_sink *)sink)->output;
    (void)number;
    (void)diag;
    if (part == PART_OUTPUT) buffer_add(output, bytes.data, bytes.size);
    return true;
}

static bool leave(struct sink *sink, json_t *result, struct result_page page,
                  struct session *session) {
    char *text = report_dump(result);
    (void)page;
    (void)session;
    if (!text) memory_is_over();
    buffer_add_text(&((struct memory_sink *)sink)->json, text);
    free(text);
    json_decref(result);
    return true;
}

/* Without its place, which is one of a model that nobody sees. */
static void keep_error(struct buffer *error, const struct diag *diag) {
    for (uint32_t i = 0; i < diag->items.count && !error->size; i++)
        if (diag->items.items[i].status != STATUS_DONE)
            buffer_add_text(error, diag->items.items[i].message);
}

static enum status end(struct sink *sink, struct session *first, struct session *second,
                       enum status status) {
    enum status own = first->diag.status;
    assert(!((struct memory_sink *)sink)->error.size); /* a sink is for one command */
    keep_error(&((struct memory_sink *)sink)->error, &first->diag);
    session_drop(first);
    if (second) session_drop(second);
    return own == STATUS_DONE ? status : own;
}

void keeping_open(struct memory_sink *keeping) {
    *keeping = (struct memory_sink){.sink = sink_silent()};
    keeping->sink.put = put;
    keeping->sink.leave = leave;
    keeping->sink.end = end;
}

void keeping_close(struct memory_sink *keeping) {
    buffer_close(&keeping->json);
    buffer_close(&keeping->output);
    buffer_close(&keeping->error);
}
