/* Expressions by precedence climbing; levels are those of Uppaal's grammar; a higher
 * number binds tighter. */
#include "lang/syntax/kinds.h"
#include "lang/syntax/parse_internal.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { LEVEL_ASSIGN = 1, LEVEL_COND = 2, LEVEL_OR = 3 };

struct infix {
    enum op op;
    int level;
    bool is_assignment;
    bool is_word;
};

static struct infix infix_of(enum token_kind kind) {
    assert((unsigned)kind < TOKEN_COUNT);
    static const struct infix table[TOKEN_COUNT] = {
        [TOKEN_ASSIGN] = {OP_ASSIGN, 1, true, false},
        [TOKEN_COLON_ASSIGN] = {OP_ASSIGN, 1, true, true},
        [TOKEN_ADD_ASSIGN] = {OP_ADD_ASSIGN, 1, true, false},
        [TOKEN_SUB_ASSIGN] = {OP_SUB_ASSIGN, 1, true, false},
        [TOKEN_MUL_ASSIGN] = {OP_MUL_ASSIGN, 1, true, false},
        [TOKEN_DIV_ASSIGN] = {OP_DIV_ASSIGN, 1, true, false},
        [TOKEN_MOD_ASSIGN] = {OP_MOD_ASSIGN, 1, true, false},
        [TOKEN_AND_ASSIGN] = {OP_AND_ASSIGN, 1, true, false},
        [TOKEN_OR_ASSIGN] = {OP_OR_ASSIGN, 1, true, false},
        [TOKEN_XOR_ASSIGN] = {OP_XOR_ASSIGN, 1, true, false},
        [TOKEN_SHL_ASSIGN] = {OP_SHL_ASSIGN, 1, true, false},
        [TOKEN_SHR_ASSIGN] = {OP_SHR_ASSIGN, 1, true, false},
        [TOKEN_OR] = {OP_OR, 3, false, false},
        [TOKEN_OR_WORD] = {OP_OR, 3, false, true},
        [TOKEN_IMPLY] = {OP_IMPLY, 3, false, true},
        [TOKEN_XOR] = {OP_XOR, 3, false, true},
        [TOKEN_AND] = {OP_AND, 4, false, false},
        [TOKEN_AND_WORD] = {OP_AND, 4, false, true},
        [TOKEN_BIT_OR] = {OP_BIT_OR, 5, false, false},
        [TOKEN_BIT_XOR] = {OP_BIT_XOR, 6, false, false},
        [TOKEN_BIT_AND] = {OP_BIT_AND, 7, false, false},
        [TOKEN_EQ] = {OP_EQ, 8, false, false},
        [TOKEN_NE] = {OP_NE, 8, false, false},
        [TOKEN_LT] = {OP_LT, 9, false, false},
        [TOKEN_LE] = {OP_LE, 9, false, false},
        [TOKEN_GE] = {OP_GE, 9, false, false},
        [TOKEN_GT] = {OP_GT, 9, false, false},
        [TOKEN_MIN] = {OP_MIN, 10, false, false},
        [TOKEN_MAX] = {OP_MAX, 10, false, false},
        [TOKEN_SHL] = {OP_SHL, 11, false, false},
        [TOKEN_SHR] = {OP_SHR, 11, false, false},
        [TOKEN_ADD] = {OP_ADD, 12, false, false},
        [TOKEN_SUB] = {OP_SUB, 12, false, false},
        [TOKEN_MUL] = {OP_MUL, 13, false, false},
        [TOKEN_DIV] = {OP_DIV, 13, false, false},
        [TOKEN_MOD] = {OP_MOD, 13, false, false},
        [TOKEN_POW] = {OP_POW, 14, false, false},
    };
    return table[kind];
}

static struct expr *parse_level(struct parser *parser, int level);

struct expr *expr_new(struct parser *parser, enum expr_kind kind, position begin) {
    struct expr *expr = ARENA_NEW(parser->arena, struct expr);
    expr->kind = kind;
    expr->span = (struct span){begin, last_end(parser)};
    return expr;
}

