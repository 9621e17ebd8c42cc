/* AST - the Uppaal language as a tree: expressions, types, declarations, statements, models.
 *
 * The parser builds it, the checker (check.h) fills in what is marked "checked". Sugar that the
 * printer must give back is kept (`and` beside `&&`, `:=` beside `=`, unary plus is dropped).
 *
 * Invariants: names are interned; spans are positions of the document's source and cover
 *             exactly the characters of the construct, without surrounding blanks.
 * Lifetime:   everything lives in the arena of the model.
 */
#pragma once

#include "base/source.h"
#include "xml/document.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct symbol;
struct type;
struct function;
struct template;
struct frame; /* lang/syntax/frame.h */

enum expr_kind {
    EXPR_INT,      /* value */
    EXPR_BOOL,     /* value 0 or 1, written true or false */
    EXPR_NAME,     /* name */
    EXPR_UNARY,    /* op, child[0] */
    EXPR_BINARY,   /* op, child[0], child[1]; also short-circuit ones */
    EXPR_ASSIGN,   /* op (OP_ASSIGN or compound), child[0] = target, child[1] = value */
    EXPR_STEP,     /* op: OP_PRE_INC ... OP_POST_DEC, child[0] */
    EXPR_COND,     /* child[0] ? child[1] : child[2] */
    EXPR_CALL,     /* child[0] = what is called (a name, or Process.name in queries), arguments */
    EXPR_INDEX,    /* child[0] [ child[1] ] */
    EXPR_FIELD,    /* child[0] . name */
    EXPR_QUANTIFY, /* op: OP_FORALL OP_EXISTS OP_SUM, bound : binding, child[0] = body */
    EXPR_BUILTIN,  /* abs(arguments[0]); other maths builtins are refused by the parser */
    EXPR_DEADLOCK, /* queries only */
    EXPR_PATH,     /* queries only. op: OP_AX ... OP_EF, child[0] */
    EXPR_UNTIL,    /* queries only. op: OP_AU ... OP_ER, child[0], child[1] */
    EXPR_KNOW,     /* queries only. op: OP_K ... OP_DK, arguments = agents, child[0] */
    EXPR_ABLE, /* queries only. op: OP_ABLE_X ... OP_ABLE_F, arguments = agents, modes, child[0] */
    EXPR_ABLE_UNTIL, /* queries only. op: OP_ABLE_U ... OP_ABLE_R, the same, child[0], child[1] */
    EXPR_DOUBLE,
    EXPR_STRING, /* refused by the checker */
    EXPR_RATE    /* child[0] ' : refused by the checker */
};

enum op {
    OP_NONE,
    /* binary, in the order of UPPAAL's table, tightest first */
    OP_POW,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_ADD,
    OP_SUB,
    OP_SHL,
    OP_SHR,
    OP_MIN,
    OP_MAX,
    OP_LT,
    OP_LE,
    OP_GE,
    OP_GT,
    OP_EQ,
    OP_NE,
    OP_BIT_AND,
    OP_BIT_XOR,
    OP_BIT_OR,
    OP_AND,
    OP_OR,
    OP_IMPLY,
    OP_XOR,
    /* unary */
    OP_NOT,
    OP_NEG,
    /* steps */
    OP_PRE_INC,
    OP_PRE_DEC,
    OP_POST_INC,
    OP_POST_DEC,
    /* assignments; OP_ASSIGN + (binary - OP_NONE) is not a code: see op_of_assignment */
    OP_ASSIGN,
    OP_ADD_ASSIGN,
    OP_SUB_ASSIGN,
    OP_MUL_ASSIGN,
    OP_DIV_ASSIGN,
    OP_MOD_ASSIGN,
    OP_AND_ASSIGN,
    OP_OR_ASSIGN,
    OP_XOR_ASSIGN,
    OP_SHL_ASSIGN,
    OP_SHR_ASSIGN,
    /* quantifiers */
    OP_FORALL,
    OP_EXISTS,
    OP_SUM,
    /* of all runs and of some: next, always, eventually; until, weak until, release */
    OP_AX,
    OP_AG,
    OP_AF,
    OP_EX,
    OP_EG,
    OP_EF,
    OP_AU,
    OP_AW,
    OP_AR,
    OP_EU,
    OP_EW,
    OP_ER,
    /* an agent knows that, knows the value of; every member of a group knows, it is common
     * knowledge, the members know together */
    OP_K,
    OP_KW,
    OP_GK,
    OP_GCK,
    OP_DK,
    /* a coalition has a strategy for: next, always, eventually; until, weak until, release */
    OP_ABLE_X,
    OP_ABLE_G,
    OP_ABLE_F,
    OP_ABLE_U,
    OP_ABLE_W,
    OP_ABLE_R,
    OP_COUNT
};

