#include "abstract/cells/deal.h"

#include "abstract/cells/kinds.h"
#include "abstract/cells/row_set.h"
#include "abstract/edge/express.h"
#include "abstract/facts/cells.h"
#include "base/interrupt.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* sum of parts ~ value, where each part reads the select of one cell */
struct deal_condition {
    const struct expr *conjunct;
    enum op op;
    int64_t base, value;
    int32_t **parts; /* by position, by value of its select */
    bool is_growing; /* no part is negative: what exceeds the value stays so */
};

struct cell_deal {
    struct symbol **select_of; /* by position */
    int32_t *lower, *upper;    /* of the select, by position */
    VEC(struct deal_condition) conditions;
};

struct deal_reader {
    struct cell_group *group;
    struct arena *arena;
    const struct edge *edge;
    struct cell_deal *deal;
    const struct expr **parts; /* of the current condition, by position */
    int64_t base;
};

/* The position whose select an expression reads; NO_SLOT if it reads none; false if several, or
 * something else that is no constant. */
struct select_search {
    const struct deal_reader *reader;
    uint32_t found;
    bool is_clear;
};

static bool visit_select(void *context, const struct expr *expr) {
    struct select_search *search = context;
    const struct cell_group *group = search->reader->group;
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_QUANTIFY) search->is_clear = false;
    if (expr->kind != EXPR_NAME || !expr->symbol || expr->symbol->has_value) return true;
    uint32_t p = 0;
    while (p < group->position_count && search->reader->deal->select_of[p] != expr->symbol) p++;
    search->is_clear &=
        p < group->position_count && (search->found == NO_SLOT || search->found == p);
    search->found = p;
    return true;
}

static bool add_part(struct deal_reader *reader, const struct expr *expr) {
    struct select_search search = {reader, NO_SLOT, true};
    int32_t value;
    if (expr->kind == EXPR_BINARY && expr->op == OP_ADD)
        return add_part(reader, expr->child[0]) && add_part(reader, expr->child[1]);
    walk_expr(expr, visit_select, &search);
    if (!search.is_clear) return false;
    if (search.found == NO_SLOT) {
        bool ok = closed_value(reader->group->context, expr, &value);
        reader->base += ok ? value : 0;
        return ok;
    }
    const struct expr **part = &reader->parts[search.found];
    *part = *part ? build_binary(reader->arena, OP_ADD, *part, expr) : expr;
    return true;
}

/* The values of the parts for all values of their selects. */
static bool compute_parts(struct deal_reader *reader, struct deal_condition *condition) {
    struct cell_deal *deal = reader->deal;
    condition->is_growing = true;
    condition->parts = ARENA_ARRAY(reader->arena, int32_t *, reader->group->position_count + 1);
    for (uint32_t p = 0; p < reader->group->position_count; p++) {
        uint32_t count = (uint32_t)(deal->upper[p] - deal->lower[p]) + 1;
        assert(count <= CELLS_MAX_KINDS); /* of a select that deals */
        condition->parts[p] = ARENA_ARRAY(reader->arena, int32_t, count);
        for (uint32_t v = 0; reader->parts[p] && v < count; v++) {
            const struct expr *number = build_int(reader->arena, deal->lower[p] + (int64_t)v);
            const struct expr *part =
                expr_substitute(reader->arena, reader->parts[p], deal->select_of[p], number);
            if (!closed_value(reader->group->context, part, &condition->parts[p][v])) return false;
            condition->is_growing &= condition->parts[p][v] >= 0;
        }
    }
    return true;
}

/* Whether no total wraps, whatever the selects are: as with all cells, so with the first of
 * them. */
static bool totals_fit(const struct deal_reader *reader, const struct deal_condition *condition) {
    const struct cell_deal *deal = reader->deal;
    int64_t low = condition->base, high = condition->base;
    for (uint32_t p = 0; p < reader->group->position_count; p++) {
        int64_t least = 0, most = 0;
        for (int64_t v = 0; v <= (int64_t)deal->upper[p] - deal->lower[p]; v++) {
            if (condition->parts[p][v] < least) least = condition->parts[p][v];
            if (condition->parts[p][v] > most) most = condition->parts[p][v];
        }
        low += least;
        high += most;
    }
    return low >= INT32_MIN && high <= INT32_MAX;
}

static bool is_comparison(enum op op) { return op >= OP_LT && op <= OP_NE; }

static bool mentions_select(const struct deal_reader *reader, const struct expr *expr) {
    bool found = false;
    for (uint32_t s = 0; s < reader->edge->select_count && !found; s++)
        found = expr_mentions(expr, reader->edge->selects[s]);
    return found;
}

