/* ASKED - what runs have to be fair to, as users write it.
 *
 * Lifetime: names are borrowed; what is read lives in the arena given.
 * Errors:   reported to the diag of the model.
 */
#pragma once

#include "lang/syntax/ast.h"

/* A process, all of a set of processes each for itself, a channel and a tag of the name, `@tag`, or
 * `*` for every process for itself; with `(*)` after a channel or tag each instance of it. */
struct fair_names {
    const char *const *weak;
    uint32_t weak_count;
    const char *const *strong;
    uint32_t strong_count;
    const struct map *arguments; /* tag_arguments by edge, of tags whose instances are asked for */
};

static inline bool fair_is_asked(const struct fair_names *names) {
    return names->weak_count || names->strong_count;
}

/* The values after a tag of an edge. */
struct tag_arguments {
    const char *name;
    struct expr_list values;          /* in the scope of the edge */
    const struct tag_arguments *next; /* of the same edge */
};

enum { FAIR_MAX_VALUES = 16 };

/* Reads the arguments; false (reported) if some cannot be used. */
bool fair_read_arguments(struct fair_names *names, struct arena *arena, struct model *model);

/* "move" of "move(*)" and "@move(*)", NULL of other names. */
const char *fair_instances_of(const char *name, struct arena *arena);
