/* What labels and functions read and write, by symbol. */
#include "model/effects.h"

enum { SHORT_LIST = 32 }; /* to be searched entry by entry */

/* Effects of functions are computed when they are asked for, and kept. */
void effects_table_init(struct effects_table *table, struct arena *arena) {
    table->arena = arena;
    map_init(&table->functions, arena);
}

/* NULL if the symbol is neither read nor written. */
const struct effect *effects_find(const struct effects *effects, const struct symbol *symbol) {
    if (effects->of_symbol) return map_get(effects->of_symbol, map_key(symbol));
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].symbol == symbol) return &effects->list.items[i];
    return NULL;
}

/* Over: on some way through the expression. */
bool effects_reads(const struct effects *effects, const struct symbol *symbol) {
    const struct effect *effect = effects_find(effects, symbol);
    return effect && effect->reads;
}

/* Over: on some way through the expression. */
bool effects_writes(const struct effects *effects, const struct symbol *symbol) {
    const struct effect *effect = effects_find(effects, symbol);
    return effect && effect->writes;
}

/* Entries of a long list are found by their symbols: the last one, or all of them if they moved. */
static void note(struct effects_table *table, struct effects *effects, bool moves) {
    if (!effects->of_symbol) {
        effects->of_symbol = ARENA_NEW(table->arena, struct map);
        map_init(effects->of_symbol, table->arena);
        moves = true;
    }
    for (uint32_t i = moves ? 0 : effects->list.count - 1; i < effects->list.count; i++)
        map_put(effects->of_symbol, map_key(effects->list.items[i].symbol),
                &effects->list.items[i]);
}

static void add(struct effects_table *table, struct effects *effects, const struct symbol *symbol,
                bool reads, bool writes) {
    if (!symbol || (!reads && !writes)) return;
    if (symbol->kind == SYMBOL_LOCATION || symbol->kind == SYMBOL_FUNCTION ||
        symbol->kind == SYMBOL_TEMPLATE || symbol->kind == SYMBOL_INSTANCE ||
        symbol->kind == SYMBOL_AGENT)
        return;
    struct effect *effect = (struct effect *)effects_find(effects, symbol);
    if (effect) {
        effect->reads |= reads;
        effect->writes |= writes;
        return;
    }
    bool moves = effects->list.count == effects->list.capacity;
    VEC_PUSH(table->arena, &effects->list, (struct effect){symbol, reads, writes});
    if (effects->list.count > SHORT_LIST) note(table, effects, moves);
}

const struct symbol *expr_root(const struct expr *expr) {
    for (;;) switch (expr->kind) {
        case EXPR_NAME: return expr->symbol;
        case EXPR_INDEX: expr = expr->child[0]; break;
        case EXPR_FIELD:
            if (expr->symbol) return expr->symbol; /* a member of a process */
            expr = expr->child[0];
            break;
        default: return NULL;
        }
}

/* An lvalue that is read and/or written; its indices are read. */
static void add_place(struct effects_table *table, struct effects *effects, const struct expr *expr,
                      bool reads, bool writes) {
    switch (expr->kind) {
    case EXPR_NAME: add(table, effects, expr->symbol, reads, writes); break;
    case EXPR_INDEX:
        add_place(table, effects, expr->child[0], reads, writes);
        effects_add_expr(table, effects, expr->child[1]);
        break;
    case EXPR_FIELD:
        if (expr->symbol) {
            add(table, effects, expr->symbol, reads, writes);
            if (expr->child[0]->kind == EXPR_CALL)
                for (uint32_t i = 0; i < expr->child[0]->argument_count; i++)
                    effects_add_expr(table, effects, expr->child[0]->arguments[i]);
        } else {
            add_place(table, effects, expr->child[0], reads, writes);
        }
        break;
    case EXPR_COND:
        effects_add_expr(table, effects, expr->child[0]);
        add_place(table, effects, expr->child[1], reads, writes);
        add_place(table, effects, expr->child[2], reads, writes);
        break;
    case EXPR_ASSIGN: /* each part is visited once, or nested ones would take exponential time */
        add_place(table, effects, expr->child[0], reads || expr->op != OP_ASSIGN, true);
        effects_add_expr(table, effects, expr->child[1]);
        break;
    case EXPR_STEP: add_place(table, effects, expr->child[0], true, true); break;
    default: effects_add_expr(table, effects, expr); break;
    }
}

