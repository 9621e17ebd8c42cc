/* RECORD - what goes over the connection, as lines of JSON in a file of its own:
 *
 *     {"t":1200,"dir":"g","bytes":"{\"cmd\":..."}
 *
 * t: milliseconds from the beginning; dir: g from the GUI, e from the engine, err from the engine's
 * standard error; bytes: each as one character, broken where reads broke.
 *
 * Redacted: in strings each letter and each byte that is not ASCII is an x, and digits are 0, but
 * for the names of members and the values of cmd, res and status. Numbers and everything else in
 * objects stays; between objects, and on standard error, it is as in strings. Sizes stay.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum direction { FROM_GUI, FROM_ENGINE, FROM_ENGINE_ERROR, DIRECTION_COUNT };

enum { REDACT_DEPTH = 64, REDACT_KEY = 16 };

/* Where in an object a direction is. */
struct redacting {
    unsigned depth;
    bool is_object[REDACT_DEPTH + 1]; /* by depth; else an array */
    bool is_string, is_escaped, is_key, awaits_key, keeps;
    char key[REDACT_KEY]; /* the last one */
    size_t key_size;
};

struct recording {
    FILE *file; /* NULL: nothing is recorded */
    double begin;
    bool redacts;
    struct redacting redacting[DIRECTION_COUNT];
};

/* Makes the file, for its owner alone. False with errno set if it cannot be made, or is there. */
bool record_open(struct recording *record, const char *path, bool redacts);
/* False if what was recorded could not be written. */
bool record_close(struct recording *record);
void record_bytes(struct recording *record, enum direction direction, const char *bytes,
                  size_t size);
