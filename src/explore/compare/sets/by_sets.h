/* BY SETS - certification by sets of states (explore/symbolic), where a state of the concrete model
 * is mapped to one state of the abstract one at most (state_map.h), and no value is exchanged.
 *
 * Then a simulation can relate a state to the state that it is mapped to, alone. All concrete
 * states s that can be reached are found, and the steps of the abstract model from p(s), to which
 * they are mapped, as actions on vectors. May: every step s -> s' has an abstract one p(s) ->
 * p(s').
 * Must: every abstract step p(s) -> t' has a concrete one s -> s' with p(s') = t' (follow.h). With
 * equal initial states that is a simulation: pairs (s, p(s)) are left to such pairs only.
 *
 * Where all variables of the abstract model are compared, and nothing is guessed, it is no less
 * than that for may and exact: every simulation has all of these pairs, so a step that is not
 * followed refutes it. Whether p(s) can be reached is not looked at: the first s on a run with a
 * p(s) that cannot be is left to by a step that is not followed. For must alone there may be
 * another simulation, with fewer states s.
 *
 * Where that leaves it open, or no p(s) can be guessed, all pairs of states that look the same are
 * compared: those of a concrete state and every value that the abstract model has, somewhere at the
 * same location, of what is not compared. From these goes whatever has a step that is not followed
 * to another one, until nothing does (follow_pairs). That is the greatest simulation, so it holds
 * or fails, and with time as well. It is given up where it takes too much work.
 *
 * Where time may pass for ever is compared in the same pairs (explore/symbolic/may_idle_sets.h). If
 * it is not so alike, another simulation may do, but where all variables are compared for may and
 * exact: then all pairs are compared, too.
 *
 * A step that fails is none, in both models.
 *
 * Steps that only processes take which the abstract model lacks are silent where nothing changes
 * that is compared: p(s') = p(s), and the abstract model stays. There are no guesses then, and only
 * these pairs are compared.
 *
 * Where it fails, or time differs, the sets that were left from step to step of the fixpoint are
 * kept, or made: first without the states from which a step is not followed, then without those
 * that lead there. A run of both models along them shows why (refute_sets.h). Where there is no
 * room or time for that, the other engine has to find one.
 *
 * Where vectors do not fit the layout of the abstract model, which has all that can be reached, no
 * such p(s) can be reached: there are no steps, and must is left open. So it is where an abstract
 * step leads to a value that no concrete state has; of all pairs these have a step that is not
 * followed.
 *
 * Lifetime: heap memory, freed by set_certifier_close.
 * Errors:   SETS_OPEN: reason says why it is not known, SETS_STOPPED: limit does.
 */
#pragma once

#include "explore/compare/pairs/refute.h"
#include "explore/symbolic/symbolic.h"
#include "explore/verdict/verify.h"
#include "explore/visible/visible.h"

enum set_outcome { SET_HOLDS, SET_FAILS, SET_MORE, SET_OPEN, SET_STOPPED };

struct set_certifier {
    const struct visible *visible;
    enum simulation_mode mode;
    bool is_stuttering;
    struct search_options options;
    uint64_t shuffle; /* for tests (symbolic.h) */
    double deadline;
    struct arena *arena; /* of the figures */
    const char *reason;
    bool is_refused;     /* as a model or what is compared is not for sets */
    bool has_steps;      /* left open, but there is a simulation if time is not compared, */
    bool has_other_time; /* and none if it is */
    bool has_failed;     /* there is no simulation */
    bool has_duel;       /* why it fails, or, of SET_OPEN, that time differs: */
    struct duel duel;    /* by steps of the searches */
    enum search_limit limit;
    struct figures figures[SIDE_COUNT];
    struct fault faults[SIDE_COUNT]; /* of a step that fails, if there are errors */
    struct silence silence;          /* if it holds and processes are gone */
    struct exact pairs;              /* if all were compared: that are left, or were compared */
    size_t peak_size;
    struct search searches[SIDE_COUNT]; /* prepared: layouts and programs */
    /* private */
    struct diag diag;
    bool is_prepared[SIDE_COUNT], is_open[SIDE_COUNT], is_done[SIDE_COUNT];
    struct symbolic symbolics[SIDE_COUNT];
    double start, next_progress;
};

/* Goes on up to so many results of operations for each of the models; 0 = to the end. After
 * SET_MORE it may be called again. The parts above the result are set by the caller, all others are
 * zeros. */
enum set_outcome set_certifier_run(struct set_certifier *certifier, uint64_t most);
void set_certifier_close(struct set_certifier *certifier);
