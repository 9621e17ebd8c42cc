#include "lang/syntax/ast.h"

const struct type *type_strip(const struct type *type) {
    while (type && type->kind == TYPE_NAMED) type = type->symbol->type;
    return type;
}

unsigned type_prefixes(const struct type *type) {
    unsigned prefix = 0;
    while (type) {
        prefix |= type->prefix;
        if (type->kind == TYPE_NAMED)
            type = type->symbol->type;
        else if (type->kind == TYPE_ARRAY)
            type = type->element;
        else
            break;
    }
    return prefix;
}

enum type_kind type_base_kind(const struct type *type) {
    type = type_strip(type);
    while (type && type->kind == TYPE_ARRAY) type = type_strip(type->element);
    return type ? type->kind : TYPE_ERROR;
}

/* A variable or parameter, itself const or by its typedef. */
bool symbol_is_const(const struct symbol *symbol) {
    return (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER) &&
           (type_prefixes(symbol->type) & PREFIX_CONST);
}

/* A variable or parameter that is a channel, or an array of them. */
bool symbol_is_channel(const struct symbol *symbol) {
    return (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER) &&
           type_base_kind(symbol->type) == TYPE_CHAN;
}

/* The same with clocks. */
bool symbol_is_clock(const struct symbol *symbol) {
    return (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER) &&
           type_base_kind(symbol->type) == TYPE_CLOCK;
}

bool symbol_has_value(const struct symbol *symbol) {
    return !symbol_is_channel(symbol) && !symbol_is_clock(symbol);
}

bool type_is_number(const struct type *type) {
    assert(type); /* the expression was checked */
    type = type_strip(type);
    return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_SCALAR;
}

bool symbol_is_variable(const struct symbol *symbol) {
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return false;
    if (symbol->is_reference || symbol_is_const(symbol)) return false;
    enum type_kind kind = type_base_kind(symbol->type);
    return kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_SCALAR || kind == TYPE_STRUCT;
}

static bool is_process_name(const struct expr *expr) {
    return expr->kind == EXPR_NAME && expr->symbol &&
           (expr->symbol->kind == SYMBOL_TEMPLATE || expr->symbol->kind == SYMBOL_INSTANCE);
}

bool expr_is_process(const struct expr *expr) {
    return is_process_name(expr) || (expr->kind == EXPR_CALL && is_process_name(expr->child[0]));
}

enum op op_of_assignment(enum op assignment) {
    switch (assignment) {
    case OP_ADD_ASSIGN: return OP_ADD;
    case OP_SUB_ASSIGN: return OP_SUB;
    case OP_MUL_ASSIGN: return OP_MUL;
    case OP_DIV_ASSIGN: return OP_DIV;
    case OP_MOD_ASSIGN: return OP_MOD;
    case OP_AND_ASSIGN: return OP_BIT_AND;
    case OP_OR_ASSIGN: return OP_BIT_OR;
    case OP_XOR_ASSIGN: return OP_BIT_XOR;
    case OP_SHL_ASSIGN: return OP_SHL;
    case OP_SHR_ASSIGN: return OP_SHR;
    default: assert(assignment == OP_ASSIGN); return OP_NONE;
    }
}

enum op op_negated(enum op comparison) {
    switch (comparison) {
    case OP_LT: return OP_GE;
    case OP_LE: return OP_GT;
    case OP_GE: return OP_LT;
    case OP_GT: return OP_LE;
    case OP_EQ: return OP_NE;
    case OP_NE: return OP_EQ;
    default: return OP_NONE;
    }
}

enum op op_turned(enum op comparison) {
    switch (comparison) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GE: return OP_LE;
    case OP_GT: return OP_LT;
    default: return comparison;
    }
}

bool model_has_invariants(const struct model *model) {
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t l = 0; l < model->templates[t]->location_count; l++)
            if (model->templates[t]->locations[l].written_invariant) return true;
    return false;
}

struct model *model_with_queries(struct arena *arena, const struct model *model,
                                 struct query *queries, uint32_t count) {
    struct model *copy = ARENA_NEW(arena, struct model);
    *copy = *model;
    copy->queries = queries;
    copy->query_count = count;
    return copy;
}

struct edge_sizes model_edge_sizes(const struct model *model) {
    struct edge_sizes most = {0};
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            if (edge->select_count > most.selects) most.selects = edge->select_count;
            if (edge->frame_size > most.frame) most.frame = edge->frame_size;
        }
    return most;
}
