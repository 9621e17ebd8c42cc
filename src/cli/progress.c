/* The thread that shows progress; where no thread can be had, who says something shows it. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE /* TIOCGWINSZ */

#include "cli/progress.h"

#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_SIZE = 256, STACK_SIZE = 1 << 18, QUIET_SECONDS = 30, MIN_WIDTH = 20 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    bool is_running, is_ending;
    bool is_alone; /* without the thread */
    bool is_terminal;
    atomic_bool is_shown;   /* a line stands on the terminal */
    int interval;           /* seconds between lines */
    double start, shown_at; /* shown_at: without the thread */
    double max_seconds;     /* a limit; 0 = none */
    char text[TEXT_SIZE];
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the line; with the lock held ---- */

static size_t terminal_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col) width = size.ws_col;
    return width >= MIN_WIDTH ? (size_t)width : width > 0 ? MIN_WIDTH : 80;
}

const char *progress_eraser(void) { return progress.is_shown ? "\r\033[K" : ""; }

static void erase(void) {
    fputs(progress_eraser(), stderr);
    progress.is_shown = false;
}

static void show(void) {
    char line[TEXT_SIZE + 64];
    int seconds = (int)(clock_seconds() - progress.start);
    if (progress.max_seconds > 0)
        snprintf(line, sizeof line, "%s, %d of at most %.0f s", progress.text, seconds,
                 progress.max_seconds);
    else
        snprintf(line, sizeof line, "%s, %d s", progress.text, seconds);
    if (!progress.is_terminal) {
        fprintf(stderr, "varabs: %s\n", line);
        return;
    }
    size_t width =
        terminal_width() - 1; /* in the last column some terminals go on to the next line */
    if (strlen(line) > width) line[width] = 0;
    progress.is_shown = true;
    fprintf(stderr, "\r%s\033[K", line);
}

/* ---- the thread ---- */

static void *run(void *unused) {
    struct timespec next;
    (void)unused;
    pthread_mutex_lock(&progress.lock);
    clock_gettime(CLOCK_MONOTONIC, &next);
    while (!progress.is_ending) {
        next.tv_sec += progress.interval;
        int woken = 0;
        while (!progress.is_ending && woken != ETIMEDOUT)
            woken = pthread_cond_timedwait(&progress.wake, &progress.lock, &next);
        if (!progress.is_ending) show();
    }
    erase();
    pthread_mutex_unlock(&progress.lock);
    return NULL;
}

/* Without signals, which are for the main thread. */
static bool start_thread(void) {
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&progress.wake, &clock);
    pthread_condattr_destroy(&clock);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&progress.thread, &attributes, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return is_started;
}

void progress_begin(const char *mode, double max_seconds) {
    assert(!progress.is_running);
    bool is_always = mode && !strcmp(mode, "always");
    if (mode && !strcmp(mode, "never")) return;
    progress.is_terminal = isatty(STDERR_FILENO);
    progress.interval = progress.is_terminal || is_always ? 1 : QUIET_SECONDS;
    progress.start = clock_seconds();
    progress.max_seconds = max_seconds;
    progress.is_ending = false;
    progress_say("reading the model");
    progress.is_running = start_thread();
    progress.is_alone = !progress.is_running;
    progress.shown_at = progress.start;
}

void progress_end(void) {
    if (progress.is_alone) erase();
    progress.is_alone = false;
    if (!progress.is_running) return;
    pthread_mutex_lock(&progress.lock);
    progress.is_ending = true;
    pthread_cond_signal(&progress.wake);
    pthread_mutex_unlock(&progress.lock);
    pthread_join(progress.thread, NULL);
    pthread_cond_destroy(&progress.wake);
    progress.is_running = false;
}

/* ---- what is said ---- */

/* With the lock held. */
static void show_alone(void) {
    double now = clock_seconds();
    if (!progress.is_alone || now < progress.shown_at + progress.interval) return;
    progress.shown_at = now;
    show();
}

void progress_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&progress.lock);
    vsnprintf(progress.text, sizeof progress.text, format, arguments);
    show_alone();
    pthread_mutex_unlock(&progress.lock);
    va_end(arguments);
}

void progress_search(void *context, const struct search_figures *figures) {
    if (figures->nodes) {
        progress_say("%s%ssets of states, %llu nodes, %llu MiB",
                     context ? (const char *)context : "", context ? ": " : "",
                     (unsigned long long)figures->nodes, (unsigned long long)(figures->size >> 20));
        return;
    }
    double rate = figures->seconds > 0 ? (double)figures->states / figures->seconds : 0;
    progress_say("%s%s%llu states, %.0f/s, %llu to expand, %llu MiB",
                 context ? (const char *)context : "", context ? ": " : "",
                 (unsigned long long)figures->states, rate, (unsigned long long)figures->queue,
                 (unsigned long long)(figures->size >> 20));
}

void progress_hold(void) {
    pthread_mutex_lock(&progress.lock);
    erase();
}

/* After progress_hold; what long work is at is shown again. */
void progress_release(void) { pthread_mutex_unlock(&progress.lock); }
