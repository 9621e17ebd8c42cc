/* PRODUCT - runs of one LTS with the sets of states of another that their traces can lead to (R4).
 *
 * A node is a concrete state and a set of abstract states, closed under hidden steps. A concrete
 * step with a label leads to what the label leads to from the set; if that is nothing, the step is
 * blocked: the trace is none of the abstract model. Breadth first, so that the first blocked step
 * ends a shortest run.
 *
 * A node is left out if there is one with the same state and a part of its set, as every trace that
 * is none of the larger set is none of the smaller one (rule R4.2; larger ones would be wrong). So
 * what is kept of a state is an antichain. Where the abstract side is deterministic, sets have one
 * member and this is the left product of the two.
 *
 * A node is tainted if some abstract state on its way has a step that fails: what is blocked there
 * is not known to be.
 *
 * Failures: a stable concrete state, one without hidden steps, must not refuse more than some
 * stable abstract state of the set: one with no action that the concrete one lacks.
 *
 * Lifetime: heap memory until product_close; both LTS are borrowed.
 * Errors:   product_run gives false if something is in the way: an LTS or the ledger says what.
 */
#pragma once

#include "base/index.h"
#include "explore/refine/state_sets.h"

struct product_node {
    uint32_t state, set;
    uint32_t parent, choice; /* node, and which edge of its state led here */
    uint32_t next;           /* with the same state and several members in the set */
    uint32_t depth : 30;
    uint32_t is_dropped : 1, is_tainted : 1;
};
#define NO_NODE UINT32_MAX

enum product_failure { FAILURE_NONE, FAILURE_BLOCKED, FAILURE_REFUSED };

struct product_options {
    bool is_full;      /* go on after a blocked step, with the empty set */
    bool has_failures; /* look at what is refused, too */
    bool looks_ahead;  /* by the threads of both sides */
    void (*progress)(void *context, uint64_t nodes); /* about once a second; may be NULL */
    void *context;
};

struct trace_product {
    struct lts *sides[SIDE_COUNT];
    struct product_options options;
    struct ledger *ledger;
    struct state_sets sets;
    struct product_node *nodes;
    uint32_t count;
    /* result */
    enum product_failure failure;
    uint32_t failed_node, failed_choice; /* the edge that is blocked */
    bool is_tainted;                     /* some node is */
    uint64_t transitions, after;         /* after: nodes after a blocked step */
    /* private */
    struct index index;
    uint32_t *lists; /* by state: nodes of several members plus one, as far as they are kept */
    uint32_t *label_marks, mark_round;
    uint32_t ahead_end; /* of the nodes that were looked at ahead */
    double next_progress;
};

bool product_open(struct trace_product *product, struct lts *concrete, struct lts *abstract,
                  const struct product_options *options, struct ledger *ledger);
bool product_run(struct trace_product *product);
/* The node that an edge of a node's state leads to, NO_NODE if there is none; false at a limit. */
bool product_follow(struct trace_product *product, uint32_t number, uint32_t choice,
                    uint32_t *target);
void product_close(struct trace_product *product);
