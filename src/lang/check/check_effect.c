/* What expressions and functions read and change. */
#include "lang/check/check_internal.h"

#include <assert.h>

struct scan {
    struct checker *checker;
    struct side_effects effects;
};

static void scan_expr(struct scan *scan, const struct expr *expr);

/* The variables that an lvalue may stand for. */
static void scan_target(struct scan *scan, const struct expr *expr) {
    assert(expr);
    switch (expr->kind) {
    case EXPR_NAME:
        if (!expr->symbol) return;
        scan->effects.changes = true;
        if (expr->symbol->scope != SCOPE_FRAME)
            scan->effects.changes_nonlocal = true;
        else if (expr->symbol->is_reference)
            scan->effects.changes_reference = true;
        return;
    case EXPR_INDEX:
    case EXPR_FIELD:
    case EXPR_STEP:
    case EXPR_ASSIGN: scan_target(scan, expr->child[0]); return;
    case EXPR_COND:
        scan_target(scan, expr->child[1]);
        scan_target(scan, expr->child[2]);
        return;
    default: return;
    }
}

static void scan_read(struct scan *scan, const struct symbol *symbol) {
    if (!symbol || symbol->is_compile_time || symbol->kind == SYMBOL_FUNCTION) return;
    scan->effects.is_computable = false;
    bool is_local = symbol->scope == SCOPE_FRAME &&
                    (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER ||
                     symbol->kind == SYMBOL_BOUND);
    if (!is_local) scan->effects.is_computable_call = false;
}

/* A call does what its function does to others, and changes what non-const references get. */
static void scan_call(struct scan *scan, const struct expr *expr) {
    if (!expr->symbol || expr->symbol->kind != SYMBOL_FUNCTION) return;
    const struct function *function = expr->symbol->function;
    if (map_get(&scan->checker->changes, map_key(function)))
        scan->effects.changes = scan->effects.changes_nonlocal = true;
    if (!function->is_compile_time)
        scan->effects.is_computable = scan->effects.is_computable_call = false;
    for (uint32_t i = 0; i < expr->argument_count && i < function->parameter_count; i++) {
        const struct symbol *parameter = function->parameters[i];
        if (parameter->is_reference && !symbol_is_const(parameter))
            scan_target(scan, expr->arguments[i]);
    }
}

/* A bound variable is known inside its own quantifier. */
static void scan_quantifier(struct scan *scan, const struct expr *expr) {
    assert(expr->bound);
    bool before = expr->bound->is_compile_time;
    expr->bound->is_compile_time = true;
    scan_expr(scan, expr->child[0]);
    expr->bound->is_compile_time = before;
}

static void scan_expr(struct scan *scan, const struct expr *expr) {
    assert(expr);
    if (expr->kind == EXPR_QUANTIFY) {
        scan_quantifier(scan, expr);
        return;
    }
    for (int i = 0; i < 3; i++)
        if (expr->child[i]) scan_expr(scan, expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count; i++) scan_expr(scan, expr->arguments[i]);
    switch (expr->kind) {
    case EXPR_NAME: scan_read(scan, expr->symbol); break;
    case EXPR_ASSIGN:
    case EXPR_STEP: scan_target(scan, expr->child[0]); break;
    case EXPR_CALL: scan_call(scan, expr); break;
    default: break;
    }
}

static struct scan scan_start(struct checker *checker) {
    return (struct scan){checker, {.is_computable = true, .is_computable_call = true}};
}

/* Through the functions that it calls, which have been checked. */
struct side_effects expr_effects(struct checker *checker, const struct expr *expr) {
    struct scan scan = scan_start(checker);
    scan_expr(&scan, expr);
    return scan.effects;
}

void initialiser_visit(const struct initialiser *initialiser,
                       void (*visit)(void *context, struct expr *expr), void *context) {
    if (!initialiser) return;
    if (initialiser->expr) visit(context, initialiser->expr);
    for (uint32_t i = 0; i < initialiser->item_count; i++)
        initialiser_visit(initialiser->items[i], visit, context);
}

static void scan_visit(void *scan, struct expr *expr) { scan_expr(scan, expr); }

static void scan_list(struct scan *scan, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) scan_expr(scan, list->items[i]);
}

static void scan_statement(struct scan *scan, const struct statement *statement) {
    if (statement->expr) scan_expr(scan, statement->expr);
    scan_list(scan, &statement->first);
    scan_list(scan, &statement->condition);
    scan_list(scan, &statement->step);
    for (uint32_t i = 0; i < statement->declaration_count; i++) {
        const struct declaration *declaration = statement->declarations[i];
        if (declaration->kind != DECLARATION_VARIABLES) continue;
        for (uint32_t j = 0; j < declaration->declarator_count; j++)
            initialiser_visit(declaration->declarators[j].symbol->initialiser, scan_visit, scan);
    }
    for (uint32_t i = 0; i < statement->statement_count; i++)
        scan_statement(scan, statement->statements[i]);
    if (statement->body) scan_statement(scan, statement->body);
    if (statement->other) scan_statement(scan, statement->other);
}

void function_effects(struct checker *checker, struct function *function) {
    struct scan scan = scan_start(checker);
    if (function->body) scan_statement(&scan, function->body);
    function->changes_outside = scan.effects.changes_nonlocal || scan.effects.changes_reference;
    function->is_compile_time = scan.effects.is_computable_call;
    if (scan.effects.changes_nonlocal) map_put(&checker->changes, map_key(function), function);
}

/* Symbols whose initialisers are still to be followed. */
struct restriction {
    struct checker *checker;
    VEC(struct symbol *) pending;
};

static void restrict_visit(void *context, struct expr *expr) {
    struct restriction *restriction = context;
    struct checker *checker = restriction->checker;
    struct symbol *symbol = expr->kind == EXPR_NAME ? expr->symbol : NULL;
    if (symbol && !map_get(&checker->restricted, map_key(symbol))) {
        map_put(&checker->restricted, map_key(symbol), symbol);
        VEC_PUSH(checker->arena, &restriction->pending, symbol);
    }
    for (int i = 0; i < 3; i++)
        if (expr->child[i]) restrict_visit(context, expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count; i++) restrict_visit(context, expr->arguments[i]);
}

void check_restrict(struct checker *checker, const struct expr *expr) {
    struct restriction restriction = {.checker = checker};
    if (expr) restrict_visit(&restriction, (struct expr *)expr);
    while (restriction.pending.count) {
        struct symbol *symbol = restriction.pending.items[--restriction.pending.count];
        initialiser_visit(symbol->initialiser, restrict_visit, &restriction);
    }
}

/* Whether check_restrict met the symbol. */
bool is_restricted(const struct checker *checker, const struct symbol *symbol) {
    return map_get(&checker->restricted, map_key(symbol)) != NULL;
}
