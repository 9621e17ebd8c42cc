/* Which queries a command looks at. */
#include "session/queries.h"

#include "lang/syntax/query_text.h"
#include "xml/input.h"

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
        strcspn(given->text, "<>[]{}:") == bytes.size) {
        diag_error(&session->diag, STATUS_USAGE, 0,
                   "--query %s: this is no query but the name of a file; use --queries",
                   given->text);
        return false;
    }
    if (given->is_file) {
        name = strcmp(given->text, "-") != 0 ? given->text : "<stdin>";
        if (!file_load(given->text, &session->arena, &bytes)) {
            diag_error(&session->diag, STATUS_INVALID, 0, "cannot read the query file '%s': %s",
                       given->text, strerror(errno));
            return false;
        }
    }
    struct source *source = &session->document.source;
    if (bytes.size >= DOCUMENT_MAX_BYTES || source->next >= 3U * DOCUMENT_MAX_BYTES) {
        diag_error(&session->diag, STATUS_LIMIT, 0, "the queries of '%s' are too long", name);
        return false;
    }
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
    diag_error(&session->diag, STATUS_INVALID, text.begin, "there is no query in '%s'",
               given->text);
    return false;
}

static uint32_t count_given(const struct query_source *queries, uint32_t count) {
    uint32_t given = 0;
    for (uint32_t i = 0; i < count; i++) given += !queries[i].is_file;
    return given;
}

/* Queries that Uppaal does not know stand in comments of queries without a formula: behind
 * "varabs:" at the beginning of a line, up to an empty line or the next of them. */
static void add_comment(struct query_texts *texts, const struct text *comment) {
    static const char mark[] = "varabs:";
    const char *begin = NULL, *start = comment->content.data;
    const char *end = start + comment->content.size;
    for (const char *line = start; line < end || begin;) {
        const char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
        if (!stop) stop = end;
        struct str content = str_trim((struct str){line, (size_t)(stop - line)});
        bool is_marked =
            content.size >= sizeof mark - 1 && !memcmp(content.data, mark, sizeof mark - 1);
        if (begin && (is_marked || !content.size)) {
            struct text part = {.content = {begin, (size_t)(line - begin)},
                                .begin = comment->begin + (position)(begin - start),
                                .is_plain = comment->is_plain};
            query_texts_add(texts, &part, false);
            begin = NULL;
        }
        if (is_marked) begin = content.data + sizeof mark - 1;
        line = stop < end ? stop + 1 : end;
    }
}

/* The queries given, or else the single ones of the document. False after an error. */
static bool choose(struct session *session, const struct query_source *queries, uint32_t count,
                   struct query_texts *texts) {
    const struct document *document = &session->document;
    uint32_t stdin_count = session->is_stdin, number = 0;
    bool has_several = count_given(queries, count) > 1;
    *texts = (struct query_texts){.arena = &session->arena};
    for (uint32_t i = 0; i < count; i++) {
        const struct query_source *given = &queries[i];
        stdin_count += given->is_file && !strcmp(given->text, "-");
        if (stdin_count > 1) {
            diag_error(&session->diag, STATUS_USAGE, 0, "standard input can be read only once");
            return false;
        }
        number += !given->is_file;
        if (!add_source(session, texts, given, !given->is_file && has_several ? number : 0))
            return false;
    }
    for (uint32_t i = 0; i < document->query_count && !count; i++) {
        const struct xml_query *query = &document->query_list[i];
        if (query->formula) query_texts_add(texts, &query->formula->text, false);
        if (query->comment && (!query->formula || str_is_blank(query->formula->text.content)))
            add_comment(texts, &query->comment->text);
    }
    return true;
}

bool session_build_for(struct session *session, const struct query_source *queries,
                       uint32_t count) {
    struct query_texts texts;
    return choose(session, queries, count, &texts) &&
           session_build_with(session, texts.list.items, texts.list.count);
}

bool session_build_observed(struct session *session, const struct query_source *given,
                            uint32_t given_count, struct observed *observed) {
    const struct document *document = &session->document;
    struct query_texts texts;
    if (!choose(session, given, given_count, &texts)) return false;
    uint32_t own = document->query_count, count = texts.list.count;
    struct xml_query *all = ARENA_ARRAY(&session->arena, struct xml_query, (size_t)own + count + 1);
    for (uint32_t i = 0; i < own; i++) all[i] = document->query_list[i];
    for (uint32_t i = 0; i < count; i++) all[own + i] = texts.list.items[i];
    if (!session_build_with(session, all, own + count)) return false;
    struct query *queries = session->model->queries;
    *observed = (struct observed){queries + own, count};
    session->model = model_with_queries(&session->arena, session->model, queries, own);
    session->network = network_with_model(&session->arena, session->network, session->model);
    return true;
}

bool session_open_observed(struct session *session, const char *path,
                           const struct query_source *given, uint32_t given_count,
                           struct observed *observed) {
    return session_load(session, path) &&
           session_build_observed(session, given, given_count, observed);
}
