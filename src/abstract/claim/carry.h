/* CARRY - which verdicts on a query of the abstraction are those of the original, and why. */
#pragma once

#include <stdbool.h>

struct carry {
    bool satisfied, violated; /* under: whether this verdict holds for the original */
    const char *reason;
    const char *help; /* what would carry over more; NULL = nothing to say */
    bool relies;      /* on the original having no runtime errors, which is not known */
    bool is_assumed;  /* L3: on the original being never stuck, as the user says */
    bool lacks_ends;  /* it would if the original had no step only where the abstraction has none */
};
