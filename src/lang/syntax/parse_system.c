/* The system section: instantiations, channel priorities, the system line, progress, gantt; and
 * queries. */
#include "lang/syntax/kinds.h"
#include "lang/syntax/parse_internal.h"
#include "lang/syntax/query_text.h"

#include <assert.h>
#include <string.h>

/* Whether a live sequence chart has the name. Nothing of charts is read into the document, so its
 * <name> is looked for in the file. */
static bool is_chart(const struct document *document, const char *name) {
    for (const struct element *child = document->root->first_child; child; child = child->next) {
        if (strcmp(child->name, "lsc") != 0) continue;
        const char *at = document->bytes.data + child->content_begin;
        const char *end = document->bytes.data + child->content_end;
        while (end - at > 5 && memcmp(at, "<name", 5) != 0) at++;
        at = memchr(at, '>', (size_t)(end - at));
        const char *close = at ? memchr(at, '<', (size_t)(end - at)) : NULL;
        if (close && str_is(str_trim((struct str){at + 1, (size_t)(close - at - 1)}), name))
            return true;
    }
    return false;
}

/* Reports a name that stands for no template. */
static void refuse_base(struct parser *parser, const struct token *name, const char *what,
                        const char *hint) {
    if (is_chart(parser->model->document, name->name))
        unsupported(parser, name->span.begin, "live sequence charts");
    else
        syntax_error(parser, name->span.begin, "'%s' is not %s%s", name->name, what, hint);
}

/* Instantiation = NonTypeId ["(" [Params] ")"] ("="|":=") NonTypeId "(" [Expr {"," Expr}] ")" ";"
 */
struct declaration *parse_instance(struct parser *parser) {
    const struct token *name = peek(parser);
    struct declaration *declaration = ARENA_NEW(parser->arena, struct declaration);
    struct instance *instance = ARENA_NEW(parser->arena, struct instance);
    declaration->kind = DECLARATION_INSTANCE;
    declaration->span.begin = name->span.begin;
    declaration->instance = instance;
    parser->index++;
    struct frame *outer = parser->frame;
    parser->frame = frame_new(parser->arena, outer);
    parser->frame_next = 0;
    if (accept(parser, TOKEN_LEFT_PAREN))
        parse_parameters(parser, SCOPE_FRAME, TOKEN_RIGHT_PAREN, &instance->parameters,
                         &instance->parameter_count);
    if (!parser->failed && !accept(parser, TOKEN_COLON_ASSIGN)) expect(parser, TOKEN_ASSIGN);
    const struct token *base = parser->failed ? NULL : expect_name(parser);
    if (base) {
        instance->base_span = base->span;
        instance->base = frame_find(outer, base->name);
        if (!instance->base || !instance->base->template)
            refuse_base(parser, base, "a template",
                        instance->base ? "; only templates can be instantiated"
                                       : frame_hint(outer, base->name, parser->diag,
                                                    "; only templates can be instantiated"));
        else
            instance->base->is_used = true;
    }
    if (!parser->failed && expect(parser, TOKEN_LEFT_PAREN) && !accept(parser, TOKEN_RIGHT_PAREN)) {
        struct expr_list list = parse_expr_list(parser);
        instance->arguments = list.items;
        instance->argument_count = list.count;
        if (!parser->failed) expect(parser, TOKEN_RIGHT_PAREN);
    }
    if (!parser->failed) expect(parser, TOKEN_SEMICOLON);
    parser->frame = outer;
    declaration->span.end = last_end(parser);
    if (parser->failed) return NULL;
    assert(instance->base);
    instance->template = instance->base->template;
    instance->symbol = symbol_new(parser, SYMBOL_INSTANCE, SCOPE_GLOBAL, name, NULL);
    instance->symbol->template = instance->template;
    instance->symbol->instance = instance;
    declare(parser, instance->symbol);
    return declaration;
}

