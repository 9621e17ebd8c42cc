/* Statements of functions. Declarations stand strictly before statements in a block. */
#include "lang/syntax/parse_internal.h"

static struct statement *statement_new(struct parser *parser, enum statement_kind kind,
                                       position begin) {
    struct statement *statement = ARENA_NEW(parser->arena, struct statement);
    *statement = (struct statement){.kind = kind, .span.begin = begin};
    return statement;
}

static struct statement *parse_statement(struct parser *parser);

static bool parse_condition(struct parser *parser, struct expr_list *list) {
    if (!expect(parser, TOKEN_LEFT_PAREN)) return false;
    *list = parse_expr_list(parser);
    return !parser->failed && list->count && expect(parser, TOKEN_RIGHT_PAREN);
}

static bool parse_if(struct parser *parser, struct statement *statement) {
    if (!parse_condition(parser, &statement->condition)) return false;
    statement->body = parse_statement(parser);
    if (!statement->body) return false;
    if (!accept(parser, TOKEN_ELSE)) return true;
    statement->other = parse_statement(parser);
    return statement->other != NULL;
}

/* "for" "(" Id ":" Type ")" Stmt */
static bool parse_iterate(struct parser *parser, struct statement *statement) {
    statement->kind = STATEMENT_ITERATE;
    const struct token *name = expect_new_name(parser);
    if (!name || !expect(parser, TOKEN_COLON)) return false;
    struct type *type = parse_type(parser);
    if (!type || !expect(parser, TOKEN_RIGHT_PAREN)) return false;
    parser_open_frame(parser);
    statement->bound = symbol_new(parser, SYMBOL_BOUND, SCOPE_FRAME, name, type);
    declare(parser, statement->bound);
    statement->body = parse_statement(parser);
    parser_close_frame(parser);
    return statement->body != NULL;
}

/* "for" "(" ExprList ";" ExprList ";" ExprList ")" Stmt, no part may be empty */
static bool parse_for(struct parser *parser, struct statement *statement) {
    if (!expect(parser, TOKEN_LEFT_PAREN)) return false;
    if (at(parser, TOKEN_NAME) && peek_at(parser, 1)->kind == TOKEN_COLON)
        return parse_iterate(parser, statement);
    struct expr_list *parts[] = {&statement->first, &statement->condition, &statement->step};
    static const enum token_kind ends[] = {TOKEN_SEMICOLON, TOKEN_SEMICOLON, TOKEN_RIGHT_PAREN};
    for (int i = 0; i < 3; i++) {
        *parts[i] = parse_expr_list(parser);
        if (parser->failed || !expect(parser, ends[i])) return false;
    }
    statement->body = parse_statement(parser);
    return statement->body != NULL;
}

static bool parse_do(struct parser *parser, struct statement *statement) {
    statement->body = parse_statement(parser);
    return statement->body && expect(parser, TOKEN_WHILE) &&
           parse_condition(parser, &statement->condition) && expect(parser, TOKEN_SEMICOLON);
}

static bool parse_while(struct parser *parser, struct statement *statement) {
    if (!parse_condition(parser, &statement->condition)) return false;
    statement->body = parse_statement(parser);
    return statement->body != NULL;
}

static bool parse_return(struct parser *parser, struct statement *statement) {
    if (accept(parser, TOKEN_SEMICOLON)) return true;
    statement->expr = parse_expr(parser);
    return statement->expr && expect(parser, TOKEN_SEMICOLON);
}

static bool parse_plain(struct parser *parser, struct statement *statement) {
    if (at_type(parser))
        return unexpected(parser,
                          "a statement (declarations stand before the statements of a block)");
    statement->expr = parse_expr(parser);
    if (statement->expr && at(parser, TOKEN_COMMA))
        return unexpected(parser, "';' (a comma joins expressions only inside parentheses)");
    return statement->expr && expect(parser, TOKEN_SEMICOLON);
}

static bool parse_kind(struct parser *parser, struct statement *statement) {
    switch (statement->kind) {
    case STATEMENT_IF: return parse_if(parser, statement);
    case STATEMENT_FOR: return parse_for(parser, statement);
    case STATEMENT_WHILE: return parse_while(parser, statement);
    case STATEMENT_DO: return parse_do(parser, statement);
    case STATEMENT_RETURN: return parse_return(parser, statement);
    case STATEMENT_ASSERT:
        statement->expr = parse_expr(parser);
        return statement->expr && expect(parser, TOKEN_SEMICOLON);
    case STATEMENT_EMPTY: return true;
    default: return parse_plain(parser, statement);
    }
}

static struct statement *parse_statement(struct parser *parser) {
    static const struct {
        enum token_kind token;
        enum statement_kind statement;
    } words[] = {{TOKEN_IF, STATEMENT_IF},          {TOKEN_FOR, STATEMENT_FOR},
                 {TOKEN_WHILE, STATEMENT_WHILE},    {TOKEN_DO, STATEMENT_DO},
                 {TOKEN_RETURN, STATEMENT_RETURN},  {TOKEN_ASSERT, STATEMENT_ASSERT},
                 {TOKEN_SEMICOLON, STATEMENT_EMPTY}};
    position begin = peek(parser)->span.begin;
    if (!parser_enter(parser)) return NULL;
    struct statement *statement = NULL;
    if (accept(parser, TOKEN_LEFT_BRACE)) {
        parser_open_frame(parser);
        statement = parse_block(parser);
        parser_close_frame(parser);
    } else {
        statement = statement_new(parser, STATEMENT_EXPR, begin);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (accept(parser, words[i].token)) {
                statement->kind = words[i].statement;
                break;
            }
        if (!parse_kind(parser, statement)) statement = NULL;
        if (statement) statement->span.end = last_end(parser);
    }
    parser_leave(parser);
    return statement;
}

/* Block = "{" {VarDecl | TypeDecl} {Stmt} "}", after the opening brace and in its own frame. */
struct statement *parse_block(struct parser *parser) {
    struct statement *block = statement_new(parser, STATEMENT_BLOCK, last_end(parser) - 1);
    VEC(struct declaration *) declarations = {0};
    VEC(struct statement *) statements = {0};
    while (at_type(parser) || at(parser, TOKEN_TYPEDEF)) {
        struct declaration *declaration = parse_declaration(parser, SCOPE_FRAME);
        if (!declaration) return NULL;
        VEC_PUSH(parser->arena, &declarations, declaration);
    }
    while (!accept(parser, TOKEN_RIGHT_BRACE)) {
        if (at(parser, TOKEN_END)) {
            unexpected(parser, "'}'");
            return NULL;
        }
        struct statement *statement = parse_statement(parser);
        if (!statement) return NULL;
        VEC_PUSH(parser->arena, &statements, statement);
    }
    block->declarations = declarations.items;
    block->declaration_count = declarations.count;
    block->statements = statements.items;
    block->statement_count = statements.count;
    block->span.end = last_end(parser);
    return block;
}
