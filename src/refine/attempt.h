/* ATTEMPT - one abstraction of a model, made and checked in memory, for one query.
 *
 * Lifetime: what an attempt holds is valid until attempt_close; the network is borrowed. Messages
 *           of the abstraction and of its model are not shown.
 * Errors:   a refusal and a limit are outcomes.
 */
#ifndef VARABS_REFINE_ATTEMPT_H
#define VARABS_REFINE_ATTEMPT_H

#include "abstract/claim/guarantee.h"
#include "explore/verdict/verify.h"
#include "normal/normal.h"
#include "session/session.h"
#include "suggest/trial.h"

/* What came of one of the two abstractions, or of a look at the model without removals. */
struct refine_side {
    bool is_tried, is_made, is_exact, carries;
    bool is_look;
    bool is_wide;   /* it was not checked: edges would choose from very many values */
    bool is_normal; /* with values exchanged that make no difference for the query */
    enum verdict verdict;
    uint64_t states;
    enum search_limit limit;
    const char *reason;
};

struct attempt {
    bool is_made;         /* the abstraction was not refused */
    bool is_wide;         /* it was not checked: edges would choose from very many values */
    bool is_exact;        /* X1 */
    enum verdict verdict; /* on the abstraction */
    bool carries;         /* this verdict holds for the original (DESIGN section 6) */
    const char *reason;   /* why it does or does not, or why it was refused */
    const char *culprit;  /* not exact: the first reason why (X1) */
    uint64_t states;
    enum search_limit limit;
    const struct answer *answer; /* with a trace where there is one; NULL if it was not checked */
    struct normal normal;        /* values that were exchanged in it, before it was checked */
    /* private */
    struct trial_work work;
    struct session session; /* of the output */
    struct verification verification;
    bool has_session, has_verification;
};

/* The network's model must have the query, as queries[0], and no other. */
void attempt_make(struct attempt *attempt, const struct network *network,
                  const char *const *arguments, uint32_t count,
                  const struct abstract_options *options, const struct verify_options *verify);
void attempt_close(struct attempt *attempt);

#endif