/* ChanPrio = "chan" "priority" ChanEl {("," | "<") ChanEl} ";" */
struct declaration *parse_channel_priority(struct parser *parser) {
    struct declaration *declaration = ARENA_NEW(parser->arena, struct declaration);
    declaration->kind = DECLARATION_CHANNEL_PRIORITY;
    parser->index += 2;
    VEC(struct channel_priority) list = {0};
    uint32_t level = 0;
    bool more = true;
    while (more) {
        struct channel_priority priority = {.level = level};
        if (!accept(parser, TOKEN_DEFAULT)) {
            uint32_t saved = parser->index;
            const struct token *name = expect_name(parser);
            if (!name) return NULL;
            if (at(parser, TOKEN_LEFT_BRACKET)) { /* an element: Id "[" Expr "]" */
                while (accept(parser, TOKEN_LEFT_BRACKET))
                    if (!parse_expr(parser) || !expect(parser, TOKEN_RIGHT_BRACKET)) return NULL;
            }
            /* The channel as an expression of its own, without the '<' after it. */
            uint32_t end = parser->index;
            struct token cut = parser->tokens.list.items[end];
            parser->tokens.list.items[end].kind = TOKEN_END;
            parser->index = saved;
            priority.channel = parse_expr(parser);
            parser->tokens.list.items[end] = cut;
            parser->index = end;
            if (!priority.channel) return NULL;
        }
        VEC_PUSH(parser->arena, &list, priority);
        if (accept(parser, TOKEN_LT))
            level++;
        else
            more = accept(parser, TOKEN_COMMA);
    }
    if (!expect(parser, TOKEN_SEMICOLON)) return NULL;
    declaration->priorities = list.items;
    declaration->priority_count = list.count;
    declaration->span.end = last_end(parser);
    return declaration;
}

/* "system" Proc {("," | "<") Proc} ";" */
static void parse_system_line(struct parser *parser) {
    struct model *model = parser->model;
    VEC(struct system_process) list = {0};
    uint32_t priority = 0;
    bool more = true;
    model->system_span.begin = peek(parser)->span.begin;
    if (!expect(parser, TOKEN_SYSTEM)) return;
    while (more) {
        const struct token *name = expect_name(parser);
        if (!name) return;
        struct symbol *symbol = frame_find(parser->frame, name->name);
        if (!symbol || !symbol->template) {
            if (!symbol && parser->hides_unknown)
                parser->failed = true;
            else
                refuse_base(parser, name, "a template or process",
                            symbol ? "" : frame_hint(parser->frame, name->name, parser->diag, ""));
            return;
        }
        bool is_listed = false;
        for (uint32_t i = 0; i < list.count && !is_listed; i++)
            is_listed = list.items[i].symbol == symbol;
        if (is_listed)
            diag_error(parser->diag, STATUS_INVALID, name->span.begin,
                       "process '%s' is listed twice; remove one", name->name);
        symbol->is_used = true;
        VEC_PUSH(parser->arena, &list, (struct system_process){symbol, name->span, priority});
        if (accept(parser, TOKEN_LT))
            priority++;
        else
            more = accept(parser, TOKEN_COMMA);
    }
    expect(parser, TOKEN_SEMICOLON);
    model->system_span.end = last_end(parser);
    model->processes = list.items;
    model->process_count = list.count;
    model->has_process_priorities = priority > 0;
}

/* Progress = "progress" "{" { Expr [":" Expr] ";" } "}" */
static void parse_progress(struct parser *parser) {
    VEC(struct progress_measure) list = {0};
    if (!accept(parser, TOKEN_PROGRESS) || !expect(parser, TOKEN_LEFT_BRACE)) return;
    while (!parser->failed && !accept(parser, TOKEN_RIGHT_BRACE)) {
        struct progress_measure entry = {.span.begin = peek(parser)->span.begin};
        parser->frame_next = 0;
        entry.measure = parse_expr(parser);
        if (entry.measure && accept(parser, TOKEN_COLON)) {
            entry.guard = entry.measure;
            entry.measure = parse_expr(parser);
        }
        if (parser->failed || !expect(parser, TOKEN_SEMICOLON)) return;
        entry.span.end = last_end(parser);
        VEC_PUSH(parser->arena, &list, entry);
    }
    parser->model->progress = list.items;
    parser->model->progress_count = list.count;
}

