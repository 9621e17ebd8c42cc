/* See scope.h. */
#include "abstract/edge/scope.h"

#include "abstract/edge/unknown.h"
#include "abstract/facts/context.h"
#include "abstract/request/request.h"
#include "approx/pin.h"
#include "expr/build.h"

static bool is_resting(const struct value_set *set, int32_t initial) {
    return !value_set_is_empty(set) && set->lower == initial && set->upper == initial;
}

static const struct expr *constant_of(struct arena *arena, const struct removal *removal,
                                      uint32_t offset, int32_t value) {
    const struct type *type = type_strip(cell_type(removal->symbol->type, removal->shape, offset));
    return type->kind == TYPE_BOOL ? build_bool(arena, value != 0) : build_int(arena, value);
}

static struct item assign_cell(struct arena *arena, const struct removal *removal, uint32_t offset,
                               const struct expr *value) {
    return (struct item){
        NULL,
        build_assignment(arena, cell_path(arena, removal->symbol, removal->shape, offset), value),
        false};
}

static const struct effects *update_effects(const struct form_context *context,
                                            const struct form *form) {
    return &context->network->edge_effects[form->template->index][form->edge_index].update;
}

/* Whether the invariant of a location reads a variable: what it lets in says then nothing of what
 * an edge to there leaves behind, as the invariant goes. */
static bool invariant_reads(const struct form_context *context, const struct template *template,
                            uint32_t location, const struct symbol *symbol) {
    struct effects_table table = context->network->effects;
    struct effects effects = {0};
    table.arena = context->arena;
    effects_add_expr(&table, &effects, template->locations[location].invariant);
    return effects_reads(&effects, symbol);
}

static void enter_scope(struct form_context *context, struct form *form,
                        const struct removal *removal) {
    bool writes = effects_writes(update_effects(context, form), removal->symbol);
    bool is_let_in = invariant_reads(context, form->template, form->edge->target, removal->symbol);
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) {
        const struct value_set *before = analysis_values(
            context->analysis, form->template, form->edge->source, removal->symbol, k, false);
        if (!context->rules->is_confined && !writes && is_resting(before, removal->initial[k]))
            continue;
        const struct value_set *after = analysis_values(
            context->analysis, form->template, form->edge->target, removal->symbol, k, false);
        bool is_pinned = analysis_is_pinned(context->analysis, form->template, form->edge->target,
                                            removal->symbol, k);
        if (!context->rules->is_confined && !is_let_in && !is_pinned &&
            is_resting(after, removal->initial[k]))
            continue;
        const struct expr *value = constant_of(context->arena, removal, k, removal->initial[k]);
        VEC_PUSH(context->arena, &form->items, assign_cell(context->arena, removal, k, value));
        form->touches = true;
    }
}

/* Whether the update certainly gives a plain variable a value before anything reads it. */
static bool is_overwritten(const struct form_context *context, const struct form *form,
                           const struct removal *removal) {
    const struct symbol *symbol = removal->symbol;
    if (effects_reads(update_effects(context, form), symbol)) return false;
    for (uint32_t i = 0; i < form->edge->updates.count; i++) {
        const struct expr *item = form->edge->updates.items[i];
        if (item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN &&
            item->child[0]->kind == EXPR_NAME && item->child[0]->symbol == symbol)
            return true;
    }
    return false;
}

/* Whether a cell has the value of the scope anyway when the edge leaves it. */
static bool rests(const struct form_context *context, const struct form *form,
                  const struct removal *removal, uint32_t cell) {
    return is_resting(analysis_values(context->analysis, form->template, form->edge->source,
                                      removal->symbol, cell, false),
                      removal->initial[cell]);
}

static void leave_scope(struct form_context *context, struct form *form,
                        const struct removal *removal, struct form *first) {
    form->touches = true;
    if (is_overwritten(context, form, removal)) return;
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) {
        if (rests(context, form, removal, k)) continue;
        struct unknown *unknown = form_unknown_cell(context, form, removal, k, false);
        VEC_PUSH(context->arena, &first->items,
                 assign_cell(context->arena, removal, k,
                             build_name(context->arena, unknown->placeholder)));
    }
}

static bool crosses(const struct removal *removal, const struct template *template,
                    const struct edge *edge) {
    return removal->scope && removal->template == template &&
           removal->scope[edge->source] != removal->scope[edge->target];
}

bool edge_crosses_scope(const struct request *request, const struct template *template,
                        const struct edge *edge) {
    for (uint32_t i = 0; i < request->removals.count; i++)
        if (crosses(&request->removals.items[i], template, edge)) return true;
    return false;
}

void shadow_scopes(struct form_context *context, struct form *form, struct shadow_list *shadows) {
    for (uint32_t i = 0; i < context->request->removals.count; i++) {
        const struct removal *removal = &context->request->removals.items[i];
        if (!crosses(removal, form->template, form->edge) || !removal->scope[form->edge->source] ||
            is_overwritten(context, form, removal))
            continue;
        const struct expr *before = NULL;
        if (removal->shape->kind == SHAPE_CELL) {
            if (rests(context, form, removal, 0)) continue;
            before = build_name(context->arena,
                                form_unknown_cell(context, form, removal, 0, false)->placeholder);
        }
        VEC_PUSH(context->arena, &shadows->list, (struct shadow){removal->symbol, NULL, before});
    }
}

void form_scopes(struct form_context *context, struct form *form) {
    const struct request *request = context->request;
    struct form first = {0}; /* items that come before the update */
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!crosses(removal, form->template, form->edge)) continue;
        if (removal->scope[form->edge->source])
            leave_scope(context, form, removal, &first);
        else
            enter_scope(context, form, removal);
    }
    if (!first.items.count) return;
    for (uint32_t i = 0; i < form->items.count; i++)
        VEC_PUSH(context->arena, &first.items, form->items.items[i]);
    memcpy(&form->items, &first.items, sizeof form->items);
}
