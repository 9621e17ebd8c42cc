/* MODEL - the folds of all locations of a model: what an abstraction is made of.
 *
 * Lifetime: in the arena given; abstraction_close frees what is not.
 */
#pragma once

#include "abstract/facts/fold_memo.h"
#include "abstract/facts/rules.h"
#include "abstract/fold/output.h"
#include "abstract/prepare/split.h"
#include "model/errors.h"
#include "xml/splice.h"

/* The last analysis that was made, for who asks for the same one: nobody may use it while another
 * abstraction is made. */
struct analysis_memo {
    struct arena arena;            /* its own, which the owner opens and closes */
    const struct network *network; /* set by the owner: analyses of others are not kept */
    struct analysis *analysis;
    struct analysis_options asked;
};

struct abstract_options {
    enum mode mode;
    struct analysis_options analysis; /* but is_must, which the mode says */
    bool drops_priorities;            /* M5 */
    bool untimes;                     /* removes all clocks (T3.10) */
    bool explains;                    /* what changed gets a comment */
    const char *favour;  /* mixed: names of a coalition that it is for alone (ST11); or NULL */
    const bool *favours; /* its processes, by index; or NULL */
    bool stutters;       /* --stutter, for may (claim/stutter.h) */
    bool assumes_live;   /* L3: the user says that the original is never stuck */
    bool is_quick;       /* a quick trial: value classes are not tried */
    bool writes_nothing; /* only what becomes of the edges is wanted: no output */
    bool writes_exact_only, writes_inexact_only; /* no output of another abstraction */
    bool ends_inexact;                           /* stops at the first reason why it is not exact */
    /* leaves functions that nothing calls any more, as nobody will read the output */
    bool keeps_uncalled;
    const char *asked;      /* queries that the output is asked beside its own: the functions that
                               they name stay; or NULL */
    bool writes_first_step; /* an output for exploring the initial state alone (first_step.h) */
    bool by_cells_only;     /* merges that would be folded by many tuples of values are refused */
    bool folds_anew;        /* folds of a search are not found again: for comparisons of the two */
    bool searches_nothing;  /* must: does not search for more steps to keep (must/search.h) */
    struct analysis *known; /* is taken for an abstraction of this network, for a must-abstraction
                               if it is for such; or NULL */
    struct analysis_memo *memo;      /* where may-abstractions find and leave theirs; or NULL */
    void (*tell)(const char *stage); /* what is done from now on; or NULL */
};

void abstraction_tell(const struct abstract_options *options, const char *stage);

struct location_fold {
    const struct template *template;
    uint32_t location;
    struct open_edge *const *open_edges;
    uint32_t open_edge_count;
    struct fold fold;
    bool becomes_urgent; /* T3.5 (fold/urgency.h) */
};

struct invariant_fold {
    const struct template *template;
    uint32_t location;
    const struct expr *invariant; /* folded; NULL = true */
    const struct expr *passed;    /* conditions on clocks, never evaluated; NULL = true */
    bool is_stricter;             /* over: it may keep out more than the original */
};

struct dropped_entry { /* a query, progress measure or gantt entry that names a removed variable */
    struct span span;
    const char *what, *text, *variable;
};

/* A query of removed variables, said of ghosts (S2). */
struct rewritten_query {
    uint32_t index;
    const struct text_edit *edits; /* of its formula, by place */
    uint32_t edit_count;
    const char *formula; /* after the edits */
};

/* That an abstraction is exact although the fold has reasons why not: exploring has shown it. */
struct explored_exact {
    uint64_t states_before, states_after;     /* of outputs */
    uint64_t compared_before, compared_after; /* of the two that were compared */
    bool is_exchanged;                        /* the two that were compared have values exchanged */
    /* compared with the original; else with the abstraction by those removals alone that the
     * fold shows to be exact */
    bool is_to_original;
};

/* Whether the original was shown to be stuck only where a may-abstraction is, by exploring (L2). */
struct ends_alike {
    bool is_shown;
    uint64_t states, stuck; /* of the abstraction */
    /* what this relies on not to fail in the original, as in struct abstraction */
    const char *may_fail;
};

/* F11: where merges over cells do not say enough. */
struct cell_doubt {
    const struct template *template;
    uint32_t edge; /* index */
    const struct cell_reason *reason;
};

