/* GAME - the steps between the states of a complete search, and who of a coalition decides about
 * them.
 *
 * A decider is a player with its own moves, or, where receivers do not choose whether but only how
 * (passive), a player with what it can do to receive on one channel. Decider i is player i with its
 * own moves; those of channels come after. A condition is a decider with a move: a step happens
 * only if all deciders that its label names have chosen so. A receiver that has chosen a move which
 * is not possible here receives in any way. The offer of a state says what is possible in it.
 *
 * In a mixed model steps and offers are as certain as their edges (MX2). A step of an edge that
 * stands for several of a player is none: which of them it chooses is not known.
 *
 * Lifetime: memory of the ledger, given back by game_close; the coalition is borrowed, and so are
 *           steps that games share.
 */
#pragma once

#include "explore/mixed/strength.h"
#include "explore/strategy/known_steps.h"

struct condition {
    uint32_t decider, move;
    uint32_t strength; /* of an offer: how certain it is that the move is possible */
};

/* How a mixed model is taken (ST7): what happens for certain, or what may. */
enum outlook { OUTLOOK_EXACT, OUTLOOK_SURE, OUTLOOK_POSSIBLE };

struct game_decider {
    uint32_t player;
    uint32_t channel; /* NO_SLOT: own moves */
};

struct game {
    struct all_states *states;
    const struct coalition *coalition;
    VEC(struct game_decider) deciders;
    enum outlook outlook;        /* OUTLOOK_EXACT at first, and in models that are not mixed */
    struct row_steps rows, back; /* of known steps; the labels: see game_label, game_strength */
    struct known_steps own;      /* or nothing is known, as they are shared */
    uint32_t *offers;            /* by row: numbers of known_offers */
    struct lists known_labels;   /* by number of the list of known_steps: one may come twice */
    struct lists known_offers;
    const enum strength *strengths; /* by instance; NULL: the model is not mixed */
    bool *may_fail;                 /* by player: it has moves in the original that are not here */
};

enum { GAME_NO_STEP = STRENGTH_MUST + 1 }; /* in place of a strength */

/* Looks at every state; false past a limit or after a fault of the states. shared: steps of all
 * processes, to be known, which must stay as long as the game; or NULL. */
bool game_open(struct game *game, struct all_states *states, const struct coalition *coalition,
               struct known_steps *shared);
void game_close(struct game *game);
/* Whether a mixed model has the steps and moves of its original, and no others: then what may be
 * brought about is what can. Under. */
bool game_is_certain(const struct game *game);
/* How certain a step is that the expander has recorded: a strength, or GAME_NO_STEP. */
uint32_t game_strength_of(const struct game *game, const struct step_record *record);

static inline bool has_failing_moves(const struct game *game, uint32_t decider) {
    return game->may_fail[game->deciders.items[decider].player];
}
/* Whether a decider may choose none of its moves: to wait, or in a mixed model one that the model
 * does not have, for its step would fail. */
static inline bool may_choose_nothing(const struct game *game, uint32_t decider) {
    return has_failing_moves(game, decider) ||
           (decider < game->coalition->players.count && game->coalition->modes & MODE_WAIT);
}
static inline bool is_receiver(const struct game *game, uint32_t decider) {
    return decider >= game->coalition->players.count;
}
static inline const struct condition *game_label(const struct game *game, uint64_t step,
                                                 uint32_t *count) {
    return lists_items(&game->known_labels, game->rows.labels[step] / 4, count);
}
/* A strength, or GAME_NO_STEP. */
static inline uint32_t game_strength(const struct game *game, uint64_t step) {
    return game->rows.labels[step] % 4;
}
static inline const struct condition *game_offer(const struct game *game, uint32_t row,
                                                 uint32_t *count) {
    return lists_items(&game->known_offers, game->offers[row], count);
}
