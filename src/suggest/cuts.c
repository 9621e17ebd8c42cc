#include "suggest/cuts.h"

#include "base/sort.h"
#include "base/str.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <stdlib.h>

/* More are of no use, and take long. */
enum { MAX_POINTS = 1000, MAX_VARIABLES = 1000, MAX_FIELDS = 4 };

/* A select, bound variable or parameter that is an index. */
struct cut_index {
    const struct symbol *symbol;
    VEC(struct cut_variable *) arrays;
    struct cut_points borders; /* in values of the symbol */
    bool is_seen;
};

/* variable = index + offset */
struct cut_tie {
    struct cut_variable *variable;
    struct cut_index *index;
    int64_t offset;
};

struct finder {
    struct arena *arena;
    const struct network *network;
    struct cut_list *cuts;
    struct map variables, indices; /* by symbol */
    VEC(struct cut_index *) index_list;
    VEC(struct cut_tie) ties;
};

/* Variables */

static struct cut_class *whole(struct cut_class *class) {
    while (class->joined) class = class->joined;
    return class;
}

static void add_point(struct finder *finder, struct cut_points *points, int64_t least) {
    for (uint32_t i = 0; i < points->list.count; i++)
        if (points->list.items[i] == least) return;
    if (points->list.count < MAX_POINTS) VEC_PUSH(finder->arena, &points->list, least);
}

static void cut_at(struct finder *finder, struct cut_variable *variable, int64_t least) {
    add_point(finder, &whole(variable->class)->cuts, least);
}

static void join(struct finder *finder, struct cut_variable *left, struct cut_variable *right) {
    struct cut_class *to = whole(left->class), *from = whole(right->class);
    if (to == from) return;
    for (uint32_t i = 0; i < from->cuts.list.count; i++)
        add_point(finder, &to->cuts, from->cuts.list.items[i]);
    to->has_values_apart |= from->has_values_apart;
    from->joined = to;
}

static void refuse(struct cut_variable *variable, const char *why_not) {
    if (!variable->why_not) variable->why_not = why_not;
    whole(variable->class)->has_values_apart = true; /* its values are kept */
}

/* Whether a shape is a record of numbers. */
static bool is_flat_record(const struct shape *shape) {
    bool ok =
        shape->kind == SHAPE_STRUCT && shape->field_count > 1 && shape->field_count <= MAX_FIELDS;
    for (uint32_t i = 0; ok && i < shape->field_count; i++)
        ok = shape->fields[i]->kind == SHAPE_CELL && !shape->fields[i]->is_scalar;
    return ok;
}

static void add_fields(struct finder *finder, struct cut_variable *variable,
                       const struct shape *shape) {
    const struct type *type = type_strip(type_strip(variable->symbol->type)->element);
    variable->fields = ARENA_ARRAY(finder->arena, struct cut_variable *, shape->field_count);
    variable->field_count = shape->field_count;
    for (uint32_t i = 0; i < shape->field_count; i++) {
        struct cut_variable *field = ARENA_NEW(finder->arena, struct cut_variable);
        *field =
            (struct cut_variable){.template = variable->template,
                                  .symbol = variable->symbol,
                                  .is_bool = shape->fields[i]->is_bool,
                                  .values = {shape->fields[i]->lower, shape->fields[i]->upper},
                                  .class = ARENA_NEW(finder->arena, struct cut_class),
                                  .record = variable,
                                  .path = arena_printf(finder->arena, ".%s", type->fields[i].name)};
        *field->class = (struct cut_class){.joined = NULL};
        variable->fields[i] = field;
    }
}

static struct cut_variable *inner_of(struct finder *finder, struct cut_variable *variable,
                                     const struct shape *row) {
    struct cut_variable *inner = ARENA_NEW(finder->arena, struct cut_variable);
    *inner = (struct cut_variable){.template = variable->template,
                                   .symbol = variable->symbol,
                                   .is_array = true,
                                   .indices = {row->lower, row->upper},
                                   .class = ARENA_NEW(finder->arena, struct cut_class),
                                   .record = variable};
    *inner->class = (struct cut_class){.joined = NULL};
    return inner;
}

