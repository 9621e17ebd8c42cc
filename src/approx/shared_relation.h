/* SHARED RELATION - joint values of removed shared slots that one guard reads together (rule A3).
 *
 * They hold between the updates of processes, in all states and for who reads a guard there. Every
 * edge of every process may run at any time: what others do in between only takes it from one tuple
 * to another one. A receiver takes a tuple anew for its update (A2).
 *
 * Invariants: over. Complete, or not there at all: where an edge that writes the slots is past the
 *             budget (A5), and where update hooks write them, each is on its own.
 * Lifetime:   in the arena of the analysis.
 */
#pragma once

#include "approx/relation.h"

/* After the fixpoint: finds the values of what is related. */
void shared_relation_compute(struct analysis *analysis, struct relation *relation);

/* Joint values of a shared slot with others; NULL if it is on its own. */
struct tuple_set **shared_relation_of(const struct analysis *analysis, uint32_t slot);

/* For pinning (pin.h): values of its own, that may be changed. */
void shared_relation_copy(struct analysis *analysis);
