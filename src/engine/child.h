/* CHILD - processes that the proxy starts, without a shell: the engine, and varabs itself.
 *
 * Their standard input and output are pipes, whose other ends do not block. All other descriptors
 * of the proxy close when they start; directory and environment are those of the proxy.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct child_process {
    pid_t pid;        /* 0 once it was waited for, or was never started */
    int in, out, err; /* ends of pipes; -1 where there is none */
    int status;       /* as of waitpid, once pid is 0 */
};

/* has_err: standard error is a pipe, too. False with errno set if it cannot be started. */
bool child_start(struct child_process *child, char *const *argv, bool has_err);

/* Whether it has ended; takes its status then. Never waits. */
bool child_is_over(struct child_process *child);
/* Ends it now, waits for it, and closes the pipes. */
void child_kill(struct child_process *child);

/* Closes a pipe and forgets it. */
void child_close(int *fd);

/* The exit status that stands for that of a child: its own, or 128 and the signal. */
int child_exit_status(const struct child_process *child);

/* From now on writing where nobody reads is an error, and no signal; children have it as it was. */
void child_ignore_broken_pipes(void);
