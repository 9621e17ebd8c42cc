#include "abstract/fold/joint.h"

#include "abstract/facts/context.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

/* Whether two unknowns stand for the same value in one state. */
static bool unknown_is_same(const struct unknown *left, const struct unknown *right) {
    return left == right ||
           (left->removal == right->removal && left->is_within_step == right->is_within_step &&
            left->offset == right->offset && !left->access == !right->access &&
            (!left->access || expr_equal(left->access, right->access)));
}

uint32_t joint_find(const struct joint_values *joint, const struct unknown *unknown) {
    for (uint32_t i = 0; i < joint->list.count; i++)
        if (unknown_is_same(joint->list.items[i], unknown)) return i;
    return NO_SLOT;
}

void joint_add(struct joint_values *joint, const struct open_edge *open) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (!unknown->is_chosen && joint_find(joint, unknown) == NO_SLOT)
            VEC_PUSH(joint->arena, &joint->list, unknown);
    }
}

static uint64_t access_size(const struct unknown *unknown) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < unknown->class_count; i++)
        size += value_set_size(&unknown->classes[i].values);
    return size;
}

static void load(struct joint_values *joint) {
    for (uint32_t i = 0; i < joint->list.count; i++) {
        const struct unknown *unknown = joint->list.items[i];
        assert(unknown->access ? joint->class_of[i] < unknown->class_count
                               : joint->cell_of[i] < joint->rows.dimension);
        joint->values[i] =
            unknown->access
                ? value_set_at(&unknown->classes[joint->class_of[i]].values, joint->index[i])
                : joint->rows
                      .values[(size_t)joint->row * joint->rows.dimension + joint->cell_of[i]];
    }
}

static bool advance_access(struct joint_values *joint, uint32_t i) {
    const struct unknown *unknown = joint->list.items[i];
    assert(unknown->access && joint->class_of[i] < unknown->class_count);
    if (++joint->index[i] < value_set_size(&unknown->classes[joint->class_of[i]].values))
        return true;
    joint->index[i] = 0;
    do joint->class_of[i]++;
    while (joint->class_of[i] < unknown->class_count &&
           value_set_is_empty(&unknown->classes[joint->class_of[i]].values));
    if (joint->class_of[i] < unknown->class_count) return true;
    joint->class_of[i] = 0;
    while (value_set_is_empty(&unknown->classes[joint->class_of[i]].values)) joint->class_of[i]++;
    return false;
}

static bool advance(struct joint_values *joint) {
    bool more = false;
    for (uint32_t i = joint->list.count; i-- > 0 && !more;)
        if (joint->list.items[i]->access) more = advance_access(joint, i);
    if (!more && joint->rows.count && ++joint->row < joint->rows.count) more = true;
    joint->number++;
    assert(joint->number <= joint->total);
    if (more) load(joint);
    return more;
}

/* Goes on to the next tuple; false after the last, and the run is over. */
bool joint_next(struct joint_values *joint) {
    while (advance(joint))
        if (!joint->is_possible || joint->is_possible[joint->number]) return true;
    assert(joint->number == joint->total);
    return false;
}

static void restart(struct joint_values *joint) {
    joint->row = 0;
    joint->number = 0;
    for (uint32_t i = 0; i < joint->list.count; i++) {
        const struct unknown *unknown = joint->list.items[i];
        joint->index[i] = joint->class_of[i] = 0;
        if (!unknown->access) continue;
        while (value_set_is_empty(&unknown->classes[joint->class_of[i]].values))
            joint->class_of[i]++;
    }
    load(joint);
}

void joint_restart(struct joint_values *joint) {
    restart(joint);
    assert(!joint->is_empty);
    bool has_tuple = !joint->is_possible || joint->is_possible[0] || joint_next(joint);
    assert(has_tuple);
    (void)has_tuple;
}

static const struct expr *constant(struct arena *arena, const struct unknown *unknown,
                                   int32_t value) {
    const struct type *type = type_strip(unknown->placeholder->type);
    return type && type->kind == TYPE_BOOL ? build_bool(arena, value != 0)
                                           : build_int(arena, value);
}

/* Whether simplifying would lose that it fails: nothing else says so of an update. */
static bool loses_failure(const struct expr *expr) {
    return expr->kind == EXPR_BINARY && expr->op == OP_AND && expr_is_false(expr->child[1]) &&
           expr_can_fault(expr->child[0]);
}

