/* Handlers of signals that end the program. */
#define _XOPEN_SOURCE 700

#include "cli/signals.h"

#include "base/diag.h"
#include "base/interrupt.h"
#include "cli/progress.h"
#include "xml/output.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static atomic_bool is_deferred;

static void write_text(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* a failure cannot be told anywhere */
}

static void end_at_once(void) {
    write_text(progress_eraser());
    write_text("varabs: error: interrupted before there was a result\n");
    _exit(STATUS_LIMIT);
}

/* `timeout` sends each signal to the process and to its group: two at a time are one. */
#define SAME_SECONDS 0.3

static void on_signal(int number) {
    int error = errno;
    if (!atomic_load(&is_deferred)) {
        file_abandon();
        end_at_once();
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
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

void signals_defer(void) { atomic_store(&is_deferred, true); }
