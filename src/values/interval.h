/* INTERVAL - arithmetic on the least and greatest value of an expression (rule A5). */
#pragma once

#include "values/enumerate.h"

/* The least and greatest of some values of 32 bits; a result may have more bits. */
struct interval {
    int64_t lower, upper;
};

struct interval interval_unite(struct interval left, struct interval right);
bool interval_fits(struct interval interval);

/* The interval of the known values of a cell; false if none is known, or there is no value. */
bool interval_of_domain(struct cell_domain domain, uint32_t address, struct interval *result);

/* The results of a binary operator for operands that fit, apart from errors. False if it is one of
 * which nothing is known, or always an error. */
bool interval_operate(enum op op, struct interval left, struct interval right,
                      struct interval *result);

/* Whether an expression without side effects is 0 or 1, by its kind. */
bool interval_is_condition(const struct expr *expr);
