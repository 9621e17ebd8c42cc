#include "classes/edge_reads.h"

#include "approx/labels/relevance.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Calls in each other, and calls that are gone into, of one edge. */
enum { MOST_DEPTH = 64, MOST_CALLS = 2000 };

/* A parameter of a function that is run. */
struct argument {
    const struct symbol *parameter;
    int64_t value;
};

struct edge_reads {
    struct arena *arena;
    const struct network *network;
    const struct process *process;
    struct effects_table table;
    struct map of_symbol;
    VEC(struct argument) arguments; /* the last of a parameter counts */
    uint32_t depth, call_count;
    bool has_all;
};

/* ---- values that are known ---- */

static bool name_value(const struct edge_reads *edge_reads, const struct symbol *symbol,
                       int64_t *value) {
    for (uint32_t i = edge_reads->arguments.count; i-- > 0;) {
        if (edge_reads->arguments.items[i].parameter != symbol) continue;
        *value = edge_reads->arguments.items[i].value;
        return true;
    }
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return false;
    const struct network *network = edge_reads->network;
    const struct binding *binding = relevance_binding(network, edge_reads->process, symbol);
    if (!binding || !binding->shape || binding->shape->kind != SHAPE_CELL ||
        !symbol_has_value(symbol) || network->slot_of[binding->address] != NO_SLOT)
        return false;
    *value = network->cells[binding->address];
    return true;
}

static bool find_value(const struct edge_reads *edge_reads, const struct expr *expr,
                       int64_t *value);

static bool compare_values(enum op op, int64_t left, int64_t right, int64_t *value) {
    switch (op) {
    case OP_EQ: *value = left == right; return true;
    case OP_NE: *value = left != right; return true;
    case OP_LT: *value = left < right; return true;
    case OP_LE: *value = left <= right; return true;
    case OP_GE: *value = left >= right; return true;
    case OP_GT: *value = left > right; return true;
    case OP_AND: *value = left && right; return true;
    case OP_OR: *value = left || right; return true;
    case OP_IMPLY: *value = !left || right; return true;
    default: return false;
    }
}

/* Whether the first operand decides the result, whatever the second one is. */
static bool is_decided(enum op op, int64_t first) {
    return ((op == OP_AND || op == OP_IMPLY) && !first) || (op == OP_OR && first);
}

/* False: the value may be any. */
static bool find_value(const struct edge_reads *edge_reads, const struct expr *expr,
                       int64_t *value) {
    int64_t left, right;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL: *value = expr->value; return true;
    case EXPR_NAME: return expr->symbol && name_value(edge_reads, expr->symbol, value);
    case EXPR_UNARY:
        if (!find_value(edge_reads, expr->child[0], &left)) return false;
        *value = expr->op == OP_NOT ? !left : -left;
        return expr->op == OP_NOT || (expr->op == OP_NEG && *value <= INT32_MAX);
    case EXPR_BINARY:
        if (!find_value(edge_reads, expr->child[0], &left)) return false;
        if (is_decided(expr->op, left)) return compare_values(expr->op, left, left, value);
        return find_value(edge_reads, expr->child[1], &right) &&
               compare_values(expr->op, left, right, value);
    default: return false;
    }
}

/* ---- what is read ---- */

static bool note_read(void *context, const struct expr *expr);

/* Notes what a statement reads: of an if with a known condition, one branch only. */
static void note_statement(struct edge_reads *edge_reads, const struct statement *statement) {
    int64_t value;
    if (!statement) return;
    if (statement->kind == STATEMENT_BLOCK) {
        struct statement declarations = *statement;
        declarations.statement_count = 0;
        walk_statement(&declarations, note_read, edge_reads);
        for (uint32_t i = 0; i < statement->statement_count; i++)
            note_statement(edge_reads, statement->statements[i]);
        return;
    }
    struct statement head = *statement;
    bool is_if = statement->kind == STATEMENT_IF && statement->condition.count == 1;
    bool is_known = is_if && find_value(edge_reads, statement->condition.items[0], &value);
    head.body = head.other = NULL;
    walk_statement(&head, note_read, edge_reads);
    if (!is_known || value) note_statement(edge_reads, statement->body);
    if (!is_known || !value) note_statement(edge_reads, statement->other);
}

