/* See wake.h. */
#define _GNU_SOURCE /* pipe2 */

#include "engine/wake.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int write_end = -1;

static void on_signal(int number) {
    int error = errno;
    char byte = number == SIGCHLD ? 'c' : 'e';
    ssize_t written = write(write_end, &byte, 1);
    (void)written; /* a full pipe wakes as well */
    errno = error;
}

int wake_open(void) {
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

bool wake_take(int fd) {
    char bytes[64];
    bool ends = false;
    ssize_t size;
    while ((size = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < size; i++) ends |= bytes[i] == 'e';
    return ends;
}
