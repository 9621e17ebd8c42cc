/* FAIL - preloaded into the program under test: the call number FAIL_AT of a group of functions
 * fails, and, with FAIL_ON, every later one.
 *
 * FAIL_GROUP: memory (malloc, calloc, realloc), pages (mmap, mprotect), open (fopen, fdopen,
 * open_memstream, realpath, socketpair, fork), write (fwrite and fflush other than to standard
 * error, mkstemp, rename, fclose), thread (pthread_create). Calls are counted from 1; FAIL_AT past
 * the last one changes nothing. With FAIL_COUNT=FILE the number of calls is written
 * there at the end. Calls of processes that the program forks count, too. With FAIL_ONLY=NAME nothing
 * is done in programs of other names.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_long own_calls, *calls = &own_calls; /* then in memory that children share */
static long fail_at;
static int group, fails_on, is_ready; /* group: first letter */

#define REAL(name) static __typeof__(&name) real_##name
REAL(mmap);
REAL(mprotect);
REAL(fopen);
REAL(fdopen);
REAL(open_memstream);
REAL(realpath);
REAL(socketpair);
REAL(fork);
REAL(fwrite);
REAL(fflush);
REAL(rename);
REAL(mkstemp);
REAL(fclose);
REAL(pthread_create);

__attribute__((constructor)) static void start(void) {
#define FIND(name) real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
    FIND(mmap);
    FIND(mprotect);
    FIND(fopen);
    FIND(fdopen);
    FIND(open_memstream);
    FIND(realpath);
    FIND(socketpair);
    FIND(fork);
    FIND(fwrite);
    FIND(fflush);
    FIND(rename);
    FIND(mkstemp);
    FIND(fclose);
    FIND(pthread_create);
    const char *only = getenv("FAIL_ONLY");
    if (only && strcmp(only, program_invocation_short_name) != 0) return;
    void *shared =
        real_mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) calls = shared;
    const char *text = getenv("FAIL_GROUP"), *at = getenv("FAIL_AT");
    group = text ? text[0] : 0;
    fail_at = at ? atol(at) : 0;
    fails_on = getenv("FAIL_ON") != NULL;
    is_ready = 1;
}

__attribute__((destructor)) static void finish(void) {
    const char *path = getenv("FAIL_COUNT");
    if (!path || !is_ready) return;
    is_ready = 0;
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(calls));
    fclose(file);
}

static int fails(int letter) {
    if (!is_ready || letter != group) return 0;
    long call = atomic_fetch_add(calls, 1) + 1;
    return fail_at && (call == fail_at || (fails_on && call > fail_at));
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static void *no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size) { return fails('m') ? no_memory() : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
    return fails('m') ? no_memory() : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
    return fails('m') ? no_memory() : __libc_realloc(memory, size);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails('p')) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real_mmap(address, size, protection, flags, file, offset);
}
int mprotect(void *address, size_t size, int protection) {
    if (!fails('p')) return real_mprotect(address, size, protection);
    errno = ENOMEM;
    return -1;
}

static void *no_descriptor(void) {
    errno = EMFILE;
    return NULL;
}

FILE *fopen(const char *path, const char *mode) {
    return fails('o') ? no_descriptor() : real_fopen(path, mode);
}
FILE *fdopen(int descriptor, const char *mode) {
    return fails('o') ? no_descriptor() : real_fdopen(descriptor, mode);
}
FILE *open_memstream(char **bytes, size_t *size) {
    return fails('o') ? no_memory() : real_open_memstream(bytes, size);
}
char *realpath(const char *path, char *resolved) {
    return fails('o') ? no_memory() : real_realpath(path, resolved);
}
int socketpair(int domain, int type, int protocol, int sockets[2]) {
    if (!fails('o')) return real_socketpair(domain, type, protocol, sockets);
    no_descriptor();
    return -1;
}
pid_t fork(void) {
    if (!fails('o')) return real_fork();
    errno = EAGAIN;
    return -1;
}

static int no_space(void) {
    errno = ENOSPC;
    return -1;
}

/* As ferror sees it, too. */
static int fails_to_write(FILE *file) {
    if (file == stderr || !fails('w')) return 0;
    if (file) file->_flags |= 0x20; /* _IO_ERR_SEEN */
    return no_space();
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
    return fails_to_write(file) ? 0 : real_fwrite(data, size, count, file);
}
int fflush(FILE *file) { return fails_to_write(file) ? EOF : real_fflush(file); }
int rename(const char *from, const char *to) {
    return fails('w') ? no_space() : real_rename(from, to);
}
int mkstemp(char *name) { return fails('w') ? no_space() : real_mkstemp(name); }
int fclose(FILE *file) {
    if (!fails('w')) return real_fclose(file);
    real_fclose(file);
    return no_space();
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
    return fails('t') ? EAGAIN : real_pthread_create(thread, attributes, run, argument);
}
