/* KINDS - what can be said of every kind of expression and of query in a table.
 *
 * A new kind of expression is a row here, an enumerator (ast.h), its parser, and a case in the
 * evaluator (lang/eval/eval_expr.c) and, if it shall be fast, in the compiler
 * (explore/code/compile_expr.c); without one there, compiled code calls the evaluator. What is
 * refused, printed, typed and copied by the table alone needs no case of its own: walks visit
 * child[] and arguments of whatever kind.
 */
#pragma once

#include "lang/syntax/ast.h"

/* How tightly expressions bind; operators are between condition and unary (lang/print/print.c). */
enum {
    LEVEL_LOWEST = 1,
    LEVEL_CONDITION = 2,
    LEVEL_UNARY = 15,
    LEVEL_POSTFIX = 16,
    LEVEL_ATOM = 17
};

struct expr_traits {
    const char *text;    /* as it is written, if that is always the same */
    const char *refusal; /* why no model may have it; NULL = it may */
    int level;           /* 0 = that of its operator */
    uint8_t child_count; /* of child[], all of them there */
    bool has_arguments;
    bool is_for_queries;  /* an error elsewhere */
    bool is_truth;        /* its type is bool */
    bool may_fail;        /* whatever its parts are */
    bool changes;         /* variables, by itself */
    bool is_beyond_state; /* depends on more than the state it is evaluated in: on steps, say */
    bool is_modal;        /* an operator over states: its value is not that of an expression */
};

const struct expr_traits *expr_traits(enum expr_kind kind);
/* The kind that is for queries and written as this word; false if there is none. */
bool expr_kind_of_word(const char *word, enum expr_kind *kind);

enum query_family {
    FAMILY_NONE,         /* nothing to be answered */
    FAMILY_REACHABILITY, /* a state decides */
    FAMILY_LIVENESS,     /* an infinite or maximal run decides */
    FAMILY_BOUNDS,       /* the least and greatest values in all states */
    FAMILY_FORMULA       /* the states in which its parts hold */
};

struct query_traits {
    enum query_family family;
    bool is_universal;   /* of all states or runs; otherwise of some */
    bool seeks_negation; /* what decides is a state, or a run of states, without the predicate */
    bool wants_lower, wants_upper; /* FAMILY_BOUNDS */
};

const struct query_traits *query_traits(enum quantifier quantifier);

/* Whether some part of an expression looks further than the state (expr_traits). */
bool expr_is_beyond_state(const struct expr *expr);
/* Whether some part of it is modal (expr_traits). */
bool expr_is_modal(const struct expr *expr);
