/* An expression over r is evaluated for each row of values of r. Where all rows with one value of v
 * agree, this table is written as a chain of tests of v. */
#include "abstract/edge/express.h"

#include "abstract/edge/named.h"
#include "abstract/edge/read.h"
#include "abstract/edge/unknown.h"
#include "abstract/facts/context.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

/* Values */

bool closed_value(struct context *context, const struct expr *expr, int32_t *value) {
    int64_t constant;
    if (expr_is_constant(expr, &constant)) {
        *value = (int32_t)constant;
        return constant >= INT32_MIN && constant <= INT32_MAX;
    }
    return context_value(context, expr, value);
}

const struct process *ghost_process(const struct network *network, const struct ghost *ghost) {
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == ghost->template) return &network->processes[p];
    return NULL;
}

bool ghost_value_of_row(struct context *context, const struct ghost *ghost, const int32_t *row,
                        int32_t *value) {
    const struct network *network = context->network;
    struct environment *environment = &context->environment;
    const struct process *process = ghost->template ? ghost_process(network, ghost) : NULL;
    const struct binding *bindings = process ? process->locals : network->globals;
    assert(!environment->locals && (process || !ghost->template)); /* or it was refused */
    for (uint32_t i = 0; i < ghost->cells.count; i++) {
        const struct ghost_cell *cell = &ghost->cells.items[i];
        environment->cells[bindings[cell->symbol->index].address + cell->offset] = row[i];
    }
    environment->locals = process ? process->locals : NULL;
    bool ok = context_value_of_cells(context, ghost->value, value);
    environment->locals = NULL;
    for (uint32_t i = 0; i < ghost->cells.count; i++) {
        const struct ghost_cell *cell = &ghost->cells.items[i];
        uint32_t address = bindings[cell->symbol->index].address + cell->offset;
        environment->cells[address] = network->cells[address];
    }
    return ok;
}

/* Joint values of the ghost's cells; false if there are too many. */
bool ghost_rows(struct context *context, const struct ghost *ghost, const struct template *template,
                uint32_t location, bool is_within_step, struct tuple_set *rows,
                struct arena *arena) {
    struct variable_cell *cells = ARENA_ARRAY(arena, struct variable_cell, ghost->cells.count);
    for (uint32_t i = 0; i < ghost->cells.count; i++)
        cells[i] = (struct variable_cell){ghost->cells.items[i].symbol,
                                          ghost->cells.items[i].offset, is_within_step};
    return analysis_tuples(context->analysis, template, location, cells, ghost->cells.count,
                           GHOST_MAX_TUPLES, rows, arena);
}

/* Tables: values of an expression by values of v */

struct table {
    struct context *context;
    struct open_edge *open;
    const struct ghost *ghost;
    const struct expr *expr; /* with placeholders of the open edge */
    const struct expr *fact; /* what holds for the rows that count, or NULL */
    bool is_within_step;
    struct arena *arena;
    int32_t keys[GHOST_MAX_TUPLES], values[GHOST_MAX_TUPLES];
    uint32_t count;
};

static uint32_t cell_index(const struct ghost *ghost, const struct unknown *unknown) {
    for (uint32_t i = 0; i < ghost->cells.count; i++)
        if (ghost->cells.items[i].symbol == unknown->removal->symbol &&
            ghost->cells.items[i].offset == unknown->offset)
            return i;
    return NO_SLOT;
}

static const struct unknown *unknown_of(const struct open_edge *open, const struct symbol *symbol) {
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (open->unknowns.items[i]->placeholder == symbol) return open->unknowns.items[i];
    return NULL;
}

