/* Updates without their removed variables (rules M1, M2 and M6).
 *
 * Item by item: assignments to removed variables go and leave a "no error" condition; reads become
 * unknowns, or the value assigned before in the same update. Where that does not do, the update
 * becomes a generated function in which the variable is a local. A variable of which only some
 * cells are removed stays declared: its removed cells are set to what they may hold before the
 * update and reset behind it, so that they hold their initial value in every state. */
#include "abstract/form.h"

#include "lang/print.h"
#include "lang/walk.h"

#include <assert.h>

enum { MAX_CELLS = 16, MAX_SHADOW_SIZE = 200 };

struct updater {
    struct rewriter rewriter;
    struct form_context *context;
    struct form *form;
    struct shadow_list shadows;
    const struct edge_fact *fact;
    struct effects_table table;
    uint32_t at; /* item */
};

static void item_effects(struct updater *updater, const struct expr *item,
                         struct effects *effects) {
    *effects = (struct effects){0};
    effects_add_expr(&updater->table, effects, item);
}

/* The last write to a variable, perhaps by another name of it. */
static const struct shadow *shadow_of(const struct updater *updater, const struct symbol *symbol) {
    for (uint32_t i = updater->shadows.list.count; i-- > 0;)
        if (symbols_may_alias(updater->shadows.list.items[i].symbol, symbol))
            return &updater->shadows.list.items[i];
    return NULL;
}

static bool is_mutable(const struct symbol *symbol) {
    return (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER) &&
           !symbol_is_const(symbol) && !symbol_is_channel(symbol);
}

/* An expression of the current point of the update in terms of the source state, where the guard
 * is evaluated; NULL if that cannot be said. */
static const struct expr *to_source(struct updater *updater, const struct expr *expr) {
    struct arena *arena = updater->context->arena;
    if (expr->kind == EXPR_NAME && expr->symbol) {
        const struct symbol *symbol = expr->symbol;
        if (request_find(updater->context->request, symbol)) return NULL;
        const struct shadow *shadow = shadow_of(updater, symbol);
        if (shadow) return shadow->symbol == symbol ? shadow->before : NULL;
        bool is_shared = symbol->scope == SCOPE_GLOBAL || symbol->is_reference;
        bool may_change = updater->rewriter.is_mid || updater->context->has_before_update;
        return is_shared && is_mutable(symbol) && may_change ? NULL : expr;
    }
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP)
        return NULL;
    struct expr *copy = NULL;
    for (int i = 0; i < 3; i++) {
        if (!expr->child[i]) continue;
        const struct expr *child = to_source(updater, expr->child[i]);
        if (!child) return NULL;
        if (child == expr->child[i]) continue;
        if (!copy) copy = build_copy(arena, expr);
        copy->child[i] = (struct expr *)child;
    }
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (to_source(updater, expr->arguments[i]) != expr->arguments[i]) return NULL;
    return copy ? simplify_node(arena, copy) : expr;
}

/* The value analysis ran this item for every value that it can meet, and it never failed. */
static bool never_fails(const struct updater *updater) {
    const struct edge_fact *fact = updater->fact;
    return !fact->item_faults[updater->at] && !fact->is_incomplete;
}

/* What a no-error condition is about: an assignment that goes, an assignment that an unknown
 * feeds, or one that only reads visible variables. */
enum subject { SUBJECT_DROPPED, SUBJECT_FED, SUBJECT_VISIBLE };

/* What never fails in the original may fail here: for visible variables in states that it does
 * not have, and for what a receiver finds where the analysis knew who sent it. */
static bool is_certain(const struct updater *updater, enum subject subject) {
    bool is_combined = updater->context->analysis->options.approximation == APPROX_COMBINED;
    if (subject == SUBJECT_VISIBLE) return false;
    if (subject == SUBJECT_FED && is_combined && updater->rewriter.is_mid) return false;
    return never_fails(updater);
}