/* How a coalition plays, in <<A; MODES>>; by default none of these. */
enum {
    MODE_DUAL = 1,       /* [[A]] p: the others cannot prevent p, which is not <<A>> not p */
    MODE_PERFECT = 2,    /* Ir: it sees the whole state; else ir: each what it observes */
    MODE_SUBJECTIVE = 4, /* from all states that some member takes this one for */
    MODE_WAIT = 8,       /* a member may do nothing although it can move */
    MODE_ACTIVE = 16     /* a member may refuse to receive */
};

struct expr {
    enum expr_kind kind;
    enum op op;
    bool is_word;   /* the operator is written as a word (and, or, not) or as := */
    uint32_t depth; /* levels of the tree below and including this node */
    struct span span;
    int64_t value;    /* EXPR_INT: 0 to 2147483648 (the last only below a unary minus) */
    const char *name; /* EXPR_NAME, EXPR_FIELD, EXPR_BUILTIN */
    struct expr *child[3];
    struct expr **arguments; /* EXPR_CALL, EXPR_BUILTIN, EXPR_KNOW, EXPR_ABLE, EXPR_ABLE_UNTIL */
    uint32_t argument_count;
    uint32_t modes;       /* EXPR_ABLE, EXPR_ABLE_UNTIL: MODE_ bits */
    struct symbol *bound; /* EXPR_QUANTIFY: the variable; bound->type is its range */
    /* checked */
    const struct type *type;
    struct symbol *symbol; /* EXPR_NAME: what it names; EXPR_FIELD on a process: the member;
                              EXPR_CALL: the function, or the process set indexed by the call */
    uint32_t field_index;  /* EXPR_FIELD on a struct */
    uint64_t by_value; /* EXPR_CALL: a bit for each of the first 64 arguments of which a constant
                              reference gets the value, and not the place */
};

enum type_kind {
    TYPE_VOID,
    TYPE_INT,
    TYPE_BOOL,
    TYPE_SCALAR,
    TYPE_STRUCT,
    TYPE_ARRAY,
    TYPE_CHAN,
    TYPE_NAMED, /* use of a typedef: symbol->type */
    TYPE_CLOCK,
    TYPE_DIFFERENCE,   /* of two clocks; of an expression */
    TYPE_TIMING,       /* a condition on clocks; of an expression */
    TYPE_TIMING_GUARD, /* one that cannot stand in an invariant */
    TYPE_DOUBLE,
    TYPE_STRING,  /* refused or, where it is not used, warned about */
    TYPE_PROCESS, /* of EXPR_NAME that is a process, in queries; symbol = template instance */
    TYPE_AGENT,   /* of EXPR_NAME that is an agent or a group, in queries */
    TYPE_ERROR    /* already reported */
};

enum {
    PREFIX_CONST = 1,
    PREFIX_META = 2,
    PREFIX_URGENT = 4,
    PREFIX_BROADCAST = 8,
    PREFIX_HYBRID = 16
};

struct field {
    const char *name;
    struct span name_span;
    struct type *type;
};

/* Written types are immutable once parsed and may be shared by the declarators of one
 * declaration. Bounds and sizes stay expressions: they may depend on template parameters. */
struct type {
    enum type_kind kind;
    unsigned prefix;            /* as written here, not what a typedef adds */
    struct span span;           /* of the written base type; of the brackets for an array */
    struct expr *lower, *upper; /* TYPE_INT with a range, else NULL */
    struct expr *size;          /* TYPE_SCALAR; TYPE_ARRAY sized by an expression */
    struct type *element;       /* TYPE_ARRAY */
    struct type *index;         /* TYPE_ARRAY sized by a type, else NULL */
    struct field *fields;       /* TYPE_STRUCT */
    uint32_t field_count;
    const char *name;      /* TYPE_NAMED */
    struct symbol *symbol; /* TYPE_NAMED, resolved by the parser; TYPE_PROCESS */
};

struct initialiser {
    struct span span;
    struct expr *expr;          /* a plain one, or NULL for a braced list */
    struct initialiser **items; /* of a braced list */
    const char **names;         /* field name of each item or NULL */
    uint32_t item_count;
};

