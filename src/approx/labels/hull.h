/* HULL - the least and greatest value that an expression of an edge may have (rule A5).
 *
 * Operands are variables, constants and selects, as they are known before the step; what the guard
 * left of them (narrow.h) counts as long as nothing may have changed them. Calls, quantifiers and
 * operators that interval.h does not know are not followed.
 *
 * Lifetime: everything is on the stack of the caller.
 * Errors:   none; false where nothing is known.
 */
#pragma once

#include "approx/labels/label_run.h"
#include "values/interval.h"

/* Who asks: an update item of a leg, whose selects have been bound; 0 also stands for its guard. */
struct hull {
    struct label_run *run;
    const struct leg *leg;
    uint32_t number; /* of the leg */
    uint32_t item;
};

enum { HULL_MAX_LEVELS = 4 };

/* The cells that an lvalue may be: one for each combination of its uncertain indices. */
struct hull_cells {
    struct binding first;
    const struct binding *variable;
    struct index_level {
        uint32_t stride, count;
    } levels[HULL_MAX_LEVELS];
    uint32_t level_count, count;
    bool has_value; /* its cells can be read */
};

/* False if the expression is no plain path to cells, or leads to too many. */
bool hull_place(const struct hull *hull, const struct expr *expr, struct hull_cells *place);
/* The address of one of the count cells of a place. */
uint32_t hull_address(const struct hull_cells *place, uint32_t cell);
/* Over all cells that a place may be. */
bool hull_read(const struct hull *hull, const struct hull_cells *place, struct interval *result);

/* False if nothing is known, or the value may not fit 32 bits. */
bool hull_of(const struct hull *hull, const struct expr *expr, struct interval *result);
