/* JOINT SYMMETRY - who may change places in two models that are compared, at once (rule Y19).
 *
 * A joint permutation is one of each model (symmetry/symmetry.h) such that visible parts go along:
 * states look the same exactly where their images do. So it maps the steps and the visible parts
 * of pairs of states to those of their images, and keeps the initial pair.
 *
 *     elements of both ── tied: names of the same number in two slots that are compared, or what
 *                         a pair of slots or processes that are compared belongs to
 *                      ── left out: tied to a number or a place that stays where it is
 *     what is tied     ── is one element of both models, that changes places with another one
 *                         where that exchange is seen to keep all that is compared
 *
 * Ties are guesses by names of slots and processes; the exchange is looked at for each pair.
 *
 * Invariants: as for symmetry; each block of elements moves cells of both models, or of one.
 * Lifetime:   in the arena given; visible is borrowed.
 * Errors:     under-approximates: what is not seen to be joint is in no block.
 */
#pragma once

#include "explore/visible/visible.h"
#include "symmetry/symmetry.h"

struct joint_symmetry {
    const struct symmetry *of[SIDE_COUNT]; /* as one model sees it: its cells alone */
    const struct symmetry *both;           /* cells of the concrete model, then of the abstract */
};

const struct joint_symmetry *joint_symmetry_find(struct arena *arena, const struct visible *visible,
                                                 uint64_t most_text);