/* Adds a no-error condition to the edge. */
static void require(struct updater *updater, const struct expr *condition, const char *lost,
                    enum subject subject) {
    struct form_context *context = updater->context;
    struct form *form = updater->form;
    if ((!lost && expr_is_true(condition)) || is_certain(updater, subject)) return;
    const struct expr *source = lost || !condition ? NULL : to_source(updater, condition);
    if (source && expr_can_fault(source)) {
        const char *inner = NULL;
        const struct expr *own = no_error_condition(context, source, false, &inner);
        source = inner ? NULL : build_and(context->arena, own, source);
    }
    if (source) {
        form->condition = build_and(context->arena, form->condition, source);
        form->has_condition_of_receiver |=
            !form->edge->is_send && sync_is_broadcast(context, form->template, form->edge->sync);
    }
    if ((!source || lost) && subject == SUBJECT_DROPPED)
        form_lose(context, form,
                  "the original may fail in update item %u (%s), where the step remains here",
                  updater->at + 1, lost ? lost : "its condition cannot be a guard");
}

/* Conditions of the indices on the way to an assigned cell. */
static const struct expr *place_condition(struct updater *updater, const struct expr *place,
                                          bool needs_unknown, const char **lost) {
    return place->kind == EXPR_NAME
               ? NULL
               : no_error_condition(updater->context, place, needs_unknown, lost);
}

/* NULL for what is too large to stand in other expressions: x = x + x, x = x + x, ... would
 * double with every item. */
static const struct expr *if_small(const struct expr *expr) {
    return expr && expr_size(expr, MAX_SHADOW_SIZE) <= MAX_SHADOW_SIZE ? expr : NULL;
}

static void push_shadow(struct updater *updater, const struct symbol *symbol,
                        const struct expr *now, const struct expr *before) {
    for (uint32_t i = 0; i < updater->shadows.list.count; i++) {
        struct shadow *shadow = &updater->shadows.list.items[i];
        if (shadow->now && expr_mentions_alias(shadow->now, symbol)) shadow->now = NULL;
    }
    VEC_PUSH(updater->context->arena, &updater->shadows.list,
             (struct shadow){symbol, if_small(now), if_small(before)});
}

/* What a cell holds after it was assigned. */
static const struct expr *converted(struct updater *updater, const struct expr *value,
                                    const struct type *type) {
    if (type_strip(type)->kind != TYPE_BOOL || expr_is_boolean(value)) return value;
    return simplify_node(
        updater->context->arena,
        build_binary(updater->context->arena, OP_NE, value, build_int(updater->context->arena, 0)));
}

static void keep_item(struct updater *updater, const struct expr *original,
                      const struct expr *expr) {
    VEC_PUSH(updater->context->arena, &updater->form->items,
             (struct item){original, expr, original == expr});
}

/* The value an assignment or step gives its target; NULL if lost. */
static const struct expr *assigned_value(struct updater *updater, const struct expr *item) {
    struct arena *arena = updater->context->arena;
    if (item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN)
        return rewrite_read(&updater->rewriter, item->child[1]);
    const struct expr *old = rewrite_read(&updater->rewriter, item->child[0]);
    if (item->kind == EXPR_STEP) {
        bool up = item->op == OP_PRE_INC || item->op == OP_POST_INC;
        return simplify_node(arena,
                             build_binary(arena, up ? OP_ADD : OP_SUB, old, build_int(arena, 1)));
    }
    const struct expr *value = rewrite_read(&updater->rewriter, item->child[1]);
    return simplify_node(arena, build_binary(arena, op_of_assignment(item->op), old, value));
}

