#define _GNU_SOURCE /* pipe2 */

#include "grid/cell.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "command/sink.h"
#include "report/json.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what a command leaves ---- */

/* A sink that keeps the parts of a result in memory, and the first error.
 *
 * Lifetime: parts are heap memory, until keeping_close.
 */

struct memory_sink {
    struct sink sink;
    struct buffer json, output, error;
};

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

static void keeping_open(struct memory_sink *keeping) {
    *keeping = (struct memory_sink){.sink = sink_silent()};
    keeping->sink.put = put;
    keeping->sink.leave = leave;
    keeping->sink.end = end;
}

static void keeping_close(struct memory_sink *keeping) {
    buffer_close(&keeping->json);
    buffer_close(&keeping->output);
    buffer_close(&keeping->error);
}

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { WAIT_MILLISECONDS = 100, EXIT_FINE = 0, EXIT_NO_MEMORY = 5, PIECE = 1 << 16 };

/* The message of a child: this, then the bytes of json, output and error. */
struct head {
    uint64_t status, json, output, error;
};

struct running {
    pid_t process;
    int pipe;
    double start, max_seconds; /* max_seconds: 0 = no limit */
    bool is_overdue, is_interrupted;
    struct buffer bytes; /* received */
    int end;             /* as of waitpid */
};

/* ---- in the child ---- */

static void end_without_memory(void) { _exit(EXIT_NO_MEMORY); }

/* Ends with the process that waits for it, and leaves Control-C to that. */
static void begin_child(pid_t caller, const struct search_options *limits) {
    static const int numbers[] = {SIGTERM, SIGHUP, SIGALRM};
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != caller) _exit(EXIT_FINE);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) signal(numbers[i], SIG_DFL);
    signal(SIGINT, SIG_IGN);
    memory_on_failure(end_without_memory);
    memory_limit(limits->max_size);
    if (limits->max_seconds > 0) interrupt_after(limits->max_seconds);
}

static void send_all(int pipe, const void *bytes, size_t size) {
    for (const char *next = bytes; size;) {
        ssize_t count = write(pipe, next, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(EXIT_FINE); /* nobody reads */
        next += count;
        size -= (size_t)count;
    }
}

static _Noreturn void be_child(int pipe, pid_t caller, enum command command,
                               const struct command_request *request) {
    struct memory_sink keeping;
    begin_child(caller, &request->verify.search);
    keeping_open(&keeping);
    enum status status = command_run(command, request, &keeping.sink);
    const struct head head = {status, keeping.json.size, keeping.output.size, keeping.error.size};
    send_all(pipe, &head, sizeof head);
    send_all(pipe, keeping.json.data, keeping.json.size);
    send_all(pipe, keeping.output.data, keeping.output.size);
    send_all(pipe, keeping.error.data, keeping.error.size);
    _exit(EXIT_FINE);
}

/* ---- in the caller ---- */

static bool start(struct running *running, enum command command,
                  const struct command_request *request) {
    int ends[2];
    pid_t caller = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fflush(NULL);
    running->process = fork();
    if (running->process == 0) be_child(ends[1], caller, command, request);
    close(ends[1]);
    running->pipe = ends[0];
    if (running->process > 0) return true;
    close(ends[0]);
    return false;
}

/* Ends a process that does not look at its limit, or would end too late. */
static void mind_limits(struct running *running) {
    double now = clock_seconds(), limit = running->max_seconds;
    assert(running->process > 0); /* others are groups of processes */
    bool is_late = limit > 0 && now > running->start + limit + interrupt_grace(limit);
    if (running->is_overdue || running->is_interrupted) return;
    running->is_interrupted = interrupt_is_asked();
    running->is_overdue = is_late && !running->is_interrupted;
    if (running->is_interrupted || is_late) kill(running->process, SIGKILL);
}

static void receive(struct running *running) {
    char piece[PIECE];
    for (;;) {
        struct pollfd wait = {.fd = running->pipe, .events = POLLIN};
        int is_there = poll(&wait, 1, WAIT_MILLISECONDS);
        mind_limits(running);
        if (is_there <= 0) continue;
        ssize_t count = read(running->pipe, piece, sizeof piece);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        buffer_add(&running->bytes, piece, (size_t)count);
    }
    close(running->pipe);
    while (waitpid(running->process, &running->end, 0) < 0 && errno == EINTR) {
    }
}

/* The reason why a child left nothing. */
static const char *problem_of(const struct running *running) {
    int end = running->end;
    if (running->is_interrupted) return "it was interrupted";
    if (running->is_overdue) return "the time limit was reached";
    bool has_no_memory = (WIFEXITED(end) && WEXITSTATUS(end) == EXIT_NO_MEMORY) ||
                         (WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL);
    if (has_no_memory) return "out of memory, or past the limit on it";
    return "it broke down by a mistake in varabs; please report it, with the model";
}

/* The next part of what was received, in the arena; without data if it is empty. */
static struct str take(const struct buffer *bytes, size_t *at, uint64_t size, struct arena *arena) {
    struct str part = {NULL, (size_t)size};
    if (size) part.data = arena_copy(arena, bytes->data + *at, part.size);
    *at += part.size;
    return part;
}

static void take_all(struct cell_result *cell, const struct running *running, struct arena *arena) {
    const struct buffer *bytes = &running->bytes;
    struct head head = {0};
    size_t at = sizeof head;
    bool is_whole = bytes->size >= sizeof head;
    if (is_whole) memcpy(&head, bytes->data, sizeof head);
    is_whole = is_whole && bytes->size - at == head.json + head.output + head.error;
    if (!is_whole) {
        cell->status = STATUS_LIMIT;
        cell->problem = problem_of(running);
        return;
    }
    cell->status = (enum status)head.status;
    cell->json = take(bytes, &at, head.json, arena);
    cell->output = take(bytes, &at, head.output, arena);
    cell->error = take(bytes, &at, head.error, arena).data;
    assert(at == bytes->size);
}

/* Without a process: the limit on memory is that of the caller. */
static void run_here(struct cell_result *cell, enum command command,
                     const struct command_request *request, struct arena *arena) {
    struct memory_sink keeping;
    double seconds = request->verify.search.max_seconds;
    keeping_open(&keeping);
    if (seconds > 0) interrupt_after(seconds);
    cell->status = command_run(command, request, &keeping.sink);
    interrupt_take_time();
    const struct buffer *const all[] = {&keeping.json, &keeping.output, &keeping.error};
    struct str *const parts[] = {&cell->json, &cell->output, &(struct str){NULL, 0}};
    for (int i = 0; i < 3; i++)
        if (all[i]->size)
            *parts[i] = (struct str){arena_copy(arena, all[i]->data, all[i]->size), all[i]->size};
    cell->error = parts[2]->data;
    keeping_close(&keeping);
}

struct cell_result cell_run(enum command command, const struct command_request *request,
                            struct arena *arena) {
    struct cell_result cell = {.status = STATUS_LIMIT};
    struct running running = {.start = clock_seconds(),
                              .max_seconds = request->verify.search.max_seconds};
    if (start(&running, command, request)) {
        receive(&running);
        take_all(&cell, &running, arena);
    } else {
        run_here(&cell, command, request, arena);
    }
    buffer_close(&running.bytes);
    if (!cell.problem && !cell.json.data)
        cell.problem = cell.error ? cell.error : "there is no result";
    cell.seconds = clock_seconds() - running.start;
    return cell;
}