const struct expr *joint_substitute(const struct joint_values *joint, const struct open_edge *open,
                                    struct arena *arena, const struct expr *expr) {
    if (!expr || !expr_has_unknown(expr)) return expr;
    if (expr->kind == EXPR_NAME) {
        for (uint32_t i = 0; i < open->unknowns.count; i++) {
            const struct unknown *unknown = open->unknowns.items[i];
            if (unknown->placeholder != expr->symbol || unknown->is_chosen) continue;
            uint32_t column = joint_find(joint, unknown);
            assert(column != NO_SLOT);
            return constant(arena, unknown, joint->values[column]);
        }
        return expr;
    }
    struct expr *copy = build_copy(arena, expr);
    for (int i = 0; i < 3; i++)
        copy->child[i] = (struct expr *)joint_substitute(joint, open, arena, expr->child[i]);
    if (expr->argument_count) {
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
        for (uint32_t i = 0; i < expr->argument_count; i++)
            copy->arguments[i] =
                (struct expr *)joint_substitute(joint, open, arena, expr->arguments[i]);
    }
    return joint->keeps_failures && loses_failure(copy) ? copy : simplify_node(arena, copy);
}

/* The condition on the index of an access, if other unknowns may decide it; else NULL. */
static const struct expr *hidden_condition(const struct joint_values *joint, uint32_t column) {
    const struct unknown *unknown = joint->list.items[column];
    const struct expr *condition =
        unknown->access ? unknown->classes[joint->class_of[column]].condition : NULL;
    return condition && expr_has_unknown(condition) ? condition : NULL;
}

/* Tuples in which the index of an access has a value of another class are none. Returns how many
 * others there are. */
static uint64_t find_possible(struct joint_values *joint, uint64_t total) {
    bool has_hidden = false;
    restart(joint);
    for (uint32_t i = 0; i < joint->list.count; i++)
        has_hidden |= hidden_condition(joint, i) != NULL;
    if (!has_hidden) return total;
    assert(total > 0);
    bool *is_possible = ARENA_ARRAY(joint->arena, bool, total);
    uint64_t count = 0;
    struct arena scratch;
    arena_init(&scratch);
    do {
        bool ok = true;
        for (uint32_t i = 0; i < joint->list.count && ok; i++) {
            const struct expr *condition = hidden_condition(joint, i);
            ok = !condition || !expr_is_false(joint_substitute(joint, joint->list.items[i]->open,
                                                               &scratch, condition));
        }
        is_possible[joint->number] = ok;
        count += ok;
        arena_reset(&scratch);
    } while (advance(joint));
    assert(joint->number == total); /* each tuple came once */
    arena_close(&scratch);
    joint->is_possible = is_possible;
    return count;
}

uint64_t joint_start(struct joint_values *joint, struct context *context,
                     const struct open_edge *open, uint64_t limit) {
    struct arena *arena = joint->arena;
    uint32_t count = joint->list.count, cells = 0;
    assert(limit <= UINT32_MAX);
    joint->cell_of = ARENA_ARRAY(arena, uint32_t, count + 1);
    joint->class_of = ARENA_ARRAY(arena, uint32_t, count + 1);
    joint->index = ARENA_ARRAY(arena, uint64_t, count + 1);
    joint->values = ARENA_ARRAY(arena, int32_t, count + 1);
    struct variable_cell *wanted = ARENA_ARRAY(arena, struct variable_cell, count + 1);
    uint64_t total = analysis_reaches(context->analysis, open->template, open->location);
    for (uint32_t i = 0; i < count; i++) {
        const struct unknown *unknown = joint->list.items[i];
        joint->cell_of[i] = NO_SLOT;
        if (unknown->access) {
            uint64_t size = access_size(unknown);
            if (size > limit) return UINT64_MAX;
            total *= size;
        } else {
            joint->cell_of[i] = cells;
            wanted[cells++] = (struct variable_cell){unknown->removal->symbol, unknown->offset,
                                                     unknown->is_within_step};
        }
        if (total > limit) return UINT64_MAX;
    }
    if (cells) {
        if (!analysis_tuples(context->analysis, open->template, open->location, wanted, cells,
                             (uint32_t)limit, &joint->rows, arena))
            return UINT64_MAX;
        total *= joint->rows.count;
    }
    assert(!cells || !joint->rows.count || joint->rows.dimension == cells);
    if (total > limit) return UINT64_MAX;
    joint->total = total;
    if (total) total = find_possible(joint, total);
    joint->is_empty = total == 0;
    if (total) joint_restart(joint);
    return total;
}

void open_edge_choose(struct context *context, struct open_edge *open, uint64_t limit) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct symbol *placeholder = open->unknowns.items[i]->placeholder;
        if (type_strip(placeholder->type)->kind == TYPE_SCALAR)
            open->unknowns.items[i]->is_chosen = open_edge_mentions(open, placeholder);
    }
    for (;;) {
        struct arena scratch;
        arena_init(&scratch);
        struct joint_values joint = {.arena = &scratch};
        joint_add(&joint, open);
        bool fits = joint_start(&joint, context, open, limit) <= limit;
        struct unknown *largest = NULL;
        for (uint32_t i = 0; i < open->unknowns.count; i++) {
            struct unknown *unknown = open->unknowns.items[i];
            if (!unknown->is_chosen &&
                (!largest || value_set_size(&unknown->values) > value_set_size(&largest->values)))
                largest = unknown;
        }
        arena_close(&scratch);
        if (fits || !largest) return;
        largest->is_chosen = true;
    }
}
