/* Templates: parameters, local declarations, locations, edges and their labels. */
#include "lang/syntax/parse_internal.h"

#include <string.h>

static const struct text *text_of(const struct element *element) {
    return element ? &element->text : NULL;
}

static bool is_name(struct str text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool later = (c >= '0' && c <= '9') || c == '$' || c == '#';
        if (!letter && !(i && later)) return false;
    }
    return text.size > 0;
}

/* The name in an element as a token, or NULL (reported) if it is none. */
static struct token *name_token(struct parser *parser, const struct element *element,
                                const char *what) {
    struct str name = str_trim(element->text.content);
    struct token *token = ARENA_NEW(parser->arena, struct token);
    token->kind = TOKEN_NAME;
    token->span.begin = element->text.begin + (position)(name.data - element->text.content.data);
    token->span.end = token->span.begin + (position)name.size;
    if (!is_name(name)) {
        diag_error(parser->diag, STATUS_INVALID, token->span.begin,
                   "'%.*s' is not a valid name of a %s; use letters, digits and '_'",
                   (int)(name.size < 60 ? name.size : 60), name.data, what);
        return NULL;
    }
    token->name = intern(parser->model->names, name.data, name.size);
    bool is_reserved = is_reserved_word(token->name) && !is_model_word(token->name);
    if (is_reserved || is_query_word(token->name)) {
        diag_error(parser->diag, STATUS_INVALID, token->span.begin,
                   "'%s' is a keyword and cannot name a %s; rename it", token->name, what);
        return NULL;
    }
    return token;
}

/* Reports what is left of a label after its content. */
static bool end_label(struct parser *parser) {
    if (!parser->failed && at(parser, TOKEN_COMMA))
        syntax_error(parser, peek(parser)->span.begin,
                     "expected the end of the label, found ','; write && between conditions");
    else if (!parser->failed && !at(parser, TOKEN_END))
        unexpected(parser, "the end of the label");
    return !parser->failed;
}

/* Gives a location without a name this one, unless another location has it. */
static void name_location(struct parser *parser, struct map *taken, struct location *location,
                          const char *name) {
    name = intern_text(parser->model->names, name);
    if (map_get(taken, map_key(name))) return;
    map_put(taken, map_key(name), location);
    location->name = name;
}

/* Locations without a name are called _ID, or _ID_2 and so on where another one is called so. */
static void name_others(struct parser *parser, struct template *template, uint32_t count) {
    struct map taken;
    map_init(&taken, parser->arena);
    for (uint32_t i = 0; i < count; i++)
        if (template->locations[i].symbol)
            map_put(&taken, map_key(template->locations[i].name), &template->locations[i]);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            struct location *location = &template->locations[i];
            const char *id = location->xml->id ? location->xml->id : "";
            if (!location->name && !pass)
                name_location(parser, &taken, location, arena_printf(parser->arena, "_%s", id));
            for (uint32_t k = 2; !location->name && pass; k++)
                name_location(parser, &taken, location,
                              arena_printf(parser->arena, "_%s_%u", id, k));
        }
}

static void parse_locations(struct parser *parser, struct template *template) {
    const struct xml_template *xml = template->xml;
    uint32_t count = xml->location_count + xml->branchpoint_count;
    template->locations = ARENA_ARRAY(parser->arena, struct location, count);
    template->location_count = xml->location_count;
    template->branchpoint_count = xml->branchpoint_count;
    template->initial = xml->initial;
    for (uint32_t i = 0; i < count; i++) {
        const struct xml_location *node = &xml->nodes[i];
        struct location *location = &template->locations[i];
        *location = (struct location){.is_urgent = node->is_urgent,
                                      .is_committed = node->is_committed,
                                      .is_branchpoint = node->is_branchpoint,
                                      .xml = node};
        if (node->is_branchpoint || !node->name || str_is_blank(node->name->text.content)) continue;
        struct token *name = name_token(parser, node->name, "location");
        if (!name) continue;
        location->name = name->name;
        location->symbol = symbol_new(parser, SYMBOL_LOCATION, SCOPE_TEMPLATE, name, NULL);
        location->symbol->template = template;
        location->symbol->location = i;
        declare(parser, location->symbol);
    }
    name_others(parser, template, count);
}

static void parse_invariants(struct parser *parser, struct template *template) {
    for (uint32_t i = 0; i < template->location_count; i++) {
        struct location *location = &template->locations[i];
        const struct labels *labels = &location->xml->labels;
        parser->frame_next = 0;
        if (!parser_begin(parser, label_text(labels, LABEL_INVARIANT), parser->frame)) continue;
        location->written_invariant = parse_expr(parser);
        if (!end_label(parser)) location->written_invariant = NULL;
    }
}

