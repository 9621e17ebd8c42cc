#define _POSIX_C_SOURCE 200809L

#include "verifyta/deciding.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "command/command.h"
#include "model/network.h"
#include "verifyta/messages.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

/* A run as verifyta 4.1 writes it:
 *
 *     State:
 *     ( P.idle Q.idle )
 *     n=0 P.x=0 #depth=0
 *
 *     Transitions:
 *       P.idle->P.busy { n < 3, c!, n := n + 1 }
 *       Q.idle->Q.idle { 1, c?, 1 }
 */

static const struct process *process_of(const struct network *network, const char *name) {
    for (uint32_t i = 0; i < network->process_count; i++)
        if (!strcmp(network->processes[i].name, name)) return &network->processes[i];
    assert(false); /* a trace names processes of its network */
    return NULL;
}

/* A text on one line. */
static void print_line(FILE *file, struct str text) {
    bool is_blank = false;
    text = str_trim(text);
    for (size_t i = 0; i < text.size; i++) {
        bool is_space = char_is_space(text.data[i]);
        if (!is_space || !is_blank) fputc(is_space ? ' ' : text.data[i], file);
        is_blank = is_space;
    }
}

/* The labels of a kind along the edges of a step, or a word where there is none. */
static void print_labels(FILE *file, const struct template *template, const json_t *edges,
                         enum label_kind kind, const char *between, const char *otherwise) {
    bool is_first = true;
    for (size_t i = 0; i < json_array_size(edges); i++) {
        size_t edge = (size_t)json_integer_value(json_array_get(edges, i));
        assert(edge < template->edge_count);
        const struct text *text = label_text(&template->edges[edge].xml->labels, kind);
        if (!text || str_is_blank(text->content)) continue;
        if (!is_first) fputs(between, file);
        is_first = false;
        print_line(file, text->content);
    }
    if (is_first) fputs(otherwise, file);
}

static void print_part(FILE *file, const struct network *network, const json_t *part) {
    const char *name = json_string_value(json_object_get(part, "process"));
    const json_t *edges = json_object_get(part, "edges"),
                 *channel = json_object_get(part, "channel");
    const struct template *template = process_of(network, name)->template;
    fprintf(file, "  %s.%s->%s.%s { ", name, json_string_value(json_object_get(part, "source")),
            name, json_string_value(json_object_get(part, "target")));
    print_labels(file, template, edges, LABEL_GUARD, " && ", "1");
    fprintf(file, ", %s, ", channel ? json_string_value(channel) : "tau");
    print_labels(file, template, edges, LABEL_UPDATE, ", ", "1");
    fputs(" }\n", file);
}

static void print_state(FILE *file, json_t *state, size_t depth) {
    const char *key;
    json_t *value;
    fputs("State:\n(", file);
    json_object_foreach(json_object_get(state, "locations"), key, value)
        fprintf(file, " %s.%s", key, json_string_value(value));
    fputs(" )\n", file);
    json_object_foreach(json_object_get(state, "values"), key, value)
        fprintf(file, "%s=%lld ", key, (long long)json_integer_value(value));
    fprintf(file, "#depth=%zu\n", depth);
}

/* A trace of the network, as reports have it (report/trace_report.h). */
static void run_text_print(FILE *file, const struct network *network, const json_t *trace) {
    const json_t *states = json_object_get(trace, "states"),
                 *steps = json_object_get(trace, "steps");
    for (size_t i = 0; i < json_array_size(states); i++) {
        const json_t *step = json_array_get(steps, i);
        print_state(file, json_array_get(states, i), i);
        fputc('\n', file);
        if (!step) continue;
        fputs("Transitions:\n", file);
        for (size_t k = 0; k < json_array_size(step); k++)
            print_part(file, network, json_array_get(step, k));
        fputc('\n', file);
    }
}