struct expr *expr_close(struct parser *parser, struct expr *expr) {
    expr->span.end = last_end(parser);
    uint32_t depth = 0;
    for (int i = 0; i < 3; i++)
        if (expr->child[i] && expr->child[i]->depth > depth) depth = expr->child[i]->depth;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (expr->arguments[i]->depth > depth) depth = expr->arguments[i]->depth;
    expr->depth = depth + 1;
    assert(expr->span.begin <= expr->span.end);
    if (expr->depth > EXPR_MAX_DEPTH) {
        syntax_error(parser, expr->span.begin,
                     "this expression has more than %d levels; split it up", EXPR_MAX_DEPTH);
        return NULL;
    }
    return expr;
}

static struct expr *parse_arguments(struct parser *parser, struct expr *call) {
    VEC(struct expr *) arguments = {0};
    if (!accept(parser, TOKEN_RIGHT_PAREN)) {
        do {
            struct expr *argument = parse_expr(parser);
            if (!argument) return NULL;
            VEC_PUSH(parser->arena, &arguments, argument);
        } while (accept(parser, TOKEN_COMMA));
        if (!expect(parser, TOKEN_RIGHT_PAREN)) return NULL;
    }
    call->arguments = arguments.items;
    call->argument_count = arguments.count;
    return expr_close(parser, call);
}

static struct expr *parse_builtin(struct parser *parser) {
    assert(at(parser, TOKEN_BUILTIN));
    const struct token *token = peek(parser);
    if (strcmp(token->name, "abs") != 0) {
        unsupported(parser, token->span.begin,
                    arena_printf(parser->arena, "the floating-point function '%s'", token->name));
        return NULL;
    }
    parser->index++;
    struct expr *expr = expr_new(parser, EXPR_BUILTIN, token->span.begin);
    expr->name = token->name;
    if (!expect(parser, TOKEN_LEFT_PAREN)) return NULL;
    return parse_arguments(parser, expr);
}

