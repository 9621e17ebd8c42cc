#include "session/session.h"

#include "agents/agents.h"
#include "base/clock.h"
#include "base/debug.h"
#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/query_text.h"
#include "model/undocumented.h"
#include "xml/document.h"
#include "xml/encoding.h"
#include "xml/load.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- queries in comments ---- */

/* Queries that Uppaal does not know, in comments of queries without a formula.
 *
 * Each stands after "varabs:" at the beginning of a line, and goes on up to an empty line or the
 * next of them. It is an element of its own, with the comment as its host, so that it is changed
 * like any other query; one whose comment is written with CDATA or entities ends at byte 0, until
 * a session has written the comment as plain text.
 *
 * Lifetime: in the arena of the texts.
 */

static inline bool is_fixed_query(const struct xml_query *query) {
    return query->host && !query->formula->end;
}

static bool has_cdata_at(const struct document *document, size_t byte) {
    static const char cdata[] = "<![CDATA[";
    size_t unit = encoding_unit(document);
    for (size_t i = 0; i + 1 < sizeof cdata; i++)
        if (encoding_unit_at(document, byte + i * unit) != (uint32_t)cdata[i]) return false;
    return true;
}

/* Whether the text can be changed, and copied in part, byte by byte. */
static bool can_change(const struct document *document, const struct element *element) {
    if (!element->text.is_plain) return false;
    for (size_t at = element->content_begin; at < element->content_end;
         at += encoding_unit(document))
        if (has_cdata_at(document, at)) return false;
    return true;
}

/* The texts of one part of a comment; those that can be changed are elements of their own. */
static void add_part(struct query_texts *texts, const struct document *document,
                     struct element *comment, const char *begin, const char *end) {
    const struct text *whole = &comment->text;
    struct text part = {.content = {begin, (size_t)(end - begin)},
                        .begin = whole->begin + (position)(begin - whole->content.data),
                        .is_plain = whole->is_plain};
    uint32_t first = texts->list.count;
    query_texts_add(texts, &part, false);
    for (uint32_t i = first; i < texts->list.count; i++) {
        struct element *formula = texts->list.items[i].formula;
        texts->list.items[i].host = comment;
        if (!can_change(document, comment)) continue;
        formula->content_begin = document_byte(document, formula->text.begin);
        formula->content_end = formula->end =
            document_byte(document, formula->text.begin + (position)formula->text.content.size);
    }
}

static void add_comment(struct query_texts *texts, const struct document *document,
                        struct element *comment) {
    const struct text *text = &comment->text;
    const char *begin = NULL, *end = text->content.data + text->content.size;
    for (const char *line = text->content.data; line < end || begin;) {
        const char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
        if (!stop) stop = end;
        struct str content = {line, (size_t)(stop - line)}, rest;
        bool is_marked = is_query_line(content, &rest);
        if (begin && (is_marked || str_is_blank(content))) {
            add_part(texts, document, comment, begin, line);
            begin = NULL;
        }
        if (is_marked) begin = rest.data;
        line = stop < end ? stop + 1 : end;
    }
}

/* All queries of the document, each followed by those in its comment. */
static void document_queries(struct query_texts *texts, const struct document *document) {
    for (uint32_t i = 0; i < document->query_count; i++) {
        const struct xml_query *query = &document->query_list[i];
        VEC_PUSH(texts->arena, &texts->list, *query);
        if (query->comment && (!query->formula || str_is_blank(query->formula->text.content)))
            add_comment(texts, document, query->comment);
    }
}

/* ---- several queries in a formula ---- */

/* Uppaal reads a formula with several queries, one a line, as so many. What transforms a model
 * keeps, rewrites and loses queries one by one, so that each becomes an element of its own. The
 * comment and what Uppaal has stored stay with the first; what is no query stays with the one
 * before it. A formula of one query keeps every byte. */

/* Copies a part of the formula into an element of its own after the query: byte by byte, where it
 * stands so. */
