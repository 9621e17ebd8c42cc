/* VIEW - the visible part of states (explore/visible/visible.h), packed alike for both models.
 *
 * Invariants: visible parts of two states are equal words exactly where the states look the same.
 * Lifetime:   in the arena given; the visible part is borrowed.
 * Errors:     none.
 */
#pragma once

#include "explore/visible/visible.h"

/* A value that is exchanged while a process is where another piece has this code (NULL: always),
 * and the key, if there is one, has a value that counts. */
struct view_exchange {
    const struct exchange *exchange;
    const struct view_piece *key;
    const struct view_piece *process;
    uint32_t code;
    const struct view_exchange *next;
};

/* One field of a state, and where it goes. */
struct view_piece {
    uint64_t mask; /* 0: the value is always lower */
    uint32_t word, shift;
    int32_t lower;
    const uint32_t *codes; /* of locations, or NULL: as they are */
    const struct view_exchange *exchange;
    uint32_t to_word, to_shift;
    int32_t to_lower;
};

/* Bits of a word that are moved together: pieces whose values are added to base as they are. */
struct view_move {
    uint64_t mask;
    uint32_t word, to_word;
    uint32_t up; /* places, round the word */
};

struct view {
    struct view_piece *pieces[SIDE_COUNT];
    uint32_t piece_count;
    uint64_t *base[SIDE_COUNT]; /* word_count words: what is the same in all states */
    struct view_move *moves[SIDE_COUNT];
    uint32_t *others[SIDE_COUNT]; /* pieces that are not moved */
    uint32_t move_counts[SIDE_COUNT], other_counts[SIDE_COUNT];
    uint32_t word_count, byte_count; /* of visible parts, as in a layout */
};

void view_init(struct view *view, struct arena *arena, const struct visible *visible,
               const struct layout *concrete, const struct layout *abstract);
/* The visible part of a packed state. */
void view_project(const struct view *view, enum side side, const uint64_t *state, uint64_t *words);