/* SelectL = Id ":" Type {"," Id ":" Type} */
static void parse_selects(struct parser *parser, struct edge *edge) {
    VEC(struct symbol *) selects = {0};
    do {
        const struct token *name = expect_new_name(parser);
        if (!name || !expect(parser, TOKEN_COLON)) return;
        struct type *type = parse_type(parser);
        if (!type) return;
        struct symbol *symbol = symbol_new(parser, SYMBOL_SELECT, SCOPE_FRAME, name, type);
        struct symbol *hidden = frame_find(parser->frame, name->name);
        if (hidden)
            diag_warning(parser->diag, name->span.begin,
                         "select variable '%s' hides another declaration", name->name);
        symbol->index = parser->frame_next++;
        frame_declare(parser->frame, symbol);
        VEC_PUSH(parser->arena, &selects, symbol);
    } while (accept(parser, TOKEN_COMMA));
    if (!end_label(parser)) return;
    edge->selects = selects.items;
    edge->select_count = selects.count;
}

/* SyncL = Expr ("!" | "?") */
static void parse_sync(struct parser *parser, struct edge *edge) {
    struct expr *channel = parse_expr(parser);
    if (!channel) return;
    if (at(parser, TOKEN_END)) {
        unsupported(parser, channel->span.begin,
                    "a synchronisation without '!' or '?' (it has no documented meaning)");
        return;
    }
    edge->is_send = at(parser, TOKEN_BANG);
    if (!accept(parser, TOKEN_BANG) && !accept(parser, TOKEN_QUESTION)) {
        unexpected(parser, "'!' or '?'");
        return;
    }
    if (end_label(parser)) edge->sync = channel;
}

static void parse_edge(struct parser *parser, struct edge *edge) {
    const struct labels *labels = &edge->xml->labels;
    struct frame *outer = parser->frame;
    struct frame *frame = frame_new(parser->arena, outer);
    parser->frame_next = parser->frame_max = 0;
    if (edge->xml->late_select) {
        diag_error(parser->diag, STATUS_UNSUPPORTED, edge->xml->late_select->at,
                   "a select after other labels, which Uppaal reads in order, is not supported; "
                   "put one select in front of them");
        return;
    }
    if (parser_begin(parser, label_text(labels, LABEL_SELECT), frame)) parse_selects(parser, edge);
    if (parser_begin(parser, label_text(labels, LABEL_GUARD), frame)) {
        edge->written_guard = parse_expr(parser);
        if (!end_label(parser)) edge->written_guard = NULL;
    }
    if (parser_begin(parser, label_text(labels, LABEL_SYNC), frame)) parse_sync(parser, edge);
    if (parser_begin(parser, label_text(labels, LABEL_UPDATE), frame)) {
        edge->updates = parse_expr_list(parser);
        if (!end_label(parser)) edge->updates = (struct expr_list){0};
    }
    if (edge->leaves_branchpoint &&
        parser_begin(parser, label_text(labels, LABEL_PROBABILITY), frame)) {
        edge->weight = parse_expr(parser);
        if (!end_label(parser)) edge->weight = NULL;
    }
    if (labels->of[LABEL_PROBABILITY] && !edge->leaves_branchpoint)
        unsupported(parser, labels->of[LABEL_PROBABILITY]->at,
                    "a probability on an edge that leaves no branchpoint");
    parser->frame = outer;
    edge->frame_size =
        parser->frame_max > parser->frame_next ? parser->frame_max : parser->frame_next;
}

static void parse_edges(struct parser *parser, struct template *template) {
    const struct xml_template *xml = template->xml;
    template->edges = ARENA_ARRAY(parser->arena, struct edge, xml->transition_count);
    template->edge_count = xml->transition_count;
    for (uint32_t i = 0; i < xml->transition_count; i++) {
        struct edge *edge = &template->edges[i];
        edge->xml = &xml->transitions[i];
        edge->source = edge->xml->source;
        edge->target = edge->xml->target;
        edge->leaves_branchpoint = template->locations[edge->source].is_branchpoint;
        parse_edge(parser, edge);
    }
}

void parse_template(struct parser *parser, const struct xml_template *xml) {
    struct template *template = ARENA_NEW(parser->arena, struct template);
    struct frame *outer = parser->frame;
    template->xml = xml;
    if (!xml->name) {
        diag_error(parser->diag, STATUS_INVALID, xml->element->at,
                   "this template has no name; add a <name> element");
        return;
    }
    struct token *name = name_token(parser, xml->name, "template");
    if (!name) return;
    template->symbol = symbol_new(parser, SYMBOL_TEMPLATE, SCOPE_GLOBAL, name, NULL);
    template->symbol->template = template;
    declare(parser, template->symbol);

    parser->template = template;
    template->frame = parser->frame = frame_new(parser->arena, outer);
    if (parser_begin_names(parser, text_of(xml->parameter), parser->frame)) {
        parse_parameters(parser, SCOPE_TEMPLATE, TOKEN_END, &template->parameters,
                         &template->parameter_count);
        if (parser->failed) parser->hides_unknown = true;
    }
    bool hides = parser->hides_unknown;
    if (parser_begin_names(parser, text_of(xml->declaration), parser->frame))
        template->declarations = parse_declaration_text(parser, SCOPE_TEMPLATE);
    parse_locations(parser, template);
    parse_invariants(parser, template);
    parse_edges(parser, template);
    parser->hides_unknown = hides;
    parser->frame = outer;
    parser->template = NULL;

    struct model *model = parser->model;
    template->index = model->template_count;
    model->templates[model->template_count++] = template;
}
