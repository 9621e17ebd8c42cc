/* CONTEXT - what all steps of the abstraction of one model share: services, and the mode.
 *
 * Lifetime: context_close frees the memory of the evaluator; everything else lives in the
 *           arena given.
 */
#pragma once

#include "abstract/facts/function.h"
#include "abstract/facts/rules.h"
#include "abstract/request/request.h"
#include "approx/analysis.h"
#include "lang/eval/eval.h"
#include "model/data.h"

/* A function that the transformation adds to a template. */
struct generated_function {
    const struct template *template;
    const char *name, *text;
};

/* Variables that are removed, and only handed on and compared (D1). */
struct removed_data {
    const struct data_class *class;
    bool is_narrowed; /* its selects take fewer values, and so do value sets */
    const struct symbol
        *size; /* D3: the result is that for any value of this from least on; or NULL */
    int32_t least;
    const struct symbol *any; /* D4: and for any value of this in the range; or NULL */
    struct data_kind any_of;
};

struct context {
    struct arena *arena;
    const struct network *network;
    const struct request *request; /* borrowed */
    const struct function_plan *functions;
    struct analysis *analysis;
    struct interner *names;
    struct diag *diag;
    struct environment environment; /* globals only, for compile-time values */
    bool has_read_slot;             /* private: an evaluation did; false between evaluations */
    VEC(struct generated_function) generated;
    VEC(const char *) taken;        /* names given to generated functions */
    const struct fold_rules *rules; /* of this round of folding */
    bool is_by_meaning;             /* conditions are compared by what they mean, too */
    bool has_other_reasons;    /* why a fold is not exact: not only as texts of conditions differ */
    bool asks_targets;         /* a fold has asked for values where an edge leads */
    bool asks_values;          /* a fold has asked for values of a variable, maybe one that stays */
    bool has_before_update;    /* shared slots may change between guard and update */
    struct map unrolled;       /* private (unroll.c) */
    struct map *partners;      /* private (update_source.c): by channel */
    struct failures *failures; /* private (failing.c); NULL until needed */
    const struct doubts *doubts; /* of a mixed abstraction (fold/doubt.h), or NULL */
    VEC(const struct template *)
    failing; /* mixed: an agent of it may choose what is no step here (ST8) */
    const struct cells_plan *cells; /* merges that are folded by cells (cells/plan.h), or NULL */
    const bool *is_by_cells;        /* whether that is so, by ghost; NULL = none is */
    VEC(struct removed_data) data;  /* facts/narrowed.h */
    struct narrowed_selects narrowed;
    const bool *templates;       /* those that may change, or NULL (request_templates) */
    const struct unseen *unseen; /* removed variables that nothing sees (facts/unseen.h) */
};

void context_init(struct context *context, struct arena *arena, const struct network *network,
                  const struct request *request, const struct function_plan *functions,
                  struct analysis *analysis, struct interner *names, struct diag *diag);
void context_close(struct context *context);

/* The value of an expression that reads no slot; false if it reads one, or fails. */
bool context_value(struct context *context, const struct expr *expr, int32_t *value);
/* The value of any expression, if slots have the values that the environment's cells hold; false if
 * it fails. */
bool context_value_of_cells(struct context *context, const struct expr *expr, int32_t *value);
/* The shape of a type whose bounds read no slot; NULL if they do, or fail. */
const struct shape *context_shape(struct context *context, const struct type *type);
/* The cell that a path leads to without reading a slot. */
enum path_end { PATH_FOUND, PATH_FAILS, PATH_UNKNOWN };
enum path_end context_place(struct context *context, const struct expr *path,
                            struct binding *place);
