/* CHOICE - output edges that choose from very many values of removed variables.
 *
 * Lifetime: names live as long as the abstraction.
 * Errors:   none.
 */
#pragma once

#include "abstract/fold/model.h"

/* Past this the output is mostly slower to explore than the original. */
enum { CHOICE_MOST_VALUES = 1000 };

struct wide_choice {
    /* the source edge of the output edge that chooses from the most values; NULL: none chooses
     * from so many */
    const struct open_edge *open;
    const char *variable; /* of its widest select */
    uint64_t values;      /* combinations that it chooses from; UINT64_MAX: or more */
    uint32_t edges;       /* that choose from more than CHOICE_MOST_VALUES */
};

struct wide_choice choice_widest(const struct abstraction *abstraction);
/* "65536 values", or "over 10^19 values". */
const char *choice_values(const struct wide_choice *choice, struct arena *arena);

/* Names all variables that such edges choose values of; NULL if there is no such edge. In the arena
 * of the abstraction. */
const char *choice_problem(const struct abstraction *abstraction);
