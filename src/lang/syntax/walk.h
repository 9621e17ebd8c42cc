/* WALK - visits every expression of a tree, outermost first. */
#pragma once

#include "lang/syntax/ast.h"

/* Called for each expression; false does not go into it. */
typedef bool (*expr_visitor)(void *context, const struct expr *expr);

/* Whether some expression in a tree is such a one; bounds of quantifiers are not looked at. */
typedef bool (*expr_test)(const void *context, const struct expr *expr);
bool expr_any(const struct expr *expr, expr_test is, const void *context);
/* Whether some expression in it, or in one of the query's, is of that kind. */
bool expr_has(const struct expr *expr, enum expr_kind kind);
bool query_has(const struct query *query, enum expr_kind kind);

void walk_expr(const struct expr *expr, expr_visitor visit, void *context);
void walk_list(const struct expr_list *list, expr_visitor visit, void *context);
void walk_initialiser(const struct initialiser *initialiser, expr_visitor visit, void *context);
/* Bounds and sizes; those of a typedef belong to its declaration. */
void walk_type(const struct type *type, expr_visitor visit, void *context);
/* Expressions of a statement, with those of the declarations in it (types, initialisers). */
void walk_statement(const struct statement *statement, expr_visitor visit, void *context);

/* Guard, synchronisation and updates, as they are written. */
void walk_labels(const struct edge *edge, expr_visitor visit, void *context);
void walk_query(const struct query *query, expr_visitor visit, void *context);
/* Progress measures, and gantt charts. */
void walk_progress(const struct model *model, expr_visitor visit, void *context);
void walk_gantt(const struct model *model, expr_visitor visit, void *context);

/* The bodies of functions. */
void walk_functions(const struct declaration_list *list, expr_visitor visit, void *context);
/* The bodies of functions, and what runs before and after updates. */
void walk_functions_and_hooks(const struct declaration_list *list, expr_visitor visit,
                              void *context);

/* Whether a statement declares a name anywhere inside, quantifiers included. */
bool statement_declares(const struct statement *statement, const char *name);

/* The first wanted symbol among the typedefs, constants and functions that a type is written with;
 * NULL if there is none. */
const struct symbol *type_find_name(const struct type *type,
                                    bool (*is_wanted)(const void *context,
                                                      const struct symbol *symbol),
                                    const void *context);
