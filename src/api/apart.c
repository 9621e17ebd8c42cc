/* The two ends of the socket. */
#define _GNU_SOURCE /* NSIG, SOCK_CLOEXEC */

#include "api/apart.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WAIT_MILLISECONDS = 100,
    CALLER_MILLISECONDS = 500, /* between looks at whether the caller's process is there */
    STAGE_SIZE = 256,
    STACK_SIZE = 1 << 18
};
#define GRACE_SECONDS 5.0     /* from a cancel until the child is killed */
#define INTERVAL_SECONDS 0.19 /* between two calls that show progress */

/* How the child ends: others are those of a breakdown. */
enum { EXIT_FINE = 0, EXIT_NO_MEMORY = 5, EXIT_ALONE = 7, END_UNKNOWN = -1 };

/* The kinds of messages, whose bytes come after a head. */
enum { FRAME_STAGE = PART_COUNT, FRAME_FIGURES, FRAME_STATUS };
struct head {
    uint64_t kind, size;
};

/* ---- in the child ---- */

static struct {
    int socket;
    pid_t caller;
    pthread_mutex_t lock; /* of what is written */
} run = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void write_all(int socket, const char *bytes, size_t size) {
    while (size) {
        ssize_t count = send(socket, bytes, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(EXIT_ALONE);
        bytes += count;
        size -= (size_t)count;
    }
}

static void send_frame(uint64_t kind, const void *bytes, size_t size) {
    struct head head = {kind, size};
    assert(kind <= FRAME_STATUS && (bytes || !size));
    pthread_mutex_lock(&run.lock);
    write_all(run.socket, (const char *)&head, sizeof head);
    write_all(run.socket, bytes, size);
    pthread_mutex_unlock(&run.lock);
}

void run_leave(enum made_part part, const char *bytes, size_t size) {
    send_frame(part, bytes, size);
}

void run_say(const char *text) {
    size_t size = strlen(text);
    char stage[STAGE_SIZE] = "";
    if (size >= sizeof stage) size = sizeof stage - 1;
    memcpy(stage, text, size);
    send_frame(FRAME_STAGE, stage, size + 1);
}

void run_figures(void *context, const struct search_figures *figures) {
    if (context) run_say(context);
    send_frame(FRAME_FIGURES, figures, sizeof *figures);
}

/* A byte asks to end soon; the end of file comes when the caller is no more, unless processes that
 * it forked have its end of the socket, too. */
static void *listen_to_caller(void *unused) {
    struct pollfd wait = {.fd = run.socket, .events = POLLIN};
    char byte;
    (void)unused;
    for (;;) {
        poll(&wait, 1, CALLER_MILLISECONDS);
        if (getppid() != run.caller) _exit(EXIT_ALONE);
        ssize_t count = recv(run.socket, &byte, 1, MSG_DONTWAIT);
        if (count > 0) interrupt_ask();
        if (count == 0) _exit(EXIT_ALONE);
    }
}

static bool start_listening(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool is_started = pthread_create(&thread, &attributes, listen_to_caller, NULL) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
}

/* Handlers are the caller's business, and so is what Control-C means. */
static void forget_handlers(void) {
    sigset_t none;
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(number, number == SIGINT ? SIG_IGN : SIG_DFL);
    }
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static void end_without_memory(void) { _exit(EXIT_NO_MEMORY); }

static _Noreturn void be_child(int socket, pid_t caller, apart_work *work, const void *request,
                               size_t max_size) {
    run.socket = socket;
    run.caller = caller;
    if (socket < 0) _exit(EXIT_NO_MEMORY);
    forget_handlers();
    memory_on_failure(end_without_memory);
    memory_limit(max_size);
    if (!start_listening()) _exit(EXIT_NO_MEMORY);
    uint64_t status = work(request);
    send_frame(FRAME_STATUS, &status, sizeof status);
    _exit(EXIT_FINE);
}

/* ---- in the caller ---- */

struct child {
    pid_t process;
    int socket;
    struct made *made;
    const struct watch_run *watch;
    double start, shown, cancelled; /* by clock_seconds; 0 = not yet */
    char stage[STAGE_SIZE + 1];     /* ends with a NUL whatever comes */
    struct varabs_figures figures;
    bool is_done, lacks_memory, is_waited_for, is_late, is_overdue;
    uint64_t status;
    int end; /* as of waitpid, or END_UNKNOWN */
};

void made_close(struct made *made) {
    for (int i = 0; i < PART_COUNT; i++) free(made->parts[i]);
    *made = (struct made){.note = NULL};
}

static bool read_all(int socket, void *bytes, size_t size) {
    char *next = bytes;
    while (size) {
        ssize_t count = recv(socket, next, size, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        next += count;
        size -= (size_t)count;
    }
    return true;
}

static bool take_part(struct child *child, uint64_t part, size_t size) {
    struct made *made = child->made;
    if (part >= PART_COUNT || made->parts[part])
        return false; /* the child is not itself any more */
    made->parts[part] = malloc(size + 1);
    child->lacks_memory = !made->parts[part];
    if (child->lacks_memory || !read_all(child->socket, made->parts[part], size)) return false;
    made->parts[part][size] = 0;
    made->sizes[part] = size;
    return true;
}

static bool take_figures(struct child *child) {
    struct search_figures figures;
    if (!read_all(child->socket, &figures, sizeof figures)) return false;
    child->figures.states = figures.states;
    child->figures.queue = figures.queue;
    child->figures.nodes = figures.nodes;
    child->figures.bytes = figures.size;
    return true;
}

/* False if there is nothing more to read. */
static bool take_frame(struct child *child) {
    struct head head;
    if (!read_all(child->socket, &head, sizeof head)) return false;
    switch (head.kind) {
    case FRAME_STAGE:
        return head.size <= STAGE_SIZE && read_all(child->socket, child->stage, head.size);
    case FRAME_FIGURES: return take_figures(child);
    case FRAME_STATUS:
        child->is_done = read_all(child->socket, &child->status, sizeof child->status);
        return false;
    default: return take_part(child, head.kind, head.size);
    }
}

static void show(struct child *child, double now) {
    const struct watch_run *watch = child->watch;
    if (!watch->progress || now < child->shown + INTERVAL_SECONDS) return;
    child->shown = now;
    child->figures.stage = child->stage;
    child->figures.seconds = now - child->start;
    if (watch->progress(watch->context, &child->figures)) atomic_store(watch->is_cancelled, true);
}

/* Whether the child has ended; it is no process any more then. */
static bool has_ended(struct child *child, int options) {
    pid_t process;
    if (child->is_waited_for) return true;
    do process = waitpid(child->process, &child->end, options);
    while (process < 0 && errno == EINTR);
    child->is_waited_for = process != 0; /* if somebody else waited for it, too */
    if (process < 0) child->end = END_UNKNOWN;
    return child->is_waited_for;
}

static void kill_child(struct child *child) {
    assert(child->process > 0); /* others are groups of processes */
    if (!has_ended(child, WNOHANG)) kill(child->process, SIGKILL);
}

static void mind_cancel(struct child *child, double now) {
    if (!atomic_load(child->watch->is_cancelled)) return;
    if (child->cancelled <= 0) {
        child->cancelled = now;
        (void)!send(child->socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    } else if (now > child->cancelled + GRACE_SECONDS) {
        child->is_late = true;
        kill_child(child);
    }
}

/* Ends a child that does not look at its limit on time, as it waits for a model, say. */
static void mind_time(struct child *child, double now) {
    double limit = child->watch->max_seconds;
    if (limit <= 0 || now < child->start + limit + interrupt_grace(limit)) return;
    child->is_overdue = true;
    kill_child(child);
}

/* Other processes may have the child's end of the socket as well, so that its end of file is not
 * all that counts. */
static void listen_to_child(struct child *child) {
    struct pollfd wait = {.fd = child->socket, .events = POLLIN};
    bool goes_on = true;
    while (goes_on) {
        double now = clock_seconds();
        show(child, now);
        mind_cancel(child, now);
        mind_time(child, now);
        bool is_over = has_ended(child, WNOHANG);
        int count = poll(&wait, 1, is_over ? 0 : WAIT_MILLISECONDS);
        if (count > 0) goes_on = take_frame(child);
        if (count == 0) goes_on = !is_over;
    }
    if (!child->is_done) kill_child(child);
    close(child->socket);
    has_ended(child, 0);
}

/* Signals of a process that does what it must not; others come from elsewhere. */
static bool is_of_mistake(int number) {
    static const int mistakes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
    bool is = false;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) is |= mistakes[i] == number;
    return is;
}

/* The reason why a child did not say its status. */
static enum varabs_status judge(const struct child *child, const char **note) {
    bool is_known = child->end != END_UNKNOWN;
    assert(!child->is_done && child->is_waited_for);
    int number = is_known && WIFSIGNALED(child->end) ? WTERMSIG(child->end) : 0;
    if (child->is_overdue) {
        *note = "varabs: error: the time limit was reached before there was a result\n";
        return VARABS_LIMIT;
    }
    if (child->cancelled > 0 && (is_known ? number == SIGKILL : child->is_late)) {
        *note = "varabs: error: interrupted before there was a result\n";
        return VARABS_LIMIT;
    }
    if (child->lacks_memory || number == SIGKILL ||
        (is_known && WIFEXITED(child->end) && WEXITSTATUS(child->end) == EXIT_NO_MEMORY)) {
        *note = "varabs: error: out of memory, or past its limit\n";
        return VARABS_LIMIT;
    }
    if (number && !is_of_mistake(number)) {
        *note = "varabs: error: a signal ended the process of the run before there was a result\n";
        return VARABS_LIMIT;
    }
    if (!is_known) {
        *note =
            "varabs: error: the run broke down, by lack of memory or a mistake in varabs: which "
            "one is not known, as its process was waited for elsewhere, or SIGCHLD is ignored\n";
        return VARABS_DEFECT;
    }
    *note = "varabs: error: the run broke down by a mistake in varabs; please report it, with the "
            "model\n";
    return VARABS_DEFECT;
}

/* The caller's process forks, for runs and otherwise, one process at a time, and the socket of a
 * run is made and given away in between: so no process has a child's end of it but that child,
 * whose end is the end of file for the caller. The lock is taken amid those of others who mind
 * forks, always in the same order, and no process begins with the lock of a thread that it does not
 * have. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int
    *ends; /* the caller's and the child's, where this thread forks for a run */

static void before_fork(void) {
    pthread_mutex_lock(&forking);
    assert(!ends || (ends[0] < 0 && ends[1] < 0)); /* those of the fork before are taken over */
    if (ends && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) ends[0] = ends[1] = -1;
}

static void after_fork(int end_of_other) {
    if (ends) close(ends[end_of_other]);
    pthread_mutex_unlock(&forking);
}
static void in_caller(void) { after_fork(1); }
static void in_child(void) { after_fork(0); }

__attribute__((constructor)) static void mind_forks(void) {
    pthread_atfork(before_fork, in_caller, in_child);
}

/* Signals wait until the child has handlers of its own. */
static bool start(struct child *child, apart_work *work, const void *request) {
    int sockets[2] = {-1, -1};
    sigset_t all, before;
    pid_t caller = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ends = sockets;
    child->process = fork();
    ends = NULL;
    if (child->process == 0) be_child(sockets[1], caller, work, request, child->watch->max_size);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    child->socket = sockets[0];
    if (child->process >= 0 && child->socket >= 0) return true;
    if (child->process >= 0) has_ended(child, 0);
    if (child->socket >= 0) close(child->socket);
    return false;
}

enum varabs_status apart(struct made *made, apart_work *work, const void *request,
                         const struct watch_run *watch) {
    assert(!made->note && !made->parts[PART_MESSAGES] && !made->parts[PART_JSON]);
    struct child child = {.made = made, .watch = watch, .start = clock_seconds()};
    if (!start(&child, work, request)) {
        made->note = "varabs: error: a process for the run cannot be started\n";
        return VARABS_LIMIT;
    }
    listen_to_child(&child);
    atomic_store(watch->is_cancelled, false);
    if (child.is_done) return (enum varabs_status)child.status;
    made_close(made);
    return judge(&child, &made->note);
}
