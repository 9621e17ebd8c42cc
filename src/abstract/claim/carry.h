/* CARRY - which verdicts on a query of the abstraction are those of the original, and why. */
#pragma once

#include <stdbool.h>

struct carry {
    bool satisfied, violated; /* under: whether this verdict carries over */
    const char *reason;
    const char *help; /* what would carry over more; NULL = nothing to say */
    bool relies;      /* on the original having no runtime errors, which is not known */
    bool is_assumed;  /* it relies on the user, who says that the original is never stuck (L3) */
    /* it would carry over if the original were stuck only where the abstraction is (L2) */
    bool lacks_ends;
};