enum symbol_kind {
    SYMBOL_VARIABLE, /* constants too: symbol_is_const */
    SYMBOL_PARAMETER,
    SYMBOL_FUNCTION,
    SYMBOL_TYPE,
    SYMBOL_LOCATION,
    SYMBOL_TEMPLATE,
    SYMBOL_INSTANCE, /* Q = P(...) and, for the system line, every template */
    SYMBOL_SELECT,
    SYMBOL_BOUND, /* of a quantifier or an iteration */
    SYMBOL_AGENT  /* an agent of several processes, or a group of agents; in queries */
};

/* Which table of a running network holds the symbol's binding (lang/eval/eval.h). */
enum scope_kind { SCOPE_GLOBAL, SCOPE_TEMPLATE, SCOPE_FRAME };

struct symbol {
    enum symbol_kind kind;
    enum scope_kind scope;
    uint32_t index; /* in its scope: of the model, of the template, of the frame (function
                       or edge: nested blocks and quantifiers count on) */
    const char *name;
    struct span span;  /* of the declaring name */
    struct type *type; /* variables, parameters, typedefs, selects, bound variables */
    bool is_reference; /* parameter with & */
    struct initialiser *initialiser;
    struct function *function;
    struct template *template; /* SYMBOL_TEMPLATE, SYMBOL_INSTANCE; of a location: its owner */
    struct instance *instance;
    struct agent_declaration *agent; /* SYMBOL_AGENT */
    uint32_t location;               /* SYMBOL_LOCATION: index in the template */
    struct declaration *declaration; /* that holds a variable or typedef, else NULL */
    /* checked */
    bool is_ghost;        /* a variable that follows others, and that nobody has written */
    bool is_used;         /* by any expression, type or parameter */
    bool is_compile_time; /* its value is known at instantiation */
    bool has_value;       /* a global scalar constant: value is its value (set by network_new) */
    int32_t value;
};

enum statement_kind {
    STATEMENT_BLOCK,
    STATEMENT_EMPTY,
    STATEMENT_EXPR,
    STATEMENT_RETURN,
    STATEMENT_ASSERT,
    STATEMENT_IF,
    STATEMENT_FOR,
    STATEMENT_ITERATE,
    STATEMENT_WHILE,
    STATEMENT_DO
};

struct expr_list { /* comma list; conditions use the last value */
    struct expr **items;
    uint32_t count;
};

struct statement {
    enum statement_kind kind;
    struct span span;
    struct expr *expr;                       /* EXPR, RETURN (may be NULL), ASSERT */
    struct expr_list first, condition, step; /* IF, WHILE, DO: condition; FOR: all three */
    struct symbol *bound;                    /* ITERATE: for (bound : type) */
    struct statement *body, *other;          /* loops and IF; other = else branch or NULL */
    struct declaration **declarations;       /* BLOCK */
    uint32_t declaration_count;
    struct statement **statements; /* BLOCK */
    uint32_t statement_count;
};

struct function {
    struct symbol *symbol;
    struct type *result;
    struct symbol **parameters;
    uint32_t parameter_count;
    struct span parameter_span; /* between the parentheses */
    struct statement *body;
    struct template *template; /* NULL if global */
    uint32_t frame_size;       /* number of frame symbols */
    /* checked */
    bool changes_outside; /* writes a non-local or a reference parameter, transitively */
    bool is_compile_time; /* reads only compile-time constants, transitively */
};

enum declaration_kind {
    DECLARATION_VARIABLES,
    DECLARATION_TYPES,
    DECLARATION_FUNCTION,
    DECLARATION_CHANNEL_PRIORITY,
    DECLARATION_INSTANCE,
    DECLARATION_HOOK
};

struct channel_priority { /* one element of chan priority */
    struct expr *channel; /* NULL for default */
    uint32_t level;       /* higher is stronger; counted from 0 within its line */
};

struct declarator {
    struct symbol *symbol;
    struct span span; /* from the name to the end of the initialiser */
};

struct declaration {
    enum declaration_kind kind;
    struct span span; /* with the semicolon */
    struct type *base;
    struct declarator *declarators; /* VARIABLES, TYPES */
    uint32_t declarator_count;
    struct function *function;
    struct channel_priority *priorities;
    uint32_t priority_count;
    struct instance *instance;
    bool is_after; /* HOOK: after_update rather than before_update */
    struct expr_list hook;
};

struct declaration_list {
    struct declaration **items;
    uint32_t count;
};

struct location {
    struct symbol *symbol;          /* NULL if anonymous or a branchpoint */
    const char *name;               /* name, or "_id7" for an anonymous one with id "id7" */
    struct expr *written_invariant; /* NULL = true; labels.h has what is evaluated */
    bool is_urgent, is_committed, is_branchpoint;
    const struct xml_location *xml;
};

