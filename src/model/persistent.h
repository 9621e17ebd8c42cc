/* PERSISTENT - meta variables that a step may read before it has written them.
 *
 * Two states that differ in meta variables only are the same state to Uppaal, which keeps the
 * values that it has found first. Where every step writes such a variable before it reads it, what
 * is kept makes no difference. Else it is persistent: it keeps its value from step to step, and is
 * followed as any other variable is, by exploring and by the value analysis, which so know all
 * values that Uppaal may find there; and what depends on which of them was first is not known
 * (explore/verdict/equal.h).
 *
 * Within a step: before_update, the sender's update, those of receivers, after_update. Guards,
 * synchronisations and invariants are taken to read before, and so are queries.
 *
 * Invariants: over-approximates. Past PERSISTENT_MAX variables the others count as persistent.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "model/handed.h"

enum { PERSISTENT_MAX = 64 };

struct persistent {
    const struct symbol *symbol;
    const struct expr *reader; /* the first place that may read it so; or NULL */
};

struct persistent_list {
    struct persistent *items;
    uint32_t count, capacity;
};

/* Fills an empty list. */
void persistent_find(struct persistent_list *list, struct arena *arena, const struct model *model,
                     const struct handed *handed);
