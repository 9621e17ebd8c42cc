/* SIGHT - what agents tell apart, for sets of states.
 *
 * What an agent observes of locations and variables are levels of vectors: two states are the same
 * to it there if their short vectors are (sets.h). Guards and expressions split the states into
 * parts in which all of them have the same values. So the states that are the same to it as one of
 * a set are found by leaving out what it does not observe, part by part.
 *
 * Lifetime: parts are held by the diagram for the caller, who releases them; the rest lives in the
 *           arena given. Units are compiled before any machine is made.
 * Errors:   false where there are too many parts, or a unit is too complex. An expression that
 *           cannot be evaluated in some state: fails is not empty. Past a limit of the diagram the
 *           results mean nothing.
 */
#pragma once

#include "agents/agents.h"
#include "explore/symbolic/decide.h"

enum { SIGHT_MAX_PARTS = 1 << 10 };

/* An expression of which it matters where it has which value. */
struct seen_value {
    const struct expr *expr;
    struct unit unit;
    bool is_bool;
    uint32_t slot; /* that it is; or NO_SLOT */
};

/* The items of an agent that are no levels are compiled. */
struct sight_units {
    const struct agent *agent;
    struct seen_value *items; /* by item */
};

struct set_sight {
    uint32_t chain;      /* of the levels that are observed */
    VEC(uint32_t) parts; /* disjoint, and all states together */
    uint32_t fails;      /* where an expression cannot be evaluated */
    const struct seen_value *failing;
};

void seen_value_compile(struct seen_value *value, struct compiler *compiler,
                        const struct expr *expr);
void sight_compile(struct sight_units *units, struct compiler *compiler, struct agents *agents,
                   const struct agent *agent);

/* Finds the states that several agents tell apart together. */
bool sight_find(struct set_sight *sight, struct decider *decider, struct arena *arena,
                const struct sight_units *const *agents, uint32_t count);

/* The states in which a process is at a location. */
uint32_t states_at(struct reach *reach, const struct process *process, uint32_t location);

/* States that are the same to the agents as one of a set. */
uint32_t sight_same(const struct set_sight *sight, struct reach *reach, uint32_t set);
/* States of which all that are the same to the agents lie in a set. */
uint32_t sight_known(const struct set_sight *sight, struct reach *reach, uint32_t set);
/* States that are the same to the agents as one of a set and as one of its complement. */
uint32_t sight_mixed(const struct set_sight *sight, struct reach *reach, uint32_t set);

/* A set split by the values of an expression: the sets are added to the list. */
struct set_list {
    VEC(uint32_t) list;
};
bool split_by_value(struct decider *decider, struct arena *arena, const struct seen_value *value,
                    uint32_t set, struct set_list *parts, uint32_t *fails);
