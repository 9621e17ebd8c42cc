/* See mention.h. */
#include "classes/mention.h"

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

struct mentions {
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

static bool name_value(const struct mentions *mentions, const struct symbol *symbol,
                       int64_t *value) {
    for (uint32_t i = mentions->arguments.count; i-- > 0;) {
        if (mentions->arguments.items[i].parameter != symbol) continue;
        *value = mentions->arguments.items[i].value;
        return true;
    }
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return false;
    const struct network *network = mentions->network;
    const struct binding *binding = relevance_binding(network, mentions->process, symbol);
    if (!binding || !binding->shape || binding->shape->kind != SHAPE_CELL ||
        symbol_is_channel(symbol) || network->slot_of[binding->address] != NO_SLOT)
        return false;
    *value = network->cells[binding->address];
    return true;
}

static bool find_value(const struct mentions *mentions, const struct expr *expr, int64_t *value);

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

/* What comes first decides, whatever the rest is. */
static bool is_decided(enum op op, int64_t first) {
    return ((op == OP_AND || op == OP_IMPLY) && !first) || (op == OP_OR && first);
}

/* False: the value may be any. */
static bool find_value(const struct mentions *mentions, const struct expr *expr, int64_t *value) {
    int64_t left, right;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL: *value = expr->value; return true;
    case EXPR_NAME: return expr->symbol && name_value(mentions, expr->symbol, value);
    case EXPR_UNARY:
        if (!find_value(mentions, expr->child[0], &left)) return false;
        *value = expr->op == OP_NOT ? !left : -left;
        return expr->op == OP_NOT || (expr->op == OP_NEG && *value <= INT32_MAX);
    case EXPR_BINARY:
        if (!find_value(mentions, expr->child[0], &left)) return false;
        if (is_decided(expr->op, left)) return compare_values(expr->op, left, left, value);
        return find_value(mentions, expr->child[1], &right) &&
               compare_values(expr->op, left, right, value);
    default: return false;
    }
}

/* ---- what is mentioned ---- */

static bool mention(void *context, const struct expr *expr);

/* The way that a condition takes, if that is known. */
static void mention_statement(struct mentions *mentions, const struct statement *statement) {
    int64_t value;
    if (!statement) return;
    if (statement->kind == STATEMENT_BLOCK) {
        struct statement declarations = *statement;
        declarations.statement_count = 0;
        walk_statement(&declarations, mention, mentions);
        for (uint32_t i = 0; i < statement->statement_count; i++)
            mention_statement(mentions, statement->statements[i]);
        return;
    }
    struct statement head = *statement;
    bool is_if = statement->kind == STATEMENT_IF && statement->condition.count == 1;
    bool is_known = is_if && find_value(mentions, statement->condition.items[0], &value);
    head.body = head.other = NULL;
    walk_statement(&head, mention, mentions);
    if (!is_known || value) mention_statement(mentions, statement->body);
    if (!is_known || !value) mention_statement(mentions, statement->other);
}

/* A bool holds whether its argument is other than 0. */
static bool takes_value(const struct symbol *parameter, const struct effects *effects,
                        int64_t value) {
    const struct type *type = parameter->type;
    while (type->kind == TYPE_NAMED) type = type->symbol->type;
    return !parameter->is_reference && !effects_writes(effects, parameter) &&
           (type->kind == TYPE_INT || (type->kind == TYPE_BOOL && (value == 0 || value == 1)));
}

static void mention_call(struct mentions *mentions, const struct expr *call) {
    const struct function *function = call->symbol->function;
    const struct effects *effects = effects_of_function(&mentions->table, function);
    uint32_t before = mentions->arguments.count;
    int64_t value;
    for (uint32_t i = 0; i < call->argument_count; i++)
        walk_expr(call->arguments[i], mention, mentions);
    mentions->has_all |= mentions->depth == MOST_DEPTH || mentions->call_count == MOST_CALLS;
    if (mentions->has_all) return;
    VEC(struct argument) own = {0};
    for (uint32_t i = 0; i < call->argument_count && i < function->parameter_count; i++)
        if (find_value(mentions, call->arguments[i], &value) &&
            takes_value(function->parameters[i], effects, value))
            VEC_PUSH(mentions->arena, &own, (struct argument){function->parameters[i], value});
    for (uint32_t i = 0; i < own.count; i++)
        VEC_PUSH(mentions->arena, &mentions->arguments, own.items[i]);
    mentions->depth++;
    mentions->call_count++;
    mention_statement(mentions, function->body);
    mentions->depth--;
    mentions->arguments.count = before;
}

static bool mention(void *context, const struct expr *expr) {
    struct mentions *mentions = context;
    const struct symbol *symbol = expr->symbol;
    int64_t value;
    bool is_choice = expr->kind == EXPR_COND ||
                     (expr->kind == EXPR_BINARY &&
                      (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLY));
    if (is_choice && find_value(mentions, expr->child[0], &value)) {
        walk_expr(expr->child[0], mention, mentions);
        if (expr->kind == EXPR_COND)
            walk_expr(expr->child[value ? 1 : 2], mention, mentions);
        else if (!is_decided(expr->op, value))
            walk_expr(expr->child[1], mention, mentions);
        return false;
    }
    if (expr->kind == EXPR_CALL && symbol && symbol->function) {
        mention_call(mentions, expr);
        return false;
    }
    if (symbol) map_put(&mentions->of_symbol, map_key(symbol), mentions);
    return true;
}

struct mentions *mentions_of_edge(struct arena *arena, const struct network *network,
                                  const struct process *process, const struct edge *edge) {
    struct mentions *mentions = ARENA_NEW(arena, struct mentions);
    assert(edge >= process->template->edges &&
           edge < process->template->edges + process->template->edge_count);
    *mentions = (struct mentions){
        .arena = arena, .network = network, .process = process, .table = network->effects};
    mentions->table.arena = arena;
    map_init(&mentions->of_symbol, arena);
    for (uint32_t i = 0; i < edge->select_count; i++)
        walk_type(edge->selects[i]->type, mention, mentions);
    walk_expr(guard_of_edge(network, process->template, edge), mention, mentions);
    walk_expr(edge->sync, mention, mentions);
    walk_list(&edge->updates, mention, mentions);
    return mentions;
}

bool mentions_has(const struct mentions *mentions, const struct symbol *symbol) {
    return mentions->has_all || map_get(&mentions->of_symbol, map_key(symbol));
}
