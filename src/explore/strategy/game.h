/* GAME - the steps between the states of a complete search, and who of a coalition decides about
 * them.
 *
 * A decider is a player with its own moves, or, where receivers do not choose whether but only how
 * (passive), a player with what it can do to receive on one channel. Decider i is player i with its
 * own moves; those of channels come behind. A condition is a decider with a move: a step happens
 * only if all deciders that its label names have chosen so. A receiver that has chosen a move which
 * is not possible here receives in any way. The offer of a state says what is possible in it.
 *
 * Lifetime: memory of the ledger, given back by game_close; the coalition is borrowed.
 */
#ifndef VARABS_EXPLORE_STRATEGY_GAME_H
#define VARABS_EXPLORE_STRATEGY_GAME_H

#include "explore/graph/lists.h"
#include "explore/graph/rows.h"
#include "explore/strategy/coalition.h"

struct condition {
    uint32_t decider, move;
};

struct game_decider {
    uint32_t player;
    uint32_t channel; /* NO_SLOT: own moves */
};

struct game {
    struct all_states *states;
    const struct coalition *coalition;
    VEC(struct game_decider) deciders;
    struct row_steps rows, back; /* the labels are numbers of known_labels */
    uint32_t *offers;            /* by row: numbers of known_offers */
    struct lists known_labels, known_offers;
};

/* Looks at every state; false past a limit or after a fault of the states. */
bool game_open(struct game *game, struct all_states *states, const struct coalition *coalition);
void game_close(struct game *game);

static inline bool is_receiver(const struct game *game, uint32_t decider) {
    return decider >= game->coalition->players.count;
}
static inline const struct condition *game_label(const struct game *game, uint64_t step,
                                                 uint32_t *count) {
    return lists_items(&game->known_labels, game->rows.labels[step], count);
}
static inline const struct condition *game_offer(const struct game *game, uint32_t row,
                                                 uint32_t *count) {
    return lists_items(&game->known_offers, game->offers[row], count);
}

#endif
