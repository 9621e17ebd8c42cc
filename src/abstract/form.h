/* FORM - an edge or invariant in which every read of a removed slot is a named unknown.
 *
 * Residuals (DESIGN section 4) are a form with constants put in for its unknowns. Reads of shared
 * slots by a receiver's update are unknowns of their own, apart from those of its guard (M6).
 *
 * Invariants: guard, synchronisation, items and condition mention removed variables only through
 *             placeholders, except where an update has become a generated function.
 * Lifetime:   everything lives in the arena of the context.
 */
#ifndef VARABS_ABSTRACT_FORM_H
#define VARABS_ABSTRACT_FORM_H

#include "abstract/function.h"
#include "approx/analysis.h"

/* Cells of an array that have the same value set, and the condition on the index to be there. */
struct access_class {
    const struct expr *condition; /* NULL = always */
    struct value_set values;
    bool is_outside; /* the index is not in the array, so that nothing is read: any value will do */
};

struct unknown {
    const struct removal *removal;
    const struct form *form;      /* that it was made for */
    const struct expr *access;    /* a[i] with an index that is not constant; NULL = one cell */
    uint32_t offset;              /* of the cell */
    bool is_mid;                  /* as a receiver's update finds it */
    struct symbol *placeholder;   /* what stands for it; the select variable if it is chosen */
    struct access_class *classes; /* of an access */
    uint32_t class_count;
    struct value_set values; /* all of them */
    bool is_chosen;          /* not enumerated: becomes a select */
    bool needs_type;         /* passed by reference: a select has to have the very type */
    bool is_certain;         /* of an access: whoever takes the edge, or where the invariant holds,
                                has evaluated it */
};

/* S2: in the source state the variable of a merge has this value. */
struct form_key {
    const struct ghost *ghost;
    const struct expr *value; /* with unknowns */
};

struct item {
    const struct expr *original; /* NULL if made by the transformation */
    const struct expr *expr;     /* rewritten */
    bool is_verbatim;            /* expr is the original, untouched */
};

/* Values that variables got earlier in an update. */
struct shadow {
    const struct symbol *symbol;
    const struct expr *now;    /* removed scalars: the value in terms of the current state */
    const struct expr *before; /* any scalar: in terms of the source state; NULL = unknown */
};
struct shadow_list {
    VEC(struct shadow) list;
};

struct form {
    const struct template *template;
    uint32_t location;       /* whose value sets apply */
    const struct edge *edge; /* NULL for an invariant */
    uint32_t edge_index;
    bool touches; /* names a removed variable anywhere */
    VEC(struct unknown *) unknowns;
    VEC(struct form_key)
    keys;                     /* of the merges that take part in the unknowns of the guard or of
                                 what the update finds in the source state */
    const struct expr *guard; /* or invariant; NULL = true; with its no-error conditions */
    const struct expr *sync;
    VEC(struct item) items;
    const struct expr *condition; /* no-error conditions of dropped updates, in the source state */
    struct shadow_list shadows;   /* behind the update; empty if it became a function */
    uint32_t expanded_nodes;      /* that quantifiers and calls were written out to */
    bool has_condition_of_receiver; /* a broadcast receiver's condition is no exact rendering */
    bool may_fail;                  /* its conditions do not say all that unknowns can lead to */
    VEC(const char *) losses;       /* why the form alone already makes the abstraction inexact */
    bool is_restricted;             /* its guard is stronger than that of the original */
    const struct expr *restriction; /* what was added to it, and is the same for all values; behind
                                       the guard; NULL = nothing */
    const struct expr *kept; /* set by the must-fold: where it keeps steps; NULL = everywhere */
    bool is_whole;           /* the same: it keeps all steps that there are */
};

/* A function that the transformation adds to a template. */
struct generated_function {
    const struct template *template;
    const char *name, *text;
};

struct form_context {
    struct arena *arena;
    const struct network *network;
    struct request *request; /* borrowed; its current place follows the forms */
    const struct function_plan *functions;
    struct analysis *analysis;
    const struct conditions *originals; /* while those of the model are stronger (restrict.h) */
    struct interner *names;
    struct diag *diag;
    struct environment environment; /* globals only, for compile-time values */
    VEC(struct generated_function) generated;
    VEC(const char *) taken;            /* names given to generated functions */
    bool is_must;                       /* the must-fold rather than the may-fold */
    struct lower *lower;                /* the may-fold within lower sets (lower.h); else NULL */
    VEC(const struct symbol *) blocked; /* U2: broadcast channels on which nobody may send */
    bool blocks_all;                    /* all of them: some are not known by name */
    bool has_before_update;             /* shared slots may change between guard and update */
    bool has_read_slot;                 /* hook state of compile-time evaluation */
    bool strengthens;          /* the abstraction is not exact: changed edges get the no-error
                                  conditions of visible updates, too */
    const struct expr *fact;   /* holds where a condition is asked for, or NULL */
    const char *unsaid;        /* why a condition behind a test cannot be said (condition.c) */
    struct map unrolled;       /* private (unroll.c) */
    struct failures *failures; /* private (failure.c); NULL until needed */
};

void form_context_init(struct form_context *context, struct arena *arena,
                       const struct network *network, struct request *request,
                       const struct function_plan *functions, struct analysis *analysis,
                       struct interner *names, struct diag *diag);
void form_context_close(struct form_context *context);

/* The form of an edge; false (reported) if it cannot be abstracted. */
bool form_of_edge(struct form_context *context, const struct template *template, uint32_t index,
                  struct form *form);
/* The form of a location's invariant; never fails, but may weaken to true. */
void form_of_invariant(struct form_context *context, const struct template *template,
                       uint32_t location, struct form *form);