/* M1: the assignment goes; side effects in its value stay. */
static void drop_assignment(struct updater *updater, const struct expr *item) {
    struct form_context *context = updater->context;
    const struct expr *target = item->child[0];
    const struct symbol *symbol = expr_root(target);
    const char *lost = NULL;
    bool has_effect = item->kind == EXPR_ASSIGN && expr_has_effect(item->child[1]);
    if (has_effect && (item->op != OP_ASSIGN || expr_writes_removed(context, item->child[1]))) {
        updater->rewriter.lost = "its new value has side effects";
        return;
    }
    if (has_effect) {
        const struct expr *rest = item->child[1];
        if (expr_reads_removed(context, rest) && rest->kind != EXPR_CALL)
            updater->rewriter.lost = "its new value has side effects";
        else
            keep_item(updater, NULL, rewrite_read(&updater->rewriter, rest));
        require(updater, NULL, "its value has side effects", SUBJECT_DROPPED);
        push_shadow(updater, symbol, NULL, NULL);
        return;
    }
    const struct expr *value = assigned_value(updater, item);
    if (updater->rewriter.lost) return;
    const struct type *type = target->type;
    const struct type *kind = type_strip(type);
    if (kind->kind == TYPE_ARRAY || kind->kind == TYPE_STRUCT) {
        require(updater, no_error_condition(context, value, false, &lost), lost, SUBJECT_DROPPED);
        push_shadow(updater, symbol, NULL, NULL);
        return;
    } /* whole arrays and structs have equal ranges, so only the value can fail */
    const struct expr *condition = no_error_condition(context, value, false, &lost);
    condition = build_and(context->arena, condition, range_condition(context, value, type));
    const struct expr *place = rewrite_indices(&updater->rewriter, target);
    if (updater->rewriter.lost) return;
    condition = build_and(context->arena, condition, place_condition(updater, place, false, &lost));
    require(updater, condition, lost, SUBJECT_DROPPED);
    const struct expr *now = converted(updater, value, type);
    bool is_cell = target->kind == EXPR_NAME;
    push_shadow(updater, symbol, is_cell ? now : NULL, is_cell ? to_source(updater, now) : NULL);
}

static const struct expr *rewrite_item(struct updater *updater, const struct expr *item);

/* A visible target keeps its assignment; what unknowns feed gets its conditions. */
static const struct expr *rewrite_assignment(struct updater *updater, const struct expr *item) {
    struct form_context *context = updater->context;
    const char *lost = NULL;
    struct expr *copy = build_copy(context->arena, item);
    const struct expr *target = item->child[0];
    if (target->kind == EXPR_NAME || target->kind == EXPR_INDEX || target->kind == EXPR_FIELD) {
        if (expr_reads_removed(context, target)) {
            const struct expr *read = rewrite_read(&updater->rewriter, target);
            copy->child[0] = (struct expr *)read;
        }
    } else if (expr_reads_removed(context, target)) {
        updater->rewriter.lost = "the target of an assignment depends on it";
        return item;
    }
    const struct expr *condition = place_condition(updater, copy->child[0], true, &lost);
    if (item->kind == EXPR_ASSIGN) {
        copy->child[1] = (struct expr *)rewrite_read(&updater->rewriter, item->child[1]);
        if (updater->rewriter.lost) return item;
        const struct expr *value = copy->child[1];
        if (item->op != OP_ASSIGN)
            value = build_binary(context->arena, op_of_assignment(item->op), copy->child[0], value);
        condition =
            build_and(context->arena, condition, no_error_condition(context, value, true, &lost));
        const struct type *kind = type_strip(target->type);
        if (expr_has_unknown(value) && kind && kind->kind == TYPE_INT)
            condition =
                build_and(context->arena, condition, range_condition(context, value, target->type));
    }
    require(updater, condition, lost, SUBJECT_FED);
    return copy;
}

static const struct expr *rewrite_item(struct updater *updater, const struct expr *item) {
    if (item->kind == EXPR_ASSIGN || item->kind == EXPR_STEP)
        return rewrite_assignment(updater, item);
    if (item->kind == EXPR_COND) {
        struct expr *copy = build_copy(updater->context->arena, item);
        copy->child[0] = (struct expr *)rewrite_read(&updater->rewriter, item->child[0]);
        for (int i = 1; i < 3; i++) {
            if (!expr_reads_removed(updater->context, item->child[i])) continue;
            updater->rewriter.lost = "it is read in a branch of an update";
        }
        return simplify_node(updater->context->arena, copy);
    }
    return rewrite_read(&updater->rewriter, item);
}

