/* NETWORK - the processes of a model, with every variable cut into slots.
 *
 * Memory is one row of int32 cells: slots, constants and channels in the order of declaration.
 * A slot is one scalar cell of a variable (an int, a bool, an array cell, a struct field).
 *
 * Invariants: slot_of[address] is the slot of a cell or NO_SLOT; slots ascend with addresses.
 * Lifetime:   everything lives in the arena.
 * Errors:     bounds that cannot be computed, reversed ranges, empty arrays and initial values
 *             outside their range are STATUS_INVALID; too many processes or cells STATUS_LIMIT.
 * Source:     rules N1 to N3; Uppaal's Language Reference.
 */
#pragma once

#include "lang/eval/eval.h"
#include "model/handed.h"
#include "model/labels.h"
#include "model/namers.h"
#include "model/persistent.h"

enum { NETWORK_MAX_PROCESSES = 1 << 20, NETWORK_MAX_CELLS = 1 << 22 };
#define NO_SLOT UINT32_MAX

struct process {
    const struct template *template;
    const char *name;      /* "P" or "P(1,2)" */
    struct symbol *symbol; /* on the system line */
    uint32_t index;        /* in the network, system order */
    uint32_t priority;
    struct binding *locals; /* by symbol.index of the template */
};

/* Processes by index; those of one template lie in it, others perhaps too. */
struct process_range {
    uint32_t first, end;
};

struct slot {
    const struct symbol *symbol;   /* the variable it belongs to */
    const struct process *process; /* owner, or NULL for a global one */
    uint32_t address;
    uint32_t offset; /* in the variable's cells */
    int32_t lower, upper, initial;
    bool is_bool, is_scalar;
    bool is_meta;       /* it matters within steps only, and starts each at its initial value */
    bool is_persistent; /* meta, but kept in states (persistent.h) */
};

/* Meta variables are no part of the state that somebody could observe. */
static inline bool slot_is_unseen(const struct slot *slot) {
    return slot->is_meta || slot->is_persistent;
}

struct network {
    struct arena *arena;
    const struct model *model;
    struct effects_table effects;
    struct process *processes;
    uint32_t process_count;
    struct process_range *processes_of; /* by template index */
    struct slot *slots;
    uint32_t slot_count;
    uint32_t *slot_of; /* by address */
    int32_t *cells;    /* initial memory: initial values and constants */
    uint32_t cell_count;
    struct binding *globals;
    struct effects before_update, after_update; /* over */
    bool has_priorities;
    struct network_labels labels; /* what edges and locations do; processes are not told apart */
    struct namers *namers;
    struct handed handed;
    struct persistent_list persistent; /* by symbol */
    uint64_t seal;                     /* of the model, in builds with checks */
};

/* That nobody has written into the tree of the model. For DEBUG_CHECK. */
void network_check(const struct network *network);

/* NULL (reported to the model's diag) if the model cannot be instantiated. */
struct network *network_new(struct arena *arena, const struct model *model);

/* The same network for a model that differs from its own in queries only; the rest is shared. */
struct network *network_with_model(struct arena *arena, const struct network *network,
                                   const struct model *model);

/* The same network with a copy of other labels of its model; the rest is shared. */
struct network *network_with_labels(struct arena *arena, const struct network *network,
                                    const struct network_labels *labels);

static inline const struct edge_labels *labels_of_edge(const struct network *network,
                                                       const struct template *template,
                                                       const struct edge *edge) {
    return &network->labels.edges[template->index][edge_index(template, edge)];
}
/* The guard of an edge as it is evaluated, NULL = true; and the same of an invariant. */
static inline const struct expr *guard_of_edge(const struct network *network,
                                               const struct template *template,
                                               const struct edge *edge) {
    return labels_of_edge(network, template, edge)->guard;
}
static inline const struct expr *invariant_at(const struct network *network,
                                              const struct template *template, uint32_t location) {
    return location < template->location_count
               ? network->labels.invariants[template->index][location]
               : NULL;
}

/* Whether two networks differ in queries and labels at most. */
static inline bool network_is_same(const struct network *left, const struct network *right) {
    return left->processes == right->processes;
}

/* Whether guards or invariants test clocks. Such a network has no states to explore. */
static inline bool network_is_timed(const struct network *network) {
    return network->model->timed_by != NULL;
}
/* STATUS_UNSUPPORTED if it is; true then. */
bool network_refuse_time(const struct network *network, struct diag *diag);
/* A clock that some process names, though no guard or invariant tests any; or NULL. What it is set
 * to is no part of the states that are explored. */
const struct symbol *network_idle_clock(const struct network *network);

/* An evaluator on a fresh copy of the initial memory, with the globals bound; eval_close it. */
void network_environment(const struct network *network, struct environment *environment,
                         struct arena *arena);

/* The variables that a function reads and writes; found when they are asked for first. */
const struct effects *network_effects(const struct network *network,
                                      const struct function *function);

/* The shape of a variable in the first process of its template, or of a global one (template NULL);
 * NULL if the template has no process. */
const struct shape *network_shape(const struct network *network, const struct template *template,
                                  const struct symbol *symbol);
/* Whether it has cells of the same names in all processes. */
bool network_has_one_shape(const struct network *network, const struct template *template,
                           const struct symbol *symbol);

/* The cells of a variable that is global or one of the template of a process. */
const struct binding *variable_binding(const struct network *network, const struct process *process,
                                       const struct symbol *symbol);
/* The slot of a cell of it; NO_SLOT if it has no such cell, or this is no slot. */
uint32_t variable_slot(const struct network *network, const struct process *process,
                       const struct symbol *symbol, uint32_t offset);

/* Name of a slot as Uppaal's simulator would: "x", "a[2]", "s.f", "Voter(1).mem_dec". */
char *slot_name(const struct network *network, const struct slot *slot, struct arena *arena);
/* A part of a variable, and an offset in it. */
struct shape_place {
    const struct type *type;
    const struct shape *shape;
    uint32_t offset;
};
/* Goes into the element or field that holds the offset, and adds "[2]" or ".f". */
void shape_step(struct buffer *out, struct shape_place *place);
/* The part after the variable's name: "", "[2]", ".f[1]". */
void shape_path(struct buffer *out, const struct type *type, const struct shape *shape,
                uint32_t offset);
/* The name of a cell of a variable of that name, with that part after it. */
char *cell_name(struct arena *arena, const char *variable, const struct type *type,
                const struct shape *shape, uint32_t offset);
