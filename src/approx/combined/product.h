/* PRODUCT - the graph of location vectors of the combined analysis (rule A6).
 *
 * A node has a domain for every item: the groups of all processes, as the thread-modular analysis
 * made them, and each tracked shared slot alone. Nodes are found on the way. Branchpoints, which
 * are passed within a step, have nodes of their own, for one process each.
 *
 * Invariants: the items of a node stay within what the thread-modular analysis found for its
 *             locations; an item that several nodes point to does not change any more.
 * Lifetime:   nodes live in the arena of the analysis, which is borrowed.
 */
#pragma once

#include "approx/labels/domain.h"
#include "base/index.h"

struct node_values {
    struct group_domain domain;
    bool is_common; /* several nodes point to it */
};

struct node {
    uint32_t *locations;        /* by process; NULL at a branchpoint */
    struct node_values **items; /* NULL where nothing is known yet */
    bool is_pending, is_expanded;
};

struct product {
    struct analysis *analysis;
    const struct network *network;
    /* The thread-modular result. */
    struct value_set *modular;          /* M, by slot */
    struct location_domain **locations; /* by process */
    struct value_set *shared;           /* the new M, by slot */
    /* Items. */
    uint32_t item_count;
    struct group *groups;   /* by item */
    uint32_t *process_of;   /* by item; NO_SLOT for a shared slot */
    uint32_t *first_item;   /* by process */
    uint32_t *item_of;      /* by slot; NO_SLOT for what is not tracked, or known by M only */
    uint32_t *shared_items; /* the items of shared slots */
    uint32_t shared_item_count;
    /* Nodes. */
    struct index index; /* of nodes */
    VEC(struct node *) nodes;
    VEC(struct node *) queue; /* from next_pending on */
    uint32_t next_pending;
    struct node ***branches; /* by process, by location after location_count */
};

void product_init(struct product *product, struct analysis *analysis);

/* The node of a location vector (copied), made if it is new. */
struct node *product_node(struct product *product, const uint32_t *locations);
struct node *product_branch(struct product *product, uint32_t process, uint32_t location);

/* The queue of nodes to expand; take gives NULL at the end. */
void product_push(struct product *product, struct node *node);
struct node *product_take(struct product *product);

/* The values of an item that the thread-modular analysis found while its process is at the
 * location. Those of a shared item are put into *space. */
const struct group_domain *product_modular(const struct product *product, uint32_t item,
                                           uint32_t location, struct group_domain *space);

/* Adds values to an item of a node where its process is at the location. True if it grew. */
bool product_join(struct product *product, struct node *node, uint32_t item, uint32_t location,
                  const struct group_domain *added);
/* Adds the values of another node's item to that of a node; both may share one domain from now on.
 */
bool product_inherit(struct product *product, struct node *node, uint32_t item, uint32_t location,
                     struct node_values *source);
/* Adds values to the new M of a slot. */
void product_write(struct product *product, uint32_t slot, const struct value_set *values);

/* Puts the union over all nodes in place of the thread-modular result. */
void product_project(struct product *product);