/* Remembers what the item did to visible variables. */
static void note_writes(struct updater *updater, const struct expr *original,
                        const struct expr *expr) {
    struct effects effects;
    item_effects(updater, original, &effects);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        const struct removal *removal = request_find(updater->context->request, symbol);
        if (!effects.list.items[i].writes || (removal && removal->is_whole)) continue;
        const struct expr *before = NULL;
        bool is_plain = expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN &&
                        expr->child[0]->kind == EXPR_NAME && expr->child[0]->symbol == symbol &&
                        !expr_has_effect(expr->child[1]);
        const struct type *kind = type_strip(symbol->type);
        if (is_plain && kind->kind != TYPE_ARRAY && kind->kind != TYPE_STRUCT)
            before = to_source(updater, converted(updater, expr->child[1], symbol->type));
        push_shadow(updater, symbol, NULL, before);
    }
}

static bool is_whole_removal(const struct updater *updater, const struct symbol *symbol) {
    const struct removal *removal = symbol ? request_find(updater->context->request, symbol) : NULL;
    return removal && removal->is_whole;
}

static bool touches_whole(struct updater *updater, const struct expr *item, bool writes) {
    struct effects effects;
    item_effects(updater, item, &effects);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        if ((writes ? effect->writes : effect->reads || effect->writes) &&
            is_whole_removal(updater, effect->symbol))
            return true;
    }
    return false;
}

/* Functions whose only use of removed variables is a local of their own keep their calls. */
static bool only_calls_local(struct updater *updater, const struct expr *item) {
    if (item->kind != EXPR_CALL || !item->symbol || !item->symbol->function) return false;
    const struct function_change *change =
        function_change_of(updater->context->functions, item->symbol->function);
    for (uint32_t i = 0; change && i < change->passed.count; i++)
        if (change->passed.items[i].passing != PASS_LOCAL) return false;
    for (uint32_t i = 0; i < item->argument_count; i++)
        if (touches_whole(updater, item->arguments[i], false)) return false;
    return change != NULL;
}

/* The edge may run in states that the original does not have: its visible assignments must not
 * fail there. What cannot be said of the source state is left to chance. */
static void require_visible(struct updater *updater, const struct expr *item) {
    struct form_context *context = updater->context;
    const struct form *form = updater->form;
    if (!context->strengthens || (item->kind != EXPR_ASSIGN && item->kind != EXPR_STEP)) return;
    if (!form->edge->is_send && sync_is_broadcast(context, form->template, form->edge->sync))
        return; /* it would not take part, which is something else */
    const struct expr *target = item->child[0];
    const struct type *kind = type_strip(target->type);
    bool is_plain =
        target->kind == EXPR_NAME || target->kind == EXPR_INDEX || target->kind == EXPR_FIELD;
    if (!is_plain || !kind || expr_has_effect(target) ||
        (item->kind == EXPR_ASSIGN && expr_has_effect(item->child[1])))
        return;
    const struct expr *value = item->child[1];
    if (item->kind == EXPR_STEP)
        value = build_binary(context->arena,
                             item->op == OP_PRE_INC || item->op == OP_POST_INC ? OP_ADD : OP_SUB,
                             target, build_int(context->arena, 1));
    else if (item->op != OP_ASSIGN)
        value = build_binary(context->arena, op_of_assignment(item->op), target, value);
    const char *lost = NULL;
    context->fact = updater->at == 0 && !updater->rewriter.is_mid ? form->guard : NULL;
    const struct expr *condition = place_condition(updater, target, false, &lost);
    condition =
        build_and(context->arena, condition, no_error_condition(context, value, false, &lost));
    if (kind->kind == TYPE_INT)
        condition =
            build_and(context->arena, condition, range_condition(context, value, target->type));
    context->fact = NULL;
    if (!lost) require(updater, condition, NULL, SUBJECT_VISIBLE);
}

