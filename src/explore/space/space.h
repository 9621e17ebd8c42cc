/* SPACE - a search: what is asked of it, what it may take, and the states that it has found.
 *
 * Lifetime: heap memory and arenas of the search, freed by search_close (search.h).
 */
#pragma once

#include "explore/store/store.h"
#include "explore/successor/limit.h"
#include "explore/successor/successor.h"

struct search_figures {
    uint64_t states, queue; /* queue: states not yet expanded */
    uint64_t nodes;         /* of sets of states, where there are no single ones */
    size_t size;            /* bytes */
    double seconds;
};

struct search;

enum {
    TRIES_BY_DEFAULT = 1000000,
    ORBIT_EFFORT = 4 /* an orbit takes as long as so many states */
};

struct search_options {
    uint64_t max_states; /* 0 = no limit, also below */
    bool bounds_effort;  /* it ends as for max_states, too, where states have so many steps that
                            they took far longer than others would; with any number of jobs at the
                            same one */
    uint64_t max_work;   /* successors, and steps and loops that were tried for them, by each job;
                            then it ends as for max_states, with one job always at the same one;
                            0 = so much that max_states, if given, is what ends most searches */
    size_t max_size;     /* bytes of the state store */
    double max_seconds;
    uint64_t max_tries;  /* choices in the search for uniform strategies; 0 = TRIES_BY_DEFAULT */
    uint32_t jobs;       /* 0 = 1 */
    uint64_t first_look; /* states after which ranges of fields are chosen, and then as many more
                            until actions are remembered; 0 = the default */
    uint64_t keeps_from; /* fields of states from which on the first look goes on as it is, where
                            states are large and nobody uses orbits: in its layout, by one job, and
                            its actions are compiled as they are needed; 0 = never */
    bool only_small; /* what is found counts only if it is all: where states are large, the first
                            look may end the search as there are more than max_states */
    bool is_full;    /* go on when everything is decided */
    bool interprets; /* without bytecode, for tests */
    const struct symmetry *symmetry; /* or NULL: states that it maps to each other are one */
    /* Or NULL: asked for a symmetry after a first look that has not seen everything; it is used if
     * that shows that orbits are few beside states: at once, or when a pause says so. */
    const struct symmetry *(*find_symmetry)(void *context);
    void *symmetry_context;
    bool symmetry_waits;
    struct diag *diag; /* for what cannot be prepared; NULL = that of the model */
    /* Or NULL: asked when so many states were looked at, and after every level from there on; false
     * ends the search (is_left). */
    bool (*pause)(void *context, struct search *search, uint64_t states);
    void *pause_context;
    uint64_t first_pause;
    uint64_t stop; /* then, too, amid a level; the pause may set it anew; 0 = never */
    void (*progress)(void *context, const struct search_figures *figures); /* about once a second */
    void *context;
};

enum watch_kind { WATCH_FIND, WATCH_BOUNDS, WATCH_LATER };

/* A state, and where it was found. */
struct found_state {
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
    bool waits;     /* not looked at where a symmetry is used, which need not keep it */
    /* result */
    bool is_decided; /* found, or the evaluation failed, or nothing to look for */
    struct found_state found;
    struct found_state failed; /* where the predicate or an expression cannot be evaluated */
    struct bounds_of *bounds;  /* by expression */
    struct unit unit;          /* holds where the predicate does */
    /* private */
    struct unit *values;
};

/* The layout and the program of some ranges, until the last search that uses them is closed. Of the
 * program each search has a copy, for what it compiles itself. */
struct prepared {
    struct arena arena;
    struct guess *guesses; /* by slot */
    struct layout *layout;
    uint32_t users;
};

struct search {
    const struct network *network;
    struct search_options options;
    struct watch *watches;
    uint32_t watch_count;
    /* result */
    uint64_t transitions, deadlocks, errors; /* of all states of orbits */
    uint64_t orbit_states;                   /* of orbits that were expanded */
    bool has_large_counts; /* these do not fit, or sizes of orbits are not known */
    uint64_t work;         /* as for max_work, of all jobs; of the last attempt */
    bool is_complete;      /* everything was explored */
    bool is_left;          /* as the options' pause wanted it */
    bool is_kept;          /* the first look went on (keeps_from) */
    bool is_ahead;         /* not all states that count are in the store: max_states of them, and
                              there are more */
    bool orders_differ;    /* of receivers: the symmetry is none, and nothing is known */
    enum search_limit limit;
    struct span too_long; /* LIMIT_EVALUATION: what was evaluated */
    struct found_state first_error;
    double seconds;
    size_t peak_size;
    uint32_t restarts;
    /* the states that were found */
    struct arena arena;
    struct prepared *prepared; /* has layout and program, perhaps with other searches */
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
    uint32_t ordered_rows; /* the order of those after them may depend on jobs */
    uint32_t chunk_rows;   /* that a worker takes at once */
    _Atomic bool is_stopped, has_overflowed;
    _Atomic uint32_t stopped_by; /* limit that some worker met */
    bool is_profile, has_later;
    bool is_judged;                  /* whether a symmetry pays */
    bool is_chosen;                  /* ranges are, by the first look */
    const struct symmetry *symmetry; /* that is used, or NULL */
    const struct symmetry *waiting;  /* to be used if a pause says so, or NULL */
    bool is_symmetry_due;            /* said by a pause that has ended the search: it starts anew */
};
