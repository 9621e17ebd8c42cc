/* FOLLOW INTERNAL - what following steps and finding rows for that share.
 *
 * follow.c       all steps of a system, action by action
 * follow_rows.c  one step by the rows of one action
 */
#pragma once

#include "explore/compare/sets/follow.h"

#define NOBODY UINT32_MAX /* instead of the number of an action */

/* Actions have other keys for the next action of steps. */
void rows_forget(struct follow *follow, const struct vector_system *follows);

/* The levels that the step writes or the other action looks at; how many they are. */
uint32_t rows_touched(struct follow *follow, const struct vector_action *action);
/* Whether it depends on the value of a level that a row follows. */
bool is_level_needed(const struct follow *follow, uint32_t level, bool reads, bool writes);

/* The short vectors in which an action follows the step; the kinds are those of their levels. */
uint32_t rows_following(struct follow *follow, const struct vector_system *follows,
                        uint32_t number);
/* The subset of a set that an action does not follow; of pairs: not to a pair. */
uint32_t rows_leave(struct follow *follow, const struct vector_system *follows, uint32_t number,
                    uint32_t set);

/* The chain of the current kinds; false if there would be too many. */
bool chain_of_kinds(struct follow *follow, uint32_t *chain);
