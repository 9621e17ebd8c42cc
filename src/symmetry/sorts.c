#include "symmetry/sorts.h"

#include <assert.h>

void sorts_init(struct sorts *sorts, struct arena *arena, const struct network *network,
                struct environment *environment) {
    *sorts = (struct sorts){.arena = arena, .network = network, .environment = environment};
    map_init(&sorts->trees, arena);
    map_init(&sorts->results, arena);
    map_init(&sorts->literals, arena);
    map_init(&sorts->loops, arena);
    map_init(&sorts->counting, arena);
    map_init(&sorts->skipped, arena);
    uint32_t plain = sort_new(sorts);
    sorts->variables.items[plain].broken = "it is used as a number or a truth value";
    sorts->plain = tree_of_cell(sorts, plain);
}

/* ---- variables ---- */

uint32_t sort_new(struct sorts *sorts) {
    uint32_t variable = sorts->variables.count;
    VEC_PUSH(sorts->arena, &sorts->variables, (struct sort_variable){.parent = variable});
    return variable;
}

uint32_t sort_find(const struct sorts *sorts, uint32_t variable, int64_t *offset) {
    struct sort_variable *variables = sorts->variables.items;
    int64_t sum = 0, rest;
    uint32_t root = variable;
    assert(variable < sorts->variables.count);
    for (; variables[root].parent != root; root = variables[root].parent)
        sum += variables[root].offset;
    rest = sum;
    while (variables[variable].parent != root && variable != root) { /* shorten the way */
        uint32_t next = variables[variable].parent;
        int64_t step = variables[variable].offset;
        variables[variable].parent = root;
        variables[variable].offset = rest;
        rest -= step;
        variable = next;
    }
    assert(variable == root ? !rest : variables[variable].offset == rest); /* offsets add up */
    *offset = sum;
    return root;
}

void sort_break(struct sorts *sorts, uint32_t variable, const char *why, struct span span) {
    int64_t offset;
    struct sort_variable *root = &sorts->variables.items[sort_find(sorts, variable, &offset)];
    if (root->broken) return;
    root->broken = why;
    root->broken_at = span;
}

void sort_join(struct sorts *sorts, uint32_t left, uint32_t right, struct span span) {
    int64_t of_left, of_right;
    uint32_t to = sort_find(sorts, left, &of_left), from = sort_find(sorts, right, &of_right);
    struct sort_variable *variables = sorts->variables.items;
    uint32_t plain = 0;
    assert(variables[plain].parent == plain && variables[plain].broken);
    if (to == from) {
        if (of_left != of_right)
            sort_break(sorts, to, "the same value is two different names here", span);
        return;
    }
    if (to == plain || from == plain) { /* whose places are not kept apart */
        sort_break(sorts, to == plain ? from : to, variables[plain].broken, span);
        return;
    }
    variables[from].parent = to;
    variables[from].offset = of_left - of_right;
    if (variables[from].broken)
        sort_break(sorts, to, variables[from].broken, variables[from].broken_at);
}

uint32_t sort_shifted(struct sorts *sorts, uint32_t variable, int64_t by) {
    int64_t offset;
    uint32_t root = sort_find(sorts, variable, &offset), shifted = sort_new(sorts);
    assert(root != sorts->plain->variable); /* whose places are not kept apart */
    sorts->variables.items[shifted].parent = root;
    sorts->variables.items[shifted].offset = offset + by;
    return shifted;
}

void sort_cut_at(struct sorts *sorts, uint32_t variable, int64_t lower, int64_t upper,
                 struct span span) {
    assert(variable < sorts->variables.count && lower <= upper);
    VEC_PUSH(sorts->arena, &sorts->cuts,
             (struct sort_cut){.variable = variable, .lower = lower, .upper = upper, .span = span});
}

/* ---- trees ---- */