/* How the run goes on after its last state, or NULL if that is where it ends. */
static const char *run_text_rest(const json_t *trace, struct arena *arena) {
    const json_t *loop = json_object_get(trace, "loop");
    const char *end = json_string_value(json_object_get(trace, "end"));
    if (json_is_integer(loop))
        return arena_printf(arena, "the last state is that of #depth=%lld, and so on for ever",
                            (long long)json_integer_value(loop));
    if (!end) return NULL;
    return !strcmp(end, "idle") ? "time may pass for ever in the last state"
                                : "the last state is a deadlock";
}

/* Takes the place of the program's sink: keeps the result. */
struct keeping_sink {
    struct sink sink;
    FILE *messages;
    struct arena *arena;
    struct asked_query *wants_run; /* whose run is to be kept; NULL = the result is */
    json_t *result;
};

/* The only query of a result of `varabs check`. */
static void keep_run(struct keeping_sink *keeping, const json_t *result,
                     const struct network *network) {
    const json_t *query = json_array_get(json_object_get(result, "queries"), 0);
    const json_t *trace = json_object_get(query, "trace");
    char *bytes = NULL;
    size_t size = 0;
    if (!trace) return;
    FILE *file = open_memstream(&bytes, &size);
    if (!file) memory_is_over();
    run_text_print(file, network, trace);
    if (fclose(file) || !bytes) memory_is_over();
    keeping->wants_run->run = arena_copy(keeping->arena, bytes, size);
    keeping->wants_run->rest = run_text_rest(trace, keeping->arena);
    free(bytes);
}

static bool leave(struct sink *sink, json_t *result, struct result_page page,
                  struct session *session) {
    struct keeping_sink *keeping = (struct keeping_sink *)sink;
    (void)page;
    if (keeping->wants_run) {
        keep_run(keeping, result, session->network);
        json_decref(result);
    } else {
        keeping->result = result;
    }
    return true;
}

static enum status end(struct sink *sink, struct session *first, struct session *second,
                       enum status status) {
    enum status own = first->diag.status;
    assert(!second);
    const struct query_texts none = {0};
    verifyta_messages_print(((struct keeping_sink *)sink)->messages, first, &none, NULL, false);
    session_drop(first);
    return own == STATUS_DONE ? status : own;
}

static struct keeping_sink sink_new(void (*defer)(void), struct arena *arena, FILE *messages) {
    struct keeping_sink keeping = {.sink = sink_silent(), .messages = messages, .arena = arena};
    keeping.sink.defer = defer;
    keeping.sink.leave = leave;
    keeping.sink.end = end;
    return keeping;
}

static struct command_request request_new(const struct verifyta_arguments *arguments) {
    return (struct command_request){.first = {.name = arguments->model},
                                    .abstract = {.analysis = {.approximation = APPROX_TEMPLATE,
                                                              .budget = ANALYSIS_DEFAULT_BUDGET}},
                                    .verify = {.semantics = SEMANTICS_UPPAAL,
                                               .engine = ENGINE_AUTO,
                                               .search = {.max_seconds = arguments->max_seconds,
                                                          .max_size = arguments->max_size,
                                                          .jobs = arguments->jobs}}};
}

static struct query_source source_of(const struct asked_query *query) {
    return (struct query_source){.text = query->text, .name = query->place};
}

/* ---- verdicts ---- */

