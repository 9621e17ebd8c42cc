#define _XOPEN_SOURCE 700

#include "xml/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the temporary file and signals ---- */

/* Signals that end the program; a temporary file is removed first. */
static const int endings[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT};

enum { ENDING_COUNT = sizeof endings / sizeof endings[0] };

static char *volatile temporary; /* name of the file to remove, or NULL */
static struct sigaction actions_before[ENDING_COUNT], size_action_before;

void file_abandon(void) {
    if (temporary) unlink(temporary);
}

static void on_ending(int signal_number) {
    int number = errno;
    file_abandon();
    for (size_t i = 0; i < ENDING_COUNT; i++)
        if (endings[i] == signal_number) sigaction(signal_number, &actions_before[i], NULL);
    raise(signal_number);
    errno = number;
}

static void guard_begin(char *name) {
    temporary = name;
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        struct sigaction action = {.sa_handler = on_ending};
        sigemptyset(&action.sa_mask);
        sigaction(endings[i], NULL, &actions_before[i]);
        if (actions_before[i].sa_handler == SIG_DFL) sigaction(endings[i], &action, NULL);
    }
    struct sigaction ignore = {.sa_handler = SIG_IGN}; /* a write that is too long then fails */
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGXFSZ, &ignore, &size_action_before);
}

static void guard_end(void) {
    int number = errno;
    temporary = NULL;
    for (size_t i = 0; i < ENDING_COUNT; i++) sigaction(endings[i], &actions_before[i], NULL);
    sigaction(SIGXFSZ, &size_action_before, NULL);
    errno = number;
}

/* ---- writing ---- */

/* A full disk is a limit; everything else is about the name. */
static bool fail(struct diag *diag, const char *path, int number) {
    bool is_full = number == ENOSPC || number == EDQUOT || number == EFBIG || number == EIO;
    return diag_error(diag, is_full ? STATUS_LIMIT : STATUS_USAGE, 0, "cannot write '%s': %s", path,
                      strerror(number));
}

/* False with errno set. */
static bool write_all(FILE *file, struct str bytes) {
    errno = 0;
    bool is_written = fwrite(bytes.data, 1, bytes.size, file) == bytes.size && !fflush(file);
    if (!is_written && !errno) errno = EIO;
    return is_written;
}

static bool write_and_close(FILE *file, struct str bytes) {
    bool is_written = write_all(file, bytes);
    int number = errno;
    if (fclose(file) == 0) {
        errno = number;
        return is_written;
    }
    if (!is_written) errno = number;
    return false;
}

/* The permissions that fopen would give a new file. */
static mode_t default_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Writes the temporary file and gives it its name; false with errno set, and nothing left. */
static bool replace_file(char *name, const char *target, mode_t mode, struct str bytes) {
    int descriptor = mkstemp(name);
    if (descriptor < 0) return false;
    FILE *file = fchmod(descriptor, mode) == 0 ? fdopen(descriptor, "wb") : NULL;
    bool is_written = false;
    int number = errno;
    if (file)
        is_written = write_and_close(file, bytes), number = errno;
    else
        close(descriptor);
    if (is_written) {
        if (rename(name, target) == 0) return true;
        number = errno;
    }
    unlink(name);
    errno = number;
    return false;
}

/* "out.xml" in the directory of target becomes ".out.xml.XXXXXX" there. */
static char *temporary_name(const char *target) {
    const char *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    size_t size = strlen(target) + sizeof "..XXXXXX";
    char *name = heap_resize(NULL, size, 1);
    int shown_size = strlen(base) > NAME_MAX - 16 ? NAME_MAX - 16 : (int)strlen(base);
    snprintf(name, size, "%.*s.%.*s.XXXXXX", (int)(base - target), target, shown_size, base);
    return name;
}

/* What a link that leads nowhere yet names; the path itself if it is none. */
static const char *follow_links(const char *path, struct arena *arena) {
    enum { MOST_LINKS = 40 };
    char target[PATH_MAX];
    ssize_t size;
    for (int i = 0; i < MOST_LINKS && (size = readlink(path, target, sizeof target)) > 0; i++) {
        const char *slash = strrchr(path, '/');
        int folder = *target != '/' && slash ? (int)(slash + 1 - path) : 0;
        path = arena_printf(arena, "%.*s%.*s", folder, path, (int)size, target);
    }
    return path;
}

