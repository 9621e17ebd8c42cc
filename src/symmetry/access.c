#include "symmetry/access.h"

#include "symmetry/fail.h"
#include "symmetry/sorts.h"

#include <assert.h>

enum { MAX_DEPTH = 6, MAX_CALLS = 2000 }; /* calls that are gone into */

void accesses_init(struct text_accesses *accesses, struct arena *arena,
                   const struct network *network) {
    *accesses =
        (struct text_accesses){.arena = arena, .network = network, .returns_constant = true};
    accesses->calls = &accesses->own_calls;
}

/* ---- places ---- */

static void add_read(struct text_accesses *accesses, const struct expr *expr);

/* The access to a place, whose indices are read; false if it has no variable at the bottom. */
static bool find_place(struct text_accesses *accesses, const struct expr *expr,
                       struct access *access) {
    const struct symbol *keys[ACCESS_KEYS * 2];
    uint32_t count = 0;
    *access = (struct access){.span = expr->span};
    for (; expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD; expr = expr->child[0]) {
        if (expr->kind == EXPR_FIELD && expr_is_process(expr->child[0])) break;
        if (expr->kind != EXPR_INDEX) continue;
        const struct expr *index = expr->child[1];
        add_read(accesses, index);
        if (count < ACCESS_KEYS * 2)
            keys[count++] = index->kind == EXPR_NAME ? index->symbol : NULL;
        else
            accesses->is_unknown = true;
    }
    if (expr->kind != EXPR_NAME || !expr->symbol) {
        add_read(accesses, expr);
        return false;
    }
    access->root = expr->symbol;
    for (uint32_t i = 0; i < count && i < ACCESS_KEYS; i++) access->keys[i] = keys[count - 1 - i];
    return true;
}

static void add_access(struct text_accesses *accesses, const struct expr *place,
                       enum access_kind kind, int64_t value) {
    struct access access;
    if (!find_place(accesses, place, &access)) {
        accesses->is_unknown |= kind != ACCESS_READ;
        return;
    }
    access.kind = kind;
    access.value = value;
    if (symbol_is_const(access.root) && kind == ACCESS_READ && !access.root->is_reference) return;
    VEC_PUSH(accesses->arena, &accesses->list, access);
}

static void add_write_and_read(struct text_accesses *accesses, const struct expr *place) {
    add_access(accesses, place, ACCESS_WRITE, 0);
    add_access(accesses, place, ACCESS_READ, 0);
}

/* Everything that a function may touch, as a whole; its references are the arguments. */
static void add_whole_call(struct text_accesses *accesses, const struct expr *expr) {
    const struct function *function = expr->symbol->function;
    const struct effects *effects = network_effects(accesses->network, function);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (function->parameters[i]->is_reference &&
            !(type_prefixes(function->parameters[i]->type) & PREFIX_CONST))
            add_access(accesses, expr->arguments[i], ACCESS_WRITE, 0);
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct effect *effect = &effects->list.items[i];
        if (effect->symbol->kind == SYMBOL_PARAMETER && effect->symbol->scope == SCOPE_FRAME)
            continue;
        struct access access = {.root = effect->symbol, .span = expr->span};
        if (effect->reads) VEC_PUSH(accesses->arena, &accesses->list, access);
        access.kind = ACCESS_WRITE;
        if (effect->writes) VEC_PUSH(accesses->arena, &accesses->list, access);
    }
}

/* The name that a key of a function has where the function is called, or NULL. */
static const struct symbol *key_outside(const struct text_accesses *inside, const struct expr *call,
                                        const struct symbol *key) {
    const struct function *function = call->symbol->function;
    if (!key || key->scope != SCOPE_FRAME) return key;
    for (uint32_t i = 0; i < inside->list.count; i++)
        if (inside->list.items[i].root == key && inside->list.items[i].kind != ACCESS_READ)
            return NULL;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (function->parameters[i] == key && call->arguments[i]->kind == EXPR_NAME)
            return call->arguments[i]->symbol;
    return NULL;
}

