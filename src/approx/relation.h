/* RELATION - which slots of a process are analysed together (rule A3).
 *
 * Classes of slots, found by running: two removed slots belong together if one guard reads both
 * or a value flows from one to the other. As soon as a run joins classes, the fixpoint is to be
 * computed anew with the groups made of them.
 */
#pragma once

#include "approx/labels/label_run.h"

struct relation {
    struct analysis *analysis;
    uint32_t *parent;         /* by slot: union-find */
    uint32_t *by_guards;      /* the same, without what the options relate: of shared slots */
    bool *is_single;          /* by slot: its relation had too many tuples (A5) */
    bool has_united;          /* local ones, since groups were built */
    uint32_t candidate_count; /* removed slots */
};

void relation_init(struct relation *relation, struct analysis *analysis);

/* The slot that stands for the class of a slot. */
uint32_t relation_root(uint32_t *parent, uint32_t slot);

/* Joins the removed slots that the current run has touched; only: of these variables, or NULL for
 * those of a guard, among which shared ones are joined with each other, too. */
void relation_unite_touched(struct relation *relation, const struct label_run *run,
                            const struct effects *only);

/* Groups of the tracked local slots, by process. */
void relation_build_groups(struct relation *relation);

/* Slots of groups that overflowed stand alone from now on. True if there were any. */
bool relation_separate_overflowed(struct relation *relation);
