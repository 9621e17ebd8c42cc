/* CONDITION - what all claims about an original rest on: that it has no runtime errors, at which
 * Uppaal stops. Either nothing in it can fail, or exploring has shown that nothing does, or that
 * something does; or the condition is open, and stands beside each claim.
 *
 * Lifetime: everything is borrowed.
 */
#pragma once

#include "abstract/claim/may_fail.h"
#include "explore/verdict/trace.h"

enum condition_state {
    CONDITION_OPEN,
    CONDITION_CANNOT_FAIL, /* by the values that variables can have */
    CONDITION_MET,         /* all states were explored */
    CONDITION_BROKEN       /* an error was found */
};

struct claim_condition {
    enum condition_state state;
    bool is_looked_at; /* may_fail is known */
    struct possible_errors may_fail;
    /* where it is broken and this run has found that: the first error, in a run as short as any */
    const char *error; /* "range violation"; NULL: it is not known */
    const char *file;
    struct source_location place;
    const struct network *network; /* the original, of the trace */
    const struct trace *trace;     /* or NULL: a limit was in the way */
};

/* What may fail, by the values of all variables (suggest_values); nothing is known if they are
 * NULL.
 */
struct claim_condition condition_find(struct arena *arena, struct analysis *values);