/* The expression with a row of values put in, as far as they are known. */
static const struct expr *put_in(const struct table *table, const struct expr *expr,
                                 const int32_t *row) {
    if (!expr || !expr_has_unknown(expr)) return expr;
    if (expr->kind == EXPR_NAME) {
        const struct unknown *unknown = unknown_of(table->open, expr->symbol);
        uint32_t index =
            unknown && !unknown->access && unknown->is_within_step == table->is_within_step
                ? cell_index(table->ghost, unknown)
                : NO_SLOT;
        if (index == NO_SLOT) return expr;
        const struct type *type = type_strip(unknown->placeholder->type);
        return type->kind == TYPE_BOOL ? build_bool(table->arena, row[index] != 0)
                                       : build_int(table->arena, row[index]);
    }
    struct expr *copy = build_copy(table->arena, expr);
    for (int i = 0; i < 3; i++) copy->child[i] = (struct expr *)put_in(table, expr->child[i], row);
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(table->arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = (struct expr *)put_in(table, expr->arguments[i], row);
    return simplify_node(table->arena, copy);
}

/* False if v does not determine the value. */
static bool add_to_table(struct table *table, int32_t key, int32_t value) {
    uint32_t at = 0;
    assert(table->count <= GHOST_MAX_TUPLES);
    while (at < table->count && table->keys[at] < key) at++;
    if (at < table->count && table->keys[at] == key) return table->values[at] == value;
    for (uint32_t i = table->count++; i > at; i--) {
        table->keys[i] = table->keys[i - 1];
        table->values[i] = table->values[i - 1];
    }
    table->keys[at] = key;
    table->values[at] = value;
    assert(!at || table->keys[at - 1] < key); /* ascending */
    return true;
}

static bool add_location(struct table *table, const struct template *template, uint32_t location) {
    struct tuple_set rows;
    struct context *context = table->context;
    if (!ghost_rows(context, table->ghost, template, location, table->is_within_step, &rows,
                    table->arena))
        return false;
    assert(rows.dimension == table->ghost->cells.count);
    for (uint32_t i = 0; i < rows.count; i++) {
        const int32_t *row = rows.values + (size_t)i * rows.dimension;
        int32_t key, value;
        if (table->fact && expr_is_false(put_in(table, table->fact, row))) continue;
        if (table->count == GHOST_MAX_TUPLES ||
            !ghost_value_of_row(context, table->ghost, row, &key) ||
            !closed_value(context, put_in(table, table->expr, row), &value) ||
            !add_to_table(table, key, value))
            return false;
    }
    return true;
}

static const struct expr *truth_of(struct arena *arena, const struct symbol *v, int32_t value) {
    const struct expr *name = build_name(arena, v);
    if (type_strip(v->type)->kind == TYPE_BOOL) return value ? name : build_not(arena, name);
    return build_binary(arena, OP_EQ, name, build_int(arena, value));
}

/* Runs of values in the order of those that can occur; what cannot occur does not matter. */
const struct expr *ghost_test(struct arena *arena, const struct symbol *v, const int32_t *values,
                              const bool *is_in, uint32_t count) {
    const struct expr *test = build_bool(arena, false), *name = build_name(arena, v);
    for (uint32_t from = 0, to; from < count; from = to + 1) {
        to = from;
        assert(!from || values[from - 1] < values[from]); /* ascending */
        if (!is_in[from]) continue;
        while (to + 1 < count && is_in[to + 1]) to++;
        if (from == 0 && to + 1 == count) return NULL;
        const struct expr *run = NULL;
        if (from == to) {
            run = truth_of(arena, v, values[from]);
        } else {
            if (from) run = build_binary(arena, OP_GE, name, build_int(arena, values[from]));
            if (to + 1 < count)
                run = build_and(arena, run,
                                build_binary(arena, OP_LE, name, build_int(arena, values[to])));
        }
        test = expr_is_false(test) ? run : build_binary(arena, OP_OR, test, run);
    }
    return test;
}

const struct expr *ghost_is_known(struct context *context, const struct ghost *ghost,
                                  const struct template *template, uint32_t location) {
    const struct shape *shape = context_shape(context, ghost->symbol->type);
    struct arena scratch;
    struct tuple_set rows;
    const struct expr *test = NULL;
    int32_t value;
    assert(shape && shape->kind == SHAPE_CELL); /* a ghost holds a number */
    if ((int64_t)shape->upper - shape->lower >= GHOST_MAX_TUPLES) return NULL;
    uint32_t count = (uint32_t)(shape->upper - shape->lower + 1);
    arena_init(&scratch);
    int32_t *values = ARENA_ARRAY(&scratch, int32_t, count);
    bool *is_in = ARENA_ARRAY(&scratch, bool, count);
    bool ok = ghost_rows(context, ghost, template, location, false, &rows, &scratch);
    for (uint32_t i = 0; i < count; i++) values[i] = shape->lower + (int32_t)i;
    for (uint32_t i = 0; ok && i < rows.count; i++) {
        const int32_t *row = rows.values + (size_t)i * rows.dimension;
        ok = ghost_value_of_row(context, ghost, row, &value) && value >= shape->lower &&
             value <= shape->upper;
        if (ok) is_in[value - shape->lower] = true;
    }
    if (ok) test = ghost_test(context->arena, ghost->symbol, values, is_in, count);
    arena_close(&scratch);
    return test;
}

static const struct expr *constant_like(struct arena *arena, bool is_bool, int32_t value) {
    return is_bool ? build_bool(arena, value != 0) : build_int(arena, value);
}

/* Where v has the value: the values of the table that come to the same, as a test of v. */
static const struct expr *test_of(const struct table *table, struct arena *arena, int32_t value) {
    bool *is_in = ARENA_ARRAY(table->arena, bool, table->count);
    for (uint32_t i = 0; i < table->count; i++) is_in[i] = table->values[i] == value;
    return ghost_test(arena, table->ghost->symbol, table->keys, is_in, table->count);
}

/* v or v + d, if that is what the table says. */
static const struct expr *offset_of_v(const struct table *table, struct arena *arena) {
    assert(table->count);
    int64_t offset = (int64_t)table->values[0] - table->keys[0];
    for (uint32_t i = 1; i < table->count; i++)
        if ((int64_t)table->values[i] - table->keys[i] != offset) return NULL;
    const struct expr *name = build_name(arena, table->ghost->symbol);
    if (offset == 0) return name;
    if (type_strip(table->ghost->symbol->type)->kind == TYPE_BOOL || offset > INT32_MAX ||
        offset < -INT32_MAX)
        return NULL;
    return build_binary(arena, offset > 0 ? OP_ADD : OP_SUB, name,
                        build_int(arena, offset > 0 ? offset : -offset));
}

/* The table as an expression over v, the shortest that it knows. */
static const struct expr *table_expr(const struct table *table, struct arena *arena) {
    bool is_bool = expr_is_boolean(table->expr);
    int32_t distinct[GHOST_MAX_CASES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t k = 0;
        while (k < count && distinct[k] != table->values[i]) k++;
        if (k == GHOST_MAX_CASES) count = GHOST_MAX_CASES + 1;
        if (k >= GHOST_MAX_CASES) break;
        if (k == count) distinct[count++] = table->values[i];
    }
    if (count == 1) return constant_like(arena, is_bool, distinct[0]);
    if (is_bool) return test_of(table, arena, 1);
    const struct expr *result = offset_of_v(table, arena);
    if (result || count > GHOST_MAX_CASES) return result;
    result = build_int(arena, distinct[count - 1]);
    for (uint32_t i = count - 1; i-- > 0;)
        result = build_cond(arena, test_of(table, arena, distinct[i]),
                            build_int(arena, distinct[i]), result);
    return result;
}

/* Closed expressions */

/* A search for what an expression reads besides removed cells of one ghost and constants. */
struct closure {
    const struct open_edge *open;
    const struct ghost *ghost;
    bool is_within_step, has_unknown;
};

static bool is_closed(struct closure *closure, const struct expr *expr) {
    if (!expr) return true;
    const struct symbol *symbol = expr->symbol;
    if (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP || expr->kind == EXPR_QUANTIFY)
        return false;
    if (expr->kind == EXPR_CALL &&
        !(symbol && symbol->function && symbol->function->is_compile_time &&
          symbol->function->parameter_count == expr->argument_count))
        return false;
    if (expr->kind == EXPR_NAME && symbol && symbol->kind != SYMBOL_FUNCTION) {
        const struct unknown *unknown = unknown_of(closure->open, symbol);
        if (!unknown) return symbol->scope == SCOPE_GLOBAL && symbol_is_const(symbol);
        bool is_first = !closure->has_unknown;
        if (is_first) closure->is_within_step = unknown->is_within_step;
        closure->has_unknown = true;
        return !unknown->access && !unknown->needs_type &&
               unknown->is_within_step == closure->is_within_step &&
               cell_index(closure->ghost, unknown) != NO_SLOT;
    }
    for (int i = 0; i < 3; i++)
        if (!is_closed(closure, expr->child[i])) return false;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (!is_closed(closure, expr->arguments[i])) return false;
    return true;
}

/* Rewriting */

struct expresser {
    struct context *context;
    struct open_edge *open;
    const struct expr *fact;     /* holds where the expression is evaluated */
    const struct ghost *avoided; /* its variable may have another value already */
    bool is_everywhere;          /* in all states rather than at the location of the open edge */
    const bool *locations;       /* with is_everywhere: at these of the template only, or NULL */
    bool is_in_source;           /* evaluated in the source state, where v is not yet what it is
                                    within the step */
};

static bool fill_table(struct expresser *expresser, struct table *table) {
    const struct open_edge *open = expresser->open;
    if (!expresser->is_everywhere) return add_location(table, open->template, open->location);
    const struct model *model = expresser->context->network->model;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        if (table->ghost->template && table->ghost->template != template) continue;
        for (uint32_t l = 0; l < template->location_count; l++)
            if ((!expresser->locations || expresser->locations[l]) &&
                !add_location(table, template, l))
                return false;
    }
    return true;
}

