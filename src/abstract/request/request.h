/* REQUEST - what is to be removed: --remove arguments, resolved against a network.
 *
 * VAR is Template.name, or name where that is unambiguous, or .name for a global variable, with
 * an optional path to a part of it: dec_recv[2], s.f, grid[1][0]. After an @ follow the locations,
 * by name or id, in which the variables of the argument are removed (S1), each perhaps with the
 * value at which they rest there: @has:=2,voted (S7).
 *
 * Where processes can be told apart (prepare/split.h) VAR may also be Process.name, for a process
 * or set of processes of the system line, or Set(ARG[,ARG...]).name with one ARG for each parameter
 * of the set: RANGE[;RANGE...], where RANGE is a value, 2..4, ..3, 2.. or .. for all. If the set
 * has one parameter, commas separate ranges, too.
 *
 * Errors: unknown or ambiguous names, constants, channels and parameters are STATUS_USAGE;
 *         variables that update hooks use are STATUS_UNSUPPORTED (M9), and so are those that are
 *         still passed to templates (M7) and processes where they are not told apart.
 */
#pragma once

#include "abstract/request/ghost_variable.h"
#include "abstract/request/named.h"

/* A variable of which everything or some cells are removed. */
struct removal {
    const struct symbol *symbol;
    const struct template *template; /* owner, NULL if global */
    const struct shape *shape;       /* of the first process that has it */
    bool is_whole;
    bool *is_removed; /* by cell offset */
    bool *scope;      /* S1: by location of the template, branchpoints too; NULL = everywhere */
    int32_t *initial; /* by cell offset, of the first process: what it holds where it is removed
                         and stays declared, but for rests */
    int32_t *rests;   /* S7: what a variable of one cell holds in the scope instead, by location; */
    bool *has_rest;   /* where that is said; NULL = nowhere */
};

/* The cells that one VAR names. */
struct request_part {
    const struct symbol *symbol;
    uint32_t offset, count;
};

struct request {
    struct arena *arena;
    position at;                  /* of the argument that is added; 0 = the command line */
    VEC(struct removal) removals; /* a symbol once */
    struct map of_symbol;         /* to the index of its removal */
    bool is_partly_left; /* some variable is of no process, and is left as it is (a warning) */
    VEC(struct request_part) parts;    /* but those of ghosts */
    VEC(const struct ghost *) ghosts;  /* S2: v with v == f(what is removed) */
    VEC(const struct symbol *) clocks; /* T3.10: removed, everywhere and as a whole */
    bool is_untimed;                   /* all clocks are removed */
    bool *slot_is_removed;             /* by slot of the network */
};

/* Where a label stands. What is removed in a scope is so where both ends lie in it (S1). */
struct where {
    const struct template *template; /* NULL: in no template, where no scope counts */
    const struct edge *edge;         /* NULL: an invariant */
    uint32_t source, target;
};

/* Adds one --remove argument (a comma list). False after an error. */
bool request_add(struct request *request, const struct network *network, const char *argument,
                 struct diag *diag);

/* Removes what a ghost follows (S2); after all request_add. */
bool request_add_ghost(struct request *request, const struct network *network,
                       const struct ghost *ghost, struct diag *diag);

/* A request for the first parts alone, without ghosts, still to be finished (obstacle.h). */
struct request *request_prefix(const struct request *request, uint32_t count);

/* Where the invariant of a location stands; the guard, synchronisation and weight of an edge; and
 * its update. */
struct where where_invariant(const struct template *template, uint32_t location);
struct where where_guard(const struct template *template, const struct edge *edge);
struct where where_update(const struct template *template, const struct edge *edge);

/* What a removed cell holds at a location of its scope (S7). */
int32_t removal_rest(const struct removal *removal, uint32_t location, uint32_t cell);
/* Whether an edge enters the scope of a variable, leaves it, or moves it to another rest. */
bool edge_changes_rest(const struct removal *removal, const struct template *template,
                       const struct edge *edge);

/* The removal of a variable that counts there, or NULL. */
const struct removal *removed_at(const struct request *request, const struct symbol *symbol,
                                 struct where where);
/* In some scope, or everywhere. */
const struct removal *removed_ever(const struct request *request, const struct symbol *symbol);
bool removal_counts(const struct removal *removal, struct where where);

/* Whether the symbol is a removed clock. */
bool clock_is_removed(const struct request *request, const struct symbol *symbol);
/* The first such clock that an expression names, or NULL. */
const struct symbol *removed_clock_in(const struct request *request, const struct expr *expr);

/* The templates that have to do with what is removed, by index: for all others everything stays as
 * it is. NULL if that may be all of them. */
bool *request_templates(const struct request *request, const struct network *network,
                        struct arena *arena);
