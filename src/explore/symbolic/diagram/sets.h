/* SETS - operations on sets of vectors (ldd.h), by chains of marks (marks.h).
 *
 * Chains start at the level of the set. A short vector has the values of the levels that a chain
 * reads, in their order; a relation has, for each marked level in order, the value that is read, if
 * the level is read, and then the value that is written, if it is written.
 *
 * Errors: none; past a limit the results mean nothing (ldd_is_over).
 */
#pragma once

#include "explore/symbolic/diagram/ldd.h"
#include "explore/symbolic/diagram/marks.h"

enum { SETS_MAX_CHAINS = 1 << 24 }; /* that images and preimages can tell apart */

/* The set of one vector. */
uint32_t set_of(struct ldd *ldd, const uint32_t *values, uint32_t count);
/* Vectors of one length, in any order, that become a set all at once: to add them one by one would
 * copy lists each time. Heap memory, freed by set_rows_close; starts as zeros. */
struct set_rows {
    uint32_t *values, *order;
    uint32_t count, length;
    size_t capacity, order_capacity;
};
uint32_t *set_rows_add(struct set_rows *rows); /* room for the values of one more */
uint32_t set_of_rows(struct ldd *ldd, struct set_rows *rows);
void set_rows_close(struct set_rows *rows);

bool set_has(const struct ldd *ldd, uint32_t set, const uint32_t *values, uint32_t count);
/* The least vector of a set that is not empty. */
void set_first(const struct ldd *ldd, uint32_t set, uint32_t *values, uint32_t count);

uint32_t set_union(struct ldd *ldd, uint32_t a, uint32_t b);
uint32_t set_minus(struct ldd *ldd, uint32_t a, uint32_t b);
uint32_t set_intersect(struct ldd *ldd, uint32_t a, uint32_t b);

/* The short vectors of a set. */
uint32_t set_project(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t chain);
/* The vectors whose short vector is in a set of short vectors; and those whose is not. */
uint32_t set_match(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t of_short,
                   uint32_t chain);
uint32_t set_unmatch(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t of_short,
                     uint32_t chain);

/* Successors by a relation; and another set with them. */
uint32_t set_image(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t relation,
                   uint32_t chain);
uint32_t set_image_onto(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t relation,
                        uint32_t chain, uint32_t onto);
/* The subset of a set that has a successor in another one. */
uint32_t set_preimage(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t target,
                      uint32_t relation, uint32_t chain);
/* The subset of a set that has the vector as a successor; serial: another number for each
 * vector. */
uint32_t set_before(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t relation,
                    uint32_t chain, const uint32_t *vector, uint32_t count, uint32_t serial);
