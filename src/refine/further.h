/* FURTHER - removals that the fold does not find exact, and that are so all the same, as exploring
 * shows.
 *
 * The model is one without what is exact by the fold, with values exchanged. Its states show which
 * of the variables that no query names nothing tells apart (explore/states/without.h). Of these it
 * is seen what removing all of one leaves; where that has the same steps (refine/same_steps.h), the
 * variable goes, the one that leaves the fewest states first, and the others are looked at again on
 * what is left. That says nothing of the same removals from the original: what comes of these
 * has to be compared once more (further_holds): as it is before values are exchanged, from where
 * they can be exchanged as ever, as the runtime errors that this is not for are excluded, too; or
 * else as it is with values exchanged. Then variables that queries name are compared as they are,
 * which is all that the verdicts depend on, and the removals are exact with these exchanges only.
 *
 * What is explored is bounded by states and work, so that the result does not depend on the
 * machine. Models with queries about agents are left alone: steps say nothing of what agents
 * observe, and of what they may choose.
 *
 * Lifetime: in the arena given.
 * Errors:   none; what was not shown is not taken.
 */
#ifndef VARABS_REFINE_FURTHER_H
#define VARABS_REFINE_FURTHER_H

#include "normal/normal.h"
#include "refine/same_steps.h"
#include "session/queries.h"
#include "suggest/suggest.h"

struct further_removal {
    const char *argument; /* of --remove */
    uint64_t states;      /* that are left without it and all before it */
};

struct further {
    /* asked for */
    struct arena *arena;
    struct str model;
    const struct normal *normal;        /* values that were exchanged in it */
    const struct query_source *queries; /* what is observed; none: the queries of the model */
    uint32_t query_count;
    const struct abstract_options *options;
    void (*tell)(uint32_t trial, uint32_t most); /* before each; or NULL */
    /* made */
    uint64_t states; /* of the model */
    VEC(struct further_removal) list;
};

void further_find(struct further *further);

/* Removals of the list and those that are exact by themselves, but for what they make needless; the
 * number in *count. */
const char **further_arguments(const struct further *further, const char *const *exact,
                               uint32_t exact_count, uint32_t *count);

/* Two models, and what they are with values exchanged. */
struct further_models {
    struct str before, after;    /* without what is exact by the fold, and without all of them */
    struct str exchanged_after;  /* exchanged_before is the model above */
    const struct normal *normal; /* what was exchanged there */
};

/* Whether the two have the same steps, and there are fewer states in the end. */
bool further_holds(const struct further *further, const struct further_models *models,
                   struct shown_exact *shown);

#endif