/* Id ":" Type {"," Id ":" Type} of a gantt line, declared in the innermost frame */
static bool parse_gantt_bindings(struct parser *parser, struct gantt_entry *entry) {
    do {
        const struct token *name = expect_new_name(parser);
        if (!name || !expect(parser, TOKEN_COLON)) return false;
        struct type *type = parse_type(parser);
        if (!type) return false;
        struct symbol *symbol = symbol_new(parser, SYMBOL_BOUND, SCOPE_FRAME, name, type);
        declare(parser, symbol);
        VEC_PUSH(parser->arena, &entry->bound, symbol);
    } while (accept(parser, TOKEN_COMMA));
    return expect(parser, TOKEN_RIGHT_PAREN);
}

/* Id ["(" bindings ")"] ":" G {"," G} ";" with G = ["for" "(" bindings ")"] Expr "->" Expr */
static bool parse_gantt_line(struct parser *parser, struct gantt_entry *entry) {
    VEC(struct expr *) exprs = {0};
    const struct token *name = expect_name(parser);
    if (!name) return false;
    entry->name = name->name;
    entry->span.begin = name->span.begin;
    parser->frame_next = 0;
    if (accept(parser, TOKEN_LEFT_PAREN) && !parse_gantt_bindings(parser, entry)) return false;
    if (!expect(parser, TOKEN_COLON)) return false;
    do {
        parser_open_frame(parser);
        bool ok = true;
        if (accept(parser, TOKEN_FOR))
            ok = expect(parser, TOKEN_LEFT_PAREN) && parse_gantt_bindings(parser, entry);
        struct expr *guard = ok ? parse_expr(parser) : NULL;
        struct expr *colour = guard && expect(parser, TOKEN_ARROW) ? parse_expr(parser) : NULL;
        parser_close_frame(parser);
        if (!colour) return false;
        VEC_PUSH(parser->arena, &exprs, guard);
        VEC_PUSH(parser->arena, &exprs, colour);
    } while (accept(parser, TOKEN_COMMA));
    entry->exprs = exprs.items;
    entry->expr_count = exprs.count;
    if (!expect(parser, TOKEN_SEMICOLON)) return false;
    entry->span.end = last_end(parser);
    return true;
}

static void parse_gantt(struct parser *parser) {
    VEC(struct gantt_entry) list = {0};
    if (!accept(parser, TOKEN_GANTT) || !expect(parser, TOKEN_LEFT_BRACE)) return;
    while (!parser->failed && !accept(parser, TOKEN_RIGHT_BRACE)) {
        struct gantt_entry entry = {0};
        parser_open_frame(parser);
        bool ok = parse_gantt_line(parser, &entry);
        parser_close_frame(parser);
        if (!ok) return;
        VEC_PUSH(parser->arena, &list, entry);
    }
    parser->model->gantt = list.items;
    parser->model->gantt_count = list.count;
}

/* System = Decls "system" ... ";" [Progress] [Gantt]; legacy <instantiation> text comes first. */
void parse_system(struct parser *parser) {
    const struct document *document = parser->model->document;
    struct frame *global = parser->frame;
    VEC(struct declaration *) all = {0};
    const struct element *texts[] = {document->instantiation, document->system};
    for (int i = 0; i < 2; i++) {
        if (!texts[i] || !parser_begin_names(parser, &texts[i]->text, global)) continue;
        struct declaration_list list = parse_declarations(parser, SCOPE_GLOBAL);
        for (uint32_t k = 0; k < list.count; k++) VEC_PUSH(parser->arena, &all, list.items[k]);
        if (i == 0 && !at(parser, TOKEN_END)) unexpected(parser, "an instantiation");
        if (i == 0) continue;
        parse_system_line(parser);
        if (!parser->failed) parse_progress(parser);
        if (!parser->failed) parse_gantt(parser);
        if (!parser->failed && !at(parser, TOKEN_END))
            unexpected(parser, "the end of the text (only progress and gantt may follow)");
    }
    parser->model->system_declarations = (struct declaration_list){all.items, all.count};
    if (!parser->model->process_count && !parser->diag->error_count)
        diag_error(parser->diag, STATUS_INVALID, document->system ? document->system->at : 0,
                   "the model has no system line; add 'system' and the processes");
}

