/* MEMORY - how much of it the process may take, all in all.
 *
 * Who gets memory says so first, by arenas, heap_resize (arena.h) or here. What the process really
 * has is asked of the system now and then, the more often the nearer it is to the limit. A little
 * below, an interrupt asks whatever looks at interrupts to end with what is known; at the limit the
 * process ends as where there is no memory. What explores counts for itself, and ends before.
 *
 * Without memory_limit, where /proc is not there, and under sanitizers, which take memory of their
 * own, there is no such limit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MEMORY_LEAST = 1 << 26 }; /* for the program itself: no limit is lower */

/* Sets the limit, in bytes from what the process has now; 0 = most of what the machine has left.
 * Where there is much, what is freed is given back to the system late, as the next arena takes it.
 */
void memory_limit(size_t bytes);

/* So many bytes, at most, are going to be taken. Safe in every thread. */
void memory_take(size_t bytes);
/* Asks for large pages for memory that was taken and is not yet used, and for what the heap has
 * grown by: one large page costs the system far less than the small ones in its place. */
void memory_taken(void *memory, size_t bytes);

/* What an exploration may have of it, at least 1: a part is left for what it does not count, and to
 * tell what it has found. Without a limit, a part of what the machine has left. */
size_t memory_for_search(void);

/* How the process ends where there is no memory; the function does not return. Work for others is
 * done in a process of its own (api/apart.h). */
void memory_on_failure(void (*end)(void));
/* Ends it so. */
_Noreturn void memory_is_over(void);

/* Whether the limit is why memory is over. */
bool memory_is_limited(void);