/* Whether it is an array of numbers, of records of these, or of rows of numbers. */
static bool is_known_array(const struct shape *shape) {
    return shape->kind == SHAPE_ARRAY &&
           (shape->element->kind == SHAPE_CELL || is_flat_record(shape->element) ||
            (shape->element->kind == SHAPE_ARRAY && shape->element->element->kind == SHAPE_CELL));
}

static void add_variable(struct finder *finder, const struct slot *slot) {
    const struct symbol *symbol = slot->symbol;
    const struct template *template = slot->process ? slot->process->template : NULL;
    const struct shape *shape = network_shape(finder->network, template, symbol);
    if (slot->offset || slot->is_scalar || map_get(&finder->variables, map_key(symbol))) return;
    bool is_array = shape && is_known_array(shape);
    if (!shape || (shape->kind != SHAPE_CELL && !is_array)) return;
    struct cut_variable *variable = ARENA_NEW(finder->arena, struct cut_variable);
    *variable = (struct cut_variable){.template = template,
                                      .symbol = symbol,
                                      .is_array = is_array,
                                      .is_bool = slot->is_bool,
                                      .values = {slot->lower, slot->upper},
                                      .class = ARENA_NEW(finder->arena, struct cut_class)};
    if (is_array) variable->indices = (struct data_kind){shape->lower, shape->upper};
    *variable->class = (struct cut_class){.joined = NULL};
    if (is_array && shape->element->kind == SHAPE_STRUCT)
        add_fields(finder, variable, shape->element);
    if (is_array && shape->element->kind == SHAPE_ARRAY)
        variable->inner = inner_of(finder, variable, shape->element);
    if (slot_is_unseen(slot)) refuse(variable, "it is a meta variable");
    if (symbol->kind != SYMBOL_VARIABLE || handed_instance(&finder->network->handed, symbol))
        refuse(variable, "a template gets it");
    if (!network_has_one_shape(finder->network, template, symbol))
        refuse(variable, "it differs between processes");
    map_put(&finder->variables, map_key(symbol), variable);
    VEC_PUSH(finder->arena, &finder->cuts->variables, variable);
}

/* Indices */

static bool is_index(const struct symbol *symbol) {
    return symbol->kind == SYMBOL_SELECT || symbol->kind == SYMBOL_BOUND ||
           (symbol->kind == SYMBOL_PARAMETER && !symbol->is_reference);
}

static struct cut_index *index_of(struct finder *finder, const struct symbol *symbol) {
    struct cut_index *index = map_get(&finder->indices, map_key(symbol));
    if (index) return index;
    index = ARENA_NEW(finder->arena, struct cut_index);
    *index = (struct cut_index){.symbol = symbol};
    map_put(&finder->indices, map_key(symbol), index);
    VEC_PUSH(finder->arena, &finder->index_list, index);
    return index;
}

static const struct symbol *index_symbol(const struct expr *expr) {
    bool is_name = expr->kind == EXPR_NAME && expr->symbol && is_index(expr->symbol);
    return is_name ? expr->symbol : NULL;
}

/* An index, or one and a constant. */
static const struct symbol *index_and_offset(const struct expr *expr, int64_t *offset) {
    *offset = 0;
    if (expr->kind != EXPR_BINARY || (expr->op != OP_ADD && expr->op != OP_SUB))
        return index_symbol(expr);
    bool is_after = data_fixed_value(expr->child[1], offset);
    if (is_after && expr->op == OP_SUB) *offset = -*offset;
    if (is_after) return index_symbol(expr->child[0]);
    bool is_before = expr->op == OP_ADD && data_fixed_value(expr->child[0], offset);
    return is_before ? index_symbol(expr->child[1]) : NULL;
}

/* Labels */

static void visit(struct finder *finder, const struct expr *expr);
static void visit_truth(struct finder *finder, const struct expr *expr);

static uint64_t use_of(const struct expr *expr, uint64_t seed) {
    int64_t value;
    return expr && data_fixed_value(expr, &value) ? hash_mix(seed, (uint64_t)value)
           : expr && index_symbol(expr)           ? hash_mix(seed, 1)
                                                  : hash_mix(seed, map_key(expr));
}

