/* See joint.h. */
#include "abstract/fold/joint.h"

#include "abstract/facts/context.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

bool unknown_is_same(const struct unknown *left, const struct unknown *right) {
    return left == right || (left->removal == right->removal && left->is_mid == right->is_mid &&
                             left->offset == right->offset && !left->access == !right->access &&
                             (!left->access || expr_equal(left->access, right->access)));
}

uint32_t columns_find(const struct columns *columns, const struct unknown *unknown) {
    for (uint32_t i = 0; i < columns->list.count; i++)
        if (unknown_is_same(columns->list.items[i], unknown)) return i;
    return NO_SLOT;
}

void columns_add(struct columns *columns, const struct open_edge *open) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (!unknown->is_chosen && columns_find(columns, unknown) == NO_SLOT)
            VEC_PUSH(columns->arena, &columns->list, unknown);
    }
}

static uint64_t access_size(const struct unknown *unknown) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < unknown->class_count; i++)
        size += value_set_size(&unknown->classes[i].values);
    return size;
}

static void load(struct columns *columns) {
    for (uint32_t i = 0; i < columns->list.count; i++) {
        const struct unknown *unknown = columns->list.items[i];
        columns->values[i] =
            unknown->access
                ? value_set_at(&unknown->classes[columns->class_of[i]].values, columns->index[i])
                : columns->rows
                      .values[(size_t)columns->row * columns->rows.dimension + columns->cell_of[i]];
    }
}

static bool advance_access(struct columns *columns, uint32_t i) {
    const struct unknown *unknown = columns->list.items[i];
    if (++columns->index[i] < value_set_size(&unknown->classes[columns->class_of[i]].values))
        return true;
    columns->index[i] = 0;
    do columns->class_of[i]++;
    while (columns->class_of[i] < unknown->class_count &&
           value_set_is_empty(&unknown->classes[columns->class_of[i]].values));
    if (columns->class_of[i] < unknown->class_count) return true;
    columns->class_of[i] = 0;
    while (value_set_is_empty(&unknown->classes[columns->class_of[i]].values))
        columns->class_of[i]++;
    return false;
}

static bool advance(struct columns *columns) {
    bool more = false;
    for (uint32_t i = columns->list.count; i-- > 0 && !more;)
        if (columns->list.items[i]->access) more = advance_access(columns, i);
    if (!more && columns->rows.count && ++columns->row < columns->rows.count) more = true;
    columns->number++;
    if (more) load(columns);
    return more;
}

bool columns_next(struct columns *columns) {
    while (advance(columns))
        if (!columns->is_possible || columns->is_possible[columns->number]) return true;
    return false;
}

static void restart(struct columns *columns) {
    columns->row = 0;
    columns->number = 0;
    for (uint32_t i = 0; i < columns->list.count; i++) {
        const struct unknown *unknown = columns->list.items[i];
        columns->index[i] = columns->class_of[i] = 0;
        if (!unknown->access) continue;
        while (value_set_is_empty(&unknown->classes[columns->class_of[i]].values))
            columns->class_of[i]++;
    }
    load(columns);
}

void columns_restart(struct columns *columns) {
    restart(columns);
    if (columns->is_possible && !columns->is_possible[0]) columns_next(columns);
}

static const struct expr *constant(struct arena *arena, const struct unknown *unknown,
                                   int32_t value) {
    const struct type *type = type_strip(unknown->placeholder->type);
    return type && type->kind == TYPE_BOOL ? build_bool(arena, value != 0)
                                           : build_int(arena, value);
}

