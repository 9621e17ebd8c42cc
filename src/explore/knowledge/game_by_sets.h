/* GAME BY SETS - what game.h says of single states, for all at once: where the players of a
 * coalition can do which moves, and the steps that happen only if they do.
 *
 * A decider is that of game.h; an option is a move, with the states that offer it. A decider that
 * has one option, or none, wherever it is, has no choice: it is left out of labels. With imperfect
 * information it has the options that are possible somewhere in a class of states that are the same
 * to its player (ST6).
 *
 * Lifetime: sets are held by the diagram for the caller, who releases them; the rest lives in the
 *           arena given.
 * Errors:   false where it is too complex. Past a limit of the diagram the results mean nothing.
 */
#pragma once

#include "explore/knowledge/sight.h"
#include "explore/strategy/coalition.h"

struct set_option {
    uint32_t move;
    uint32_t offer; /* where the move is possible */
    uint32_t seen;  /* where the player can choose it; the same with perfect information */
    uint32_t value; /* where a strategy chooses it (able_by_sets.c) */
};

struct set_decider {
    uint32_t player, channel; /* NO_SLOT: own moves */
    VEC(struct set_option) options;
    uint32_t offer, seen; /* of all options together */
    uint32_t elsewhere;   /* where it has options, and can choose one that is not possible here */
    bool has_choice, may_wait;
};

struct set_condition {
    uint32_t decider, option;
};

/* The first label has no conditions. */
struct set_label {
    struct set_condition *conditions;
    uint32_t count;
    uint32_t sources; /* states with such a step */
    uint32_t bad;     /* of the last question: those from which one leads out of the aim */
};

/* The steps of an event that have a label. */
struct labelled_event {
    struct event event;
    uint32_t label;
};

struct set_game {
    struct arena *arena;
    struct decider *decider;
    const struct coalition *coalition;
    const struct set_sight *const *sights; /* by player */
    bool sees_all;                         /* each of them chooses by the state */
    VEC(struct set_decider) deciders;
    VEC(struct set_label) labels;
    VEC(struct labelled_event) events;
    uint32_t *kin; /* by decider: the first of those with which it has labels in common */
    uint32_t tries;
    bool is_too_complex;
    /* private */
    VEC(struct set_condition) list; /* under construction */
};

bool set_game_open(struct set_game *game, struct arena *arena, struct decider *decider,
                   const struct coalition *coalition, const struct set_sight *const *sights);

/* Instead of an option: the decider waits, has no options, or has chosen what is not possible here;
 * or it has chosen what is not possible here and receives in any way. */
enum { CHOOSES_NOTHING = -1, CHOOSES_ANY = -2 };

static inline bool is_own_decider(const struct set_decider *decider) {
    return decider->channel == NO_SLOT;
}

/* The label of a step of the state that the reach's point shows. */
uint32_t set_game_label(struct set_game *game, const struct step_record *record);

/* Of a set, the states from which a step with a label leads into another one. */
uint32_t set_game_before(const struct set_game *game, uint32_t label, uint32_t set,
                         uint32_t target);
