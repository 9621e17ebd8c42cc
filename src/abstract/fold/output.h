/* OUTPUT - the edges that a location gets in the abstraction, and what each was made of. */
#pragma once

#include "abstract/edge/open_edge.h"
#include "abstract/facts/channel.h"
#include "explore/mixed/strength.h"
#include "expr/chain.h"

/* A value that was put in for an unknown of a source edge. */
struct chosen_value {
    const struct unknown *unknown;
    int32_t value;
};

/* A source edge and the values with which it contributes to an output edge. */
struct origin {
    const struct open_edge *open;
    struct chosen_value *values;
    uint32_t value_count;
};

/* A select variable that the transformation adds. */
struct chosen_select {
    const struct unknown *unknown;
    int32_t lower, upper; /* unused for scalars, which range over their type */
};

/* The part of the range of a select of the base edge that remains. */
struct select_range {
    bool is_clipped;
    int32_t lower, upper;
};

/* Loops that the transformation adds. */
enum loop_kind {
    LOOP_NONE,
    LOOP_DECLINE, /* M3: a receiver does not take part */
    LOOP_STUTTER  /* stutter.h */
};

struct output_edge {
    const struct open_edge *base; /* whose element is changed or copied */
    bool is_unchanged;            /* the element stays as it is */
    enum strength strength;       /* of a mixed abstraction; the weakest by default */
    /* of a mixed abstraction: it stands beside several edges that are certain together only
     * (MX1) */
    bool is_joint;
    bool is_either;  /* of a mixed abstraction: where it is enabled, its process has a step (MX1) */
    bool is_natures; /* of a mixed abstraction for a coalition: nature decides about it (ST11) */
    enum loop_kind loop;       /* it leads from the source of its base back to it */
    const struct expr *guard;  /* NULL = true */
    const struct expr *passed; /* its conditions on clocks, never evaluated; NULL = true */
    const struct expr *sync;
    struct item *items;
    uint32_t item_count;
    bool *keeps_select;          /* by select of the base edge */
    struct select_range *ranges; /* the same, or NULL */
    struct chosen_select *selects;
    uint32_t select_count;
    struct origin *origins;
    uint32_t origin_count;
};

struct fold {
    VEC(struct output_edge) edges;         /* in the order of their first origin */
    VEC(const struct open_edge *) dropped; /* source edges without any output edge */
    VEC(const char *) inexact;             /* why not exact */
    struct blocked_channels blocks;        /* U2: because of what this location receives */
};

/* The guard as it is written; NULL = true. */
static inline const struct expr *output_guard(const struct output_edge *out, struct arena *arena) {
    return out->passed ? build_and(arena, out->guard, out->passed) : out->guard;
}

/* Whether an output edge keeps the element of its source edge: the first that this becomes does. */
static inline bool fold_keeps_element(const struct fold *fold, uint32_t index) {
    const struct output_edge *edges = fold->edges.items;
    if (edges[index].loop) return false;
    for (uint32_t i = 0; i < index; i++)
        if (edges[i].base == edges[index].base && !edges[i].loop) return false;
    return true;
}
