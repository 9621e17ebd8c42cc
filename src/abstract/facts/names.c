/* Names are looked up as Uppaal does it: select, template, global. */
#include "abstract/facts/names.h"

#include "lang/syntax/frame.h"
#include "lang/syntax/walk.h"

bool template_hides(const struct template *template, const struct symbol *symbol) {
    if (!template || symbol->scope != SCOPE_GLOBAL) return false;
    return frame_find_here(template->frame, symbol->name) != NULL;
}

bool names_type(const struct network *network, const char *name) {
    const struct symbol *symbol = frame_find_here(network->model->frame, name);
    return symbol && symbol->kind == SYMBOL_TYPE;
}

const char *unhidden_name(const struct network *network, const struct symbol *symbol,
                          struct arena *arena) {
    const char *name = arena_printf(arena, "%s_removed", symbol->name);
    for (uint32_t i = 1; intern_find(network->model->names, name); i++)
        name = arena_printf(arena, "%s_removed_%u", symbol->name, i);
    return name;
}

bool is_hidden(const struct template *template, const struct edge *edge,
               const struct symbol *symbol) {
    bool hides = template_hides(template, symbol);
    for (uint32_t i = 0; edge && i < edge->select_count; i++)
        hides |= edge->selects[i]->name == symbol->name;
    return hides;
}

struct hidden_search {
    const struct template *template;
    const struct edge *edge;
    bool found;
};

static bool is_hidden_from(const void *user, const struct symbol *symbol) {
    const struct hidden_search *search = user;
    return is_hidden(search->template, search->edge, symbol);
}

static bool find_hidden(void *user, const struct expr *expr) {
    struct hidden_search *search = user;
    if ((expr->kind == EXPR_NAME || expr->kind == EXPR_CALL) && expr->symbol &&
        expr->symbol->scope != SCOPE_FRAME &&
        is_hidden(search->template, search->edge, expr->symbol))
        search->found = true;
    return !search->found;
}

bool names_hidden(const struct template *template, const struct edge *edge,
                  const struct expr *expr) {
    struct hidden_search search = {template, edge, false};
    walk_expr(expr, find_hidden, &search);
    return search.found;
}

const struct symbol *hidden_in_type(const struct template *template, const struct edge *edge,
                                    const struct type *type) {
    struct hidden_search search = {template, edge, false};
    return type_find_name(type, is_hidden_from, &search);
}