static void add_call(struct effects_table *table, struct effects *effects,
                     const struct expr *expr) {
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    if (!function) { /* a process set indexed by the call */
        for (uint32_t i = 0; i < expr->argument_count; i++)
            effects_add_expr(table, effects, expr->arguments[i]);
        return;
    }
    const struct effects *inner = effects_of_function(table, function);
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        const struct symbol *parameter =
            i < function->parameter_count ? function->parameters[i] : NULL;
        if (parameter && parameter->is_reference) {
            /* Named is used, even where the function ignores it. */
            bool writes = effects_writes(inner, parameter);
            add_place(table, effects, expr->arguments[i],
                      effects_reads(inner, parameter) || !writes, writes);
        } else
            effects_add_expr(table, effects, expr->arguments[i]);
    }
    for (uint32_t i = 0; i < inner->list.count; i++) {
        const struct effect *effect = &inner->list.items[i];
        if (effect->symbol->scope != SCOPE_FRAME)
            add(table, effects, effect->symbol, effect->reads, effect->writes);
    }
}

static void add_type(struct effects_table *table, struct effects *effects,
                     const struct type *type) {
    if (!type) return;
    if (type->lower) effects_add_expr(table, effects, type->lower);
    if (type->upper) effects_add_expr(table, effects, type->upper);
    if (type->size) effects_add_expr(table, effects, type->size);
    if (type->kind == TYPE_ARRAY) {
        add_type(table, effects, type->index);
        add_type(table, effects, type->element);
    }
}

void effects_add_expr(struct effects_table *table, struct effects *effects,
                      const struct expr *expr) {
    if (!expr) return;
    switch (expr->kind) {
    case EXPR_NAME:
    case EXPR_INDEX:
    case EXPR_FIELD: add_place(table, effects, expr, true, false); break;
    case EXPR_ASSIGN:
        add_place(table, effects, expr->child[0], expr->op != OP_ASSIGN, true);
        effects_add_expr(table, effects, expr->child[1]);
        break;
    case EXPR_STEP: add_place(table, effects, expr->child[0], true, true); break;
    case EXPR_CALL: add_call(table, effects, expr); break;
    case EXPR_QUANTIFY:
        add_type(table, effects, expr->bound->type);
        effects_add_expr(table, effects, expr->child[0]);
        break;
    default:
        for (int i = 0; i < 3; i++) effects_add_expr(table, effects, expr->child[i]);
        for (uint32_t i = 0; i < expr->argument_count; i++)
            effects_add_expr(table, effects, expr->arguments[i]);
        break;
    }
}

/* The same for all of them. */
void effects_add_list(struct effects_table *table, struct effects *effects,
                      const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) effects_add_expr(table, effects, list->items[i]);
}

static void add_initialiser(struct effects_table *table, struct effects *effects,
                            const struct initialiser *initialiser) {
    if (!initialiser) return;
    effects_add_expr(table, effects, initialiser->expr);
    for (uint32_t i = 0; i < initialiser->item_count; i++)
        add_initialiser(table, effects, initialiser->items[i]);
}

static void add_statement(struct effects_table *table, struct effects *effects,
                          const struct statement *statement) {
    if (!statement) return;
    effects_add_expr(table, effects, statement->expr);
    effects_add_list(table, effects, &statement->first);
    effects_add_list(table, effects, &statement->condition);
    effects_add_list(table, effects, &statement->step);
    if (statement->bound) add_type(table, effects, statement->bound->type);
    add_statement(table, effects, statement->body);
    add_statement(table, effects, statement->other);
    for (uint32_t i = 0; i < statement->declaration_count; i++) {
        const struct declaration *declaration = statement->declarations[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            const struct symbol *symbol = declaration->declarators[k].symbol;
            add_type(table, effects, symbol->type);
            add_initialiser(table, effects, symbol->initialiser);
        }
    }
    for (uint32_t i = 0; i < statement->statement_count; i++)
        add_statement(table, effects, statement->statements[i]);
}

const struct effects *effects_of_function(struct effects_table *table,
                                          const struct function *function) {
    struct effects *effects = map_get(&table->functions, map_key(function));
    if (effects) return effects; /* also ends a recursion, which the checker has refused */
    effects = ARENA_NEW(table->arena, struct effects);
    map_put(&table->functions, map_key(function), effects);
    struct effects all = {0};
    add_statement(table, &all, function->body);
    for (uint32_t i = 0; i < all.list.count; i++) {
        const struct effect *effect = &all.list.items[i];
        bool keeps =
            effect->symbol->scope != SCOPE_FRAME || effect->symbol->kind == SYMBOL_PARAMETER;
        if (keeps) VEC_PUSH(table->arena, &effects->list, *effect);
    }
    return effects;
}