static void update_item(struct updater *updater, const struct expr *item) {
    bool touches = touches_whole(updater, item, false);
    bool writes = touches && touches_whole(updater, item, true);
    bool is_assignment = item->kind == EXPR_ASSIGN || item->kind == EXPR_STEP;
    if (!touches || only_calls_local(updater, item)) {
        require_visible(updater, item);
        keep_item(updater, item, item);
        note_writes(updater, item, item);
    } else if (writes && is_assignment && is_whole_removal(updater, expr_root(item->child[0]))) {
        drop_assignment(updater, item);
        if (item->kind == EXPR_ASSIGN && expr_has_effect(item->child[1]))
            note_writes(updater, item->child[1], item->child[1]);
    } else if (writes) {
        updater->rewriter.lost = "it is assigned inside an expression or by a function";
    } else {
        const struct expr *expr = rewrite_item(updater, item);
        keep_item(updater, item, expr);
        note_writes(updater, item, expr);
    }
}

/* Cells of a partly removed variable. */

static struct expr *cell_path(struct arena *arena, const struct removal *removal, uint32_t offset) {
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

static struct expr *assignment(struct arena *arena, const struct expr *target,
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

static bool is_scalar_cell(const struct removal *removal, uint32_t offset) {
    return type_strip(cell_type(removal->symbol->type, removal->shape, offset))->kind ==
           TYPE_SCALAR;
}

static bool is_hidden(const struct form *form, const struct symbol *symbol) {
    bool hides = template_hides(form->template, symbol);
    for (uint32_t i = 0; i < form->edge->select_count; i++)
        hides |= form->edge->selects[i]->name == symbol->name;
    return hides;
}

/* Sets the removed cells that the update may look at before it, and resets them behind it. */
static bool frame_partial(struct updater *updater, const struct removal *removal,
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
        if (++count > MAX_CELLS || is_scalar_cell(removal, i)) {
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
                     (struct item){NULL,
                                   assignment(arena, path, build_name(arena, unknown->placeholder)),
                                   false});
        VEC_PUSH(arena, &form->items,
                 (struct item){NULL, assignment(arena, path, build_int(arena, initial)), false});
    }
    for (uint32_t i = 0; i < form->items.count; i++) VEC_PUSH(arena, &before, form->items.items[i]);
    form->items.items = before.items;
    form->items.count = before.count;
    form->items.capacity = before.capacity;
    return true;
}

static bool touches_symbol(const struct form_context *context, const struct form *form,
                           const struct symbol *symbol) {
    return effects_find(
               &context->network->edge_effects[form->template->index][form->edge_index].update,
               symbol) != NULL;
}

static bool frame_all_partial(struct updater *updater, struct form *form) {
    const struct request *request = updater->context->request;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (removal->is_whole || !touches_symbol(updater->context, form, removal->symbol)) continue;
        if (!frame_partial(updater, removal, form)) return false;
    }
    return true;
}

static void updater_init(struct updater *updater, struct form_context *context, struct form *form) {
    const struct edge *edge = form->edge;
    *updater =
        (struct updater){.context = context,
                         .form = form,
                         .fact = &context->analysis->edges[form->template->index][form->edge_index],
                         .table = context->network->effects};
    updater->table.arena = context->arena;
    updater->rewriter =
        (struct rewriter){.context = context,
                          .form = form,
                          .is_update = true,
                          .is_mid = (edge->sync && !edge->is_send) || edge->leaves_branchpoint};
}

bool form_update(struct form_context *context, struct form *form) {
    const struct edge *edge = form->edge;
    struct updater updater;
    updater_init(&updater, context, form);
    updater.rewriter.shadows = &updater.shadows;
    const struct effects *effects =
        &context->network->edge_effects[form->template->index][form->edge_index].update;
    bool touches = false;
    for (uint32_t i = 0; i < effects->list.count; i++)
        touches |= request_find(context->request, effects->list.items[i].symbol) != NULL;
    uint32_t unknowns = form->unknowns.count;
    uint32_t losses = form->losses.count;
    for (uint32_t i = 0; i < edge->updates.count && !updater.rewriter.lost; i++) {
        updater.at = i;
        if (touches || (form->touches && context->strengthens))
            update_item(&updater, edge->updates.items[i]);
        else
            keep_item(&updater, edge->updates.items[i], edge->updates.items[i]);
    }
    if (updater.rewriter.lost) {
        form->unknowns.count = unknowns;
        form->losses.count = losses;
        form->items.count = 0;
        form->condition = NULL;
        form->has_condition_of_receiver = false;
        if (!form_update_function(context, form, updater.rewriter.lost)) return false;
    }
    return frame_all_partial(&updater, form);
}