static void add_query(struct splices *splices, const struct xml_query *own, size_t begin,
                      size_t end) {
    const struct document *document = splices->document;
    const struct element *query = own->element;
    const struct text *text = &own->formula->text;
    struct str indent = element_indent(splices->arena, document, query);
    splice_markup(splices, query->end, query->end,
                  str_of(arena_printf(splices->arena, "%.*s<query><formula>", (int)indent.size,
                                      indent.data)));
    if (can_change(document, own->formula))
        splice_copy(splices, query->end, document_byte(document, text->begin + (position)begin),
                    document_byte(document, text->begin + (position)end));
    else
        splice_markup(
            splices, query->end, query->end,
            xml_escape(splices->arena, (struct str){text->content.data + begin, end - begin}));
    splice_markup(splices, query->end, query->end, STR("</formula><comment></comment></query>"));
}

/* The end of a part, without the line ends and blanks that stand before the next one. */
static size_t trimmed_end(const struct text *text, size_t begin, size_t end) {
    while (end > begin && strchr(" \t\r\n", text->content.data[end - 1])) end--;
    return end;
}

static void part(struct splices *splices, const struct xml_query *query) {
    const struct text *text = &query->formula->text;
    struct query_texts texts = {.arena = splices->arena};
    query_texts_add(&texts, text, false);
    if (texts.list.count < 2) return;
    for (uint32_t i = 1; i < texts.list.count; i++) {
        size_t begin = texts.list.items[i].formula->text.begin - text->begin;
        size_t end = i + 1 < texts.list.count
                         ? texts.list.items[i + 1].formula->text.begin - text->begin
                         : text->content.size;
        assert(begin < end && end <= text->content.size);
        add_query(splices, query, begin, trimmed_end(text, begin, end));
    }
    size_t first = texts.list.items[1].formula->text.begin - text->begin;
    size_t kept = trimmed_end(text, 0, first);
    struct text_edit edit = {
        .span = {text->begin + (position)kept, text->begin + (position)text->content.size}};
    splice_edit_text(splices, query->formula, &edit, 1);
}

static void part_queries(struct splices *splices) {
    const struct document *document = splices->document;
    for (uint32_t i = 0; i < document->query_count; i++)
        if (document->query_list[i].formula) part(splices, &document->query_list[i]);
}

/* ---- sessions ---- */

/* Jansson would leave out members that there is no memory for. */
static void *allocate(size_t size) { return heap_resize(NULL, size, 1); }

static void begin(struct session *session, const char *path) {
    *session = (struct session){.start = clock_seconds(), .is_stdin = !strcmp(path, "-")};
    json_set_alloc_funcs(allocate, free);
    arena_init(&session->arena);
    interner_init(&session->names, &session->arena);
    diag_init(&session->diag, &session->arena, NULL);
}

static void find_queries(struct session *session) {
    struct query_texts texts = {.arena = &session->arena};
    document_queries(&texts, &session->document);
    session->queries = texts.list.items;
    session->query_count = texts.list.count;
}

/* The document becomes what some splices make of it, with positions of the file. */
static bool replace_document(struct session *session, struct splices *splices) {
    struct byte_map *map = byte_map_new(&session->arena, &session->document);
    struct str bytes = splices_trace(splices, map);
    if (!document_replace(&session->document, bytes, map, &session->diag)) return false;
    find_queries(session);
    return true;
}

/* Comments whose queries cannot be changed one by one are written as plain text. */
static bool take_queries(struct session *session) {
    const struct element *last = NULL;
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    find_queries(session);
    for (uint32_t i = 0; i < session->query_count; i++) {
        const struct element *host = session->queries[i].host;
        if (!is_fixed_query(&session->queries[i]) || host == last) continue;
        splice_set_text(&splices, host, host->text.content);
        last = host;
    }
    if (!last) return true;
    if (!replace_document(session, &splices)) return false;
    for (uint32_t i = 0; i < session->query_count; i++)
        assert(!is_fixed_query(&session->queries[i]));
    return true;
}

bool session_part_queries(struct session *session) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    part_queries(&splices);
    return !splices.edits.count || replace_document(session, &splices);
}

bool session_load(struct session *session, const char *path) {
    begin(session, path);
    if (!document_load(&session->document, &session->arena, &session->names, path,
                       &session->diag) ||
        !take_queries(session))
        return false;
    session->read = clock_seconds();
    return true;
}

bool session_load_bytes(struct session *session, const char *name, struct str bytes) {
    begin(session, name);
    session->is_stdin = false;
    if (!document_parse(&session->document, &session->arena, &session->names, name, bytes,
                        &session->diag) ||
        !take_queries(session))
        return false;
    session->read = clock_seconds();
    return true;
}

