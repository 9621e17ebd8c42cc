/* SYMBOLIC - explores a network by sets of states instead of state by state.
 *
 * The order of the fields decides how large the sets get. Heuristics find some (order.h), but not
 * which is the best, nor in which direction: all are tried in turns, with limits of work that
 * double, until one is done. Most of the work may be to look at short vectors, which is the same in
 * all orders: then those after wait.
 *
 * Lifetime: heap memory, freed by symbolic_close; the search that was prepared is borrowed.
 *           symbolic_run and what comes after it may run in a thread of its own.
 * Errors:   a text says why a network is not for the engine; limits end the run. At
 * SYMBOLIC_OVERFLOW
 *           some fields of the layout are too narrow, and overflows says which: everything has to
 * be
 *           prepared again. At SYMBOLIC_FORKED the same holds, without stages.
 */
#pragma once

#include "explore/space/search.h"
#include "explore/symbolic/reach.h"

enum symbolic_end { SYMBOLIC_DONE, SYMBOLIC_LIMIT, SYMBOLIC_OVERFLOW, SYMBOLIC_FORKED };

enum { SYMBOLIC_ORDERS = 4, SYMBOLIC_LEVELS = 64 };

/* The work of an order so far. */
struct symbolic_work {
    uint64_t vectors, stores; /* short vectors that were looked at, and results of operations */
};

struct symbolic {
    const struct search *search;
    struct ldd_limits limits; /* of all orders together */
    uint64_t shuffle; /* for tests: orders at random, short turns, collections at all safe points,
                         and, where it is odd, parts that are not told apart; 0 = no */
    struct arena arena;
    struct groups groups;
    uint32_t *fields[SYMBOLIC_ORDERS];
    uint32_t order_count, field_count;
    bool is_reverse[SYMBOLIC_ORDERS]; /* of an order that is clearly better: see add_order */
    struct reach reaches[SYMBOLIC_ORDERS];
    bool is_open[SYMBOLIC_ORDERS], is_given_up[SYMBOLIC_ORDERS];
    bool has_left[SYMBOLIC_ORDERS]; /* given up, to leave its memory to the others */
    uint32_t given_up_count;
    uint64_t turn; /* results of operations that an order may take in the last turns, in all */
    struct symbolic_work before[SYMBOLIC_ORDERS]; /* its last turn */
    /* short vectors that an order had met within 2^level results, and the last such level */
    uint64_t met[SYMBOLIC_ORDERS][SYMBOLIC_LEVELS];
    uint32_t levels[SYMBOLIC_ORDERS];
    /* result */
    struct reach *reach; /* with all reachable states, once it is done */
    enum search_limit limit;
    struct span too_long;             /* LIMIT_EVALUATION: what was evaluated */
    const struct overflow *overflows; /* of SYMBOLIC_OVERFLOW: until symbolic_close */
    uint32_t overflow_count;
    uint64_t made; /* nodes, by orders that are closed */
    size_t peak_size;
};

/* NULL, or why the network is not for this engine. The search must be prepared. told: groups_init.
 */
const char *symbolic_init(struct symbolic *symbolic, const struct search *search,
                          struct ldd_limits limits, uint64_t shuffle, bool has_stages,
                          const uint32_t *told);
/* Goes on for as many turns as take an order up to so many results in all; 0 = to the end. False if
 * that is not enough. */
bool symbolic_run(struct symbolic *symbolic, uint64_t most, enum symbolic_end *end);
/* Whether most of what all orders computed were new nodes. Then sets share little, and the engine
 * is slow. */
bool symbolic_is_growing(const struct symbolic *symbolic);
/* How many short vectors the order has met that has met the most. */
uint64_t symbolic_vectors(const struct symbolic *symbolic);
/* Whether some order meets few different short vectors, or makes few new nodes, so far. */
bool symbolic_is_regular(const struct symbolic *symbolic);
/* Whether the first states that a search of the same network has found take few nodes as a set:
 * then all of them will, too. False if the search has found few states, if so many short vectors
 * were new in the last turn that single states may be as cheap, or if most nodes are new. */
bool symbolic_is_dense(const struct symbolic *symbolic, const struct search *search);
/* Nodes in use, and bytes; nodes ever made. */
uint64_t symbolic_nodes(const struct symbolic *symbolic, size_t *size);
uint64_t symbolic_made(const struct symbolic *symbolic);
void symbolic_close(struct symbolic *symbolic);
