/* REQUEST - what is to be removed: --remove arguments, resolved against a network.
 *
 * VAR is Template.name, or name where that is unambiguous, or .name for a global variable, with
 * an optional path to a part of it: dec_recv[2], s.f, grid[1][0].
 *
 * Errors: unknown or ambiguous names, constants, channels and parameters are STATUS_USAGE;
 *         variables that update hooks or reference parameters of templates use are
 *         STATUS_UNSUPPORTED (M7, M9), and so are scopes and process names.
 */
#ifndef VARABS_ABSTRACT_REQUEST_H
#define VARABS_ABSTRACT_REQUEST_H

#include "model/network.h"

/* A variable of which everything or some cells are removed. */
struct removal {
    const struct symbol *symbol;
    const struct template *template; /* owner, NULL if global */
    const struct shape *shape;       /* of the first process that has it */
    bool is_whole;
    bool *is_removed; /* by cell offset */
};

struct request {
    struct arena *arena;
    VEC(struct removal) removals;
    bool *slot_is_removed; /* by slot of the network */
};

/* Adds one --remove argument (a comma list). False after an error. */
bool request_add(struct request *request, const struct network *network, const char *argument,
                 struct diag *diag);

/* Once all are added: checks that the removals can be done and marks the slots. */
bool request_finish(struct request *request, const struct network *network, struct diag *diag);

/* The removal of a variable, or NULL. */
const struct removal *request_find(const struct request *request, const struct symbol *symbol);

/* Why a variable cannot be removed at all, or NULL: used by `varabs info` too. */
const char *removal_obstacle(const struct network *network, const struct template *template,
                             const struct symbol *symbol, struct arena *arena);

/* "Template.name" or "name". */
char *variable_name(struct arena *arena, const struct template *template,
                    const struct symbol *symbol);

/* All variables of a template (or the global ones, for NULL) in order of declaration. */
bool is_listed_variable(const struct symbol *symbol);

#endif
