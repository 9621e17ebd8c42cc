/* SPEC - what to remove, merge and normalise, from arguments and files (rules S2 and S3).
 *
 * --merge VARIABLE:TYPE=EXPRESSION, and --spec FILE.json (schemas/spec.schema.json), which may hold
 * several removals and merges, values to be exchanged, and the kind of abstraction. All texts join
 * the sources of the session's document, so that messages name FILE.json:line:column, or --merge
 * and the column.
 *
 * Lifetime: in the arena of the session.
 * Errors:   what is no such argument is STATUS_USAGE, a file that cannot be read or is not as the
 *           schema says STATUS_INVALID.
 */
#pragma once

#include "abstract/prepare/ghost.h"
#include "session/session.h"

enum { SPEC_MAX_BYTES = 1 << 20, SPEC_MAX_VALUES = 1024 };

struct spec_removal {
    const char *text; /* as for --remove */
    position at;      /* 0 on the command line */
};

/* A value that may be exchanged for others of the same class. */
struct spec_value {
    int32_t value;
    uint32_t class;
};

/* What is to be exchanged for one value that stands for others, as far as that makes no difference:
 * entries of `normalised` in a report are written so, too. */
struct spec_exchange {
    struct text variable, location; /* location.begin 0: wherever its process is */
    struct text template;           /* of the location, if the variable is global */
    VEC(struct text) processes;     /* in these only; none: in all */
    struct text key;                /* while this cell has one of the values; key.begin 0: always */
    VEC(int32_t) key_values;
    bool has_classes; /* else any values may be exchanged */
    uint32_t class_count;
    VEC(struct spec_value) values; /* no value twice */
};

struct spec {
    VEC(struct spec_removal) removals;
    VEC(struct spec_exchange) exchanges;
    VEC(struct ghost_definition) merges;
    struct str *files; /* bytes of the files, by argument */
    const char *mode;  /* "may", "must", "must-lower", "mixed", or NULL if no file says it */
    position mode_at;
    bool assumes_live; /* "assume": ["live"] */
};

bool spec_add_merge(struct spec *spec, struct session *session, const char *argument);
/* bytes: of the file, if it was read before; else they are kept there. */
bool spec_add_file(struct spec *spec, struct session *session, const char *path, struct str *bytes);