/* Query texts. */

/* ("sup" | "inf" | "bounds") ["{" Expr "}"] ":" Expr {"," Expr} */
static bool parse_bounds_query(struct parser *parser, struct query *query) {
    static const struct {
        const char *word;
        enum quantifier quantifier;
    } words[] = {{"sup", QUERY_SUP}, {"inf", QUERY_INF}, {"bounds", QUERY_BOUNDS}};
    enum token_kind next = peek_at(parser, 1)->kind;
    if (!at(parser, TOKEN_NAME) || (next != TOKEN_LEFT_BRACE && next != TOKEN_COLON)) return false;
    for (int i = 0; i < 3; i++)
        if (!strcmp(peek(parser)->name, words[i].word)) query->quantifier = words[i].quantifier;
    if (query->quantifier == QUERY_EMPTY) return false;
    parser->index++;
    if (accept(parser, TOKEN_LEFT_BRACE)) {
        query->predicate = parse_expr(parser);
        if (parser->failed || !expect(parser, TOKEN_RIGHT_BRACE)) return true;
    }
    if (!expect(parser, TOKEN_COLON)) return true;
    struct expr_list list = parse_expr_list(parser);
    query->exprs = list.items;
    query->expr_count = list.count;
    return true;
}

/* A node over what was read last. */
static struct expr *wrap(struct parser *parser, enum expr_kind kind, enum op op, struct expr *left,
                         struct expr *right, position begin) {
    struct expr *expr = expr_new(parser, kind, begin);
    expr->op = op;
    expr->child[0] = left;
    expr->child[1] = right;
    return expr_close(parser, expr);
}

/* A[] p and the like; with operators in p, or in a mixed model (MX3), it is a formula as a
 * whole. */
static void set_path_query(struct parser *parser, struct query *query, enum op op, position begin) {
    static const enum quantifier quantifiers[OP_COUNT] = {[OP_AG] = QUERY_ALWAYS,
                                                          [OP_AF] = QUERY_EVENTUALLY,
                                                          [OP_EG] = QUERY_POTENTIALLY,
                                                          [OP_EF] = QUERY_POSSIBLY};
    query->quantifier = quantifiers[op];
    if (!expr_is_modal(query->predicate) && !parser->model->is_mixed) return;
    query->quantifier = QUERY_FORMULA;
    query->predicate = wrap(parser, EXPR_PATH, op, query->predicate, NULL, begin);
}

/* p --> q, which is A[] (p imply A<> q). */
static void set_leads_to(struct parser *parser, struct query *query, struct expr *then,
                         position begin) {
    query->quantifier = QUERY_LEADS_TO;
    bool is_modal = expr_is_modal(query->predicate) || expr_is_modal(then);
    if (!is_modal && !parser->model->is_mixed) {
        query->exprs = ARENA_NEW(parser->arena, struct expr *);
        query->exprs[0] = then;
        query->expr_count = 1;
        return;
    }
    query->quantifier = QUERY_FORMULA;
    struct expr *later = wrap(parser, EXPR_PATH, OP_AF, then, NULL, then->span.begin);
    struct expr *step =
        later ? wrap(parser, EXPR_BINARY, OP_IMPLY, query->predicate, later, begin) : NULL;
    query->predicate = step ? wrap(parser, EXPR_PATH, OP_AG, step, NULL, begin) : NULL;
}

/* Whether the text begins as a query of Uppaal that varabs has not. */
static bool refuse_foreign(struct parser *parser) {
    static const char strategies[] = "strategies", statistics[] = "statistical queries",
                      others[] = "this form of query";
    static const struct {
        const char *word, *what;
    } foreign[] = {{"control", strategies},
                   {"control_t", strategies},
                   {"strategy", strategies},
                   {"saveStrategy", strategies},
                   {"loadStrategy", strategies},
                   {"minE", strategies},
                   {"maxE", strategies},
                   {"minPr", strategies},
                   {"maxPr", strategies},
                   {"Pr", statistics},
                   {"simulate", statistics},
                   {"sat", others},
                   {"A", others},
                   {"E", others}};
    const struct token *token = peek(parser);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (!strcmp(token->name, foreign[i].word)) {
            unsupported(parser, token->span.begin, foreign[i].what);
            return true;
        }
    return false;
}

