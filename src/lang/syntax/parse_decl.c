/* Declarations: variables, types, functions, and the items that only global text has. */
#define _POSIX_C_SOURCE 200809L

#include "lang/syntax/parse_internal.h"

#include <unistd.h>

static struct initialiser *parse_initialiser(struct parser *parser);

static struct declaration *declaration_new(struct parser *parser, enum declaration_kind kind,
                                           position begin) {
    struct declaration *declaration = ARENA_NEW(parser->arena, struct declaration);
    *declaration = (struct declaration){.kind = kind, .span.begin = begin};
    return declaration;
}

/* "{" Field {"," Field} "}", Field = [Id ":"] Init */
static bool parse_braced(struct parser *parser, struct initialiser *initialiser) {
    VEC(struct initialiser *) items = {0};
    VEC(const char *) names = {0};
    do {
        const char *name = NULL;
        if (at(parser, TOKEN_NAME) && peek_at(parser, 1)->kind == TOKEN_COLON) {
            name = peek(parser)->name;
            parser->index += 2;
        }
        struct initialiser *item = parse_initialiser(parser);
        if (!item) return false;
        VEC_PUSH(parser->arena, &items, item);
        VEC_PUSH(parser->arena, &names, name);
    } while (accept(parser, TOKEN_COMMA));
    if (!expect(parser, TOKEN_RIGHT_BRACE)) return false;
    initialiser->items = items.items;
    initialiser->names = names.items;
    initialiser->item_count = items.count;
    return true;
}

/* Init = Expr | "{" Field {"," Field} "}" */
static struct initialiser *parse_initialiser(struct parser *parser) {
    if (!parser_enter(parser)) return NULL;
    struct initialiser *initialiser = ARENA_NEW(parser->arena, struct initialiser);
    initialiser->span.begin = peek(parser)->span.begin;
    bool ok;
    if (accept(parser, TOKEN_LEFT_BRACE))
        ok = parse_braced(parser, initialiser);
    else
        ok = (initialiser->expr = parse_expr(parser)) != NULL;
    initialiser->span.end = last_end(parser);
    parser_leave(parser);
    return ok ? initialiser : NULL;
}

/* VarId {"," VarId} ";" after a type, or the same of a typedef. */
static bool parse_declarators(struct parser *parser, struct declaration *declaration,
                              enum scope_kind scope) {
    bool is_type = declaration->kind == DECLARATION_TYPES;
    VEC(struct declarator) list = {0};
    do {
        const struct token *name = peek(parser);
        if (!expect(parser, TOKEN_NAME)) return false;
        struct type *type = parse_array(parser, declaration->base);
        if (!type) return false;
        struct symbol *symbol =
            symbol_new(parser, is_type ? SYMBOL_TYPE : SYMBOL_VARIABLE, scope, name, type);
        symbol->declaration = declaration;
        if (!is_type && (accept(parser, TOKEN_ASSIGN) || accept(parser, TOKEN_COLON_ASSIGN))) {
            symbol->initialiser = parse_initialiser(parser);
            if (!symbol->initialiser) return false;
        }
        declare(parser, symbol);
        VEC_PUSH(parser->arena, &list,
                 (struct declarator){symbol, {name->span.begin, last_end(parser)}});
    } while (accept(parser, TOKEN_COMMA));
    declaration->declarators = list.items;
    declaration->declarator_count = list.count;
    return expect(parser, TOKEN_SEMICOLON);
}

/* Params = Param {"," Param}, Param = Type ["&"] NonTypeId {Array} */
void parse_parameters(struct parser *parser, enum scope_kind scope, enum token_kind end,
                      struct symbol ***parameters, uint32_t *count) {
    VEC(struct symbol *) list = {0};
    if (end == TOKEN_END || !at(parser, end)) { /* a <parameter> with a comment only is an error */
        do {
            struct type *base = parse_type(parser);
            if (!base) break;
            bool is_reference = accept(parser, TOKEN_BIT_AND);
            const struct token *name = expect_name(parser);
            if (!name) break;
            struct type *type = parse_array(parser, base);
            if (!type) break;
            struct symbol *symbol = symbol_new(parser, SYMBOL_PARAMETER, scope, name, type);
            symbol->is_reference = is_reference;
            declare(parser, symbol);
            VEC_PUSH(parser->arena, &list, symbol);
        } while (accept(parser, TOKEN_COMMA));
    }
    expect(parser, end);
    *parameters = list.items;
    *count = list.count;
}