static bool read_condition(struct deal_reader *reader, const struct expr *guard) {
    if (!guard) return true;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND)
        return read_condition(reader, guard->child[0]) && read_condition(reader, guard->child[1]);
    if (!mentions_select(reader, guard)) return true;
    int32_t value;
    if (guard->kind != EXPR_BINARY || !is_comparison(guard->op) ||
        reader->deal->conditions.count == DEAL_MAX_CONDITIONS)
        return false;
    bool is_right = mentions_select(reader, guard->child[0]);
    const struct expr *number = guard->child[is_right ? 1 : 0];
    if (mentions_select(reader, number) || !closed_value(reader->group->context, number, &value))
        return false;
    struct deal_condition condition = {
        .conjunct = guard, .op = is_right ? guard->op : op_turned(guard->op), .value = value};
    reader->base = 0;
    reader->parts =
        ARENA_ARRAY(reader->arena, const struct expr *, reader->group->position_count + 1);
    if (!add_part(reader, guard->child[is_right ? 0 : 1])) return false;
    condition.base = reader->base;
    if (!compute_parts(reader, &condition) || !totals_fit(reader, &condition)) return false;
    VEC_PUSH(reader->arena, &reader->deal->conditions, condition);
    return true;
}

/* A[constant] = select */
static bool read_gift(struct deal_reader *reader, const struct expr *item) {
    struct cell_group *group = reader->group;
    struct record_path path;
    int64_t index[CELLS_MAX_DIMENSIONS];
    uint32_t at;
    if (item->kind != EXPR_ASSIGN || item->op != OP_ASSIGN ||
        !record_path_parse(group, item->child[0], &path) || item->child[1]->kind != EXPR_NAME)
        return false;
    for (uint32_t d = 0; d < group->dimension_count; d++)
        if (!constant_value(group->context, path.index[d], &index[d])) return false;
    struct symbol *select = item->child[1]->symbol;
    const struct shape *shape = NULL;
    for (uint32_t s = 0; s < reader->edge->select_count; s++)
        if (reader->edge->selects[s] == select) shape = context_shape(group->context, select->type);
    if (!shape || shape->kind != SHAPE_CELL || shape->is_scalar ||
        (int64_t)shape->upper - shape->lower >= CELLS_MAX_KINDS ||
        shape->lower < group->fields.items[0].lower ||
        shape->upper > group->fields.items[0].upper || !cell_position(group, index, &at) ||
        reader->deal->select_of[at])
        return false;
    for (uint32_t p = 0; p < group->position_count; p++)
        if (reader->deal->select_of[p] == select) return false;
    reader->deal->select_of[at] = select;
    reader->deal->lower[at] = shape->lower;
    reader->deal->upper[at] = shape->upper;
    return true;
}

const struct cell_deal *deal_read(struct cell_group *group, const struct template *template,
                                  const struct edge *edge) {
    struct arena *arena = group->context->arena;
    struct cell_deal *deal = ARENA_NEW(arena, struct cell_deal);
    struct deal_reader reader = {.group = group, .arena = arena, .edge = edge, .deal = deal};
    uint32_t gifts = 0;
    if (group->fields.count != 1 || edge->select_count != group->position_count) return NULL;
    deal->select_of = ARENA_ARRAY(arena, struct symbol *, group->position_count);
    deal->lower = ARENA_ARRAY(arena, int32_t, group->position_count);
    deal->upper = ARENA_ARRAY(arena, int32_t, group->position_count);
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        const struct expr *item = edge->updates.items[i];
        const struct symbol *root = item->kind == EXPR_ASSIGN ? expr_root(item->child[0]) : NULL;
        if (root && cell_group_has(group, root)) {
            if (!read_gift(&reader, item)) return NULL;
            gifts++;
        } else if (mentions_select(&reader, item)) {
            return NULL;
        }
    }
    if (gifts != group->position_count || mentions_select(&reader, edge->sync) ||
        !read_condition(&reader, guard_of_edge(group->context->network, template, edge)))
        return NULL;
    return deal;
}

bool deal_asks(const struct cell_deal *deal, const struct expr *conjunct) {
    bool found = false;
    for (uint32_t i = 0; i < deal->conditions.count; i++)
        found |= deal->conditions.items[i].conjunct == conjunct;
    return found;
}

bool deal_add_kinds(struct cell_group *group, const struct cell_deal *deal) {
    for (uint32_t p = 0; p < group->position_count; p++)
        for (int64_t v = deal->lower[p]; v <= deal->upper[p]; v++) {
            int32_t value = (int32_t)v;
            if (cell_zone_add(group, group->zone_of[p], &value)) continue;
            return cell_group_refuse(group, 0, "cells may have too many values");
        }
    return true;
}

/* Totals: of the merges, then of the conditions. */

static bool holds(const struct deal_condition *condition, int64_t total) {
    switch (condition->op) {
    case OP_LT: return total < condition->value;
    case OP_LE: return total <= condition->value;
    case OP_GE: return total >= condition->value;
    case OP_GT: return total > condition->value;
    case OP_EQ: return total == condition->value;
    default: assert(condition->op == OP_NE); return total != condition->value;
    }
}