/* Arrays and structs, of which an index or a field is asked for, have no value of their own. */
static bool has_value(const struct expr *expr) {
    const struct type *type = expr->type ? type_strip(expr->type) : NULL;
    return !type || (type->kind != TYPE_ARRAY && type->kind != TYPE_STRUCT);
}

static const struct expr *express_by(struct expresser *expresser, const struct ghost *ghost,
                                     const struct expr *expr) {
    struct closure closure = {expresser->open, ghost, false, false};
    if (ghost == expresser->avoided || !has_value(expr) || !is_closed(&closure, expr) ||
        !closure.has_unknown || (closure.is_within_step && expresser->is_in_source))
        return NULL;
    struct arena scratch;
    arena_init(&scratch);
    struct table *table = ARENA_NEW(&scratch, struct table);
    *table = (struct table){.context = expresser->context,
                            .open = expresser->open,
                            .ghost = ghost,
                            .expr = expr,
                            .is_within_step = closure.is_within_step,
                            .arena = &scratch};
    if (!closure.is_within_step) table->fact = expresser->fact;
    const struct expr *result = fill_table(expresser, table) && table->count
                                    ? table_expr(table, expresser->context->arena)
                                    : NULL;
    arena_close(&scratch);
    return result;
}

static const struct expr *express(struct expresser *expresser, const struct expr *expr);

