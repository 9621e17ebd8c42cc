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

static const struct effects *update_effects(const struct context *context,
                                            const struct open_edge *open) {
    return &context->network->edge_effects[open->template->index][open->edge_index].update;
}

/* Whether the invariant of a location reads a variable: what it lets in says then nothing of what
 * an edge to there leaves behind, as the invariant goes. */
static bool invariant_reads(const struct context *context, const struct template *template,
                            uint32_t location, const struct symbol *symbol) {
    struct effects_table table = context->network->effects;
    struct effects effects = {0};
    table.arena = context->arena;
    effects_add_expr(&table, &effects, template->locations[location].invariant);
    return effects_reads(&effects, symbol);
}

static void enter_scope(struct context *context, struct open_edge *open,
                        const struct removal *removal) {
    bool writes = effects_writes(update_effects(context, open), removal->symbol);
    bool is_let_in = invariant_reads(context, open->template, open->edge->target, removal->symbol);
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) {
        const struct value_set *before = analysis_values(
            context->analysis, open->template, open->edge->source, removal->symbol, k, false);
        if (!context->rules->is_confined && !writes && is_resting(before, removal->initial[k]))
            continue;
        const struct value_set *after = analysis_values(
            context->analysis, open->template, open->edge->target, removal->symbol, k, false);
        bool is_pinned = analysis_is_pinned(context->analysis, open->template, open->edge->target,
                                            removal->symbol, k);
        if (!context->rules->is_confined && !is_let_in && !is_pinned &&
            is_resting(after, removal->initial[k]))
            continue;
        const struct expr *value = constant_of(context->arena, removal, k, removal->initial[k]);
        VEC_PUSH(context->arena, &open->items, assign_cell(context->arena, removal, k, value));
        open->is_concerned = true;
    }
}

/* Whether the update certainly gives a plain variable a value before anything reads it. */
static bool is_overwritten(const struct context *context, const struct open_edge *open,
                           const struct removal *removal) {
    const struct symbol *symbol = removal->symbol;
    if (effects_reads(update_effects(context, open), symbol)) return false;
    for (uint32_t i = 0; i < open->edge->updates.count; i++) {
        const struct expr *item = open->edge->updates.items[i];
        if (item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN &&
            item->child[0]->kind == EXPR_NAME && item->child[0]->symbol == symbol)
            return true;
    }
    return false;
}

/* Whether a cell has the value of the scope anyway when the edge leaves it. */
static bool rests(const struct context *context, const struct open_edge *open,
                  const struct removal *removal, uint32_t cell) {
    return is_resting(analysis_values(context->analysis, open->template, open->edge->source,
                                      removal->symbol, cell, false),
                      removal->initial[cell]);
}

static void leave_scope(struct context *context, struct open_edge *open,
                        const struct removal *removal, struct open_edge *first) {
    open->is_concerned = true;
    if (is_overwritten(context, open, removal)) return;
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) {
        if (rests(context, open, removal, k)) continue;
        struct unknown *unknown = unknown_of_cell(context, open, removal, k, false);
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

void store_scopes(struct context *context, struct open_edge *open, struct symbolic_store *store) {
    for (uint32_t i = 0; i < context->request->removals.count; i++) {
        const struct removal *removal = &context->request->removals.items[i];
        if (!crosses(removal, open->template, open->edge) || !removal->scope[open->edge->source] ||
            is_overwritten(context, open, removal))
            continue;
        const struct expr *before = NULL;
        if (removal->shape->kind == SHAPE_CELL) {
            if (rests(context, open, removal, 0)) continue;
            before = build_name(context->arena,
                                unknown_of_cell(context, open, removal, 0, false)->placeholder);
        }
        VEC_PUSH(context->arena, &store->list, (struct stored){removal->symbol, NULL, before});
    }
}

void open_edge_scopes(struct context *context, struct open_edge *open) {
    const struct request *request = context->request;
    struct open_edge first = {0}; /* items that come before the update */
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!crosses(removal, open->template, open->edge)) continue;
        if (removal->scope[open->edge->source])
            leave_scope(context, open, removal, &first);
        else
            enter_scope(context, open, removal);
    }
    if (!first.items.count) return;
    for (uint32_t i = 0; i < open->items.count; i++)
        VEC_PUSH(context->arena, &first.items, open->items.items[i]);
    memcpy(&open->items, &first.items, sizeof open->items);
}
