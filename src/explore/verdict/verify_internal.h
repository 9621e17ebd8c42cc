/* VERIFY INTERNAL - what the engines of verify share.
 *
 * verify.c          the explicit engine
 * verify_symbolic.c the symbolic one
 * verify_race.c     both in turns
 * verify_groups.c   queries that allow less to change places than others
 */
#pragma once

#include "explore/verdict/verify.h"

enum { TRACE_SECONDS = 1 }; /* and a tenth of those of the search */

/* The watches of the search, by query. */
struct plan {
    struct watch *watches;
    uint32_t *first_watch;
    uint32_t watch_count;
    bool is_by_states; /* fairness and mixed models are nothing for sets */
};

void set_problem(struct answer *answer, struct fault fault);
/* From now on the expander's limits are those of the search, or those of traces. */
void limit_expander(const struct search *search, struct expander *expander, bool is_trace);
/* A path, and on from its last row, which is the first one of the rest. */
struct row_path path_join(struct arena *arena, const struct row_path *path,
                          const struct row_path *rest);

/* False (reported) if it cannot be prepared, or is not for the engine. A search that its pause has
 * left answers nothing. */
bool verify_explicitly(struct verification *verification, const struct network *network,
                       const struct verify_options *options, const struct plan *plan);
/* Verdicts by states that its search has found so far. */
void verify_found(struct verification *verification, const struct plan *plan);
bool verify_symbolically(struct verification *verification, const struct network *network,
                         const struct verify_options *options, const struct plan *plan);
bool verify_in_turns(struct verification *verification, const struct network *network,
                     const struct verify_options *options, const struct plan *plan);

/* Permutations for queries, and which of these wait for explorations of their own. */
struct symmetry_choice {
    struct verification *verification;
    const struct network *network;
    const struct query *queries;
    uint32_t count;
    struct plan *plan;
    bool *waits; /* by query */
    bool are_together;
    bool is_certain; /* nothing that has to be tried */
};

/* Permutations that keep all queries, or the largest group of queries that allow the same; none for
 * what looks at single processes (Y14, Y15). By default they are looked for when the first look has
 * shown that there are many states. */
void choose_symmetry(struct symmetry_choice *choice, struct verify_options *options);
/* Explores anew without what has to be tried, as orders of receivers were not the same. */
bool search_certainly(struct search *search, const struct network *network,
                      struct verify_options *options, const struct plan *plan);
/* Answers those that wait, once the others are answered; false if that is refused. */
bool verify_rest(const struct symmetry_choice *choice, const struct verify_options *options);

/* A run of the symbolic engine that goes on where it was. */
struct sets;
enum sets_end {
    SETS_DONE,
    SETS_MORE, /* work is needed */
    SETS_LIMIT,
    SETS_REFUSED /* it is not for the engine */
};

/* In the arena of the verification; NULL (reported) if it cannot be prepared. Another search of the
 * network, or NULL, may know the ranges. */
struct sets *sets_open(struct verification *verification, const struct network *network,
                       const struct verify_options *options, const struct plan *plan,
                       const struct search *other);
/* Up to so many results of operations for an order of the fields, and as many for the answers
 * (symbolic.h); 0 = as many as are needed. */
enum sets_end sets_run(struct sets *sets, uint64_t most);
/* Sets the limit on memory, in bytes, for what follows. */
void sets_allow(struct sets *sets, size_t max_size);
bool sets_are_regular(const struct sets *sets);
/* Whether sets have shared little so far. */
bool sets_are_growing(const struct sets *sets);
/* Whether sets have met so many values that a search by levels is far behind. */
bool sets_are_ahead(const struct sets *sets, const struct search *search);
/* Whether the first states of a search are few nodes. */
bool sets_are_dense(const struct sets *sets, const struct search *search);
void sets_close(struct sets *sets);
