/* WORKER - one thread of a search: expands rows of a level and puts what comes out into the store.
 *
 * Lifetime: in the arena of the search, with heap memory that worker_close frees.
 */
#pragma once

#include "explore/space/predicate_cache.h"

/* Unused bytes between what two workers write, so that they share no line of the cache. */
enum { WORKER_DISTANCE = 128 };

struct worker {
    struct search *search;
    struct expander expander;
    struct shelf shelf;
    uint64_t *state;
    uint64_t transitions, deadlocks, errors; /* of all states of orbits */
    uint64_t steps;                          /* successors that were made */
    uint64_t states;                         /* of the orbits that were expanded */
    bool has_large_counts;
    /* rows of the chunk that is being expanded */
    uint32_t row, row_end;
    /* successors on their way into the store */
    uint64_t *hashes; /* heap: of the successors in the expander */
    uint32_t hash_capacity;
    uint32_t next; /* the first that is not in the store yet */
    uint64_t *recent;
    uint32_t recent_shift; /* of a hash to its place */
    /* of this level */
    struct watch *watches;
    struct predicate_cache *caches; /* by watch */
    struct found_state first_error;
    uint64_t *best; /* words of the candidates: by watch found, failed; then the error */
    bool is_shared, is_done;
    bool *is_fired; /* by instance, in a profile */
    char distance[WORKER_DISTANCE];
};

void worker_open(struct worker *worker, struct search *search);
/* When the store is there. */
void worker_start(struct worker *worker);
void worker_close(struct worker *worker);

/* Expands rows of the level until there are none (is_done), the store is full, or the search is
 * stopped. */
void worker_run(struct worker *worker);

/* The state that a worker has found for a place of best. */
struct found_state *worker_candidate(struct worker *worker, uint32_t place);