static const char *text_member(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* The states that the last round looked at, on the side that decided. */
static uint64_t states_of(const json_t *entry) {
    const json_t *rounds = json_object_get(entry, "rounds");
    const char *way = text_member(json_object_get(entry, "decided_by"), "way");
    size_t count = json_array_size(rounds);
    if (!count || !way) return 0;
    const json_t *round = json_array_get(rounds, count - 1);
    const json_t *side = json_object_get(round, !strcmp(way, "must") ? "must" : "may");
    return (uint64_t)json_integer_value(json_object_get(side, "states"));
}

static void take_verdict(struct asked_list *asked, struct asked_query *query, const json_t *entry,
                         enum status status, struct arena *arena) {
    const char *verdict = text_member(entry, "verdict"), *reason = text_member(entry, "reason");
    const char *limit = text_member(entry, "limit");
    if (verdict && !strcmp(verdict, "satisfied")) query->verdict = VERDICT_SATISFIED;
    if (verdict && !strcmp(verdict, "violated")) query->verdict = VERDICT_VIOLATED;
    query->states = states_of(entry);
    query->how = reason ? arena_printf(arena, "%s", reason) : "";
    if (query->verdict != VERDICT_UNKNOWN) return;
    query->problem = limit    ? arena_printf(arena, "not decided: the limit on %s ended it", limit)
                     : reason ? arena_printf(arena, "not decided: %s", reason)
                              : "not decided";
    if (status <= STATUS_VIOLATED) status = STATUS_LIMIT;
    if (status > asked->status) asked->status = status;
}

/* Uppaal stops with an error where varabs leaves a step out. */
static void take_condition(struct asked_list *asked, const json_t *condition, struct arena *arena) {
    const char *state = text_member(condition, "no_runtime_errors");
    const json_t *error = json_object_get(condition, "first_error");
    const char *message = text_member(error, "message");
    asked->may_have_errors =
        !state || (strcmp(state, "cannot fail") != 0 && strcmp(state, "met") != 0);
    if (!state || strcmp(state, "broken") != 0) return;
    asked->problem = arena_printf(
        arena, "the model has a runtime error, and Uppaal would stop there: line %lld: %s",
        (long long)json_integer_value(json_object_get(error, "line")), message ? message : "");
    asked->status = STATUS_INVALID;
}

static void take_result(struct asked_list *asked, const json_t *result, enum status status,
                        struct arena *arena) {
    const json_t *entries = json_object_get(result, "queries");
    uint32_t count = 0;
    for (uint32_t i = 0; i < asked->count; i++) count += !asked->items[i].problem;
    if (!result || json_array_size(entries) != count) {
        asked->problem = "the queries cannot be decided";
        asked->status = status > STATUS_VIOLATED ? status : STATUS_LIMIT;
        return;
    }
    count = 0;
    for (uint32_t i = 0; i < asked->count; i++)
        if (!asked->items[i].problem)
            take_verdict(asked, &asked->items[i], json_array_get(entries, count++), status, arena);
    take_condition(asked, json_object_get(result, "condition"), arena);
}

void asked_decide(struct asked_list *asked, const struct verifyta_arguments *arguments,
                  void (*defer)(void), struct arena *arena, FILE *messages) {
    struct keeping_sink keeping = sink_new(defer, arena, messages);
    struct command_request request = request_new(arguments);
    assert(!asked->problem);
    request.queries = ARENA_ARRAY(arena, struct query_source, asked->count + 1);
    for (uint32_t i = 0; i < asked->count; i++)
        if (!asked->items[i].problem)
            request.queries[request.query_count++] = source_of(&asked->items[i]);
    if (!request.query_count) return;
    enum status status = command_run(COMMAND_DECIDE, &request, &keeping.sink);
    take_result(asked, keeping.result, status, arena);
    json_decref(keeping.result);
}

/* ---- runs ---- */

void asked_find_runs(struct asked_list *asked, const struct verifyta_arguments *arguments,
                     void (*defer)(void), struct arena *arena, FILE *messages) {
    double begin = clock_seconds(), limit = interrupt_take_time();
    for (uint32_t i = 0; i < asked->count; i++) {
        struct asked_query *query = &asked->items[i];
        if (query->problem || !asked_has_run(query) || interrupt_is_asked()) continue;
        struct keeping_sink keeping = sink_new(defer, arena, messages);
        struct command_request request = request_new(arguments);
        struct query_source source = source_of(query);
        if (arguments->max_seconds > 0) {
            double left = limit - (clock_seconds() - begin);
            if (left <= 0) return;
            interrupt_after(left);
        }
        request.queries = &source;
        request.query_count = 1;
        request.verify.wants_traces = true;
        keeping.wants_run = query;
        command_run(COMMAND_CHECK, &request, &keeping.sink);
    }
}
