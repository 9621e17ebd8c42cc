/* Tags in comments. */
#include "explore/fair/tag.h"

#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "model/effects.h"
#include "xml/document.h"

#include <assert.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_of_name(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/* After the parenthesis that closes the one at a place, or 0. */
static size_t find_end(struct str text, size_t at) {
    assert(at < text.size && text.data[at] == '(');
    size_t depth = 0;
    for (; at < text.size; at++) {
        depth += text.data[at] == '(';
        depth -= text.data[at] == ')';
        if (!depth) return at + 1;
    }
    return 0;
}

static void take_arguments(const struct text *text, size_t *at, struct tag *tag) {
    assert(!tag->has_arguments && *at <= text->content.size);
    struct str content = text->content;
    if (*at >= content.size || content.data[*at] != '(') return;
    size_t end = find_end(content, *at);
    tag->is_open = !end;
    if (!end) return;
    tag->has_arguments = true;
    tag->arguments.content = (struct str){content.data + *at + 1, end - *at - 2};
    tag->arguments.begin = text->begin + (position)(*at + 1);
    *at = end;
}

bool tag_next(const struct edge *edge, size_t *at, struct tag *tag) {
    const struct text *text = label_text(&edge->xml->labels, LABEL_COMMENTS);
    if (!text) return false;
    struct str content = text->content;
    for (; *at + 1 < content.size; ++*at) {
        bool is_inside = *at && is_of_name(content.data[*at - 1]); /* somebody@somewhere */
        if (content.data[*at] != '@' || is_inside || !is_letter(content.data[*at + 1])) continue;
        size_t begin = ++*at;
        while (*at < content.size && is_of_name(content.data[*at])) ++*at;
        *tag = (struct tag){.name = {content.data + begin, *at - begin}};
        take_arguments(text, at, tag);
        return true;
    }
    return false;
}

/* A meta variable that is read, or NULL. A state keeps those that a process gets by reference. */
static const struct symbol *meta_read(struct effects_table *effects, const struct expr *value) {
    struct effects own = {0};
    effects_add_expr(effects, &own, value);
    for (uint32_t i = 0; i < own.list.count; i++) {
        const struct symbol *symbol = own.list.items[i].symbol;
        if (own.list.items[i].reads && (type_prefixes(symbol->type) & PREFIX_META)) return symbol;
    }
    return NULL;
}

bool tag_read_values(const struct tag *tag, struct arena *arena, struct model *model,
                     struct template *template, struct edge *edge, struct expr_list *values) {
    struct text text = tag->arguments;
    if (!tag->has_arguments) return true;
    text.content.data =
        arena_copy(arena, text.content.size ? text.content.data : "", text.content.size);
    if (!model_parse_edge_values(model, template, edge, &text, values)) return false;
    struct effects_table effects;
    effects_table_init(&effects, arena);
    for (uint32_t i = 0; i < values->count; i++) {
        if (!model_check_value(model, values->items[i], "an argument of a tag")) return false;
        const struct symbol *meta = meta_read(&effects, values->items[i]);
        if (meta)
            return diag_error(model->diag, STATUS_UNSUPPORTED, values->items[i]->span.begin,
                              "an argument of a tag reads '%s', a meta variable, which may have "
                              "another value than the one found; leave out 'meta'",
                              meta->name);
    }
    return true;
}

bool edge_has_tag(const struct edge *edge, struct str name) {
    struct tag tag;
    for (size_t at = 0; tag_next(edge, &at, &tag);)
        if (str_equal(tag.name, name)) return true;
    return false;
}

bool edge_tags_are_same(const struct edge *one, const struct edge *other) {
    struct tag left, right;
    for (size_t at = 0, other_at = 0;;) {
        bool has_left = tag_next(one, &at, &left), has_right = tag_next(other, &other_at, &right);
        if (!has_left || !has_right) return has_left == has_right;
        if (!str_equal(left.name, right.name) || left.has_arguments != right.has_arguments)
            return false;
        if (left.has_arguments && !str_equal(left.arguments.content, right.arguments.content))
            return false;
    }
}

bool edge_tags_mention(const struct edge *edge, struct str name) {
    struct tag tag;
    for (size_t at = 0; tag_next(edge, &at, &tag);) {
        struct str text = tag.arguments.content;
        for (size_t i = 0, size; tag.has_arguments && i < text.size; i += size + 1) {
            for (size = 0; i + size < text.size && is_of_name(text.data[i + size]);) size++;
            if (str_equal((struct str){text.data + i, size}, name)) return true;
        }
    }
    return false;
}
