#include "abstract/cells/group.h"

#include "abstract/edge/express.h"
#include "abstract/facts/cells.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "expr/substitute.h"

#include <assert.h>

bool cell_group_refuse(struct cell_group *group, position at, const char *format, ...) {
    if (group->why_not) return false;
    va_list arguments;
    va_start(arguments, format);
    group->why_not = arena_vprintf(group->context->arena, format, arguments);
    va_end(arguments);
    group->at = at;
    return false;
}

int32_t cell_join(enum op op, int32_t left, int32_t right) {
    switch (op) {
    case OP_ADD: /* all totals fit their types, what is added up to there may wrap */
        return (int32_t)((uint32_t)left + (uint32_t)right);
    case OP_BIT_XOR: return left ^ right;
    case OP_AND: return left && right;
    case OP_OR: return left || right;
    case OP_MIN: return left < right ? left : right;
    default: assert(op == OP_MAX); return left > right ? left : right;
    }
}

bool cell_group_has(const struct cell_group *group, const struct symbol *symbol) {
    for (uint32_t i = 0; i < group->arrays.count; i++)
        if (group->arrays.items[i]->symbol == symbol) return true;
    return false;
}

bool cell_is_pointer(const struct cell_group *group, const struct expr *expr) {
    return group->pointer && expr->kind == EXPR_NAME && expr->symbol == group->pointer->symbol;
}

bool cell_group_follows(const struct cell_group *group, const struct symbol *symbol) {
    for (uint32_t i = 0; i < group->fold_count; i++)
        if (group->folds[i].ghost->symbol == symbol) return true;
    return false;
}

/* Names of frames are compared by name, so no two placeholders may have the same one. */
const char *cell_placeholder_name(struct cell_group *group) {
    return arena_printf(group->context->arena, "cell %u", group->placeholder_count++);
}

/* Paths */

bool record_path_parse(const struct cell_group *group, const struct expr *expr,
                       struct record_path *path) {
    enum { MAX_STEPS = 16 };
    const struct expr *steps[MAX_STEPS] = {NULL};
    uint32_t count = 0, dimension = 0, offset = 0;
    const struct expr *root = expr;
    for (; root->kind == EXPR_INDEX || root->kind == EXPR_FIELD; root = root->child[0]) {
        if (count == MAX_STEPS) return false;
        steps[count++] = root;
    }
    if (root->kind != EXPR_NAME || !cell_group_has(group, root->symbol)) return false;
    const struct removal *removal = removed_ever(group->context->request, root->symbol);
    const struct shape *shape = removal->shape;
    while (count-- > 0) {
        const struct expr *step = steps[count];
        if (step->kind == EXPR_INDEX) {
            if (dimension == group->dimension_count) return false;
            path->index[dimension++] = step->child[1];
            shape = shape->element;
        } else {
            if (shape->kind != SHAPE_STRUCT) return false;
            offset += shape->offsets[step->field_index];
            shape = shape->fields[step->field_index];
        }
    }
    if (shape->kind != SHAPE_CELL || dimension != group->dimension_count) return false;
    for (uint32_t f = 0; f < group->fields.count; f++)
        if (group->fields.items[f].removal == removal && group->fields.items[f].offset == offset) {
            path->field = f;
            return true;
        }
    return false;
}

bool cell_position(const struct cell_group *group, const int64_t *index, uint32_t *found) {
    uint32_t at = 0;
    for (uint32_t d = 0; d < group->dimension_count; d++) {
        int64_t offset = index[d] - group->lower[d];
        if (offset < 0 || offset >= group->size[d]) return false;
        at = at * group->size[d] + (uint32_t)offset;
    }
    assert(at < group->position_count);
    *found = at;
    return true;
}

/* Arrays */

static bool shape_has_array(const struct shape *shape) {
    bool found = shape->kind == SHAPE_ARRAY;
    for (uint32_t i = 0; shape->kind == SHAPE_STRUCT && i < shape->field_count && !found; i++)
        found = shape_has_array(shape->fields[i]);
    return found;
}

