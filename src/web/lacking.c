/* What the C library for browsers lacks, or has wrong. */
#include <errno.h>
#include <spawn.h>
#include <sys/stat.h>

/* There are no other processes. */
int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[],
                 char *const environment[]) {
    (void)pid, (void)file, (void)actions, (void)attributes, (void)arguments, (void)environment;
    return ENOSYS;
}

/* Its own has all bits, so that nobody may read new files. */
mode_t umask(mode_t mask) {
    (void)mask;
    return S_IWGRP | S_IWOTH;
}
