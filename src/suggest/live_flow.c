/* How labels change what is live, from the end to the beginning. */
#include "suggest/live_internal.h"

#include "approx/labels/relevance.h"
#include "expr/find.h"
#include "values/interval.h"

#include <assert.h>

static const struct interval anything = {INT32_MIN, INT32_MAX};
static const struct live_place nowhere = {NULL, NULL, 0, 0, false};

/* ---- sets ---- */

static uint64_t *copy_set(struct live_flow *flow, const uint64_t *set) {
    uint64_t *copy = ARENA_ARRAY(&flow->arena, uint64_t, flow->words + 1);
    memcpy(copy, set, flow->words * sizeof *copy);
    flow->effort += flow->words;
    return copy;
}

static bool unite(struct live_flow *flow, uint64_t *set, const uint64_t *other) {
    bool has_grown = false;
    for (uint32_t i = 0; i < flow->words; i++) {
        has_grown |= (other[i] & ~set[i]) != 0;
        set[i] |= other[i];
    }
    flow->effort += flow->words;
    return has_grown;
}

static uint32_t bit_of(const struct live_flow *flow, const struct live_place *place) {
    uint32_t first = place->variable->first;
    assert(place->begin <= place->end && place->end <= place->variable->count);
    return place->variable->template ? flow->live->global_words * 64 + first : first;
}

