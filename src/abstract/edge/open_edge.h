/* OPEN EDGE - an edge or invariant in which every read of a removed slot is a named unknown.
 *
 * Residuals (F1) are an open edge with constants put in for its unknowns. Reads of
 * shared slots by a receiver's update are unknowns of their own, apart from those of its guard
 * (M6).
 *
 * A guard is a list of conjuncts, each of a class that says what becomes of it:
 *
 *     x > m && y > 0 && c <= m        in:    x > m && y > 0     folded    guard
 *     z < 5 (by a search for more)           z < 5              fixed     fixed
 *                                            c <= m             passed    passed
 *
 * A fold evaluates folded conjuncts: it puts in the values of m and joins the results. A fixed
 * conjunct reads nothing removed, so it stands after the fold as it is. A passed conjunct is never
 * evaluated, since it is about time and not about a state: values are put in, and no more. So two
 * residuals are alike only if their passed conjuncts are equal, as with updates; a class has one
 * passed part, which the output edge gets beside its guard. Conjuncts on clocks are passed.
 *
 * Invariants: guard, fixed and passed are the conjuncts of their class together;
 *             all of these, synchronisation, items and condition mention removed variables only
 *             through placeholders, except where an update has become a generated function.
 * Lifetime:   everything lives in the arena of the context.
 */
#pragma once

#include "abstract/edge/involved.h"

enum {
    OPEN_EDGE_MAX_CONDITIONS = 8, /* removed cells that are told apart by tests of one index */
    FOLD_MAX_TUPLES = 1024        /* joint values of the unknowns of one edge */
};

/* Cells of an array that have the same value set, and the condition on the index to be there. */
struct access_class {
    const struct expr *condition; /* NULL = always */
    struct value_set values;      /* over: may hold values that no cell ever has */
    bool is_outside; /* the index is not in the array, so that nothing is read: any value will do */
};

struct unknown {
    const struct removal *removal;
    const struct open_edge *open; /* that it was made for */
    const struct expr *access;    /* a[i] with an index that is not constant; NULL = one cell */
    uint32_t offset;              /* of the cell */
    bool is_within_step;          /* as a receiver's update finds it */
    struct symbol *placeholder;   /* what stands for it; the select variable if it is chosen */
    struct access_class *classes; /* of an access */
    uint32_t class_count;
    struct value_set values; /* all of them; over */
    bool is_chosen;          /* not enumerated: becomes a select */
    bool needs_type;         /* passed by reference: a select has to have the very type */
    bool is_certain;         /* of an access: evaluated by each process that takes the edge, or in
                                each state where the invariant holds; under */
};

/* S2: in the source state the ghost has this value. */
struct ghost_value {
    const struct ghost *ghost;
    const struct expr *value; /* with unknowns */
};

struct item {
    const struct expr *original; /* NULL if made by the transformation */
    const struct expr *expr;     /* rewritten */
    bool is_verbatim;            /* expr is the original, untouched */
};

struct item_list {
    struct item *items;
    uint32_t count, capacity;
};

/* Values that variables got earlier in an update. */
struct stored {
    const struct symbol *symbol;
    const struct expr *now;    /* removed scalars: the value in terms of the current state */
    const struct expr *before; /* any scalar: in terms of the source state; NULL = unknown */
};
struct symbolic_store {
    VEC(struct stored) list;
};

enum conjunct_class {
    CONJUNCT_FOLDED,
    CONJUNCT_FIXED, /* that a search for more steps added; the same for all values */
    CONJUNCT_PASSED /* never evaluated */
};

struct conjunct {
    enum conjunct_class class;
    const struct expr *expr;     /* NULL: left out, which is to say taken as true */
    const struct expr *original; /* part of the guard or invariant; NULL: the transformation's */
};

/* F2: holds unless a value of an unknown meets a value with which the step certainly fails. */
struct failing_pair {
    const struct unknown *unknown, *other; /* NULL if the other one is not of an unknown */
    const struct expr *condition;          /* with placeholders */
};

/* What the fold finds out about an edge. */
struct fold_outcome {
    VEC(struct failing_pair) failing_pairs;
    bool differs;            /* some of its steps are not folded exactly; over */
    bool lacks_failing;      /* steps are left out as they certainly fail; over */
    bool *is_put_in;         /* by select: its values are put in (F18); NULL = none */
    const struct expr *sure; /* mixed: where some of its steps is certain (MX1) */
    const struct expr *kept; /* must: where it keeps steps; NULL = everywhere */
    bool keeps_all;          /* must: it keeps all steps of the edge; under */
};

