/* ROWS - a graph as lists: the steps of one row after those of the other.
 *
 * Rows are those of a complete search, or what the user adds. A step leads to a row, and may have a
 * label, which is a number of the user's. Targets may be rows that never come.
 *
 * Invariants: the steps of row i are those from first[i] on to before first[i + 1].
 * Lifetime:   memory of the ledger, given back by rows_close. With nothing but a ledger, and
 *             has_labels, rows are empty.
 * Errors:     functions give false at a limit, which the ledger notes.
 */
#pragma once

#include "explore/graph/ledger.h"

struct row_steps {
    struct ledger *ledger;
    bool has_labels;
    uint32_t count;
    uint64_t step_count;
    uint64_t *first;            /* by row, count + 1 of them */
    uint32_t *targets, *labels; /* by step */
};

void rows_close(struct row_steps *rows);

/* Steps come before their row: all of the next one, and then it. */
bool rows_add_step(struct row_steps *rows, uint32_t target, uint32_t label);
bool rows_add_row(struct row_steps *rows);

/* Leaves the number of steps of each row. */
void rows_forget_targets(struct row_steps *rows);

/* Makes the rows of the same steps backwards, without labels. Close it either way. */
bool rows_turn(struct row_steps *back, const struct row_steps *rows);

/* The way in which the steps of a search become rows. */
struct rows_plan {
    const struct search *search; /* complete; rows of gaps have no steps */
    struct expander *expander;
    uint64_t *state; /* with scratch words: what the functions see as the state that was expanded */
    bool is_sorted;  /* steps by label, and then by target, each once */
    bool idles;      /* a row without steps has one to itself, of label 0 */
    /* Or NULL: called when a row was expanded; false ends it, without steps after this one. */
    bool (*expanded)(void *context, uint32_t row);
    /* The label of a step, by its number in the expansion and its target; NULL: 0. The expander has
     * the expansion only if it is recording, for rows are looked up together otherwise. */
    uint32_t (*label)(void *context, uint32_t step, uint32_t target);
    /* Or NULL: called when the steps of a row were found, as label and as expanded are. */
    bool (*finish)(void *context, uint32_t row);
    void *context;
};

/* The rows that the steps of the state that was expanded lead to, in the order of its successors;
 * there is room for them. */
void rows_of_successors(const struct expander *expander, const struct store *store, uint64_t *rows);

/* In ascending order. */
void sort_keys(uint64_t *keys, uint32_t count);

bool rows_explore(struct row_steps *rows, const struct rows_plan *plan);

static inline uint32_t rows_degree(const struct row_steps *rows, uint32_t row) {
    return (uint32_t)(rows->first[row + 1] - rows->first[row]);
}
