/* CERTIFY - whether one network is an abstraction of another (X6).
 *
 * May: the abstract network has every step of the concrete one. Must: the other way round. Exact:
 * both, in the same pairs of states (a bisimulation). What is compared is the visible part of
 * states (explore/visible/visible.h). Runtime errors are no steps, a chain through branchpoints is
 * one.
 *
 * The abstract model may lack processes: what these do alone, and nobody sees, it need not follow
 * (explore/visible/graph.h). Then it is right about reachable states; about runs if they end alike,
 * which --stutter compares, and if such steps come to an end; not about deadlocks and next steps if
 * there are any. Pairs of states are then not stored up to permutations.
 *
 * Sets of states can show that it holds or why it fails (explore/compare/sets/by_sets.h); where
 * they do not, states are compared one by one.
 *
 * Pairs of states are stored up to joint permutations where the first states show that it pays
 * (explore/compare/pairs/joint_symmetry.h), but not where agents are compared, which may see single
 * processes.
 *
 * Where it is so, time is looked at as well: whether the abstraction is right, too, if a state in
 * which time may pass for ever is followed only by such states (explore/compare/pairs/simulate.h).
 *
 * Lifetime: what the refutation holds lives in the arena given; certify_close frees the rest.
 * Errors:   a limit leaves the outcome unknown; where it fails, the refutation may take a little
 *           longer, and is left out after that. certify gives false if a network cannot be prepared
 *           (reported to its model's diag), or the engine asked for is not for them.
 */
#pragma once

#include "explore/compare/observing.h"
#include "explore/compare/pairs/refute.h"
#include "explore/compare/sets/by_sets.h"
#include "explore/verdict/trace.h"

struct certify_options {
    enum simulation_mode mode;
    enum engine engine;           /* ENGINE_AUTO: both in turns, while states are explored */
    enum symmetry_use symmetry;   /* SYMMETRY_REPORT: not by sets unless that is asked for */
    uint64_t shuffle;             /* for tests (symbolic.h) */
    bool observes;                /* agents, too (explore/compare/observing.h) */
    bool is_stuttering;           /* a state without steps has one to itself; not for exact, where a
                                     loop would be as good as a deadlock */
    struct search_options search; /* max_states counts for each side, the rest for all; 0 = none */
    void (*progress)(void *context, uint64_t pairs); /* of the comparison, with search.context */
};

/* Position i is a pair of states: states[at[side][i]] of the side's trace. */
struct refutation {
    struct trace *traces[SIDE_COUNT];
    uint32_t *at[SIDE_COUNT];
    uint32_t count;
    struct duel_step *steps; /* from position i to i + 1; a side whose state does not move on
                                stutters */
    bool is_initial;         /* the initial states look different; there is nothing else */
    bool is_timed;    /* time may pass in the last state of the mover only; there is nothing else */
    enum side mover;  /* of the step that nothing follows: the last of its trace, */
    bool is_stutter;  /* unless it stutters */
    uint32_t choices; /* successors of the other side, none of which looks the same */
    bool has_fault;   /* and some evaluation fails there */
    struct fault fault;
};

struct certification {
    enum simulation_outcome outcome;
    enum engine engine; /* that found it; ENGINE_SYMBOLIC: there are no searches */
    const char *reason; /* why sets, which were asked for, did not; or NULL */
    enum search_limit limit;
    struct search searches[SIDE_COUNT];
    bool is_searched[SIDE_COUNT];
    struct figures figures[SIDE_COUNT];
    struct fault faults[SIDE_COUNT]; /* of a step that fails, if there are errors */
    struct silence silence;          /* of processes that are gone, */
    bool is_silence_known;           /* unless a limit was met, or it does not hold */
    struct exact pairs;              /* of orbits: that those which were compared stand for */
    const struct symmetry *joint;    /* joint permutations that were looked for, or NULL */
    bool has_orbits;                 /* pairs were stored up to these: */
    uint64_t orbits;                 /* so many, */
    bool are_orbits_exact;           /* or fewer */
    size_t peak_size;
    double seconds;
    struct refutation *refutation;      /* NULL unless it fails, and past a limit */
    enum simulation_outcome time;       /* with time compared; unknown unless it holds without */
    struct refutation *time_refutation; /* likewise */
    struct observer_list observers;     /* if asked for */
};

bool certify(struct certification *certification, struct arena *arena,
             const struct visible *visible, const struct certify_options *options);
void certify_close(struct certification *certification);
