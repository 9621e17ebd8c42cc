/* See command.h. */
#include "command/command.h"

#include <assert.h>

bool command_load(struct session *session, const struct model_source *source) {
    return source->bytes.data ? session_load_bytes(session, source->name, source->bytes)
                              : session_load(session, source->name);
}

static struct page_model model_of(const struct model_source *source,
                                  const struct session *session) {
    return (struct page_model){source->name, &session->document, session->network, NULL};
}

struct result_page command_page(const char *kind, const struct command_request *request,
                                const struct session *first, const struct session *second) {
    struct result_page page = {.kind = kind, .first = model_of(&request->first, first)};
    if (second) page.second = model_of(&request->second, second);
    return page;
}

enum status command_run(enum command command, const struct command_request *request,
                        struct sink *sink) {
    static enum status (*const all[])(const struct command_request *, struct sink *) = {
#define X(name, letter, word) command_##word,
        COMMANDS(X)
#undef X
    };
    assert((unsigned)command < COMMAND_COUNT && request->first.name);
    sink_begin(sink);
    return all[command](request, sink);
}
