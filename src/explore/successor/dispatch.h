/* DISPATCH - where a process is, and the rows and groups of what it can do there.
 *
 * Plain actions are rows of numbers (quick.h); rows that look at the same part of the state are a
 * group (memo.h). A program holds the tables, a run looks up the ranges.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { QUICK_WORDS = 4 }; /* of a state whose actions can be rows */

/* A range of an array. */
struct row_range {
    uint32_t first, count;
};

/* A tree of rows: those that may be enabled are found by the values of fields that they test. */
struct row_tree {
    uint64_t mask; /* of the field's bits where they are; 0: a leaf */
    uint32_t word, shift;
    const struct row_tree *next; /* by bits of the field */
    struct row_range rows;       /* of a leaf */
};

/* Where a process is, and what it can do there. */
struct dispatch {
    uint64_t mask;
    uint32_t word, shift;
    const struct row_range *ranges; /* by location */
    const struct row_tree **trees;  /* of rows, by location: NULL where there are few */
};

static inline const struct row_range *dispatch_range(const struct dispatch *dispatch,
                                                     const uint64_t *words) {
    return &dispatch->ranges[words[dispatch->word] >> dispatch->shift & dispatch->mask];
}

/* The rows that may be enabled in a state. */
static inline const struct row_range *dispatch_rows(const struct dispatch *dispatch,
                                                    const uint64_t *words) {
    uint64_t location = words[dispatch->word] >> dispatch->shift & dispatch->mask;
    const struct row_tree *tree = dispatch->trees[location];
    if (!tree) return &dispatch->ranges[location];
    while (tree->mask) tree = &tree->next[(words[tree->word] & tree->mask) >> tree->shift];
    return &tree->rows;
}

/* Rows with one key. */
struct memo_group {
    uint64_t mask[QUICK_WORDS]; /* the key's bits; over: all that its actions look at */
    uint32_t turn[QUICK_WORDS]; /* rotations of the words that make one number of them */
    struct row_range *rows;     /* of the program */
    uint32_t range_count, row_count;
    bool has_key;
};

/* A process: one group, or groups by location. */
struct memo_process {
    struct memo_group whole;
    struct dispatch dispatch; /* to groups of the program */
    uint32_t location_count;
};
