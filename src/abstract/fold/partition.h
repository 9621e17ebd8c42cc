/* PARTITION - what a fold says of joint values, by the places where these can be.
 *
 * Removed variables are tied to visible ones in two ways: an access reads a cell of the class that
 * its index is in (edge/unknown.h), and a ghost has the value of f (rule S2). So a tuple has a
 * side: the condition over indices and ghosts under which it can be. Tuples of one side are a
 * block. Within a block, may is what is said for some tuple and must what is said for every one;
 * blocks are told apart by tests of their sides:
 *
 *     tuple              side                said     block: some tuple    every tuple
 *     m = 0, a[i] = 1    v == 0 && i <= 2    true            true          true
 *     m = 3, a[i] = 1    v == 1 && i <= 2    x > 0           true          x > 0
 *     m = 4, a[i] = 1    v == 1 && i <= 2    true
 *
 *     may: true                              must: v == 0 || x > 0
 *
 * A fold is exact if all tuples of each block say the same (X1).
 *
 * Invariants: blocks have different sides; sides that do not occur may be said anything of.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "abstract/fold/joint.h"

struct partition_block;

/* Blocks differ in their sides: the value of a ghost, or the class of an access with a visible
 * index. */
struct partition_side {
    const struct ghost_value *ghost;
    const struct open_edge *open; /* whose unknowns the ghost's value mentions */
    uint32_t column;              /* of the access, if there is no ghost */
};

struct partition {
    struct context *context;
    struct arena *arena;
    struct joint_values joint; /* of all edges included */
    VEC(struct partition_side) sides;
    VEC(struct partition_block *) blocks;
    int32_t *values; /* of the current tuple, by side */
    bool is_same;    /* under: within each block, all tuples said the same */
    bool gave_up;    /* some ghost's value could not be computed: all tuples are one block */
};

void partition_init(struct partition *partition, struct context *context, struct arena *arena);
/* Includes the unknowns of an open edge, and what ties them to visible variables. */
void partition_include(struct partition *partition, const struct open_edge *open);
/* Begins a run through the joint values, which were found and are some. */
void partition_begin(struct partition *partition);
/* What holds for the current tuple; NULL = true. False if that adds nothing to what its block has
 * said; true if it may. */
bool partition_say(struct partition *partition, const struct expr *holds);
/* Whether the first of its block said that, too. */
bool partition_has_said(struct partition *partition, const struct expr *holds);

/* What all blocks say, each on its side: over, for some tuple; and under, for every one; NULL =
 * true. */
const struct expr *partition_may(struct partition *partition);
const struct expr *partition_must(struct partition *partition);
/* As may, but false in blocks that say the same of all tuples. */
const struct expr *partition_differing(struct partition *partition);
