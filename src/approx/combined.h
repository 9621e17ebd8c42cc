/* COMBINED - the value analysis on the product of all processes (rule A6): the paper's own.
 *
 * Nodes are location vectors, found on the way; edges are internal edges, sender and receiver
 * pairs, and a broadcast with any receivers. Shared slots are part of the domain of a node. The
 * result is projected back: D(p,l,G) unites the nodes with p at l, M(s) all values ever written.
 */
#ifndef VARABS_APPROX_COMBINED_H
#define VARABS_APPROX_COMBINED_H

#include "approx/fact.h"

/* Refines the result of the thread-modular analysis in place. False (STATUS_LIMIT) if there are
 * more location vectors than the budget. */
bool combined_compute(struct analysis *analysis, struct diag *diag);

#endif