static bool is_lost(const struct deal_condition *condition, int64_t total) {
    bool is_bound = condition->op == OP_LT || condition->op == OP_LE || condition->op == OP_EQ;
    return condition->is_growing && is_bound && total > condition->value;
}

/* The totals with one more cell; false if a condition cannot hold any more. */
static bool add_gift(const struct cell_group *group, const struct cell_deal *deal, uint32_t p,
                     int32_t value, const bool *has_cell, int32_t *row) {
    const struct cell_zone *zone = &group->zones[group->zone_of[p]];
    uint32_t k = 0;
    while (k < zone->kinds.count && zone->kinds.items[k].values[0] != value) k++;
    assert(k < zone->kinds.count); /* what is dealt are kinds */
    for (uint32_t g = 0; g < group->fold_count; g++) {
        int32_t weight = zone->kinds.items[k].weights[g];
        if (zone->operands[g])
            row[g] = has_cell[g] ? cell_join(group->folds[g].op, row[g], weight) : weight;
    }
    for (uint32_t i = 0; i < deal->conditions.count; i++) {
        int32_t *total = &row[group->fold_count + i];
        int64_t sum = (int64_t)*total + deal->conditions.items[i].parts[p][value - deal->lower[p]];
        assert(sum >= INT32_MIN && sum <= INT32_MAX); /* or it would be no deal */
        if (is_lost(&deal->conditions.items[i], sum)) return false;
        *total = (int32_t)sum;
    }
    return true;
}

static bool deal_cell(const struct cell_group *group, const struct cell_deal *deal, uint32_t p,
                      const bool *has_cell, const struct row_set *from, struct row_set *to) {
    int32_t *row = ARENA_ARRAY(to->arena, int32_t, from->width + 1);
    for (uint32_t i = 0; i < from->rows.count; i++)
        for (int64_t v = deal->lower[p]; v <= deal->upper[p]; v++) {
            memcpy(row, from->rows.items[i], from->width * sizeof *row);
            if (add_gift(group, deal, p, (int32_t)v, has_cell, row)) row_set_add(to, row);
            if (to->rows.count > DEAL_MAX_STATES || interrupt_is_asked()) return false;
        }
    return true;
}

static bool note_outcomes(const struct cell_group *group, const struct cell_deal *deal,
                          const struct row_set *rows, struct deal_outcomes *outcomes) {
    struct row_set found;
    row_set_init(&found, group->context->arena, group->fold_count);
    for (uint32_t i = 0; i < rows->rows.count; i++) {
        const int32_t *row = rows->rows.items[i];
        bool ok = true;
        for (uint32_t c = 0; c < deal->conditions.count; c++)
            ok &= holds(&deal->conditions.items[c], row[group->fold_count + c]);
        if (ok) row_set_add(&found, row);
    }
    for (uint32_t i = 0; i < found.rows.count; i++)
        VEC_PUSH(group->context->arena, &outcomes->list, found.rows.items[i]);
    return found.rows.count <= DEAL_MAX_OUTCOMES;
}

bool deal_outcomes_find(const struct cell_group *group, const struct cell_deal *deal,
                        struct deal_outcomes *outcomes) {
    struct arena scratch[2];
    struct row_set sets[2];
    uint32_t width = group->fold_count + deal->conditions.count, now = 0;
    int32_t first[CELLS_MAX_FOLDS + DEAL_MAX_CONDITIONS] = {0};
    bool has_cell[CELLS_MAX_FOLDS], ok = true;
    for (uint32_t g = 0; g < group->fold_count; g++) {
        first[g] = group->folds[g].base;
        has_cell[g] = group->folds[g].has_base || cell_fold_is_sum(&group->folds[g]);
    }
    for (uint32_t i = 0; i < deal->conditions.count; i++)
        first[group->fold_count + i] = (int32_t)deal->conditions.items[i].base;
    assert(width <= CELLS_MAX_FOLDS + DEAL_MAX_CONDITIONS);
    arena_init(&scratch[0]);
    arena_init(&scratch[1]);
    row_set_init(&sets[0], &scratch[0], width);
    row_set_add(&sets[0], first);
    for (uint32_t p = 0; p < group->position_count && ok; p++) {
        arena_reset(&scratch[!now]);
        row_set_init(&sets[!now], &scratch[!now], width);
        ok = deal_cell(group, deal, p, has_cell, &sets[now], &sets[!now]);
        now = !now;
        for (uint32_t g = 0; g < group->fold_count; g++)
            has_cell[g] |= group->zones[group->zone_of[p]].operands[g] != NULL;
    }
    ok = ok && note_outcomes(group, deal, &sets[now], outcomes);
    arena_close(&scratch[0]);
    arena_close(&scratch[1]);
    return ok;
}
