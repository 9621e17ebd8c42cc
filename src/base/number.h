/* NUMBER - amounts as people write them: 20000, 1M, 1.5G. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Digits, or digits with a fraction and one of K, M, G and T, which stand for powers of the unit
 * (1000, or 1024 for bytes; 0 = none of them). False for anything else, 0, and more than most. */
bool number_parse(const char *text, uint64_t unit, uint64_t most, uint64_t *number);