static void parse_query_text(struct parser *parser, struct query *query) {
    position begin = peek(parser)->span.begin;
    if (parse_bounds_query(parser, query)) return;
    enum op op = accept_path_operator(parser);
    if (op == OP_NONE && refuse_path_operator(parser)) return;
    if (at(parser, TOKEN_LEFT_BRACE)) { /* observations of a strategy */
        unsupported(parser, peek(parser)->span.begin, "this form of query");
        return;
    }
    if (op == OP_NONE && at(parser, TOKEN_NAME) && !at_modal(parser) &&
        !frame_find(parser->frame, peek(parser)->name))
        if (refuse_foreign(parser)) return;
    query->predicate = parse_expr(parser);
    if (parser->failed) return;
    if (op != OP_NONE) {
        set_path_query(parser, query, op, begin);
    } else if (accept(parser, TOKEN_LEADS_TO)) {
        struct expr *then = parse_expr(parser);
        if (then) set_leads_to(parser, query, then, begin);
    } else if (expr_is_modal(query->predicate)) {
        query->quantifier = QUERY_FORMULA;
    } else if (at(parser, TOKEN_END)) {
        syntax_error(parser, begin,
                     "a query begins with A[], E<>, A<> or E[], or has '-->' between two "
                     "conditions");
    }
}

/* What was said of a query that can be read. */
static void hand_on_warnings(struct diag *outer, const struct diag *inner) {
    for (uint32_t i = 0; i < inner->items.count; i++)
        diag_warning(outer, inner->items.items[i].at, "%s", inner->items.items[i].message);
}

bool is_agent_declaration(struct parser *parser, const struct xml_query *xml) {
    struct diag *outer = parser->diag, unheard;
    struct frame *frame = parser->frame;
    if (!xml->formula) return false;
    diag_init(&unheard, parser->arena, outer->source);
    parser->diag = &unheard;
    bool is_one = parser_begin(parser, &xml->formula->text, frame) && at_agent_declaration(parser);
    parser->diag = outer;
    return is_one;
}

/* QUERY_EMPTY without a formula; a problem makes it QUERY_INVALID and is no error. */
void parse_query(struct parser *parser, const struct xml_query *xml, struct query *query) {
    struct diag *outer = parser->diag, inner;
    *query = (struct query){.quantifier = QUERY_EMPTY, .xml = xml};
    const struct text *text = xml->formula ? &xml->formula->text : NULL;
    if (!text || str_is_blank(text->content)) return;
    diag_init(&inner, parser->arena, outer->source);
    parser->diag = &inner;
    parser->is_query = true;
    struct frame *frame = parser->frame;
    query->span = (struct span){text->begin, text->begin + (position)text->content.size};
    parser->frame_next = 0;
    if (parser_begin(parser, text, frame) && !at(parser, TOKEN_END)) {
        query->is_declaration = at_agent_declaration(parser);
        if (query->is_declaration)
            parse_agent_declarations(parser, query);
        else
            parse_query_text(parser, query);
        if (!parser->failed && at(parser, TOKEN_NAME) && !strcmp(peek(parser)->name, "under"))
            unsupported(parser, peek(parser)->span.begin, "a query under a strategy");
        if (!parser->failed && at(parser, TOKEN_ARROW))
            syntax_error(parser, peek(parser)->span.begin,
                         "write 'imply' for '->', or '-->' for what follows in time");
        if (!parser->failed && !at(parser, TOKEN_END)) unexpected(parser, "the end of the query");
    }
    parser->diag = outer;
    parser->is_query = false;
    if (!inner.error_count) {
        hand_on_warnings(outer, &inner);
        return;
    }
    const struct diagnostic *first = &inner.items.items[0];
    query->quantifier = QUERY_INVALID;
    if (query->is_declaration && !parser->model->lost_agents) parser->model->lost_agents = query;
    query_reject(query, inner.status, first->at, first->message, outer);
}
