#include "approx/threshold.h"

#include "base/map.h"
#include "base/sort.h"
#include "base/vec.h"
#include "lang/syntax/walk.h"

#include <stdlib.h>

struct numbers {
    struct arena *arena;
    VEC(int32_t) list;
    struct map added; /* by value; the same few occur in many cells */
};

static void add(struct numbers *numbers, int64_t value) {
    if (map_get(&numbers->added, (uint64_t)value)) return;
    map_put(&numbers->added, (uint64_t)value, numbers);
    for (int64_t i = value - 1; i <= value + 1; i++)
        if (i >= INT32_MIN && i <= INT32_MAX) VEC_PUSH(numbers->arena, &numbers->list, (int32_t)i);
}

/* Rule A5: a literal, with either sign. */
static bool add_literal(void *context, const struct expr *expr) {
    if (expr->kind != EXPR_INT) return true;
    add(context, expr->value);
    add(context, -expr->value);
    return true;
}

static void add_functions(struct numbers *numbers, struct symbol *const *symbols, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (symbols[i]->kind == SYMBOL_FUNCTION && symbols[i]->function)
            walk_statement(symbols[i]->function->body, add_literal, numbers);
}

static void add_template(struct numbers *numbers, const struct network *network,
                         const struct template *template) {
    for (uint32_t i = 0; i < template->location_count; i++)
        walk_expr(invariant_at(network, template, i), add_literal, numbers);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        walk_expr(guard_of_edge(network, template, &template->edges[i]), add_literal, numbers);
        walk_list(&template->edges[i].updates, add_literal, numbers);
    }
    add_functions(numbers, template->symbols, template->symbol_count);
}

/* Rule A5: the values of constants and parameters, and what variables start with and may hold. */
static void add_cells(struct numbers *numbers, const struct network *network) {
    for (uint32_t i = 0; i < network->cell_count; i++) add(numbers, network->cells[i]);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        add(numbers, network->slots[i].lower);
        add(numbers, network->slots[i].upper);
    }
}

static int by_size(const void *left, const void *right) {
    int64_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    int64_t size = llabs(a), other = llabs(b);
    if (size != other) return size < other ? -1 : 1;
    return (a > b) - (a < b);
}

struct thresholds thresholds_of(const struct network *network, struct arena *arena) {
    struct arena scratch;
    arena_init(&scratch);
    struct numbers numbers = {.arena = &scratch};
    map_init(&numbers.added, &scratch);
    const struct model *model = network->model;
    add_cells(&numbers, network);
    add_functions(&numbers, model->symbols, model->symbol_count);
    for (uint32_t i = 0; i < model->template_count; i++)
        add_template(&numbers, network, model->templates[i]);
    if (numbers.list.count) qsort(numbers.list.items, numbers.list.count, sizeof(int32_t), by_size);
    int32_t *values = ARENA_ARRAY(arena, int32_t, THRESHOLD_MAX_COUNT);
    uint32_t count = 0;
    for (uint32_t i = 0; i < numbers.list.count && count < THRESHOLD_MAX_COUNT; i++)
        if (!count || values[count - 1] != numbers.list.items[i])
            values[count++] = numbers.list.items[i];
    arena_close(&scratch);
    qsort(values, count, sizeof *values, compare_i32);
    return (struct thresholds){values, count};
}
