#define _POSIX_C_SOURCE 200809L

#include "engine/selftest.h"

#include "base/clock.h"
#include "base/diag.h"
#include "engine/capture.h"
#include "engine/child.h"
#include "engine/example.h"
#include "engine/object.h"
#include "engine/record.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER_MOST = 1 << 20, SHOWN_MOST = 300, NOT_FOUND = 127 };
#define ANSWER_SECONDS 10.0
#define GREETING_SECONDS 1.0

static const char upload[] =
    "{\"cmd\":\"newXMLSystem3\",\"args\":\"<?xml version=\\\"1.0\\\" encoding=\\\"utf-8\\\"?>\n"
    "<nta><declaration>int[0,3] n;</declaration>\n"
    "<template><name>P</name><location id=\\\"id0\\\"/><init ref=\\\"id0\\\"/>\n"
    "<transition><source ref=\\\"id0\\\"/><target ref=\\\"id0\\\"/>\n"
    "<label kind=\\\"guard\\\">n &lt; 2</label><label kind=\\\"assignment\\\">n = n + 1</label>\n"
    "</transition></template><system>system P;</system></nta>\n\"}";

/* In an order in which the second of each kind can be compared with the first. */
static const struct question {
    const char *query;
    char letter; /* that is expected */
    bool has_trace;
} questions[] = {
    {"A[] n <= 2", 'T', false}, {"A[] n <= 3", 'T', false}, {"E<> n == 3", 'F', false},
    {"E<> n > 2", 'F', false},  {"A[] n < 2", 'F', true},   {"E<> n == 2", 'T', true},
    {"A[] m", 'E', false},
};

struct selftest {
    struct child_process engine;
    struct object_capture from_engine;
    struct recording record;
    struct examples examples;
    struct str rest; /* of the chunk: not looked at yet */
    char chunk[64 * 1024];
    uint32_t wrong;
};

/* ---- the report ---- */

static void report(struct selftest *selftest, bool is_known, const char *what, struct str object) {
    char shown[SHOWN_MOST + 1];
    size_t size = object.size < SHOWN_MOST ? object.size : SHOWN_MOST;
    selftest->wrong += !is_known;
    printf("%s  %s\n", is_known ? "ok   " : "other", what);
    if (is_known) return;
    for (size_t i = 0; i < size; i++)
        shown[i] = char_is_space(object.data[i]) || !object.data[i] ? ' ' : object.data[i];
    shown[size] = 0;
    fputs("       ", stdout);
    print_visible(stdout, size ? shown : "no answer");
    puts(size < object.size ? "..." : "");
}

/* ---- talking ---- */

/* Waits for bytes of the engine; false at the time that is due, and at the end of what it says. */
static bool read_more(struct selftest *selftest, double due) {
    struct pollfd fd = {.fd = selftest->engine.out, .events = POLLIN};
    for (;;) {
        double left = due - clock_seconds();
        if (left <= 0 || selftest->engine.out < 0) return false;
        if (poll(&fd, 1, (int)(left * 1000) + 1) <= 0) continue;
        ssize_t size = read(selftest->engine.out, selftest->chunk, sizeof selftest->chunk);
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (size <= 0) {
            child_close(&selftest->engine.out);
            return false;
        }
        record_bytes(&selftest->record, FROM_ENGINE, selftest->chunk, (size_t)size);
        selftest->rest = (struct str){selftest->chunk, (size_t)size};
        return true;
    }
}

/* The next object with `res`; empty if there is none in time. */
static struct str next_answer(struct selftest *selftest) {
    double due = clock_seconds() + ANSWER_SECONDS;
    for (;;) {
        bool is_whole = false;
        struct str *rest = &selftest->rest;
        while (rest->size && !is_whole) {
            size_t size = capture_feed(&selftest->from_engine, *rest, &is_whole);
            *rest = (struct str){rest->data + size, rest->size - size};
        }
        struct str object = capture_object(&selftest->from_engine);
        if (is_whole && object_member(object, "res").data) return object;
        if (!is_whole && !read_more(selftest, due)) return (struct str){0};
    }
}

/* Small as it is, a command goes through at once unless the engine reads nothing. */
static void send(struct selftest *selftest, const char *text) {
    size_t size = strlen(text);
    double due = clock_seconds() + ANSWER_SECONDS;
    record_bytes(&selftest->record, FROM_GUI, text, size);
    while (size && clock_seconds() < due) {
        struct pollfd fd = {.fd = selftest->engine.in, .events = POLLOUT};
        if (poll(&fd, 1, 100) <= 0) continue;
        ssize_t written = write(selftest->engine.in, text, size);
        if (written < 0 && errno != EAGAIN && errno != EINTR) return;
        if (written < 0) continue;
        text += written;
        size -= (size_t)written;
    }
}

