#include "abstract/emit/label.h"

#include <assert.h>

static bool is_label(const struct element *element, const char *kind) {
    const char *own = element_attribute(element, "kind");
    return str_is(str_of(element->name), "label") && own && str_is(str_of(own), kind);
}

const struct element *find_label(const struct element *parent, const char *kind) {
    const struct element *found = NULL;
    for (const struct element *child = parent->first_child; child; child = child->next)
        if (is_label(child, kind)) found = child; /* the last of a kind wins */
    return found;
}

/* All of a kind but one: without it the one before would win, and Uppaal reads that, too. */
static void remove_labels(struct generator *generator, const struct element *parent,
                          const char *kind, const struct element *kept) {
    for (const struct element *child = parent->first_child; child; child = child->next)
        if (is_label(child, kind) && child != kept)
            splice_remove_element(&generator->splices, child);
}

struct str indent_of(const struct generator *generator, const struct element *element) {
    return element_indent(generator->arena, generator->document, element);
}

struct str label_markup(struct generator *generator, struct str indent, const char *kind,
                        const char *text, int x, int y) {
    assert(text); /* which may be empty: a copy keeps an empty weight */
    struct str escaped = xml_escape(generator->arena, str_of(text));
    return str_of(arena_printf(
        generator->arena, "%.*s<label kind=\"%s\" x=\"%d\" y=\"%d\">%s</label>", (int)indent.size,
        indent.data, kind, coordinate_limited(x), coordinate_limited(y), escaped.data));
}

void generate_label(struct generator *generator, const struct element *parent,
                    const struct element *before, const char *kind, const char *text, int x,
                    int y) {
    const struct element *label = find_label(parent, kind);
    bool has_text = text && *text;
    remove_labels(generator, parent, kind, has_text ? label : NULL);
    if (!has_text) return;
    if (label) {
        splice_set_text(&generator->splices, label, str_of(text));
    } else {
        assert(before);
        struct str markup = label_markup(generator, indent_of(generator, before), kind, text, x, y);
        splice_markup(&generator->splices, before->end, before->end, markup);
    }
}

const char *join_comments(struct generator *generator, const struct element *parent,
                          const char *comment) {
    const struct element *label = find_label(parent, "comments");
    struct str old = label ? label->text.content : STR("");
    if (str_is_blank(old)) return comment;
    return arena_printf(generator->arena, "%.*s\n%s", (int)old.size, old.data, comment);
}

void generate_comment(struct generator *generator, const struct element *parent,
                      const struct element *before, const char *comment, int x, int y) {
    if (generator->abstraction->explains)
        generate_label(generator, parent, before, "comments",
                       join_comments(generator, parent, comment), x, y);
}