struct open_edge {
    const struct template *template;
    uint32_t location;       /* whose value sets apply */
    const struct edge *edge; /* NULL for an invariant */
    uint32_t edge_index;
    bool is_concerned;        /* names a removed variable anywhere; over */
    struct involved involved; /* which, and where */
    VEC(struct unknown *) unknowns;
    VEC(struct ghost_value)
    ghost_values; /* of the ghosts that take part in the unknowns of the guard or of
                                 what the update finds in the source state */
    VEC(struct conjunct) conjuncts; /* of the guard or invariant, with its no-error conditions */
    const struct expr *guard;       /* the conjunction of those that are folded; NULL = true */
    const struct expr *fixed;       /* of those that are fixed */
    const struct expr *passed;      /* of those that are passed through */
    const struct expr *safe_where;  /* the guard fails exactly elsewhere; NULL = it never fails */
    bool is_safe_unsaid;            /* it may fail, and no condition says where */
    const struct expr *sync;
    struct item_list items;
    const struct expr *condition; /* no-error conditions of dropped updates, in the source state */
    struct symbolic_store store;  /* after the update; empty if it became a function */
    uint32_t expanded_nodes;      /* that quantifiers and calls were written out to */
    bool has_condition_of_receiver; /* a broadcast receiver's condition is no exact rendering */
    bool spoils_all_broadcasts;     /* so is that of its channel, which may be any */
    bool has_condition_of_urgent;   /* where its step fails, time may pass here alone (N7) */
    bool is_function;  /* its update has become one, so that no conditions say when it fails */
    bool may_fail;     /* its conditions do not say all that unknowns can lead to; over */
    bool fails_unsaid; /* may_fail, also where there is one tuple only (fold/fold.c) */
    VEC(const char *) inexact; /* why the open edge alone already makes the abstraction inexact */
    bool weakens_guard;        /* some of them weaken the guard, not the update */
    bool is_restricted;        /* its guard is stronger than that of the original */
    bool is_doubted;           /* of a mixed abstraction: none of its steps is certain */
    /* of a mixed abstraction: its step is possible whatever it writes; under */
    bool has_free_effects;
    struct fold_outcome folded;
};

/* For DEBUG_CHECK: conjuncts and unknowns are as said above, and no two unknowns share a name. */
void open_edge_check(const struct open_edge *open);
/* Adds a conjunct after those of its class. */
void open_edge_add_conjunct(struct context *context, struct open_edge *open,
                            struct conjunct conjunct);
/* Puts one conjunct, NULL for none, in place of all that are folded. */
void open_edge_set_guard(struct context *context, struct open_edge *open, const struct expr *guard);
/* Whether the guard is not the one that the edge has in the network. */
bool open_edge_has_new_guard(const struct open_edge *open);
/* Adds a reason why the open edge alone already makes the abstraction inexact. */
void open_edge_add_reason(struct context *context, struct open_edge *open, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Notes that an item of the update goes although it may fail in the original, and why. */
void open_edge_add_failure(struct context *context, struct open_edge *open, uint32_t item,
                           const char *why);
#define IDLE_FAILURE "when it fails cannot be said"
/* The variables that the update of the edge reads and writes. */
const struct effects *open_edge_effects(const struct context *context,
                                        const struct open_edge *open);
/* Whether the edge leaves a branchpoint. Such an edge has no guard of its own: Uppaal knows none
 * there, and where a model has one, it is read before the edge in front writes anything. So no
 * condition of the transformation may stand there. */
bool open_edge_is_branch(const struct open_edge *open);
/* Counts the nodes of an expression that is written out so many times; false if there would be too
 * many. */
bool open_edge_may_expand(struct open_edge *open, const struct expr *expr, uint32_t count);
/* Under: whether the value analysis ran the edge for all joint values that its unknowns get: not
 * where it knows more of them, as they differ by process, by location of others, or by cell. */
bool facts_hold_for_unknowns(const struct context *context, const struct open_edge *open);
/* Whether the edge of an open edge receives on a broadcast channel. */
bool open_edge_receives_broadcast(const struct context *context, const struct open_edge *open);
/* Over: whether a step by the edge may be one of a broadcast receiver: branchpoints lead to it. */
bool open_edge_is_of_receiver(const struct context *context, const struct open_edge *open);
/* Whether the labels of the open edge name a symbol; its symbolic store does not count. */
bool open_edge_mentions(const struct open_edge *open, const struct symbol *symbol);
/* Whether some unknown becomes a select. */
bool open_edge_has_chosen(const struct open_edge *open);
/* Whether some unknown is of a scalar set, whose values cannot be written. */
bool open_edge_has_scalar(const struct open_edge *open);