static const struct expr *express_children(struct expresser *expresser, const struct expr *expr) {
    struct arena *arena = expresser->context->arena;
    struct expr *copy = build_copy(arena, expr);
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    for (int i = 0; i < 3; i++) copy->child[i] = (struct expr *)express(expresser, expr->child[i]);
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        bool is_place = expr->kind == EXPR_CALL && function && i < function->parameter_count &&
                        function->parameters[i]->is_reference;
        copy->arguments[i] =
            is_place ? expr->arguments[i] : (struct expr *)express(expresser, expr->arguments[i]);
    }
    return simplify_node(arena, copy);
}

static const struct expr *express(struct expresser *expresser, const struct expr *expr) {
    if (!expr || !expr_has_unknown(expr)) return expr;
    const struct request *request = expresser->context->request;
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct expr *result = express_by(expresser, request->ghosts.items[i], expr);
        if (result) return result;
    }
    return expr->kind == EXPR_NAME ? expr : express_children(expresser, expr);
}

/* Open edges */

static const struct ghost *ghost_of_item(const struct request *request, const struct item *item) {
    if (!item->original || !is_ghost_update(item->original)) return NULL;
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        if (request->ghosts.items[i]->symbol == item->original->child[0]->symbol)
            return request->ghosts.items[i];
    return NULL;
}

