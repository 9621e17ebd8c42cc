#include "agents/reads.h"

#include "lang/syntax/walk.h"

struct reading {
    const struct network *network;
    struct environment *environment;
    struct arena *arena;
    bool *is_read; /* by slot */
};

static bool visit(void *user, const struct expr *expr);

static void mark(struct reading *reading, const struct binding *place) {
    const struct network *network = reading->network;
    for (uint32_t i = 0; place->shape && i < network->slot_count; i++) {
        uint32_t address = network->slots[i].address;
        if (address >= place->address && address - place->address < place->shape->cell_count)
            reading->is_read[i] = true;
    }
}

/* A parameter is a variable of the process only if something assigns it. */
static bool is_fixed(const struct network *network, const struct symbol *symbol) {
    if (symbol->is_reference) return false;
    if (symbol->kind != SYMBOL_PARAMETER) return symbol_is_const(symbol);
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (network->slots[i].symbol == symbol) return false;
    return true;
}

static bool varies(const void *context, const struct expr *expr) {
    const struct network *network = context;
    return expr->kind == EXPR_CALL || (expr->kind == EXPR_NAME && !is_fixed(network, expr->symbol));
}

/* The place of an lvalue as far as indices are constant; false if some is not, so that the place
 * found is only around it. What the indices read is marked. */
static bool find_place(struct reading *reading, const struct expr *expr, struct binding *place) {
    struct environment *environment = reading->environment;
    bool is_index = expr->kind == EXPR_INDEX, is_name = expr->kind == EXPR_NAME;
    struct binding inner;
    if (is_index) walk_expr(expr->child[1], visit, reading);
    if (!is_name && !is_index && expr->kind != EXPR_FIELD) { /* (b ? x : y).f */
        *place = (struct binding){0, NULL};
        walk_expr(expr, visit, reading);
        return false;
    }
    if (!is_name && !find_place(reading, expr->child[0], place)) return false;
    if (is_index && expr_any(expr->child[1], varies, reading->network)) return false;
    bool is_found = eval_lvalue(environment, expr, &inner);
    environment->fault = (struct fault){0};
    if (is_found) *place = inner;
    return is_found;
}

/* All variables that a call has to do with, each as a whole. */
static void mark_call(struct reading *reading, const struct expr *call) {
    struct effects_table table;
    struct effects effects = {0};
    effects_table_init(&table, reading->arena);
    effects_add_expr(&table, &effects, call);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        struct symbol *symbol = (struct symbol *)effects.list.items[i].symbol;
        const struct expr name = {.kind = EXPR_NAME, .symbol = symbol};
        if (symbol->scope != SCOPE_FRAME) visit(reading, &name);
    }
}

static bool visit(void *user, const struct expr *expr) {
    struct reading *reading = user;
    if (expr->kind == EXPR_CALL) {
        mark_call(reading, expr);
        return false;
    }
    if (!expr_is_path(expr)) return true;
    struct binding place = {0, NULL};
    find_place(reading, expr, &place);
    mark(reading, &place);
    return false;
}

static void read_edge(struct reading *reading, const struct edge *edge) {
    walk_expr(edge->written_guard, visit, reading);
    walk_expr(edge->sync, visit, reading);
    for (uint32_t i = 0; i < edge->select_count; i++)
        walk_type(edge->selects[i]->type, visit, reading);
}

const bool *reads_of_process(const struct network *network, const struct process *process,
                             struct environment *environment, struct arena *arena) {
    const struct template *template = process->template;
    struct reading reading = {network, environment, arena,
                              ARENA_ARRAY(arena, bool, network->slot_count + 1)};
    environment->locals = process->locals;
    environment->frame = NULL;
    environment->fault = (struct fault){0};
    for (uint32_t i = 0; i < template->edge_count; i++) read_edge(&reading, &template->edges[i]);
    for (uint32_t i = 0; i < template->location_count; i++)
        if (template->locations[i].written_invariant)
            walk_expr(template->locations[i].written_invariant, visit, &reading);
    environment->locals = NULL;
    return reading.is_read;
}
