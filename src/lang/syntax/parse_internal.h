/* PARSE INTERNAL - what the parser's files share. A parser works on the tokens of one text. */
#pragma once

#include "lang/syntax/frame.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"

/* Depth of an expression tree, which chains like a + a + ... + a build up. */
enum { EXPR_MAX_DEPTH = 2500 };

struct parser {
    struct model *model;
    struct arena *arena;
    struct diag *diag;
    struct tokens tokens;
    uint32_t index;            /* of the current token */
    struct frame *frame;       /* innermost */
    struct template *template; /* whose text it is, or NULL */
    struct function *function; /* whose body it is, or NULL */
    uint32_t frame_next;       /* next free SCOPE_FRAME index */
    uint32_t frame_max;        /* largest frame_next seen */
    uint32_t depth;
    bool is_query;
    bool failed;        /* a syntax error: skip to a place to go on */
    bool hides_unknown; /* a declaration was lost, so unknown names mean nothing */
};

/* Starts on a text in the given frame; false if there is no text. */
bool parser_begin(struct parser *parser, const struct text *text, struct frame *frame);
/* The same for a text that declares names: they are all lost if it cannot be read. */
bool parser_begin_names(struct parser *parser, const struct text *text, struct frame *frame);

const struct token *peek(const struct parser *parser);
const struct token *peek_at(const struct parser *parser, uint32_t ahead);
bool at(const struct parser *parser, enum token_kind kind);
bool accept(struct parser *parser, enum token_kind kind);
/* Consumes the token or reports a syntax error. */
bool expect(struct parser *parser, enum token_kind kind);
position last_end(const struct parser *parser); /* end of the token before the current one */

/* Reports what is wrong. False. */
bool syntax_error(struct parser *parser, position where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The whole message; and of what is not part of the language without time. */
void not_supported(struct parser *parser, position where, const char *message);
void unsupported(struct parser *parser, position where, const char *what);
bool unexpected(struct parser *parser, const char *wanted);
bool parser_enter(struct parser *parser); /* one level deeper; false and an error past the limit */
void parser_leave(struct parser *parser);
/* Names that are declared in between are known in between only. */
void parser_open_frame(struct parser *parser);
void parser_close_frame(struct parser *parser);

struct symbol *symbol_new(struct parser *parser, enum symbol_kind kind, enum scope_kind scope,
                          const struct token *name, struct type *type);
/* Declares in the innermost frame; reports a duplicate. Gives the symbol its index. */
void declare(struct parser *parser, struct symbol *symbol);
/* Whether the current token names a type: keyword, prefix or typedef name. */
bool at_type(const struct parser *parser);
bool at_typedef_name(const struct parser *parser, uint32_t ahead);
/* Consumes a name that is not a typedef name here. */
const struct token *expect_name(struct parser *parser);
/* Consumes the name of a select or bound variable, which may hide a type. */
const struct token *expect_new_name(struct parser *parser);

/* parse_expr.c */
struct expr *parse_expr(struct parser *parser);
struct expr_list parse_expr_list(struct parser *parser);
/* A name, call, index or field, and what stands after it. */
struct expr *parse_postfix(struct parser *parser);
/* A node that begins at a place. */
struct expr *expr_new(struct parser *parser, enum expr_kind kind, position begin);
/* Closes a node over its children; NULL and an error for trees too deep for the passes after. */
struct expr *expr_close(struct parser *parser, struct expr *expr);

/* parse_modal.c: operators over states, in queries */
bool at_modal(const struct parser *parser);
struct expr *parse_modal(struct parser *parser);
/* A[] A<> E[] E<>, without blanks in between; OP_NONE if there is none. */
enum op accept_path_operator(struct parser *parser);
/* A path operator as other tools write it, or with blanks: says how it is written here. */
bool refuse_path_operator(struct parser *parser);
/* Declarations about agents: agent, group, observe. */
bool at_agent_declaration(const struct parser *parser);
void parse_agent_declarations(struct parser *parser, struct query *query);

/* parse_type.c */
struct type *parse_type(struct parser *parser);
/* Array brackets after a declared name, around the base type. */
struct type *parse_array(struct parser *parser, struct type *base);

/* parse_decl.c */
struct declaration_list parse_declarations(struct parser *parser, enum scope_kind scope);
/* Decls and LocalDecls of a <declaration>, where no `system` may follow. */
struct declaration_list parse_declaration_text(struct parser *parser, enum scope_kind scope);
struct declaration *parse_declaration(struct parser *parser, enum scope_kind scope);
void parse_parameters(struct parser *parser, enum scope_kind scope, enum token_kind end,
                      struct symbol ***parameters, uint32_t *count);

/* parse_statement.c */
struct statement *parse_block(struct parser *parser);

/* parse_template.c */
void parse_template(struct parser *parser, const struct xml_template *xml);

/* parse_system.c */
struct declaration *parse_instance(struct parser *parser);
struct declaration *parse_channel_priority(struct parser *parser);
void parse_system(struct parser *parser);
void parse_query(struct parser *parser, const struct xml_query *xml, struct query *query);
/* Whether the text of a query is one of declarations about agents. */
bool is_agent_declaration(struct parser *parser, const struct xml_query *xml);
