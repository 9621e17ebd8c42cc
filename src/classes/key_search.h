/* KEY SEARCH - which cell is to be the key of another one (key.h).
 *
 * A key may be what is read together with the cell, of few values that are all told apart. For each
 * cell those are tried that are read with it most often, one after the other. That is a guess,
 * which may be any: what comes of it is checked. All of it is taken, or nothing, so that no point
 * gets more classes than without keys.
 *
 * Lifetime: in the arena given; the points without keys are borrowed.
 */
#pragma once

#include "classes/edge_function.h"
#include "symmetry/symmetry.h"

struct key_search;

struct key_search *key_search_new(struct arena *arena, const struct points *without);

/* Whether the cells of a variable, which begins at the slot, may be keyed, some of them. */
bool key_search_wants(const struct key_search *search, uint32_t slot);

/* Passes over a function that reads no cell that may be keyed. */
void key_search_pass(struct key_search *search);

/* Notes what the runs of the last function read together. */
void key_search_note(struct key_search *search, const struct function_runs *runs);

/* The keys to try next, or NULL: there are none left. With: the points with the keys tried last, or
 * NULL. *is_found: with those, every keyed cell gains and none loses; nothing is left to be tried.
 */
const struct point_keys *key_search_next(struct key_search *search, const struct points *with,
                                         bool *is_found);

/* *tell_apart: whether some cell's key would be another one if elements changed places, so that
 * these no longer can (Y18). Such cells get no key from now on. Gives the keys to try instead, or
 * NULL. */
const struct point_keys *key_search_keep(struct key_search *search, const struct point_keys *keys,
                                         const struct symmetry *symmetry, bool *tell_apart);

/* The key that somebody requests for a cell at a location of its owner (or, if it has none, 0): a
 * slot of that process, or a shared one. False: none. */
typedef bool (*classes_key_requested)(const void *context, const struct process *owner,
                                      uint32_t location, const struct symbol *symbol,
                                      uint32_t offset, uint32_t *key);

/* The requested keys, as far as they can be keys; NULL: none can. */
const struct point_keys *key_search_requested(struct key_search *search,
                                              classes_key_requested requested, const void *context);
