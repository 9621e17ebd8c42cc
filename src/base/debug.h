/* DEBUG - what only builds for developers do: dear checks, and a log of what is going on.
 *
 * Assertions stay on in every build, so they are cheap. What walks over a whole structure to see
 * that it is as its header promises is a function NAME_check, called as
 * DEBUG_CHECK(NAME_check(...)): it runs where VARABS_CHECKS is defined, as the modes debug and asan
 * of the Makefile do. DEBUG_LOG writes a line to standard error where VARABS_LOG is defined
 * (`make MODE=debug CPPFLAGS=-DVARABS_LOG`). Both are compiled everywhere, so that they stay right.
 */
#pragma once

#ifdef VARABS_CHECKS
enum { DEBUG_HAS_CHECKS = 1 };
#else
enum { DEBUG_HAS_CHECKS = 0 };
#endif
#ifdef VARABS_LOG
enum { DEBUG_HAS_LOG = 1 };
#else
enum { DEBUG_HAS_LOG = 0 };
#endif

#define DEBUG_CHECK(...)                                                                           \
    do {                                                                                           \
        if (DEBUG_HAS_CHECKS) __VA_ARGS__;                                                         \
    } while (0)

#define DEBUG_LOG(...)                                                                             \
    do {                                                                                           \
        if (DEBUG_HAS_LOG) debug_log(__FILE__, __LINE__, __VA_ARGS__);                             \
    } while (0)

/* "varabs: FILE:LINE: " and the text, as a line. */
void debug_log(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
