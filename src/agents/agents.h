/* AGENTS - who may know something, and what each of them observes (rules O1 and O5).
 *
 * Every process is an agent; a declaration may join several to one. What an agent observes is part
 * of the question: it is resolved here once, to a list of items, and two states are the same to
 * the agent if all items have equal values in them. By default an agent observes the locations and
 * the variables of its processes, and which of their edges have a guard that holds: whatever an
 * agent may do depends on what it observes.
 *
 * Invariants: there is an agent only where all declarations about agents can be used.
 * Lifetime: everything lives in the arena given.
 * Errors:   what names no agent after all (arguments outside of a set) is a problem with a text.
 */
#pragma once

#include "model/network.h"

enum observed_kind {
    OBSERVED_LOCATION, /* of a process */
    OBSERVED_SLOT,
    OBSERVED_GUARD, /* whether it holds, where the process is at the source of the edge */
    OBSERVED_VALUE  /* of an expression, as in a query */
};

struct observed_item {
    enum observed_kind kind;
    const struct process *process; /* OBSERVED_LOCATION, OBSERVED_GUARD */
    uint32_t slot;
    const struct edge *edge;
    const int32_t *selects; /* OBSERVED_GUARD: their values */
    const struct expr *expr;
};

struct agent {
    const char *name;
    const struct symbol *symbol; /* of its declaration; NULL: a process */
    const struct process **processes;
    uint32_t process_count;
    VEC(struct observed_item) items;  /* in a fixed order, each once */
    bool is_declared;                 /* an `observe` says what */
    bool lacks_items;                 /* it would observe more than AGENT_MAX_ITEMS */
    bool has_lost;                    /* in a mixed model: it observes more of the original, */
    VEC(const struct expr *) lost_at; /* or does so where one of these is true (MX3) */
    bool sees_reads;                  /* all that its guards read */
    bool is_blind;                    /* some guard reads what is not observed */
    uint32_t index;                   /* among the agents that were asked for */
};

struct agents {
    struct arena *arena;
    const struct network *network;
    struct environment environment;
    VEC(struct agent *) list; /* those that were asked for */
    struct map left_out;      /* each `except` that left something out, to itself */
};

enum { AGENT_MAX_ITEMS = 1 << 14 };

/* Whether an expression is an operator about agents; as a test for expr_any. */
bool expr_is_about_agents(const void *unused, const struct expr *expr);

/* Ends the checking of declarations about agents: whether the processes that they name are there,
 * and whether every `except` leaves something out. After a mistake, which is warned about as any
 * other, queries about agents cannot be used. */
void agents_check(struct model *model, const struct network *network, struct diag *diag);
/* For what needs all observations: false after an error at the first declaration that cannot be
 * used. */
bool agents_are_known(const struct model *model, struct diag *diag);

void agents_init(struct agents *agents, struct arena *arena, const struct network *network);
void agents_close(struct agents *agents);

/* The agent that a process is by itself. NULL if it would observe too much (AGENT_MAX_ITEMS). */
struct agent *agent_of_process(struct agents *agents, const struct process *process);
/* The agents that an argument of K and the like names: several for a group or a set of processes.
 * Adds them to the list, each once; NULL, or what is wrong. */
struct agent_list {
    VEC(struct agent *) list;
};
const char *agents_add(struct agents *agents, const struct expr *expr, struct agent_list *list);

/* The least and the greatest value of a type of a quantified variable. False if not known. */
bool agents_range(struct agents *agents, const struct type *type, int32_t *lower, int32_t *upper);

/* The process that an expression names; NULL where it names several, or which one is open. */
const struct process *agents_process(struct agents *agents, const struct expr *expr);

/* The slot that an expression of a query is in every state; NO_SLOT if it is none. */
uint32_t agents_slot(struct agents *agents, const struct expr *expr);

/* The variables that an item depends on, added to what is there. */
void observed_effects(struct effects_table *table, struct effects *effects,
                      const struct network *network, const struct observed_item *item);
/* "Voter.mem", "guard of edge 3 with i = 1: mem == i". */
const char *observed_text(struct arena *arena, const struct network *network,
                          const struct observed_item *item);