/* Function = Type Id "(" [Params] ")" Block; parameters and body share one frame. */
static bool parse_function(struct parser *parser, struct declaration *declaration,
                           enum scope_kind scope) {
    const struct token *name = peek(parser);
    parser->index += 2;
    struct function *function = ARENA_NEW(parser->arena, struct function);
    struct symbol *symbol = symbol_new(parser, SYMBOL_FUNCTION, scope, name, declaration->base);
    symbol->function = function;
    function->symbol = symbol;
    function->result = declaration->base;
    function->template = parser->template;
    declaration->kind = DECLARATION_FUNCTION;
    declaration->function = function;
    declare(parser, symbol);

    uint32_t saved_next = parser->frame_next, saved_max = parser->frame_max;
    parser_open_frame(parser);
    parser->frame_next = parser->frame_max = 0;
    parser->function = function;
    function->parameter_span.begin = last_end(parser);
    parse_parameters(parser, SCOPE_FRAME, TOKEN_RIGHT_PAREN, &function->parameters,
                     &function->parameter_count);
    function->parameter_span.end = last_end(parser) - 1;
    if (!parser->failed && expect(parser, TOKEN_LEFT_BRACE)) function->body = parse_block(parser);
    function->frame_size = parser->frame_max;
    parser_close_frame(parser);
    parser->frame_next = saved_next;
    parser->frame_max = saved_max;
    parser->function = NULL;
    return function->body != NULL;
}

static bool parse_hook(struct parser *parser, struct declaration *declaration) {
    declaration->kind = DECLARATION_HOOK;
    declaration->is_after = accept(parser, TOKEN_AFTER_UPDATE);
    if (!declaration->is_after) expect(parser, TOKEN_BEFORE_UPDATE);
    if (!expect(parser, TOKEN_LEFT_BRACE)) return false;
    declaration->hook = parse_expr_list(parser);
    return !parser->failed && expect(parser, TOKEN_RIGHT_BRACE);
}

static struct declaration *close_declaration(struct parser *parser, struct declaration *declaration,
                                             bool ok) {
    declaration->span.end = last_end(parser);
    return ok && !parser->failed ? declaration : NULL;
}

/* Where the dynamic linker would look for a library, without loading anything. */
static bool library_exists(struct parser *parser, const char *name) {
    static const char *const folders[] = {"",
                                          "/lib/",
                                          "/usr/lib/",
                                          "/usr/local/lib/",
                                          "/lib/x86_64-linux-gnu/",
                                          "/usr/lib/x86_64-linux-gnu/",
                                          "/lib/aarch64-linux-gnu/",
                                          "/usr/lib/aarch64-linux-gnu/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        for (int ending = 0; ending < 2; ending++) {
            const char *path =
                arena_printf(parser->arena, "%s%s%s", folders[i], name, ending ? ".so" : "");
            if (access(path, R_OK) == 0) return true;
        }
    return false;
}

/* import "library" { ... }: Uppaal refuses the model if the library cannot be opened. It is looked
 * for, but not opened here: a file that a model names may be anything. */
static void refuse_import(struct parser *parser) {
    const struct token *library = peek_at(parser, 1);
    if (library->kind == TOKEN_STRING && !library_exists(parser, library->name))
        syntax_error(parser, library->span.begin,
                     "the library '%s' of external functions cannot be opened (nor would external "
                     "functions be supported)",
                     library->name);
    else
        unsupported(parser, peek(parser)->span.begin, "external functions");
}

static bool refuse_declaration(struct parser *parser) {
    position begin = peek(parser)->span.begin;
    switch (peek(parser)->kind) {
    case TOKEN_DYNAMIC: unsupported(parser, begin, "dynamic templates"); return true;
    case TOKEN_PROCESS: unsupported(parser, begin, "textual process declarations"); return true;
    case TOKEN_IMPORT: refuse_import(parser); return true;
    case TOKEN_IO: unsupported(parser, begin, "input and output declarations"); return true;
    case TOKEN_SEMICOLON:
        syntax_error(parser, begin, "a lone ';' is not allowed here; remove it");
        return true;
    default: return false;
    }
}