/* Generated functions. */

/* The text of an expression with the arguments that changed functions want. */
struct call_edit {
    position at;
    const char *text;
};

/* A removed variable as a local of a generated function. */
struct local {
    const struct removal *removal;
    const char *name;
};

struct call_edits {
    struct form_context *context;
    const struct function_text *text;
    VEC(struct call_edit) list;
};

struct function_text {
    struct buffer parameters, body;
    VEC(const struct expr *) arguments;
    VEC(struct local) locals;
};

static const char *local_name(void *user, const struct symbol *symbol) {
    const struct call_edits *edits = user;
    for (uint32_t i = 0; i < edits->text->locals.count; i++)
        if (edits->text->locals.items[i].removal->symbol == symbol)
            return edits->text->locals.items[i].name;
    return NULL;
}

static bool edit_call(void *user, const struct expr *expr) {
    struct call_edits *edits = user;
    if (expr->kind != EXPR_CALL) return true;
    const char *text =
        passed_arguments(edits->context->functions, expr, local_name, edits, edits->context->arena);
    if (*text)
        VEC_PUSH(edits->context->arena, &edits->list, (struct call_edit){expr->span.end - 1, text});
    return true;
}

static const char *text_at(const struct form_context *context, position at) {
    return document_text_at(context->network->model->document, at);
}

static void print_with_calls(struct form_context *context, const struct function_text *text,
                             struct buffer *out, const struct expr *expr) {
    struct call_edits edits = {.context = context, .text = text};
    walk_expr(expr, edit_call, &edits);
    position at = expr->span.begin;
    while (at < expr->span.end) { /* nested calls come outermost first: take the next by place */
        const struct call_edit *next = NULL;
        for (uint32_t i = 0; i < edits.list.count; i++) {
            const struct call_edit *edit = &edits.list.items[i];
            if (edit->at >= at && edit->text && (!next || edit->at < next->at)) next = edit;
        }
        position to = next ? next->at : expr->span.end;
        buffer_add(out, text_at(context, at), to - at);
        if (next) buffer_add_text(out, next->text);
        if (next) ((struct call_edit *)next)->text = NULL;
        at = to;
    }
}

static bool names_location(void *found, const struct expr *expr) {
    if (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind == SYMBOL_LOCATION)
        *(bool *)found = true;
    return true;
}

static bool refuse_update(struct form_context *context, const struct form *form,
                          const struct symbol *symbol, const char *why) {
    diag_error(context->diag, STATUS_UNSUPPORTED, form->edge->updates.items[0]->span.begin,
               "this update cannot be rewritten without '%s': %s; remove less", symbol->name, why);
    return false;
}

static void add_parameter(struct form_context *context, struct function_text *text,
                          const struct type *type, const char *name, const struct expr *argument) {
    if (text->arguments.count) buffer_add_text(&text->parameters, ", ");
    print_local_type(&text->parameters, type);
    buffer_printf(&text->parameters, " %s", name);
    VEC_PUSH(context->arena, &text->arguments, argument);
}

/* Whether the first item that touches the variable gives it a new value as a whole. */
static bool is_set_first(struct form_context *context, const struct form *form,
                         const struct removal *removal) {
    if (removal->shape->kind != SHAPE_CELL) return false;
    for (uint32_t i = 0; i < form->edge->updates.count; i++) {
        const struct expr *item = form->edge->updates.items[i];
        struct effects_table table = context->network->effects;
        struct effects effects = {0};
        table.arena = context->arena;
        effects_add_expr(&table, &effects, item);
        const struct effect *effect = effects_find(&effects, removal->symbol);
        if (!effect) continue;
        return item->kind == EXPR_ASSIGN && item->child[0]->kind == EXPR_NAME &&
               item->child[0]->symbol == removal->symbol && !effect->reads;
    }
    return false;
}