struct abstraction {
    struct arena *arena;
    const struct network *network;
    const struct request *request;
    struct analysis *analysis;
    const struct classes *classes; /* by which nothing that goes makes a difference, or NULL */
    struct function_plan functions;
    struct context context;
    bool ends_inexact;                     /* as the options say */
    const struct lower *lower;             /* the lower sets that steps are confined to, or NULL */
    struct blocked_channels blocked;       /* U2 */
    struct fold_memo memo;                 /* private: of struct location_fold */
    VEC(struct location_fold *) folds;     /* locations with an edge that changed */
    VEC(struct invariant_fold) invariants; /* that changed */
    VEC(struct dropped_entry) dropped_entries; /* queries and entries that went (M9) */
    VEC(uint32_t) dropped_queries;             /* indices */
    uint32_t exchanged_count; /* of these, the last ones: they name what has values exchanged */
    VEC(struct rewritten_query) rewritten_queries;
    VEC(const char *) inexact;          /* reasons; empty if exact (X1) */
    VEC(struct cell_doubt) cell_doubts; /* some of them, in parts */
    struct map reasons;                 /* private: where each stands, from 1, by its hash */
    bool is_exact; /* under (X1): there is no reason why not, or exploring has shown it */
    /* That it is exact although there are reasons why not; NULL: this is not shown. */
    const struct explored_exact *explored;
    const char *not_shown;      /* why exploring has not shown it, if it was asked to; or NULL */
    bool has_inexact_invariant; /* some reason is an invariant */
    const char *may_fail;       /* what of the original may fail where this does not, as
                                        "P: a -> b: n++": all that is claimed holds if the original
                                        has no runtime errors, which is not known; NULL: it holds
                                        whether it has some or not (V14) */
    struct original_errors *errors; /* what is known of those; NULL: nothing */
    bool loses_urgency;             /* T3.5: no channel is urgent */
    bool drops_priorities;          /* M5: they would be wrong here */
    bool stutters;                  /* has the loops of stutter.h, where they are needed */
    bool stutters_at_errors;        /* has them also where a step of the original fails */
    bool assumes_live;              /* L3, as the options say */
    struct ends_alike ends;         /* refine/ends_alike.h */
    bool has_exchanges;             /* normal_apply: values have become those that stand for them */
    bool explains;
    const bool *favours; /* by process, as the options say; or NULL */
    uint32_t edges_before, edges_after;
    struct str output;
    const struct observations *observations; /* claim/observation.h, or NULL */
    const struct split *split;               /* what was done before; set by job_make, or NULL */
    const struct taken_out
        *taken_out; /* processes that were taken out before (claim/taken_out.h); likewise */
    double analysis_seconds, fold_seconds, write_seconds;
};

/* The first steps of it: the value analysis, and the context that open edges need. False after an
 * error, which is reported. */
bool abstraction_open(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, const struct request *request,
                      const struct abstract_options *options, struct diag *diag);
void abstraction_close(struct abstraction *abstraction);

/* Folds every edge and invariant, with the value sets of the analysis. False after an error. */
bool abstraction_fold(struct abstraction *abstraction, const struct abstract_options *options);

/* Folds everything anew, with the value sets of another analysis. */
bool abstraction_fold_again(struct abstraction *abstraction, struct analysis *analysis,
                            const struct abstract_options *options);

/* Folds everything anew, if that may show that the abstraction is exact: conditions are compared by
 * their values, not by their text. */
bool abstraction_fold_by_meaning(struct abstraction *abstraction,
                                 const struct abstract_options *options);

/* One more reason why the abstraction is not exact (X1). */
void abstraction_add_reason(struct abstraction *abstraction, const char *reason);
/* N9: a persistent meta variable stays, and something else does not. Of states that differ in the
 * former alone Uppaal keeps one, and what has gone may have told them apart in the original. */
bool abstraction_keeps_persistent(const struct abstraction *abstraction);
/* Then it is not exact. */
void abstraction_doubt_persistent(struct abstraction *abstraction);

/* The location whose folded invariant does not hold in the initial state (U3), or NULL. */
const struct location *abstraction_excludes_initial(const struct abstraction *abstraction);
