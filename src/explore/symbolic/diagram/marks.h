/* MARKS - which levels of a vector an operation looks at and changes.
 *
 * A chain of marks has one for each level from some level on; MARKS_NONE stands for levels that are
 * all skipped. Chains with the same rest share it, so that operations with the same rest share
 * what is remembered of them: the number of a chain is part of what results are found by.
 *
 * Invariants: equal chains have the same number; the last mark of a chain is no MARK_SKIP.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "base/vec.h"

#include <stdbool.h>

enum mark_kind { MARK_SKIP, MARK_READ, MARK_WRITE, MARK_READ_WRITE };
enum { MARKS_NONE };
#define MARKS_UNMADE UINT32_MAX /* no chain yet */

struct mark {
    uint32_t level, next;
    enum mark_kind kind;
};
/* The marks in front of one, by kind; MARKS_NONE where there is none yet. */
struct marks_before {
    uint32_t of[MARK_READ_WRITE + 1];
};

struct marks {
    struct arena *arena;
    VEC(struct mark) items;
    VEC(struct marks_before) before; /* by mark */
    VEC(struct marks_before) last;   /* by level, of marks with nothing after */
};

void marks_init(struct marks *marks, struct arena *arena);
/* The chain for the levels from to count - 1, with the kinds given by level. */
uint32_t marks_chain(struct marks *marks, const unsigned char *kinds, uint32_t from,
                     uint32_t count);

/* A chain with all levels in front of it, which are skipped. */
uint32_t marks_from_first(struct marks *marks, uint32_t chain);

static inline bool mark_reads(enum mark_kind kind) {
    return kind == MARK_READ || kind == MARK_READ_WRITE;
}
static inline bool mark_writes(enum mark_kind kind) { return kind >= MARK_WRITE; }