const struct sort_tree *tree_of_cell(struct sorts *sorts, uint32_t variable) {
    struct sort_tree *tree = ARENA_NEW(sorts->arena, struct sort_tree);
    *tree = (struct sort_tree){.kind = SORT_CELL, .variable = variable};
    return tree;
}

static const struct shape *shape_of(struct sorts *sorts, const struct type *type) {
    struct environment *environment = sorts->environment;
    environment->fault = (struct fault){0};
    environment->steps = environment->depth = 0;
    const struct shape *shape = eval_shape(environment, type);
    if (environment->fault.kind) shape = NULL;
    environment->fault = (struct fault){0};
    return shape;
}

/* A new variable of a range that a type declares; broken if it is no constant (Y3). */
static uint32_t range_variable(struct sorts *sorts, const struct type *type,
                               const struct type *written) {
    uint32_t variable = sort_new(sorts);
    const struct shape *shape = shape_of(sorts, type);
    if (!shape || shape->kind == SHAPE_STRUCT) {
        sort_break(sorts, variable, "its range or size is no constant", type->span);
        return variable;
    }
    struct sort_cut cut = {.variable = variable,
                           .lower = shape->lower,
                           .upper = shape->upper,
                           .is_range = true,
                           .named = written && written->kind == TYPE_NAMED ? written : NULL,
                           .span = type->span};
    VEC_PUSH(sorts->arena, &sorts->cuts, cut);
    return variable;
}

/* An int without bounds has a range, too, unless it is constant (fail.c). */
static uint32_t variable_of_int(struct sorts *sorts, const struct type *type,
                                const struct type *written) {
    if (type->lower) return range_variable(sorts, type, written);
    uint32_t variable = sort_new(sorts);
    if (!(type->prefix & PREFIX_CONST))
        sort_cut_at(sorts, variable, INT16_MIN, INT16_MAX, type->span);
    return variable;
}

static const struct sort_tree *tree_of_type(struct sorts *sorts, const struct type *written);

static const struct sort_tree *tree_of_array(struct sorts *sorts, const struct type *type) {
    struct sort_tree *tree = ARENA_NEW(sorts->arena, struct sort_tree);
    const struct type *index = type->index;
    bool is_bool = index && type_strip(index)->kind == TYPE_BOOL;
    uint32_t first = sorts->cuts.count;
    tree->kind = SORT_ARRAY;
    tree->variable = is_bool ? sorts->plain->variable
                             : range_variable(sorts, index ? type_strip(index) : type, index);
    if (sorts->cuts.count > first) sorts->cuts.items[first].is_source = true;
    tree->element = tree_of_type(sorts, type->element);
    return tree;
}

/* That of a new place of a type. */
static const struct sort_tree *tree_of_type(struct sorts *sorts, const struct type *written) {
    const struct type *type = type_strip(written);
    struct sort_tree *tree;
    switch (type->kind) {
    case TYPE_INT: return tree_of_cell(sorts, variable_of_int(sorts, type, written));
    case TYPE_SCALAR: return tree_of_cell(sorts, range_variable(sorts, type, written));
    case TYPE_ARRAY: return tree_of_array(sorts, type);
    case TYPE_STRUCT:
        tree = ARENA_NEW(sorts->arena, struct sort_tree);
        tree->kind = SORT_STRUCT;
        tree->field_count = type->field_count;
        tree->fields = ARENA_ARRAY(sorts->arena, const struct sort_tree *, type->field_count + 1);
        for (uint32_t i = 0; i < type->field_count; i++)
            tree->fields[i] = tree_of_type(sorts, type->fields[i].type);
        return tree;
    case TYPE_VOID:
        tree = ARENA_NEW(sorts->arena, struct sort_tree);
        tree->kind = SORT_NOTHING;
        return tree;
    default: return sorts->plain;
    }
}

