/* FURTHER - removals that the fold does not find exact, and that are so all the same, as exploring
 * shows.
 *
 * The model is one without what is exact by the fold, with values exchanged. Of each variable that
 * no query names it is seen what removing all of it leaves; where that has fewer states and the
 * same steps (refine/same_steps.h), the variable goes, best first, and the others are tried again
 * on what is left. That says nothing of the same removals from the original: what comes of these
 * has to be compared once more (further_holds), as it is before values are exchanged. From there
 * values can be exchanged as ever, for the runtime errors that this is not for are excluded, too.
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

#include "abstract/fold/model.h"
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
    struct str before, after;   /* without what is exact by the fold, and without all of them */
    struct str exchanged_after; /* exchanged_before is the model above */
};

/* Whether the two have the same steps, and there are fewer states in the end. */
bool further_holds(const struct further *further, const struct further_models *models,
                   struct shown_exact *shown);

#endif