static void add_field(struct cell_group *group, struct cell_field field, const struct type *type) {
    struct context *context = group->context;
    field.placeholder = ARENA_NEW(context->arena, struct symbol);
    *field.placeholder = (struct symbol){.kind = SYMBOL_SELECT,
                                         .scope = SCOPE_FRAME,
                                         .name = cell_placeholder_name(group),
                                         .type = (struct type *)type};
    VEC_PUSH(context->arena, &group->fields, field);
}

static bool add_fields(struct cell_group *group, const struct removal *removal,
                       const struct shape *element) {
    uint32_t first = removal->shape->cell_count - element->cell_count; /* the last record */
    for (uint32_t i = 0; i < element->cell_count; i++) {
        const struct shape *cell = shape_cell(element, i);
        const struct type *type = cell_type(removal->symbol->type, removal->shape, first + i);
        if (cell->is_scalar || group->fields.count == CELLS_MAX_FIELDS) return false;
        assert(cell->lower <= cell->upper);
        add_field(group,
                  (struct cell_field){.removal = removal,
                                      .offset = i,
                                      .lower = cell->lower,
                                      .upper = cell->upper,
                                      .is_bool = cell->is_bool},
                  type);
    }
    return true;
}

/* Whether a cell has another range in some process of the template. */
static bool ranges_differ(const struct cell_group *group, const struct removal *removal,
                          const struct shape *element) {
    const struct network *network = group->context->network;
    bool differ = false;
    for (uint32_t i = 0; i < network->slot_count && !differ; i++) {
        const struct slot *slot = &network->slots[i];
        if (slot->symbol != removal->symbol) continue;
        const struct shape *cell = shape_cell(element, slot->offset % element->cell_count);
        differ = slot->lower != cell->lower || slot->upper != cell->upper;
    }
    return differ;
}

/* All arrays of a group have equal index ranges. */
static bool add_array(struct cell_group *group, const struct symbol *symbol) {
    const struct removal *removal = removed_ever(group->context->request, symbol);
    if (removal && removal->shape->kind == SHAPE_ARRAY) /* of which is said why not */
        VEC_PUSH(group->context->arena, &group->arrays, removal);
    if (!removal || !removal->is_whole || !removal->scope != !group->scope ||
        !network_has_one_shape(group->context->network, removal->template, symbol))
        return cell_group_refuse(group, 0, "'%s' is merged in parts, or differs between processes",
                                 symbol->name);
    const struct shape *shape = removal->shape;
    uint32_t dimension = 0;
    uint64_t count = 1;
    bool is_first = !group->fields.count, is_same = true;
    for (; shape->kind == SHAPE_ARRAY && dimension < CELLS_MAX_DIMENSIONS; shape = shape->element) {
        uint32_t size = (uint32_t)((int64_t)shape->upper - shape->lower + 1);
        if (is_first) group->lower[dimension] = shape->lower, group->size[dimension] = size;
        is_same &= group->lower[dimension] == shape->lower && group->size[dimension] == size;
        count *= size;
        dimension++;
    }
    if (is_first) group->dimension_count = dimension;
    is_same &= group->dimension_count == dimension;
    if (!dimension || !is_same || shape_has_array(shape) || count > CELLS_MAX_POSITIONS)
        return cell_group_refuse(group, 0,
                                 !dimension ? "'%s' is no array"
                                 : is_same  ? "the elements of '%s' hold arrays"
                                            : "'%s' has other indices than the arrays beside it",
                                 symbol->name);
    if (ranges_differ(group, removal, shape))
        return cell_group_refuse(group, 0, "cells of '%s' have other ranges in other processes",
                                 symbol->name);
    group->position_count = (uint32_t)count;
    if (add_fields(group, removal, shape)) return true;
    return cell_group_refuse(group, 0, "a record has over %d cells, or scalars", CELLS_MAX_FIELDS);
}

