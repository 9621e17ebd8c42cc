/* FEWEST - exchanged values, with keys (classes/key.h) only if a model gets fewer states by them,
 * as far as a short exploration gets: what keys tell apart may never come about.
 */
#ifndef VARABS_REFINE_FEWEST_H
#define VARABS_REFINE_FEWEST_H

#include "normal/normal.h"

/* As normaliser_run; measures in the arena. */
void fewest_run(struct normaliser *normaliser, const bool *is_asked, struct normal *normal,
                struct arena *arena);

#endif