bool file_write(const char *path, struct str bytes, struct diag *diag) {
    if (!strcmp(path, "-")) {
        return write_all(stdout, bytes) || fail(diag, "standard output", errno);
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && access(path, W_OK) != 0) return fail(diag, path, errno);
    if (exists && S_ISDIR(status.st_mode)) return fail(diag, path, EISDIR);
    if (exists && !S_ISREG(status.st_mode)) { /* a device or pipe: nothing to rename */
        FILE *file = fopen(path, "wb");
        return (file && write_and_close(file, bytes)) || fail(diag, path, errno);
    }
    if (!exists && errno != ENOENT) return fail(diag, path, errno);
    /* Links stay links. */
    char *target = exists ? realpath(path, NULL) : strdup(follow_links(path, diag->arena));
    if (!target) return fail(diag, path, errno);
    char *name = temporary_name(target);
    guard_begin(name);
    bool is_written =
        replace_file(name, target, exists ? status.st_mode & 07777 : default_mode(), bytes);
    guard_end();
    int number = errno;
    free(name);
    free(target);
    return is_written || fail(diag, path, number);
}

/* ---- before writing ---- */

/* The directory of a path, on the heap; its last part begins at *base. */
static char *directory_of(const char *path, const char **base) {
    const char *slash = strrchr(path, '/');
    *base = slash ? slash + 1 : path;
    size_t size = slash ? (size_t)(*base - path) : 1;
    char *directory = heap_resize(NULL, size + 1, 1);
    memcpy(directory, slash ? path : ".", size);
    directory[size] = 0;
    return directory;
}

/* Whether a file of that name can be made in its directory. */
static bool try_directory(const char *path, const char *shown, struct diag *diag) {
    const char *base;
    char *directory = directory_of(path, &base);
    bool is_open = access(directory, W_OK | X_OK) == 0;
    int number = errno;
    if (!is_open && number == ENOENT)
        diag_error(diag, STATUS_USAGE, 0, "cannot write '%s': there is no directory '%s'", shown,
                   directory);
    free(directory);
    if (is_open) return *base || fail(diag, shown, *path ? EISDIR : ENOENT);
    return number != ENOENT && fail(diag, shown, number);
}

bool file_can_write(const char *path, struct diag *diag) {
    struct stat status;
    if (!strcmp(path, "-")) return true;
    if (stat(path, &status) != 0)
        return errno == ENOENT ? try_directory(follow_links(path, diag->arena), path, diag)
                               : fail(diag, path, errno);
    if (S_ISDIR(status.st_mode)) return fail(diag, path, EISDIR);
    if (access(path, W_OK) != 0) return fail(diag, path, errno);
    if (!S_ISREG(status.st_mode)) return true;
    char *target = realpath(path, NULL); /* it is replaced where it is */
    if (!target) return fail(diag, path, errno);
    bool ok = try_directory(target, path, diag);
    free(target);
    return ok;
}

bool file_is_device(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool file_place_of(struct file_place *place, const char *path, struct arena *arena) {
    struct stat status;
    const char *base = "";
    if (stat(path, &status) != 0) {
        char *directory = directory_of(follow_links(path, arena), &base);
        bool is_there = stat(directory, &status) == 0;
        free(directory);
        if (!is_there) return false;
    }
    *place = (struct file_place){(uint64_t)status.st_dev, (uint64_t)status.st_ino, base};
    return true;
}

int file_place_compare(const struct file_place *left, const struct file_place *right) {
    if (left->device != right->device) return left->device < right->device ? -1 : 1;
    if (left->inode != right->inode) return left->inode < right->inode ? -1 : 1;
    return strcmp(left->name, right->name);
}

const char *file_beside(struct arena *arena, const char *input, const char *ending) {
    size_t size = strlen(input);
    if (size > 4 && !strcmp(input + size - 4, ".xml")) size -= 4;
    return arena_printf(arena, "%.*s%s", (int)size, input, ending);
}
