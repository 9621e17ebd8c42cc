/* STEP - one step of several processes from a node of the product (rule A6).
 *
 * Guards and channels are read before the step. Then the update of the sender runs, then those of
 * the receivers in system order, each on what the ones before left. Priorities are ignored, which
 * only adds steps.
 *
 * Use: step_add for the sender, then for each receiver; step_run; step_drop.
 */
#pragma once

#include "approx/combined/product.h"
#include "approx/labels/path.h"

struct part {
    const struct process *process;
    const struct path *path;
    uint32_t first_leg;
};

struct step {
    struct label_run run;
    struct product product;
    struct paths paths;
    struct analysis *analysis;
    const struct network *network;
    struct edge_plan **plans; /* by process */
    struct node *node;
    struct part *parts; /* the sender first */
    uint32_t part_count;
    struct leg *legs;
    uint32_t leg_count;
    bool is_broadcast;
    uint32_t *target; /* location vector */
    struct delta delta;
    struct delta *branch_deltas; /* by leg */
    struct map given_up;         /* by hash of the parts: steps past the budget */
    struct edge_fact unused;     /* takes the facts about participants that are left out */
};

/* False (reported) if the network has paths that are too long. */
bool step_init(struct step *step, struct analysis *analysis, struct diag *diag);
void step_close(struct step *step);

void step_add(struct step *step, const struct process *process, const struct path *path);
void step_drop(struct step *step);
bool step_has(const struct step *step, const struct process *process);
/* The paths of a process from the node. */
const struct path_list *step_paths(const struct step *step, const struct process *process);

/* Whether the guard of an edge may hold at the node. */
bool step_can_pass(struct step *step, const struct process *process, const struct edge *edge);

/* Whether some values let the parts begin the step; only: one process that is left out. */
bool step_is_feasible(struct step *step, const struct process *only);

/* Runs the step and adds what comes out; the node that it leads to, or NULL. */
struct node *step_run(struct step *step);
