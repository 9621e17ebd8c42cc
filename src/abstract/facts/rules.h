/* RULES - what makes an abstraction a may-, a must- or a lower one: one row of a table each.
 *
 * A may-abstraction has at least the steps of the original (over), a must-abstraction at most them
 * (under). A mixed one is a may-abstraction that says of its edges which are those of a
 * must-abstraction, too (MX1). The paper's lower construction is meant to be under, too, but
 * nothing follows from it.
 */
#pragma once

#include <stdbool.h>

enum mode { MODE_MAY, MODE_MUST, MODE_LOWER, MODE_MIXED };

struct fold_rules {
    const char *name;           /* as the reports have it */
    bool is_universal;          /* U1: a step is there if it is for every tuple; else for some */
    bool receivers_decline;     /* M3: a broadcast receiver may stay away */
    bool blocks_sends;          /* U2: no sends where who receives depends on removed values */
    bool is_searched;           /* for a restriction under which more is kept (must/search.h) */
    bool is_confined;           /* steps stay for the values of the lower sets (fold/lower.h), and
                                   edges into a scope always reset */
    bool is_mixed;              /* edges get marks; over value sets that invariants over removed
                                   slots do not refine (MX4) */
    bool guards_visible_errors; /* changed edges get the no-error conditions of visible updates */
    const char *disclaimer;     /* why it is never exact, and claims nothing; NULL = it may */
    const struct fold_rules *when_inexact; /* folded again by them if it is not exact, or NULL */
};

const struct fold_rules *rules_of(enum mode mode);
/* The mode that has the name. */
enum mode mode_named(const char *name);
