/* DIAG - collects diagnostics, sorts them and renders `file:line:column: error: ...`.
 *
 * Invariants: the status is that of the gravest error so far, in the order invalid, unsupported,
 *             limit, usage; 0 without errors. At most DIAG_LIMIT messages are kept, errors
 *             rather than warnings.
 * Lifetime:   messages live in the arena given at diag_init; the source is borrowed.
 */
#pragma once

#include "base/source.h"

#include <stdio.h>

/* Exit statuses, as every command has them. */
enum status {
    STATUS_DONE = 0,
    STATUS_VIOLATED = 1,
    STATUS_USAGE = 2,
    STATUS_INVALID = 3,
    STATUS_UNSUPPORTED = 4,
    STATUS_LIMIT = 5
};

enum { DIAG_LIMIT = 100 };

struct diagnostic {
    enum status status; /* STATUS_DONE marks a warning */
    position at;
    uint32_t order; /* of reporting, breaks ties */
    const char *message;
    bool stays;                   /* it was there when others were forgotten, and said once only */
    struct source_location place; /* set by diag_sort */
    bool is_elsewhere;            /* not in the source's own file */
};

struct diag {
    struct arena *arena;
    const struct source *source; /* may be NULL: then only messages about the file as a whole */
    VEC(struct diagnostic) items;
    uint32_t error_count, warning_count;
    enum status status;
};

/* Whether effort for better messages is worth while. */
static inline bool diag_has_room(const struct diag *diag) { return diag->items.count < DIAG_LIMIT; }

void diag_init(struct diag *diag, struct arena *arena, const struct source *source);

/* An error; the message says what is wrong and what to do, without position and full stop.
 * False. */
bool diag_error(struct diag *diag, enum status status, position at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void diag_warning(struct diag *diag, position at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How many messages there were so far; and takes back all before such a point, only warnings. */
uint32_t diag_mark(const struct diag *diag);
void diag_forget(struct diag *diag, uint32_t mark);

/* Prints a text such that a terminal only shows it: control characters, and what is not UTF-8, are
 * written as \x1B. Names of files and arguments can hold anything. */
void print_visible(FILE *file, const char *text);

/* Sorts by place and removes exact repetitions. */
void diag_sort(struct diag *diag);

/* Writes all diagnostics, sorted. */
void diag_print(struct diag *diag, FILE *file);
