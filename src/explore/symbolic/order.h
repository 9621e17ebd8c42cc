/* ORDER - in what order the fields of a state stand in vectors.
 *
 * Fields that steps look at together should be near. FORCE puts every group at the mean place of
 * its fields, then every field at the mean place of its groups, and so on. That alone tears the
 * variables of processes apart that all talk to one and the same process; so clusters of fields
 * that few groups look at move as one, and what many groups look at comes to stand among them. If
 * there are no such clusters, what many groups look at may as well stand in front of all others.
 *
 * Source: Aloul, Markov, Sakallah: FORCE: a fast and easy-to-implement variable-ordering heuristic,
 *         2003. Clusters: own.
 */
#pragma once

#include "explore/symbolic/groups.h"

/* Two orders of the fields: near is the one in which the groups reach least far; whole the one that
 * keeps the largest clusters together, or else has in front what many groups look at, if the others
 * come much nearer then. False if there is no other one than near. field_bound: above every field.
 */
bool order_fields(struct arena *arena, const uint32_t *fields, uint32_t count, uint32_t field_bound,
                  const struct groups *groups, uint32_t *near, uint32_t *whole);

/* How far from the first field the steps of the groups begin, all together. */
uint64_t order_depth(struct arena *arena, const uint32_t *order, uint32_t count,
                     uint32_t field_bound, const struct groups *groups);
