/* What an expression of a template depends on behind its types and functions. */
#include "abstract/prepare/ghost_internal.h"

#include "lang/syntax/walk.h"

struct parameter_search {
    struct arena *arena;
    const struct template *template;
    struct map seen;                 /* symbols of the template */
    VEC(const struct symbol *) left; /* of these, to look at */
    const struct symbol *found;      /* a parameter */
};

static void reach(struct parameter_search *search, const struct symbol *symbol) {
    if (!symbol || symbol->scope != SCOPE_TEMPLATE || map_get(&search->seen, map_key(symbol)))
        return;
    map_put(&search->seen, map_key(symbol), search);
    VEC_PUSH(search->arena, &search->left, symbol);
}

static bool reach_names(void *context, const struct expr *expr);

static void reach_type(struct parameter_search *search, const struct type *type) {
    if (!type) return;
    if (type->kind == TYPE_NAMED) {
        reach(search, type->symbol);
        return;
    }
    walk_expr(type->lower, reach_names, search);
    walk_expr(type->upper, reach_names, search);
    walk_expr(type->size, reach_names, search);
    reach_type(search, type->index);
    reach_type(search, type->element);
    for (uint32_t i = 0; i < type->field_count; i++) reach_type(search, type->fields[i].type);
}

static bool reach_names(void *context, const struct expr *expr) {
    struct parameter_search *search = context;
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_CALL) reach(search, expr->symbol);
    if (expr->bound) reach_type(search, expr->bound->type);
    return true;
}

/* Variables may have any type of the template in a function: all types count. */
static void look_at(struct parameter_search *search, const struct symbol *symbol) {
    const struct template *template = search->template;
    if (symbol->kind == SYMBOL_PARAMETER) search->found = symbol;
    if (symbol->kind == SYMBOL_TYPE) reach_type(search, symbol->type);
    if (symbol->kind == SYMBOL_VARIABLE && symbol_is_const(symbol)) {
        reach_type(search, symbol->type);
        walk_initialiser(symbol->initialiser, reach_names, search);
    }
    if (!symbol->function) return;
    walk_statement(symbol->function->body, reach_names, search);
    reach_type(search, symbol->function->result);
    for (uint32_t i = 0; i < symbol->function->parameter_count; i++)
        reach_type(search, symbol->function->parameters[i]->type);
    for (uint32_t i = 0; i < template->declarations.count; i++) {
        const struct declaration *types = template->declarations.items[i];
        for (uint32_t k = 0; k < types->declarator_count && types->kind == DECLARATION_TYPES; k++)
            reach(search, types->declarators[k].symbol);
    }
}

const struct symbol *ghost_parameter_behind(struct arena *arena, const struct template *template,
                                            const struct expr *value, const struct type *type) {
    struct parameter_search search = {.arena = arena, .template = template};
    if (!template) return NULL;
    map_init(&search.seen, arena);
    walk_expr(value, reach_names, &search);
    reach_type(&search, type);
    while (search.left.count && !search.found)
        look_at(&search, search.left.items[--search.left.count]);
    return search.found;
}