/* Looks into a function whose parameters are values, with its arguments put in. */
static void add_call(struct text_accesses *accesses, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    struct text_accesses inside;
    for (uint32_t i = 0; i < expr->argument_count; i++) add_read(accesses, expr->arguments[i]);
    if (!symbol || symbol->kind != SYMBOL_FUNCTION) {
        accesses->is_unknown = true;
        return;
    }
    const struct function *function = symbol->function;
    bool is_plain = function->body && accesses->depth < MAX_DEPTH && *accesses->calls < MAX_CALLS;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        is_plain &= !function->parameters[i]->is_reference;
    if (!is_plain) {
        add_whole_call(accesses, expr);
        return;
    }
    assert(function->parameter_count == expr->argument_count);
    accesses_init(&inside, accesses->arena, accesses->network);
    ++*accesses->calls;
    inside.calls = accesses->calls;
    inside.depth = accesses->depth + 1;
    accesses_add_statement(&inside, function->body);
    assert(inside.depth <= MAX_DEPTH && *accesses->calls <= MAX_CALLS);
    accesses->is_unknown |= inside.is_unknown;
    for (uint32_t i = 0; i < inside.list.count; i++) {
        struct access access = inside.list.items[i];
        if (access.root->scope == SCOPE_FRAME) continue;
        for (uint32_t d = 0; d < ACCESS_KEYS; d++)
            access.keys[d] = key_outside(&inside, expr, access.keys[d]);
        VEC_PUSH(accesses->arena, &accesses->list, access);
    }
}

static void add_own(struct text_accesses *accesses, const struct symbol *symbol) {
    VEC_PUSH(accesses->arena, &accesses->own, symbol);
}

static void add_read(struct text_accesses *accesses, const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_NAME:
        if (expr->symbol && (expr->symbol->kind == SYMBOL_FUNCTION || !expr->symbol->type)) return;
        if (expr->symbol) add_access(accesses, expr, ACCESS_READ, 0);
        return;
    case EXPR_INDEX: add_access(accesses, expr, ACCESS_READ, 0); return;
    case EXPR_FIELD:
        if (expr_is_process(expr->child[0]))
            accesses->is_unknown = true;
        else
            add_access(accesses, expr, ACCESS_READ, 0);
        return;
    case EXPR_ASSIGN:
        add_write_and_read(accesses, expr->child[0]);
        add_read(accesses, expr->child[1]);
        return;
    case EXPR_STEP: add_write_and_read(accesses, expr->child[0]); return;
    case EXPR_CALL: add_call(accesses, expr); return;
    case EXPR_QUANTIFY: add_own(accesses, expr->bound); break;
    default: break;
    }
    for (int i = 0; i < 3; i++)
        if (expr->child[i]) add_read(accesses, expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count; i++) add_read(accesses, expr->arguments[i]);
}

/* ---- effects ---- */

static bool is_bool(const struct expr *expr) {
    return expr->type && type_strip(expr->type)->kind == TYPE_BOOL;
}

/* x = x || e and the like: the value is joined to a variable without indices. */
static bool is_joined(const struct expr *expr, enum access_kind *kind, const struct expr **rest) {
    const struct expr *target = expr->child[0], *value = expr->child[1];
    if (value->kind != EXPR_BINARY || target->kind != EXPR_NAME ||
        value->child[0]->kind != EXPR_NAME || value->child[0]->symbol != target->symbol)
        return false;
    *rest = value->child[1];
    switch (value->op) {
    case OP_ADD:
    case OP_SUB:
        *kind = value->op == OP_ADD ? ACCESS_ADD : ACCESS_SUBTRACT;
        return expr_takes_sums(target) && expr_is_never_negative(*rest);
    case OP_AND:
    case OP_BIT_AND: *kind = ACCESS_AND; break;
    case OP_OR:
    case OP_BIT_OR: *kind = ACCESS_OR; break;
    default: return false;
    }
    return is_bool(target) && is_bool(*rest) && expr_cannot_fail(*rest);
}

