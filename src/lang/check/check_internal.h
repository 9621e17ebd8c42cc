/* CHECK INTERNAL - what the parts of the checker share.
 *
 * Invariants: check_expr gives every expression a type; TYPE_ERROR marks one about which something
 *             was said already, and everything built on it stays silent.
 * Errors:     go to diag; while a query is checked, to the query (the first only); for types that
 *             nothing uses, warnings, because Uppaal does not look at those.
 */
#pragma once

#include "base/map.h"
#include "lang/check/check.h"

enum {
    TYPE_MAX_DEPTH = 100,     /* of arrays, structs and typedefs in each other */
    TYPE_MAX_PARTS = 1 << 18, /* looked at when types are compared or classified */
};

struct checker {
    struct model *model;
    struct arena *arena;
    struct diag *diag;
    struct function *function;       /* whose body is being checked, or NULL */
    const struct template *template; /* whose declarations are being checked, or NULL */
    const uint32_t *invariant;       /* index of the location whose invariant is checked, or NULL */
    struct query *query;             /* gets the problem instead of diag */
    struct template *unused;         /* has no process: gets what is not supported in it */
    bool is_lenient;                 /* problems are warnings */
    bool in_parameters;              /* of a template: they do not know each other */
    bool in_weight;                  /* of a branch: it is not evaluated, so it may have doubles */
    bool allows_idle;                /* the type of a variable may be double or string */
    bool has_hook[2];                /* before_update, after_update */
    bool has_processes;              /* Process.member may be used: queries, progress, gantt */
    struct map checked;    /* typedef symbol -> its nesting depth + 1, once it was checked */
    struct map changes;    /* function -> itself, if it changes variables other than through its
                              parameters */
    struct map restricted; /* symbols that sizes of template-local arrays or scalar sets use */
    struct map members;    /* template -> struct map: names that Process.name can mean */
    struct map listed;     /* symbols of the system line */
    struct map used;       /* templates that have processes */
    struct map refused;    /* doubles and strings that are used, as was said */
    struct map set_clocks; /* that some process sets */
    VEC(struct symbol *) unread; /* clocks, doubles and strings, which nothing may come to read */
};

