#include "xml/document.h"

#include "base/debug.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct element *next_element(const struct element *element) {
    if (element->first_child) return element->first_child;
    while (element && !element->next) element = element->parent;
    return element ? element->next : NULL;
}

const char *document_text_at(const struct document *document, position at) {
    const struct piece *piece = source_piece(&document->source, at);
    if (piece && piece->content) return piece->content + (at - piece->begin);
    /* A character reference: its piece does not know the text around it. */
    for (const struct element *e = document->root; e; e = next_element(e))
        if (at >= e->text.begin && at - e->text.begin < e->text.content.size)
            return e->text.content.data + (at - e->text.begin);
    assert(false); /* no position in a text */
    return NULL;
}

static bool text_has(const struct text *text, position at) {
    return text->begin && at >= text->begin && at < text->begin + text->content.size;
}

/* Likewise, by going through all of them. */
static const struct text *find_text(const struct element *element, position at) {
    const struct text *found = text_has(&element->text, at) ? &element->text : NULL;
    for (const struct element *e = element->first_child; e && !found; e = e->next)
        found = find_text(e, at);
    return found;
}

/* Positions are given out as the file is read, so an element has none that is after the start of
 * the next one. */
const struct text *element_text_at(const struct element *element, position at) {
    const struct text *found = NULL;
    for (const struct element *e = element; e && !found;) {
        const struct element *child = e->first_child;
        if (text_has(&e->text, at)) found = &e->text;
        while (child && child->next && child->next->at <= at) child = child->next;
        e = child;
    }
    DEBUG_CHECK(assert(found == find_text(element, at)));
    return found;
}

struct str document_text(const struct document *document, struct span span) {
    assert(span.begin <= span.end);
    return (struct str){document_text_at(document, span.begin), span.end - span.begin};
}

const char *element_attribute(const struct element *element, const char *name) {
    for (uint32_t i = 0; i < element->attribute_count; i++)
        if (!strcmp(element->attributes[i].name, name)) return element->attributes[i].value.data;
    return NULL;
}

int coordinate(const struct element *element, const char *name, int otherwise) {
    const char *text = element ? element_attribute(element, name) : NULL;
    if (!text || !*text) return otherwise;
    char *end;
    long value = strtol(text, &end, 10);
    return *end || value < -COORDINATE_MAX || value > COORDINATE_MAX ? otherwise : (int)value;
}

const struct text *label_text(const struct labels *labels, enum label_kind kind) {
    assert(kind < LABEL_KINDS);
    return labels->of[kind] ? &labels->of[kind]->text : NULL;
}