static void add_assignment(struct text_accesses *accesses, const struct expr *expr) {
    const struct expr *target = expr->child[0], *value = expr->child[1], *rest;
    enum access_kind kind;
    int64_t constant;
    bool is_value = false;
    switch (expr->op) {
    case OP_ASSIGN:
        is_value = number_in_text(value, &constant);
        if (value->kind == EXPR_BOOL) {
            constant = value->value;
            is_value = true;
        }
        if (is_value) {
            add_access(accesses, target, ACCESS_SET, constant);
        } else if (is_joined(expr, &kind, &rest)) {
            add_access(accesses, target, kind, 0);
            add_read(accesses, rest);
        } else {
            add_access(accesses, target, ACCESS_WRITE, 0);
            add_read(accesses, value);
        }
        return;
    case OP_ADD_ASSIGN:
    case OP_SUB_ASSIGN:
        kind = expr->op == OP_ADD_ASSIGN ? ACCESS_ADD : ACCESS_SUBTRACT;
        is_value = expr_takes_sums(target) && expr_is_never_negative(value);
        break;
    case OP_AND_ASSIGN:
    case OP_OR_ASSIGN:
        kind = expr->op == OP_AND_ASSIGN ? ACCESS_AND : ACCESS_OR;
        is_value = is_bool(target) && is_bool(value);
        break;
    default: kind = ACCESS_WRITE;
    }
    if (is_value)
        add_access(accesses, target, kind, 0);
    else
        add_write_and_read(accesses, target);
    add_read(accesses, value);
}

static void add_effect(struct text_accesses *accesses, const struct expr *expr) {
    if (expr->kind == EXPR_ASSIGN) {
        add_assignment(accesses, expr);
    } else if (expr->kind == EXPR_STEP && expr_takes_sums(expr->child[0])) {
        bool adds = expr->op == OP_PRE_INC || expr->op == OP_POST_INC;
        add_access(accesses, expr->child[0], adds ? ACCESS_ADD : ACCESS_SUBTRACT, 0);
    } else {
        add_read(accesses, expr);
    }
}

void accesses_add_list(struct text_accesses *accesses, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) add_effect(accesses, list->items[i]);
}

static void add_initialiser(struct text_accesses *accesses, const struct initialiser *initialiser) {
    if (!initialiser) return;
    if (initialiser->expr) add_read(accesses, initialiser->expr);
    for (uint32_t i = 0; i < initialiser->item_count; i++)
        add_initialiser(accesses, initialiser->items[i]);
}

static void add_return(struct text_accesses *accesses, const struct statement *statement) {
    int64_t value = 0;
    bool is_constant = !statement->expr || number_in_text(statement->expr, &value);
    if (statement->expr && statement->expr->kind == EXPR_BOOL) {
        value = statement->expr->value;
        is_constant = true;
    }
    accesses->returns_constant &=
        is_constant && (!accesses->returns || accesses->returned == value);
    accesses->returns = true;
    accesses->returned = value;
    if (statement->expr) add_read(accesses, statement->expr);
}

static void add_conditions(struct text_accesses *accesses, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        add_effect(accesses, list->items[i]);
        accesses->may_fail |= !expr_cannot_fail(list->items[i]);
    }
}

static void add_block(struct text_accesses *accesses, const struct statement *block) {
    for (uint32_t i = 0; i < block->declaration_count; i++)
        for (uint32_t k = 0; k < block->declarations[i]->declarator_count; k++) {
            const struct symbol *symbol = block->declarations[i]->declarators[k].symbol;
            add_own(accesses, symbol);
            add_initialiser(accesses, symbol->initialiser);
            accesses->may_fail |= symbol->initialiser != NULL;
        }
    for (uint32_t i = 0; i < block->statement_count; i++)
        accesses_add_statement(accesses, block->statements[i]);
}

void accesses_add_statement(struct text_accesses *accesses, const struct statement *statement) {
    if (accesses->skipped && map_get(accesses->skipped, map_key(statement))) return;
    switch (statement->kind) {
    case STATEMENT_BLOCK: add_block(accesses, statement); return;
    case STATEMENT_EMPTY: return;
    case STATEMENT_EXPR:
        add_effect(accesses, statement->expr);
        accesses->may_fail = true;
        return;
    case STATEMENT_RETURN:
        add_return(accesses, statement);
        accesses->may_fail |= statement->expr && !expr_cannot_fail(statement->expr);
        return;
    case STATEMENT_ASSERT:
        add_read(accesses, statement->expr);
        accesses->may_fail = true;
        return;
    case STATEMENT_IF: add_conditions(accesses, &statement->condition); break;
    case STATEMENT_ITERATE: add_own(accesses, statement->bound); break;
    default:
        assert(statement->kind == STATEMENT_FOR || statement->kind == STATEMENT_WHILE ||
               statement->kind == STATEMENT_DO);
        accesses->may_fail = true;
        add_conditions(accesses, &statement->first);
        add_conditions(accesses, &statement->condition);
        add_conditions(accesses, &statement->step);
    }
    if (statement->body) accesses_add_statement(accesses, statement->body);
    if (statement->other) accesses_add_statement(accesses, statement->other);
}

