/* COALITION - who plays together, and between which moves each of them chooses.
 *
 * A player is a process of the coalition; it decides by what its agent observes. A move is an edge
 * with the values of its selects, or several that the player cannot tell apart when it chooses:
 * `@action NAME` in the comments of edges of one location makes them one move, `@nature x` leaves
 * the value of a select to nature, and `@nature` alone, or controllable="false", the whole edge.
 * What comes after a branchpoint is nature's as well.
 *
 * Lifetime: in the arena given; agents are borrowed.
 * Errors:   what is no game (two minds for one process, marks that name nothing) is a problem with
 *           a text.
 */
#pragma once

#include "agents/agents.h"
#include "explore/states/all_states.h"

#define NO_PLAYER UINT32_MAX
#define NO_MOVE UINT32_MAX

struct player {
    const struct process *process;
    const struct agent *agent;
    struct row_range *tests; /* by location: in the tests of the coalition */
};

struct move {
    uint32_t player;
    const struct process *process;
    const struct edge *edge; /* the first of them */
    const int32_t *selects;
    uint32_t left_to_nature; /* bits: of the selects */
    const char *action;      /* or NULL */
    uint32_t channel;        /* address; NO_SLOT: none; ANY_CHANNEL: depends on the state */
    bool is_send, is_receive;
};

/* A guard that makes a move possible. */
struct move_test {
    uint32_t move;
    bool is_always;
    struct unit guard;
    const struct unit *channel; /* of a move on ANY_CHANNEL */
    uint32_t strength;          /* in a mixed model: how certain that is (strength.h) */
};

struct coalition {
    uint32_t modes; /* MODE_ bits */
    VEC(struct player) players;
    VEC(struct move) moves;
    VEC(struct move_test) tests; /* by player and location */
    uint32_t *player_of;         /* by process */
    uint32_t *move_of;           /* by instance of the program; NO_MOVE if it is not the player's */
    const char *problem;
    struct span span;
};

/* Finds players and moves, and compiles guards: before the machine is made. */
void coalition_make(struct coalition *coalition, struct all_states *states,
                    const struct agent_list *agents, uint32_t modes);

static inline bool is_left_to_nature(const struct move *move, uint32_t select) {
    return select < 32 && move->left_to_nature >> select & 1;
}

/* Whether a move is one of a step of its player that is taken on purpose, and not received. */
static inline bool is_own_move(const struct coalition *coalition, const struct move *move) {
    return !move->is_receive || coalition->modes & MODE_ACTIVE;
}
