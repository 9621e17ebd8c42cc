/* FOOTPRINT - the fields of a state that parts of steps read and write.
 *
 * What is written only on some ways through a part counts as read as well: its value may stay.
 * Fields are those of the layout that are stored and have bits; one more stands for the number of
 * processes in committed locations, on which it depends what steps are possible.
 *
 * Invariants: over-approximates; a part behaves the same on states that agree on what it reads, and
 *             leaves alone what it does not write.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "explore/symbolic/walk.h"

/* The columns of the vectors of states: fields, and the number of committed processes after
 * them. */
static inline uint32_t committed_field(const struct layout *layout) { return layout->field_count; }

struct footprint {
    const struct program *program;
    unsigned char *marks; /* by field: FOOTPRINT_ */
    uint32_t split; /* a field of which something has to be assumed, too; the marks mean nothing */
    bool is_idle;   /* the part does nothing where all that is assumed holds */
    /* private */
    struct walk *walk;
    bool is_walking;
};

/* One of several parts of a step, which run one after the other: each finds what the parts before
 * it have left. */
struct stage {
    struct step_part part;
    unsigned char *marks; /* by field: FOOTPRINT_ */
};

/* Freed by footprint_close. */
void footprint_init(struct footprint *footprint, struct arena *arena,
                    const struct program *program);
void footprint_close(struct footprint *footprint);
/* Finds the fields that one part of a step reads and writes where all assumptions hold; fields that
 * are assumed count as read. If it may be split: perhaps instead a field to split it by, as the
 * part may read less where the value of that field is assumed. */
void footprint_of(struct footprint *footprint, const struct step_part *part,
                  const struct assumption *assumed, uint32_t count, bool may_split);

/* The stages of a broadcast, where all that is assumed holds: the sender, then process by process
 * who may receive. The same as the whole as long as no stage fails and no process can receive in
 * more than one way, which is not known here. 0 if it has none: guards look at what was written
 * before, hooks or invariants look at the whole, or it matters who takes part. */
uint32_t footprint_stages(struct footprint *footprint, struct arena *arena,
                          const struct step_part *part, const struct assumption *assumed,
                          uint32_t count, struct stage **stages);
