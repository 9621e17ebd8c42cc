/* JOINT - runs through the joint values of the unknowns of one or several open edges. */
#pragma once

#include "abstract/edge/open_edge.h"

/* Unknowns of several open edges that stand for the same thing are one column. The tuples are over:
 * there may be some that no state has. */
struct joint_values {
    struct arena *arena;
    VEC(const struct unknown *) list;
    struct tuple_set rows;   /* of the plain cells among them */
    uint32_t *cell_of;       /* by column: its place in a row, NO_SLOT for an access */
    bool is_empty;           /* the location is not reached: no tuple at all */
    const bool *is_possible; /* by number of the tuple; NULL: all are */
    uint64_t total;          /* tuples, also those that are not possible */
    bool keeps_failures;     /* what is put in does not make irrelevant what fails */
    /* the current tuple */
    uint64_t number;
    uint32_t row;
    uint32_t *class_of; /* by column: class of an access */
    uint64_t *index;    /* by column: value of an access within its class */
    int32_t *values;    /* by column */
};

/* Adds the unknowns of an open edge that are not chosen. */
void joint_add(struct joint_values *joint, const struct open_edge *open);
/* Number of tuples; more than the limit counts as UINT64_MAX. Finds them, and begins a run. */
uint64_t joint_start(struct joint_values *joint, struct context *context,
                     const struct open_edge *open, uint64_t limit);
/* Begins another run through the tuples that joint_start found; there must be one. */
void joint_restart(struct joint_values *joint);
bool joint_next(struct joint_values *joint);
/* Column of an unknown, or NO_SLOT. */
uint32_t joint_find(const struct joint_values *joint, const struct unknown *unknown);

/* The expression with the current values put in, simplified. */
const struct expr *joint_substitute(const struct joint_values *joint, const struct open_edge *open,
                                    struct arena *arena, const struct expr *expr);

/* Marks unknowns as chosen until the open edge has at most limit tuples. */
void open_edge_choose(struct context *context, struct open_edge *open, uint64_t limit);
