/* APART - does work in a process of its own, so that the caller's goes on whatever becomes of it.
 *
 * The child leaves parts of a result, and says what it is at; both go over a socket. It ends by
 * itself if the caller's process is no more. Where it has no memory left (base/arena.h), or is
 * killed, or breaks down, nothing is left but a note that says so.
 *
 * Lifetime: parts are plain heap memory of the caller, until made_close.
 * Errors:   are statuses.
 */
#pragma once

#include "api/varabs.h"

#include "command/sink.h"

#include <stdatomic.h>

/* Each part with a NUL after it; NULL where it was not left. */
struct made {
    char *parts[PART_COUNT];
    size_t sizes[PART_COUNT];
    const char *note; /* NULL, or why there is nothing else; static */
};
void made_close(struct made *made);

typedef enum varabs_status apart_work(const void *request);

struct watch_run {
    varabs_progress *progress; /* or NULL */
    void *context;
    atomic_bool *is_cancelled; /* looked at some times a second */
    double max_seconds;        /* 0 = no limit; the child looks at it, too */
    size_t max_size;           /* bytes of the child's memory; 0 = most of what there is */
};
enum varabs_status apart(struct made *made, apart_work *work, const void *request,
                         const struct watch_run *watch);

/* ---- in the child, which has one run ---- */

/* Each part at most once. */
void run_leave(enum made_part part, const char *bytes, size_t size);
/* Tells the stage that the run is at, in a few words. */
void run_say(const char *text);
/* For search_options; a context is what it is at, too. */
void run_figures(void *context, const struct search_figures *figures);