/* ---- order ---- */

static bool is_own(const struct text_accesses *accesses, const struct symbol *symbol) {
    if (accesses->counting && map_get(accesses->counting, map_key(symbol))) return true;
    for (uint32_t i = 0; i < accesses->own.count; i++)
        if (accesses->own.items[i] == symbol) return true;
    return false;
}

/* Whether two accesses to one variable, in two runs, may come in either order. */
static bool may_swap(const struct access *left, const struct access *right) {
    if (left->kind == ACCESS_READ && right->kind == ACCESS_READ) return true;
    if (left->kind != right->kind || left->kind == ACCESS_READ || left->kind == ACCESS_WRITE)
        return false;
    return left->kind != ACCESS_SET || left->value == right->value;
}

static bool may_be_reference(const struct symbol *symbol) {
    return symbol->kind == SYMBOL_PARAMETER && symbol->is_reference;
}

/* Whether one may be a part of the other under another name. */
static bool may_be_one(const struct symbol *left, const struct symbol *right) {
    if (left == right) return true;
    bool is_left = may_be_reference(left), is_right = may_be_reference(right);
    return (is_left && (is_right || right->scope != SCOPE_FRAME)) ||
           (is_right && left->scope != SCOPE_FRAME);
}

bool accesses_are_rounds(const struct text_accesses *accesses, const struct symbol *bound,
                         struct span *at) {
    bool writes = false;
    assert(bound);
    if (accesses->is_unknown) return false;
    for (uint32_t i = 0; i < accesses->list.count; i++) {
        const struct access *left = &accesses->list.items[i];
        if (left->root == bound && left->kind != ACCESS_READ) return false;
        if (left->root == bound || is_own(accesses, left->root)) continue;
        writes |= left->kind != ACCESS_READ;
        for (uint32_t k = i; k < accesses->list.count; k++) {
            const struct access *right = &accesses->list.items[k];
            bool is_keyed = false;
            if (!may_be_one(left->root, right->root)) continue;
            bool is_one = left->root == right->root;
            if (left->kind == ACCESS_READ && right->kind == ACCESS_READ) continue;
            if (is_one && may_swap(left, right)) continue;
            for (uint32_t d = 0; d < ACCESS_KEYS && is_one; d++)
                is_keyed |= left->keys[d] == bound && right->keys[d] == bound;
            if (is_keyed) continue;
            *at = left->kind == ACCESS_READ ? right->span : left->span;
            return false;
        }
    }
    return !accesses->returns || (accesses->returns_constant && !writes && !accesses->may_fail);
}

static bool is_local(const struct symbol *symbol) {
    return symbol->scope == SCOPE_TEMPLATE && !symbol->is_reference;
}

static bool pair_commutes(const struct access *left, const struct access *right,
                          bool (*differ)(const void *context, const struct symbol *left,
                                         const struct symbol *right),
                          const void *context) {
    if (left->kind == ACCESS_READ && right->kind == ACCESS_READ) return true;
    if (may_be_reference(left->root) || may_be_reference(right->root)) return false;
    if (left->root != right->root || may_swap(left, right)) return true;
    for (uint32_t d = 0; d < ACCESS_KEYS; d++)
        if (left->keys[d] && right->keys[d] && differ(context, left->keys[d], right->keys[d]))
            return true;
    return false;
}

bool accesses_commute(const struct text_accesses *left, const struct text_accesses *right,
                      bool (*differ)(const void *context, const struct symbol *left,
                                     const struct symbol *right),
                      const void *context) {
    if (left->is_unknown || right->is_unknown) return false;
    for (uint32_t i = 0; i < left->list.count; i++) {
        const struct access *one = &left->list.items[i];
        if (is_own(left, one->root) || is_local(one->root)) continue;
        for (uint32_t k = 0; k < right->list.count; k++) {
            const struct access *other = &right->list.items[k];
            if (is_own(right, other->root) || is_local(other->root)) continue;
            if (!pair_commutes(one, other, differ, context)) return false;
        }
    }
    return true;
}
