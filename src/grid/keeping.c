/* See keeping.h. */
#include "grid/keeping.h"

#include "base/memory.h"
#include "report/json.h"

#include <stdlib.h>
#include <string.h>

static void say(const char *text) { (void)text; }

static void show_search(void *context, const struct search_figures *figures) {
    (void)context;
    (void)figures;
}

static void defer(void) {}

static bool is_ready(struct sink *sink, struct session *session) {
    (void)sink;
    (void)session;
    return true;
}

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

static FILE *text_of(struct sink *sink, bool is_written) {
    (void)sink;
    (void)is_written;
    return NULL;
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
    keep_error(&((struct memory_sink *)sink)->error, &first->diag);
    session_drop(first);
    if (second) session_drop(second);
    return own == STATUS_DONE ? status : own;
}

void keeping_open(struct memory_sink *keeping) {
    *keeping = (struct memory_sink){.sink = {.say = say,
                                             .search = show_search,
                                             .defer = defer,
                                             .is_ready = is_ready,
                                             .put = put,
                                             .wants_result = true,
                                             .leave = leave,
                                             .text = text_of,
                                             .end = end}};
}

void keeping_close(struct memory_sink *keeping) {
    buffer_close(&keeping->json);
    buffer_close(&keeping->output);
    buffer_close(&keeping->error);
}