/* Says what is wrong. False. */
bool check_fail(struct checker *checker, enum status status, struct span span, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* Types (check_type.c) */

/* The type of int expressions: without a range, so it fits every int. */
extern const struct type type_plain_int;

/* Checks bounds, sizes and prefixes; 0 after a problem, else the nesting depth. */
uint32_t check_type(struct checker *checker, const struct type *type);
/* The same for the type of a declared symbol, which becomes TYPE_ERROR after a problem. */
bool check_symbol_type(struct checker *checker, struct symbol *symbol);
/* The type of select, quantifier and iteration variables. */
bool check_range_type(struct checker *checker, struct symbol *symbol);
/* Whether two types are equal in structure, ranges compared as expressions. */
bool type_is_equal(const struct type *left, const struct type *right);
/* int, bool or a location used as one. */
bool type_is_integral(const struct type *type);
enum type_kind type_kind(const struct type *type);
bool type_is_error(const struct type *type);
/* An int with bounds, or without them but not const. */
bool type_is_assignable(const struct type *target, const struct type *value);
/* May have an initialiser and be local to a function: no scalars, no channels. */
bool type_is_initialisable(const struct type *type);
/* Ints, bools, scalars and structs of these, without prefix. */
bool type_is_returnable(const struct type *type);
/* 0 urgent, 1 broadcast, 2 plain: a channel binds to parameters of equal or lower capability. */
int channel_capability(const struct type *type);
const char *type_describe(const struct type *type);
/* What to do about two different types of one kind; may be empty. */
const char *type_advice(const struct type *type);

/* Effects (check_effect.c) */

struct side_effects {
    bool changes;            /* any variable, locals included */
    bool changes_nonlocal;   /* other than locals, parameters and what references bind to */
    bool changes_reference;  /* through a reference parameter of the function around */
    bool is_computable;      /* reads only compile-time symbols */
    bool is_computable_call; /* the same when locals and parameters are known */
};

struct side_effects expr_effects(struct checker *checker, const struct expr *expr);
/* Fills changes_outside and is_compile_time of a function whose body was checked. */
void function_effects(struct checker *checker, struct function *function);
/* Calls visit for every expression of an initialiser. */
void initialiser_visit(const struct initialiser *initialiser,
                       void (*visit)(void *context, struct expr *expr), void *context);
/* Notes that a size depends on all that the expression reads, through constants too. */
void check_restrict(struct checker *checker, const struct expr *expr);
bool is_restricted(const struct checker *checker, const struct symbol *symbol);

/* Expressions (check_expr.c) */

const struct type *check_expr(struct checker *checker, struct expr *expr);
/* Type checks and demands an int or bool; what names it in the message. */
bool check_integral(struct checker *checker, struct expr *expr, const char *what);
/* The same, and no side effects. */
bool check_condition(struct checker *checker, struct expr *expr, const char *what);
bool check_pure(struct checker *checker, const struct expr *expr, const char *what);
bool check_computable(struct checker *checker, const struct expr *expr, const char *what);
/* A comma list evaluated for its effects: update labels and for headers. */
void check_effects(struct checker *checker, const struct expr_list *list);
/* A comma list whose last value decides. */
void check_condition_list(struct checker *checker, const struct expr_list *list);
/* A single expression statement. */
void check_effect(struct checker *checker, struct expr *expr);
/* Whether it is a place that may be written to. */
bool expr_is_modifiable(const struct expr *expr);

/* Arguments (check_argument.c) */

/* Whether an argument fits a parameter, of a function or of a template; reports it if not. */
bool check_argument(struct checker *checker, const struct symbol *parameter,
                    const struct expr *argument);
/* The same for an argument of a call, which has its function. Fills by_value. */
bool check_call_argument(struct checker *checker, struct expr *expr, uint32_t number);

/* Clocks (check_clock.c) */

/* Clocks, their differences, and conditions on them. */
bool type_is_of_clocks(const struct type *type);
/* A condition on clocks that may stand in a guard. */
bool type_is_timing(const struct type *type);
/* Operators and quantifiers some of whose operands are of clocks. */
const struct type *check_clock_operation(struct checker *checker, struct expr *expr);
const struct type *check_clock_quantify(struct checker *checker, struct expr *expr);
/* A clock that is declared; a parameter that may be one, of a function or a template. */
void check_clock(struct checker *checker, struct symbol *symbol);
void check_clock_parameter(struct checker *checker, struct symbol *parameter);
/* The guard of an edge that synchronises. */
void check_clock_guard(struct checker *checker, const struct edge *edge);
/* Notes that some process sets the clock. */
void check_note_set(struct checker *checker, const struct expr *clock);
/* A clock whose values a query asks for. */
void check_clock_query(struct checker *checker, const struct expr *expr);
/* A guard or an invariant: a condition on numbers, on clocks, or on both. */
bool check_label_condition(struct checker *checker, struct expr *expr, bool is_invariant);

/* Process.member and process sets (check_query.c) */

/* True, and reported where it comes first, if the symbol is a double or a string. */
bool check_fail_of_value(struct checker *checker, const struct symbol *symbol, struct span span);
const struct type *check_member(struct checker *checker, struct expr *expr);
const struct type *check_modal(struct checker *checker, struct expr *expr);
void check_queries(struct checker *checker);

/* Declarations (check_decl.c) */

void check_declarations(struct checker *checker, const struct declaration_list *list);
/* Constants of the list become compile-time symbols. */
void mark_constants(const struct declaration_list *list);

/* Instances (check.c) */

void check_instance(struct checker *checker, struct instance *instance);
