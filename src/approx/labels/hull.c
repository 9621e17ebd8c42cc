#include "approx/labels/hull.h"

#include <assert.h>

enum { MAX_CELLS = 1024 };

/* Places */

/* Rule A5: operands are variables, constants and selects. */
static const struct binding *find_binding(const struct hull *hull, const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_SELECT) return &hull->run->frames[hull->number][symbol->index];
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return NULL;
    return relevance_binding(hull->run->network, hull->leg->process, symbol);
}

/* Rule A5: goes into the elements that the index may mean; others are an error, and no step. */
static bool go_into_elements(struct hull_cells *place, struct interval index) {
    const struct shape *array = place->first.shape;
    if (index.lower < array->lower) index.lower = array->lower;
    if (index.upper > array->upper) index.upper = array->upper;
    if (index.lower > index.upper) return false;
    uint32_t stride = array->element->cell_count;
    uint64_t count = (uint64_t)(index.upper - index.lower + 1);
    place->first.address += (uint32_t)(index.lower - array->lower) * stride;
    place->first.shape = array->element;
    if (count == 1) return true;
    if (place->level_count == HULL_MAX_LEVELS || count > MAX_CELLS / place->count) return false;
    place->levels[place->level_count++] = (struct index_level){stride, (uint32_t)count};
    place->count *= (uint32_t)count;
    return true;
}

/* Rule A5: false if the expression is no plain path to cells, or leads to too many. */
bool hull_place(const struct hull *hull, const struct expr *expr, struct hull_cells *place) {
    struct interval index;
    switch (expr->kind) {
    case EXPR_NAME:
        *place = (struct hull_cells){.variable = find_binding(hull, expr->symbol), .count = 1};
        if (!place->variable || !place->variable->shape) return false;
        place->has_value = symbol_has_value(expr->symbol);
        place->first = *place->variable;
        return true;
    case EXPR_INDEX:
        return hull_place(hull, expr->child[0], place) && place->first.shape->kind == SHAPE_ARRAY &&
               hull_of(hull, expr->child[1], &index) && go_into_elements(place, index);
    case EXPR_FIELD:
        if (expr->symbol || !hull_place(hull, expr->child[0], place) ||
            place->first.shape->kind != SHAPE_STRUCT)
            return false;
        place->first.address += place->first.shape->offsets[expr->field_index];
        place->first.shape = place->first.shape->fields[expr->field_index];
        return true;
    default: return false;
    }
}

/* Rule A5: the address of one of the count cells of a place. */
uint32_t hull_address(const struct hull_cells *place, uint32_t cell) {
    assert(cell < place->count);
    uint32_t address = place->first.address;
    for (uint32_t i = 0; i < place->level_count; i++) {
        address += cell % place->levels[i].count * place->levels[i].stride;
        cell /= place->levels[i].count;
    }
    return address;
}

/* Rule A5: whether an item before this one may have written the variable. */
static bool is_written_before(const struct hull *hull, const struct binding *variable) {
    const struct network *network = hull->run->network;
    const struct leg *leg = hull->leg;
    const struct template *template = leg->process->template;
    const struct effects *items =
        hull->run->analysis->summary->items[template->index][edge_index(template, leg->edge)];
    assert(hull->item <= leg->edge->updates.count);
    for (uint32_t i = 0; i < hull->item; i++)
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
static bool read_cell(const struct hull *hull, uint32_t address, bool is_written,
                      struct interval *result) {
    struct label_run *run = hull->run;
    const struct network *network = run->network;
    uint32_t slot = address < network->cell_count ? network->slot_of[address] : NO_SLOT;
    if (is_written && slot != NO_SLOT && slot_is_shared(network, slot))
        return interval_of_domain(run->domain(run->context, slot), address, result);
    if (address >= network->cell_count || (slot != NO_SLOT && !is_written)) {
        const struct narrowed *cell = label_run_narrowed(run, address);
        if (!interval_of_domain(label_run_domain(run, address), address, result)) return false;
        if (cell) *result = (struct interval){cell->lower, cell->upper};
        return true;
    }
    *result = (struct interval){network->cells[address], network->cells[address]};
    if (slot != NO_SLOT)
        *result = (struct interval){network->slots[slot].lower, network->slots[slot].upper};
    return true;
}

/* Rule A5: the hull over all cells that a place may be. */
bool hull_read(const struct hull *hull, const struct hull_cells *place, struct interval *result) {
    if (place->first.shape->kind != SHAPE_CELL || !place->has_value) return false;
    bool is_written = is_written_before(hull, place->variable);
    *result = (struct interval){INT64_MAX, INT64_MIN};
    for (uint32_t i = 0; i < place->count; i++) {
        struct interval cell;
        if (!read_cell(hull, hull_address(place, i), is_written, &cell)) return false;
        *result = interval_unite(*result, cell);
    }
    return result->lower <= result->upper;
}

/* Values */

/* Rule A5: false if nothing is known, or the value may not fit 32 bits. */
bool hull_of(const struct hull *hull, const struct expr *expr, struct interval *result) {
    struct interval left, right;
    struct hull_cells place;
    *result = (struct interval){0, 1};
    if (interval_is_condition(expr)) return true;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL: *result = (struct interval){expr->value, expr->value}; return true;
    case EXPR_NAME:
    case EXPR_INDEX:
    case EXPR_FIELD: return hull_place(hull, expr, &place) && hull_read(hull, &place, result);
    case EXPR_UNARY:
        if (expr->op != OP_NEG || !hull_of(hull, expr->child[0], &left)) return false;
        *result = (struct interval){-left.upper, -left.lower};
        break;
    case EXPR_BINARY:
        if (!hull_of(hull, expr->child[0], &left) || !hull_of(hull, expr->child[1], &right) ||
            !interval_operate(expr->op, left, right, result))
            return false;
        break;
    case EXPR_COND:
        if (!hull_of(hull, expr->child[1], &left) || !hull_of(hull, expr->child[2], &right))
            return false;
        *result = interval_unite(left, right);
        break;
    default: return false;
    }
    return interval_fits(*result);
}
