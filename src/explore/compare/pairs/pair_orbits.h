/* PAIR ORBITS - pairs of states up to joint permutations (explore/compare/pairs/joint_symmetry.h,
 * rule Y19).
 *
 * A pair of states is the words of both, one after the other: one canonical pair is stored for
 * all that joint permutations map to it. The two halves are never made canonical by themselves.
 *
 *     row of the store ── both states, expanded one by one
 *                      ── successors of each, by what is visible of them, each once: nodes
 *     a node of each   ── a pair, whose canonical one has a row
 *
 * Nodes are those of the pair that was looked at last.
 *
 * Lifetime: heap memory, freed by pair_orbits_close; searches, which are complete and have been
 *           made with joint permutations, are borrowed.
 * Errors:   false or PAIR_NONE at a limit, which the ledger says.
 */
#pragma once

#include "explore/compare/pairs/joint_symmetry.h"
#include "explore/compare/pairs/pair_sides.h"

struct pair_orbits {
    struct ledger *ledger;
    struct arena arena;
    struct canon_work work;
    struct store store;
    struct shelf shelf;
    uint32_t words;
    uint64_t *pair;  /* that was looked at last */
    uint64_t *other; /* current */
    uint32_t row;    /* of the pair, or PAIR_NONE */
    struct pair_sides sides;
};

bool pair_orbits_init(struct pair_orbits *orbits, const struct joint_symmetry *joint,
                      const struct view *view, const struct search *const searches[SIDE_COUNT],
                      bool is_stuttering, struct ledger *ledger);
void pair_orbits_close(struct pair_orbits *orbits);

/* Whether the initial states look the same. */
bool pair_orbits_start_alike(const struct pair_orbits *orbits);
/* The row of the initial pair, which becomes the first. */
uint32_t pair_orbits_add_initial(struct pair_orbits *orbits);
/* The row of the pair of these nodes; PAIR_NONE if it is not there, or at a limit. */
uint32_t pair_orbits_find(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]);
uint32_t pair_orbits_add(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]);

/* Looks at a stored pair, at the initial one, or at that of two nodes as they are; false at a
 * limit. */
bool pair_orbits_look(struct pair_orbits *orbits, uint32_t row);
bool pair_orbits_look_initial(struct pair_orbits *orbits);
bool pair_orbits_look_at(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]);

/* How many pairs those that are stored stand for; false if that is not known. */
bool pair_orbits_size(struct pair_orbits *orbits, uint64_t *pairs);
