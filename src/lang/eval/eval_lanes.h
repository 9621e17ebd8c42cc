/* EVAL LANES - one evaluation for many values of a cell at once.
 *
 * A lane is an evaluation with input of its own. All lanes go through the instructions of an
 * expression together, each as long as it is where they are; so what an instruction costs beside
 * its work is paid once. Only code without loops, calls, elements whose index is computed and
 * questions about locations can be run so.
 *
 * A cell that a lane reads first has the value that the caller gives for it. Where the caller gives
 * none, the lane is refused: what it does counts for nothing, and the caller evaluates it alone.
 *
 * Invariants: a lane that is not refused has the value, fault and writes of the interpreter, in the
 *             same order, and knows the cells that it has read or written.
 * Lifetime:   no memory is kept; codes live in the arena of their environment.
 */
#pragma once

#include "lang/eval/eval.h"

enum {
    LANE_COUNT = 128,
    LANE_MAX_CELLS = 12,
    LANE_MAX_REGISTERS = 40,
    LANE_MAX_WRITES = 12,
    LANE_NEVER = 0, /* a mask has one of these for each lane */
    LANE_ALWAYS = -1
};

enum lane_input {
    LANE_GIVEN,
    LANE_REFUSED,   /* those that read it first */
    LANE_IMPOSSIBLE /* no lane may even name the cell */
};

struct lane_cell {
    uint32_t address;
    enum lane_input input;
    int32_t first[LANE_COUNT]; /* what is given */
    int32_t values[LANE_COUNT];
    int32_t known[LANE_COUNT]; /* mask: was read or written */
    int32_t read[LANE_COUNT];  /* mask: was read before it was written */
};

struct lane_write {
    const struct lane_cell *cell;
    int32_t values[LANE_COUNT];
    int32_t mask[LANE_COUNT];
};

struct lanes {
    /* The values of a cell in all lanes before they begin. */
    enum lane_input (*input)(void *context, uint32_t address, int32_t *first);
    void *context;
    int32_t alive[LANE_COUNT];   /* mask: runs what comes next */
    int32_t refused[LANE_COUNT]; /* mask */
    int32_t faulty[LANE_COUNT];  /* mask: the last evaluation ended with a fault */
    bool has_faults;             /* some are */
    const int32_t *value;        /* of the last evaluation, in lanes that are still alive */
    struct lane_cell cells[LANE_MAX_CELLS];
    struct lane_write writes[LANE_MAX_WRITES]; /* in their order */
    uint32_t cell_count, write_count;
    int32_t registers[LANE_MAX_REGISTERS][LANE_COUNT];
};

struct eval_code;

/* The code of an expression in the present process and frame; NULL if lanes cannot run it. Between
 * evaluations of an environment in which they are made again (is_fixed). */
const struct eval_code *eval_straight_code(struct environment *environment, const struct expr *expr,
                                           bool is_effect);

/* So many lanes, which know nothing yet. */
void lanes_begin(struct lanes *lanes, uint32_t count);
/* One evaluation of all that are alive. Those that fault or are refused are alive no more. False if
 * there is no room for it, or a cell is impossible: then all of them are to be run alone. */
bool lanes_run(struct lanes *lanes, const struct eval_code *code);
/* Only those of which the last value is not 0 are alive from now on. */
void lanes_keep_true(struct lanes *lanes);
/* Whether one of the first so many lanes is in the mask. */
bool lanes_any(const int32_t *mask, uint32_t count);
