/* MERGED PROCESSES - merges in some processes of a template only: 'Voter(1).m:T=f' (rule S8).
 *
 * The variables that the expression reads are named as --remove names them, "Voter(1).x", so that the
 * processes get a template of their own (abstract/prepare/split.h); the merge is then one of that
 * template. Queries get the new names there: a quantifier over processes of both is written out.
 *
 * Lifetime: in the arena of the session.
 * Errors:   go to the session's diag, with the place of the merge.
 */
#ifndef VARABS_SESSION_MERGED_PROCESSES_H
#define VARABS_SESSION_MERGED_PROCESSES_H

#include "abstract/prepare/split.h"
#include "session/spec.h"

/* What one merge adds to the arguments. */
struct merged_processes {
    uint32_t merge;        /* its number in the spec */
    uint32_t first, count; /* arguments */
};

struct merged_processes_list {
    VEC(const char *) arguments;
    VEC(position) places;
    VEC(struct merged_processes) list;
};

/* Finds the merges that name processes; the number of arguments in front of them is given. */
bool merged_processes_find(struct merged_processes_list *merged, const struct spec *spec,
                           struct session *session, uint32_t before);
/* Makes them merges of the templates that the processes have got. */
void merged_processes_settle(const struct merged_processes_list *merged, const struct split *split,
                             struct spec *spec, struct arena *arena);

#endif