struct edge {
    uint32_t source, target; /* indices into locations */
    struct symbol **selects;
    uint32_t select_count;
    uint32_t frame_size;        /* selects and bound variables of its labels */
    struct expr *written_guard; /* NULL = true; labels.h has what is evaluated */
    struct expr *sync;          /* channel expression, NULL = internal */
    bool is_send;
    struct expr_list updates;
    bool leaves_branchpoint;
    struct expr *weight; /* of a branch, NULL = 1; every branch is possible whatever it says */
    const struct xml_transition *xml;
};

struct template {
    struct symbol *symbol; /* name */
    struct symbol **parameters;
    uint32_t parameter_count;
    struct declaration_list declarations;
    struct location *locations; /* then branchpoints, as in xml_template.nodes */
    uint32_t location_count, branchpoint_count, initial;
    struct edge *edges;
    uint32_t edge_count;
    uint32_t symbol_count;   /* number of SCOPE_TEMPLATE symbols that need a binding */
    struct symbol **symbols; /* by index */
    const struct xml_template *xml;
    uint32_t index;      /* in the model */
    struct frame *frame; /* of its names */
    const char *problem; /* checked: why it has to be left out, as one without processes can be; */
    position problem_at; /* NULL otherwise */
};

static inline bool template_has_edge(const struct template *template, const struct edge *edge) {
    return edge >= template->edges && edge < template->edges + template->edge_count;
}
static inline uint32_t edge_index(const struct template *template, const struct edge *edge) {
    assert(template_has_edge(template, edge));
    return (uint32_t)(edge - template->edges);
}

/* Q(parameters) = P(arguments); a template listed on the system line itself is an instance
 * without arguments whose parameters are those of the template. */
struct instance {
    struct symbol *symbol;
    struct symbol **parameters; /* free ones */
    uint32_t parameter_count;
    struct symbol *base;     /* SYMBOL_TEMPLATE or SYMBOL_INSTANCE */
    struct span base_span;   /* of its name */
    struct expr **arguments; /* of base's parameters */
    uint32_t argument_count;
    struct template *template; /* at the bottom of the chain */
};

struct system_process {
    struct symbol *symbol; /* TEMPLATE or INSTANCE */
    struct span span;
    uint32_t priority; /* 0 = lowest */
};

struct progress_measure {
    struct expr *guard, *measure;
    struct span span;
};
struct gantt_entry {
    const char *name;
    struct span span;
    struct expr **exprs;
    uint32_t expr_count; /* every expression in it, for effects */
    VEC(struct symbol *) bound;
};

enum quantifier {
    QUERY_EMPTY,
    QUERY_ALWAYS,
    QUERY_POSSIBLY,
    QUERY_EVENTUALLY,
    QUERY_POTENTIALLY,
    QUERY_LEADS_TO,
    QUERY_SUP,
    QUERY_INF,
    QUERY_BOUNDS,
    QUERY_FORMULA, /* operators in each other, or knowledge: the predicate is all of it */
    QUERY_INVALID  /* diagnostics of queries are warnings: the model is still usable */
};

struct query { /* A[] E<> A<> E[] --> sup inf bounds, or a formula of these and of knowledge */
    enum quantifier quantifier;
    struct expr *predicate; /* p, or the {p} of sup (NULL = true) */
    struct expr **exprs;    /* q of -->, e, ... of sup */
    uint32_t expr_count;
    struct span span;
    const struct xml_query *xml;
    bool is_declaration; /* of agents: nothing is asked */
    const char *problem; /* QUERY_INVALID: what is wrong */
    enum status problem_status;
    position problem_at;
};

/* What an agent observes (O1): the items of a list, added up. */
enum observation_kind {
    OBSERVE_LOCATION, /* where its processes are */
    OBSERVE_LOCAL,    /* that, and the variables of its processes */
    OBSERVE_ENABLED,  /* all that, and which of its edges have a guard that holds */
    OBSERVE_GUARDS,   /* that of OBSERVE_LOCAL, and what they read to say what edges can be taken */
    OBSERVE_SHARED,   /* that of OBSERVE_LOCAL, and all global variables */
    OBSERVE_NOTHING,
    OBSERVE_EXPR,  /* the value of an expression */
    OBSERVE_EXCEPT /* not the variable that the expression names */
};

struct observation_item {
    enum observation_kind kind;
    struct expr *expr; /* OBSERVE_EXPR, OBSERVE_EXCEPT */
    struct span span;
};

/* DECLARE_LOST: of a mixed model, agents that observe more of the original: everywhere, or where
 * some item is true. */
enum agent_declaration_kind { DECLARE_AGENT, DECLARE_GROUP, DECLARE_OBSERVATION, DECLARE_LOST };

