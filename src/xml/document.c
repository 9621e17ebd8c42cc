#include "xml/document.h"

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
