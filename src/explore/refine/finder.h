/* FINDER - the steps of states, before anything of them has a number.
 *
 * States are expanded one after the other, and what comes out is kept until finder_clear: where a
 * step leads to, what it is called and which constraints it is of. Rows, labels and sets get their
 * numbers from whoever takes it (lts.h), so that several threads can find steps at once.
 *
 * Lifetime: heap memory, freed by finder_close. Program, labeller and marker are borrowed.
 * Errors:   finder_run gives false if something is in the way, and why is in is_fault and the
 *           expander; what comes out of that state is not kept.
 */
#pragma once

#include "explore/fair/constraint.h"
#include "explore/refine/label.h"
#include "explore/visible/graph.h"

struct found_step {
    uint64_t hash;                 /* of the state that it leads to */
    uint64_t tags;                 /* set of constraints */
    uint32_t label;                /* NO_LABEL: one of these values */
    uint32_t action, first, count; /* in values */
};

/* A state that was expanded; its successors in the expander have the numbers of its steps. */
struct found_row {
    uint32_t first, count; /* in steps */
    uint64_t error_count;
    struct fault first_error;
};

struct step_finder {
    struct expander expander;
    struct labeller labeller;
    struct fair_marker marker;
    bool has_marker;
    uint64_t *state; /* that is expanded, with scratch words */
    struct arena arena;
    VEC(struct found_row) rows;
    VEC(struct found_step) steps;
    VEC(int32_t) values;
    bool is_fault; /* a value of an action cannot be evaluated: the fault is the machine's */
};

/* When everything is compiled. marker NULL: nobody asks for constraints. */
void finder_init(struct step_finder *finder, const struct labeller *labeller,
                 const struct fair_marker *marker, const struct ledger *ledger);
void finder_close(struct step_finder *finder);

void finder_clear(struct step_finder *finder);
/* Expands a row of a store that nobody changes meanwhile; the result is the last of rows. */
bool finder_run(struct step_finder *finder, const struct store *store, uint32_t row);

/* The name of the step. */
void finder_key(const struct step_finder *finder, const struct found_step *step,
                struct label_key *key);