static void visit_position(struct finder *finder, struct cut_variable *array,
                           const struct expr *expr, uint64_t use) {
    int64_t value;
    const struct symbol *symbol = index_symbol(expr);
    if (data_fixed_value(expr, &value)) {
        VEC_PUSH(finder->arena, &array->spots, (struct cut_spot){value, use});
    } else if (symbol) {
        VEC_PUSH(finder->arena, &index_of(finder, symbol)->arrays, array);
    } else {
        refuse(array, "an index is computed, or a variable");
        visit(finder, expr);
    }
}

/* The variable that an expression is a cell of, or NULL. `use` tells how it is used, where it has a
 * constant index. */
static struct cut_variable *cell_at(struct finder *finder, const struct expr *expr, uint64_t use) {
    const struct expr *field = expr->kind == EXPR_FIELD && !expr->symbol ? expr : NULL;
    if (field) expr = field->child[0];
    const struct expr *row =
        expr->kind == EXPR_INDEX && expr->child[0]->kind == EXPR_INDEX ? expr : NULL;
    if (row) expr = row->child[0];
    const struct expr *root = expr->kind == EXPR_INDEX ? expr->child[0] : expr;
    if ((root->kind != EXPR_NAME && root->kind != EXPR_FIELD) || !root->symbol) return NULL;
    struct cut_variable *variable = map_get(&finder->variables, map_key(root->symbol));
    if (!variable || variable->is_array != (expr->kind == EXPR_INDEX) ||
        !field != !variable->field_count || !row != !variable->inner)
        return NULL;
    if (field) use = hash_mix(use, field->field_index);
    if (variable->is_array) visit_position(finder, variable, expr->child[1], use);
    if (row) visit_position(finder, variable->inner, row->child[1], use);
    assert(!field || field->field_index < variable->field_count);
    return field ? variable->fields[field->field_index] : variable;
}

static void visit_all(struct finder *finder, const struct expr *expr) {
    for (int i = 0; i < 3; i++) visit(finder, expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count; i++) visit(finder, expr->arguments[i]);
}

static void cut_by(struct finder *finder, struct cut_points *points, enum op op, int64_t value) {
    if (op != OP_GT && op != OP_LE) add_point(finder, points, value);
    if (op != OP_LT && op != OP_GE) add_point(finder, points, value + 1);
}

static void visit_comparison(struct finder *finder, const struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    enum op op = expr->op;
    int64_t value, offset;
    if (data_fixed_value(left, &value)) {
        left = expr->child[1];
        right = expr->child[0];
        op = op_turned(op);
    }
    bool is_fixed = data_fixed_value(right, &value);
    struct cut_variable *first = cell_at(finder, left, use_of(right, op));
    const struct symbol *index = first ? NULL : index_and_offset(left, &offset);
    if (first && is_fixed) {
        cut_by(finder, &whole(first->class)->cuts, op, value);
    } else if (index && is_fixed) {
        cut_by(finder, &index_of(finder, index)->borders, op, value - offset);
    } else if (!first && !index) {
        visit(finder, left);
    }
    bool is_index_too = !is_fixed && index_and_offset(right, &offset);
    if (!is_fixed && !is_index_too && !cell_at(finder, right, use_of(left, op)))
        visit(finder, right);
}

static void visit_assigned(struct finder *finder, struct cut_variable *into,
                           const struct expr *expr) {
    int64_t value;
    if (data_fixed_value(expr, &value)) return;
    if (expr->kind == EXPR_COND) {
        visit_truth(finder, expr->child[0]);
        visit_assigned(finder, into, expr->child[1]);
        visit_assigned(finder, into, expr->child[2]);
        return;
    }
    const struct symbol *symbol = index_and_offset(expr, &value);
    struct cut_variable *from = symbol ? NULL : cell_at(finder, expr, map_key(into));
    if (from) {
        join(finder, into, from);
    } else if (symbol) {
        struct cut_tie tie = {into, index_of(finder, symbol), value};
        VEC_PUSH(finder->arena, &finder->ties, tie);
    } else {
        visit(finder, expr);
    }
}

