/* What all parsers share: tokens, errors, labels on their own. */
#include "lang/syntax/parse_internal.h"

#include "base/interrupt.h"

#include <assert.h>
#include <string.h>

bool parser_begin(struct parser *parser, const struct text *text, struct frame *frame) {
    parser->failed = false;
    parser->depth = 0;
    parser->index = 0;
    parser->frame = frame;
    parser->tokens.list.count = 0; /* the tokens of the text before are not needed any more */
    if (!text || str_is_blank(text->content)) return false;
    return lex(parser->arena, parser->model->names, text, &parser->tokens, parser->diag);
}

bool parser_begin_names(struct parser *parser, const struct text *text, struct frame *frame) {
    uint32_t before = parser->diag->error_count;
    bool is_read = parser_begin(parser, text, frame);
    if (parser->diag->error_count > before) parser->hides_unknown = true;
    return is_read;
}

/* TOKEN_END past the end. */
const struct token *peek_at(const struct parser *parser, uint32_t ahead) {
    assert(parser->tokens.list.count); /* there is TOKEN_END at least */
    uint32_t index = parser->index + ahead, last = parser->tokens.list.count - 1;
    return &parser->tokens.list.items[index < last ? index : last];
}

/* The current token. */
const struct token *peek(const struct parser *parser) { return peek_at(parser, 0); }

/* Whether the current token is of a kind; it stays. */
bool at(const struct parser *parser, enum token_kind kind) { return peek(parser)->kind == kind; }

/* Consumes the token if it is the current one. TOKEN_END is never left. */
bool accept(struct parser *parser, enum token_kind kind) {
    if (!at(parser, kind)) return false;
    if (kind != TOKEN_END) parser->index++;
    return true;
}

bool expect(struct parser *parser, enum token_kind kind) {
    if (accept(parser, kind)) return true;
    const struct token *token = peek(parser);
    if (kind == TOKEN_NAME && is_reserved_word(token->name ? token->name : token_text(token->kind)))
        unexpected(parser, "a name that is no keyword");
    else
        unexpected(parser, arena_printf(parser->arena, kind <= TOKEN_STRING ? "%s" : "'%s'",
                                        token_text(kind)));
    return false;
}

/* The beginning of the text if no token is consumed yet. */
position last_end(const struct parser *parser) {
    return parser->index ? parser->tokens.list.items[parser->index - 1].span.end
                         : peek(parser)->span.begin;
}

/* Only the first syntax error of a declaration or label is worth reading. */
bool syntax_error(struct parser *parser, position where, const char *format, ...) {
    if (parser->failed) return false;
    parser->failed = true;
    va_list arguments;
    va_start(arguments, format);
    diag_error(parser->diag, STATUS_INVALID, where, "%s",
               arena_vprintf(parser->arena, format, arguments));
    va_end(arguments);
    return false;
}

/* Only the first problem of a text is reported; status STATUS_UNSUPPORTED. */
void not_supported(struct parser *parser, position where, const char *message) {
    if (parser->failed) return;
    parser->failed = true;
    diag_error(parser->diag, STATUS_UNSUPPORTED, where, "%s", message);
}

void unsupported(struct parser *parser, position where, const char *what) {
    not_supported(parser, where,
                  arena_printf(parser->arena,
                               "%s: not supported; the manual page varabs-language says what is",
                               what));
}

/* What was found is the current token. */
bool unexpected(struct parser *parser, const char *wanted) {
    const struct token *token = peek(parser);
    const char *found = token_text(token->kind);
    if (token->name) found = token->name;
    if (token->kind == TOKEN_END)
        syntax_error(parser, token->span.begin, "expected %s before the end of the text", wanted);
    else
        syntax_error(parser, token->span.begin, "expected %s, found '%s'", wanted,
                     token->kind == TOKEN_INT
                         ? arena_printf(parser->arena, "%lld", (long long)token->value)
                         : found);
    return false;
}

/* To be paired with parser_leave if it is true. */
bool parser_enter(struct parser *parser) {
    if (++parser->depth <= PARSE_MAX_DEPTH) return true;
    parser->depth--;
    return syntax_error(parser, peek(parser)->span.begin,
                        "this is nested more than %d levels deep; split it up", PARSE_MAX_DEPTH);
}

