/* See exchange.h. */
#include "explore/compare/exchange.h"

#include <assert.h>

bool exchange_counts(const struct exchange *exchange, int64_t key) {
    for (uint32_t i = 0; i < exchange->key_count; i++)
        if (exchange->key_values[i] == key) return true;
    return false;
}

int32_t exchange_value(const struct exchange *exchange, int32_t value) {
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

static void extend(int64_t *lower, int64_t *upper, int32_t value) {
    if (value < *lower) *lower = value;
    if (value > *upper) *upper = value;
}

void exchange_range(const struct exchange_at *list, int64_t *lower, int64_t *upper) {
    for (; list; list = list->next) {
        const struct exchange *exchange = list->exchange;
        if (exchange->is_one) extend(lower, upper, exchange->representative);
        for (uint32_t i = 0; i < exchange->count; i++)
            extend(lower, upper, exchange->values[i].normal);
    }
}