static const struct type type_of_pointed = {.kind = TYPE_BOOL};

/* An index that is removed with the arrays, and leads to one of their cells in every state. */
static bool add_pointer(struct cell_group *group, const struct symbol *symbol) {
    const struct removal *removal = removed_ever(group->context->request, symbol);
    if (group->pointer && removal == group->pointer) return true;
    bool is_one = removal && removal->is_whole && !removal->scope && !group->pointer &&
                  removal->shape->kind == SHAPE_CELL && !removal->shape->is_bool &&
                  !removal->shape->is_scalar && group->dimension_count == 1 &&
                  removal->template == group->arrays.items[0]->template &&
                  network_has_one_shape(group->context->network, removal->template, symbol);
    if (!is_one || removal->shape->lower < group->lower[0] ||
        removal->shape->upper >= group->lower[0] + (int64_t)group->size[0])
        return false;
    if (group->fields.count == CELLS_MAX_FIELDS) return false;
    group->pointer = removal;
    add_field(group, (struct cell_field){.removal = removal, .upper = 1, .is_bool = true},
              &type_of_pointed);
    return true;
}

/* Folds */

struct operand_list {
    struct cell_group *group;
    struct cell_fold *fold;
    const struct expr **of; /* by position */
    uint64_t budget;
};

static enum op op_of_quantifier(enum op op) {
    return op == OP_SUM ? OP_ADD : op == OP_EXISTS ? OP_OR : OP_AND;
}

const struct expr *cell_over_record(struct cell_group *group, const struct expr *expr,
                                    uint32_t *found) {
    struct record_path path;
    if (!expr) return NULL;
    if (expr_is_path(expr)) {
        int64_t index[CELLS_MAX_DIMENSIONS];
        uint32_t at;
        if (expr->kind == EXPR_NAME && !(expr->symbol && cell_group_has(group, expr->symbol)))
            return expr;
        if (record_path_parse(group, expr, &path)) {
            for (uint32_t d = 0; d < group->dimension_count; d++)
                if (!constant_value(group->context, path.index[d], &index[d])) return NULL;
            if (!cell_position(group, index, &at) || (*found != NO_SLOT && *found != at))
                return NULL;
            *found = at;
            return build_name(group->context->arena, group->fields.items[path.field].placeholder);
        }
        if (expr->kind == EXPR_NAME) return NULL;
    }
    if (expr->kind == EXPR_QUANTIFY || expr->kind == EXPR_CALL) return NULL;
    struct expr *copy = build_copy(group->context->arena, expr);
    for (int i = 0; i < 3; i++)
        if (expr->child[i] &&
            !(copy->child[i] = (struct expr *)cell_over_record(group, expr->child[i], found)))
            return NULL;
    return simplify_node(group->context->arena, copy);
}

static bool is_truth(enum op op) { return op == OP_AND || op == OP_OR; }

static bool join(const struct cell_fold *fold, int32_t *total, int32_t value) {
    int64_t sum = (int64_t)*total + value;
    if (fold->op == OP_ADD && (sum < INT32_MIN || sum > INT32_MAX)) return false;
    *total = cell_join(fold->op, *total, value);
    return true;
}

static bool add_operand(struct operand_list *list, const struct expr *expr) {
    struct cell_group *group = list->group;
    struct cell_fold *fold = list->fold;
    uint32_t at = NO_SLOT;
    const struct expr *operand = cell_over_record(group, expr, &at);
    int32_t value;
    if (!operand) return false;
    if (at == NO_SLOT) {
        if (!closed_value(group->context, operand, &value)) return false;
        if (!fold->has_base)
            fold->base = is_truth(fold->op) ? value != 0 : value, fold->has_base = true;
        else if (!join(fold, &fold->base, value))
            return false;
        return true;
    }
    const struct expr **slot = &list->of[at];
    if (*slot && fold->op != OP_ADD) return false; /* h would have two parts */
    *slot = *slot ? simplify_node(group->context->arena,
                                  build_binary(group->context->arena, OP_ADD, *slot, operand))
                  : operand;
    return true;
}