static void visit_assignment(struct finder *finder, const struct expr *expr) {
    struct cut_variable *into = cell_at(finder, expr->child[0], use_of(expr->child[1], expr->op));
    if (into && expr->op == OP_ASSIGN) {
        visit_assigned(finder, into, expr->child[1]);
        return;
    }
    if (into) whole(into->class)->has_values_apart = true;
    if (!into) visit(finder, expr->child[0]);
    visit(finder, expr->child[1]);
}

static bool is_logical(enum op op) {
    return op == OP_AND || op == OP_OR || op == OP_IMPLY || op == OP_XOR || op == OP_NOT;
}

/* Whether what is below a node is a condition. */
static bool has_conditions(const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_BINARY:
    case EXPR_UNARY: return is_logical(expr->op);
    case EXPR_QUANTIFY: return expr->op != OP_SUM;
    case EXPR_PATH:
    case EXPR_UNTIL:
    case EXPR_KNOW:
    case EXPR_ABLE:
    case EXPR_ABLE_UNTIL: return true;
    default: return false;
    }
}

/* A condition: of a number it asks whether that is 0. */
static void visit_truth(struct finder *finder, const struct expr *expr) {
    if (!expr) return;
    if (has_conditions(expr)) {
        for (int i = 0; i < 3; i++) visit_truth(finder, expr->child[i]);
        return;
    }
    struct cut_variable *variable = cell_at(finder, expr, use_of(NULL, OP_NOT));
    if (!variable) {
        visit(finder, expr);
        return;
    }
    cut_at(finder, variable, 0);
    cut_at(finder, variable, 1);
}

/* A value that is used in any way. */
static void visit(struct finder *finder, const struct expr *expr) {
    if (!expr) return;
    if (has_conditions(expr)) {
        visit_truth(finder, expr);
        return;
    }
    if (expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_NE) {
        visit_comparison(finder, expr);
        return;
    }
    if (expr->kind == EXPR_ASSIGN) {
        visit_assignment(finder, expr);
        return;
    }
    if (expr->kind == EXPR_COND) visit_truth(finder, expr->child[0]);
    struct cut_variable *variable = cell_at(finder, expr, use_of(expr, OP_NONE));
    if (variable) {
        whole(variable->class)->has_values_apart = true;
        return;
    }
    bool is_name = expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD;
    if (is_name && expr->symbol && (variable = map_get(&finder->variables, map_key(expr->symbol))))
        refuse(variable, "it is used as a whole");
    const struct symbol *index = index_symbol(expr);
    if (index) index_of(finder, index)->is_seen = true;
    visit_all(finder, expr);
}

/* What is not looked into: functions with parameters, hooks and measures. */
static bool visit_in_function(void *context, const struct expr *expr) {
    struct finder *finder = context;
    bool is_name = expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD;
    struct cut_variable *variable =
        is_name && expr->symbol ? map_get(&finder->variables, map_key(expr->symbol)) : NULL;
    if (variable) refuse(variable, "a function uses it");
    return true;
}

static bool visit_in_body(void *context, const struct expr *expr) {
    visit(context, expr);
    return false;
}

/* A function without parameters does what its statements do. */
static void visit_functions(struct finder *finder, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct function *function = list->items[i]->function;
        walk_list(&list->items[i]->hook, visit_in_function, finder);
        if (list->items[i]->kind == DECLARATION_FUNCTION && function)
            walk_statement(function->body,
                           function->parameter_count ? visit_in_function : visit_in_body, finder);
    }
}

static void visit_template(struct finder *finder, const struct template *template) {
    visit_functions(finder, &template->declarations);
    for (uint32_t i = 0; i < template->location_count; i++)
        visit_truth(finder, invariant_at(finder->network, template, i));
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        visit_truth(finder, guard_of_edge(finder->network, template, edge));
        visit(finder, edge->sync);
        visit(finder, edge->weight);
        for (uint32_t k = 0; k < edge->updates.count; k++) visit(finder, edge->updates.items[k]);
    }
}

