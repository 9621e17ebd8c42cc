/* FACTS - what can be said of the reachable states once they are there.
 *
 * A layer holds the states that are as many steps away from the initial one; the first layer is
 * that state alone. They are only computed where a shortest run is asked for: they cost much more
 * than the states.
 *
 * Lifetime: sets are held by the reach's diagram until reach_close. The diagram may collect in
 *           layers_find, so that sets of the caller must be held.
 * Errors:   a limit of the diagram ends everything (ldd_is_over); the results mean nothing then.
 */
#pragma once

#include "explore/space/figures.h"
#include "explore/symbolic/diagram/count.h"
#include "explore/symbolic/reach.h"

#include <assert.h>

/* States without a step; states with a step that fails. */
uint32_t reach_deadlocks(struct reach *reach);
uint32_t reach_errors(struct reach *reach);

/* Counts states, deadlocks, steps and errors; false if the diagram is over before. */
bool reach_count(struct reach *reach, uint32_t deadlocks, struct figures *figures,
                 struct arena *arena);

/* A set that is looked for layer by layer. */
struct target {
    uint32_t set; /* held by the caller */
    bool is_found;
    uint32_t layer; /* the first that has some of it */
};

struct layers {
    struct reach *reach;
    size_t first; /* place of the first on the diagram's stack */
    uint32_t count;
};

static inline uint32_t layers_at(const struct layers *layers, uint32_t index) {
    assert(index < layers->count && layers->first + index < layers->reach->ldd.held_count);
    return layers->reach->ldd.held[layers->first + index];
}

void layers_init(struct layers *layers, struct reach *reach);
/* Makes layers until every target that has states is found; false at a limit. */
bool layers_find(struct layers *layers, struct target *targets, uint32_t count);
/* Makes layers until one more target is found, whose set is not empty; between the calls the caller
 * may hold nothing. False at a limit. */
bool layers_find_one(struct layers *layers, struct target *target);

/* The least packed state of a set that is not empty, into words with room for one. */
void reach_least(struct reach *reach, uint32_t set, uint64_t *words);

/* The state of such a set with the least values, field by field in the order of the layout. */
void reach_least_values(struct reach *reach, uint32_t set, uint64_t *words);

/* The least packed states along a shortest run from the initial state to the least one of a target,
 * that is in a layer: layer + 1 states of layout->word_count words each. False at a limit. */
bool layers_run(struct layers *layers, const struct target *target, uint64_t *words);
