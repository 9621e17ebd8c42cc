/* ATTEMPT - one abstraction of a model, made in memory and checked for one query or several.
 *
 * Values that make no difference are exchanged before it is checked, for each query by itself;
 * queries for which the same values are exchanged share a search. For a formula none are exchanged,
 * as it depends on what agents observe and may choose; it is attempted alone.
 *
 * Lifetime: what an attempt holds is valid until attempts_close; the network is borrowed. Messages
 *           of the abstraction and of its model are not shown.
 * Errors:   a refusal and a limit are outcomes.
 */
#pragma once

#include "abstract/claim/guarantee.h"
#include "explore/verdict/verify.h"
#include "normal/normal.h"
#include "refine/removal_candidates.h"
#include "session/session.h"
#include "suggest/trial.h"

/* The result of one of the two abstractions, or of searching the model without removals. */
struct refine_side {
    bool is_tried, is_made, is_exact, carries;
    bool is_original; /* no abstraction was made: this is the model without removals */
    bool is_wide;     /* it was not checked: edges would choose from very many values */
    bool is_normal;   /* with values exchanged that make no difference for the query */
    enum verdict verdict;
    uint64_t states;
    enum search_limit limit;
    const char *reason;
};

/* Arguments of --merge. */
struct merge_list {
    const char *const *arguments;
    uint32_t count;
};

/* The attempt to decide one query by an abstraction. */
struct attempt {
    bool is_made;         /* the abstraction was not refused */
    bool is_wide;         /* it was not checked: edges would choose from very many values */
    bool is_exact;        /* X1 */
    enum verdict verdict; /* on the abstraction */
    bool carries;         /* this verdict holds for the original (X4) */
    bool bounds;          /* so do its values, as bounds from one side */
    const char *reason;   /* why it does or does not, or why it was refused */
    const char *culprit;  /* not exact: the first reason why (X1) */
    uint64_t states;
    enum search_limit limit;
    bool is_open; /* a formula that is neither, though no limit ended it */
    const struct edge_instance
        *doubted;                  /* mixed, and unknown: whose step is not certain, or NULL */
    const struct answer *answer;   /* with a trace where there is one; NULL if it was not checked */
    struct search *search;         /* that it is from, as long as the attempts are open; or NULL */
    const struct session *session; /* then: of the output */
    struct normal normal;          /* values that were exchanged in it, before it was checked */
};

struct attempts {
    struct attempt *list; /* by query */
    uint32_t count;
    uint64_t states; /* of all searches */
    /* private */
    struct trial_work work;
    const struct abstraction *abstraction; /* which the queries are asked of */
    struct str output;
    struct merged_attempt *merged; /* or NULL */
    struct arena arena;
    struct normaliser *normaliser; /* NULL: nothing is exchanged */
    VEC(struct attempt_search *) searches;
};

/* For the queries of the network's model; there is one at least. */
void attempts_make(struct attempts *attempts, const struct network *network,
                   const struct removals *removals, const struct abstract_options *options,
                   const struct verify_options *verify);
/* None is made; the list is to be filled. */
void attempts_none(struct attempts *attempts, uint32_t count);
/* The same with merges, in a may- or must-abstraction, where no values are exchanged. What relies
 * on there being no runtime errors does not carry over, unless may_rely: nothing more will be
 * learned of them, and that is said beside the verdict. Exploring the abstraction may show that
 * there are none (refine/ends_alike.h), by the condition. */
void attempts_make_merged(struct attempts *attempts, const struct network *network,
                          const struct merge_list *merges, const struct abstract_options *options,
                          const struct claim_condition *condition, bool may_rely,
                          const struct verify_options *verify);
/* To be called in any case; frees what the attempts point to. */
void attempts_close(struct attempts *attempts);