static void live_add(const struct live_flow *flow, uint64_t *set, const struct live_place *place) {
    for (uint32_t i = place->begin; place->variable && i < place->end; i++) {
        uint32_t bit = bit_of(flow, place) + i;
        set[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static void cut(const struct live_flow *flow, uint64_t *set, const struct live_place *place) {
    if (!place->is_exact || place->variable->is_observed) return;
    for (uint32_t i = place->begin; i < place->end; i++) {
        uint32_t bit = bit_of(flow, place) + i;
        set[bit / 64] &= ~(UINT64_C(1) << bit % 64);
    }
}

/* Something that we do not follow counts as live. */
static bool is_live(const struct live_flow *flow, const uint64_t *set,
                    const struct live_place *place) {
    if (!place->variable) return true;
    for (uint32_t i = place->begin; i < place->end; i++) {
        uint32_t bit = bit_of(flow, place) + i;
        if (set[bit / 64] >> bit % 64 & 1) return true;
    }
    return false;
}

/* ---- the values of an index ---- */

static struct interval range_of(struct live_flow *flow, const struct expr *expr);

static struct interval type_range(struct live_flow *flow, const struct type *type) {
    struct interval all = {INT64_MAX, INT64_MIN};
    uint32_t count = flow->view->process_count;
    if (!type || !count || count > LIVE_MAX_UNROLL) return anything;
    for (uint32_t i = 0; i < count; i++) {
        flow->environment.locals = flow->view->processes[i]->locals;
        const struct shape *shape = eval_shape(&flow->environment, type);
        flow->environment.fault = (struct fault){0};
        if (!shape || shape->kind != SHAPE_CELL) return anything;
        all = interval_unite(all, (struct interval){shape->lower, shape->upper});
    }
    return all;
}

static struct interval cell_range(const struct network *network, const struct binding *binding) {
    if (!binding || binding->shape->kind != SHAPE_CELL) return anything;
    uint32_t slot = network->slot_of[binding->address];
    int32_t value = network->cells[binding->address];
    if (slot == NO_SLOT) return (struct interval){value, value};
    return (struct interval){network->slots[slot].lower, network->slots[slot].upper};
}

static struct interval name_range(struct live_flow *flow, const struct symbol *symbol) {
    const struct network *network = flow->live->network;
    uint32_t count = flow->view->process_count;
    struct interval all = {INT64_MAX, INT64_MIN};
    for (uint32_t i = flow->known.count; i-- > 0;)
        if (flow->known.items[i] == symbol)
            return (struct interval){flow->values.items[i], flow->values.items[i]};
    if (symbol->scope == SCOPE_GLOBAL)
        return cell_range(network, relevance_binding(network, NULL, symbol));
    if (symbol->scope == SCOPE_FRAME) return type_range(flow, symbol->type);
    if (!count || count > LIVE_MAX_UNROLL) return anything;
    for (uint32_t i = 0; i < count; i++)
        all = interval_unite(
            all, cell_range(network, relevance_binding(network, flow->view->processes[i], symbol)));
    return all;
}

static struct interval compute_range(struct live_flow *flow, const struct expr *expr) {
    struct interval left, right, result;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL: return (struct interval){expr->value, expr->value};
    case EXPR_NAME:
        return expr->symbol && expr->symbol->kind != SYMBOL_LOCATION &&
                       symbol_has_value(expr->symbol)
                   ? name_range(flow, expr->symbol)
                   : anything;
    case EXPR_UNARY:
        if (expr->op != OP_NEG) return anything;
        left = range_of(flow, expr->child[0]);
        return (struct interval){-left.upper, -left.lower};
    case EXPR_COND:
        return interval_unite(range_of(flow, expr->child[1]), range_of(flow, expr->child[2]));
    case EXPR_BINARY:
        left = range_of(flow, expr->child[0]);
        right = range_of(flow, expr->child[1]);
        return interval_operate(expr->op, left, right, &result) ? result : anything;
    default: return anything;
    }
}

static struct interval range_of(struct live_flow *flow, const struct expr *expr) {
    flow->effort++;
    if (live_is_exhausted(flow)) return anything;
    struct interval range = compute_range(flow, expr);
    return interval_fits(range) && range.lower <= range.upper ? range : anything;
}

/* ---- places ---- */

static void step_into(struct live_place *place, const struct shape *shape, uint32_t offset,
                      uint32_t span, bool is_exact) {
    place->shape = shape;
    place->is_exact &= is_exact;
    if (place->variable && place->variable->count != place->variable->shape->cell_count) {
        place->is_exact = false; /* one bit for all */
        return;
    }
    place->begin += offset;
    place->end = place->begin + span;
}

static bool find_element(struct live_flow *flow, const struct expr *expr,
                         struct live_place *place) {
    const struct shape *shape = place->shape;
    if (!place->variable) return true;
    if (shape->kind != SHAPE_ARRAY) return false;
    struct interval range = range_of(flow, expr->child[1]);
    if (range.lower < shape->lower) range.lower = shape->lower;
    if (range.upper > shape->upper) range.upper = shape->upper;
    if (range.lower > range.upper) range = (struct interval){shape->lower, shape->upper};
    uint32_t size = shape->element->cell_count;
    if (!place->is_exact) { /* somewhere in these cells: it stays that */
        place->shape = shape->element;
        return true;
    }
    step_into(place, shape->element, (uint32_t)(range.lower - shape->lower) * size,
              (uint32_t)(range.upper - range.lower + 1) * size, range.lower == range.upper);
    return true;
}

static bool find_field(const struct expr *expr, struct live_place *place) {
    const struct shape *shape = place->shape;
    if (!place->variable) return true;
    if (shape->kind != SHAPE_STRUCT) return false;
    const struct shape *field = shape->fields[expr->field_index];
    if (place->is_exact)
        step_into(place, field, shape->offsets[expr->field_index], field->cell_count, true);
    else
        place->shape = field;
    return true;
}

static bool find_symbol(struct live_flow *flow, const struct symbol *symbol,
                        struct live_place *place) {
    for (uint32_t i = flow->aliases.count; i-- > 0;)
        if (flow->aliases.items[i].parameter == symbol) {
            *place = flow->aliases.items[i].place;
            return true;
        }
    const struct live_variable *variable = symbol ? live_find(flow->live, symbol) : NULL;
    *place = nowhere;
    if (variable) *place = (struct live_place){variable, variable->shape, 0, variable->count, true};
    return true;
}

static bool live_find_place(struct live_flow *flow, const struct expr *expr,
                            struct live_place *place) {
    switch (expr->kind) {
    case EXPR_NAME: return find_symbol(flow, expr->symbol, place);
    case EXPR_INDEX:
        return live_find_place(flow, expr->child[0], place) && find_element(flow, expr, place);
    case EXPR_FIELD:
        if (expr->symbol) return find_symbol(flow, expr->symbol, place);
        return live_find_place(flow, expr->child[0], place) && find_field(expr, place);
    default: return false;
    }
}

/* Adds the variables that the indices of a cell read. */
static void indices_before(struct live_flow *flow, const struct expr *expr, uint64_t *set) {
    if (expr->kind == EXPR_INDEX) {
        live_before_expr(flow, expr->child[1], set);
        indices_before(flow, expr->child[0], set);
    } else if (expr->kind == EXPR_FIELD && !expr->symbol) {
        indices_before(flow, expr->child[0], set);
    } else if (expr->kind != EXPR_NAME && expr->kind != EXPR_FIELD) {
        live_before_expr(flow, expr, set);
    }
}

static void read_before(struct live_flow *flow, const struct expr *expr, uint64_t *set) {
    struct live_place place;
    if (live_find_place(flow, expr, &place)) live_add(flow, set, &place);
    indices_before(flow, expr, set);
}

/* ---- expressions ---- */

/* x = e, x += e, x++. What only dead variables get does not matter. */
static void write_before(struct live_flow *flow, const struct expr *expr, uint64_t *set,
                         bool is_used) {
    struct live_place place = nowhere;
    const struct expr *target = expr->child[0],
                      *value = expr->kind == EXPR_ASSIGN ? expr->child[1] : NULL;
    bool is_plain = expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN;
    bool is_found = live_find_place(flow, target, &place);
    if (is_found && !is_used && !is_live(flow, set, &place) && !expr_has_effect(target) &&
        !expr_has_effect(value))
        return;
    if (is_found && is_plain)
        cut(flow, set, &place);
    else if (is_found)
        live_add(flow, set, &place);
    live_before_expr(flow, value, set);
    indices_before(flow, target, set);
}

/* Before an expression that may be evaluated or not. */
static void maybe_before(struct live_flow *flow, const struct expr *expr, uint64_t *set) {
    uint64_t *inside = copy_set(flow, set);
    live_before_expr(flow, expr, inside);
    unite(flow, set, inside);
}

static void cond_before(struct live_flow *flow, const struct expr *expr, uint64_t *set) {
    uint64_t *other = copy_set(flow, set);
    live_before_expr(flow, expr->child[1], set);
    live_before_expr(flow, expr->child[2], other);
    unite(flow, set, other);
    live_before_expr(flow, expr->child[0], set);
}

static void statement_before(struct live_flow *flow, const struct statement *statement,
                             uint64_t *set);

/* Before a call of a function that is not looked into. */
static void effects_before(struct live_flow *flow, const struct function *function, uint64_t *set) {
    struct effects_table *table = (struct effects_table *)&flow->live->table;
    const struct effects *effects = effects_of_function(table, function);
    for (uint32_t i = 0; i < effects->list.count; i++) {
        struct live_place place;
        find_symbol(flow, effects->list.items[i].symbol, &place);
        if (effects->list.items[i].reads) live_add(flow, set, &place);
    }
}

static void bind_references(struct live_flow *flow, const struct expr *call) {
    const struct function *function = call->symbol->function;
    VEC(struct live_alias) fresh = {0};
    for (uint32_t i = 0; i < call->argument_count && i < function->parameter_count; i++) {
        struct live_alias alias = {function->parameters[i], nowhere};
        if (!alias.parameter->is_reference) continue;
        if (!live_find_place(flow, call->arguments[i], &alias.place)) alias.place = nowhere;
        VEC_PUSH(&flow->arena, &fresh, alias);
    }
    for (uint32_t i = 0; i < fresh.count; i++)
        VEC_PUSH(&flow->arena, &flow->aliases, fresh.items[i]);
}

static void call_before(struct live_flow *flow, const struct expr *call, uint64_t *set) {
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    if (function && (flow->depth == LIVE_MAX_CALLS || live_is_exhausted(flow))) {
        effects_before(flow, function, set);
        function = NULL; /* all arguments count as read */
    }
    if (function) {
        uint32_t alias_count = flow->aliases.count;
        uint64_t *outer = flow->exit;
        bind_references(flow, call);
        flow->exit = copy_set(flow, set);
        flow->depth++;
        statement_before(flow, function->body, set);
        flow->depth--;
        flow->exit = outer;
        flow->aliases.count = alias_count;
    }
    for (uint32_t i = call->argument_count; i-- > 0;) {
        struct live_place place;
        bool is_place = function && i < function->parameter_count &&
                        function->parameters[i]->is_reference &&
                        live_find_place(flow, call->arguments[i], &place);
        if (is_place)
            indices_before(flow, call->arguments[i], set);
        else
            live_before_expr(flow, call->arguments[i], set);
    }
}

static void value_before(struct live_flow *flow, const struct expr *expr, uint64_t *set,
                         bool is_used) {
    if (!expr) return;
    if (++flow->effort > LIVE_MAX_EFFORT) return;
    switch (expr->kind) {
    case EXPR_NAME:
    case EXPR_INDEX:
    case EXPR_FIELD: read_before(flow, expr, set); break;
    case EXPR_ASSIGN:
    case EXPR_STEP: write_before(flow, expr, set, is_used); break;
    case EXPR_COND: cond_before(flow, expr, set); break;
    case EXPR_CALL: call_before(flow, expr, set); break;
    case EXPR_QUANTIFY:
        maybe_before(flow, expr->child[0], set);
        live_before_type(flow, expr->bound->type, set);
        break;
    case EXPR_BINARY:
        if (op_is_connective(expr->op))
            maybe_before(flow, expr->child[1], set);
        else
            live_before_expr(flow, expr->child[1], set);
        live_before_expr(flow, expr->child[0], set);
        break;
    default:
        for (uint32_t i = expr->argument_count; i-- > 0;)
            live_before_expr(flow, expr->arguments[i], set);
        for (int i = 2; i >= 0; i--) live_before_expr(flow, expr->child[i], set);
        break;
    }
}

void live_before_expr(struct live_flow *flow, const struct expr *expr, uint64_t *set) {
    value_before(flow, expr, set, true);
}

/* Whether nothing that the item changes is live, so that it is left out as a whole, conditions
 * within its functions included (facts/unseen.h). */
static bool goes_unseen(struct live_flow *flow, const struct expr *item, const uint64_t *set) {
    struct effects_table table = flow->live->table;
    struct effects effects = {0};
    bool writes = false;
    table.arena = &flow->arena;
    effects_add_expr(&table, &effects, item);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        struct live_place place;
        if (!effects.list.items[i].writes) continue;
        find_symbol(flow, effects.list.items[i].symbol, &place);
        if (is_live(flow, set, &place)) return false;
        writes = true;
    }
    return writes && !flow->live->network->has_priorities;
}

/* From the last item to the first. */
void live_before_update(struct live_flow *flow, const struct expr_list *items, uint64_t *set) {
    for (uint32_t i = items->count; i-- > 0;)
        if (!goes_unseen(flow, items->items[i], set))
            value_before(flow, items->items[i], set, false);
}

/* Bounds and sizes are read when the variable is made. */
void live_before_type(struct live_flow *flow, const struct type *type, uint64_t *set) {
    if (!type || type->kind == TYPE_NAMED) return;
    live_before_expr(flow, type->lower, set);
    live_before_expr(flow, type->upper, set);
    live_before_expr(flow, type->size, set);
    live_before_type(flow, type->index, set);
    live_before_type(flow, type->element, set);
}

/* ---- statements ---- */

static void list_before(struct live_flow *flow, const struct expr_list *list, uint64_t *set,
                        bool is_used) {
    for (uint32_t i = list->count; i-- > 0;)
        value_before(flow, list->items[i], set, is_used && i + 1 == list->count);
}

static void initialiser_before(struct live_flow *flow, const struct initialiser *initialiser,
                               uint64_t *set) {
    if (!initialiser) return;
    for (uint32_t i = initialiser->item_count; i-- > 0;)
        initialiser_before(flow, initialiser->items[i], set);
    live_before_expr(flow, initialiser->expr, set);
}

static void block_before(struct live_flow *flow, const struct statement *block, uint64_t *set) {
    for (uint32_t i = block->statement_count; i-- > 0;)
        statement_before(flow, block->statements[i], set);
    for (uint32_t i = block->declaration_count; i-- > 0;) {
        const struct declaration *declaration = block->declarations[i];
        for (uint32_t k = declaration->declarator_count; k-- > 0;)
            initialiser_before(flow, declaration->declarators[k].symbol->initialiser, set);
    }
}

/* Once around a loop: from what is live at its head to what is, if the body is entered. */
static void round_before(struct live_flow *flow, const struct statement *loop, uint64_t *set) {
    list_before(flow, &loop->step, set, false);
    statement_before(flow, loop->body, set);
}

static void loop_before(struct live_flow *flow, const struct statement *loop, uint64_t *set) {
    bool is_first = loop->kind == STATEMENT_DO; /* the body runs before the condition */
    list_before(flow, &loop->condition, set, true);
    uint64_t *head = copy_set(flow, set);
    do {
        memcpy(set, head, flow->words * sizeof *set);
        round_before(flow, loop, set);
        if (is_first) { /* head is in front of the condition */
            uint64_t *body = copy_set(flow, set);
            list_before(flow, &loop->condition, body, true);
            if (!unite(flow, head, body)) return;
        } else {
            list_before(flow, &loop->condition, set, true);
            if (!unite(flow, head, set)) break;
        }
    } while (!live_is_exhausted(flow));
    memcpy(set, head, flow->words * sizeof *set);
    list_before(flow, &loop->first, set, false);
}

/* for (i : T) over few values is written out, so that what it does to an array is seen. */
static void iterate_before(struct live_flow *flow, const struct statement *loop, uint64_t *set) {
    struct interval range = type_range(flow, loop->bound->type);
    if (range.upper - range.lower >= LIVE_MAX_UNROLL || flow->view->process_count != 1) {
        uint64_t *round = copy_set(flow, set);
        do {
            memcpy(round, set, flow->words * sizeof *set);
            statement_before(flow, loop->body, round);
        } while (unite(flow, set, round) && !live_is_exhausted(flow));
        return;
    }
    for (int64_t value = range.upper; value >= range.lower; value--) {
        VEC_PUSH(&flow->arena, &flow->known, loop->bound);
        VEC_PUSH(&flow->arena, &flow->values, (int32_t)value);
        statement_before(flow, loop->body, set);
        flow->known.count--;
        flow->values.count--;
    }
}

static void statement_before(struct live_flow *flow, const struct statement *statement,
                             uint64_t *set) {
    if (!statement || live_is_exhausted(flow)) return;
    flow->effort++;
    switch (statement->kind) {
    case STATEMENT_EMPTY: break;
    case STATEMENT_BLOCK: block_before(flow, statement, set); break;
    case STATEMENT_EXPR: value_before(flow, statement->expr, set, false); break;
    case STATEMENT_ASSERT: live_before_expr(flow, statement->expr, set); break;
    case STATEMENT_RETURN:
        memcpy(set, flow->exit, flow->words * sizeof *set);
        live_before_expr(flow, statement->expr, set);
        break;
    case STATEMENT_IF: {
        uint64_t *other = copy_set(flow, set);
        statement_before(flow, statement->body, set);
        statement_before(flow, statement->other, other);
        unite(flow, set, other);
        list_before(flow, &statement->condition, set, true);
        break;
    }
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO: loop_before(flow, statement, set); break;
    case STATEMENT_ITERATE: iterate_before(flow, statement, set); break;
    }
}
