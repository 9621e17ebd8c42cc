/* VECTOR - a state as LTSmin has it: a number for each field that some step writes.
 *
 * Places are those of slots and then of locations, in the order of the model; where there are
 * committed locations, the last is the number of processes in one (explore/symbolic/footprint.h).
 * Numbers are the values of variables, and locations by their numbers in the template.
 *
 * Invariants: there is at least one place; fields without one never change.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "explore/symbolic/groups.h"
#include "explore/symbolic/levels.h"

#define NO_PLACE UINT32_MAX

struct vector {
    const struct program *program;
    uint32_t *fields; /* by place, ascending */
    uint32_t *places; /* by field */
    uint32_t length;
    uint32_t committed; /* processes in committed locations, if no step changes how many */
};

void vector_init(struct vector *vector, struct arena *arena, const struct program *program,
                 const struct groups *groups);
/* The initial state, with room for scratch words. */
void vector_clear(const struct vector *vector, struct level_state *state);
/* Takes a field over, if it has a place. */
void vector_load(const struct vector *vector, uint32_t field, const int *values,
                 struct level_state *state);
int vector_value(const struct vector *vector, uint32_t field, const struct level_state *state);

/* "x", "Voter(1).mem_dec"; "Voter(1)" is its location. */
const char *vector_name(const struct vector *vector, uint32_t place, struct arena *arena);
/* The process whose location it is, or NULL. */
const struct process *vector_process(const struct vector *vector, uint32_t place);