static bool collect(struct operand_list *list, const struct expr *expr) {
    struct context *context = list->group->context;
    if (list->budget-- == 0) return false;
    if (expr->kind == EXPR_BINARY && expr->op == list->fold->op)
        return collect(list, expr->child[0]) && collect(list, expr->child[1]);
    if (expr->kind != EXPR_QUANTIFY || op_of_quantifier(expr->op) != list->fold->op)
        return add_operand(list, expr);
    const struct shape *range = context_shape(context, expr->bound->type);
    if (!range || range->kind != SHAPE_CELL || range->is_scalar) return false;
    for (int64_t i = range->lower; i <= range->upper; i++) {
        const struct expr *body = expr_substitute(context->arena, expr->child[0], expr->bound,
                                                  build_int(context->arena, i));
        if (!collect(list, body)) return false;
    }
    return true;
}

/* f(c[k], k) is the sum of what it is for each cell, if the pointer leads there, else 0. */
static bool collect_pointed(struct operand_list *list, const struct expr *value) {
    struct cell_group *group = list->group;
    struct arena *arena = group->context->arena;
    const struct expr *pointed =
        build_name(arena, group->fields.items[group->fields.count - 1].placeholder);
    for (uint32_t p = 0; p < group->position_count; p++) {
        const struct expr *place = build_int(arena, group->lower[0] + (int64_t)p);
        uint32_t at = p;
        const struct expr *operand = cell_over_record(
            group, expr_substitute(arena, value, group->pointer->symbol, place), &at);
        if (!operand) return false;
        list->of[p] =
            simplify_node(arena, build_cond(arena, pointed, operand, build_int(arena, 0)));
    }
    return true;
}

static bool is_fold_op(enum op op) {
    return op == OP_ADD || op == OP_AND || op == OP_OR || op == OP_MIN || op == OP_MAX ||
           op == OP_BIT_XOR;
}

/* Zones of cells that all folds treat alike. */
static bool make_zones(struct cell_group *group, const struct expr ***operands) {
    struct arena *arena = group->context->arena;
    group->zones = ARENA_ARRAY(arena, struct cell_zone, CELLS_MAX_ZONES);
    group->zone_of = ARENA_ARRAY(arena, uint32_t, group->position_count);
    for (uint32_t p = 0; p < group->position_count; p++) {
        uint32_t z = 0;
        for (bool is_other = true; z < group->zone_count && is_other; z += is_other) {
            is_other = false;
            for (uint32_t g = 0; g < group->fold_count; g++) {
                const struct expr *left = operands[g][p], *right = group->zones[z].operands[g];
                is_other |= !left != !right || (left && !expr_equal(left, right));
            }
        }
        if (z == CELLS_MAX_ZONES) return false;
        if (z == group->zone_count) {
            group->zones[z].operands = ARENA_ARRAY(arena, const struct expr *, group->fold_count);
            for (uint32_t g = 0; g < group->fold_count; g++)
                group->zones[z].operands[g] = operands[g][p];
            group->zone_count++;
        }
        group->zone_of[p] = z;
        group->zones[z].size++;
    }
    return true;
}

