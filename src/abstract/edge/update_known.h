/* UPDATE_KNOWN - what a generated function need not be told (M2).
 *
 * An update that becomes a function gets the removed variables that it reads as parameters. Where
 * it reads one in larger expressions only, as in m > 3, and these have one value for all that the
 * variable may hold, the value stands in their place: then it makes no difference what it holds.
 */
#pragma once

#include "abstract/edge/open_edge.h"

struct known_value {
    const struct expr *expr; /* in the update */
    const char *text;        /* of its value */
};

struct known_values {
    VEC(struct known_value) list;
};

/* Adds those for a removed variable. False, and nothing is added, where the function has to be told
 * the variable. What a receiver reads (is_within_step) may have been changed by the sender. */
bool known_values_find(struct context *context, struct open_edge *open,
                       const struct removal *removal, bool is_within_step,
                       struct known_values *known);

/* Items of an update that change removed variables only, where no item but such ones has to do with
 * these variables. They go; that one of them may fail is not exact, unless nothing sees what it
 * changes (facts/unseen.h). */
struct idle_items {
    bool *is_idle;                  /* by item */
    const struct item_facts *facts; /* the same */
    uint32_t count;
};

struct idle_items idle_items_find(struct context *context, struct open_edge *open);
/* Whether an update item that is not idle reads or writes the variable. */
bool idle_items_rest_involves(const struct idle_items *idle, const struct symbol *symbol);
