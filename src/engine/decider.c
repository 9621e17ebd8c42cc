#define _POSIX_C_SOURCE 200809L

#include "engine/decider.h"

#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUT_MOST = 4 << 20, WRITE_SIZE = 64 * 1024 };
#define GRACE_SECONDS 1.0 /* after its own limit */

bool decider_start(struct decider_process *decider, struct str model, const char *query,
                   const struct decider_limits *limits) {
    char seconds[32], jobs[32], *query_option = malloc(strlen(query) + 16);
    assert(!decider->is_running);
    *decider = (struct decider_process){.model = model, .begin = clock_seconds()};
    decider->out = malloc(OUT_MOST + 1);
    if (!query_option || !decider->out) {
        free(query_option);
        free(decider->out);
        decider->out = NULL;
        return false;
    }
    sprintf(query_option, "--query=%s", query);
    snprintf(seconds, sizeof seconds, "--timeout=%.3f", limits->seconds);
    snprintf(jobs, sizeof jobs, "--jobs=%u", limits->jobs);
    char *argv[] = {"/proc/self/exe",
                    "decide",
                    "-",
                    "--json=-",
                    query_option,
                    seconds,
                    jobs,
                    "--semantics=uppaal",
                    NULL,
                    (char *)limits->memory,
                    NULL};
    if (limits->memory) argv[8] = "--max-memory";
    decider->is_running = child_start(&decider->child, argv, true);
    decider->due = decider->begin + limits->seconds + GRACE_SECONDS;
    free(query_option);
    if (!decider->is_running) decider_stop(decider);
    return decider->is_running;
}

void decider_stop(struct decider_process *decider) {
    if (decider->is_running) child_kill(&decider->child);
    decider->is_running = false;
    free(decider->out);
    decider->out = NULL;
}

void decider_fds(const struct decider_process *decider, struct pollfd fds[DECIDER_FDS]) {
    const struct child_process *child = &decider->child;
    bool is_running = decider->is_running;
    fds[0] = (struct pollfd){.fd = is_running ? child->in : -1, .events = POLLOUT};
    fds[1] = (struct pollfd){.fd = is_running ? child->out : -1, .events = POLLIN};
    fds[2] = (struct pollfd){.fd = is_running ? child->err : -1, .events = POLLIN};
}

static void write_model(struct decider_process *decider) {
    struct str *model = &decider->model;
    size_t size = model->size < WRITE_SIZE ? model->size : WRITE_SIZE;
    ssize_t written = size ? write(decider->child.in, model->data, size) : 0;
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (written > 0) *model = (struct str){model->data + written, model->size - (size_t)written};
    if (written < 0 || !model->size) child_close(&decider->child.in);
}

static void read_out(struct decider_process *decider) {
    ssize_t size =
        read(decider->child.out, decider->out + decider->out_size, OUT_MOST - decider->out_size);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size > 0) decider->out_size += (size_t)size;
    decider->is_too_long |= decider->out_size == OUT_MOST;
    if (size <= 0 || decider->is_too_long) child_close(&decider->child.out);
}

static void read_messages(struct decider_process *decider) {
    char bytes[4096];
    ssize_t size = read(decider->child.err, bytes, sizeof bytes);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    decider->has_messages |= size > 0;
    if (size <= 0) child_close(&decider->child.err);
}

/* ---- the result ---- */

static const char *text_of(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

static void explain(struct decision *decision, const char *why, const char *more) {
    decision->verdict = DECIDED_NOTHING;
    snprintf(decision->why, sizeof decision->why, "%s%s", why, more);
}

/* The last round is the one that decided. */
static void read_round(struct decision *decision, const json_t *entry) {
    const json_t *way = json_object_get(entry, "decided_by");
    const json_t *rounds = json_object_get(entry, "rounds");
    size_t count = json_array_size(rounds);
    const json_t *round = count ? json_array_get(rounds, count - 1) : NULL;
    const char *side = !strcmp(text_of(way, "way"), "must") ? "must" : "may";
    decision->states =
        (uint64_t)json_integer_value(json_object_get(json_object_get(round, side), "states"));
    decision->is_model_itself = json_array_size(json_object_get(way, "remove")) == 0;
}

static void read_result(struct decision *decision, const json_t *result) {
    const json_t *queries = json_object_get(result, "queries");
    const json_t *entry = json_array_get(queries, 0);
    const char *verdict = text_of(entry, "verdict");
    const char *errors = text_of(json_object_get(result, "condition"), "no_runtime_errors");
    if (json_array_size(queries) != 1 || json_object_get(entry, "bounds") ||
        strcmp(text_of(entry, "semantics"), "uppaal") != 0) {
        explain(decision, "it is not one query", "");
        return;
    }
    read_round(decision, entry);
    decision->is_model_itself &= !json_object_get(result, "without");
    decision->cannot_fail = !strcmp(errors, "cannot fail") || !strcmp(errors, "met");
    if (!strcmp(verdict, "satisfied")) decision->verdict = DECIDED_SATISFIED;
    if (!strcmp(verdict, "violated")) decision->verdict = DECIDED_VIOLATED;
    if (decision->verdict == DECIDED_NOTHING)
        explain(decision, "not decided: ", text_of(entry, "reason"));
    if (!strcmp(errors, "broken") || !*errors)
        explain(decision, "the model has a runtime error", "");
}

static void decide(const struct decider_process *decider, struct decision *decision) {
    char number[32];
    int status = child_exit_status(&decider->child);
    snprintf(number, sizeof number, "%d", status);
    if (decider->is_too_long || status > 1) {
        explain(decision, "varabs ended with status ", number);
        return;
    }
    json_t *result = json_loadb(decider->out, decider->out_size, JSON_REJECT_DUPLICATES, NULL);
    if (result)
        read_result(decision, result);
    else
        explain(decision, "varabs wrote no result", "");
    json_decref(result);
    bool is_violated = decision->verdict == DECIDED_VIOLATED;
    if (decision->verdict != DECIDED_NOTHING && is_violated != (status == 1))
        explain(decision, "verdict and status of varabs contradict each other", "");
}

bool decider_step(struct decider_process *decider, const struct pollfd fds[DECIDER_FDS],
                  struct decision *decision) {
    struct child_process *child = &decider->child;
    bool is_late = clock_seconds() >= decider->due;
    assert(decider->is_running);
    if (fds[0].revents && child->in >= 0) write_model(decider);
    if (fds[1].revents && child->out >= 0) read_out(decider);
    if (fds[2].revents && child->err >= 0) read_messages(decider);
    bool is_silent = child->out < 0 && child->err < 0;
    if (!is_late && !(is_silent && child_is_over(child))) return false;
    *decision = (struct decision){.has_messages = decider->has_messages};
    if (is_late)
        explain(decision, "varabs did not end in time", "");
    else
        decide(decider, decision);
    decision->seconds = clock_seconds() - decider->begin;
    decider_stop(decider);
    return true;
}