static bool read_folds(struct cell_group *group) {
    struct arena *arena = group->context->arena;
    const struct expr ***operands = ARENA_ARRAY(arena, const struct expr **, group->fold_count);
    for (uint32_t g = 0; g < group->fold_count; g++) {
        struct cell_fold *fold = &group->folds[g];
        const struct expr *value = fold->ghost->value;
        operands[g] = ARENA_ARRAY(arena, const struct expr *, group->position_count);
        fold->op = value->kind == EXPR_QUANTIFY ? op_of_quantifier(value->op)
                   : value->kind == EXPR_BINARY && is_fold_op(value->op) ? value->op
                                                                         : OP_ADD;
        struct operand_list list = {group, fold, operands[g], 2 * (uint64_t)CELLS_MAX_POSITIONS};
        bool is_pointed = group->pointer && expr_mentions(value, group->pointer->symbol);
        if (is_pointed) fold->op = OP_ADD, fold->is_pointed = true;
        bool ok = is_pointed ? collect_pointed(&list, value) : collect(&list, value);
        if (!ok && !is_pointed && fold->op != OP_ADD) { /* about one record, as a sum of one part */
            *fold = (struct cell_fold){.ghost = fold->ghost, .op = OP_ADD};
            memset(operands[g], 0, group->position_count * sizeof *operands[g]);
            ok = add_operand(&list, value);
        }
        if (!ok)
            return cell_group_refuse(
                group, 0,
                "it is no sum, exists, forall, minimum or maximum of parts that read "
                "one cell, or one record, each");
    }
    if (make_zones(group, operands)) return true;
    return cell_group_refuse(group, 0, "the merges treat more than %d sets of cells differently",
                             CELLS_MAX_ZONES);
}

/* Groups */

static bool ghosts_share(const struct ghost *left, const struct ghost *right) {
    for (uint32_t i = 0; i < left->cells.count; i++)
        for (uint32_t k = 0; k < right->cells.count; k++)
            if (left->cells.items[i].symbol == right->cells.items[k].symbol) return true;
    return false;
}

/* Arrays first, and then what else the merges read: a pointer, or what is refused. */
static void add_symbols(struct cell_group *group, bool is_rest) {
    for (uint32_t f = 0; f < group->fold_count && !group->why_not; f++)
        for (uint32_t i = 0; i < group->folds[f].ghost->cells.count && !group->why_not; i++) {
            const struct symbol *symbol = group->folds[f].ghost->cells.items[i].symbol;
            const struct removal *removal = removed_ever(group->context->request, symbol);
            bool is_array = removal && removal->shape->kind == SHAPE_ARRAY;
            if (cell_group_has(group, symbol) || is_array == is_rest) continue;
            if (is_rest && group->arrays.count && add_pointer(group, symbol)) continue;
            add_array(group, symbol);
        }
}

static void find_group(struct context *context, struct cell_groups *groups, uint32_t first,
                       bool *is_taken) {
    const struct request *request = context->request;
    assert(!is_taken[first]); /* a merge is in one group */
    struct cell_group *group = ARENA_NEW(context->arena, struct cell_group);
    group->context = context;
    group->folds = ARENA_ARRAY(context->arena, struct cell_fold, request->ghosts.count);
    group->folds[group->fold_count++].ghost = request->ghosts.items[first];
    group->scope = request->ghosts.items[first]->scope; /* that of all that share its arrays */
    is_taken[first] = true;
    for (uint32_t f = 0; f < group->fold_count; f++)
        for (uint32_t i = first + 1; i < request->ghosts.count; i++) {
            if (is_taken[i] || !ghosts_share(group->folds[f].ghost, request->ghosts.items[i]))
                continue;
            is_taken[i] = true;
            group->folds[group->fold_count++].ghost = request->ghosts.items[i];
        }
    VEC_PUSH(context->arena, &groups->list, group);
    if (group->fold_count > CELLS_MAX_FOLDS)
        cell_group_refuse(group, 0, "more than %d merges share arrays", CELLS_MAX_FOLDS);
    add_symbols(group, false);
    add_symbols(group, true);
    if (!group->why_not) read_folds(group);
}

void cell_groups_find(struct context *context, struct cell_groups *groups) {
    const struct request *request = context->request;
    bool *is_taken = ARENA_ARRAY(context->arena, bool, request->ghosts.count + 1);
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        if (!is_taken[i]) find_group(context, groups, i, is_taken);
}