/* One declaration; NULL after an error, which is reported. */
struct declaration *parse_declaration(struct parser *parser, enum scope_kind scope) {
    position begin = peek(parser)->span.begin;
    struct declaration *declaration;
    bool is_local = scope == SCOPE_FRAME;
    if (refuse_declaration(parser)) return NULL;
    if (scope == SCOPE_GLOBAL && at(parser, TOKEN_CHAN) &&
        peek_at(parser, 1)->kind == TOKEN_PRIORITY) {
        declaration = parse_channel_priority(parser);
        if (declaration) declaration->span.begin = begin;
        return declaration;
    }
    if (scope == SCOPE_GLOBAL &&
        (at(parser, TOKEN_BEFORE_UPDATE) || at(parser, TOKEN_AFTER_UPDATE))) {
        declaration = declaration_new(parser, DECLARATION_HOOK, begin);
        return close_declaration(parser, declaration, parse_hook(parser, declaration));
    }
    if (scope == SCOPE_GLOBAL && at(parser, TOKEN_NAME) && !at_typedef_name(parser, 0) &&
        (peek_at(parser, 1)->kind == TOKEN_LEFT_PAREN || peek_at(parser, 1)->kind == TOKEN_ASSIGN ||
         peek_at(parser, 1)->kind == TOKEN_COLON_ASSIGN))
        return parse_instance(parser);

    bool is_type = accept(parser, TOKEN_TYPEDEF);
    declaration =
        declaration_new(parser, is_type ? DECLARATION_TYPES : DECLARATION_VARIABLES, begin);
    if (!at_type(parser)) {
        const char *name = at(parser, TOKEN_NAME) ? peek(parser)->name : NULL;
        if (name && frame_find(parser->frame, name))
            syntax_error(parser, begin, "'%s' is not a type; a declaration begins with one", name);
        else if (name)
            syntax_error(
                parser, begin, "unknown type '%s'%s", name,
                frame_hint(parser->frame, name, parser->diag, "; declare it before its use"));
        else
            unexpected(parser, "a declaration");
        return NULL;
    }
    declaration->base = parse_type(parser);
    if (!declaration->base) return NULL;
    bool ok;
    if (!is_type && !is_local && at(parser, TOKEN_NAME) &&
        peek_at(parser, 1)->kind == TOKEN_LEFT_PAREN)
        ok = parse_function(parser, declaration, scope);
    else
        ok = parse_declarators(parser, declaration, scope);
    return close_declaration(parser, declaration, ok);
}

/* Skips to after the end of a declaration, whose first token is given: its semicolon or closing
 * brace. */
static void recover_declaration(struct parser *parser, uint32_t begin) {
    parser->failed = false;
    parser->hides_unknown = true;
    parser->depth = 0;
    int depth = 0;
    for (uint32_t i = begin; i < parser->index; i++) {
        enum token_kind kind = parser->tokens.list.items[i].kind;
        depth += kind == TOKEN_LEFT_BRACE ? 1 : kind == TOKEN_RIGHT_BRACE ? -1 : 0;
    }
    while (!at(parser, TOKEN_END)) {
        enum token_kind kind = peek(parser)->kind;
        if (kind == TOKEN_SYSTEM && depth <= 0) return;
        parser->index++;
        if (kind == TOKEN_LEFT_BRACE) depth++;
        if (kind == TOKEN_RIGHT_BRACE && --depth <= 0) {
            accept(parser, TOKEN_SEMICOLON);
            return;
        }
        if (kind == TOKEN_SEMICOLON && depth <= 0) return;
    }
}

/* Decls and LocalDecls; stops at `system` and at the end of the text. */
struct declaration_list parse_declarations(struct parser *parser, enum scope_kind scope) {
    VEC(struct declaration *) list = {0};
    while (!at(parser, TOKEN_END) && !at(parser, TOKEN_SYSTEM)) {
        uint32_t begin = parser->index;
        struct declaration *declaration = parse_declaration(parser, scope);
        if (declaration && !parser->failed)
            VEC_PUSH(parser->arena, &list, declaration);
        else
            recover_declaration(parser, begin);
    }
    return (struct declaration_list){list.items, list.count};
}

struct declaration_list parse_declaration_text(struct parser *parser, enum scope_kind scope) {
    struct declaration_list list = parse_declarations(parser, scope);
    if (at(parser, TOKEN_SYSTEM))
        unexpected(parser, "a declaration (the system line belongs into <system>)");
    return list;
}