void parser_leave(struct parser *parser) {
    assert(parser->depth);
    parser->depth--;
}

void parser_open_frame(struct parser *parser) {
    parser->frame = frame_new(parser->arena, parser->frame);
}

/* The innermost frame, which parser_open_frame has made. */
void parser_close_frame(struct parser *parser) {
    assert(parser->frame && parser->frame->outer); /* the outermost one stays */
    parser->frame = parser->frame->outer;
}

/* Not declared yet; the name is borrowed from the token. */
struct symbol *symbol_new(struct parser *parser, enum symbol_kind kind, enum scope_kind scope,
                          const struct token *name, struct type *type) {
    assert(name->name);
    struct symbol *symbol = ARENA_NEW(parser->arena, struct symbol);
    symbol->kind = kind;
    symbol->scope = scope;
    symbol->name = name->name;
    symbol->span = name->span;
    symbol->type = type;
    return symbol;
}

static void push_symbol(struct parser *parser, struct symbol ***symbols, uint32_t *count,
                        struct symbol *symbol) {
    assert(symbol->scope != SCOPE_FRAME);
    if ((*count & (*count - 1)) == 0) { /* grows at powers of two */
        struct symbol **fresh =
            ARENA_ARRAY(parser->arena, struct symbol *, *count ? *count * 2 : 1);
        if (*count) memcpy(fresh, *symbols, *count * sizeof *fresh);
        *symbols = fresh;
    }
    symbol->index = *count;
    (*symbols)[(*count)++] = symbol;
}

static void number_symbol(struct parser *parser, struct symbol *symbol) {
    bool binds = symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER ||
                 symbol->kind == SYMBOL_BOUND;
    if (!binds) return;
    struct model *model = parser->model;
    if (symbol->scope == SCOPE_FRAME) {
        symbol->index = parser->frame_next++;
        assert(parser->frame_next);
        if (parser->frame_next > parser->frame_max) parser->frame_max = parser->frame_next;
        if (!parser->function && parser->frame_next > model->system_frame_size)
            model->system_frame_size = parser->frame_next;
    } else if (symbol->scope == SCOPE_TEMPLATE) {
        assert(parser->template);
        push_symbol(parser, &parser->template->symbols, &parser->template->symbol_count, symbol);
    } else {
        push_symbol(parser, &model->symbols, &model->symbol_count, symbol);
    }
}

void declare(struct parser *parser, struct symbol *symbol) {
    const struct symbol *other = frame_find_here(parser->frame, symbol->name);
    const struct symbol *outer = frame_find(parser->model->frame, symbol->name);
    number_symbol(parser, symbol);
    parser->model->hides_types |=
        symbol->scope == SCOPE_FRAME && outer && outer->kind == SYMBOL_TYPE;
    if (!other) {
        frame_declare(parser->frame, symbol);
        return;
    }
    struct source_location place =
        source_locate(&parser->model->document->source, other->span.begin);
    if (place.line)
        diag_error(parser->diag, STATUS_INVALID, symbol->span.begin,
                   "'%s' is already declared at %u:%u; rename one of them", symbol->name,
                   place.line, place.column);
    else
        diag_error(parser->diag, STATUS_INVALID, symbol->span.begin,
                   "'%s' is declared by Uppaal itself; choose another name", symbol->name);
}

const struct token *expect_name(struct parser *parser) {
    const struct token *token = peek(parser);
    if (at_typedef_name(parser, 0)) {
        unexpected(parser, "a new name (this one is a type)");
        return NULL;
    }
    return expect(parser, TOKEN_NAME) ? token : NULL;
}

/* A name that may be that of a type, which it hides. */
const struct token *expect_new_name(struct parser *parser) {
    const struct token *token = peek(parser);
    parser->model->hides_types |= at_typedef_name(parser, 0);
    return expect(parser, TOKEN_NAME) ? token : NULL;
}

static struct type *predeclared_int(struct model *model, int64_t lower, int64_t upper) {
    struct type *type = ARENA_NEW(model->arena, struct type);
    type->kind = TYPE_INT;
    struct expr **bounds[] = {&type->lower, &type->upper};
    for (int i = 0; i < 2; i++) {
        struct expr *expr = ARENA_NEW(model->arena, struct expr);
        expr->kind = EXPR_INT;
        expr->value = i ? upper : lower;
        expr->depth = 1;
        *bounds[i] = expr;
    }
    return type;
}

