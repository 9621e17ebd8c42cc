/* GRID TABLE - several abstractions of one model side by side: what all forms of the table show.
 *
 * Lifetime: everything is borrowed.
 */
#pragma once

#include "base/str.h"

/* What a model of a row says about a query. */
struct grid_answer {
    const char *verdict; /* "satisfied", "violated", "unknown"; NULL: there is none */
    const char *value;   /* of sup, inf and bounds, such as "1..3"; or NULL */
    bool carries;        /* over to the original, which may need `condition` */
    const char *reason;  /* why, or why not, or why there is no verdict; NULL for the original */
};

/* A model: the original, which is the first row, or an abstraction. */
struct grid_row {
    const char *name;
    const char *mode;       /* "may" or "must"; NULL for the original */
    bool is_made, is_exact; /* the abstraction is there; it is exact */
    /* in digits; NULL unless all was explored; errors: steps that fail */
    const char *states, *transitions, *errors;
    const char *engine;                   /* that explored them; or NULL */
    double make_seconds, explore_seconds; /* of the work done; negative if there was none */
    uint64_t peak_bytes;                  /* of the exploration; 0 if that is not known */
    const char *condition; /* of an abstraction: what is known of runtime errors of the original
                              (claim/condition.h), on which claims rely; or NULL */
    const char *problem;   /* what ended the work on the row; or NULL */
    struct grid_answer *answers; /* by query */
};

struct grid_report {
    const char *file;
    struct str bytes;      /* of the file */
    const char *semantics; /* of runs: "uppaal" or "kripke" */
    const char *const *queries;
    uint32_t query_count;
    const struct grid_row *rows;
    uint32_t row_count; /* at least 1 */
};