void tree_break(struct sorts *sorts, const struct sort_tree *tree, const char *why,
                struct span span) {
    if (tree->kind == SORT_CELL || tree->kind == SORT_ARRAY)
        sort_break(sorts, tree->variable, why, span);
    if (tree->kind == SORT_ARRAY) tree_break(sorts, tree->element, why, span);
    for (uint32_t i = 0; i < tree->field_count; i++) tree_break(sorts, tree->fields[i], why, span);
}

void tree_join(struct sorts *sorts, const struct sort_tree *left, const struct sort_tree *right,
               struct span span) {
    if (left == right) return;
    if (left->kind != right->kind || left->field_count != right->field_count) {
        tree_break(sorts, left, "it meets a value of another kind", span);
        tree_break(sorts, right, "it meets a value of another kind", span);
        return;
    }
    assert(left->kind != SORT_ARRAY || (left->element && right->element));
    if (left->kind == SORT_CELL || left->kind == SORT_ARRAY)
        sort_join(sorts, left->variable, right->variable, span);
    if (left->kind == SORT_ARRAY) tree_join(sorts, left->element, right->element, span);
    for (uint32_t i = 0; i < left->field_count; i++)
        tree_join(sorts, left->fields[i], right->fields[i], span);
}

const struct sort_tree *tree_of_symbol(struct sorts *sorts, const struct symbol *symbol) {
    struct sort_tree *tree = map_get(&sorts->trees, map_key(symbol));
    if (tree) return tree;
    uint32_t first = sorts->cuts.count;
    const struct sort_tree *fresh = symbol->type ? tree_of_type(sorts, symbol->type) : sorts->plain;
    bool is_source = symbol->kind == SYMBOL_SELECT || symbol->kind == SYMBOL_BOUND ||
                     (symbol->kind == SYMBOL_PARAMETER && symbol->scope == SCOPE_TEMPLATE);
    for (uint32_t i = first; i < sorts->cuts.count; i++)
        sorts->cuts.items[i].is_source |= is_source;
    tree = ARENA_NEW(sorts->arena, struct sort_tree);
    *tree = *fresh;
    map_put(&sorts->trees, map_key(symbol), tree);
    return tree;
}

const struct sort_tree *tree_of_result(struct sorts *sorts, const struct function *function) {
    struct sort_tree *tree = map_get(&sorts->results, map_key(function));
    if (tree) return tree;
    tree = ARENA_NEW(sorts->arena, struct sort_tree);
    *tree = *tree_of_type(sorts, function->result);
    map_put(&sorts->results, map_key(function), tree);
    VEC_PUSH(sorts->arena, &sorts->functions, function);
    return tree;
}

/* ---- numbers in the text ---- */

/* Both are numbers of the text, so that no product exceeds 64 bits. */
static bool constant_of_two(enum op op, int64_t left, int64_t right, int64_t *value) {
    assert(left >= INT32_MIN && left <= -(int64_t)INT32_MIN);
    assert(right >= INT32_MIN && right <= -(int64_t)INT32_MIN);
    switch (op) {
    case OP_ADD: *value = left + right; break;
    case OP_SUB: *value = left - right; break;
    case OP_MUL: *value = left * right; break;
    default: return false;
    }
    return *value >= INT32_MIN && *value <= INT32_MAX;
}

bool number_in_text(const struct expr *expr, int64_t *value) {
    int64_t left, right;
    switch (expr->kind) {
    case EXPR_INT: *value = expr->value; return true;
    case EXPR_NAME:
        if (!expr->symbol || !expr->symbol->has_value ||
            type_strip(expr->symbol->type)->kind != TYPE_INT)
            return false;
        *value = expr->symbol->value;
        return true;
    case EXPR_UNARY:
        if (expr->op != OP_NEG || !number_in_text(expr->child[0], &left)) return false;
        *value = -left;
        return *value >= INT32_MIN && *value <= INT32_MAX;
    case EXPR_BINARY:
        return number_in_text(expr->child[0], &left) && number_in_text(expr->child[1], &right) &&
               constant_of_two(expr->op, left, right, value);
    default: return false;
    }
}
