/* CROSSING - what keeps its value over an update that does not write it (V3).
 *
 * Values that are apart in the place behind must be so in the place before.
 */
#ifndef VARABS_CLASSES_CROSSING_H
#define VARABS_CLASSES_CROSSING_H

#include "classes/outcome.h"

/* From a place before the update to one behind it. */
struct crossing {
    uint32_t slot;
    struct class_place *before;
    const struct class_place *behind;
};

typedef void (*crossing_found)(void *context, struct crossing crossing);

/* Calls back with each slot of which values are apart behind the update of the function and not
 * before, whether it is written or not. */
void each_crossing(const struct places *places, const struct function_part *function,
                   crossing_found found, void *context);

#endif
