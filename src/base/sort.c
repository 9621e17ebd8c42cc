/* Comparisons of numbers for the sorting functions of the C library. */
#include "base/sort.h"

#include <stdlib.h>

int compare_u32(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

int compare_u64(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

int compare_i32(const void *left, const void *right) {
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

int compare_i64(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

uint32_t sort_once(uint32_t *numbers, uint32_t count) {
    uint32_t kept = 0;
    if (count > 1) qsort(numbers, count, sizeof *numbers, compare_u32);
    for (uint32_t i = 0; i < count; i++)
        if (!kept || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
    return kept;
}
