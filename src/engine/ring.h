/* RING - bytes on their way from one descriptor to another: a queue of fixed size.
 *
 * Invariants: bytes leave as they came; there are never more than RING_SIZE, so who reads waits for
 *             who writes.
 * Lifetime:   heap memory from ring_open to ring_close.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { RING_SIZE = 1 << 20 };

struct ring {
    char *bytes;
    size_t begin, size;
};

/* False without memory. */
bool ring_open(struct ring *ring);
void ring_close(struct ring *ring);

static inline size_t ring_room(const struct ring *ring) { return RING_SIZE - ring->size; }

/* There has to be room. */
void ring_add(struct ring *ring, const char *bytes, size_t size);

enum ring_write { RING_MOVED, RING_BLOCKED, RING_BROKEN };

/* Writes what the descriptor takes, at most so many bytes at once. */
enum ring_write ring_write(struct ring *ring, int fd, size_t most);
void ring_clear(struct ring *ring);
