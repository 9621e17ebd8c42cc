/* INLINE - functions that are compiled once for each constant that they are called with, as the
 * size of a state.
 */
#pragma once

#define ALWAYS_INLINE static inline __attribute__((always_inline))
