/* SORT - numbers in ascending order. */
#pragma once

#include <stdint.h>

/* For qsort and bsearch. */
int compare_u32(const void *left, const void *right);
int compare_u64(const void *left, const void *right);
int compare_i32(const void *left, const void *right);
int compare_i64(const void *left, const void *right);

/* Sorts numbers and keeps each once; how many there are then. */
uint32_t sort_once(uint32_t *numbers, uint32_t count);
