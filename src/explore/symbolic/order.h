/* ORDER - in what order the fields of a state stand in vectors.
 *
 * Fields that steps look at together should be near. FORCE puts every group at the mean place of
 * its fields, then every field at the mean place of its groups, and so on.
 *
 * Source: Aloul, Markov, Sakallah: FORCE: a fast and easy-to-implement variable-ordering heuristic,
 *         2003.
 */
#ifndef VARABS_EXPLORE_SYMBOLIC_ORDER_H
#define VARABS_EXPLORE_SYMBOLIC_ORDER_H

#include "explore/symbolic/groups.h"

/* Puts the fields, which are some order at first, into the best order that is found. field_bound:
 * above every field. */
void order_fields(struct arena *arena, uint32_t *fields, uint32_t count, uint32_t field_bound,
                  const struct groups *groups);

#endif
