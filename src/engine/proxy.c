#define _GNU_SOURCE /* pipe2 */

#include "engine/proxy.h"

#include "base/clock.h"
#include "base/diag.h"
#include "engine/child.h"
#include "engine/observer.h"
#include "engine/record.h"
#include "engine/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- signals ---- */

/* Signals as something to read, so that the proxy waits for them like for everything else. */

static int write_end = -1;

static void on_signal(int number) {
    int error = errno;
    char byte = number == SIGCHLD ? 'c' : 'e';
    ssize_t written = write(write_end, &byte, 1);
    (void)written; /* a full pipe wakes as well */
    errno = error;
}

/* From now on a child that ends, SIGTERM, SIGHUP and SIGINT make the descriptor readable; those
 * that are ignored stay ignored. -1 with errno set if it cannot be made. */
static int wake_open(void) {
    static const int numbers[] = {SIGCHLD, SIGTERM, SIGHUP, SIGINT};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    write_end = ends[1];
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bool is_known = sigaction(numbers[i], NULL, &before) == 0;
        if (is_known && (numbers[i] == SIGCHLD || before.sa_handler != SIG_IGN))
            sigaction(numbers[i], &action, NULL);
    }
    return ends[0];
}

/* Takes what is to be read. Whether one of the signals that end the program was among it. */
static bool wake_take(int fd) {
    char bytes[64];
    bool ends = false;
    ssize_t size;
    while ((size = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < size; i++) ends |= bytes[i] == 'e';
    return ends;
}

enum {
    CHUNK_SIZE = 64 * 1024, /* at most, of one read */
    SILENT_SECONDS = 5,     /* that the engine has to end, after the end of its input */
    TERM_SECONDS = 2,       /* likewise, after SIGTERM */
    REST_SECONDS = 1,       /* for what others still write when the engine has ended */
    NOT_FOUND = 127
};

/* How far the engine is on its way to the end. */
enum ending { GOES_ON, INPUT_ENDS, TERMINATED, KILLED };

struct proxy {
    const struct engine_arguments *arguments;
    struct child_process engine;
    bool engine_is_over;
    struct ring to_engine, to_gui;
    int gui_in, gui_out, wake; /* -1 once it is closed */
    enum ending ending;
    bool is_hurried; /* a signal has asked for the end: nothing gets more time */
    double due;      /* of the next stage, by the clock; 0 = never */
    struct recording record;
    struct engine_observer observer;
    char chunk[CHUNK_SIZE];
};

static bool observes(const struct proxy *proxy) { return proxy->arguments->mode != ENGINE_PASSES; }

/* ---- the end ---- */

static void go_to(struct proxy *proxy, enum ending ending) {
    if (ending <= proxy->ending) return;
    proxy->ending = ending;
    if (proxy->engine_is_over) return;
    if (ending == TERMINATED) kill(proxy->engine.pid, SIGTERM);
    if (ending == KILLED) kill(proxy->engine.pid, SIGKILL);
    proxy->due = clock_seconds() + (ending == INPUT_ENDS ? SILENT_SECONDS : TERM_SECONDS);
}

/* The GUI says no more. */
static void end_input(struct proxy *proxy) {
    observer_end(&proxy->observer, &proxy->to_engine);
    child_close(&proxy->gui_in);
    go_to(proxy, INPUT_ENDS);
}

/* The GUI is gone, and nobody reads what the engine says. */
static void lose_gui(struct proxy *proxy) {
    end_input(proxy);
    child_close(&proxy->gui_out);
    ring_clear(&proxy->to_gui);
    go_to(proxy, TERMINATED);
}

/* The engine reads no more: the GUI has to see that. */
static void lose_input(struct proxy *proxy) {
    observer_end(&proxy->observer, &proxy->to_engine);
    child_close(&proxy->engine.in);
    child_close(&proxy->gui_in);
    ring_clear(&proxy->to_engine);
}

static void look_after_engine(struct proxy *proxy) {
    if (proxy->engine_is_over || !child_is_over(&proxy->engine)) return;
    proxy->engine_is_over = true;
    proxy->due = clock_seconds() + REST_SECONDS;
    lose_input(proxy);
}

/* What is due, is done. */
static void look_at_clock(struct proxy *proxy) {
    if (proxy->due <= 0 || clock_seconds() < proxy->due) return;
    proxy->due = 0;
    if (!proxy->engine_is_over)
        go_to(proxy, proxy->ending == INPUT_ENDS ? TERMINATED : KILLED);
    else
        child_close(&proxy->engine.out);
    if (proxy->engine_is_over && proxy->is_hurried) ring_clear(&proxy->to_gui);
}

/* Something has moved: an engine that still speaks has its time again. */
static void note_progress(struct proxy *proxy) {
    if (proxy->is_hurried) return;
    if (proxy->engine_is_over)
        proxy->due = clock_seconds() + REST_SECONDS;
    else if (proxy->ending == INPUT_ENDS)
        proxy->due = clock_seconds() + SILENT_SECONDS;
}

/* ---- the pumps ---- */

/* Reads once. The number of bytes, 0 at the end of the file or after an error, -1 if there are
 * none yet. */
static ssize_t read_some(struct proxy *proxy, int fd, enum direction direction) {
    ssize_t size = read(fd, proxy->chunk, CHUNK_SIZE);
    if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : 0;
    record_bytes(&proxy->record, direction, proxy->chunk, (size_t)size);
    if (size) note_progress(proxy);
    return size;
}

static void read_gui(struct proxy *proxy) {
    ssize_t size = read_some(proxy, proxy->gui_in, FROM_GUI);
    if (size == 0) end_input(proxy);
    if (size <= 0 || proxy->engine.in < 0) return;
    if (observes(proxy))
        observer_gui(&proxy->observer, (struct str){proxy->chunk, (size_t)size}, &proxy->to_engine);
    else
        ring_add(&proxy->to_engine, proxy->chunk, (size_t)size);
}

static void read_engine(struct proxy *proxy) {
    ssize_t size = read_some(proxy, proxy->engine.out, FROM_ENGINE);
    if (size == 0) child_close(&proxy->engine.out);
    if (size <= 0 || proxy->gui_out < 0) return;
    ring_add(&proxy->to_gui, proxy->chunk, (size_t)size);
    if (observes(proxy))
        observer_engine(&proxy->observer, (struct str){proxy->chunk, (size_t)size});
}

static void read_error(struct proxy *proxy) {
    ssize_t size = read_some(proxy, proxy->engine.err, FROM_ENGINE_ERROR);
    if (size == 0) child_close(&proxy->engine.err);
    for (ssize_t at = 0; at < size;) {
        ssize_t written = write(STDERR_FILENO, proxy->chunk + at, (size_t)(size - at));
        if (written < 0 && errno != EINTR) return;
        if (written > 0) at += written;
    }
}

static void write_engine(struct proxy *proxy) {
    enum ring_write moved = ring_write(&proxy->to_engine, proxy->engine.in, RING_SIZE);
    if (moved == RING_BROKEN) lose_input(proxy);
    if (moved == RING_MOVED) note_progress(proxy);
}

/* The descriptor may be shared with others and blocks: as many bytes go through as a pipe that is
 * ready takes at least. */
static void write_gui(struct proxy *proxy) {
    if (ring_write(&proxy->to_gui, proxy->gui_out, PIPE_BUF) == RING_BROKEN) lose_gui(proxy);
}

/* Ends of pipes that have nothing to do any more. */
static void close_ends(struct proxy *proxy) {
    if (proxy->gui_in < 0 && !proxy->to_engine.size) child_close(&proxy->engine.in);
    if (proxy->engine.out < 0 && !proxy->to_gui.size) child_close(&proxy->gui_out);
}

/* ---- waiting ---- */

enum {
    GUI_IN,
    GUI_OUT,
    ENGINE_IN,
    ENGINE_OUT,
    ENGINE_ERR,
    WAKE,
    DECIDER,
    POLL_COUNT = DECIDER + DECIDER_FDS
};

static struct pollfd to_read(int fd, bool has_room) {
    return (struct pollfd){.fd = has_room ? fd : -1, .events = POLLIN};
}

/* That nobody reads any more is seen in any case. */
static struct pollfd to_write(int fd, const struct ring *ring) {
    return (struct pollfd){.fd = fd, .events = ring->size ? POLLOUT : 0};
}

static int patience(const struct proxy *proxy) {
    double due = observer_due(&proxy->observer);
    if (due <= 0 || (proxy->due > 0 && proxy->due < due)) due = proxy->due;
    double left = due > 0 ? due - clock_seconds() : 3600;
    return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

static void wait(struct proxy *proxy) {
    struct pollfd fds[POLL_COUNT] = {
        [GUI_IN] = to_read(proxy->gui_in, ring_room(&proxy->to_engine) >= CHUNK_SIZE + HELD_MOST),
        [GUI_OUT] = to_write(proxy->gui_out, &proxy->to_gui),
        [ENGINE_IN] = to_write(proxy->engine.in, &proxy->to_engine),
        [ENGINE_OUT] = to_read(proxy->engine.out, ring_room(&proxy->to_gui) >= CHUNK_SIZE),
        [ENGINE_ERR] = to_read(proxy->engine.err, true),
        [WAKE] = to_read(proxy->wake, true)};
    decider_fds(&proxy->observer.decider, fds + DECIDER);
    if (poll(fds, POLL_COUNT, patience(proxy)) < 0) return; /* by a signal, which wakes */
    if (fds[WAKE].revents && wake_take(proxy->wake)) {
        proxy->is_hurried = true;
        end_input(proxy);
    }
    if (fds[GUI_OUT].revents & POLLOUT)
        write_gui(proxy);
    else if (fds[GUI_OUT].revents)
        lose_gui(proxy);
    if (fds[ENGINE_IN].revents & POLLOUT)
        write_engine(proxy);
    else if (fds[ENGINE_IN].revents)
        lose_input(proxy);
    if (fds[ENGINE_ERR].revents && proxy->engine.err >= 0) read_error(proxy);
    if (fds[ENGINE_OUT].revents && proxy->engine.out >= 0) read_engine(proxy);
    if (fds[GUI_IN].revents && proxy->gui_in >= 0) read_gui(proxy);
    observer_step(&proxy->observer, fds + DECIDER, &proxy->to_engine, &proxy->to_gui);
}

static void pump(struct proxy *proxy) {
    while (!proxy->engine_is_over || proxy->engine.out >= 0 || proxy->to_gui.size) {
        wait(proxy);
        look_after_engine(proxy);
        look_at_clock(proxy);
        close_ends(proxy);
    }
}

/* ---- all of it ---- */

static int say(const char *what, const char *name) {
    int error = errno;
    fprintf(stderr, "varabs engine: error: %s '", what);
    print_visible(stderr, name);
    fprintf(stderr, "': %s\n", strerror(error));
    return STATUS_LIMIT;
}

static int run(struct proxy *proxy) {
    const struct engine_arguments *arguments = proxy->arguments;
    if (arguments->record && !record_open(&proxy->record, arguments->record, arguments->redacts)) {
        say("cannot make the file", arguments->record);
        return STATUS_USAGE;
    }
    if (!observer_open(&proxy->observer, arguments)) {
        say("cannot write the log", arguments->log);
        return STATUS_USAGE;
    }
    child_ignore_broken_pipes();
    proxy->wake = wake_open();
    if (proxy->wake < 0 || !ring_open(&proxy->to_engine) || !ring_open(&proxy->to_gui))
        return say("no memory or descriptors for", "the connection");
    if (!child_start(&proxy->engine, arguments->command, arguments->record != NULL)) {
        say("cannot start the engine", arguments->command[0]);
        return NOT_FOUND;
    }
    pump(proxy);
    return child_exit_status(&proxy->engine);
}

/* Pipes must not become what others take for the standard ones. */
static bool has_standard_descriptors(void) {
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) return false;
    return true;
}

int proxy_run(const struct engine_arguments *arguments) {
    struct proxy *proxy = calloc(1, sizeof *proxy);
    if (!proxy || !has_standard_descriptors()) {
        say("no memory or descriptors for", "the connection");
        free(proxy);
        return STATUS_LIMIT;
    }
    *proxy = (struct proxy){.arguments = arguments,
                            .gui_in = STDIN_FILENO,
                            .gui_out = STDOUT_FILENO,
                            .wake = -1,
                            .engine = {.in = -1, .out = -1, .err = -1}};
    int status = run(proxy);
    child_kill(&proxy->engine);
    if (!observer_close(&proxy->observer)) say("not all is written to", arguments->log);
    if (!record_close(&proxy->record)) say("not all is recorded in", arguments->record);
    ring_close(&proxy->to_engine);
    ring_close(&proxy->to_gui);
    free(proxy);
    return status;
}
