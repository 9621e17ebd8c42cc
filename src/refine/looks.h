/* LOOKS - at a model without removals, as far as some states go, for all queries that are not
 * decided yet: what `check` answers soon is not searched for long.
 *
 * The first look is at the model as it is. The next ones, each four times as far, are at the model
 * with values exchanged that make no difference for the query (normal/normal.h), which never has
 * more states; queries for which the same values are exchanged share them.
 *
 * Lifetime: results live in the arena given; looks_close frees the rest.
 * Errors:   none; a look that cannot be made says why.
 */
#ifndef VARABS_REFINE_LOOKS_H
#define VARABS_REFINE_LOOKS_H

#include "normal/normal.h"
#include "refine/attempt.h"

enum { LOOK_STATES = 100000, LOOK_FACTOR = 4, LOOK_COUNT = 4 };

/* What a look has found out about one query. */
struct look {
    bool is_done;
    struct refine_side side;
    struct bounds_of *bounds; /* of sup, inf and bounds, where they are known */
};

struct looked_query {
    const struct query *query;
    bool is_asked;        /* it is one for abstractions */
    bool is_decided;      /* by these or otherwise: nobody needs another look */
    uint32_t source;      /* where it stands among those that are asked */
    bool is_exchanged;    /* the values are known that */
    struct normal normal; /* are exchanged for it */
    struct look looks[LOOK_COUNT];
};

struct looks {
    struct arena *arena;
    const struct network *network; /* the original */
    const struct abstract_options *abstract;
    uint64_t first; /* states of the first look */
    struct looked_query *list;
    uint32_t count, asked_count;
    struct normaliser *normaliser; /* NULL: nothing is exchanged, or nobody has asked yet */
    bool is_opened;
};

/* Whether it is one for abstractions: neither invalid nor empty nor a formula. */
bool looks_are_for(const struct query *query);

/* Queries are borrowed. */
void looks_open(struct looks *looks, struct arena *arena, const struct network *network,
                const struct query *queries, uint32_t count,
                const struct abstract_options *abstract);
void looks_close(struct looks *looks);

/* A look for a query by number; max_states of the options bounds it, too. What was found for it
 * along with another query is not looked for again. */
const struct look *looks_take(struct looks *looks, uint32_t number, uint32_t level,
                              const struct verify_options *options);
/* No other query shares a look with this one any more. */
void looks_end(struct looks *looks, uint32_t number);
/* How many states a look goes over. */
uint64_t look_states(const struct looks *looks, uint32_t level);

#endif
