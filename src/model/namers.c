#include "model/namers.h"

#include "lang/syntax/walk.h"

#include <assert.h>

struct finder {
    struct arena *arena;
    struct effects_table *table;
    struct namers *namers;
    struct map callers; /* by function: the least template that can call it */
    uint32_t template;  /* what is looked at; NO_TEMPLATE: declarations of the model */
};

#define NO_TEMPLATE UINT32_MAX

static void note_symbol(struct finder *finder, const struct symbol *symbol) {
    if (finder->template == NO_TEMPLATE) return;
    struct template_list *list = map_get(&finder->namers->templates, map_key(symbol));
    if (!list) {
        list = ARENA_NEW(finder->arena, struct template_list);
        map_put(&finder->namers->templates, map_key(symbol), list);
    }
    if (!list->items.count || list->items.items[list->items.count - 1] != finder->template)
        VEC_PUSH(finder->arena, &list->items, finder->template);
}

static void note_effects(struct finder *finder, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        note_symbol(finder, effects->list.items[i].symbol);
}

static uint32_t group_of(uint32_t *groups, uint32_t template) {
    while (groups[template] != template) template = groups[template] = groups[groups[template]];
    return template;
}

static void join_groups(uint32_t *groups, uint32_t one, uint32_t other) {
    one = group_of(groups, one);
    other = group_of(groups, other);
    if (one < other)
        groups[other] = one;
    else
        groups[one] = other;
}

static bool note_call(void *context, const struct expr *expr);

/* What it calls is looked at for the first caller; for others it is known by then. */
static void note_function(struct finder *finder, const struct function *function) {
    uint32_t *caller = map_get(&finder->callers, map_key(function));
    if (finder->template == NO_TEMPLATE) {
        finder->namers->is_called_globally = true;
        return;
    }
    note_effects(finder, effects_of_function(finder->table, function));
    if (caller) {
        join_groups(finder->namers->groups, *caller, finder->template);
        return;
    }
    caller = ARENA_NEW(finder->arena, uint32_t);
    *caller = finder->template;
    map_put(&finder->callers, map_key(function), caller);
    walk_type(function->result, note_call, finder);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        walk_type(function->parameters[i]->type, note_call, finder);
    walk_statement(function->body, note_call, finder);
}

static bool note_call(void *context, const struct expr *expr) {
    struct finder *finder = context;
    if (expr->kind == EXPR_NAME && expr->symbol) note_symbol(finder, expr->symbol);
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function)
        note_function(finder, expr->symbol->function);
    return true;
}

static void note_declarations(struct finder *finder, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        walk_type(declaration->base, note_call, finder);
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            const struct symbol *symbol = declaration->declarators[k].symbol;
            walk_type(symbol->type, note_call, finder);
            walk_initialiser(symbol->initialiser, note_call, finder);
        }
        for (uint32_t k = 0; k < declaration->priority_count; k++)
            walk_expr(declaration->priorities[k].channel, note_call, finder);
        for (uint32_t k = 0; declaration->instance && k < declaration->instance->argument_count;
             k++)
            walk_expr(declaration->instance->arguments[k], note_call, finder);
        for (uint32_t k = 0; declaration->instance && k < declaration->instance->parameter_count;
             k++)
            walk_type(declaration->instance->parameters[k]->type, note_call, finder);
        walk_list(&declaration->hook, note_call, finder);
    }
}

static void note_template(struct finder *finder, const struct template *template,
                          const struct edge_labels *labels) {
    note_declarations(finder, &template->declarations);
    for (uint32_t i = 0; i < template->parameter_count; i++)
        walk_type(template->parameters[i]->type, note_call, finder);
    for (uint32_t i = 0; i < template->location_count; i++)
        walk_expr(template->locations[i].written_invariant, note_call, finder);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        for (uint32_t k = 0; k < edge->select_count; k++)
            walk_type(edge->selects[k]->type, note_call, finder);
        walk_expr(edge->weight, note_call, finder);
        note_effects(finder, &labels[i].guard_effects);
        note_effects(finder, &labels[i].sync_effects);
        note_effects(finder, &labels[i].update_effects);
        if (!labels[i].has_call) continue;
        walk_labels(edge, note_call, finder);
    }
}

struct namers *namers_find(struct arena *arena, const struct model *model,
                           const struct network_labels *labels, struct effects_table *table) {
    struct namers *namers = ARENA_NEW(arena, struct namers);
    struct finder finder = {
        .arena = arena, .table = table, .namers = namers, .template = NO_TEMPLATE};
    map_init(&namers->templates, arena);
    map_init(&finder.callers, arena);
    namers->groups = ARENA_ARRAY(arena, uint32_t, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) namers->groups[t] = t;
    note_declarations(&finder, &model->declarations);
    note_declarations(&finder, &model->system_declarations);
    for (uint32_t t = 0; t < model->template_count; t++) {
        finder.template = t;
        note_template(&finder, model->templates[t], labels->edges[t]);
    }
    for (uint32_t t = 0; t < model->template_count; t++) {
        namers->groups[t] = group_of(namers->groups, t);
        assert(namers->groups[t] <= t);
    }
    return namers;
}

void namers_mark(const struct namers *namers, const struct symbol *symbol, bool *is_marked) {
    const struct template_list *list = map_get(&namers->templates, map_key(symbol));
    for (uint32_t i = 0; list && i < list->items.count; i++) is_marked[list->items.items[i]] = true;
}

void namers_mark_groups(const struct namers *namers, uint32_t template_count, bool *is_marked) {
    for (uint32_t t = 0; t < template_count; t++) /* leaders come first, but may be unmarked */
        if (is_marked[t]) is_marked[namers->groups[t]] = true;
    for (uint32_t t = 0; t < template_count; t++)
        if (is_marked[namers->groups[t]]) is_marked[t] = true;
}
