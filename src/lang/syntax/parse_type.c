/* Types: Type = [Prefix] Base; exactly one prefix, but "urgent broadcast" is one. */
#include "lang/syntax/parse_internal.h"

/* The token so many ahead. */
bool at_typedef_name(const struct parser *parser, uint32_t ahead) {
    const struct token *token = peek_at(parser, ahead);
    if (token->kind != TOKEN_NAME) return false;
    const struct symbol *symbol = frame_find(parser->frame, token->name);
    return symbol && symbol->kind == SYMBOL_TYPE;
}

bool at_type(const struct parser *parser) {
    switch (peek(parser)->kind) {
    case TOKEN_CONST:
    case TOKEN_META:
    case TOKEN_URGENT:
    case TOKEN_BROADCAST:
    case TOKEN_HYBRID:
    case TOKEN_INT_WORD:
    case TOKEN_BOOL:
    case TOKEN_CHAN:
    case TOKEN_SCALAR:
    case TOKEN_STRUCT:
    case TOKEN_VOID:
    case TOKEN_CLOCK:
    case TOKEN_DOUBLE_WORD:
    case TOKEN_STRING_WORD: return true;
    default: return at_typedef_name(parser, 0);
    }
}

static unsigned parse_prefix(struct parser *parser) {
    if (accept(parser, TOKEN_CONST)) return PREFIX_CONST;
    if (accept(parser, TOKEN_META)) return PREFIX_META;
    if (accept(parser, TOKEN_HYBRID)) return PREFIX_HYBRID;
    if (accept(parser, TOKEN_BROADCAST)) return PREFIX_BROADCAST;
    if (accept(parser, TOKEN_URGENT))
        return PREFIX_URGENT | (accept(parser, TOKEN_BROADCAST) ? PREFIX_BROADCAST : 0U);
    return 0;
}

static bool parse_int_range(struct parser *parser, struct type *type) {
    type->kind = TYPE_INT;
    if (!accept(parser, TOKEN_LEFT_BRACKET)) return true;
    type->lower = parse_expr(parser);
    if (!type->lower || !expect(parser, TOKEN_COMMA)) return false;
    type->upper = parse_expr(parser);
    return type->upper && expect(parser, TOKEN_RIGHT_BRACKET);
}

static bool has_field(const struct field *fields, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].name == name) return true;
    return false;
}

/* "struct" "{" FieldDecl {FieldDecl} "}", FieldDecl = Type Id {Array} {"," Id {Array}} ";" */
static bool parse_fields(struct parser *parser, struct type *type) {
    VEC(struct field) fields = {0};
    type->kind = TYPE_STRUCT;
    if (!expect(parser, TOKEN_LEFT_BRACE)) return false;
    do {
        if (!at_type(parser)) return unexpected(parser, "the type of a field");
        struct type *base = parse_type(parser);
        if (!base) return false;
        do {
            const struct token *name = peek(parser);
            if (!expect(parser, TOKEN_NAME)) return false;
            if (has_field(fields.items, fields.count, name->name))
                diag_error(parser->diag, STATUS_INVALID, name->span.begin,
                           "field '%s' is declared twice; rename one", name->name);
            struct type *field = parse_array(parser, base);
            if (!field) return false;
            VEC_PUSH(parser->arena, &fields, (struct field){name->name, name->span, field});
        } while (accept(parser, TOKEN_COMMA));
        if (!expect(parser, TOKEN_SEMICOLON)) return false;
    } while (!accept(parser, TOKEN_RIGHT_BRACE));
    type->fields = fields.items;
    type->field_count = fields.count;
    return true;
}

static bool parse_base(struct parser *parser, struct type *type) {
    const struct token *token = peek(parser);
    if (at_typedef_name(parser, 0)) {
        parser->index++;
        type->kind = TYPE_NAMED;
        type->name = token->name;
        type->symbol = frame_find(parser->frame, token->name);
        type->symbol->is_used = true;
        return true;
    }
    if (accept(parser, TOKEN_INT_WORD)) return parse_int_range(parser, type);
    if (accept(parser, TOKEN_STRUCT)) return parse_fields(parser, type);
    if (accept(parser, TOKEN_SCALAR)) {
        type->kind = TYPE_SCALAR;
        if (!expect(parser, TOKEN_LEFT_BRACKET)) return false;
        type->size = parse_expr(parser);
        return type->size && expect(parser, TOKEN_RIGHT_BRACKET);
    }
    static const struct {
        enum token_kind token;
        enum type_kind type;
    } simple[] = {{TOKEN_BOOL, TYPE_BOOL},          {TOKEN_CHAN, TYPE_CHAN},
                  {TOKEN_VOID, TYPE_VOID},          {TOKEN_CLOCK, TYPE_CLOCK},
                  {TOKEN_DOUBLE_WORD, TYPE_DOUBLE}, {TOKEN_STRING_WORD, TYPE_STRING}};
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (accept(parser, simple[i].token)) {
            type->kind = simple[i].type;
            return true;
        }
    return unexpected(parser, "a type");
}

struct type *parse_type(struct parser *parser) {
    if (!parser_enter(parser)) return NULL;
    struct type *type = ARENA_NEW(parser->arena, struct type);
    type->span.begin = peek(parser)->span.begin;
    type->prefix = parse_prefix(parser);
    bool ok = parse_base(parser, type);
    type->span.end = last_end(parser);
    parser_leave(parser);
    return ok ? type : NULL;
}

/* Array = "[" Expr "]" | "[" Type "]"; the first bracket is the outermost dimension. */
struct type *parse_array(struct parser *parser, struct type *base) {
    if (!at(parser, TOKEN_LEFT_BRACKET)) return base;
    if (!parser_enter(parser)) return NULL;
    struct type *type = ARENA_NEW(parser->arena, struct type);
    type->kind = TYPE_ARRAY;
    type->span.begin = peek(parser)->span.begin;
    parser->index++;
    if (at_type(parser))
        type->index = parse_type(parser);
    else
        type->size = parse_expr(parser);
    bool ok = (type->index || type->size) && expect(parser, TOKEN_RIGHT_BRACKET);
    type->span.end = last_end(parser);
    if (ok) type->element = parse_array(parser, base);
    parser_leave(parser);
    return ok && type->element ? type : NULL;
}
