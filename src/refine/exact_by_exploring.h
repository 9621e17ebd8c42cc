/* EXACT BY EXPLORING - removals that exploring shows to be exact although the fold cannot.
 *
 * It begins with the model without the removals that the fold finds exact, and with values
 * exchanged. Then
 *  1. its states show which of the variables that no query names nothing tells apart
 *     (explore/states/without.h);
 *  2. each of these is removed alone, and the result is compared with the model
 *     (refine/same_steps.h). Of those that have the same steps the one goes that leaves the fewest
 *     states, and the others are tried again on what is left;
 *  3. the same removals from the original are compared once more (explored_removals_hold). If they
 *     have the same steps before values are exchanged, they are exact, and values can be exchanged
 *     as ever, since the comparison excludes runtime errors. If they have them only with values
 *     exchanged, the variables that queries name are compared as they are, which is all that
 *     verdicts depend on, and the removals are exact with these exchanges only.
 *
 * The exploration is bounded by states and work, so that the result does not depend on the machine.
 * What agents observe is named by queries about what they know, so it is kept, and compared.
 * Models with queries about coalitions are left alone: steps do not say what players may choose.
 *
 * Lifetime: in the arena given.
 * Errors:   none; a removal that was not shown to be exact is not taken.
 */
#pragma once

#include "normal/normal.h"
#include "refine/same_steps.h"
#include "session/queries.h"

struct explored_removal {
    const char *argument; /* of --remove */
    uint64_t states;      /* that are left without it and all before it */
};

struct explored_removals {
    /* asked for */
    struct arena *arena;
    struct str model;
    const struct normal *normal;        /* values that were exchanged in it */
    const struct split *split;          /* processes that were told apart in it, or NULL */
    const struct network *original;     /* of what it was made of; NULL: split says it */
    const struct query_source *queries; /* what is observed; none: the queries of the model */
    uint32_t query_count;
    const char *const *merges; /* of which the new variables stay: arguments of --merge */
    uint32_t merge_count;
    const struct abstract_options *options;
    void (*tell)(uint32_t trial, uint32_t most); /* before each; or NULL */
    /* made */
    uint64_t states; /* of the model */
    VEC(struct explored_removal) list;
};

void explored_removals_find(struct explored_removals *explored);

/* Removals of the list and those that are exact by themselves, but for what they make needless; the
 * number in *count. */
const char **explored_removals_arguments(const struct explored_removals *explored,
                                         const char *const *exact, uint32_t exact_count,
                                         uint32_t *count);

/* Two models, and what they are with values exchanged. */
struct compared_models {
    struct str before, after;    /* without what is exact by the fold, and without all of them */
    struct str exchanged_after;  /* exchanged_before is the model above */
    const struct normal *normal; /* the exchange that made it */
};

/* Whether both models have the same steps, and the second one has fewer states. */
bool explored_removals_hold(const struct explored_removals *explored,
                            const struct compared_models *models, struct explored_exact *proof);
