/* Handlers of signals that end the program. */
#define _XOPEN_SOURCE 700

#include "cli/signals.h"

#include "base/diag.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/progress.h"
#include "xml/output.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static atomic_bool is_deferred;

static void write_text(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* a failure cannot be told anywhere */
}

static void end_at_once(const char *why) {
    file_abandon();
    write_text(progress_eraser());
    write_text("varabs: error: ");
    write_text(why);
    write_text(" before there was a result\n");
    _exit(STATUS_LIMIT);
}

static void end_without_memory(void) {
    end_at_once(memory_is_limited() ? "the limit on memory (--max-memory) was reached"
                                    : "out of memory");
}

/* `timeout` sends each signal to the process and to its group: two at a time are one. */
#define SAME_SECONDS 0.3

static void on_signal(int number) {
    int error = errno;
    if (!atomic_load(&is_deferred) || interrupt_is_waiting()) {
        end_at_once("interrupted");
    } else if (interrupt_is_over(SAME_SECONDS)) {
        file_abandon();
        write_text(progress_eraser());
        signal(number, SIG_DFL);
        raise(number); /* delivered on return */
    } else {
        interrupt_ask();
    }
    errno = error;
}

/* A signal that is ignored stays ignored. */
void signals_catch(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    memory_on_failure(end_without_memory);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

void signals_defer(void) { atomic_store(&is_deferred, true); }

static struct itimerval grace; /* after the limit on time */
static atomic_bool is_grace;

static void on_time(int number) {
    int error = errno;
    (void)number;
    if (atomic_exchange(&is_grace, true) || interrupt_is_waiting())
        end_at_once("the time limit was reached");
    setitimer(ITIMER_REAL, &grace, NULL);
    errno = error;
}

static struct itimerval after(double seconds) {
    struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    return timer;
}

void signals_end_after(double seconds) {
    const double most = 1e7; /* seconds; some months are for ever */
    if (seconds > most) return;
    struct sigaction action = {.sa_handler = on_time, .sa_flags = SA_RESTART};
    struct itimerval limit = after(seconds + 0.001);
    sigemptyset(&action.sa_mask);
    grace = after(interrupt_grace(seconds));
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &limit, NULL);
}

void signals_end_no_more(void) {
    const struct itimerval never = {0};
    setitimer(ITIMER_REAL, &never, NULL);
}
