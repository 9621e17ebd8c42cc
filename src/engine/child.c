#define _GNU_SOURCE /* pipe2 */

#include "engine/child.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool had_broken_pipes; /* that end a process */

void child_ignore_broken_pipes(void) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigemptyset(&ignore.sa_mask);
    if (sigaction(SIGPIPE, &ignore, &before) == 0) had_broken_pipes = before.sa_handler != SIG_IGN;
}

void child_close(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* Both ends close in children; the own one does not block. */
static bool pipe_new(int ends[2], int own) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    return fcntl(ends[own], F_SETFL, O_NONBLOCK) == 0;
}

static int spawn(struct child_process *child, char *const *argv, const int pipes[3][2],
                 bool has_err) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&defaults);
    if (had_broken_pipes) sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn_file_actions_adddup2(&actions, pipes[0][0], STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, pipes[1][1], STDOUT_FILENO);
    if (!error && has_err)
        error = posix_spawn_file_actions_adddup2(&actions, pipes[2][1], STDERR_FILENO);
    if (!error) error = posix_spawnp(&child->pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool child_start(struct child_process *child, char *const *argv, bool has_err) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, error = 0;
    *child = (struct child_process){.in = -1, .out = -1, .err = -1};
    bool has_pipes =
        pipe_new(pipes[0], 1) && pipe_new(pipes[1], 0) && (!has_err || pipe_new(pipes[2], 0));
    if (!has_pipes)
        error = errno;
    else
        error = spawn(child, argv, (const int(*)[2])pipes, has_err);
    child_close(&pipes[0][0]);
    child_close(&pipes[1][1]);
    child_close(&pipes[2][1]);
    child->in = pipes[0][1];
    child->out = pipes[1][0];
    child->err = pipes[2][0];
    if (!error) return true;
    child->pid = 0;
    child_kill(child);
    errno = error;
    return false;
}

bool child_is_over(struct child_process *child) {
    if (!child->pid) return true;
    pid_t found = waitpid(child->pid, &child->status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return false;
    assert(found == child->pid);
    child->pid = 0;
    return true;
}

void child_kill(struct child_process *child) {
    if (child->pid) kill(child->pid, SIGKILL);
    while (child->pid && waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR) {
    }
    child->pid = 0;
    child_close(&child->in);
    child_close(&child->out);
    child_close(&child->err);
}

int child_exit_status(const struct child_process *child) {
    assert(!child->pid);
    return WIFSIGNALED(child->status) ? 128 + WTERMSIG(child->status) : WEXITSTATUS(child->status);
}
