/* SYMMETRY - names and processes of a network that may change places (rules Y1 to Y12).
 *
 * A block is a set of elements that may be permuted as one likes: names of a sort, or processes
 * that are copies of each other. A permutation of the elements of all blocks moves cells and
 * processes and renames values; it maps the steps of every state to those of its image, keeps the
 * initial state, and keeps the value of each of the given queries in every state.
 *
 * Invariants: every block has two elements at least; blocks are disjoint and independent.
 *             size, the number of permutations, is below 2^62.
 * Lifetime:   in the arena given; the network and queries are borrowed.
 * Errors:     under-approximates: what is not seen to be symmetric is in no block.
 */
#pragma once

#include "symmetry/receivers.h"

enum { SYMMETRY_MAX_COORDINATES = 3 };
#define NO_ELEMENT UINT32_MAX

struct symmetry_block {
    uint32_t first, count; /* elements */
    const char *name;      /* of their type, or of the template of copies */
    bool are_copies;
    bool is_tried;         /* only while orders of receivers agree, see below */
    const int64_t *values; /* of the elements as the type names them; of copies: processes */
};

/* A slot, or, after all slots, the location of a process. */
struct symmetry_cell {
    uint32_t
        coordinates[SYMMETRY_MAX_COORDINATES]; /* elements that it belongs to, different ones */
    uint32_t coordinate_count;
    uint32_t family; /* cells that permutations map to each other */
    uint32_t naming; /* which namings its values are from, or NO_ELEMENT */
};

/* The elements that numbers name in some cells. */
struct symmetry_naming {
    int64_t lower; /* the first number */
    uint32_t count;
    const uint32_t *elements; /* by number: an element, or NO_ELEMENT */
    const int64_t *values;    /* by element: its number */
};

/* The cells of a family by their coordinates, the first one most significant. */
struct symmetry_family {
    uint32_t coordinate_count;
    uint32_t blocks[SYMMETRY_MAX_COORDINATES];
    const uint32_t *cells; /* by places of coordinates in their blocks; NO_SLOT = none */
    uint32_t first;        /* the first cell */
};

/* A parameter of a template that has processes, and why its values may not all change places. */
struct symmetry_parameter {
    const struct template *template;
    const struct symbol *symbol;
    const char *why; /* NULL = they may */
    struct span at;  /* empty if it is no place of the text */
};

/* A type that the model names, of places that hold names of something; all its values may change
 * places in each of them, or why not. */
struct symmetry_type {
    const struct symbol *symbol;
    int64_t lower, upper;
    const char *why; /* NULL = they may */
    struct span at;
};

/* A range or a size that is written out where its values are those of such a type. */
struct symmetry_range {
    const struct symbol *type;
    struct span span;
};

struct symmetry {
    const struct network *network;
    struct symmetry_block *blocks;
    uint32_t block_count;
    uint32_t element_count;
    uint32_t *block_of; /* by element */
    uint64_t size;
    struct symmetry_cell *cells; /* slot_count, then process_count */
    uint32_t cell_count;
    struct symmetry_family *families;
    uint32_t family_count;
    struct symmetry_naming *namings;
    uint32_t naming_count;
    struct symmetry_parameter *parameters;
    uint32_t parameter_count;
    struct symmetry_type *types;
    uint32_t type_count;
    struct symmetry_range *ranges;
    uint32_t range_count;
    const enum receiver_order *orders; /* by two processes, p * process_count + q; NULL = certain */
    bool meets_orders;                 /* else symmetry_find_tried finds no more */
    const char *refusal;               /* why nothing was looked for, or NULL */
};

/* Bytes of text that may be written in the search for exchanges that change none. */
enum { SYMMETRY_QUICK_LOOK = 1 << 22, SYMMETRY_LONG_LOOK = 1 << 25 };

/* Queries may be none; those that are invalid are not looked at. */
struct symmetry *symmetry_find(struct arena *arena, const struct network *network,
                               const struct query *queries, uint32_t count, uint64_t most_text);
/* The same symmetry, and what may change places if it does not matter in which order processes
 * receive a broadcast (Y9). Where there are orders, it holds for a run if in each of its states the
 * receivers of each broadcast come to the same in all orders that permutations make of them: those
 * in which no two change places that are KEPT. */
struct symmetry *symmetry_find_tried(struct arena *arena, const struct network *network,
                                     const struct query *queries, uint32_t count,
                                     uint64_t most_text);

/* The cell that a cell goes to where two elements of one block change places. */
uint32_t symmetry_image(const struct symmetry *symmetry, uint32_t cell, uint32_t left,
                        uint32_t right);

/* "voter_t {1,2,3,4}". */
char *symmetry_block_text(const struct symmetry *symmetry, const struct symmetry_block *block,
                          struct arena *arena);
/* All of them, with commas between; "none". */
const char *symmetry_blocks_text(const struct symmetry *symmetry, struct arena *arena);
