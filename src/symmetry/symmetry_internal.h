/* SYMMETRY INTERNAL - what the search for blocks is made of.
 *
 * symmetry.c     the way from a network to its blocks
 * blocks.c       elements of sorts, copies, and exchanges that are tried
 * coordinates.c  what the blocks mean for cells and values
 */
#pragma once

#include "symmetry/moves.h"
#include "symmetry/receivers.h"
#include "symmetry/symmetry.h"

/* A block while it is looked for. */
struct found_block {
    uint32_t root; /* of its sort, or NO_SLOT for copies */
    VEC(int64_t) elements;
    VEC(struct moves)
    moves;         /* of the exchange of the first element and each; that of the first
                                is empty */
    bool is_idle;  /* no exchange moves or renames anything */
    bool is_tried; /* some is */
};

struct block_finder {
    struct arena *arena;
    const struct network *network;
    struct sorts sorts;
    struct receiving *receivers;
    const struct query *queries;
    uint32_t query_count;
    bool tries;              /* exchanges of receivers that may not commute */
    bool meets_orders;       /* some are such */
    struct model_text plain; /* without exchange */
    struct name_exchange none;
    uint64_t text_size, text_budget;
    VEC(struct found_block) blocks;
    struct map reasons;   /* by root plus one: struct block_reason */
    struct map occurring; /* root and element, if some cell starts with it or the text has it */
};

struct block_reason {
    const char *why;
    struct span at;
    bool is_cut; /* by a range or a constant: not said if there is another reason */
};

void find_blocks(struct block_finder *finder);
/* Fills cells, families and namings; false if the blocks are too large for that. */
bool find_coordinates(struct block_finder *finder, struct symmetry *symmetry);

/* Where a family has the cell of these coordinates. */
uint32_t family_place(const struct symmetry *symmetry, const struct symmetry_family *family,
                      const uint32_t *coordinates);
