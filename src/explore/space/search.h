/* SEARCH - explores a network breadth first and looks for states on the way.
 *
 * A watch is a predicate that is looked at in every state: WATCH_FIND wants the first level in
 * which some state satisfies it (E<> p, and A[] p by its negation), WATCH_BOUNDS the least and
 * greatest values of expressions over all states that do (sup, inf, bounds). WATCH_LATER is only
 * compiled, for whoever goes over the states afterwards (explore/verdict/liveness.h); where nothing
 * else is asked and it does not need all states, only the initial state is stored.
 *
 * Levels are finished before anything is decided, and among the candidates of a level the least
 * packed state is taken, so that results do not depend on the number of jobs.
 *
 * Lifetime: heap memory and arenas of the search, freed by search_close. Layout and program are
 *           made anew when a field turns out to be too narrow.
 * Errors:   a limit ends the search with figures of what was explored; search_run gives false only
 *           if the model cannot be prepared (reported to its diag).
 */
#ifndef VARABS_EXPLORE_SPACE_SEARCH_H
#define VARABS_EXPLORE_SPACE_SEARCH_H

#include "explore/space/store.h"
#include "explore/space/successor.h"

enum search_limit { LIMIT_NONE, LIMIT_STATES, LIMIT_MEMORY, LIMIT_TIME, LIMIT_INTERRUPT };

/* What ends work whose time is over: a limit, or an interrupt (base/interrupt.h). */
enum search_limit limit_of_time(void);

struct search_figures {
    uint64_t states, transitions, queue; /* queue: states not yet expanded */
    size_t size;                         /* bytes */
    double seconds;
};

struct search_options {
    uint64_t max_states; /* 0 = no limit, also below */
    size_t max_size;     /* bytes of the state store */
    double max_seconds;
    uint32_t jobs;       /* 0 = 1 */
    uint64_t first_look; /* states after which ranges of fields are chosen, and then as many more
                            until actions are remembered; 0 = the default */
    bool is_full;        /* go on when everything is decided */
    bool interprets;     /* without bytecode, for tests */
    void (*progress)(void *context, const struct search_figures *figures); /* about once a second */
    void *context;
};

enum watch_kind { WATCH_FIND, WATCH_BOUNDS, WATCH_LATER };

/* A state, and where it was found. */
struct candidate {
    bool is_found;
    uint32_t row;
    struct fault fault; /* of an error */
};

struct bounds_of {
    bool is_found;
    int32_t lower, upper;
};

struct watch {
    enum watch_kind kind;
    const struct expr *predicate; /* NULL = true */
    bool is_negated;
    struct expr *const *exprs; /* of WATCH_BOUNDS */
    uint32_t expr_count;
    bool needs_all; /* of WATCH_LATER: in all reachable states */
    /* result */
    bool is_decided; /* found, or the evaluation failed, or nothing to look for */
    struct candidate found;
    struct candidate failed;  /* where the predicate or an expression cannot be evaluated */
    struct bounds_of *bounds; /* by expression */
    struct unit unit;         /* holds where the predicate does */
    /* private */
    struct unit *values;
};

struct search {
    const struct network *network;
    struct search_options options;
    struct watch *watches;
    uint32_t watch_count;
    /* result */
    uint64_t transitions, deadlocks, errors;
    bool is_complete; /* everything was explored */
    enum search_limit limit;
    struct candidate first_error;
    double seconds;
    size_t peak_size;
    uint32_t restarts;
    /* the states that were found */
    struct arena arena; /* of layout and program */
    struct layout *layout;
    struct program *program;
    struct store store;
    uint32_t *levels; /* heap: the first row of each; level_count + 1 entries */
    uint32_t level_count, level_capacity;
    double start, next_progress; /* by clock_seconds */
    /* private */
    struct guess *guesses;
    struct worker *workers;
    uint32_t jobs;       /* as asked; those of the options are what the last attempt has */
    uint64_t max_states; /* likewise */
    _Atomic uint32_t cursor;
    uint32_t level_end;
    _Atomic bool is_stopped, has_overflowed;
    _Atomic uint32_t stopped_by; /* limit that some worker met */
    bool is_profile, has_later;
};

/* Watches are borrowed and get their results. */
bool search_run(struct search *search, const struct network *network,
                const struct search_options *options, struct watch *watches, uint32_t count);
/* Starts over, because the slot had the value in a state that was expanded afterwards. */
bool search_restart(struct search *search, uint32_t slot, int32_t value);
void search_close(struct search *search);

/* The level of a row. */
uint32_t search_level(const struct search *search, uint32_t row);

#endif
