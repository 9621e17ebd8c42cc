#include "export/scalars.h"

#include <string.h>

/* ---- obstacles ---- */

static const struct declarator *second_name(const struct declaration_list *list,
                                            const struct symbol *type) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            const struct symbol *symbol = declaration->declarators[k].symbol;
            bool is_name = declaration->kind == DECLARATION_TYPES && symbol->type &&
                           symbol->type->kind == TYPE_NAMED && symbol->type->symbol == type;
            if (is_name) return &declaration->declarators[k];
        }
    }
    return NULL;
}

const char *scalar_obstacle(const struct symmetry *symmetry, const struct symmetry_type *type,
                            struct span *at) {
    const struct model *model = symmetry->network->model;
    const struct symbol *symbol = type->symbol;
    const struct declarator *other = second_name(&model->declarations, symbol);
    for (uint32_t t = 0; t < model->template_count && !other; t++)
        other = second_name(&model->templates[t]->declarations, symbol);
    *at = type->at;
    if (type->why) return type->why;
    *at = symbol->span;
    if (symbol->type->kind != TYPE_INT || !symbol->type->lower) return "it is no range";
    if (!symbol->declaration || symbol->declaration->declarator_count != 1)
        return "other types are declared with it";
    if (other) *at = other->span;
    return other ? "a second name of it would be another scalar set" : NULL;
}

/* ---- edits ---- */

static bool is_number(const struct expr *expr, int64_t value) {
    return expr->kind == EXPR_INT && expr->value == value;
}

/* "scalar[N]": N as the model says it, where it does. */
static struct str set_text(struct arena *arena, const struct document *document,
                           const struct symmetry_type *type) {
    const struct type *range = type->symbol->type;
    const struct expr *upper = range->upper;
    const struct expr *size = NULL;
    if (is_number(range->lower, 1)) size = upper;
    if (is_number(range->lower, 0) && upper->kind == EXPR_BINARY && upper->op == OP_SUB &&
        is_number(upper->child[1], 1))
        size = upper->child[0];
    struct str text = size ? document_text(document, size->span) : str_of("");
    if (!size)
        text = str_of(arena_printf(arena, "%lld", (long long)(type->upper - type->lower + 1)));
    return str_of(arena_printf(arena, "scalar[%.*s]", (int)text.size, text.data));
}

/* A range, after prefixes, or a size in brackets; false for the rounds of a loop, which stay. */
static bool name_range(struct arena *arena, const struct document *document,
                       const struct symmetry_range *range, struct text_edit *edit) {
    struct str text = document_text(document, range->span);
    const char *name = range->type->name;
    uint32_t skipped = 0;
    bool is_size = text.size && text.data[0] == '[';
    if (text.size > 6 && !memcmp(text.data, "const ", 6)) skipped = 6;
    if (!is_size && (skipped + 3 > text.size || memcmp(text.data + skipped, "int", 3) != 0))
        return false;
    if (is_size) name = arena_printf(arena, "[%s]", name);
    *edit = (struct text_edit){{range->span.begin + skipped, range->span.end}, str_of(name)};
    return true;
}

static bool is_in(const struct symbol *const *types, uint32_t count, const struct symbol *type) {
    for (uint32_t i = 0; i < count; i++)
        if (types[i] == type) return true;
    return false;
}

static void add_edit(struct arena *arena, struct scalar_edits *edits, struct text_edit edit) {
    for (uint32_t i = 0; i < edits->list.count; i++)
        if (edits->list.items[i].span.begin == edit.span.begin) return;
    VEC_PUSH(arena, &edits->list, edit);
}

struct str scalars_write(struct arena *arena, const struct symmetry *symmetry,
                         const struct symbol *const *types, uint32_t count,
                         struct scalar_edits *edits) {
    const struct document *document = symmetry->network->model->document;
    struct splices splices;
    *edits = (struct scalar_edits){0};
    for (uint32_t i = 0; i < symmetry->type_count; i++) {
        const struct symmetry_type *type = &symmetry->types[i];
        if (!is_in(types, count, type->symbol)) continue;
        struct span span = type->symbol->type->span;
        add_edit(arena, edits, (struct text_edit){span, set_text(arena, document, type)});
    }
    for (uint32_t i = 0; i < symmetry->range_count; i++) {
        struct text_edit edit;
        if (is_in(types, count, symmetry->ranges[i].type) &&
            name_range(arena, document, &symmetry->ranges[i], &edit))
            add_edit(arena, edits, edit);
    }
    text_edits_sort(edits->list.items, edits->list.count);
    splices_init(&splices, document, arena);
    splice_edit_texts(&splices, edits->list.items, edits->list.count);
    return splices_apply(&splices);
}

position scalars_origin(const struct scalar_edits *edits, position at) {
    int64_t more = 0;
    for (uint32_t i = 0; i < edits->list.count; i++) {
        const struct text_edit *edit = &edits->list.items[i];
        int64_t begin = edit->span.begin + more, end = begin + (int64_t)edit->text.size;
        if (at < begin) break;
        if (at < end) return edit->span.begin;
        more += (int64_t)edit->text.size - (edit->span.end - edit->span.begin);
    }
    return (position)((int64_t)at - more);
}