/* INT8_MIN ... INT32_MAX and int8_t ... int32_t, as Uppaal predefines them. */
static void predeclare(struct parser *parser) {
    static const struct {
        const char *name;
        int64_t value;
    } constants[] = {{"INT8_MIN", INT8_MIN},   {"INT8_MAX", INT8_MAX},   {"UINT8_MAX", UINT8_MAX},
                     {"INT16_MIN", INT16_MIN}, {"INT16_MAX", INT16_MAX}, {"UINT16_MAX", UINT16_MAX},
                     {"INT32_MIN", INT32_MIN}, {"INT32_MAX", INT32_MAX}};
    static const struct {
        const char *name;
        int64_t lower, upper;
    } types[] = {{"int8_t", INT8_MIN, INT8_MAX},
                 {"uint8_t", 0, UINT8_MAX},
                 {"int16_t", INT16_MIN, INT16_MAX},
                 {"uint16_t", 0, UINT16_MAX},
                 {"int32_t", INT32_MIN, INT32_MAX}};
    struct model *model = parser->model;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        struct token name = {.name = intern_text(model->names, constants[i].name)};
        struct type *type = ARENA_NEW(model->arena, struct type);
        *type = (struct type){.kind = TYPE_INT, .prefix = PREFIX_CONST};
        struct symbol *symbol = symbol_new(parser, SYMBOL_VARIABLE, SCOPE_GLOBAL, &name, type);
        symbol->initialiser = ARENA_NEW(model->arena, struct initialiser);
        symbol->initialiser->expr =
            predeclared_int(model, constants[i].value, constants[i].value)->lower;
        symbol->is_compile_time = true;
        declare(parser, symbol);
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct token name = {.name = intern_text(model->names, types[i].name)};
        declare(parser, symbol_new(parser, SYMBOL_TYPE, SCOPE_GLOBAL, &name,
                                   predeclared_int(model, types[i].lower, types[i].upper)));
    }
}

static struct type *plain_type(struct arena *arena, enum type_kind kind) {
    struct type *type = ARENA_NEW(arena, struct type);
    type->kind = kind;
    return type;
}

/* Where what begins here ends: a comment, a string, or a character; NULL: it does not. */
static const char *end_of_part(const char *at) {
    const char *close = !memcmp(at, "/*", 2)   ? strstr(at + 2, "*/")
                        : !memcmp(at, "//", 2) ? strchr(at, '\n')
                        : *at == '"'           ? strpbrk(at + 1, "\"\n")
                                               : at;
    return close && *at == '/' && *close == '*' ? close + 1 : close;
}

/* The next comment that begins with a mark; not within another comment, or a string. NULL: there is
 * none. */
static const char *find_comment(const char *at, const char *end, struct str mark) {
    while (at && at + mark.size <= end && memcmp(at, mark.data, mark.size) != 0) {
        at = end_of_part(at);
        if (at) at++;
    }
    return at && at + mark.size <= end ? at : NULL;
}

/* "//varabs: ..." up to the end of its line; *from moves after it. */
static bool next_comment(const struct text *text, const char **from, struct text *comment) {
    const struct str mark = STR("//varabs:");
    const char *end = text->content.data + text->content.size;
    const char *begin = find_comment(*from, end, mark);
    if (!begin) return false;
    begin += mark.size;
    size_t size = strcspn(begin, "\n");
    if (size > (size_t)(end - begin)) size = (size_t)(end - begin);
    if (size && begin[size - 1] == '\r') size--; /* &#13; */
    *comment = (struct text){.content = {begin, size},
                             .begin = text->begin + (position)(begin - text->content.data),
                             .is_plain = text->is_plain};
    *from = begin + size;
    return true;
}

