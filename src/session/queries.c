/* Which queries a command looks at. */
#include "session/queries.h"

#include "lang/syntax/query_text.h"
#include "xml/input.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* The number is that of a query among several, or 0. */
static bool add_source(struct session *session, struct query_texts *texts,
                       const struct query_source *given, uint32_t number) {
    struct str bytes = str_of(given->text);
    const char *name = given->name ? given->name
                       : number    ? arena_printf(&session->arena, "--query %u", number)
                                   : "--query";
    if (!given->is_file && bytes.size > 2 && !strcmp(given->text + bytes.size - 2, ".q") &&
        strcspn(given->text, "<>[]{}:") == bytes.size)
        return diag_error(&session->diag, STATUS_USAGE, 0,
                          "--query %s: this is no query but the name of a file; use --queries",
                          given->text);
    if (given->is_file) {
        name = strcmp(given->text, "-") != 0 ? given->text : "<stdin>";
        if (!file_load(given->text, &session->arena, &bytes))
            return diag_error(&session->diag, STATUS_INVALID, 0,
                              "cannot read the query file '%s': %s", given->text, strerror(errno));
    }
    struct source *source = &session->document.source;
    if (bytes.size >= DOCUMENT_MAX_BYTES || source->next >= 3U * DOCUMENT_MAX_BYTES)
        return diag_error(&session->diag, STATUS_LIMIT, 0, "the queries of '%s' are too long",
                          name);
    if (bytes.size >= 3 && !memcmp(bytes.data, "\357\273\277", 3)) /* a byte order mark */
        bytes = (struct str){bytes.data + 3, bytes.size - 3};
    struct text text = {.content = bytes};
    text.begin = source_add_text(source, name, bytes);
    uint32_t before = texts->list.count;
    query_texts_add(texts, &text, !given->name);
    if (texts->list.count > before) return true;
    if (given->is_file) {
        diag_warning(&session->diag, 0, "there is no query in '%s'", given->text);
        return true;
    }
    return diag_error(&session->diag, STATUS_INVALID, text.begin, "there is no query in '%s'",
                      given->text);
}

static uint32_t count_given(const struct query_source *queries, uint32_t count) {
    uint32_t given = 0;
    for (uint32_t i = 0; i < count; i++) given += !queries[i].is_file;
    return given;
}

bool query_declares_agents(struct session *session, const struct xml_query *query) {
    static const char *const words[] = {"agent ", "group ", "observe ", "lost "};
    const char *text = query_formula(&session->arena, query->formula->text.content);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(text, words[i], strlen(words[i]))) return true;
    return false;
}

/* The single ones of a query of the document. */
static void add_own(struct session *session, const struct xml_query *query,
                    struct query_texts *texts) {
    if (query->host)
        VEC_PUSH(&session->arena, &texts->list, *query);
    else if (query->formula)
        query_texts_add(texts, &query->formula->text, false);
}

/* What the document says of agents beside its queries. */
static void add_declarations(struct session *session, struct query_texts *texts) {
    struct query_texts own = {.arena = &session->arena};
    for (uint32_t i = 0; i < session->query_count; i++)
        add_own(session, &session->queries[i], &own);
    for (uint32_t i = 0; i < own.list.count; i++)
        if (query_declares_agents(session, &own.list.items[i]))
            VEC_PUSH(texts->arena, &texts->list, own.list.items[i]);
}

/* The queries given, or else the single ones of the document. False after an error. */
static bool choose(struct session *session, const struct query_source *queries, uint32_t count,
                   struct query_texts *texts) {
    uint32_t stdin_count = session->is_stdin, number = 0;
    bool has_several = count_given(queries, count) > 1;
    *texts = (struct query_texts){.arena = &session->arena};
    for (uint32_t i = 0; i < count; i++) {
        const struct query_source *given = &queries[i];
        stdin_count += given->is_file && !strcmp(given->text, "-");
        if (stdin_count > 1)
            return diag_error(&session->diag, STATUS_USAGE, 0,
                              "standard input can be read only once");
        number += !given->is_file;
        if (!add_source(session, texts, given, !given->is_file && has_several ? number : 0))
            return false;
    }
    for (uint32_t i = 0; i < session->query_count && !count; i++)
        add_own(session, &session->queries[i], texts);
    return true;
}

