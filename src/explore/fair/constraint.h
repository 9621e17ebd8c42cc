/* CONSTRAINT - steps to which runs have to be fair (rules R2.2 and R5.1).
 *
 * A constraint is about the steps of a process, over a channel, or with a tag on one of their
 * edges. It is enabled in a state if such a step is possible there. A run is weakly fair to it
 * unless from some state on it is enabled for ever and no such step is taken; strongly fair unless
 * it is enabled again and again and no such step is taken from some state on. A step that changes
 * nothing is taken, too. Runs that end go on for ever with idling, which is a step of nobody.
 *
 * Lifetime: constraints in the arena given; networks and names are borrowed. A marker in the arena
 *           given, for one program.
 * Errors:   fair_resolve says what is wrong in words.
 */
#pragma once

#include "explore/fair/asked.h"
#include "explore/successor/program.h"

enum { FAIR_MAX = 63 }; /* constraints together: bits of a set, and one for who asks */

struct fair_constraint {
    const char *name;
    bool is_strong;
    uint32_t bit;                  /* of it in sets */
    const struct process *process; /* or NULL: steps over the channel or with the tag */
    const char *channel, *tag;     /* either may be NULL */
    /* of an instance: the number of its schema, plus 1, and its values */
    uint32_t schema, count;
    const int32_t *values;
};

struct fair_constraints {
    VEC(struct fair_constraint) list;    /* of different name or strength */
    VEC(struct fair_constraint) schemas; /* whose instances join the list when they are found */
    uint64_t weak, strong;               /* sets of them */
    const struct map *arguments;         /* of tags, by edge */
    struct arena *arena;
    /* bits of sets: constraints of two models that are marked together share them */
    uint32_t *used;
    /* why a step could not be marked, or NULL */
    const char *problem;
    enum status problem_status;
    position problem_at;
};

/* NULL, or what is wrong with the names. *used: how many constraints there are by now. */
const char *fair_resolve(struct fair_constraints *constraints, struct arena *arena,
                         const struct network *network, const struct fair_names *names,
                         uint32_t *used);

/* Whether a schema has instances that were found. */
bool fair_has_instance(const struct fair_constraints *constraints, uint32_t schema);

struct fair_marker {
    struct fair_constraints *constraints;
    const struct program *program;
    uint64_t *by_instance, *by_channel; /* sets of constraints */
    struct fair_tags *tags;             /* by instance, of schemas; NULL if there are no schemas */
    uint64_t *words;                    /* a state with scratch words */
};

/* Compiles arguments of tags: before an expander of the program is made. */
void fair_marker_init(struct fair_marker *marker, struct arena *arena,
                      struct fair_constraints *constraints, const struct program *program);
/* The constraints that a step from a state of stored words is of. False if the machine is out of
 * time, or with a problem of the constraints. Not for several threads if there are schemas. */
bool fair_mark(const struct fair_marker *marker, struct machine *machine, const uint32_t *parts,
               uint32_t part_count, const uint64_t *from, uint64_t *set);

/* Sets of constraints by number, each once; number 0 is the empty one. */
struct fair_sets {
    struct arena *arena;
    struct map numbers;
    VEC(uint64_t) list;
};

void fair_sets_init(struct fair_sets *sets, struct arena *arena);
uint32_t fair_sets_add(struct fair_sets *sets, uint64_t set);

static inline uint64_t fair_set(const struct fair_sets *sets, uint32_t number) {
    return sets->list.items[number];
}
