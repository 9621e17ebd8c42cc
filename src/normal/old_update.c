#include "normal/old_update.h"

#include "abstract/edge/overwritten.h"
#include "abstract/emit/label.h"
#include "lang/print/print.h"
#include "lang/syntax/lex.h"

#include <assert.h>
#include <string.h>

struct exchange_list {
    struct arena *arena;
    const struct edge *edge;
    const struct cell_text *items;
    uint32_t count;
};

/* Whether the exchange is for one value of a select only. */
static bool is_for_select(const struct exchange_list *list, const struct cell_text *item) {
    for (uint32_t s = 0; item->selects && s < list->edge->select_count; s++)
        if (item->selects[s].is_only) return true;
    return false;
}

/* Whether some exchange may read the cell of an item: by no other name, as what is passed to
 * reference parameters is not exchanged. */
static bool is_read(const struct exchange_list *list, const struct cell_text *item) {
    size_t size = strcspn(item->name, "[.");
    const char *root = arena_copy(list->arena, item->name, size);
    for (uint32_t i = 0; i < list->count; i++)
        if (text_names(list->items[i].value, root)) return true;
    return false;
}

static bool sets(const void *user, const struct expr *place) {
    const struct exchange_list *list = user;
    bool found = false;
    const char *name = expr_text(place, list->arena);
    for (uint32_t i = 0; i < list->count && !found; i++)
        found = !strcmp(list->items[i].name, name) &&
                cell_value_is_constant(list->items[i].value) && !is_read(list, &list->items[i]) &&
                !is_for_select(list, &list->items[i]);
    return found;
}

/* Whether one item can be cut out: between two of them there is a comma and nothing else. */
static bool is_plain_list(const struct document *document, const struct edge *edge) {
    for (uint32_t i = 0; i + 1 < edge->updates.count; i++) {
        struct span between = {edge->updates.items[i]->span.end,
                               edge->updates.items[i + 1]->span.begin};
        assert(between.begin <= between.end);
        struct str text = document_text(document, between);
        uint32_t commas = 0, others = 0;
        for (size_t k = 0; k < text.size; k++) {
            commas += text.data[k] == ',';
            others += !strchr(", \t\r\n", text.data[k]);
        }
        if (commas != 1 || others) return false;
    }
    return true;
}

static struct str whole_text(const struct edge *edge) {
    const struct element *label = find_label(edge->xml->element, "assignment");
    struct str text = label ? label->text.content : STR("");
    while (text.size && strchr(" \t\r\n", text.data[text.size - 1])) text.size--;
    return text;
}

struct str old_update_text(struct arena *arena, const struct document *document,
                           const struct analysis *analysis, const struct template *template,
                           const struct edge *edge, const struct cell_text *exchanges,
                           uint32_t count) {
    struct exchange_list all = {arena, edge, exchanges, count};
    struct buffer out = {0};
    uint32_t kept = 0;
    const bool *goes = overwritten_find(arena, analysis, template, edge, sets, &all);
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        if (goes[i]) continue;
        struct str text = document_text(document, edge->updates.items[i]->span);
        buffer_printf(&out, "%s%.*s", kept++ ? ", " : "", (int)text.size, text.data);
    }
    const char *text = buffer_finish(&out, arena);
    bool is_whole = kept == edge->updates.count || !is_plain_list(document, edge);
    return is_whole ? whole_text(edge) : str_of(text);
}
