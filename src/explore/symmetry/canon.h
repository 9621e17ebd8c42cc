/* CANON - one state for all that differ only in who is who.
 *
 * A permutation of the elements of a network's blocks (symmetry/symmetry.h) maps states to states:
 * cells move with the elements that they belong to, and values that name elements are renamed.
 * The states that it maps to each other are an orbit; the canonical state of an orbit is one of
 * them, and a function of the orbit.
 *
 *     state ── cells that are not as they are initially
 *           ── colours of elements, by the cells that they belong to and that name them,
 *              refined until each is another one, or only twins have the same, or nothing changes
 *           ── elements of one colour: twins, whose exchange leaves the state as it is, need no
 *              choice; of the others each is tried as the first, and the least image wins
 *
 * The number of permutations that keep a state is the number of choices with the least image,
 * so that the size of the orbit is known.
 *
 * Invariants: the initial state is canonical, as all permutations keep it. Past CANON_MAX_IMAGES
 *             images the rest stays in its order: that is one of the orbit, but perhaps not the
 *             only one that is kept; is_cut says so.
 * Lifetime:   a canon lives in the arena of the layout and is read only; a canon_work is one
 *             thread's, on the heap.
 */
#pragma once

#include "explore/code/layout.h"
#include "symmetry/symmetry.h"

enum { CANON_MAX_IMAGES = 120, CANON_MAX_DEPTH = 12 };

/* A cell that permutations move, or whose values they rename. */
struct canon_cell {
    struct packed field;
    uint64_t salt;    /* of its family */
    uint64_t initial; /* its bits in the initial state */
    uint32_t coordinates[SYMMETRY_MAX_COORDINATES];
    uint32_t strides[SYMMETRY_MAX_COORDINATES];
    uint32_t coordinate_count;
    uint32_t base;          /* what strides add up to for the first elements of all blocks */
    const uint32_t *places; /* by the sum of strides: the place of a cell of the family */
    const struct symmetry_naming *naming; /* or NULL */
};

struct canon {
    const struct symmetry *symmetry;
    const struct layout *layout;
    struct canon_cell *cells;
    uint32_t count;
    uint64_t *initial;         /* by word: such cells as they are initially, */
    uint64_t *mask;            /* and their bits */
    uint32_t *place_at;        /* by bit of a state: the place of the cell */
    struct canon_quick *quick; /* tables, or NULL */
};

struct canon_work {
    const struct canon *canon;
    bool is_cut; /* some state was; never cleared here */
    /* private */
    uint32_t *changed; /* places of cells that are not as they are initially */
    uint32_t changed_count;
    uint64_t *codes;            /* by place: bits of the value, before the shift */
    uint32_t *names;            /* by place: the element that the value names, or NO_ELEMENT */
    uint64_t *image, *best;     /* by word: such cells */
    uint64_t *base, *base_sums; /* a state that others differ little from; its sums, by element */
    uint64_t *colours;          /* by depth and element */
    uint64_t *sums;             /* by element */
    uint32_t *order, *target;   /* by element */
    bool has_best, is_full;
    uint64_t count; /* choices that lead to the best image */
    uint32_t images;
    uint64_t **images_of; /* by permutation: its table, or NULL */
    uint32_t *uses;       /* by permutation, until it has a table */
};

struct canon *canon_new(struct arena *arena, const struct layout *layout,
                        const struct symmetry *symmetry);
void canon_work_init(struct canon_work *work, const struct canon *canon);
void canon_work_close(struct canon_work *work);

/* A state of stored words that those looked at from now on differ little from: what is the same is
 * not looked at again. */
void canon_base(struct canon_work *work, const uint64_t *words);

/* Replaces a state of stored words by the canonical one. */
void canon_apply(struct canon_work *work, uint64_t *words);
/* How many states are mapped to each other with this one. */
uint64_t canon_orbit_size(struct canon_work *work, const uint64_t *words);

/* Makes the ranges of cells alike that permutations map to each other. */
void canon_align(const struct symmetry *symmetry, struct guess *guesses);