/* Whether the parameter has the value of its argument all the time. A bool has 0 or 1 only. */
static bool takes_value(const struct symbol *parameter, const struct effects *effects,
                        int64_t value) {
    const struct type *type = parameter->type;
    while (type->kind == TYPE_NAMED) type = type->symbol->type;
    return !parameter->is_reference && !effects_writes(effects, parameter) &&
           (type->kind == TYPE_INT || (type->kind == TYPE_BOOL && (value == 0 || value == 1)));
}

static void note_call(struct edge_reads *edge_reads, const struct expr *call) {
    assert(call->kind == EXPR_CALL && edge_reads->depth <= MOST_DEPTH);
    const struct function *function = call->symbol->function;
    const struct effects *effects = effects_of_function(&edge_reads->table, function);
    uint32_t before = edge_reads->arguments.count;
    int64_t value;
    for (uint32_t i = 0; i < call->argument_count; i++)
        walk_expr(call->arguments[i], note_read, edge_reads);
    edge_reads->has_all |= edge_reads->depth == MOST_DEPTH || edge_reads->call_count == MOST_CALLS;
    if (edge_reads->has_all) return;
    VEC(struct argument) own = {0};
    for (uint32_t i = 0; i < call->argument_count && i < function->parameter_count; i++)
        if (find_value(edge_reads, call->arguments[i], &value) &&
            takes_value(function->parameters[i], effects, value))
            VEC_PUSH(edge_reads->arena, &own, (struct argument){function->parameters[i], value});
    for (uint32_t i = 0; i < own.count; i++)
        VEC_PUSH(edge_reads->arena, &edge_reads->arguments, own.items[i]);
    edge_reads->depth++;
    edge_reads->call_count++;
    note_statement(edge_reads, function->body);
    edge_reads->depth--;
    assert(edge_reads->arguments.count >= before);
    edge_reads->arguments.count = before;
}

static bool note_read(void *context, const struct expr *expr) {
    struct edge_reads *edge_reads = context;
    const struct symbol *symbol = expr->symbol;
    int64_t value;
    bool is_choice =
        expr->kind == EXPR_COND || (expr->kind == EXPR_BINARY && op_is_connective(expr->op));
    if (is_choice && find_value(edge_reads, expr->child[0], &value)) {
        walk_expr(expr->child[0], note_read, edge_reads);
        if (expr->kind == EXPR_COND)
            walk_expr(expr->child[value ? 1 : 2], note_read, edge_reads);
        else if (!is_decided(expr->op, value))
            walk_expr(expr->child[1], note_read, edge_reads);
        return false;
    }
    if (expr->kind == EXPR_CALL && symbol && symbol->function) {
        note_call(edge_reads, expr);
        return false;
    }
    if (symbol) map_put(&edge_reads->of_symbol, map_key(symbol), edge_reads);
    return true;
}

struct edge_reads *reads_of_edge(struct arena *arena, const struct network *network,
                                 const struct process *process, const struct edge *edge) {
    struct edge_reads *edge_reads = ARENA_NEW(arena, struct edge_reads);
    assert(edge >= process->template->edges &&
           edge < process->template->edges + process->template->edge_count);
    *edge_reads = (struct edge_reads){
        .arena = arena, .network = network, .process = process, .table = network->effects};
    edge_reads->table.arena = arena;
    map_init(&edge_reads->of_symbol, arena);
    for (uint32_t i = 0; i < edge->select_count; i++)
        walk_type(edge->selects[i]->type, note_read, edge_reads);
    walk_expr(guard_of_edge(network, process->template, edge), note_read, edge_reads);
    walk_expr(edge->sync, note_read, edge_reads);
    walk_list(&edge->updates, note_read, edge_reads);
    return edge_reads;
}

bool edge_reads_has(const struct edge_reads *edge_reads, const struct symbol *symbol) {
    return edge_reads->has_all || map_get(&edge_reads->of_symbol, map_key(symbol));
}
