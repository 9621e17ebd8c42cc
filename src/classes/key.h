/* KEY - a cell whose value tells the points of another cell apart, as locations do.
 *
 * "Once the ballot is sent, the choice is not read": the choice makes no difference while its key,
 * a flag, has some value. A cell that has a key is called keyed. Both belong to one process, or
 * both are shared, so that whoever changes the key can exchange the value of the keyed cell.
 *
 * Where a key counts, its own values are all told apart, and it is not exchanged: after each
 * update all know which point the keyed cell is in.
 *
 * Invariants: over; the values of a key are all that it can have where it counts.
 * Lifetime:   in the arena given to whoever makes them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MOST_KEY_VALUES = 16 };

struct point_key {
    uint32_t slot;         /* of the key; it has none itself */
    const int32_t *values; /* ascending, up to MOST_KEY_VALUES */
    uint32_t count;
    const bool *counts_at; /* by number of a point of the keyed slot */
};

struct point_keys {
    const struct point_key **of; /* by slot; NULL: it is not keyed */
    uint32_t *strides;           /* by slot: values of the keys of a variable, at most; or 1 */
    uint32_t *keyed;             /* slots */
    uint32_t keyed_count;
};

/* Which of its values that is; count if it is none of them. */
static inline uint32_t key_index(const struct point_key *key, int32_t value) {
    uint32_t index = 0;
    while (index < key->count && key->values[index] != value) index++;
    return index;
}