/* What Uppaal means by a name that is not declared but known to it, and not supported here. */
static const char *foreign_name(const struct parser *parser, const char *name) {
    static const char *const names[] = {"FLT_MIN", "FLT_MAX",  "DBL_MIN", "DBL_MAX", "M_PI",
                                        "M_PI_2",  "M_PI_4",   "M_E",     "M_LOG2E", "M_LOG10E",
                                        "M_LN2",   "M_LN10",   "M_1_PI",  "M_2_PI",  "M_2_SQRTPI",
                                        "M_SQRT2", "M_SQRT1_2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return "doubles";
    bool is_dynamic = parser->is_query && (!strcmp(name, "numOf") || !strcmp(name, "foreach"));
    return is_dynamic ? "dynamic templates" : NULL;
}

static bool template_has(const struct template *template, const char *name) {
    bool has = false;
    for (uint32_t i = 0; i < template->location_count; i++)
        has |= template->locations[i].name == name;
    for (uint32_t i = 0; i < template->declarations.count; i++) {
        const struct declaration *declaration = template->declarations.items[i];
        for (uint32_t j = 0; j < declaration->declarator_count; j++)
            has |= declaration->declarators[j].symbol &&
                   declaration->declarators[j].symbol->name == name;
    }
    return has;
}

/* For P0 or P_0 where P is a set of processes: how its processes are named; else NULL. */
static const char *numbered_set(const struct parser *parser, const char *name) {
    size_t size = strlen(name), letters = size;
    while (letters && isdigit((unsigned char)name[letters - 1])) letters--;
    size_t plain = letters && name[letters - 1] == '_' ? letters - 1 : letters;
    if (letters == size || !plain) return NULL;
    const char *word = arena_copy(parser->arena, name, plain);
    const char *known = intern_find(parser->model->document->names, word);
    const struct symbol *symbol = known ? frame_find(parser->frame, known) : NULL;
    bool is_process =
        symbol && (symbol->kind == SYMBOL_TEMPLATE || symbol->kind == SYMBOL_INSTANCE);
    return is_process ? arena_printf(parser->arena, "; did you mean %s(%s)?", word, name + letters)
                      : NULL;
}

/* What else was meant by a name that is not declared; in queries it may be one of a process. */
static const char *unknown_hint(const struct parser *parser, const char *name) {
    const struct model *model = parser->model;
    for (uint32_t i = 0; parser->is_query && i < model->template_count; i++)
        if (template_has(model->templates[i], name))
            return arena_printf(parser->arena, "; write PROCESS.%s, with a process of %s", name,
                                model->templates[i]->symbol->name);
    bool is_process = parser->is_query && peek(parser)->kind == TOKEN_DOT;
    const char *set = is_process ? numbered_set(parser, name) : NULL;
    if (set) return set;
    return frame_hint(parser->frame, name, parser->diag,
                      is_process ? "; `varabs info` lists the processes"
                                 : "; declare it or correct the name");
}

/* Uppaal reads words of its query language as such, whatever the model declares. */
static bool refuse_query_word(struct parser *parser, const struct token *token) {
    if (!parser->is_query || token->kind != TOKEN_NAME || !hides_in_queries(token->name))
        return false;
    syntax_error(parser, token->span.begin,
                 "'%s' is a word of the query language, and names nothing else in a query; rename "
                 "the variable",
                 token->name);
    return true;
}

static struct expr *parse_name(struct parser *parser) {
    assert(at(parser, TOKEN_NAME));
    const struct token *token = peek(parser);
    struct symbol *symbol = frame_find(parser->frame, token->name);
    if (symbol && symbol->kind == SYMBOL_TYPE) {
        unexpected(parser, "an expression (this name is a type)");
        return NULL;
    }
    bool is_of_model = symbol && symbol->kind != SYMBOL_AGENT;
    if (is_of_model && refuse_query_word(parser, token)) return NULL;
    const char *foreign = symbol ? NULL : foreign_name(parser, token->name);
    if (foreign) {
        unsupported(parser, token->span.begin, foreign);
        return NULL;
    }
    parser->index++;
    struct expr *expr = expr_new(parser, EXPR_NAME, token->span.begin);
    expr->name = token->name;
    expr->symbol = symbol;
    if (symbol)
        symbol->is_used = true;
    else if (!parser->hides_unknown)
        diag_error(parser->diag, STATUS_INVALID, token->span.begin, "'%s' is not declared%s",
                   token->name, unknown_hint(parser, token->name));
    else
        parser->failed = true;
    return expr_close(parser, expr);
}

/* ("forall" | "exists" | "sum") "(" Id ":" Type ")" Expr, the body as far right as possible. */
static struct expr *parse_quantifier(struct parser *parser) {
    assert(at(parser, TOKEN_FORALL) || at(parser, TOKEN_EXISTS) || at(parser, TOKEN_SUM));
    const struct token *token = peek(parser);
    enum op op = at(parser, TOKEN_FORALL)   ? OP_FORALL
                 : at(parser, TOKEN_EXISTS) ? OP_EXISTS
                                            : OP_SUM;
    parser->index++;
    struct expr *expr = expr_new(parser, EXPR_QUANTIFY, token->span.begin);
    expr->op = op;
    if (!expect(parser, TOKEN_LEFT_PAREN)) return NULL;
    const struct token *name = expect_new_name(parser);
    if (!name || !expect(parser, TOKEN_COLON)) return NULL;
    struct type *type = parse_type(parser);
    if (!type || !expect(parser, TOKEN_RIGHT_PAREN)) return NULL;
    parser_open_frame(parser);
    expr->bound = symbol_new(parser, SYMBOL_BOUND, SCOPE_FRAME, name, type);
    declare(parser, expr->bound);
    expr->child[0] = parse_expr(parser);
    parser_close_frame(parser);
    return expr->child[0] ? expr_close(parser, expr) : NULL;
}

static struct expr *parse_primary(struct parser *parser) {
    const struct token *token = peek(parser);
    struct expr *expr;
    enum expr_kind kind;
    switch (token->kind) {
    case TOKEN_INT:
        parser->index++;
        if (token->value > INT32_MAX) {
            syntax_error(parser, token->span.begin, "this number does not fit 32 bits");
            return NULL;
        }
        expr = expr_new(parser, EXPR_INT, token->span.begin);
        expr->value = token->value;
        return expr_close(parser, expr);
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        parser->index++;
        expr = expr_new(parser, EXPR_BOOL, token->span.begin);
        expr->value = token->kind == TOKEN_TRUE;
        return expr_close(parser, expr);
    case TOKEN_DOUBLE:
    case TOKEN_STRING:
        parser->index++;
        expr = expr_new(parser, token->kind == TOKEN_DOUBLE ? EXPR_DOUBLE : EXPR_STRING,
                        token->span.begin);
        return expr_close(parser, expr);
    case TOKEN_LEFT_PAREN:
        parser->index++;
        expr = parse_expr(parser);
        return expr && expect(parser, TOKEN_RIGHT_PAREN) ? expr : NULL;
    case TOKEN_FORALL:
    case TOKEN_EXISTS:
    case TOKEN_SUM: return parse_quantifier(parser);
    case TOKEN_BUILTIN: return parse_builtin(parser);
    case TOKEN_NAME:
        if (parser->is_query && expr_kind_of_word(token->name, &kind) &&
            (kind == EXPR_DEADLOCK || !frame_find(parser->frame, token->name))) {
            parser->index++;
            return expr_close(parser, expr_new(parser, kind, token->span.begin));
        }
        return parse_name(parser);
    case TOKEN_SPAWN:
    case TOKEN_EXIT: unsupported(parser, token->span.begin, "dynamic templates"); return NULL;
    default: unexpected(parser, "an expression"); return NULL;
    }
}

/* After a dot any word that is not a typedef name; `location` is Uppaal's own member. */
static struct expr *parse_field(struct parser *parser, struct expr *record, position begin) {
    const struct token *token = peek(parser);
    bool is_location = parser->is_query && token_is_model_word(token->kind);
    if (token->kind != TOKEN_NAME && token->kind != TOKEN_LOCATION && !is_location) {
        unexpected(parser, "the name of a member");
        return NULL;
    }
    if (at_typedef_name(parser, 0)) {
        unexpected(parser, "the name of a member (this name is a type, which Uppaal refuses here)");
        return NULL;
    }
    if (refuse_query_word(parser, token)) return NULL;
    parser->index++;
    struct expr *expr = expr_new(parser, EXPR_FIELD, begin);
    expr->name = token->name;
    expr->child[0] = record;
    return expr_close(parser, expr);
}

/* Level 1: calls, indices, fields, rates; and level 2's postfix steps. */
struct expr *parse_postfix(struct parser *parser) {
    position begin = peek(parser)->span.begin;
    struct expr *expr = parse_primary(parser);
    while (expr) {
        struct expr *inner = expr;
        if (accept(parser, TOKEN_LEFT_PAREN)) {
            expr = expr_new(parser, EXPR_CALL, begin);
            expr->child[0] = inner;
            expr = parse_arguments(parser, expr);
        } else if (accept(parser, TOKEN_LEFT_BRACKET)) {
            expr = expr_new(parser, EXPR_INDEX, begin);
            expr->child[0] = inner;
            expr->child[1] = parse_expr(parser);
            if (!expr->child[1] || !expect(parser, TOKEN_RIGHT_BRACKET)) return NULL;
            expr = expr_close(parser, expr);
        } else if (accept(parser, TOKEN_DOT)) {
            expr = parse_field(parser, inner, begin);
        } else if (at(parser, TOKEN_INC) || at(parser, TOKEN_DEC)) {
            enum op op = at(parser, TOKEN_INC) ? OP_POST_INC : OP_POST_DEC;
            parser->index++;
            expr = expr_new(parser, EXPR_STEP, begin);
            expr->op = op;
            expr->child[0] = inner;
            expr = expr_close(parser, expr);
        } else if (accept(parser, TOKEN_QUOTE)) {
            expr = expr_new(parser, EXPR_RATE, begin);
            expr->child[0] = inner;
            expr = expr_close(parser, expr);
        } else {
            break;
        }
    }
    return expr;
}

static struct expr *parse_unary_operand(struct parser *parser, struct expr *expr) {
    expr->child[0] = parse_level(parser, 15);
    return expr->child[0] ? expr_close(parser, expr) : NULL;
}

/* Levels 2 and 3: prefix operators. Unary plus is dropped, as Uppaal does. */
static struct expr *parse_unary(struct parser *parser) {
    const struct token *token = peek(parser);
    struct expr *expr = NULL;
    switch (token->kind) {
    case TOKEN_ADD: parser->index++; return parse_level(parser, 15);
    case TOKEN_SUB:
        parser->index++;
        expr = expr_new(parser, EXPR_UNARY, token->span.begin);
        expr->op = OP_NEG;
        if (at(parser, TOKEN_INT) && peek(parser)->value == INT64_C(2147483648)) {
            struct expr *literal = expr_new(parser, EXPR_INT, peek(parser)->span.begin);
            literal->value = peek(parser)->value;
            parser->index++;
            expr->child[0] = expr_close(parser, literal);
            return expr_close(parser, expr);
        }
        return parse_unary_operand(parser, expr);
    case TOKEN_BANG:
    case TOKEN_NOT_WORD:
        parser->index++;
        expr = expr_new(parser, EXPR_UNARY, token->span.begin);
        expr->op = OP_NOT;
        expr->is_word = token->kind == TOKEN_NOT_WORD;
        return parse_unary_operand(parser, expr);
    case TOKEN_INC:
    case TOKEN_DEC:
        parser->index++;
        expr = expr_new(parser, EXPR_STEP, token->span.begin);
        expr->op = token->kind == TOKEN_INC ? OP_PRE_INC : OP_PRE_DEC;
        return parse_unary_operand(parser, expr);
    default:
        if (parser->is_query && at_modal(parser)) return parse_modal(parser);
        return parse_postfix(parser);
    }
}

/* `c!` and `c?` end a synchronisation label: there `?` is no conditional. */
static bool at_conditional(const struct parser *parser) {
    return at(parser, TOKEN_QUESTION) && peek_at(parser, 1)->kind != TOKEN_END;
}

static struct expr *parse_conditional(struct parser *parser, struct expr *condition,
                                      position begin) {
    struct expr *expr = expr_new(parser, EXPR_COND, begin);
    expr->child[0] = condition;
    expr->child[1] = parse_expr(parser);
    if (!expr->child[1] || !expect(parser, TOKEN_COLON)) return NULL;
    expr->child[2] = parse_level(parser, LEVEL_ASSIGN); /* b ? x : y = 3 is b ? x : (y = 3) */
    return expr->child[2] ? expr_close(parser, expr) : NULL;
}

static struct expr *parse_infix(struct parser *parser, struct expr *left, struct infix infix,
                                position begin) {
    struct expr *expr = expr_new(parser, infix.is_assignment ? EXPR_ASSIGN : EXPR_BINARY, begin);
    expr->op = infix.op;
    expr->is_word = infix.is_word;
    expr->child[0] = left;
    expr->child[1] = parse_level(parser, infix.is_assignment ? LEVEL_ASSIGN : infix.level + 1);
    return expr->child[1] ? expr_close(parser, expr) : NULL;
}

static struct expr *parse_level(struct parser *parser, int level) {
    if (!parser_enter(parser)) return NULL;
    position begin = peek(parser)->span.begin; /* that of a parenthesis, if there is one */
    struct expr *expr = parse_unary(parser);
    while (expr) {
        struct infix infix = infix_of(peek(parser)->kind);
        if (parser->is_query && at(parser, TOKEN_XOR)) break; /* not a word of queries */
        if (infix.op != OP_NONE && infix.level >= level) {
            parser->index++;
            expr = parse_infix(parser, expr, infix, begin);
        } else if (at_conditional(parser) && LEVEL_COND >= level) {
            parser->index++;
            expr = parse_conditional(parser, expr, begin);
        } else {
            break;
        }
    }
    parser_leave(parser);
    return expr;
}

/* Expr */
struct expr *parse_expr(struct parser *parser) {
    return parse_level(parser, LEVEL_ASSIGN);
}

/* ExprList = Expr {"," Expr} */
struct expr_list parse_expr_list(struct parser *parser) {
    VEC(struct expr *) list = {0};
    do {
        struct expr *expr = parse_expr(parser);
        if (!expr) break;
        VEC_PUSH(parser->arena, &list, expr);
    } while (accept(parser, TOKEN_COMMA));
    return (struct expr_list){list.items, list.count};
}