/* ---- what is asked ---- */

static void greet(struct selftest *selftest) {
    double due = clock_seconds() + GREETING_SECONDS;
    size_t size = 0;
    while (read_more(selftest, due)) {
        bool is_whole;
        size += selftest->rest.size;
        while (selftest->rest.size) {
            size_t read = capture_feed(&selftest->from_engine, selftest->rest, &is_whole);
            selftest->rest = (struct str){selftest->rest.data + read, selftest->rest.size - read};
        }
    }
    bool is_over = child_is_over(&selftest->engine);
    selftest->wrong += is_over;
    if (is_over)
        puts("other  it ends at once, before anything was asked");
    else
        printf("ok     it starts; in the first second it said %zu bytes\n", size);
}

static bool ask_model(struct selftest *selftest) {
    send(selftest, upload);
    struct str object = next_answer(selftest), info = object_member(object, "info");
    bool is_taken =
        value_is(object_member(object, "res"), "ok") && object_member(info, "procs").data;
    report(selftest, is_taken, "a model is taken with `res` and `info.procs`", object);
    return is_taken;
}

static void ask_query(struct selftest *selftest, const struct question *question) {
    char text[256];
    snprintf(text, sizeof text, "{\"cmd\":\"modelCheck\",\"args\":\"%s\"}", question->query);
    send(selftest, text);
    struct str object = next_answer(selftest), info = object_member(object, "info");
    struct str trace = object_member(info, "trace");
    bool is_known = example_letter(object) == question->letter && trace.data;
    bool is_plain = trace.size == 4 && !memcmp(trace.data, "null", 4);
    snprintf(text, sizeof text, "%s: `info.status` is %c%s", question->query, question->letter,
             question->has_trace ? "" : ", `info.trace` is null");
    report(selftest, is_known && (question->has_trace || is_plain), text, object);
    if (question->letter != 'E' && is_known && is_plain)
        examples_learn(&selftest->examples, example_verdict(question->letter), object);
}

static void look(struct selftest *selftest) {
    greet(selftest);
    if (!ask_model(selftest)) return;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        ask_query(selftest, &questions[i]);
    bool has_forms = examples_have(&selftest->examples, DECIDED_SATISFIED) &&
                     examples_have(&selftest->examples, DECIDED_VIOLATED);
    report(selftest, has_forms, "answers without a trace differ in `message` alone",
           STR("so varabs would never answer"));
}

static void end_engine(struct selftest *selftest) {
    double due = clock_seconds() + ANSWER_SECONDS;
    child_close(&selftest->engine.in);
    while (read_more(selftest, due)) {
    }
    while (!child_is_over(&selftest->engine) && clock_seconds() < due) poll(NULL, 0, 20);
    bool is_over = child_is_over(&selftest->engine);
    report(selftest, is_over, "it ends with the end of its input",
           STR("it was killed, 10 seconds later"));
    child_kill(&selftest->engine);
}

int selftest_run(const struct engine_arguments *arguments) {
    static struct selftest selftest; /* large */
    bool records = arguments->record != NULL;
    selftest.from_engine.most = ANSWER_MOST;
    if (records && !record_open(&selftest.record, arguments->record, arguments->redacts)) {
        fprintf(stderr, "varabs engine: error: cannot make the file '%s': %s\n", arguments->record,
                strerror(errno));
        return STATUS_USAGE;
    }
    child_ignore_broken_pipes();
    if (!child_start(&selftest.engine, arguments->command, false)) {
        fprintf(stderr, "varabs engine: error: cannot start the engine '%s': %s\n",
                arguments->command[0], strerror(errno));
        record_close(&selftest.record);
        return NOT_FOUND;
    }
    look(&selftest);
    end_engine(&selftest);
    examples_close(&selftest.examples);
    capture_close(&selftest.from_engine);
    bool is_recorded = record_close(&selftest.record);
    if (selftest.wrong)
        printf("not as varabs knows it: %u of these\n", selftest.wrong);
    else
        puts("everything is as varabs knows it");
    if (records)
        printf("what was said: %s%s\n", arguments->record, is_recorded ? "" : ", not all of it");
    return selftest.wrong || !is_recorded ? STATUS_VIOLATED : STATUS_DONE;
}
