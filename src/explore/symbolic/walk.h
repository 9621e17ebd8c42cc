/* WALK - what a part of a step looks at, way by way.
 *
 * Every way through the code of a part is followed with what is known of fields and registers:
 * constants, what was tested or assigned before, and fields that are assumed to have one value. So
 * an index is often one number where the code alone says that it may be any; and what is assigned
 * on all ways before it is read counts as written only.
 *
 * Where an index depends on a single field that nothing is assumed of, split names it: parts for
 * its values, one by one, may look at less. Where it may be split, the walk ends there.
 *
 * Invariants: over-approximates under what is assumed (footprint.h).
 * Lifetime:   in the arena given; walk_begin forgets the part before.
 * Errors:     code with too many ways, or that is interpreted: has_failed, and the marks mean
 *             nothing.
 */
#pragma once

#include "explore/successor/successor.h"

enum { FOOTPRINT_READS = 1, FOOTPRINT_WRITES = 2 };

#define FOOTPRINT_NO_FIELD UINT32_MAX

/* Only states in which a field has this value are of interest. */
struct assumption {
    uint32_t field;
    int32_t value;
};

/* A value on one way: known, or else source is the field before the step on which alone it
 * depends, or FOOTPRINT_NO_FIELD. */
struct walk_value {
    bool is_known;
    int32_t value;
    uint32_t source;
};

struct walk_field {
    uint32_t field;
    bool is_written, may_be_written;
    struct walk_value value;
};

struct walk_view {
    VEC(struct walk_field) fields; /* the others are as before the step */
    struct walk_value *registers;
};

struct walk {
    const struct program *program;
    unsigned char *marks; /* by field: FOOTPRINT_; those of the footprint */
    struct arena arena;
    struct walk_view before, now, ends; /* before the step; after the last unit; of its ways */
    bool has_end;
    struct walk_value result; /* of the ways that have an end: what a unit for a value gives */
    uint32_t register_count;  /* of the current unit */
    uint32_t depth, work;
    uint64_t total_work;
    uint32_t split;
    bool may_split, has_failed;
    bool has_scratch; /* something is not stored, and is lost between stages */
};

void walk_init(struct walk *walk, const struct program *program, unsigned char *marks);
void walk_close(struct walk *walk);

void walk_begin(struct walk *walk, const struct assumption *assumed, uint32_t count,
                bool may_split);
/* A unit that looks at the state before the step. False if it comes to its end in no state;
 * else result is what it gives. */
bool walk_guard(struct walk *walk, const struct unit *unit);
/* The next unit of the step. is_sure: the step takes place only if it has run to its end. */
void walk_unit(struct walk *walk, const struct unit *unit, bool is_sure);
/* Marks what the units so far write. */
void walk_mark_writes(struct walk *walk);
/* Forgets what was written, but not what is known: what follows counts by itself. */
void walk_next_stage(struct walk *walk);