/* Its own name where the update names it; else, only functions use it, and where its name means
 * something else here, another one. */
static const char *name_of_local(struct form_context *context, const struct form *form,
                                 const struct symbol *symbol) {
    const struct edge *edge = form->edge;
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (expr_mentions(edge->updates.items[i], symbol)) return symbol->name;
    return is_hidden(form, symbol) ? unhidden_name(context->network, symbol, context->arena)
                                   : symbol->name;
}

static void declare_local(struct function_text *text, const struct symbol *symbol,
                          const char *name) {
    buffer_add_text(&text->body, "    ");
    print_local_type(&text->body, symbol->type);
    buffer_add_text(&text->body, " ");
    print_declarator(&text->body, name, symbol->type);
    buffer_add_text(&text->body, ";\n");
}

/* What a cell may hold as an expression: an unknown, or its only value. */
static const struct expr *cell_value(struct form_context *context, struct form *form,
                                     const struct removal *removal, uint32_t offset, bool is_mid) {
    uint32_t before = form->unknowns.count;
    struct unknown *unknown = form_unknown_cell(context, form, removal, offset, is_mid);
    if (value_set_size(&unknown->values) > 1 || is_scalar_cell(removal, offset))
        return build_name(context->arena, unknown->placeholder);
    form->unknowns.count = before > form->unknowns.count ? form->unknowns.count : before;
    return build_int(context->arena,
                     value_set_is_empty(&unknown->values)
                         ? removal->shape->kind == SHAPE_CELL ? removal->shape->lower : 0
                         : value_set_at(&unknown->values, 0));
}

/* An array or struct: its cells are set from parameters. */
static bool fill_local(struct form_context *context, struct form *form,
                       const struct removal *removal, const char *name, bool is_mid) {
    uint32_t open = 0;
    struct symbol *local = ARENA_NEW(context->arena, struct symbol);
    struct removal renamed = *removal;
    *local = *removal->symbol;
    local->name = name;
    renamed.symbol = local;
    for (uint32_t i = 0; i < removal->shape->cell_count; i++) {
        const struct expr *value = cell_value(context, form, removal, i, is_mid);
        int64_t constant;
        bool is_constant = expr_is_constant(value, &constant);
        if (is_constant && constant == 0) continue; /* locals start with 0 */
        if (!is_constant && ++open > MAX_CELLS)
            return refuse_update(context, form, removal->symbol,
                                 "it reads more than 16 cells whose value is not known");
        VEC_PUSH(
            context->arena, &form->items,
            (struct item){NULL,
                          assignment(context->arena, cell_path(context->arena, &renamed, i), value),
                          false});
    }
    return true;
}

/* The removed variable as a local or parameter, holding what it may hold. */
static bool add_local(struct form_context *context, struct form *form, struct function_text *text,
                      const struct removal *removal, bool is_mid) {
    const struct symbol *symbol = removal->symbol;
    const char *name = name_of_local(context, form, symbol);
    bool is_cell = removal->shape->kind == SHAPE_CELL;
    bool has_scalar = type_has_scalar(symbol->type);
    bool is_read = effects_reads(
        &context->network->edge_effects[form->template->index][form->edge_index].update, symbol);
    VEC_PUSH(context->arena, &text->locals, (struct local){removal, name});
    if (has_scalar && !is_cell)
        return refuse_update(context, form, symbol, "functions have no locals with scalars");
    is_read = is_read && !is_set_first(context, form, removal);
    if (is_cell && (is_read || has_scalar)) {
        add_parameter(context, text, symbol->type, name,
                      cell_value(context, form, removal, 0, is_mid));
        return true;
    }
    declare_local(text, symbol, name);
    return !is_read || fill_local(context, form, removal, name, is_mid);
}

