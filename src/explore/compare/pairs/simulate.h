/* SIMULATE - whether the states of one graph can follow those of another.
 *
 * A pair is a node of the concrete and one of the abstract graph that look the same. It is good if
 * every step of a side that moves leads to a node that, together with some node that the other
 * side can step to, is a good pair: the greatest such set of pairs. Under may the concrete side
 * moves, under must the abstract one, under exact both do. The abstraction is right if the pair of
 * initial nodes is good.
 *
 * Where the concrete side has silent steps (explore/visible/graph.h), the abstract one stays: such
 * a step leads to a good pair with the same abstract node. It can follow a step of the abstract
 * side to a node that looks the same, as others can.
 *
 * Every step of a pair is a need, and bets on one pair that meets it. Pairs are made only when a
 * need bets on them, breadth first; when a pair turns out to be bad, the needs that bet on it bet
 * on their next choice, and their own pairs are bad if there is none. What is not bad in the end is
 * good, for its bets are. So every need that is stored looks at each of its choices once, or twice.
 *
 * Most comparisons of graphs meet few bad pairs. So needs are not stored at first. Whenever there
 * are twice as many pairs, and at the end, a sweep goes through all of them, and looks again at
 * those with a step to the concrete node of a bad pair. Where these looks become many, and for a
 * refutation, the pairs are looked at once more, and their needs stored.
 *
 * Whether runs end alike where time may pass for ever is another question: whether there is such a
 * set of pairs in which time may pass in the other node, too, wherever it may in a node of a side
 * that moves. It is asked once the first is answered, and goes on from there: what is bad stays so.
 *
 * Where models have joint permutations, pairs are orbits of pairs
 * (explore/compare/pairs/pair_orbits.h): the greatest such set has all images of a pair or none.
 * The nodes of a need are then successors of its pair, which are found anew when it is looked at.
 *
 * Lifetime: heap memory, freed by simulation_close; graphs, or orbits of pairs, are borrowed.
 * Errors:   a limit leaves the outcome unknown; the ledger says which.
 */
#pragma once

#include "explore/compare/pairs/pair_orbits.h"

enum simulation_mode { SIMULATE_MAY, SIMULATE_MUST, SIMULATE_EXACT };
enum simulation_outcome { SIMULATION_UNKNOWN, SIMULATION_HOLDS, SIMULATION_FAILS };

struct pair {
    uint32_t nodes[SIDE_COUNT]; /* of an orbit, once it was looked at: whether time may pass */
};

struct fate {
    uint32_t needs; /* the first of those that bet on the pair */
    uint32_t died;  /* when it was found to be bad: 1 = first; 0 = not yet */
    uint32_t own;   /* the first of its own needs, once it was looked at */
};

/* That a step of a side to a node is followed by one of the choices. */
struct need {
    enum side side;
    uint32_t node;
    struct node_list choices;
};

/* What is stored of it; the needs of a pair follow each other. */
struct stored_need {
    uint32_t next;          /* that bets on the same pair */
    uint32_t index : 30;    /* of the node, among the successors of the pair on this side */
    uint32_t is_silent : 1; /* the other node stays */
    uint32_t side : 1;      /* that moves */
};

struct simulation {
    const struct graph *graphs; /* by side; or else */
    struct pair_orbits *orbits;
    struct ledger *ledger;
    bool moves[SIDE_COUNT];
    uint32_t pair_count, dead_count;
    /* private */
    struct pair *pairs;
    bool has_needs; /* needs are stored, and fates of pairs; before that: */
    uint64_t *dead; /* bits of pairs that were found to be bad, */
    uint64_t
        *dead_nodes[2];    /* bits of their concrete nodes: those that the next sweep looks for, and
                           those since the last one began, */
    uint32_t swept_deaths; /* so many bad pairs were there then, */
    uint32_t sweep_at;     /* a sweep comes when so many pairs were looked at, */
    uint64_t effort;       /* and looks at pairs in sweeps since there were no more new ones */
    struct fate *fates;    /* by pair */
    uint32_t *heads;       /* by concrete node: its first pair plus one; 0 = none */
    uint32_t *table;       /* of other pairs plus one, by hash */
    uint32_t table_size, other_count;
    struct stored_need *needs;
    uint32_t need_count, expanded_count; /* the latter: pairs whose own needs are stored */
    bool is_timed;                       /* time is compared, too; before that */
    uint32_t held_pairs;                 /* there were so many pairs, */
    uint32_t held_deaths;                /* and so many of them bad */
    uint32_t *deaths;                    /* pairs, in the order in which they died */
    void (*progress)(void *context, uint64_t pairs); /* about once a second; may be NULL */
    void *context;
    double next_progress;
};

/* Borrowed graphs, by side, or NULL and orbits of pairs. */
void simulation_init(struct simulation *simulation, const struct graph *graphs,
                     struct pair_orbits *orbits, enum simulation_mode mode, struct ledger *ledger);
enum simulation_outcome simulation_run(struct simulation *simulation);
/* After SIMULATION_HOLDS: whether it does with time compared. */
enum simulation_outcome simulation_run_timed(struct simulation *simulation);
void simulation_close(struct simulation *simulation);
