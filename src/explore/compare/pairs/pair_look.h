/* PAIR LOOK - the successors of both nodes of a pair, and which of them may follow which.
 *
 * Lifetime: borrowed from graphs, or from pair sides until these look at another pair.
 * Errors:   none.
 */
#pragma once

#include "explore/compare/pairs/pair_sides.h"

struct pair_look {
    struct node_list lists[SIDE_COUNT];  /* by class */
    const uint32_t *classes[SIDE_COUNT]; /* by node */
    const uint8_t *kinds;                /* of steps in the concrete list; NULL: all are seen */
    uint32_t still;                      /* the abstract node, where it stays */
};

struct pair_look look_of_graphs(const struct graph *graphs, const uint32_t nodes[SIDE_COUNT]);
struct pair_look look_of_sides(const struct pair_sides *sides);

/* Whether some step of a side to a node, which is where the list has it, is of a kind. */
bool is_step(const struct pair_look *look, int side, const uint32_t *node, uint8_t kind);

/* Nodes of the other side that a step to a node may be followed by; the look has to stay. */
struct node_list choices_of(const struct pair_look *look, enum side side, uint32_t node,
                            bool is_silent);

/* Successors of both nodes that look the same. */
struct successor_group {
    struct pair_look look; /* all of them */
    uint32_t at[SIDE_COUNT];
    struct node_list same[SIDE_COUNT];
};

/* The next class that a side can step to; false if there is none. */
bool next_group(struct successor_group *group);

/* Whether some step of a side that moves leads to what the other side cannot look like. */
bool is_stranded(const struct pair_look *look, const bool moves[SIDE_COUNT]);