static void visit_model(struct finder *finder, const struct query *queries, uint32_t count) {
    const struct model *model = finder->network->model;
    visit_functions(finder, &model->declarations);
    visit_functions(finder, &model->system_declarations);
    for (uint32_t i = 0; i < model->template_count; i++)
        visit_template(finder, model->templates[i]);
    walk_progress(model, visit_in_function, finder);
    walk_gantt(model, visit_in_function, finder);
    for (uint32_t i = 0; i < count; i++) {
        visit_truth(finder, queries[i].predicate);
        for (uint32_t k = 0; k < queries[i].expr_count; k++)
            (queries[i].quantifier == QUERY_LEADS_TO ? visit_truth : visit)(finder,
                                                                            queries[i].exprs[k]);
    }
}

/* Zones */

static void add_all(struct finder *finder, struct cut_points *to, const struct cut_points *from,
                    int64_t offset) {
    for (uint32_t i = 0; i < from->list.count; i++)
        add_point(finder, to, from->list.items[i] + offset);
}

/* What a variable is set to is one of the cells that the index chooses. */
static void follow_ties(struct finder *finder) {
    enum { ROUNDS = 3 }; /* from a variable to an array to another variable */
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < finder->ties.count; i++) {
            const struct cut_tie *tie = &finder->ties.items[i];
            struct cut_points *cuts = &whole(tie->variable->class)->cuts;
            for (uint32_t k = 0; k < tie->index->arrays.count; k++) {
                struct cut_points *borders = &tie->index->arrays.items[k]->borders;
                add_all(finder, borders, cuts, -tie->offset);
                add_all(finder, cuts, borders, tie->offset);
            }
        }
}

static void add_borders(struct finder *finder, const struct cut_index *index) {
    int64_t lower, upper;
    bool is_fixed = data_range_of(index->symbol->type, &lower, &upper);
    bool is_own = index->symbol->kind == SYMBOL_PARAMETER;
    for (uint32_t i = 0; i < index->arrays.count; i++) {
        struct cut_variable *array = index->arrays.items[i];
        array->is_index_seen |= !is_own && index->is_seen; /* of an own cell it is known (F15) */
        add_all(finder, &array->borders, &index->borders, 0);
        if (is_own) continue;
        if (is_fixed) {
            add_point(finder, &array->borders, lower);
            add_point(finder, &array->borders, upper + 1);
        } else {
            refuse(array, "the range of an index is not the same for all processes");
        }
    }
}

static int by_index(const void *left, const void *right) {
    const struct cut_spot *a = left, *b = right;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return a->use < b->use ? -1 : a->use > b->use;
}

/* Runs of constant indices that are used alike are one zone. */
static void add_spots(struct finder *finder, struct cut_variable *array) {
    uint64_t last = 0;
    int64_t after = array->indices.lower;
    if (array->spots.count)
        qsort(array->spots.items, array->spots.count, sizeof *array->spots.items, by_index);
    for (uint32_t i = 0; i < array->spots.count;) {
        int64_t index = array->spots.items[i].index;
        uint64_t uses = 1;
        for (; i < array->spots.count && array->spots.items[i].index == index; i++)
            if (!i || by_index(&array->spots.items[i], &array->spots.items[i - 1]))
                uses = hash_mix(uses, array->spots.items[i].use);
        if (index != after && last) add_point(finder, &array->borders, after);
        if (index != after || uses != last) add_point(finder, &array->borders, index);
        last = uses;
        after = index + 1;
    }
    if (last) add_point(finder, &array->borders, after);
}

/* Groups */

static uint32_t number_of(const struct cut_list *cuts, const struct cut_variable *variable) {
    uint32_t i = 0;
    if (variable->record) variable = variable->record;
    while (cuts->variables.items[i] != variable) i++;
    return i;
}

static void tie_groups(const struct cut_list *cuts, uint32_t left, uint32_t right) {
    uint32_t first = cuts->variables.items[left]->first_of_group;
    uint32_t other = cuts->variables.items[right]->first_of_group;
    uint32_t least = first < other ? first : other, most = first < other ? other : first;
    for (uint32_t i = 0; i < cuts->variables.count && least != most; i++)
        if (cuts->variables.items[i]->first_of_group == most)
            cuts->variables.items[i]->first_of_group = least;
}

