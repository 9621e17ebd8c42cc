/* VERIFY - answers queries by exploring the network (N1 to N7).
 *
 * Reachability queries (A[] p, E<> p, sup, inf, bounds) are all answered by one search; liveness
 * queries (A<> p, E[] p, p --> q) and formulas of operators in each other and of knowledge
 * (explore/knowledge) on the states that it stored.
 *
 * There are two engines: the explicit one goes from state to state (explore/space), the symbolic
 * one computes with sets of states (explore/symbolic). Where both can answer they say the same, but
 * the symbolic one always explores everything; what coalitions can do is for the explicit one.
 * Which states an agent takes for each other is the same if traces are wanted; if not, the symbolic
 * one may name others, as the nearest ones are costly to find there. ENGINE_AUTO runs them in turns
 * (verify_race.c); which one answers depends on the model and the options alone, but for limits of
 * time.
 *
 * With fairness, liveness queries are about fair runs (explore/fair), which every finite run goes
 * on to; so reachability and bounds are as without. Formulas and the symbolic engine are refused
 * then.
 *
 * Where states differ in persistent meta variables only (model/persistent.h), a verdict is given if
 * it is the same whichever of them Uppaal finds first, and figures count them as one; if equal
 * states do not go on alike, figures tell them apart. The explicit engine explores everything for
 * that.
 *
 * Semantics of runs: maximal runs are infinite, or end in a deadlocked state, which stutters
 * (kripke); under uppaal a run may besides end in any state that can idle (idle.h).
 *
 * Lifetime: results live in the arena given; verify_close frees the states.
 * Errors:   a limit leaves verdicts unknown. Traces of what was found in time may take a little
 *           longer, and are left out after that. A query that is invalid, or whose evaluation fails
 *           in a reachable state, has a problem and the verdict unknown.
 */
#pragma once

#include "explore/fair/constraint.h"
#include "explore/knowledge/knowledge.h"
#include "explore/space/figures.h"
#include "explore/verdict/trace.h"

enum semantics { SEMANTICS_UPPAAL, SEMANTICS_KRIPKE };
enum verdict { VERDICT_UNKNOWN, VERDICT_SATISFIED, VERDICT_VIOLATED };
/* ENGINE_AUTO is only asked for: one of the others answers. */
enum engine { ENGINE_EXPLICIT, ENGINE_SYMBOLIC, ENGINE_AUTO };

/* Whether states that permutations of who is who map to each other are one for the explicit engine:
 * never, where that pays, or always. */
enum symmetry_use { SYMMETRY_OFF, SYMMETRY_AUTO, SYMMETRY_REPORT };

/* Whether the verdict would be the opposite one if every process were fair, and how (if_fair.h). */
enum turns_if_fair {
    TURNS_UNKNOWN,
    TURNS_WEAKLY,
    TURNS_STRONGLY,
    TURNS_TOO_MANY, /* there are more than FAIR_MAX processes */
    TURNS_TOO_LARGE /* there are more states or steps than are looked at for this */
};

struct answer {
    const struct query *query;
    enum verdict verdict;
    enum turns_if_fair turns_if_fair;
    const char *problem;      /* why there is no verdict, or NULL */
    bool hangs;               /* as the language leaves it open (equal.h) */
    bool is_too_long;         /* to evaluate, where it has a problem */
    struct span problem_span; /* in the query */
    struct bounds_of *bounds; /* sup, inf, bounds: by expression, query->expr_count of them */
    struct trace *trace;      /* witness (E<>, E[]) or counterexample; NULL = none was asked for,
                                 or there is none */
    struct decided_formula
        *known;          /* of a formula: who observes what, and why an agent does not know */
    struct trace *other; /* to the state that an agent takes for the last one of the trace */
};

/* Queries that were answered by a run of their own, as they allow less to change places. */
struct answered_apart {
    const struct symmetry *symmetry; /* that was looked for, or NULL */
    struct figures figures;
    const uint32_t *queries; /* by number, from 0 */
    uint32_t count;
    struct answered_apart *next;
};

struct verification;
struct verify_options {
    struct search_options search;
    enum semantics semantics;
    bool wants_traces;
    struct fair_names fair;  /* of liveness queries; for the explicit engine */
    uint64_t max_fair_steps; /* between states, in the search for a fair run; 0 = no limit */
    enum engine engine;
    enum symmetry_use symmetry;
    bool tries_no_orders; /* of receivers: no symmetry that rests on that (symmetry_find_tried) */
    bool max_states_is_effort; /* max_states bounds the effort, which both engines share: the sets
                                  work in turns with the states */
    bool only_counts; /* what is asked is how many states there are, and whether there are errors */
    /* Or NULL: asked by ENGINE_AUTO when so many states were looked at, with the verdicts of
     * queries for which a state has been found; the number at which it is asked next, or 0, which
     * ends the run. */
    uint64_t (*stop)(void *context, const struct verification *so_far);
    void *stop_context;
    uint64_t first_stop;
    uint64_t shuffle; /* of the symbolic engine, for tests (symbolic.h); 0 = none */
};

struct verification {
    struct arena *arena;
    struct search *search; /* by the symbolic engine only prepared, and with the states of traces */
    enum engine engine;
    struct fair_constraints fair;    /* that were asked for */
    uint32_t constraint_count;       /* of them */
    struct figures figures;          /* of what was explored */
    const struct symmetry *symmetry; /* that was looked for, or NULL */
    struct answered_apart *apart;    /* or NULL */
    uint64_t nodes;                  /* ever made, by the symbolic engine */
    struct answer *answers;
    uint32_t answer_count;
    /* The first runtime error of the model (a range violation and the like) */
    bool has_error;
    struct fault error;
    struct trace *error_trace; /* where traces are wanted */
    bool lacks_traces;         /* a limit was in the way of one that is wanted */
};

/* Queries of kind QUERY_EMPTY must have been left out. False if the network cannot be prepared, or
 * is not for the engine (reported). Close it in either case. */
bool verify(struct verification *verification, struct arena *arena, const struct network *network,
            const struct query *queries, uint32_t count, const struct verify_options *options);
void verify_close(struct verification *verification);