/* Whether a comment says that the model is mixed, and how. */
static bool says_mixed(struct model *model, struct str text) {
    enum { SIZE = sizeof MIXED_MOVES_OF - 1 };
    bool hides_moves = str_is(text, MIXED_HIDES_MOVES);
    bool may_fail = text.size > SIZE && !memcmp(text.data, MIXED_MOVES_OF, SIZE);
    if (!hides_moves && !may_fail && !str_is(text, MIXED_TEXT)) return false;
    model->is_mixed = true;
    model->hides_moves |= hides_moves;
    for (size_t at = SIZE, end; may_fail && at < text.size; at = end + 1) {
        for (end = at; end < text.size && text.data[end] != ',';) end++;
        VEC_PUSH(model->arena, &model->failing, str_trim((struct str){text.data + at, end - at}));
    }
    return true;
}

/* A declaration in a comment. What it names may be gone in an abstraction: then it is warned about,
 * and nothing that depends on it is answered. */
static void parse_agent_comment(struct parser *parser, const struct text *comment) {
    struct element *formula = ARENA_NEW(parser->arena, struct element);
    struct xml_query *xml = ARENA_NEW(parser->arena, struct xml_query);
    struct query *query = ARENA_NEW(parser->arena, struct query);
    if (says_mixed(parser->model, str_trim(comment->content))) {
        parser->model->mixed_at = comment->begin;
        return;
    }
    formula->name = "formula";
    formula->text = *comment;
    formula->text.content =
        (struct str){arena_copy(parser->arena, comment->content.data, comment->content.size),
                     comment->content.size};
    *xml = (struct xml_query){.formula = formula};
    if (!is_agent_declaration(parser, xml)) {
        diag_error(parser->diag, STATUS_INVALID, comment->begin,
                   "after '//varabs:' stands no declaration of agents: write agent, group or "
                   "observe");
        return;
    }
    parse_query(parser, xml, query);
}

static void refuse_agent_comments(struct parser *parser, const struct element *element) {
    struct text comment;
    const char *at = element ? element->text.content.data : NULL;
    if (element && next_comment(&element->text, &at, &comment))
        diag_error(parser->diag, STATUS_UNSUPPORTED, comment.begin,
                   "declarations about agents stand in the global declaration");
}

/* Declarations about agents in comments of the model. */
static void parse_agent_comments(struct parser *parser) {
    const struct document *document = parser->model->document;
    struct text comment;
    if (document->declaration) {
        const struct text *text = &document->declaration->text;
        for (const char *at = text->content.data; next_comment(text, &at, &comment);)
            parse_agent_comment(parser, &comment);
    }
    for (uint32_t i = 0; i < document->template_count; i++)
        refuse_agent_comments(parser, document->templates[i].declaration);
    refuse_agent_comments(parser, document->instantiation);
    refuse_agent_comments(parser, document->system);
}

static void parse_queries(struct parser *parser, const struct xml_query *queries, uint32_t count) {
    struct model *model = parser->model;
    model->queries = ARENA_ARRAY(parser->arena, struct query, count);
    model->query_count = count;
    parse_agent_comments(parser);
    /* Declarations first: queries name what they declare. */
    for (int is_query = 0; is_query < 2; is_query++)
        for (uint32_t i = 0; i < count; i++)
            if (is_agent_declaration(parser, &queries[i]) != is_query)
                parse_query(parser, &queries[i], &model->queries[i]);
}

struct model *model_parse(struct arena *arena, struct interner *names, struct document *document,
                          struct diag *diag) {
    return model_parse_with(arena, names, document, document->query_list, document->query_count,
                            diag);
}

/* A document may be so large that there is no time for all of it; most are read soon. */
static bool is_interrupted(struct diag *diag) {
    enum { PATIENCE_SECONDS = 1 };
    if (!interrupt_is_over(PATIENCE_SECONDS)) return false;
    diag_error(diag, STATUS_LIMIT, 0, "the model is not read to its end: %s", interrupt_reason());
    return true;
}

