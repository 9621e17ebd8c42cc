/* See comment_query.h. */
#include "session/comment_query.h"

#include "xml/encoding.h"

#include <string.h>

static bool has_cdata_at(const struct document *document, size_t byte) {
    static const char cdata[] = "<![CDATA[";
    size_t unit = encoding_unit(document);
    for (size_t i = 0; i + 1 < sizeof cdata; i++)
        if (encoding_unit_at(document, byte + i * unit) != (uint32_t)cdata[i]) return false;
    return true;
}

/* Whether changes of the comment can be made byte by byte. */
static bool can_change(const struct document *document, const struct element *comment) {
    if (!comment->text.is_plain) return false;
    for (size_t at = comment->content_begin; at < comment->content_end;
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

void document_queries(struct query_texts *texts, const struct document *document) {
    for (uint32_t i = 0; i < document->query_count; i++) {
        const struct xml_query *query = &document->query_list[i];
        VEC_PUSH(texts->arena, &texts->list, *query);
        if (query->comment && (!query->formula || str_is_blank(query->formula->text.content)))
            add_comment(texts, document, query->comment);
    }
}
