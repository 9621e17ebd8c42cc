/* CONTEXT - what all steps of the abstraction of one model share: services, and the mode.
 *
 * Lifetime: form_context_close frees the memory of the evaluator; everything else lives in the
 *           arena given.
 */
#ifndef VARABS_ABSTRACT_FACTS_CONTEXT_H
#define VARABS_ABSTRACT_FACTS_CONTEXT_H

#include "abstract/facts/function.h"
#include "abstract/request/request.h"
#include "approx/analysis.h"
#include "lang/eval/eval.h"

/* A function that the transformation adds to a template. */
struct generated_function {
    const struct template *template;
    const char *name, *text;
};

struct form_context {
    struct arena *arena;
    const struct network *network;
    const struct request *request; /* borrowed */
    const struct function_plan *functions;
    struct analysis *analysis;
    const struct conditions *originals; /* while those of the model are stronger (must/kept.h) */
    struct interner *names;
    struct diag *diag;
    struct environment environment; /* globals only, for compile-time values */
    VEC(struct generated_function) generated;
    VEC(const char *) taken; /* names given to generated functions */
    bool is_must;            /* the must-fold rather than the may-fold */
    struct lower *lower;     /* the may-fold within lower sets (fold/lower.h); else NULL */
    VEC(const struct symbol *) blocked; /* U2: broadcast channels on which nobody may send */
    bool blocks_all;                    /* all of them: some are not known by name */
    bool has_before_update;             /* shared slots may change between guard and update */
    bool has_read_slot;                 /* hook state of compile-time evaluation */
    bool strengthens;          /* the abstraction is not exact: changed edges get the no-error
                                  conditions of visible updates, too */
    struct map unrolled;       /* private (unroll.c) */
    struct failures *failures; /* private (failure.c); NULL until needed */
};

void form_context_init(struct form_context *context, struct arena *arena,
                       const struct network *network, const struct request *request,
                       const struct function_plan *functions, struct analysis *analysis,
                       struct interner *names, struct diag *diag);
void form_context_close(struct form_context *context);

#endif
