#include "command/command.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/resources.h"

#include <assert.h>

bool command_read(struct session *session, const struct model_source *source) {
    return source->bytes.data ? session_load_bytes(session, source->name, source->bytes)
                              : session_load(session, source->name);
}

bool command_load(struct session *session, const struct model_source *source) {
    return command_read(session, source) && session_part_queries(session);
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
#define X(name, letter, word, library) command_##word,
        COMMANDS(X)
#undef X
    };
    assert((unsigned)command < COMMAND_COUNT && request->first.name);
    sink_begin(sink);
    return all[command](request, sink);
}

void limits_complete_memory(struct search_options *search) {
    size_t most = memory_for_search();
    if (!search->max_size || search->max_size > most) search->max_size = most;
}

void limits_complete(struct search_options *search) {
    limits_complete_memory(search);
    if (!search->jobs) search->jobs = resources_processors();
}

void limits_take_time(struct search_options *search) {
    const double least = 1e-9; /* 0 would be no limit */
    if (search->max_seconds <= 0) return;
    double left = interrupt_take_time(); /* in whole milliseconds */
    if (left < search->max_seconds) search->max_seconds = left > least ? left : least;
}
