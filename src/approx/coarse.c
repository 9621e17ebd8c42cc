/* What update items past the budget may write, as intervals (A5). */
#include "approx/coarse.h"

#include "approx/interval.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { MAX_LEVELS = 4, MAX_CELLS = 1024 };

struct reader {
    struct label_run *run;
    const struct leg *leg;
    uint32_t item;
};

/* The cells that an lvalue may be: one for each combination of its uncertain indices (A5). */
struct cells {
    struct binding first;
    const struct binding *variable;
    struct level {
        uint32_t stride, count;
    } levels[MAX_LEVELS];
    uint32_t level_count, count;
};

static bool interval_of(const struct reader *reader, const struct expr *expr,
                        struct interval *result);

/* Places */

/* Rule A5: operands are variables, constants and selects. */
static const struct binding *find_binding(const struct reader *reader,
                                          const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_SELECT) return &reader->run->frames[0][symbol->index];
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return NULL;
    return relevance_binding(reader->run->network, reader->leg->process, symbol);
}

/* Rule A5: goes into the elements that the index may mean; others are an error, and no step. */
static bool go_into_elements(struct cells *place, struct interval index) {
    const struct shape *array = place->first.shape;
    if (index.lower < array->lower) index.lower = array->lower;
    if (index.upper > array->upper) index.upper = array->upper;
    if (index.lower > index.upper) return false;
    uint32_t stride = array->element->cell_count;
    uint64_t count = (uint64_t)(index.upper - index.lower + 1);
    place->first.address += (uint32_t)(index.lower - array->lower) * stride;
    place->first.shape = array->element;
    if (count == 1) return true;
    if (place->level_count == MAX_LEVELS || count > MAX_CELLS / place->count) return false;
    place->levels[place->level_count++] = (struct level){stride, (uint32_t)count};
    place->count *= (uint32_t)count;
    return true;
}

/* Rule A5: false if the expression is no plain path to cells, or leads to too many. */
static bool find_place(const struct reader *reader, const struct expr *expr, struct cells *place) {
    struct interval index;
    switch (expr->kind) {
    case EXPR_NAME:
        *place = (struct cells){.variable = find_binding(reader, expr->symbol), .count = 1};
        if (!place->variable || !place->variable->shape) return false;
        place->first = *place->variable;
        return true;
    case EXPR_INDEX:
        return find_place(reader, expr->child[0], place) &&
               place->first.shape->kind == SHAPE_ARRAY &&
               interval_of(reader, expr->child[1], &index) && go_into_elements(place, index);
    case EXPR_FIELD:
        if (expr->symbol || !find_place(reader, expr->child[0], place) ||
            place->first.shape->kind != SHAPE_STRUCT)
            return false;
        place->first.address += place->first.shape->offsets[expr->field_index];
        place->first.shape = place->first.shape->fields[expr->field_index];
        return true;
    default: return false;
    }
}

/* Rule A5: the address of one of the count cells of a place. */
static uint32_t cell_address(const struct cells *place, uint32_t cell) {
    uint32_t address = place->first.address;
    for (uint32_t i = 0; i < place->level_count; i++) {
        address += cell % place->levels[i].count * place->levels[i].stride;
        cell /= place->levels[i].count;
    }
    return address;
}

/* Rule A5: whether an item before this one may have written the variable. */
static bool is_written_before(const struct reader *reader, const struct binding *variable) {
    const struct network *network = reader->run->network;
    const struct leg *leg = reader->leg;
    const struct template *template = leg->process->template;
    const struct effects *items =
        reader->run->analysis->summary->items[template->index][leg->edge - template->edges];
    for (uint32_t i = 0; i < reader->item; i++)
        for (uint32_t k = 0; k < items[i].list.count; k++) {
            const struct effect *effect = &items[i].list.items[k];
            const struct binding *other =
                effect->writes ? relevance_binding(network, leg->process, effect->symbol) : NULL;
            if (other && other->address < variable->address + variable->shape->cell_count &&
                variable->address < other->address + other->shape->cell_count)
                return true;
        }
    return false;
}

/* Rule A5: the least and greatest value of a cell; false if it is not known to have any. */
static bool read_cell(const struct reader *reader, uint32_t address, bool is_written,
                      struct interval *result) {
    const struct label_run *run = reader->run;
    const struct network *network = run->network;
    uint32_t slot = address < network->cell_count ? network->slot_of[address] : NO_SLOT;
    if (address >= network->cell_count) {
        const struct value_set *values = &run->selects[address - network->cell_count];
        return interval_of_domain((struct cell_domain){.set = values}, address, result);
    }
    if (slot != NO_SLOT && (!is_written || slot_is_shared(network, slot)))
        return interval_of_domain(run->domain(run->context, slot), address, result);
    *result = (struct interval){network->cells[address], network->cells[address]};
    if (slot != NO_SLOT)
        *result = (struct interval){network->slots[slot].lower, network->slots[slot].upper};
    return true;
}

