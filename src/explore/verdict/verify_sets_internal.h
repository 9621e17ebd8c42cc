/* VERIFY SETS INTERNAL - what the parts of the symbolic engine of verify share.
 *
 * verify_symbolic.c runs, answers and traces
 * verify_sets.c     where predicates and formulas hold, and values of bounds
 */
#pragma once

#include "explore/knowledge/why_by_sets.h"
#include "explore/symbolic/decide.h"
#include "explore/symbolic/facts.h"
#include "explore/symbolic/symbolic.h"
#include "explore/verdict/verify_internal.h"
#include "lang/syntax/kinds.h"

/* The findings about one watch; sets are held. */
struct set_finding {
    struct target found, failed; /* where the predicate holds, and where some evaluation fails */
    struct bounds_of *bounds;
    uint32_t runs; /* of a liveness query: states from which a run stays inside */
    struct decided_formula *known;
};

struct sets {
    struct verification *verification;
    const struct verify_options *options;
    const struct plan *plan;
    struct symbolic symbolic;
    struct reach *reach;
    struct decider decider;
    uint32_t deadlocks, errors; /* held */
    uint32_t ends;              /* held: where runs may end; where has_ends */
    bool has_ends;
    struct set_finding *findings;  /* by watch */
    struct set_formula **formulas; /* by query; NULL: it is of another family */
    uint32_t *told;                /* by instance: moves of coalitions; NULL: there are none */
    struct layers layers;
    struct target *targets; /* of all findings, then the errors */
    uint32_t target_count;
    size_t others; /* place below the layers, for states that an agent takes for another one */
    struct expander expander;
    uint64_t *words; /* a state with scratch words */
    bool is_forked;  /* steps of several processes go more than one way */
    bool is_open;    /* symbolic */
    const char *refusal;
    uint32_t refused_at; /* in the model or a query */
};

static inline enum query_family family_of(const struct answer *answer) {
    return query_traits(answer->query->quantifier)->family;
}

/* Until the answers are there, or made anew; gives the set. */
static inline uint32_t sets_hold(struct sets *sets, uint32_t set) {
    ldd_hold(&sets->reach->ldd, set);
    return set;
}

/* Makes the code of formulas, which must be there before machines are. */
void sets_compile_formulas(struct sets *sets);
/* Evaluates all watches, once all states are there. NULL, or a text that says which query is not
 * for this engine. */
const struct query *sets_find_all(struct sets *sets);
