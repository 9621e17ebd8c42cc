/* FOLD MEMO - folds of locations that are made once and found again.
 *
 * A search for more steps of a must-abstraction folds the model again and again, with other guards
 * (must/search.h). Most locations look the same each time: their edges have the same guards, and
 * the value analysis knows the same of them. What a fold looks at is the view of its round, which is
 * a network and an analysis. Locations that two views show alike fold alike.
 *
 * That is under: a location of which a fold may ask for something that is not compared is never
 * found. Such are those of edges that synchronise, or lead over a branchpoint.
 *
 * Lifetime: in the arena of the context; folds, networks and analyses stay as long.
 */
#pragma once

#include "abstract/facts/context.h"

/* The network and the analysis of a round. */
struct fold_view {
    const struct network *network;
    const struct analysis *analysis;
    const struct fold_rules *rules;
    bool is_by_meaning;
    /* What all locations look at is as in the current view; also for folds that ask for the values
     * of variables that stay. */
    bool is_alike, is_alike_in_all;
};

struct fold_memo {
    bool is_off;
    struct arena *arena;
    VEC(struct fold_view *) views;
    struct fold_view *current; /* NULL: nothing is found or kept in this round */
    struct kept_fold ***folds; /* by template index, location: the last one that was kept */
};

/* A new round. */
void fold_memo_begin(struct fold_memo *memo, struct context *context);
/* The fold of the edges of a location, if one that was kept is right; else NULL. */
void *fold_memo_find(struct fold_memo *memo, struct context *context,
                     const struct template *template, uint32_t location, const uint32_t *edges,
                     uint32_t count);
/* Keeps the fold that was just made of them, if it can be found again. What the context says of
 * reasons and values is of this fold alone. */
void fold_memo_keep(struct fold_memo *memo, struct context *context,
                    const struct template *template, uint32_t location, const uint32_t *edges,
                    uint32_t count, void *fold);