/* The scalar that a placeholder stands for must not have the name of the local it fills. */
static void rename_placeholders(struct form_context *context, struct form *form,
                                const struct function_text *text) {
    for (uint32_t i = 0; i < form->unknowns.count; i++) {
        struct symbol *symbol = form->unknowns.items[i]->placeholder;
        const struct removal *removal = form->unknowns.items[i]->removal;
        bool clashes = false;
        for (uint32_t k = 0; k < text->locals.count; k++)
            clashes |= str_is(str_of(symbol->name), text->locals.items[k].name);
        if (!clashes) continue;
        symbol->name = fresh_name(
            context, form, arena_printf(context->arena, "%s_old", removal->symbol->name), NULL);
    }
}

static void finish_function(struct form_context *context, struct form *form,
                            struct function_text *text, struct buffer *items) {
    const char *base =
        arena_printf(context->arena, "update_%s_%s_%u", form->template->symbol->name,
                     form->template->locations[form->location].name, form->edge_index + 1);
    struct symbol *symbol = ARENA_NEW(context->arena, struct symbol);
    symbol->kind = SYMBOL_FUNCTION;
    symbol->name = fresh_name(context, form, base, NULL);
    VEC_PUSH(context->arena, &context->taken, symbol->name);
    const char *code =
        arena_printf(context->arena, "void %s(%s) {\n%s%s}", symbol->name,
                     text->parameters.data ? text->parameters.data : "",
                     text->body.data ? text->body.data : "", items->data ? items->data : "");
    VEC_PUSH(context->arena, &context->generated,
             (struct generated_function){form->template, symbol->name, code});
    struct expr *call = ARENA_NEW(context->arena, struct expr);
    call->kind = EXPR_CALL;
    call->symbol = symbol;
    call->child[0] = build_name(context->arena, symbol);
    call->arguments = (struct expr **)text->arguments.items;
    call->argument_count = text->arguments.count;
    form->items.count = 0;
    VEC_PUSH(context->arena, &form->items, (struct item){NULL, call, false});
}

static bool mentions_select(const struct edge *edge, const struct symbol *select) {
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (expr_mentions(edge->updates.items[i], select)) return true;
    return false;
}

/* M2: the whole update as one function in which removed variables are locals. */
bool form_update_function(struct form_context *context, struct form *form, const char *why) {
    const struct edge *edge = form->edge;
    const struct request *request = context->request;
    bool is_mid = (edge->sync && !edge->is_send) || edge->leaves_branchpoint;
    struct function_text text = {0};
    struct buffer items = {0};
    bool ok = true, has_location = false;
    const struct symbol *any = NULL;
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct type *type = edge->selects[i]->type;
        if (mentions_select(edge, edge->selects[i]))
            add_parameter(context, &text, type, edge->selects[i]->name,
                          build_name(context->arena, edge->selects[i]));
    }
    for (uint32_t i = 0; i < request->removals.count && ok; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!removal->is_whole || !touches_symbol(context, form, removal->symbol)) continue;
        any = removal->symbol;
        ok = add_local(context, form, &text, removal, is_mid);
    }
    walk_list(&edge->updates, names_location, &has_location);
    if (ok && has_location)
        ok = refuse_update(context, form, any, "it names a location, which functions cannot");
    (void)why;
    rename_placeholders(context, form, &text);
    for (uint32_t i = 0; i < form->items.count && ok; i++) {
        const struct expr *value = form->items.items[i].expr->child[1];
        buffer_add_text(&items, "    ");
        print_expr(&items, form->items.items[i].expr);
        buffer_add_text(&items, ";\n");
        if (value->kind != EXPR_NAME) continue;
        add_parameter(context, &text, value->symbol->type, value->symbol->name, value);
    }
    for (uint32_t i = 0; i < edge->updates.count && ok; i++) {
        const struct expr *item = edge->updates.items[i];
        if (item->kind == EXPR_INT || item->kind == EXPR_BOOL) continue;
        buffer_add_text(&items, "    ");
        print_with_calls(context, &text, &items, item);
        buffer_add_text(&items, ";\n");
    }
    if (ok) finish_function(context, form, &text, &items);
    buffer_close(&text.parameters);
    buffer_close(&text.body);
    buffer_close(&items);
    return ok;
}
