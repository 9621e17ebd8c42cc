/* REFERENCE - puts global variables in place of the reference parameters that stand for them (M7).
 *
 * A variable that the system section passes to a reference parameter has another name in the
 * template, and may have several. Before it is removed, the parameter goes: its uses become the
 * variable, or the part of it that is passed, and declaration and arguments lose it, also where
 * they are handed on by partial instantiations. If processes pass different elements of an array,
 * a parameter for the index takes its place: Node(int &box) with Node(b[i]) becomes
 * Node(const int[0,3] box) with Node(i). Processes of one template that pass different variables
 * are told apart first (prepare/split.h), so that every template has one form of binding. What
 * results is the input with the same processes, states and steps.
 *
 * Names that would hide the variable are changed, but for those of locations, types and variables
 * of the template itself, and instantiations that no process comes from are left out where they
 * still pass it.
 *
 * Lifetime: everything lives in the arena of the splices; names are interned.
 * Errors:   what cannot be said in a template is STATUS_UNSUPPORTED: variables that it cannot see
 *           or hides by a name of its own.
 */
#pragma once

#include "model/network.h"
#include "xml/splice.h"

/* A parameter that is gone. */
struct reference {
    const char *template, *parameter, *variable; /* variable: with the path to the part, "a[2]" */
};

/* A formula that has got other names in it. */
struct changed_query {
    const char *before, *after;
    position at; /* in the document before the change */
};

struct references {
    VEC(const char *) wanted; /* names of global variables that parameters are not to stand for */
    VEC(struct reference) list;
    VEC(struct changed_query) queries;
};

/* Wants a global variable, if it or a part of it is passed anywhere. */
void references_want(struct references *references, const struct network *network,
                     const struct symbol *symbol, struct arena *arena);

/* Wants the global variables that --remove arguments name, if they or parts of them are passed
 * anywhere. Returns whether some argument names processes. */
bool references_want_arguments(struct references *references, const struct network *network,
                               const char *const *arguments, uint32_t count, struct arena *arena);

/* Whether a parameter is bound to a global variable or to a part of it. */
bool reference_stands_for(const struct network *network, const struct binding *binding,
                          const struct symbol *symbol);

/* The part of a variable that a parameter of a process stands for. */
struct reference_path {
    const char *variable, *text, *form; /* "a", "a[2].f", "a[].f" */
    VEC(const char *) indices;          /* their types: "int[0,3]" */
    bool has_scalar;                    /* among them: the text is no expression */
};

/* False if it stands for nothing that is wanted. */
bool reference_find(const struct references *references, const struct network *network,
                    const struct process *process, const struct symbol *parameter,
                    struct reference_path *path, struct arena *arena);

/* The forms of all parameters of a process as one key. */
const char *references_key(const struct references *references, const struct network *network,
                           const struct process *process, struct arena *arena);
