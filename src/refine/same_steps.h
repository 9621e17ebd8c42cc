/* SAME STEPS - whether two models have the same steps, as exploring both of them shows.
 *
 * What is asked is more than `varabs certify --exact --stutter`: that each of the two follows every
 * step of the other, and that the same states have none; that time may pass for ever in the same
 * states; and that there are no runtime errors in either. Then every verdict about states and runs
 * is the same: those that are kept of meta variables (model/persistent.h) are compared as others
 * are, so that a verdict of the second that does not depend on which states are found first is the
 * one of the first.
 *
 * Pairs are stored up to joint permutations where that pays; numbers are of all states.
 *
 * Lifetime: in the arena given; models are borrowed.
 * Errors:   none; where it is not shown, the problem says why in words.
 */
#pragma once

#include "explore/compare/certify.h"
#include "session/session.h"

struct same_steps {
    const char *problem; /* why it is not shown; NULL if it is */
    uint64_t states[SIDE_COUNT];
    uint64_t work; /* of both searches, and as much again for each pair */
};

/* The options with which certify compares two models exactly, state by state. */
struct certify_options same_steps_options(const struct search_options *limits);
/* The result of such a comparison. */
struct same_steps same_steps_of(const struct certification *certification);

/* Both at once, for models in memory that were built. All variables that both have are compared;
 * values of the first model that were exchanged count as those that stand for them. */
struct same_steps same_steps_compare(struct arena *arena, const struct session *before,
                                     const struct session *after, const struct exchange *exchanges,
                                     uint32_t count, const struct search_options *limits);
