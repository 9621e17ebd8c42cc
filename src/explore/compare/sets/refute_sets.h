/* REFUTE SETS - why one model cannot follow another, from sets of pairs (set_layers.h): a run of
 * both to a step that nothing follows.
 *
 * The run is made by the steps of states, one pair after the other: from a pair that is in the
 * layers up to some number, a step is looked for all choices of which are missing in an earlier
 * one. So it ends where a step has no choice, and every step and choice is one of the models.
 *
 * Where concrete states are mapped to one abstract state each, the pairs with a step that is not
 * followed are known; those that lead to them are found here, by one step more a layer, so that the
 * run is as short as can be.
 *
 * Lifetime: the run lives in the arena given.
 * Errors:   past a limit of the diagram the layers mean nothing. refute_by_layers gives false where
 *           there is no such run, or at a limit.
 */
#pragma once

#include "explore/compare/pairs/pair_sides.h"
#include "explore/compare/pairs/refute.h"
#include "explore/compare/sets/set_layers.h"
#include "explore/compare/sets/state_map.h"

struct set_refuter {
    const struct state_map *map;
    const struct search *searches[SIDE_COUNT]; /* layouts and programs */
    const struct set_layers *layers;           /* NULL: the initial states look different */
    bool is_of_states; /* vectors are those of concrete states, not of mapped ones */
    bool is_timed;     /* the first layer has pairs that are good but for time */
    enum simulation_mode mode;
    bool is_stuttering;
    double deadline;
    size_t max_size;
    struct arena *arena; /* of the run */
    /* private */
    struct pair_sides sides;
    struct ledger ledger;
    uint64_t *words[SIDE_COUNT];
    uint32_t *vector;
};

/* The subset of the reached states that is mapped into a set. */
uint32_t refute_unmapped(const struct state_map *map, uint32_t set);
/* Adds the reached states without a subset, and then without more and more that lead there, until
 * the initial state is not among them; false if it does not lead there, or there are too many
 * chains of marks. */
bool refute_leading_to(struct reach *reach, uint32_t set, struct set_layers *layers);

bool refute_by_layers(struct set_refuter *refuter, struct duel *duel);
