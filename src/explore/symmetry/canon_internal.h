/* CANON INTERNAL - what canon.c and canon_quick.c make canonical states with.
 *
 * canon.c        colours, choices and images by single cells: any state
 * canon_quick.c  colours and images by tables of neighbouring cells: states whose elements get
 *                different colours at once, or of which only twins have the same, or few orders
 *                are left to be tried
 *
 * Invariants: which of them makes the canonical state depends on the orbit alone.
 */
#pragma once

#include "explore/symmetry/canon.h"

enum { QUICK_MAX_ELEMENTS = 16 };

static inline uint64_t canon_mix(uint64_t x) {
    x ^= x >> 31;
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 29;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 32;
}

/* The element that bits of a cell name, or NO_ELEMENT. */
uint32_t canon_name(const struct canon_cell *cell, uint64_t code);
/* Adds what a cell with these bits, which name an element or NO_ELEMENT, says of elements. */
void canon_add_look(const struct canon_cell *cell, uint64_t code, uint32_t name,
                    const uint64_t *colours, uint64_t *sums);
/* The cell that a cell goes to where elements go to their targets, and its bits there. */
const struct canon_cell *canon_goal(const struct canon *canon, const struct canon_cell *cell,
                                    const uint32_t *target);
uint64_t canon_code(const struct canon_cell *cell, uint64_t code, uint32_t name,
                    const uint32_t *target);

/* Tables of a canon; NULL where they would be too large. */
struct canon_quick *canon_quick_new(struct arena *arena, const struct canon *canon);
/* Begins and ends the images of a worker. */
void canon_quick_open(struct canon_work *work);
void canon_quick_close(struct canon_work *work);

/* Makes the sums of the base those of another one. */
void canon_quick_base(struct canon_work *work, const uint64_t *words);

/* How far tables alone bring a state. */
enum quick_outcome {
    QUICK_UNKNOWN, /* some have the same colour that may be no twins */
    QUICK_ORDERED, /* work->order has the elements in the order of their colours */
    QUICK_DONE     /* the canonical state, or the number of orders, is known */
};

/* words: the canonical ones, if done. */
enum quick_outcome canon_quick_apply(struct canon_work *work, uint64_t *words);
/* *orders: permutations that keep the state, unless that is unknown. */
enum quick_outcome canon_quick_orders(struct canon_work *work, const uint64_t *words,
                                      uint64_t *orders);

/* Puts the elements of each block into the order of their colours; returns how many colours there
 * are in all. */
uint32_t canon_sort(struct canon_work *work, const uint64_t *colours);
