/* Updates of variables of which only some cells are removed: the variable stays declared, and its
 * removed cells hold their initial value in every state. */
#include "abstract/update.h"

#include "lang/walk.h"

struct expr *cell_path(struct arena *arena, const struct removal *removal, uint32_t offset) {
    struct expr *path = build_name(arena, removal->symbol);
    const struct shape *shape = removal->shape;
    while (shape->kind != SHAPE_CELL) {
        const struct type *plain = type_strip(path->type);
        struct expr *next = ARENA_NEW(arena, struct expr);
        next->child[0] = path;
        if (shape->kind == SHAPE_ARRAY) {
            uint32_t size = shape->element->cell_count;
            next->kind = EXPR_INDEX;
            next->child[1] = build_int(arena, shape->lower + (int64_t)(offset / size));
            next->type = plain->element;
            offset %= size;
            shape = shape->element;
        } else {
            uint32_t field = shape->field_count - 1;
            while (shape->offsets[field] > offset) field--;
            next->kind = EXPR_FIELD;
            next->name = plain->fields[field].name;
            next->field_index = field;
            next->type = plain->fields[field].type;
            offset -= shape->offsets[field];
            shape = shape->fields[field];
        }
        path = next;
    }
    return path;
}

struct expr *build_assignment(struct arena *arena, const struct expr *target,
                              const struct expr *value) {
    struct expr *expr = ARENA_NEW(arena, struct expr);
    expr->kind = EXPR_ASSIGN;
    expr->op = OP_ASSIGN;
    expr->child[0] = (struct expr *)target;
    expr->child[1] = (struct expr *)value;
    return expr;
}

struct partial_scan {
    struct form_context *context;
    const struct removal *removal;
    bool *cells; /* by offset: may be looked at */
};

static void scan_all(struct partial_scan *scan) {
    for (uint32_t i = 0; i < scan->removal->shape->cell_count; i++) scan->cells[i] = true;
}

/* Removed cells that an update may read or write: all unless every path is constant. */
static bool scan_expr(void *user, const struct expr *expr) {
    struct partial_scan *scan = user;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        const struct effects *effects = effects_of_function(
            (struct effects_table *)&scan->context->network->effects, expr->symbol->function);
        if (effects_find(effects, scan->removal->symbol)) scan_all(scan);
        return true;
    }
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD)
        return true;
    if (expr_root(expr) != scan->removal->symbol) return true;
    uint32_t offset;
    const struct type *kind = type_strip(expr->type);
    bool is_cell = kind && kind->kind != TYPE_ARRAY && kind->kind != TYPE_STRUCT;
    if (!is_cell || !constant_offset(scan->context, expr, &offset)) {
        scan_all(scan);
        return true;
    }
    scan->cells[offset] = true;
    return false;
}

static int32_t initial_value(const struct form_context *context, const struct form *form,
                             const struct removal *removal, uint32_t offset) {
    const struct network *network = context->network;
    if (!removal->template)
        return network->cells[network->globals[removal->symbol->index].address + offset];
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == form->template)
            return network
                ->cells[network->processes[p].locals[removal->symbol->index].address + offset];
    return 0;
}

bool is_scalar_cell(const struct removal *removal, uint32_t offset) {
    return type_strip(cell_type(removal->symbol->type, removal->shape, offset))->kind ==
           TYPE_SCALAR;
}

bool is_hidden(const struct form *form, const struct symbol *symbol) {
    bool hides = template_hides(form->template, symbol);
    for (uint32_t i = 0; i < form->edge->select_count; i++)
        hides |= form->edge->selects[i]->name == symbol->name;
    return hides;
}

/* Sets the removed cells that the update may look at before it, and resets them behind it. */
bool update_frame_partial(struct updater *updater, const struct removal *removal,
                          struct form *form) {
    struct form_context *context = updater->context;
    struct arena *arena = context->arena;
    struct partial_scan scan = {context, removal, NULL};
    scan.cells = ARENA_ARRAY(arena, bool, removal->shape->cell_count);
    walk_list(&form->edge->updates, scan_expr, &scan);
    VEC(struct item) before = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < removal->shape->cell_count; i++) {
        if (!scan.cells[i] || !removal->is_removed[i]) continue;
        if (is_hidden(form, removal->symbol)) {
            diag_error(context->diag, STATUS_UNSUPPORTED, form->edge->updates.items[0]->span.begin,
                       "this update uses '%s' through a function while its name means something "
                       "else here; rename one of them",
                       removal->symbol->name);
            return false;
        }
        if (++count > UPDATE_MAX_CELLS || is_scalar_cell(removal, i)) {
            diag_error(context->diag, STATUS_UNSUPPORTED, form->edge->updates.items[0]->span.begin,
                       "this update may look at %s removed cells of '%s'; remove the whole "
                       "variable",
                       is_scalar_cell(removal, i) ? "scalar" : "more than 16",
                       removal->symbol->name);
            return false;
        }
        struct expr *path = cell_path(arena, removal, i);
        int32_t initial = initial_value(context, form, removal, i);
        struct unknown *unknown =
            form_unknown_cell(context, form, removal, i, updater->rewriter.is_mid);
        bool is_initial =
            value_set_size(&unknown->values) == 1 && value_set_has(&unknown->values, initial);
        if (!is_initial)
            VEC_PUSH(arena, &before,
                     (struct item){
                         NULL,
                         build_assignment(arena, path, build_name(arena, unknown->placeholder)),
                         false});
        VEC_PUSH(
            arena, &form->items,
            (struct item){NULL, build_assignment(arena, path, build_int(arena, initial)), false});
    }
    for (uint32_t i = 0; i < form->items.count; i++) VEC_PUSH(arena, &before, form->items.items[i]);
    form->items.items = before.items;
    form->items.count = before.count;
    form->items.capacity = before.capacity;
    return true;
}

bool update_touches(const struct form_context *context, const struct form *form,
                    const struct symbol *symbol) {
    return effects_find(
               &context->network->edge_effects[form->template->index][form->edge_index].update,
               symbol) != NULL;
}
