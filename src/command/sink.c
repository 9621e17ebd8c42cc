#include "command/sink.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <assert.h>
#include <stdarg.h>

enum { TOLD_SIZE = 256 };

static void (*say)(const char *text);

void sink_begin(const struct sink *sink) { say = sink->say; }

void tell(const char *format, ...) {
    char text[TOLD_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say(text);
}

void tell_part(const char *what, uint32_t done, uint32_t count, double begin) {
    assert(done < count);
    double left = done ? (clock_seconds() - begin) / done * (count - done) : 0;
    if (left >= 1)
        tell("%s %u of %u, about %.0f s left", what, done + 1, count, left);
    else
        tell("%s %u of %u", what, done + 1, count);
}

void tell_stage(const char *stage) { tell("making the abstraction: %s", stage); }

void tell_trial(uint32_t trial, uint32_t most) {
    tell("looking for removals: trial %u of at most %u", trial, most);
}

FILE *sink_leave(struct sink *sink, json_t *result, struct result_page page,
                 struct session *session) {
    assert(!result == !sink->wants_result);
    bool is_written = !result || sink->leave(sink, result, page, session);
    return sink->text(sink, is_written);
}

bool sink_is_in_time(struct diag *diag) {
    if (!interrupt_is_asked()) return true;
    return diag_error(diag, STATUS_LIMIT, 0, "nothing is written: %s", interrupt_reason());
}

/* ---- a sink that keeps nothing ---- */

static void say_nothing(const char *text) { (void)text; }

static void show_nothing(void *context, const struct search_figures *figures) {
    (void)context;
    (void)figures;
}

static void defer_nothing(void) {}

static bool is_always_ready(struct sink *sink, struct session *session) {
    (void)sink;
    (void)session;
    return true;
}

static bool put_nowhere(struct sink *sink, enum made_part part, uint32_t number, struct str bytes,
                        struct diag *diag) {
    (void)sink;
    (void)part;
    (void)number;
    (void)bytes;
    (void)diag;
    return true;
}

static FILE *no_text(struct sink *sink, bool is_written) {
    (void)sink;
    (void)is_written;
    return NULL;
}

struct sink sink_silent(void) {
    return (struct sink){.say = say_nothing,
                         .search = show_nothing,
                         .defer = defer_nothing,
                         .is_ready = is_always_ready,
                         .put = put_nowhere,
                         .wants_result = true,
                         .text = no_text};
}