static void find_groups(struct finder *finder) {
    const struct cut_list *cuts = finder->cuts;
    struct map classes; /* the first variable of each, from 1 */
    uint32_t *numbers = ARENA_ARRAY(finder->arena, uint32_t, cuts->variables.count + 1);
    map_init(&classes, finder->arena);
    for (uint32_t i = 0; i < cuts->variables.count; i++) {
        struct cut_variable *variable = cuts->variables.items[i];
        numbers[i] = i;
        variable->first_of_group = i;
        for (uint32_t k = 0; k < variable->field_count || !k; k++) {
            const struct cut_variable *of = variable->field_count ? variable->fields[k] : variable;
            uint64_t key = map_key(whole(of->class));
            const uint32_t *first = map_get(&classes, key);
            if (first)
                tie_groups(cuts, *first, i);
            else
                map_put(&classes, key, &numbers[i]);
        }
    }
    for (uint32_t i = 0; i < finder->ties.count; i++) {
        const struct cut_tie *tie = &finder->ties.items[i];
        for (uint32_t k = 0; k < tie->index->arrays.count; k++)
            tie_groups(cuts, number_of(cuts, tie->variable),
                       number_of(cuts, tie->index->arrays.items[k]));
    }
}

const struct cut_list *cuts_find(struct arena *arena, const struct network *network,
                                 const struct query *queries, uint32_t query_count) {
    struct cut_list *cuts = ARENA_NEW(arena, struct cut_list);
    struct finder finder = {.arena = arena, .network = network, .cuts = cuts};
    *cuts = (struct cut_list){.variables = {0}};
    map_init(&finder.variables, arena);
    map_init(&finder.indices, arena);
    for (uint32_t i = 0; i < network->slot_count; i++) add_variable(&finder, &network->slots[i]);
    if (cuts->variables.count > MAX_VARIABLES) cuts->variables.count = 0;
    if (!cuts->variables.count) return cuts;
    visit_model(&finder, queries, query_count);
    for (uint32_t i = 0; i < finder.index_list.count; i++)
        add_borders(&finder, finder.index_list.items[i]);
    for (uint32_t i = 0; i < cuts->variables.count; i++) {
        add_spots(&finder, cuts->variables.items[i]);
        if (cuts->variables.items[i]->inner) add_spots(&finder, cuts->variables.items[i]->inner);
    }
    follow_ties(&finder);
    find_groups(&finder);
    return cuts;
}

/* Parts */

bool cut_parts(struct arena *arena, const struct cut_points *points, struct data_kind range,
               uint32_t most, struct cut_parts *parts) {
    struct cut_points inside = {{0}};
    for (uint32_t i = 0; i < points->list.count; i++)
        if (points->list.items[i] > range.lower && points->list.items[i] <= range.upper)
            VEC_PUSH(arena, &inside.list, points->list.items[i]);
    *parts = (struct cut_parts){{0}};
    if (inside.list.count >= most) return false;
    if (inside.list.count)
        qsort(inside.list.items, inside.list.count, sizeof *inside.list.items, compare_i64);
    int64_t lower = range.lower;
    for (uint32_t i = 0; i <= inside.list.count; i++) {
        int64_t next = i < inside.list.count ? inside.list.items[i] : (int64_t)range.upper + 1;
        VEC_PUSH(arena, &parts->list, (struct data_kind){(int32_t)lower, (int32_t)(next - 1)});
        lower = next;
    }
    assert(parts->list.count <= most);
    return true;
}

bool cut_keep(const struct cut_variable *variable) {
    struct cut_class *class = whole(variable->class);
    bool is_new = !class->has_values_apart;
    class->has_values_apart = true;
    return is_new;
}

bool cut_kinds(struct arena *arena, const struct cut_variable *variable, uint32_t most,
               struct cut_parts *parts) {
    const struct cut_class *class = whole(variable->class);
    struct cut_points all = {{0}};
    if (!class->has_values_apart)
        return cut_parts(arena, &class->cuts, variable->values, most, parts);
    if ((int64_t)variable->values.upper - variable->values.lower >= CUTS_MAX_VALUES) return false;
    for (int64_t value = variable->values.lower; value <= variable->values.upper; value++)
        VEC_PUSH(arena, &all.list, value);
    return cut_parts(arena, &all, variable->values, most, parts);
}
