/* PROGRESS - what long work is at, on standard error.
 *
 * A thread of its own shows it, once a second has passed: on a terminal as a line that is written
 * anew each second and never wider than the terminal, elsewhere as a line every 30 seconds, or with
 * --progress always every second. It ends before results are printed.
 *
 * Invariants: one process, one progress; functions may be called from any thread, and do nothing
 *             where none was begun.
 */
#pragma once

#include "explore/space/search.h"

/* "auto" (also NULL), "always" or "never". The seconds are those after which a limit ends the work,
 * or 0. */
void progress_begin(const char *mode, double max_seconds);
/* Takes the line away. */
void progress_end(void);

/* What is done from now on, without the time. */
void progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* For search_options.progress: says how far the search is, after what the context says, a text or
 * NULL. */
void progress_search(void *context, const struct search_figures *figures);

/* For signal handlers: what takes the line away, if there is one; else "". */
const char *progress_eraser(void);

/* In between, something else may be printed. */
void progress_hold(void);
void progress_release(void);