/* Ghosts' items come last. One that reads the variable of another one has to come before it gets
 * its new value; where two read each other, the second does without. */
static void order_ghosts(struct expresser *expresser, struct item *items, const struct expr **plain,
                         uint32_t count) {
    for (uint32_t at = 0; at < count; at++) {
        uint32_t next = count;
        for (uint32_t i = at; i < count && next == count; i++) {
            bool is_read = false;
            const struct symbol *v = items[i].original->child[0]->symbol;
            for (uint32_t k = at; k < count; k++)
                is_read |= k != i && expr_mentions(items[k].expr->child[1], v);
            if (!is_read) next = i;
        }
        if (next == count) { /* in a ring */
            next = at;
            expresser->avoided = ghost_of_item(expresser->context->request, &items[at]);
            for (uint32_t k = at + 1; k < count; k++)
                if (expr_mentions(items[k].expr->child[1], expresser->avoided->symbol))
                    items[k].expr = express(expresser, plain[k]);
            expresser->avoided = NULL;
        }
        assert(at <= next && next < count);
        struct item item = items[next];
        const struct expr *its = plain[next];
        for (uint32_t i = next; i > at; i--) {
            items[i] = items[i - 1];
            plain[i] = plain[i - 1];
        }
        items[at] = item;
        plain[at] = its;
    }
}

static bool is_kept(const struct item *item) { /* v = v says nothing */
    const struct expr *expr = item->expr;
    return !is_ghost_update(item->original ? item->original : expr) ||
           !expr_equal(expr->child[0], expr->child[1]);
}

static void express_items(struct expresser *expresser) {
    struct open_edge *open = expresser->open;
    struct arena *arena = expresser->context->arena;
    uint32_t count = open->items.count, first = count;
    const struct expr **plain = ARENA_ARRAY(arena, const struct expr *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct item *item = &open->items.items[i];
        plain[i] = item->expr;
        const struct expr *expr = express(expresser, item->expr);
        if (expr != item->expr) item->is_verbatim = false;
        item->expr = expr;
        const struct ghost *ghost = ghost_of_item(expresser->context->request, item);
        bool is_ghost = ghost != NULL;
        int64_t value;
        if (ghost && expr_is_constant(expr->child[1], &value)) {
            struct expr *copy = build_copy(arena, expr);
            bool is_bool = type_strip(ghost->symbol->type)->kind == TYPE_BOOL;
            copy->child[1] = is_bool ? build_bool(arena, value != 0) : build_int(arena, value);
            item->expr = copy;
        }
        if (is_ghost && first == count) first = i;
        assert(is_ghost || first == count || !item->original); /* resets of parts come after */
    }
    uint32_t last = first;
    while (last < count && ghost_of_item(expresser->context->request, &open->items.items[last]))
        last++;
    if (first < last)
        order_ghosts(expresser, open->items.items + first, plain + first, last - first);
    open->items.count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i < first || i >= last || is_kept(&open->items.items[i]))
            open->items.items[open->items.count++] = open->items.items[i];
    assert(open->items.count <= count && first <= last && last <= count);
}