/* agent X = { P, Q };  group G = { A, B };  observe A: local, x == 1;  lost A, B;
 * lost C: P.l; */
struct agent_declaration {
    enum agent_declaration_kind kind;
    struct symbol *symbol; /* of an agent or a group */
    struct expr **agents;  /* what it consists of; of an observation, whose it is (one) */
    uint32_t agent_count;
    struct observation_item *items;
    uint32_t item_count;
    struct span span;
    struct query *query; /* whose text it is; gets the problem */
};

struct model {
    struct arena *arena;
    struct interner *names;
    struct document *document;
    struct diag *diag;
    struct declaration_list declarations;        /* global */
    struct declaration_list system_declarations; /* instantiation and system text */
    struct template **templates;
    uint32_t template_count;
    struct system_process *processes; /* the system line */
    uint32_t process_count;
    bool has_process_priorities;
    struct progress_measure *progress;
    uint32_t progress_count;
    struct gantt_entry *gantt;
    uint32_t gantt_count;
    struct query *queries;
    uint32_t query_count;
    VEC(struct agent_declaration *) agents; /* in the order in which they are written */
    const struct query *lost_agents;        /* a declaration that cannot be used, or NULL */
    bool is_mixed;           /* edges have marks: which of their steps are certain (MX1) */
    position mixed_at;       /* where it says so */
    bool hides_moves;        /* mixed: its edges are not the moves of the original (ST8) */
    VEC(struct str) failing; /* mixed: templates that have moves besides, whose steps would fail */
    bool hides_types;        /* something within a function or label is named like one */
    struct frame *frame;     /* of the global names */
    uint32_t symbol_count;   /* number of SCOPE_GLOBAL symbols that need a binding */
    struct symbol **symbols; /* by index */
    uint32_t system_frame_size;
    struct span system_span; /* of the system line, with the semicolon */
    struct type *int_type, *bool_type, *error_type;
    const struct symbol *timed_by; /* checked: a clock that a guard or invariant tests, or NULL */
    struct span timed_at;          /* where it does so first */
};

/* What comments of a mixed model say after `//varabs:`. */
#define MIXED_TEXT "mixed"
#define MIXED_HIDES_MOVES "mixed in steps only"
#define MIXED_MOVES_OF "mixed, and moves fail of " /* names of templates after it */

bool model_has_invariants(const struct model *model);
/* The same model with other queries; the rest is shared. */
struct model *model_with_queries(struct arena *arena, const struct model *model,
                                 struct query *queries, uint32_t count);
/* The largest numbers of selects and of frame entries that an edge of the model has. */
struct edge_sizes {
    uint32_t selects, frame;
};
struct edge_sizes model_edge_sizes(const struct model *model);
/* The type that a chain of typedef names stands for; never TYPE_NAMED. */
const struct type *type_strip(const struct type *type);
/* The kind of a type, or of the elements if it is an array, of arrays perhaps. */
enum type_kind type_base_kind(const struct type *type);
/* Prefixes of a type and of the typedefs and arrays it is made of. */
unsigned type_prefixes(const struct type *type);
bool symbol_is_const(const struct symbol *symbol);
bool symbol_is_channel(const struct symbol *symbol);
bool symbol_is_clock(const struct symbol *symbol);
/* Whether a symbol, or each of its cells, has a value that expressions read: channels and clocks
 * have none. */
bool symbol_has_value(const struct symbol *symbol);
/* Integers, truth values and scalars: values that a cell has. No clocks (T2). */
bool type_is_number(const struct type *type);
/* A variable or value parameter whose value is part of the state. */
bool symbol_is_variable(const struct symbol *symbol);
/* Process, or Set(arguments), in front of .member in a query. */
bool expr_is_process(const struct expr *expr);
/* A variable or a part of one: name, index or field. */
static inline bool expr_is_path(const struct expr *expr) {
    return expr->kind == EXPR_NAME || expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD;
}
/* =, +=, ++ and the like. */
static inline bool expr_assigns(const struct expr *expr) {
    return expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP;
}
/* &&, || and imply, which may leave their right side out. */
static inline bool op_is_connective(enum op op) {
    return op == OP_AND || op == OP_OR || op == OP_IMPLY;
}
/* The binary operator inside a compound assignment (OP_NONE for plain =). */
enum op op_of_assignment(enum op assignment);
/* The comparison that holds where this one does not; OP_NONE if it is no comparison. */
enum op op_negated(enum op comparison);
/* The operator with which its sides change places; OP_EQ and what is no comparison stay. */
enum op op_turned(enum op comparison);
