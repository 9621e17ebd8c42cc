/* PARTITION - guards that differ by the values of ghosts (rule S2).
 *
 * The tuples of a fold fall into blocks by the values v == f(r) of the ghosts that take part. Each
 * block has a guard of its own; together they say: for some block, v has its value and its guard
 * holds.
 *
 * Lifetime: in the arena of the joint values.
 */
#ifndef VARABS_ABSTRACT_FOLD_PARTITION_H
#define VARABS_ABSTRACT_FOLD_PARTITION_H

#include "abstract/fold/residual.h"
#include "expr/chain.h"

/* The tuples for which all ghosts have the same values. */
struct partition_block {
    int32_t *values;          /* by ghost */
    const struct expr *may;   /* the guard for some tuple */
    struct chain clauses;     /* for all of them */
    const struct expr *first; /* what the first tuple said */
    bool is_new, is_same;     /* no tuple yet; all said the same */
    bool *is_member;          /* by member of a class: some tuple matches */
};

struct partition {
    struct context *context;
    struct arena *arena;
    VEC(const struct ghost_value *) ghost_values; /* one for each ghost */
    VEC(const struct open_edge *) open_edges;     /* the same: whose unknowns it mentions */
    VEC(struct partition_block *) blocks;
    uint32_t member_count;
    bool gave_up; /* some value could not be computed: the blocks are not to be told apart */
};

/* Ghosts of an open edge take part. */
void partition_add(struct partition *partition, const struct open_edge *open);
/* The block of the current tuple; where it is new, may is false and there are no clauses. */
struct partition_block *partition_block(struct partition *partition,
                                        const struct joint_values *joint);
/* The guards of all blocks, each where v says so. */
const struct expr *partition_may(struct partition *partition);
const struct expr *partition_must(struct partition *partition);

#endif