static void drop_unknowns(struct open_edge *open) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (open_edge_mentions(open, open->unknowns.items[i]->placeholder))
            open->unknowns.items[kept++] = open->unknowns.items[i];
    open->unknowns.count = kept;
}

static bool takes_part(const struct open_edge *open, uint32_t unknowns, const struct ghost *ghost) {
    for (uint32_t i = 0; i < unknowns; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (!unknown->access && !unknown->is_within_step && cell_index(ghost, unknown) != NO_SLOT)
            return true;
    }
    return false;
}

/* Unknowns that only the values of ghosts read do not make other ghosts take part. */
static void add_ghost_values(struct context *context, struct open_edge *open) {
    const struct request *request = context->request;
    uint32_t unknowns = open->unknowns.count;
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        if (!takes_part(open, unknowns, ghost)) continue;
        uint32_t before = open->unknowns.count;
        struct rewriter rewriter = {
            .context = context, .open = open, .where = open->involved.before};
        const struct expr *value = rewrite_read(&rewriter, ghost->value);
        if (rewriter.why_not)
            open->unknowns.count = before;
        else
            VEC_PUSH(context->arena, &open->ghost_values, (struct ghost_value){ghost, value});
    }
}

/* A ghost may say all that is folded at once; what is passed through stays one by one. */
static void express_conjuncts(struct expresser *expresser) {
    struct open_edge *open = expresser->open;
    const struct expr *guard = express(expresser, open->guard);
    if (guard != open->guard) open_edge_set_guard(expresser->context, open, guard);
    open->passed = NULL;
    for (uint32_t i = 0; i < open->conjuncts.count; i++) {
        struct conjunct *conjunct = &open->conjuncts.items[i];
        if (conjunct->class != CONJUNCT_PASSED) continue;
        conjunct->expr = express(expresser, conjunct->expr);
        open->passed = build_and(expresser->context->arena, open->passed, conjunct->expr);
    }
}

void open_edge_express(struct context *context, struct open_edge *open) {
    if (!context->request->ghosts.count || !open->is_concerned) return;
    struct expresser expresser = {.context = context, .open = open};
    assert(!open->ghost_values.count); /* once for an open edge */
    /* When guards after a branchpoint are read is not settled. */
    bool is_branch = open_edge_is_branch(open);
    if (open->edge && !is_branch) expresser.fact = open->guard;
    express_items(&expresser);
    expresser.fact = NULL;
    expresser.is_in_source = true;
    if (!is_branch) {
        express_conjuncts(&expresser);
        open->sync = express(&expresser, open->sync);
        open->condition = express(&expresser, open->condition);
    }
    drop_unknowns(open);
    if (!is_branch) add_ghost_values(context, open);
}

/* All states */

const struct expr *express_everywhere(struct context *context, const struct template *template,
                                      const bool *locations, const struct expr *expr) {
    uint32_t first = 0;
    while (locations && !locations[first]) first++;
    struct open_edge open = {.template = template, .location = first};
    struct rewriter rewriter = {.context = context, .open = &open, .is_within_step = true};
    if (locations) rewriter.where = where_invariant(template, first);
    const struct expr *read = rewrite_read(&rewriter, expr); /* shared: whatever they ever hold */
    if (rewriter.why_not || !open.unknowns.count) return named_ghost(context, template, expr);
    struct expresser expresser = {
        .context = context, .open = &open, .is_everywhere = true, .locations = locations};
    for (uint32_t i = 0; i < context->request->ghosts.count; i++) {
        const struct ghost *ghost = context->request->ghosts.items[i];
        if (ghost->scope && !locations) continue;
        const struct expr *result = express_by(&expresser, ghost, read);
        if (result) return result;
    }
    return named_ghost(context, template, expr);
}