/* False (reported) if there are errors; close the session in any case. */
bool session_build(struct session *session) {
    struct query_texts texts = {.arena = &session->arena};
    for (uint32_t i = 0; i < session->query_count; i++)
        VEC_PUSH(&session->arena, &texts.list, session->queries[i]);
    return session_build_with(session, texts.list.items, texts.list.count);
}

/* Takes templates with a problem, and their instances, out of the document. False: there are none,
 * or an error was reported. */
static bool leave_templates_out(struct session *session) {
    const struct model *model = session->model;
    const struct declaration_list *system = &model->system_declarations;
    struct splices splices;
    VEC(struct text_edit) edits = {0};
    splices_init(&splices, &session->document, &session->arena);
    for (uint32_t i = 0; i < system->count; i++) {
        const struct instance *instance = system->items[i]->instance;
        if (instance && instance->template->problem)
            VEC_PUSH(&session->arena, &edits, (struct text_edit){.span = system->items[i]->span});
    }
    splice_edit_texts(&splices, edits.items, edits.count);
    for (uint32_t t = 0; t < model->template_count; t++)
        if (model->templates[t]->problem)
            splice_remove_element(&splices, model->templates[t]->xml->element);
    return splices.edits.count && replace_document(session, &splices);
}

/* After the marked messages, so that they stay where the document is rewritten. */
static void tell_left_out(struct session *session, const struct model *model) {
    for (uint32_t t = 0; t < model->template_count; t++)
        if (model->templates[t]->problem)
            diag_warning(&session->diag, model->templates[t]->problem_at,
                         "template '%s' has no process in the system line and is left out: %s",
                         model->templates[t]->symbol->name, model->templates[t]->problem);
}

/* Builds what is left after leave_templates_out; queries of the document are taken as they stand
 * in it now. */
static bool build_rest(struct session *session, const struct xml_query *before,
                       const struct xml_query *queries, uint32_t count) {
    const struct model *model = session->model; /* with the templates that are left out */
    struct xml_query *renewed = ARENA_ARRAY(&session->arena, struct xml_query, count + 1);
    struct map now;
    map_init(&now, &session->arena);
    for (uint32_t i = 0; i < session->query_count; i++)
        map_put(&now, map_key(before[i].element), &session->queries[i]);
    for (uint32_t i = 0; i < count; i++) {
        const struct xml_query *query = map_get(&now, map_key(queries[i].element));
        renewed[i] = query ? *query : queries[i];
    }
    bool is_built = session_build_with(session, renewed, count);
    tell_left_out(session, model);
    return is_built;
}

bool session_build_with(struct session *session, const struct xml_query *queries, uint32_t count) {
    assert(session->document.root);
    double start = clock_seconds();
    session->model = model_parse_with(&session->arena, &session->names, &session->document, queries,
                                      count, &session->diag);
    if (session->diag.error_count || !model_check(session->model)) return false;
    const struct xml_query *before = session->queries;
    if (leave_templates_out(session)) return build_rest(session, before, queries, count);
    if (session->diag.error_count) return false;
    session->network = network_new(&session->arena, session->model);
    if (session->network) {
        warn_undocumented(session->network, &session->diag);
        agents_check(session->model, session->network, &session->diag);
    }
    session->check_seconds += clock_seconds() - start;
    if (session->network)
        DEBUG_LOG("%u processes, %u slots, %u queries", session->network->process_count,
                  session->network->slot_count, session->model->query_count);
    session->mark = diag_mark(&session->diag);
    return session->network != NULL && !session->diag.error_count;
}

/* False (reported) if the model cannot be used; close the session in any case. */
bool session_open(struct session *session, const char *path) {
    return session_load(session, path) && session_build(session);
}

bool session_rewrite(struct session *session, struct splices *splices) {
    assert(session->network && splices->document == &session->document);
    diag_forget(&session->diag, session->mark); /* they come again */
    return replace_document(session, splices) && session_build(session);
}

int session_close(struct session *session) {
    enum status status = session->diag.status;
    diag_print(&session->diag, stderr);
    session_drop(session);
    return (int)status;
}

void session_drop(struct session *session) {
    DEBUG_CHECK(if (session->network) network_check(session->network));
    arena_close(&session->arena);
}