/* Whether the edge leaves a branchpoint. Such an edge has no guard of its own: Uppaal knows none
 * there, and where a model has one, it is read before the edge in front writes anything. So no
 * condition of the transformation may stand there. */
bool form_is_branch(const struct form *form);

/* Internals shared by the files that make forms. */

/* What a label is rewritten with. */
struct rewriter {
    struct form_context *context;
    struct form *form;
    bool is_update;              /* partly removed variables are then assigned, not replaced */
    bool is_mid;                 /* shared slots may have changed since the source state */
    bool is_certain;             /* the label is not taken unless this part of it is evaluated */
    const char *lost;            /* set when something cannot be expressed; the caller decides */
    struct shadow_list *shadows; /* values that removed variables got in this update */
};

const struct expr *rewrite_read(struct rewriter *rewriter, const struct expr *expr);
/* The indices of a path rewritten, its variable kept. */
const struct expr *rewrite_indices(struct rewriter *rewriter, const struct expr *expr);
/* inline.c: the one expression that a function consists of; NULL if there is more to it. */
const struct expr *function_value(const struct function *function);
/* unroll.c: what a function returns, written out over its parameters; NULL if it does more than
 * that, or too much. Takes from the steps, which may be NULL for as many as there are. */
const struct expr *unrolled_value(struct form_context *context, const struct function *function,
                                  uint32_t *steps);
/* inline.c: the same for any function, as its result holds it; and with the arguments of a call. */
const struct expr *function_result(struct form_context *context, const struct function *function,
                                   uint32_t *steps);
const struct expr *with_arguments(struct form_context *context, const struct expr *result,
                                  const struct expr *call);
/* A value as a variable, parameter or result of this type holds it; NULL if it may not fit. */
const struct expr *value_fitted(struct form_context *context, const struct expr *value,
                                const struct type *type);
/* The expression that a function returns, in place of its call; NULL if that will not do. */
const struct expr *expr_inline_call(struct rewriter *rewriter, const struct expr *call);
/* Counts what is written out so many times; false if it would be too much. */
bool form_may_expand(struct form *form, const struct expr *expr, uint32_t count);
void form_lose(struct form_context *context, struct form *form, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool form_update(struct form_context *context, struct form *form);
/* scope.c: an update of an edge out of a scope finds other values than the guard says they were. */
void shadow_scopes(struct form_context *context, struct form *form, struct shadow_list *shadows);
/* What an edge into or out of a scope does to the variable (S1). */
void form_scopes(struct form_context *context, struct form *form);
/* Whether an edge does anything to a variable because it enters or leaves its scope. */
bool edge_crosses_scope(const struct request *request, const struct template *template,
                        const struct edge *edge);
/* Removed cells that are told apart by tests of one index. */
enum { FORM_MAX_CONDITIONS = 8 };

/* Whether the value analysis ran the edge for all joint values that its unknowns get: not where it
 * knows more of them, as they differ by process, by location of others, or by cell. */
bool facts_hold_for_unknowns(const struct form_context *context, const struct form *form);
struct unknown *form_unknown_cell(struct form_context *context, struct form *form,
                                  const struct removal *removal, uint32_t offset, bool is_mid);
/* The unknown of an access with an index that is not constant; original is the access before its
 * indices were rewritten. */
struct unknown *form_unknown_access(struct rewriter *rewriter, const struct removal *removal,
                                    const struct expr *original, const struct expr *access);
bool removal_is_plain_array(const struct removal *removal);
/* Offset of a path with constant indices below a variable; false if an index is not constant. */
bool constant_offset(struct form_context *context, const struct expr *expr, uint32_t *offset);
/* Whether a path below a removed variable may mean a removed cell, whatever indices are that are
 * not constant; marks all cells that it may mean unless that is NULL. */
bool path_may_be_removed(struct form_context *context, const struct removal *removal,
                         const struct expr *path, bool *cells);
/* The value of a compile-time expression that is the same for all processes. */
bool constant_value(struct form_context *context, const struct expr *expr, int64_t *value);
bool expr_reads_removed(const struct form_context *context, const struct expr *expr);
bool expr_writes_removed(const struct form_context *context, const struct expr *expr);
const char *fresh_name(struct form_context *context, struct form *form, const char *base,
                       const struct symbol *own);
/* Is the channel of a synchronisation a broadcast channel in some process? */
bool sync_is_broadcast(const struct form_context *context, const struct template *template,
                       const struct expr *sync);
/* Whether the edge of a form receives on one. */
bool form_receives_broadcast(const struct form_context *context, const struct form *form);
/* Whether a name in an expression means something else where the form is: bounds in conditions come
 * from other places. */
bool names_hidden(const struct form *form, const struct expr *expr);
/* A name in a type that means something else where the form is, so that the type cannot be written
 * there; NULL if there is none. */
const struct symbol *hidden_in_type(const struct form *form, const struct type *type);

/* condition.c: when evaluating does not fail. NULL = never fails. *lost is set if it cannot be
 * said. needs_unknown: only failures that an unknown takes part in. */
const struct expr *no_error_condition(struct form_context *context, const struct expr *expr,
                                      bool needs_unknown, const char **lost);
/* The guard with these conditions in the places where they protect. is_behind: a conjunct before it
 * that kept its failures away may no longer do so. */
const struct expr *protected_guard(struct form_context *context, const struct expr *guard,
                                   bool is_behind, const char **lost);
/* Whether an index certainly lies within bounds, in any state. */
bool index_fits(struct form_context *context, const struct expr *index, int64_t lower,
                int64_t upper);
/* When a value fits a type; NULL = always. */
const struct expr *range_condition(struct form_context *context, const struct expr *value,
                                   const struct type *type);

#endif