bool session_build_for(struct session *session, const struct query_source *queries,
                       uint32_t count) {
    struct query_texts texts;
    return choose(session, queries, count, &texts) &&
           session_build_with(session, texts.list.items, texts.list.count);
}

bool session_build_asked(struct session *session, const struct query_source *queries,
                         uint32_t count) {
    struct query_texts texts;
    if (!choose(session, queries, count, &texts)) return false;
    if (count) add_declarations(session, &texts);
    return session_build_with(session, texts.list.items, texts.list.count);
}

bool session_build_observed(struct session *session, const struct query_source *given,
                            uint32_t given_count, struct observed *observed) {
    struct query_texts texts;
    if (!choose(session, given, given_count, &texts)) return false;
    uint32_t own = 0, count = 0;
    struct xml_query *all = ARENA_ARRAY(&session->arena, struct xml_query,
                                        (size_t)session->query_count + texts.list.count + 1);
    for (uint32_t i = 0; i < session->query_count; i++) all[own++] = session->queries[i];
    for (uint32_t i = 0; i < texts.list.count; i++) {
        const struct xml_query *query = &texts.list.items[i];
        if (given_count || !query_declares_agents(session, query))
            all[own + count++] = *query; /* once is enough */
    }
    if (!session_build_with(session, all, own + count)) return false;
    struct query *queries = session->model->queries;
    *observed = (struct observed){queries + own, count};
    session->model = model_with_queries(&session->arena, session->model, queries, own);
    session->network = network_with_model(&session->arena, session->network, session->model);
    return true;
}

/* ---- queries as a part of the document ---- */

const char *queries_as_text(struct arena *arena, const struct query *queries, uint32_t count) {
    struct buffer lines = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (queries[i].quantifier == QUERY_EMPTY) continue;
        struct str formula = queries[i].xml->formula->text.content;
        buffer_printf(&lines, "%.*s\n", (int)formula.size, formula.data);
    }
    return buffer_finish(&lines, arena);
}

static void add_line(struct arena *arena, struct buffer *lines, struct str text) {
    const char *formula = query_formula(arena, text);
    buffer_printf(lines, "varabs: %s\n", xml_escape(arena, str_of(formula)).data);
}

static void add_given(struct arena *arena, struct buffer *lines, const struct model *model) {
    const struct query *last = NULL;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct query *query = model->agents.items[i]->query;
        if (query != last && query->is_declaration && query->xml->is_given)
            add_line(arena, lines, query->xml->formula->text.content);
        last = query;
    }
}

void queries_add_given(struct arena *arena, struct buffer *markup, const struct model *model) {
    buffer_add_text(markup, "<query><formula></formula><comment>");
    add_given(arena, markup, model);
    buffer_add_text(markup, "</comment></query>\n");
}

bool session_write_queries(struct session *session, const struct model *from) {
    struct buffer lines = {0};
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    buffer_add_text(&lines, session->document.queries ? "<query>" : "<queries><query>");
    buffer_add_text(&lines, "<formula></formula><comment>");
    add_given(&session->arena, &lines, from);
    for (uint32_t i = 0; i < from->query_count; i++)
        if (is_asked_query(&from->queries[i]))
            add_line(&session->arena, &lines, from->queries[i].xml->formula->text.content);
    buffer_add_text(&lines, "</comment></query>");
    if (!session->document.queries) buffer_add_text(&lines, "</queries>");
    const char *markup = buffer_finish(&lines, &session->arena);
    splice_add_child(&splices,
                     session->document.queries ? session->document.queries : session->document.root,
                     str_of(markup));
    return session_rewrite(session, &splices);
}

bool session_build_last(struct session *session, uint32_t count) {
    struct query_texts texts = {.arena = &session->arena};
    assert(count <= session->query_count);
    uint32_t first = session->query_count - count;
    for (uint32_t i = 0; i < session->query_count; i++) {
        const struct xml_query *query = &session->queries[i];
        if (i >= first || (query->formula && query_declares_agents(session, query)))
            VEC_PUSH(&session->arena, &texts.list, *query);
    }
    return session_build_with(session, texts.list.items, texts.list.count);
}
