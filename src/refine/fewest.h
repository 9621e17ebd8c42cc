/* FEWEST - exchanged values, with keys (classes/key.h) only if a short exploration shows that a
 * model has fewer states by them: what keys tell apart may never come about, and in very large
 * models, which are explored by sets of states, what depends on many variables at once is in the
 * way.
 */
#ifndef VARABS_REFINE_FEWEST_H
#define VARABS_REFINE_FEWEST_H

#include "normal/normal.h"

/* As normaliser_run; measures in the arena. */
void fewest_run(struct normaliser *normaliser, const bool *is_asked, struct normal *normal,
                struct arena *arena);

#endif
