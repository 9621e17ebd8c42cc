/* Edits of a document that keep every other byte. */
#include "xml/splice.h"

#include "xml/encoding.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* No changes yet: the document would be written as it was read. */
void splices_init(struct splices *splices, const struct document *document, struct arena *arena) {
    *splices = (struct splices){.document = document, .arena = arena};
}

void splice_markup(struct splices *splices, size_t begin, size_t end, struct str markup) {
    assert(begin <= end && end <= splices->document->bytes.size);
    if (begin == end && !markup.size) return;
    VEC_PUSH(splices->arena, &splices->edits,
             (struct edit){begin, end, markup, begin, begin, splices->edits.count});
}

void splice_copy(struct splices *splices, size_t at, size_t begin, size_t end) {
    assert(at <= splices->document->bytes.size);
    assert(begin <= end && end <= splices->document->bytes.size);
    VEC_PUSH(splices->arena, &splices->edits,
             (struct edit){at, at, STR(""), begin, end, splices->edits.count});
}

static int compare(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void sort(struct splices *splices) {
    if (splices->edits.count)
        qsort(splices->edits.items, splices->edits.count, sizeof *splices->edits.items, compare);
}

static bool is_space(uint32_t unit) { return unit == ' ' || unit == '\t'; }

static bool is_line_end(uint32_t unit) { return unit == '\n' || unit == '\r'; }

/* The offset after the rest of a line, if it is blank; else the given one. */
static size_t after_blank_line(const struct document *document, size_t begin) {
    size_t unit = encoding_unit(document), end = begin;
    while (is_space(encoding_unit_at(document, end))) end += unit;
    uint32_t first = encoding_unit_at(document, end);
    if (!is_line_end(first)) return begin;
    end += unit;
    return first == '\r' && encoding_unit_at(document, end) == '\n' ? end + unit : end;
}

/* Three edits, so that something else may be inserted right before or right after the element. */
void splice_remove_element(struct splices *splices, const struct element *element) {
    const struct document *document = splices->document;
    size_t unit = encoding_unit(document), begin = element->begin, end = element->end;
    while (begin >= unit && is_space(encoding_unit_at(document, begin - unit))) begin -= unit;
    if (begin < unit || is_line_end(encoding_unit_at(document, begin - unit)))
        end = after_blank_line(document, end);
    splice_markup(splices, begin, element->begin, STR(""));
    splice_markup(splices, element->begin, element->end, STR(""));
    splice_markup(splices, element->end, end, STR(""));
}

void splice_copy_element(struct splices *splices, const struct element *element,
                         struct splices *changes) {
    assert(changes != splices && changes->document == splices->document);
    const struct document *document = splices->document;
    size_t unit = encoding_unit(document), at = element->begin;
    while (at >= unit && is_space(encoding_unit_at(document, at - unit))) at -= unit;
    size_t line_end = at;
    if (at >= unit && encoding_unit_at(document, at - unit) == '\n') at -= unit;
    if (at >= unit && encoding_unit_at(document, at - unit) == '\r') at -= unit;
    if (at == line_end) at = element->begin;
    sort(changes);
    for (uint32_t i = 0; i < changes->edits.count; i++) {
        const struct edit *edit = &changes->edits.items[i];
        if (edit->begin < element->begin || edit->end > element->end) continue;
        assert(edit->begin >= at); /* they do not overlap */
        splice_copy(splices, element->end, at, edit->begin);
        VEC_PUSH(splices->arena, &splices->edits,
                 (struct edit){element->end, element->end, edit->text, edit->begin, edit->begin,
                               splices->edits.count});
        at = edit->end;
    }
    splice_copy(splices, element->end, at, element->end);
}

/* Whether the code units from an offset on are a text. */
static bool has_text(const struct document *document, size_t at, const char *text) {
    for (; *text; text++, at += encoding_unit(document))
        if (encoding_unit_at(document, at) != (unsigned char)*text) return false;
    return true;
}

static bool is_blank(uint32_t unit) { return is_space(unit) || is_line_end(unit); }

/* Attributes are name, "=" and a value in quotes, with blanks around each. */
void splice_set_attribute(struct splices *splices, const struct element *element, const char *name,
                          const char *value) {
    const struct document *document = splices->document;
    size_t unit = encoding_unit(document), at = element->begin + unit;
    while (!is_blank(encoding_unit_at(document, at))) at += unit; /* the name of the element */
    for (;;) {
        while (is_blank(encoding_unit_at(document, at))) at += unit;
        size_t begin = at + strlen(name) * unit;
        bool is_it = has_text(document, at, name) && (is_blank(encoding_unit_at(document, begin)) ||
                                                      encoding_unit_at(document, begin) == '=');
        while (encoding_unit_at(document, at) != '"' && encoding_unit_at(document, at) != '\'')
            at += unit;
        uint32_t quote = encoding_unit_at(document, at);
        size_t end = at += unit;
        while (encoding_unit_at(document, end) != quote) end += unit;
        assert(end < element->end);
        if (is_it) {
            splice_markup(splices, at, end, str_of(value));
            return;
        }
        at = end + unit;
    }
}

/* Puts escaped text, and an end tag, where the tag ends that is all of an element. */
static void fill_empty_tag(struct splices *splices, const struct element *element,
                           const char *escaped) {
    char *markup = arena_printf(splices->arena, ">%s</%s>", escaped, element->name);
    size_t close = element->end - 2 * encoding_unit(splices->document);
    splice_markup(splices, close, element->end, str_of(markup));
}

void splice_open_queries(struct splices *splices) {
    const struct element *queries = splices->document->queries;
    if (queries && queries->is_empty_tag) fill_empty_tag(splices, queries, "");
}

void splice_add_child(struct splices *splices, const struct element *element, struct str markup) {
    const struct element *last = element->last_child;
    if (element->is_empty_tag)
        fill_empty_tag(splices, element, markup.data);
    else if (last)
        splice_markup(splices, last->end, last->end, markup);
    else
        splice_markup(splices, element->content_end, element->content_end, markup);
}

/* Replaces a range of the content by escaped text; an empty tag gets its end tag. */
static void splice_content(struct splices *splices, const struct element *element, size_t begin,
                           size_t end, struct str text) {
    struct str escaped = xml_escape(splices->arena, text);
    if (!element->is_empty_tag) {
        splice_markup(splices, begin, end, escaped);
        return;
    }
    if (text.size) fill_empty_tag(splices, element, escaped.data);
}

void splice_set_text(struct splices *splices, const struct element *element, struct str text) {
    assert(element->content_begin <= element->content_end);
    splice_content(splices, element, element->content_begin, element->content_end, text);
}

static bool are_edits_valid(const struct text *text, const struct text_edit *edits,
                            uint32_t count) {
    position at = text->begin;
    for (uint32_t i = 0; i < count; i++) {
        if (edits[i].span.begin < at || edits[i].span.end < edits[i].span.begin) return false;
        at = edits[i].span.end;
    }
    return at - text->begin <= text->content.size;
}

static int compare_text_edits(const void *left, const void *right) {
    const struct text_edit *a = left, *b = right;
    if (a->span.begin != b->span.begin) return a->span.begin < b->span.begin ? -1 : 1;
    return a->span.end < b->span.end ? -1 : a->span.end > b->span.end;
}

void text_edits_sort(struct text_edit *edits, uint32_t count) {
    if (count) qsort(edits, count, sizeof *edits, compare_text_edits);
}

const struct text_edit *text_edits_in(const struct text *text, const struct text_edit *edits,
                                      uint32_t count, uint32_t *found) {
    uint32_t low = 0, high = count;
    position begin = text->begin, end = begin + (position)text->content.size;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (edits[middle].span.begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    *found = 0;
    while (begin && low + *found < count && edits[low + *found].span.begin < end) ++*found;
    return *found ? &edits[low] : NULL;
}

struct str text_edited(struct arena *arena, const struct text *text, const struct text_edit *edits,
                       uint32_t count) {
    assert(are_edits_valid(text, edits, count));
    struct buffer buffer = {0};
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t begin = edits[i].span.begin - text->begin, end = edits[i].span.end - text->begin;
        buffer_add(&buffer, text->content.data + at, begin - at);
        buffer_add(&buffer, edits[i].text.data, edits[i].text.size);
        at = end;
    }
    buffer_add(&buffer, text->content.data + at, text->content.size - at);
    struct str result = {NULL, buffer.size};
    result.data = buffer_finish(&buffer, arena);
    return result;
}

/* The last character before where an edit ends in the new text; ']' where that takes a search. */
static char last_before(const struct text *text, const struct text_edit *edits, uint32_t i) {
    if (edits[i].text.size) return edits[i].text.data[edits[i].text.size - 1];
    if (i > 0 && edits[i - 1].span.end == edits[i].span.begin) return ']';
    size_t offset = edits[i].span.begin - text->begin;
    if (!offset) return 0;
    return text->content.data[offset - 1];
}

/* Whether an edit brings bytes together that XML reads as one: a lone CR and LF, or "]]>". */
static bool joins_bytes(const struct document *document, const struct text *text,
                        const struct text_edit *edits, uint32_t i) {
    size_t unit = encoding_unit(document);
    size_t begin = document_byte(document, edits[i].span.begin);
    size_t end = document_byte(document, edits[i].span.end);
    if (begin >= unit && encoding_unit_at(document, begin - unit) == '\r') return true;
    uint32_t next = encoding_unit_at(document, end);
    if (next == ']') next = encoding_unit_at(document, end + unit);
    return next == '>' && last_before(text, edits, i) == ']';
}

static bool is_in_cdata(const struct document *document, const struct text *text, position at) {
    if (at >= text->begin + text->content.size) return false; /* the end is after all sections */
    const struct piece *piece = source_piece(&document->source, at);
    return piece && piece->is_cdata;
}

/* Whether "]]" may be right before where an edit begins in the new text. */
static bool is_after_brackets(const struct text *text, const struct text_edit *edits, uint32_t i) {
    size_t offset = edits[i].span.begin - text->begin;
    if (i > 0 && edits[i - 1].span.end == edits[i].span.begin)
        return last_before(text, edits, i - 1) == ']';
    return offset > 1 && text->content.data[offset - 1] == ']' &&
           text->content.data[offset - 2] == ']';
}

/* An edit must not reach across one end of a CDATA section; inside there are no references, and
 * "]]>" would end it. */
static bool fits_cdata(const struct document *document, const struct text *text,
                       const struct text_edit *edits, uint32_t number) {
    const struct text_edit *edit = &edits[number];
    bool is_inside = is_in_cdata(document, text, edit->span.begin);
    if (is_inside != is_in_cdata(document, text, edit->span.end)) return false;
    if (is_inside && edit->text.size && edit->text.data[0] == '>' &&
        is_after_brackets(text, edits, number))
        return false;
    for (size_t i = 0; is_inside && i < edit->text.size; i++) {
        unsigned char c = (unsigned char)edit->text.data[i];
        if (c >= 0x80 || c == ']' || c == '\r') return false;
    }
    return true;
}

static bool can_splice(const struct document *document, const struct element *element,
                       const struct text_edit *edits, uint32_t count) {
    const struct text *text = &element->text;
    if (!text->is_plain || element->is_empty_tag) return false;
    for (uint32_t i = 0; i < count; i++)
        if (joins_bytes(document, text, edits, i) || !fits_cdata(document, text, edits, i))
            return false;
    return true;
}

void splice_edit_text(struct splices *splices, const struct element *element,
                      const struct text_edit *edits, uint32_t count) {
    if (!count) return;
    const struct document *document = splices->document;
    const struct text *text = &element->text;
    assert(are_edits_valid(text, edits, count));
    if (!can_splice(document, element, edits, count)) {
        size_t end = document_byte(document, text->begin + (position)text->content.size);
        splice_content(splices, element, element->content_begin, end,
                       text_edited(splices->arena, text, edits, count));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        splice_markup(splices, document_byte(document, edits[i].span.begin),
                      document_byte(document, edits[i].span.end),
                      is_in_cdata(document, text, edits[i].span.begin)
                          ? edits[i].text
                          : xml_escape(splices->arena, edits[i].text));
}

static void edit_texts(struct splices *splices, const struct element *element,
                       const struct text_edit *edits, uint32_t count) {
    uint32_t found;
    const struct text_edit *own = text_edits_in(&element->text, edits, count, &found);
    if (found) splice_edit_text(splices, element, own, found);
    for (const struct element *e = element->first_child; e; e = e->next)
        edit_texts(splices, e, edits, count);
}

void splice_edit_texts(struct splices *splices, const struct text_edit *edits, uint32_t count) {
    edit_texts(splices, splices->document->root, edits, count);
}

/* In an attribute quotes would end it, and its reader takes other white space for blanks. */
static struct str escape(struct arena *arena, struct str text, bool is_attribute) {
    struct buffer buffer = {0};
    for (size_t i = 0; i < text.size; i++) {
        switch (text.data[i]) {
        case '&': buffer_add_text(&buffer, "&amp;"); break;
        case '<': buffer_add_text(&buffer, "&lt;"); break;
        case '>': buffer_add_text(&buffer, "&gt;"); break;
        case '\r': buffer_add_text(&buffer, "&#13;"); break;
        case '"': buffer_add_text(&buffer, is_attribute ? "&quot;" : "\""); break;
        case '\n': buffer_add_text(&buffer, is_attribute ? "&#10;" : "\n"); break;
        case '\t': buffer_add_text(&buffer, is_attribute ? "&#9;" : "\t"); break;
        default: buffer_add(&buffer, text.data + i, 1);
        }
    }
    struct str result = {NULL, buffer.size};
    result.data = buffer_finish(&buffer, arena);
    return result;
}

struct str xml_escape(struct arena *arena, struct str text) {
    return escape(arena, text, false);
}

struct str xml_escape_attribute(struct arena *arena, struct str text) {
    return escape(arena, text, true);
}

/* ---- output ---- */

static void add_unit(struct buffer *output, enum encoding encoding, char c) {
    char wide[2] = {c, 0};
    if (encoding == ENCODING_UTF16_BE) wide[0] = 0, wide[1] = c;
    buffer_add(output, wide, encoding == ENCODING_ASCII_BASED ? 1 : 2);
}

static void add_ascii(struct buffer *output, enum encoding encoding, const char *text) {
    for (; *text; text++) add_unit(output, encoding, *text);
}

static bool is_xml_character(uint32_t point) {
    if (point < 0x20) return point == '\t' || point == '\n' || point == '\r';
    return point != 0xFFFE && point != 0xFFFF;
}

/* Markup in the encoding of the file, with its line ends. */
static void add_markup(struct buffer *output, const struct document *document, struct str markup) {
    const char *end = markup.data + markup.size;
    uint32_t last = 0;
    for (const char *at = markup.data; at < end;) {
        uint32_t point = utf8_next(&at, end);
        char reference[16];
        if (!is_xml_character(point)) point = 0xFFFD;
        if (point == '\n') {
            add_ascii(output, document->encoding, last == '\r' ? "\n" : document->line_end);
        } else if (point < 0x80) {
            add_unit(output, document->encoding, (char)point);
        } else {
            snprintf(reference, sizeof reference, "&#x%X;", point);
            add_ascii(output, document->encoding, reference);
        }
        last = point;
    }
}

/* Adds bytes of the input as they are. */
static void add_copy(struct buffer *output, const struct document *document, size_t begin,
                     size_t end, struct byte_map *map) {
    if (map) byte_map_copy(map, document, output->size, begin, end);
    buffer_add(output, document->bytes.data + begin, end - begin);
}

static void add_edit(struct buffer *output, const struct document *document,
                     const struct edit *edit, struct byte_map *map) {
    if (map && edit->text.size) byte_map_insert(map, document, output->size, edit->copy_begin);
    add_markup(output, document, edit->text);
    add_copy(output, document, edit->copy_begin, edit->copy_end, map);
}

struct str splices_apply(struct splices *splices) {
    return splices_trace(splices, NULL);
}

struct str splices_trace(struct splices *splices, struct byte_map *map) {
    const struct document *document = splices->document;
    struct buffer output = {0};
    size_t at = 0, begin = 0;
    sort(splices);
    for (uint32_t i = 0; i < splices->edits.count; i++) {
        const struct edit *edit = &splices->edits.items[i];
        /* Several edits at one place: at most one of them replaces anything. */
        assert(edit->begin >= at || (edit->begin == begin && edit->end == begin));
        add_copy(&output, document, at, edit->begin > at ? edit->begin : at, map);
        add_edit(&output, document, edit, map);
        begin = edit->begin;
        if (edit->end > at) at = edit->end;
        if (edit->begin > at) at = edit->begin;
    }
    add_copy(&output, document, at, document->bytes.size, map);
    assert(at <= document->bytes.size);
    struct str result = {NULL, output.size};
    result.data = buffer_finish(&output, splices->arena);
    return result;
}

struct str element_indent(struct arena *arena, const struct document *document,
                          const struct element *element) {
    if (document->encoding != ENCODING_ASCII_BASED) return STR("\n");
    assert(element);
    size_t begin = element->begin;
    const char *bytes = document->bytes.data;
    while (begin && (bytes[begin - 1] == ' ' || bytes[begin - 1] == '\t')) begin--;
    if (!begin || bytes[begin - 1] != '\n') return STR("");
    struct buffer text = {0};
    buffer_add_text(&text, document->line_end);
    buffer_add(&text, bytes + begin, element->begin - begin);
    char *copy = buffer_take(&text, arena);
    buffer_close(&text);
    return str_of(copy);
}