struct model *model_parse_with(struct arena *arena, struct interner *names,
                               struct document *document, const struct xml_query *queries,
                               uint32_t query_count, struct diag *diag) {
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){.arena = arena, .names = names, .document = document, .diag = diag};
    model->int_type = plain_type(arena, TYPE_INT);
    model->bool_type = plain_type(arena, TYPE_BOOL);
    model->error_type = plain_type(arena, TYPE_ERROR);
    model->templates = ARENA_ARRAY(arena, struct template *, document->template_count);

    struct parser parser = {.model = model, .arena = arena, .diag = diag};
    struct frame *global = model->frame = frame_new(arena, NULL);
    parser.frame = global;
    predeclare(&parser);
    if (document->declaration && parser_begin_names(&parser, &document->declaration->text, global))
        model->declarations = parse_declaration_text(&parser, SCOPE_GLOBAL);
    for (uint32_t i = 0; i < document->template_count; i++) {
        if (is_interrupted(diag)) return model;
        parser.frame = global;
        parse_template(&parser, &document->templates[i]);
    }
    parser.frame = global;
    parse_system(&parser);
    parser.frame = global;
    parse_queries(&parser, queries, query_count);
    return model;
}

/* What joins a parsed model */

static bool begin_added(struct parser *parser, struct model *model, struct template *template,
                        const struct text *text, const char *what) {
    *parser = (struct parser){
        .model = model, .arena = model->arena, .diag = model->diag, .template = template};
    if (parser_begin(parser, text, template ? template->frame : model->frame)) return true;
    if (!model->diag->error_count)
        diag_error(model->diag, STATUS_INVALID, text->begin, "%s is missing", what);
    return false;
}

static bool end_added(struct parser *parser) {
    if (!parser->failed && !at(parser, TOKEN_END)) unexpected(parser, "the end of the text");
    return !parser->failed && !parser->diag->error_count;
}

struct type *model_parse_type(struct model *model, struct template *template,
                              const struct text *text) {
    struct parser parser;
    if (!begin_added(&parser, model, template, text, "the type")) return NULL;
    struct type *type = at_type(&parser) ? parse_type(&parser) : NULL;
    if (!type && !parser.failed) unexpected(&parser, "a type");
    return end_added(&parser) ? type : NULL;
}

/* Unchecked: model_check_value is next. */
struct expr *model_parse_expr(struct model *model, struct template *template,
                              const struct text *text, uint32_t *frame_size) {
    struct parser parser;
    if (!begin_added(&parser, model, template, text, "the expression")) return NULL;
    parser.frame_next = parser.frame_max = *frame_size;
    struct expr *expr = parse_expr(&parser);
    *frame_size = parser.frame_max;
    return end_added(&parser) ? expr : NULL;
}

bool model_parse_edge_values(struct model *model, struct template *template, struct edge *edge,
                             const struct text *text, struct expr_list *values) {
    struct parser parser;
    *values = (struct expr_list){0};
    if (str_is_blank(text->content)) return true;
    if (!begin_added(&parser, model, template, text, "the expression")) return false;
    parser.frame = frame_new(parser.arena, template->frame);
    for (uint32_t i = 0; i < edge->select_count; i++) frame_declare(parser.frame, edge->selects[i]);
    parser.frame_next = parser.frame_max = edge->frame_size;
    *values = parse_expr_list(&parser);
    edge->frame_size = parser.frame_max;
    return end_added(&parser);
}

struct symbol *model_add_variable(struct model *model, struct template *template, const char *name,
                                  struct type *type) {
    struct parser parser = {.model = model,
                            .arena = model->arena,
                            .diag = model->diag,
                            .template = template,
                            .frame = template ? template->frame : model->frame};
    struct token token = {.name = intern_text(model->names, name)};
    struct declaration_list *list = template ? &template->declarations : &model->declarations;
    struct symbol *symbol = symbol_new(&parser, SYMBOL_VARIABLE,
                                       template ? SCOPE_TEMPLATE : SCOPE_GLOBAL, &token, type);
    struct declaration *declaration = ARENA_NEW(model->arena, struct declaration);
    struct declarator *declarator = ARENA_NEW(model->arena, struct declarator);
    *declarator = (struct declarator){.symbol = symbol};
    *declaration = (struct declaration){.kind = DECLARATION_VARIABLES,
                                        .base = type,
                                        .declarators = declarator,
                                        .declarator_count = 1};
    symbol->declaration = declaration;
    declare(&parser, symbol);
    struct declaration **items = ARENA_ARRAY(model->arena, struct declaration *, list->count + 1);
    if (list->count) memcpy(items, list->items, list->count * sizeof *items);
    items[list->count++] = declaration;
    list->items = items;
    return symbol;
}
