/* EFFECTS - which variables an expression or a function reads and writes, through calls too.
 *
 * Granularity is the variable as declared (an array is one entry). A reference parameter stands
 * for itself inside its function or template and for its argument's variable at a call.
 *
 * Invariants: over-approximate; each symbol occurs once in a list.
 * Lifetime:   lists live in the arena of the table.
 */
#pragma once

#include "base/map.h"
#include "lang/syntax/ast.h"

struct effect {
    const struct symbol *symbol; /* variable, parameter, select or constant */
    bool reads, writes;          /* over; at least one of them */
};

struct effects {
    VEC(struct effect) list;
    struct map *of_symbol; /* to its entry; NULL while the list is short */
};

struct effects_table {
    struct arena *arena;
    struct map functions; /* struct function -> struct effects: non-locals and parameters */
};

void effects_table_init(struct effects_table *table, struct arena *arena);

/* Adds what evaluating the expression reads and writes. */
void effects_add_expr(struct effects_table *table, struct effects *effects,
                      const struct expr *expr);
void effects_add_list(struct effects_table *table, struct effects *effects,
                      const struct expr_list *list);

/* Effects of a function on everything but its own locals; reference and value parameters are
 * entries too. */
const struct effects *effects_of_function(struct effects_table *table,
                                          const struct function *function);

const struct effect *effects_find(const struct effects *effects, const struct symbol *symbol);
bool effects_reads(const struct effects *effects, const struct symbol *symbol);
bool effects_writes(const struct effects *effects, const struct symbol *symbol);

/* The variable at the bottom of an lvalue such as a[i].f; NULL for (b ? x : y) and the like. */
const struct symbol *expr_root(const struct expr *expr);
