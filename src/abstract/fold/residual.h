/* RESIDUAL - one edge with one tuple of values put in for its unknowns, the classes that residuals
 * make, and what all parts of a fold need of them (F1). */
#pragma once

#include "abstract/fold/joint.h"
#include "abstract/fold/output.h"

enum {
    FOLD_MAX_RESIDUALS = 8192, /* of one location */
    FOLD_MAX_JOINT = 4096,     /* tuples of all edges of a class */
    FOLD_MAX_COMPARISONS = 1 << 20,
    PUT_IN_MAX = 64 /* combinations of selects of one edge (F18) */
};

/* One source edge with one tuple of values put in. */
struct residual {
    struct open_edge *open;
    const struct expr *side; /* where the values can be (partition.h), over; NULL = everywhere */
    const struct expr *guard, *sync;
    const struct expr *passed; /* what is never evaluated (open_edge.h); NULL = true */
    const struct expr **items;
    int32_t *values; /* by unknown of the open edge; meaningless for chosen ones. There are several
                           with the same values where selects are put in */
    uint32_t *class_of; /* by unknown: class of an access */
};

struct class {
    VEC(struct residual *) members;
    const struct expr *guard;   /* folded: for some tuple (may), or for every one (must) */
    const struct expr *certain; /* mixed: where it holds for every tuple; NULL = everywhere */
    bool is_certain;            /* mixed: it holds for every tuple wherever it holds for some */
    bool is_exact;      /* under: the guards for some tuple and for every tuple are the same */
    bool is_done;       /* became part of a select edge */
    struct class *next; /* with an effect of the same hash */
};

/* A view of some classes. */
struct class_list {
    struct class *const *items;
    uint32_t count;
};

struct edge_classes {
    VEC(struct class *) list;
};

/* F18: how residuals say what a merged variable becomes, where that follows from their values. */
enum ghost_form { FORM_TEXT, FORM_DIFFERENCE, FORM_VALUE };

struct folder {
    struct context *context;
    enum ghost_form form;
    bool is_joining;           /* mixed: edges may be alike */
    const struct lower *lower; /* sets that steps are confined to, if the rules say so */
    const struct blocked_channels *blocked; /* U2: so far */
    struct arena *arena;
    struct arena *scratch; /* for residuals and classes, which the fold does not keep */
    struct fold *fold;
    struct open_edge *const *open_edges;
    uint32_t open_edge_count;
    VEC(struct residual *) residuals;
    VEC(struct class *) classes;
    struct edge_classes *of_edges; /* by open edge: the classes that have members of it, in order */
    const struct open_edge *told; /* the edge and variable of the last reason that depends on one */
    const struct symbol *told_symbol;
    const struct expr *no; /* false, or NULL */
};

/* A reason why the abstraction is not exact. */
void fold_add_reason(struct folder *folder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *fold_edge_name(const struct folder *folder, const struct open_edge *open);
/* The guard or invariant for the current values; false if it cannot be evaluated with them. */
const struct expr *fold_guard_here(const struct joint_values *joint, const struct open_edge *open,
                                   struct arena *arena);
/* False, which may stand in many places. */
const struct expr *folder_no(struct folder *folder);
/* The disjunction and the negation; NULL for true. */
const struct expr *fold_or(struct arena *arena, const struct expr *left, const struct expr *right);
const struct expr *fold_not(struct arena *arena, const struct expr *expr);

/* Adds the residuals of an open edge for all its tuples. */
void residuals_make(struct folder *folder, struct open_edge *open);
/* F18: marks the selects that only say what merged variables become, or when an edge is enabled;
 * false if there are none, or too many residuals. selects_take_out unmarks them. */
bool selects_put_in(struct folder *folder);
void selects_take_out(struct folder *folder);
/* Says that some step of a process of the template may fail. */
void fold_note_failing(struct context *context, const struct template *template);

/* Whether two edges have the same selects, apart from those that do not matter any more. */
bool fold_selects_alike(struct folder *folder, const struct open_edge *left,
                        const struct open_edge *right);