const struct expr *columns_substitute(const struct columns *columns, const struct open_edge *open,
                                      struct arena *arena, const struct expr *expr) {
    if (!expr || !expr_has_unknown(expr)) return expr;
    if (expr->kind == EXPR_NAME) {
        for (uint32_t i = 0; i < open->unknowns.count; i++) {
            const struct unknown *unknown = open->unknowns.items[i];
            if (unknown->placeholder != expr->symbol || unknown->is_chosen) continue;
            uint32_t column = columns_find(columns, unknown);
            assert(column != NO_SLOT);
            return constant(arena, unknown, columns->values[column]);
        }
        return expr;
    }
    struct expr *copy = build_copy(arena, expr);
    for (int i = 0; i < 3; i++)
        copy->child[i] = (struct expr *)columns_substitute(columns, open, arena, expr->child[i]);
    if (expr->argument_count) {
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
        for (uint32_t i = 0; i < expr->argument_count; i++)
            copy->arguments[i] =
                (struct expr *)columns_substitute(columns, open, arena, expr->arguments[i]);
    }
    return simplify_node(arena, copy);
}

/* The condition on the index of an access, if other unknowns may decide it; else NULL. */
static const struct expr *hidden_condition(const struct columns *columns, uint32_t column) {
    const struct unknown *unknown = columns->list.items[column];
    const struct expr *condition =
        unknown->access ? unknown->classes[columns->class_of[column]].condition : NULL;
    return condition && expr_has_unknown(condition) ? condition : NULL;
}

/* Tuples in which the index of an access has a value of another class are none. Returns how many
 * others there are. */
static uint64_t find_possible(struct columns *columns, uint64_t total) {
    bool has_hidden = false;
    restart(columns);
    for (uint32_t i = 0; i < columns->list.count; i++)
        has_hidden |= hidden_condition(columns, i) != NULL;
    if (!has_hidden) return total;
    bool *is_possible = ARENA_ARRAY(columns->arena, bool, total);
    uint64_t count = 0;
    struct arena scratch;
    arena_init(&scratch);
    do {
        bool ok = true;
        for (uint32_t i = 0; i < columns->list.count && ok; i++) {
            const struct expr *condition = hidden_condition(columns, i);
            ok = !condition || !expr_is_false(columns_substitute(
                                   columns, columns->list.items[i]->open, &scratch, condition));
        }
        is_possible[columns->number] = ok;
        count += ok;
        arena_reset(&scratch);
    } while (advance(columns));
    arena_close(&scratch);
    columns->is_possible = is_possible;
    return count;
}

uint64_t columns_start(struct columns *columns, struct context *context,
                       const struct open_edge *open, uint64_t limit) {
    struct arena *arena = columns->arena;
    uint32_t count = columns->list.count, cells = 0;
    columns->cell_of = ARENA_ARRAY(arena, uint32_t, count + 1);
    columns->class_of = ARENA_ARRAY(arena, uint32_t, count + 1);
    columns->index = ARENA_ARRAY(arena, uint64_t, count + 1);
    columns->values = ARENA_ARRAY(arena, int32_t, count + 1);
    struct variable_cell *wanted = ARENA_ARRAY(arena, struct variable_cell, count + 1);
    uint64_t total = analysis_reaches(context->analysis, open->template, open->location);
    for (uint32_t i = 0; i < count; i++) {
        const struct unknown *unknown = columns->list.items[i];
        columns->cell_of[i] = NO_SLOT;
        if (unknown->access) {
            uint64_t size = access_size(unknown);
            if (size > limit) return UINT64_MAX;
            total *= size;
        } else {
            columns->cell_of[i] = cells;
            wanted[cells++] =
                (struct variable_cell){unknown->removal->symbol, unknown->offset, unknown->is_mid};
        }
        if (total > limit) return UINT64_MAX;
    }
    if (cells) {
        if (!analysis_tuples(context->analysis, open->template, open->location, wanted, cells,
                             (uint32_t)limit, &columns->rows, arena))
            return UINT64_MAX;
        total *= columns->rows.count;
    }
    if (total > limit) return UINT64_MAX;
    if (total) total = find_possible(columns, total);
    columns->is_empty = total == 0;
    if (total) columns_restart(columns);
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
        struct columns columns = {.arena = &scratch};
        columns_add(&columns, open);
        bool fits = columns_start(&columns, context, open, limit) <= limit;
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
