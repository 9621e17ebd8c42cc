/* CAPTURE - a copy of the object that a stream is in.
 *
 * Lifetime: heap memory until capture_close; the bytes of an object until the next one begins.
 * Errors:   of an object that is too large, or where there is no memory, it is known that it was
 *           there and no more.
 */
#pragma once

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct scanner {
    size_t depth; /* of braces; 0 = between objects */
    bool is_string, is_escaped;
};

enum scanned { SCANNED_BETWEEN, SCANNED_BEGIN, SCANNED_INSIDE, SCANNED_END };

struct object_capture {
    struct scanner scanner;
    char *bytes;
    size_t size, capacity, most;
    bool is_lost;     /* of the object: its bytes */
    bool has_between; /* since the last object: bytes that are neither blank nor in one */
};

/* Takes bytes up to the end of an object; how many that are. *is_whole becomes whether an object
 * ends there. */
size_t capture_feed(struct object_capture *capture, struct str bytes, bool *is_whole);
void capture_close(struct object_capture *capture);

/* The object, whole; empty if it is lost. */
struct str capture_object(const struct object_capture *capture);
