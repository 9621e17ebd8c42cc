/* LOOP - decides a query of a model by abstractions, from coarse to fine.
 *
 * First, and again before each of the next few rounds, it looks at the model without removals
 * (refine/looks.h). Limits are states, so that results do not depend on time.
 *
 * Then it starts without any variable that the query does not name. In each round the
 * may-abstraction is checked, then, if its verdict does not hold for the original, the
 * must-abstraction of the same removals for the other verdict, and then whether the run that the
 * may-abstraction has to show is one of the original. If it is not, a variable that keeps it from
 * being one is put back, the one with the least estimate (suggest/candidate.h) if there are
 * several: where it is dead it stays removed, as long as nothing blames that. When a limit ends a
 * check, all comes back that is not dead; where edges would choose from very many values, all comes
 * back at once that they choose values of. Values that make no difference for the query are
 * exchanged in abstractions before these are checked. What came back because of very many values
 * does not go for the queries after it either (refine/learnt.h). At the latest without any removal
 * the abstraction is exact.
 *
 * Verdicts are reported only if they carry over (DESIGN section 6): by the abstraction, or because
 * the original has the run. sup, inf and bounds are decided if the abstraction is exact or may and
 * must give the same values. All this assumes that the original has no runtime errors.
 *
 * Lifetime: results live in the arena given.
 * Errors:   past a limit the verdict is unknown.
 */
#ifndef VARABS_REFINE_LOOP_H
#define VARABS_REFINE_LOOP_H

#include "refine/learnt.h"
#include "refine/looks.h"
#include "refine/put_back.h"

enum { REFINE_MAX_ROUNDS = 200 };

struct refine_round {
    uint32_t number; /* from 1 */
    const char **arguments;
    uint32_t argument_count;
    struct refine_side may, must;
    enum refine_finding finding; /* of the run of the may-abstraction */
    uint32_t step;               /* FINDING_SPURIOUS: where it breaks, from 1; 0 = not known */
    uint32_t loop_rounds;        /* of its loop that are possible before */
    const char *back;    /* what is put back for the next round; NULL in the last, and in a look */
    const char *remains; /* its argument in that round, or NULL */
};

/* The run of a may-abstraction, and what came of it in the original; for the call only. */
struct refine_run {
    const struct attempt *may; /* its answer has the run */
    const struct concretization *followed;
};

struct refine_options {
    const struct abstract_options *abstract;
    struct verify_options verify; /* its time is that of one query, all rounds together */
    struct looks *looks;          /* NULL: none */
    struct learnt *learnt;        /* of queries before */
    uint32_t number;              /* of the query there */
    void (*show)(void *context, const struct refine_round *round); /* after each */
    /* Before that, where there is a finding; or NULL. */
    void (*show_run)(void *context, const struct refine_round *round, const struct refine_run *run);
    void *context;
};

/* What decided a query: an abstraction, both as their bounds agree, or a run of the
 * may-abstraction that the original has. */
enum refine_way { BY_NOTHING, BY_MAY, BY_MUST, BY_BOTH, BY_RUN };

struct refine_result {
    enum verdict verdict;
    enum refine_way way;
    struct bounds_of *bounds; /* of a satisfied sup, inf or bounds: by expression */
    const char *reason;       /* why it carries over, or why there is no verdict */
    enum search_limit limit;
    struct refine_round last; /* with the removals that decided it */
};

/* The network's model must have the query, as queries[0], and no other. */
void refine_query(struct refine_result *result, const struct network *network,
                  const struct refine_options *options, struct arena *arena);

#endif
