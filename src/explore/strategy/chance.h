/* CHANCE - whether a step happens, given what each decider that it depends on has chosen.
 *
 * A choice in a mixed model stands for one in the original (ST7). A move that can be chosen for
 * certain is taken, or the player waits for it; elsewhere the player takes any, or with MODE_WAIT
 * none. So for certain
 * a strategy brings about what follows from all steps that may happen, and that the state may stay
 * unless some step goes on for certain. What a strategy may bring about must hold of all steps that
 * happen certainly, and of one at least that may.
 */
#pragma once

#include "explore/strategy/game.h"

/* In a model that is not mixed all are the same. */
struct chance {
    bool happens;   /* perhaps; over */
    bool certainly; /* in each state of the original that looks so; under */
    bool goes_on;   /* some step of this kind does, so that the state does not stay; under */
};

/* Of a step whose deciders have not been asked yet. */
struct chance chance_of_step(const struct game *game, uint64_t step);
/* The same by its strength, or GAME_NO_STEP. */
struct chance chance_of_strength(uint32_t strength);
/* What is left of the chance if the decider of a condition has chosen a value. is_certain: in a
 * mixed model, the player can choose that in the original, too, wherever this state is what it
 * observes (views_are_certain). */
void chance_narrow(struct chance *chance, const struct game *game, uint32_t row,
                   const struct condition *condition, uint32_t value, bool is_certain);
