/* Reads any bytes as a document; what is read must be written back to the byte, and after
 * changes of texts and removals of elements it must read as meant. */
#include "load.h"
#include "xml/encoding.h"
#include "xml/load.h"

#include "xml/splice.h"

static uint32_t seed;

static uint32_t pick(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static const struct element *after(const struct element *element, bool into) {
    if (into && element->first_child) return element->first_child;
    while (element && !element->next) element = element->parent;
    return element ? element->next : NULL;
}

static bool is_one_of(const struct element *element, const char *const *names) {
    while (*names && strcmp(element->name, *names) != 0) names++;
    return *names != NULL;
}

/* Elements that may go, and texts that may change, without making the document invalid. */
static bool is_removable(const struct element *element) {
    static const char *const names[] = {"label", "nail", "query", "urgent", "parameter", NULL};
    return is_one_of(element, names);
}

static bool is_editable(const struct element *element) {
    static const char *const names[] = {"declaration",   "parameter", "name",    "system",
                                        "instantiation", "formula",   "comment", NULL};
    if (!strcmp(element->name, "label")) return !str_is_blank(element->text.content);
    return is_one_of(element, names);
}

/* The first character at or after a position plus some steps, or the end. */
static position advance(const struct text *text, position at, uint32_t steps) {
    size_t offset = at - text->begin + steps;
    while (offset < text->content.size &&
           ((unsigned char)text->content.data[offset] & 0xC0) == 0x80)
        offset++;
    if (offset > text->content.size) offset = text->content.size;
    return text->begin + (position)offset;
}

enum { EDITS_MAX = 3 };

static uint32_t make_edits(const struct text *text, struct text_edit *edits) {
    static const char *const texts[] = {"",   "x",   "a < b && c",       "\303\251", "]",  ">",
                                        "\n", "]]>", "\360\235\204\236", "\r",       "]]", "\r\n"};
    uint32_t count = pick(EDITS_MAX + 1), step = (uint32_t)text->content.size / EDITS_MAX + 2;
    position at = text->begin;
    for (uint32_t i = 0; i < count; i++) {
        position begin = advance(text, at, pick(step));
        at = advance(text, begin, pick(step));
        const char *fresh = texts[pick(sizeof texts / sizeof texts[0])];
        edits[i] = (struct text_edit){{begin, at}, str_of(fresh)};
    }
    return count;
}

static struct str edited(struct arena *arena, const struct text *text,
                         const struct text_edit *edits, uint32_t count) {
    struct buffer buffer = {0};
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        buffer_add(&buffer, text->content.data + at, edits[i].span.begin - text->begin - at);
        buffer_add(&buffer, edits[i].text.data, edits[i].text.size);
        at = edits[i].span.end - text->begin;
    }
    buffer_add(&buffer, text->content.data + at, text->content.size - at);
    struct str result = {NULL, buffer.size};
    result.data = buffer_take(&buffer, arena);
    buffer_close(&buffer);
    return result;
}

typedef VEC(struct str) texts;

/* Registers changes and notes what the texts that stay should then be, in document order. */
static void change(const struct document *document, struct splices *splices, texts *expected) {
    for (const struct element *element = document->root; element;) {
        if (element->parent && is_removable(element) && pick(4) == 0) {
            splice_remove_element(splices, element);
            element = after(element, false);
            continue;
        }
        struct str text = element->text.content;
        if (is_editable(element)) {
            struct text_edit edits[EDITS_MAX];
            uint32_t count = make_edits(&element->text, edits);
            text = edited(splices->arena, &element->text, edits, count);
            splice_edit_text(splices, element, edits, count);
        }
        VEC_PUSH(splices->arena, expected, text);
        element = after(element, true);
    }
}

static void check_changes(const struct document *document, struct arena *arena) {
    struct splices splices;
    texts expected = {0};
    splices_init(&splices, document, arena);
    change(document, &splices, &expected);
    struct str output = splices_apply(&splices);
    struct diag diag;
    struct document again;
    diag_init(&diag, arena, NULL);
    bool is_valid = document_parse(&again, arena, document->names, "again", output, &diag);
    if (!is_valid) diag_print(&diag, stderr);
    require(is_valid);
    uint32_t i = 0;
    for (const struct element *element = again.root; element; element = after(element, true))
        require(i < expected.count && str_equal(element->text.content, expected.items[i++]));
    require(i == expected.count);
}

/* Places never go backwards, and every character of a text has one. */
static void check_places(const struct document *document) {
    for (const struct element *element = document->root; element; element = after(element, true)) {
        const struct text *text = &element->text;
        struct source_location last = source_locate(&document->source, element->at);
        require(element->begin <= element->content_begin && element->content_end <= element->end);
        for (position i = 0; i <= text->content.size; i++) {
            struct source_location place = source_locate(&document->source, text->begin + i);
            require(place.line > last.line ||
                    (place.line == last.line && place.column >= last.column));
            size_t byte = document_byte(document, text->begin + i);
            require(byte >= element->begin && byte <= element->end);
            last = place;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct load load;
    struct str bytes = {(const char *)data, size};
    seed = (uint32_t)hash_bytes(data, size);
    load_begin(&load);
    load_document(&load, bytes);
    diag_sort(&load.diag);
    if (load.is_read) {
        struct splices splices;
        splices_init(&splices, &load.document, &load.arena);
        require(str_equal(splices_apply(&splices), bytes));
        check_places(&load.document);
        check_changes(&load.document, &load.arena);
    }
    arena_close(&load.arena);
    return 0;
}
