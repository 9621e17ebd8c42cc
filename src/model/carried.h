/* CARRIED - meta variables that a step may read before it has written them.
 *
 * Two states that differ in meta variables only are the same state to Uppaal, which keeps the values
 * that it has found first. Where every step writes such a variable before it reads it, what is kept
 * makes no difference. Else it is carried from step to step: it is followed as any other variable
 * is, by exploring and by the value analysis, which so know all values that Uppaal may find there;
 * and what depends on which of them was first is not known (explore/verdict/alike.h).
 *
 * Within a step: before_update, the sender's update, those of receivers, after_update. Guards,
 * synchronisations and invariants are taken to read before, and so are queries.
 *
 * Invariants: over-approximates. Past CARRIED_MAX variables the others are carried.
 * Lifetime:   in the arena given.
 */
#ifndef VARABS_MODEL_CARRIED_H
#define VARABS_MODEL_CARRIED_H

#include "model/handed.h"

enum { CARRIED_MAX = 64 };

struct carried {
    const struct symbol *symbol;
    const struct expr *reader; /* the first place that may read it so; or NULL */
};

struct carried_list {
    struct carried *items;
    uint32_t count, capacity;
};

/* Fills an empty list. */
void carried_find(struct carried_list *list, struct arena *arena, const struct model *model,
                  const struct handed *handed);

#endif
