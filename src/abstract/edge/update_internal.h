/* UPDATE - the state of a walk through the items of an update: update.c walks, update_source.c
 * knows what it all is in the source state. */
#pragma once

#include "abstract/edge/error.h"
#include "abstract/edge/unknown.h"

struct updater {
    struct rewriter rewriter;
    struct context *context;
    struct open_edge *open;
    struct symbolic_store store;
    const struct edge_fact *fact;
    struct effects_table table;
    uint32_t at;         /* item */
    bool guards_visible; /* visible updates get their no-error conditions */
    bool reads_cells;    /* names of partly removed variables stand for their other cells only */
};

/* The subject of a no-error condition: an assignment that is left out, one that an unknown
 * feeds, one that only reads visible variables, or one to a ghost (its value fits in every step
 * that there is). */
enum subject { SUBJECT_DROPPED, SUBJECT_FED, SUBJECT_VISIBLE, SUBJECT_GHOST };

/* The last write to a variable, perhaps by another name of it; NULL if there is none. */
const struct stored *updater_stored(const struct updater *updater, const struct symbol *symbol);
/* Stores what a variable holds now, in place of what it held; NULL where that is not known. */
void updater_store(struct updater *updater, const struct symbol *symbol, const struct expr *now,
                   const struct expr *before);
/* Remembers what an item of these effects, rewritten, did to visible variables. */
void updater_note_writes(struct updater *updater, const struct effects *effects,
                         const struct expr *expr);
/* An expression of the current point of the update in terms of the source state, where the guard
 * is evaluated; NULL if that cannot be said. */
const struct expr *updater_to_source(struct updater *updater, const struct expr *expr);
/* The value that a cell of the type holds after the value was assigned to it. */
const struct expr *updater_converted(struct updater *updater, const struct expr *value,
                                     const struct type *type);

/* The value analysis ran this item for every value that it can meet, and it never failed. */
bool updater_never_fails(const struct updater *updater);
/* Adds a no-error condition to the edge, or says why that cannot be done. Whether the edge has it,
 * or needs none. */
bool updater_require(struct updater *updater, const struct expr *condition, const char *why_not,
                     enum subject subject);
/* The edge may run in states that the original does not have: its visible assignments must not
 * fail there. What cannot be said of the source state is tried out. */
void updater_require_visible(struct updater *updater, const struct expr *item);
/* Conditions of the indices on the way to an assigned cell. */
const struct expr *updater_place_condition(struct updater *updater, struct error_query *query,
                                           const struct expr *place);
