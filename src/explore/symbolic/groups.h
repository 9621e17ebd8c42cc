/* GROUPS - everything that a network can do, as parts of steps with the same footprint.
 *
 * Invariants: a state's successors and errors are those of all parts of all groups together.
 * Lifetime:   in the arena given.
 * Errors:     a reason, in words, where there are too many parts or fields. Past the deadline, or
 *             after an interrupt, is_late: the groups mean nothing then.
 */
#pragma once

#include "explore/symbolic/footprint.h"

/* A part of a step in states in which all that is assumed holds. */
struct group_part {
    struct step_part part;
    const struct assumption *assumed;
    uint32_t assumed_count;
};

struct step_group {
    uint32_t *fields;     /* ascending */
    unsigned char *marks; /* of the footprint, by place in fields */
    uint32_t field_count;
    uint32_t told[2]; /* of the instances of all parts; see groups_init */
    VEC(struct group_part) parts;
    struct step_group *stages; /* or NULL: of a single part, with what each marks by itself */
    uint32_t stage_count;
};

struct groups {
    VEC(struct step_group) items;
    bool is_late;
};

/* NULL, or why the network is not for this engine. deadline: by clock_seconds; 0 = none.
 * Broadcasts of more than whole_fields are taken apart into stages. told, or NULL: by instance, a
 * number; parts with different numbers are in different groups, unless these are many. */
const char *groups_init(struct groups *groups, struct arena *arena, const struct program *program,
                        double deadline, uint32_t whole_fields, const uint32_t *told);

/* Puts the steps of a group in a state into the list of an expander, which is emptied; false as
 * expander_run_part. Only what the group reads has to be as in the state. */
bool step_group_run(const struct step_group *group, struct expander *expander,
                    const uint64_t *state, bool is_committed);
