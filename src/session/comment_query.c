/* See comment_query.h. */
#include "session/comment_query.h"

#include "xml/encoding.h"

#include <string.h>

static const char mark[] = "varabs:";

/* Whether changes of the comment can be made byte by byte. */
static bool can_change(const struct document *document, const struct element *comment) {
    static const char cdata[] = "<![CDATA[";
    const char *begin = document->bytes.data + comment->content_begin;
    size_t size = comment->content_end - comment->content_begin;
    if (!comment->text.is_plain || document->encoding != ENCODING_ASCII_BASED) return false;
    for (size_t i = 0; i + sizeof cdata - 1 <= size; i++)
        if (!memcmp(begin + i, cdata, sizeof cdata - 1)) return false;
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
        struct str content = str_trim((struct str){line, (size_t)(stop - line)});
        bool is_marked =
            content.size >= sizeof mark - 1 && !memcmp(content.data, mark, sizeof mark - 1);
        if (begin && (is_marked || !content.size)) {
            add_part(texts, document, comment, begin, line);
            begin = NULL;
        }
        if (is_marked) begin = content.data + sizeof mark - 1;
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
