/* PAGES - memory of large blocks, from the system itself.
 *
 * It is zero, and taken as it is touched. Address space may be reserved, so that a block grows in
 * its place; where a system has no address space apart from memory, a block that grows moves.
 *
 * Errors: NULL if the system has none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* is_huge: in large pages, if the system has such; for what is going to be touched as a whole. */
void *pages_take(size_t size, bool is_huge);
/* What was taken or reserved, with the same size; NULL is fine. */
void pages_give(void *memory, size_t size);

/* Address space in which nothing may be touched yet; in large pages. */
void *pages_reserve(size_t size);
/* The first size bytes of what was reserved, from now on to be used: where they are, perhaps
 * elsewhere than before. The first used bytes are as they were, the others 0. NULL: nothing has
 * changed. */
void *pages_open(void *reserved, size_t used, size_t size);

/* Asks for large pages for memory of the heap, if the system has such and it is large: what is looked
 * up all over it is found sooner, and the system gives it in fewer steps. */
void pages_ask(void *memory, size_t size);
