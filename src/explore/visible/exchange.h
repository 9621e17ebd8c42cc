/* EXCHANGE - values that an abstract model holds in place of others, as its report says
 * (`normalised`): a comparison takes each value of the concrete model for the one that stands for
 * it.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct exchanged_value {
    int32_t value, normal;
};

/* The exchange of one variable or cell, at a location or at all times. */
struct exchange {
    const char *variable;   /* as the abstract model has it: "P.x[2]" */
    const char *template;   /* of the location, if the variable is global: of the only process
                               of that template */
    const char *location;   /* NULL: at all times */
    const char **processes; /* in these only; none: in all of the template */
    uint32_t process_count;
    const char *key;           /* a cell of the same process, or a global one, if the variable is
                                  that; NULL: whatever others have */
    const int32_t *key_values; /* while it has one of these */
    uint32_t key_count;
    bool is_one; /* one value stands for all */
    int32_t representative;
    const struct exchanged_value *values; /* else, ascending; other values stay as they are */
    uint32_t count;
};

/* The exchange in one process. */
struct exchange_at {
    const struct exchange *exchange;
    uint32_t process; /* place in the processes of the comparison; NO_PROCESS if it is global */
    uint32_t code;    /* of the location */
    uint32_t key[2];  /* slot of the key in the concrete and in the abstract model */
    const struct exchange_at *next;
};
#define NO_PROCESS UINT32_MAX

/* Whether it counts while the key has this value. */
static inline bool exchange_counts(const struct exchange *exchange, int64_t key) {
    for (uint32_t i = 0; i < exchange->key_count; i++)
        if (exchange->key_values[i] == key) return true;
    return false;
}

/* The representative of a value. */
static inline int32_t exchange_value(const struct exchange *exchange, int32_t value) {
    if (exchange->is_one) return exchange->representative;
    assert(exchange->values || !exchange->count);
    uint32_t low = 0, high = exchange->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (exchange->values[middle].value == value) return exchange->values[middle].normal;
        if (exchange->values[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return value;
}
