#define _POSIX_C_SOURCE 200809L

#include "engine/ring.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ring_open(struct ring *ring) {
    *ring = (struct ring){.bytes = malloc(RING_SIZE)};
    return ring->bytes != NULL;
}

void ring_close(struct ring *ring) {
    free(ring->bytes);
    *ring = (struct ring){0};
}

void ring_add(struct ring *ring, const char *bytes, size_t size) {
    assert(size <= ring_room(ring));
    size_t end = (ring->begin + ring->size) % RING_SIZE, first = RING_SIZE - end;
    if (first > size) first = size;
    memcpy(ring->bytes + end, bytes, first);
    memcpy(ring->bytes, bytes + first, size - first);
    ring->size += size;
}

enum ring_write ring_write(struct ring *ring, int fd, size_t most) {
    size_t size = RING_SIZE - ring->begin;
    if (size > ring->size) size = ring->size;
    if (size > most) size = most;
    assert(size);
    ssize_t written = write(fd, ring->bytes + ring->begin, size);
    if (written < 0) {
        bool is_later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        return is_later ? RING_BLOCKED : RING_BROKEN;
    }
    ring->begin = (ring->begin + (size_t)written) % RING_SIZE;
    ring->size -= (size_t)written;
    return RING_MOVED;
}

void ring_clear(struct ring *ring) { ring->begin = ring->size = 0; }
