/* STATE MAP INTERNAL - what mapping states and deriving values share.
 *
 * state_map.c          fields that are compared, levels, vectors and sets
 * state_map_derived.c  values of the abstract model that have levels of their own: what stands for
 *                      another value, what is guessed, and what is free
 *
 * Errors: NULL, or why it cannot be done, in words.
 */
#pragma once

#include "explore/compare/sets/state_map.h"

/* Derives the value of a slot of the abstract model: one of which values stand for others, or one
 * that is not compared, so that it is guessed. namesake: the slot of the concrete model, or
 * NOWHERE. */
const char *derive_value(struct state_map *map, uint32_t slot, uint32_t namesake, bool is_compared);
/* Gives a slot of the abstract model every value that it has at a location. */
const char *free_value(struct state_map *map, uint32_t slot, uint32_t namesake);

/* The codes of a case that have levels, in the order of these; how many they are. */
uint32_t derived_case(const struct derived_part *parts, size_t number, uint32_t *row);
