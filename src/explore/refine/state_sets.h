/* STATE SETS - sets of abstract states that a trace can lead to, closed under hidden steps (rule
 * R4.1).
 *
 * Invariants: members are ascending rows; equal sets have one number. Set 0 is empty.
 * Lifetime:   heap memory until state_sets_close; the LTS is borrowed, and expanded as needed:
 * every member of a set is. Errors:     functions give NO_SET if something is in the way: see the
 * LTS and the ledger.
 */
#pragma once

#include "explore/graph/lists.h"
#include "explore/refine/lts.h"

enum { SET_EMPTY = 0 };
#define NO_SET UINT32_MAX

struct state_set {
    uint64_t signature;
    uint32_t count;
    bool has_error; /* some evaluation fails in a member */
};

/* A step of a set that was asked for before. */
struct known_step {
    uint32_t set, label, target;
};

struct state_sets {
    struct lts *lts;
    struct ledger *ledger;
    struct state_set *items;
    struct lists lists;       /* of rows, by number of the set */
    uint32_t *closure;        /* by row: the set of what it leads to without an action, plus one */
    uint32_t *marks;          /* by row: the round in which it was met */
    uint32_t *work;           /* the current rows */
    struct known_step *known; /* KNOWN_STEPS of them */
    uint32_t count, round, largest;
};

bool state_sets_open(struct state_sets *sets, struct lts *lts, struct ledger *ledger);
void state_sets_close(struct state_sets *sets);

/* The set of one row and what hidden steps lead to. */
uint32_t state_sets_closure(struct state_sets *sets, uint32_t row);
/* The set of successors of a set by an action. */
uint32_t state_sets_step(struct state_sets *sets, uint32_t set, uint32_t label);
/* Whether each member of the first is one of the second. */
bool state_sets_include(const struct state_sets *sets, uint32_t inner, uint32_t outer);

static inline const uint32_t *set_members(const struct state_sets *sets, uint32_t set) {
    return (const uint32_t *)(const void *)sets->lists.items + sets->lists.first[set];
}
