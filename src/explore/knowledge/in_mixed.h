/* IN MIXED - where a part of a formula may hold in a mixed model (MX3).
 *
 * Steps are those of explore/mixed: what holds for certain is found by steps that are certain, what
 * may hold by those that may be there. An agent knows something for certain if all states that are
 * the same to it here satisfy it: each state that the original agent takes for possible looks like
 * one of them. That it does not know is shown by a state that is real (mixed_steps.h), if the agent
 * has lost nothing of what it observes of the original.
 */
#pragma once

#include "explore/knowledge/labelling.h"

/* Notes a problem if the formula is not answered on mixed models: what coalitions can bring about,
 * deadlocks, and agents of which the model does not say what they observe. */
void in_mixed_refuse(struct labelling *labels);

/* Whether a node may be open though its parts are not. */
bool in_mixed_is_open(const struct formula *node);
/* Whether some agent of a node has lost something of what it observes of the original. */
bool in_mixed_have_lost(const struct formula *node);
/* Whether a node is about knowledge. */
bool in_mixed_knows(const struct formula *node);
/* Where a node about knowledge may hold, given where its part may. The set is empty before. */
void in_mixed_find(struct labelling *labels, uint32_t index, const uint64_t *part, uint64_t *set);

/* Takes those rows out of a set that look to some agent of a node like a real row outside the set.
 */
void in_mixed_leave(struct labelling *labels, const struct formula *node, uint64_t *set);

/* Why it is not known whether a node holds in a row, as a text. */
const char *in_mixed_reason(struct labelling *labels, uint32_t index, uint32_t row);
