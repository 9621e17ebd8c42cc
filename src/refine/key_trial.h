/* KEY TRIAL - exchanges values, with keys (classes/key.h) only if a short exploration shows that
 * the model has fewer states by them. Keys that tell apart what may change places are taken only if
 * they gain more than symmetry loses by them (Y18). The cases that a key tells apart may never come
 * about; and in very large models, which are explored by sets of states, an assignment that depends
 * on many variables costs more than it gains.
 */
#pragma once

#include "normal/normal.h"

/* Runs the normaliser, with keys if they pay; models are measured in the arena. */
void key_trial_run(struct normaliser *normaliser, const bool *is_asked, struct normal *normal,
                   struct arena *arena);
