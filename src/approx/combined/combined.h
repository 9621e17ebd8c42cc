/* COMBINED - the value analysis on the product of all processes (rule A6): the paper's own.
 *
 * Nodes are location vectors, found on the way; edges are internal edges, sender and receiver
 * pairs, and a broadcast with any receivers. Shared slots are part of the domain of a node. The
 * result is projected back: D(p,l,G) unites the nodes with p at l, M(s) all values ever written.
 */
#pragma once

#include "approx/labels/fact.h"

struct combined_limits {
    uint64_t vectors;     /* of locations, and ways to choose the receivers of one broadcast */
    uint64_t evaluations; /* of all steps together */
};

/* Refines the result of the thread-modular analysis in place, and only in the end: what went before
 * then counts no more. False (STATUS_LIMIT) past the limits; only facts and notes are lost. */
bool combined_compute(struct analysis *analysis, const struct combined_limits *limits,
                      struct diag *diag);