/* Rule A5: the hull over all cells that a place may be. */
static bool read_place(const struct reader *reader, const struct cells *place,
                       struct interval *result) {
    if (place->first.shape->kind != SHAPE_CELL) return false;
    bool is_written = is_written_before(reader, place->variable);
    *result = (struct interval){INT64_MAX, INT64_MIN};
    for (uint32_t i = 0; i < place->count; i++) {
        struct interval cell;
        if (!read_cell(reader, cell_address(place, i), is_written, &cell)) return false;
        *result = interval_unite(*result, cell);
    }
    return result->lower <= result->upper;
}

/* Values */

/* Rule A5: false if nothing is known, or the value may not fit 32 bits. */
static bool interval_of(const struct reader *reader, const struct expr *expr,
                        struct interval *result) {
    struct interval left, right;
    struct cells place;
    *result = (struct interval){0, 1};
    if (interval_is_condition(expr)) return true;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL: *result = (struct interval){expr->value, expr->value}; return true;
    case EXPR_NAME:
    case EXPR_INDEX:
    case EXPR_FIELD: return find_place(reader, expr, &place) && read_place(reader, &place, result);
    case EXPR_UNARY:
        if (expr->op != OP_NEG || !interval_of(reader, expr->child[0], &left)) return false;
        *result = (struct interval){-left.upper, -left.lower};
        break;
    case EXPR_BINARY:
        if (!interval_of(reader, expr->child[0], &left) ||
            !interval_of(reader, expr->child[1], &right) ||
            !interval_operate(expr->op, left, right, result))
            return false;
        break;
    case EXPR_COND:
        if (!interval_of(reader, expr->child[1], &left) ||
            !interval_of(reader, expr->child[2], &right))
            return false;
        *result = interval_unite(left, right);
        break;
    default: return false;
    }
    return interval_fits(*result);
}

/* Items */

static bool note_effect(void *context, const struct expr *expr) {
    uint32_t *count = context;
    *count += expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP || expr->kind == EXPR_CALL;
    return true;
}

/* Rule A5: where an assignment writes, and what; false for any other item. */
static bool assignment_of(const struct reader *reader, const struct expr *expr, struct cells *place,
                          struct interval *value) {
    uint32_t effects = 0;
    struct interval old, operand = {1, 1};
    if (expr->kind != EXPR_ASSIGN && expr->kind != EXPR_STEP) return false;
    walk_expr(expr, note_effect, &effects);
    if (effects != 1 || !find_place(reader, expr->child[0], place) ||
        place->first.shape->kind != SHAPE_CELL)
        return false;
    enum op op = expr->op == OP_PRE_INC || expr->op == OP_POST_INC ? OP_ADD : OP_SUB;
    if (expr->kind == EXPR_ASSIGN) {
        op = op_of_assignment(expr->op);
        if (!interval_of(reader, expr->child[1], &operand)) return false;
    }
    *value = operand;
    if (op != OP_NONE &&
        (!read_place(reader, place, &old) || !interval_operate(op, old, operand, value)))
        return false;
    return interval_fits(*value);
}

struct found_listener {
    coarse_found found;
    void *context;
};

/* Rule A5: the declared range. */
static void found_any(struct label_run *run, uint32_t slot, void *context) {
    const struct found_listener *listener = context;
    const struct slot *of = &run->network->slots[slot];
    listener->found(run, slot, of->lower, of->upper, listener->context);
}

/* Rule A5: what the declared range leaves of the value; the rest is an error, and no step. */
static void found_value(struct label_run *run, uint32_t address, struct interval value,
                        const struct found_listener *listener) {
    uint32_t slot = run->network->slot_of[address];
    if (slot == NO_SLOT || !run->analysis->is_tracked[slot]) return;
    const struct slot *of = &run->network->slots[slot];
    if (of->is_bool)
        value = (struct interval){value.lower > 0 || value.upper < 0, value.lower || value.upper};
    if (value.lower < of->lower) value.lower = of->lower;
    if (value.upper > of->upper) value.upper = of->upper;
    if (value.lower <= value.upper)
        listener->found(run, slot, (int32_t)value.lower, (int32_t)value.upper, listener->context);
}

void coarse_writes(struct label_run *run, const struct leg *leg, coarse_found found,
                   void *context) {
    struct found_listener listener = {found, context};
    assert(leg->plan->is_relaxed);
    for (uint32_t i = leg->plan->item_limit; i < leg->edge->updates.count; i++) {
        struct reader reader = {run, leg, i};
        struct cells place;
        struct interval value;
        if (!leg->plan->is_relevant[i]) continue;
        if (!assignment_of(&reader, leg->edge->updates.items[i], &place, &value)) {
            label_run_item_writes(run, leg, i, found_any, &listener);
            continue;
        }
        for (uint32_t k = 0; k < place.count; k++)
            found_value(run, cell_address(&place, k), value, &listener);
    }
}
