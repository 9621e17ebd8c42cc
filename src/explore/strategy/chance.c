#include "explore/strategy/chance.h"

#include "lang/syntax/ast.h"

#include <assert.h>

/* What a row offers a decider: NULL if it could not do a move there. */
static const struct condition *find_offer_of(const struct game *game, uint32_t row,
                                             uint32_t decider, uint32_t move) {
    uint32_t count;
    const struct condition *items = game_offer(game, row, &count);
    for (uint32_t i = 0; i < count; i++)
        if (items[i].decider == decider && items[i].move == move) return &items[i];
    return NULL;
}

/* Whether a decider could do nothing but one thing at a row. */
static bool is_only_offer(const struct game *game, uint32_t row, uint32_t decider) {
    uint32_t count, own = 0;
    const struct condition *items = game_offer(game, row, &count);
    for (uint32_t i = 0; i < count; i++) own += items[i].decider == decider;
    return own == 1;
}

struct chance chance_of_strength(uint32_t strength) {
    assert(strength <= GAME_NO_STEP);
    if (strength == GAME_NO_STEP) return (struct chance){.happens = false};
    return (struct chance){true, strength == STRENGTH_MUST, strength >= STRENGTH_SURE};
}

struct chance chance_of_step(const struct game *game, uint64_t step) {
    return chance_of_strength(game_strength(game, step));
}

/* Receivers take part in any case; what they have chosen says how, where that is possible. */
static void narrow_receiver(struct chance *chance, const struct game *game, uint32_t row,
                            const struct condition *condition, uint32_t value) {
    const struct condition *chosen = find_offer_of(game, row, condition->decider, value);
    bool is_sure = chosen && chosen->strength >= STRENGTH_SURE;
    chance->happens &= !is_sure;
    chance->certainly &= !chosen && !has_failing_moves(game, condition->decider);
    if (game->outlook == OUTLOOK_EXACT)
        chance->goes_on = chance->happens;
    else
        chance->goes_on &= !has_failing_moves(game, condition->decider) &&
                           is_only_offer(game, row, condition->decider);
}

/* Own moves: for certain, another one is taken where the chosen one might not be possible. */
static void narrow_own(struct chance *chance, const struct game *game, uint32_t row,
                       const struct condition *condition, uint32_t value, bool is_certain) {
    chance->certainly = chance->goes_on = false;
    if (game->outlook != OUTLOOK_SURE || game->coalition->modes & MODE_WAIT || is_certain) {
        chance->happens = false;
        return;
    }
    const struct condition *chosen = find_offer_of(game, row, condition->decider, value);
    chance->happens &= !chosen || chosen->strength < STRENGTH_SURE;
}

void chance_narrow(struct chance *chance, const struct game *game, uint32_t row,
                   const struct condition *condition, uint32_t value, bool is_certain) {
    if (value == condition->move) return;
    if (is_receiver(game, condition->decider))
        narrow_receiver(chance, game, row, condition, value);
    else
        narrow_own(chance, game, row, condition, value, is_certain);
    assert(chance->happens || (!chance->certainly && !chance->goes_on));
}
