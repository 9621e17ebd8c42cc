/* PAIR SIDES - two states, one of each model, and their successors by what is visible of them.
 *
 * Nodes are successors of the state that was looked at last, each state once; their numbers go
 * by class and then by state. Where the abstract model lacks processes, the state itself is a node
 * as well, after all others: it is where the other side makes a silent step.
 *
 * Lifetime: heap memory, freed by pair_sides_close; searches, of which only the layout and the
 *           program are needed, are borrowed.
 * Errors:   false at a limit, which the ledger says.
 */
#pragma once

#include "explore/visible/graph.h"

#define PAIR_NONE UINT32_MAX
#define NO_STEP UINT32_MAX /* of a state without steps, which stutters, or that stays */

/* A successor. */
struct pair_node {
    const uint64_t *state, *visible;
    uint32_t step;   /* a place among all steps, or NO_STEP */
    uint32_t silent; /* likewise of a step that is silent; if kinds says so */
    uint8_t kinds;   /* of steps to it (explore/visible/graph.h) */
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
    uint8_t *kinds;    /* by node */
    uint32_t count, capacity;
    bool can_idle; /* time may pass for ever */
};

/* The parts above the sides are set by the caller. */
struct pair_sides {
    const struct view *view;
    struct ledger *ledger;
    const bool *is_gone; /* by process of the concrete model, or NULL */
    bool is_stuttering;
    struct pair_side of[SIDE_COUNT];
};

void pair_sides_open(struct pair_sides *sides, const struct search *const searches[SIDE_COUNT]);
void pair_sides_close(struct pair_sides *sides);
/* Looks at two states of stored words, which may be those of nodes or of the current pair. */
bool pair_sides_look(struct pair_sides *sides, const uint64_t *const states[SIDE_COUNT]);
/* Whether the initial states look the same. */
bool pair_sides_start_alike(const struct pair_sides *sides);

static inline struct node_list pair_side_nodes(const struct pair_side *side) {
    return (struct node_list){side->numbers, side->count};
}
