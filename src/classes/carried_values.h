/* CARRIED VALUES - what keeps its value over an update that does not write it (V3).
 *
 * Values that are apart in the point after must be so in the point before. A keyed slot (key.h)
 * gets from one point to another by the location, and by what becomes of its key.
 */
#pragma once

#include "classes/edge_function.h"

/* From a point before the update to one after it. */
struct carried_value {
    uint32_t slot;
    uint32_t key; /* slot of the key that counts in one of the points, or NO_SLOT */
    struct class_point *before;
    const struct class_point *after;
};

typedef void (*carried_found)(void *context, struct carried_value carried);

/* Calls back with each slot of which values are apart after the update of the function and not
 * before, whether it is written or not: of all variables whose points the function's own process
 * tells apart; of one of them, by its first slot; and of others: in transit, or keyed. A key is
 * left as it is, or, if it may be written, becomes any of its values. */
typedef bool (*slot_may_be_written)(const void *context, uint32_t slot);
void each_carried_own(const struct points *points, const struct function_part *function,
                      carried_found found, void *context);
void each_carried_cell(const struct points *points, const struct function_part *function,
                       uint32_t slot, carried_found found, void *context);
void each_carried_other(const struct points *points, const struct function_part *function,
                        slot_may_be_written may_be_written, carried_found found, void *context);

/* The way of a keyed slot through a run: its point before and after, and the value that is
 * written, or NULL. Values that the key cannot have are left out. */
struct key_passage {
    struct class_point *before, *after;
    const struct slot_write *write;
    const struct run *run;
};
/* Whether the same points would be nothing new for another run that writes neither key nor slot, as
 * long as no point is told apart. */
typedef bool (*passage_found)(void *context, struct key_passage passage);

/* Calls back with the passage of a keyed slot through each run that comes to an end, but for those
 * that are nothing new. */
void each_passage(const struct function_runs *runs, uint32_t slot, passage_found found,
                  void *context);

/* Calls back with each keyed slot that belongs to the process of the function, or is shared. */
typedef void (*keyed_found)(void *context, uint32_t slot);
void each_keyed(const struct points *points, const struct function_part *function,
                keyed_found found, void *context);
