/* ROWS - the rows of a grid: which abstractions are asked for, and what a result says of them.
 *
 * Lifetime: in the arena given; texts of the request are borrowed.
 */
#pragma once

#include "grid/cell.h"
#include "report/grid/grid_table.h"

/* An abstraction, or for the first row the original. */
struct grid_asked {
    const char *name;
    enum mode mode;
    bool is_original, has_mode, is_auto;
    enum request_list list; /* the argument is one of this list; unused with is_auto */
    const char *argument;
};

/* The original, then each removal, merge and spec of a request by itself, then what is chosen for
 * it; with both kinds of abstraction each twice. The number of them goes to *count. */
struct grid_asked *rows_asked(const struct command_request *request, struct arena *arena,
                              uint32_t *count);

/* Takes the result of command_abstract into the row. */
void row_take_abstraction(struct grid_row *row, const struct cell_result *made,
                          struct arena *arena);

/* The queries of a grid, and what is asked of them. */
struct grid_queries {
    uint32_t count;
    const char *semantics; /* of runs: "uppaal" or "kripke" */
};
/* Takes the result of command_check into the row. made: the cell of its abstraction, NULL for the
 * original; is_lost: by query, it is not one of the abstraction. */
void row_take_check(struct grid_row *row, const struct cell_result *checked,
                    const struct cell_result *made, const bool *is_lost,
                    const struct grid_queries *queries, struct arena *arena);
