/* KNOWLEDGE - whether a formula holds in the initial state, by the states where its parts do.
 *
 * Each part becomes the set of reachable states in which it holds, bottom up: atoms by evaluating
 * them in every state, operators over runs backwards along the steps, knowledge by classes of
 * states that are the same to an agent. The steps are looked at only where a part needs them: A[]
 * and E<> outside of everything else ask for all states or some (rule K1).
 *
 * Runs are infinite, or end in a state without steps, which stays for ever (kripke).
 *
 * In a mixed model the verdict is that of the original, or open.
 *
 * Lifetime: the agents live in the arena given. The search is borrowed and must be complete.
 * Errors:   limits of the search hold, on memory and time. An atom that cannot be evaluated in some
 *           reachable state leaves the formula undecided.
 */
#pragma once

#include "explore/knowledge/formula.h"
#include "explore/space/search.h"
#include "explore/strategy/known_steps.h"
#include "explore/strategy/plan.h"

enum known_outcome {
    KNOWN_TRUE,
    KNOWN_FALSE,
    KNOWN_PROBLEM, /* problem and span say why it cannot be decided */
    KNOWN_LIMIT,
    KNOWN_OPEN /* the search for a uniform strategy was given up; or doubt says why */
};

/* Why an agent does not know: a state that is the same to the agent. */
struct epistemic {
    const struct agent *agent;
    const struct expr *expr; /* what is not known */
    bool is_value;           /* its value is not known; otherwise that it holds */
    uint32_t other;          /* its row */
    int32_t values[2];       /* is_value: in both */
};

struct decided_formula {
    enum known_outcome outcome;
    const char *problem;
    struct span span;
    bool is_unsupported; /* KNOWN_PROBLEM: it is a formula, but not for this model */
    const char *doubt;   /* KNOWN_OPEN in a mixed model: what is not certain of the original; and */
    const struct edge_instance *doubted; /* whose step: its process and locations; or NULL */
    bool has_row;                        /* A[] that fails or E<> that holds, from outside: where */
    uint32_t row;
    bool may_have_reason; /* decided by sets: a pair or a plan has not been looked for yet */
    bool is_left_open;    /* not decided by sets: some strategy lies between bounds */
    bool has_pair;        /* why, in that row, or in the initial state */
    struct epistemic pair;
    const struct strategy_plan
        *plan;                   /* why: a strategy of a coalition; NULL if there is none to show */
    bool has_large_plan;         /* there is one, but it is too large to be shown */
    uint64_t tries;              /* choices that the search for uniform strategies tried */
    const struct agents *agents; /* those of the formula, with what they observe */
};

/* The search must be prepared; KNOWN_LIMIT unless it is complete and all sets fit. kept: steps of
 * this search for coalitions in other formulas, too; or NULL. */
void knowledge_decide(struct decided_formula *known, struct search *search,
                      struct expander *expander, const struct expr *expr, struct known_steps *kept,
                      struct arena *arena);
