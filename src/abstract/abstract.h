/* ABSTRACT - the may-abstraction of a model: from a request to the bytes of the new model.
 *
 * Data flow: value analysis (approx/) -> forms -> folds by location -> edits of the document.
 *
 * Lifetime: everything lives in the arena given.
 * Errors:   what cannot be abstracted soundly is refused with STATUS_UNSUPPORTED.
 */
#ifndef VARABS_ABSTRACT_ABSTRACT_H
#define VARABS_ABSTRACT_ABSTRACT_H

#include "abstract/fold.h"
#include "abstract/split.h"
#include "xml/splice.h"

struct abstract_options {
    struct analysis_options analysis;
    bool drops_priorities; /* M5 */
    bool explains;         /* what changed gets a comment */
    bool stutters;         /* --stutter, for may (stutter.h) */
    bool is_lower;         /* --must=lower (lower.h) */
};

/* "may", "must" or "must-lower". */
const char *abstract_mode(const struct abstract_options *options);

struct location_fold {
    const struct template *template;
    uint32_t location;
    struct form *const *forms;
    uint32_t form_count;
    struct fold fold;
};

struct invariant_fold {
    const struct template *template;
    uint32_t location;
    const struct expr *invariant; /* folded; NULL = true */
    bool is_lost;                 /* it keeps out more than the original */
};

struct loss { /* a query, progress measure or gantt entry that names a removed variable */
    struct span span;
    const char *what, *text, *variable;
};

/* A query whose removed names a merge keeps, in other words (S2). */
struct rewritten_query {
    uint32_t index;
    const struct text_edit *edits; /* of its formula, by place */
    uint32_t edit_count;
    const char *formula; /* what comes out */
};

struct abstraction {
    struct arena *arena;
    const struct network *network;
    struct request *request;
    struct analysis *analysis;
    struct function_plan functions;
    struct form_context context;
    VEC(struct location_fold *) folds;     /* locations with an edge that changed */
    VEC(struct invariant_fold) invariants; /* that changed */
    VEC(struct loss) losses;               /* queries and entries that went (M9) */
    VEC(uint32_t) lost_queries;            /* indices */
    VEC(struct rewritten_query) rewritten_queries;
    VEC(const char *) inexact; /* reasons; empty if exact (X1) */
    bool is_exact;
    bool loses_invariant;  /* some reason is an invariant */
    bool drops_priorities; /* M5: they would be wrong here */
    bool stutters;         /* with the loops of stutter.h, where they are needed */
    bool explains;
    uint32_t edges_before, edges_after;
    struct str output;
    const struct split *split; /* what was done before; set by whoever did it, or NULL */
    double analysis_seconds, fold_seconds, write_seconds;
};

/* False after an error, which is reported. */
bool abstraction_make(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, struct request *request,
                      const struct abstract_options *options, struct diag *diag);
void abstraction_close(struct abstraction *abstraction);

/* The removed variable that an expression names, or NULL. */
const char *abstraction_removed_in(struct abstraction *abstraction, const struct expr *expr);

/* merge_query.c: says a query without the names that are merged; false if some removed name stays.
 */
bool query_rewrite(struct abstraction *abstraction, uint32_t index);

/* The first steps of it: the value analysis, and the context that forms need. */
bool abstraction_open(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, struct request *request,
                      const struct abstract_options *options, struct diag *diag);

/* Folds every edge and invariant, with the value sets of the analysis. False after an error. */
bool abstraction_fold(struct abstraction *abstraction, const struct abstract_options *options);

/* The location whose folded invariant does not hold in the initial state (U3), or NULL. */
const struct location *abstraction_excludes_initial(const struct abstraction *abstraction);

/* Edits the document and sets abstraction->output (generate.c). */
void generate_output(struct abstraction *abstraction);

#endif
