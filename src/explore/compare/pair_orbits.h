/* PAIR ORBITS - pairs of states up to joint permutations (explore/compare/joint_symmetry.h, rule
 * Y19).
 *
 * A pair of states is the words of both, one behind the other: one canonical pair is stored for
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

#include "explore/compare/joint_symmetry.h"
#include "explore/visible/graph.h"

#define PAIR_NONE UINT32_MAX
#define NO_STEP UINT32_MAX /* of a state without steps, which stutters */

/* A successor. */
struct pair_node {
    const uint64_t *state, *visible;
    uint32_t step; /* its place among all steps, or NO_STEP */
};

struct pair_side {
    const struct search *search;
    struct expander expander;
    uint32_t words;              /* of a state */
    uint64_t *state, *successor; /* with scratch words */
    uint64_t *visible;           /* of the successors */
    struct pair_node *nodes;
    uint32_t *numbers; /* 0, 1 and so on */
    uint32_t *classes; /* by node: the same number in both sides if they look the same */
    uint32_t count, capacity;
    bool can_idle; /* time may pass for ever */
};

struct pair_orbits {
    const struct view *view;
    struct ledger *ledger;
    bool is_stuttering;
    struct arena arena;
    struct canon_work work;
    struct store store;
    struct shelf shelf;
    uint32_t words;
    uint64_t *pair;  /* that was looked at last */
    uint64_t *other; /* at hand */
    uint32_t row;    /* of the pair, or PAIR_NONE */
    struct pair_side sides[SIDE_COUNT];
};

bool pair_orbits_init(struct pair_orbits *orbits, const struct joint_symmetry *joint,
                      const struct view *view, const struct search *const searches[SIDE_COUNT],
                      bool is_stuttering, struct ledger *ledger);
void pair_orbits_close(struct pair_orbits *orbits);

/* Whether the initial states look the same. */
bool pair_orbits_start_alike(struct pair_orbits *orbits);
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
static inline struct node_list pair_orbits_nodes(const struct pair_orbits *orbits, int side) {
    return (struct node_list){orbits->sides[side].numbers, orbits->sides[side].count};
}

/* How many pairs those that are stored stand for; false if that is not known. */
bool pair_orbits_size(struct pair_orbits *orbits, uint64_t *pairs);
