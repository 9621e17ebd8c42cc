/* LOOKS - at a model without removals, for all queries that are not decided yet: what `check`
 * answers soon is not searched for long.
 *
 * The look is at the model as it is, by one run that stops again and again, each time after four
 * times as many states, and goes on where it was: to the end it takes what `check` takes. At its
 * stops there is time for other things. From the second one on these begin with looks at the model
 * with values exchanged that make no difference for the query (normal/normal.h), which never has
 * more states, as far as a part of those that the run has seen; queries for which the same values
 * are exchanged share them.
 *
 * Lifetime: results live in the arena given; looks_close frees the rest.
 * Errors:   none; a look that cannot be made says why.
 */
#ifndef VARABS_REFINE_LOOKS_H
#define VARABS_REFINE_LOOKS_H

#include "normal/normal.h"
#include "refine/attempt.h"

enum {
    LOOK_STATES = 100000, /* until the first stop */
    LOOK_FACTOR = 4,
    LOOK_COUNT = 5,
    EXCHANGED_PART = 8,     /* of the states seen, for all looks with values exchanged at a stop, */
    EXCHANGED_STATES = 1000 /* but never less for one */
};

/* What a look has found out about one query. */
struct look {
    bool is_new; /* since looks_take */
    struct refine_side side;
    struct bounds_of *bounds; /* of sup, inf and bounds, where they are known */
};

struct looked_query {
    const struct query *query;
    bool is_asked;        /* it is one for abstractions */
    bool is_decided;      /* by these or otherwise */
    uint32_t source;      /* where it stands among those that are asked */
    bool is_exchanged;    /* the values are known that */
    struct normal normal; /* are exchanged for it */
    struct look look;
};

struct looks {
    struct arena *arena;
    const struct network *network; /* the original */
    const struct abstract_options *abstract;
    uint64_t first; /* states until the first stop */
    uint32_t level; /* number of stops so far */
    size_t size;    /* of its states there, in bytes */
    struct looked_query *list;
    uint32_t count, asked_count;
    struct normaliser *normaliser; /* NULL: nothing is exchanged, or nobody has asked yet */
    bool is_opened;
    bool is_complete, has_errors; /* of the model as it is: all states were looked at; some step
                                     fails at runtime */
};

/* Whether it is one for abstractions: neither invalid nor empty nor a formula. */
bool looks_are_for(const struct query *query);

/* Queries are borrowed. */
void looks_open(struct looks *looks, struct arena *arena, const struct network *network,
                const struct query *queries, uint32_t count,
                const struct abstract_options *abstract);
void looks_close(struct looks *looks);

/* Looks at the model as it is. At each stop there is news for all queries that are not decided, and
 * `at_stop` says whether it goes on; the last stop ends it. Else there is news in the end. */
void looks_run(struct looks *looks, const struct verify_options *options,
               bool (*at_stop)(void *context), void *context);
/* At a stop: looks at the model with values exchanged, which is news for queries where it is
 * another model. */
void looks_exchange(struct looks *looks, const struct verify_options *options);
/* What is new about a query by number, or NULL. */
const struct look *looks_take(struct looks *looks, uint32_t number);
/* Nobody needs another look for this query. */
void looks_end(struct looks *looks, uint32_t number);
/* How many states there are at the stop. */
uint64_t looks_states(const struct looks *looks);

#endif
