/* ORIGINAL SEARCH - searches the model without removals, for all queries that are not decided yet:
 * a query that `check` answers soon is not worth many abstractions.
 *
 * The search is one run that stops again and again, each time after four times as many states, and
 * then goes on where it was: a complete search costs what `check` costs. At its stops the caller
 * does other things (loop.h). From the second stop on it first has the model searched with values
 * exchanged that make no difference for a query (normal/normal.h). That model never has more
 * states; its search is bounded by a part of the states of the original search. Queries for which
 * the same values are exchanged share it.
 *
 * Lifetime: results live in the arena given; original_search_close frees the rest.
 * Errors:   none; the result of a search that cannot be made says why.
 */
#pragma once

#include "normal/normal.h"
#include "refine/attempt.h"

enum {
    FIRST_STOP_STATES = 100000, /* until the first stop */
    STOP_FACTOR = 4,
    STOP_COUNT = 5,
    EXCHANGED_PART = 8, /* of the states seen, for all searches with values exchanged at a stop, */
    EXCHANGED_STATES = 1000 /* but never less for one */
};

/* The findings of the search about one query. */
struct search_news {
    bool is_new; /* since original_search_take */
    struct refine_side side;
    struct bounds_of *bounds; /* of sup, inf and bounds, where they are known */
};

struct searched_query {
    const struct query *query;
    bool is_asked;        /* it is one for abstractions */
    bool is_decided;      /* by these or otherwise */
    bool is_formula;      /* no values are exchanged for it */
    uint32_t source;      /* else where it stands among those that are asked and no formulas */
    bool is_exchanged;    /* the values are known that */
    struct normal normal; /* are exchanged for it */
    struct search_news news;
};

struct original_search {
    struct arena *arena;
    const struct network *network; /* the original */
    const struct abstract_options *abstract;
    uint64_t first; /* states until the first stop */
    uint32_t level; /* number of stops so far */
    size_t size;    /* of its states there, in bytes */
    struct searched_query *list;
    uint32_t count, source_count;
    struct normaliser *normaliser; /* NULL: nothing is exchanged, or nobody has asked yet */
    bool is_opened;
    bool is_complete, has_errors; /* of the model as it is: all states were looked at; some step
                                     fails at runtime */
};

/* Queries are borrowed. */
void original_search_open(struct original_search *search, struct arena *arena,
                          const struct network *network, const struct query *queries,
                          uint32_t count, const struct abstract_options *abstract);
void original_search_close(struct original_search *search);

/* Looks at the model as it is. At each stop there is news for all queries that are not decided, and
 * `at_stop` says whether it goes on; the last stop ends it. Else there is news in the end. */
void original_search_run(struct original_search *search, const struct verify_options *options,
                         bool (*at_stop)(void *context), void *context);
/* At a stop: searches the model with values exchanged, which is news for queries where it is
 * another model. */
void original_search_exchange(struct original_search *search, const struct verify_options *options);
/* News about a query since the last call, or NULL; queries by number. */
const struct search_news *original_search_take(struct original_search *search, uint32_t number);
/* The query is decided: no search is needed for it any more. */
void original_search_end(struct original_search *search, uint32_t number);
/* The number of states found when the search stopped. */
uint64_t original_search_states(const struct original_search *search);
