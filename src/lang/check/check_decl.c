/* Declarations, functions and statements. */
#include "lang/check/check_internal.h"

#include <assert.h>

void mark_constants(const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        if (declaration->kind != DECLARATION_VARIABLES) continue;
        for (uint32_t j = 0; j < declaration->declarator_count; j++) {
            struct symbol *symbol = declaration->declarators[j].symbol;
            symbol->is_compile_time = symbol_is_const(symbol);
        }
    }
}

/* Initialisers: positions and names may be mixed for structs, every field is needed once. */
static void check_initialiser(struct checker *checker, const struct type *type,
                              const struct initialiser *initialiser);

static void check_array_items(struct checker *checker, const struct type *type,
                              const struct initialiser *initialiser) {
    for (uint32_t i = 0; i < initialiser->item_count; i++) {
        if (initialiser->names[i])
            check_fail(checker, STATUS_INVALID, initialiser->items[i]->span,
                       "'%s:' names a field, but this initialises an array", initialiser->names[i]);
        check_initialiser(checker, type->element, initialiser->items[i]);
    }
}

static uint32_t find_field(const struct type *type, const char *name) {
    uint32_t i = 0;
    while (i < type->field_count && type->fields[i].name != name) i++;
    return i;
}

static void check_struct_items(struct checker *checker, const struct type *type,
                               const struct initialiser *initialiser) {
    bool *is_set = ARENA_ARRAY(checker->arena, bool, type->field_count);
    uint32_t set_count = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < initialiser->item_count; i++, at++) {
        const struct initialiser *item = initialiser->items[i];
        const char *name = initialiser->names[i];
        if (name) at = find_field(type, name);
        if (at >= type->field_count) {
            if (name)
                check_fail(checker, STATUS_INVALID, item->span, "there is no field '%s'", name);
            else
                check_fail(checker, STATUS_INVALID, item->span,
                           "there are more values than fields");
            return;
        }
        if (is_set[at]) {
            check_fail(checker, STATUS_INVALID, item->span, "field '%s' gets a second value",
                       type->fields[at].name);
            continue;
        }
        is_set[at] = true;
        set_count++;
        check_initialiser(checker, type->fields[at].type, item);
    }
    if (set_count == type->field_count) return;
    uint32_t missing = 0;
    while (is_set[missing]) missing++;
    check_fail(checker, STATUS_INVALID, initialiser->span, "field '%s' gets no value",
               type->fields[missing].name);
}

static void check_initialiser(struct checker *checker, const struct type *type,
                              const struct initialiser *initialiser) {
    const struct type *base = type_strip(type);
    if (initialiser->expr) {
        const struct type *value = initialiser->expr->type;
        if (type_is_assignable(type, value)) return;
        if (type_kind(value) == base->kind)
            check_fail(checker, STATUS_INVALID, initialiser->span, "the value has another type%s",
                       type_advice(type));
        else
            check_fail(checker, STATUS_INVALID, initialiser->span, "the value must be %s, not %s",
                       type_describe(type), type_describe(value));
    } else if (base->kind == TYPE_ARRAY) {
        check_array_items(checker, base, initialiser);
    } else if (base->kind == TYPE_STRUCT) {
        check_struct_items(checker, base, initialiser);
    } else {
        check_fail(checker, STATUS_INVALID, initialiser->span,
                   "braces initialise arrays and structs only");
    }
}

struct initialiser_check {
    struct checker *checker;
    bool is_fine;
};

static void visit_type(void *context, struct expr *expr) {
    struct initialiser_check *check = context;
    check->is_fine &= !type_is_error(check_expr(check->checker, expr));
}

static void visit_pure(void *context, struct expr *expr) {
    struct initialiser_check *check = context;
    check->is_fine &= check_pure(check->checker, expr, "an initialiser");
}

static void visit_computable(void *context, struct expr *expr) {
    struct initialiser_check *check = context;
    check->is_fine &= check_computable(check->checker, expr, "the initialiser of a variable");
}

static void check_value(struct checker *checker, const struct symbol *symbol) {
    struct initialiser_check check = {checker, true};
    initialiser_visit(symbol->initialiser, visit_type, &check);
    if (check.is_fine && !checker->function)
        initialiser_visit(symbol->initialiser, visit_computable, &check);
    if (check.is_fine) initialiser_visit(symbol->initialiser, visit_pure, &check);
    if (check.is_fine) check_initialiser(checker, symbol->type, symbol->initialiser);
}

/* A string, or a number, perhaps with a sign. */
static bool is_literal(const struct initialiser *initialiser, bool is_string) {
    const struct expr *expr = initialiser->expr;
    if (expr && is_string) return expr->kind == EXPR_STRING;
    if (expr && expr->kind == EXPR_UNARY && expr->op == OP_NEG) expr = expr->child[0];
    return expr && (expr->kind == EXPR_DOUBLE || expr->kind == EXPR_INT);
}

/* A double or a string that says nothing as long as it is not used. */
static bool is_idle_type(const struct checker *checker, const struct symbol *symbol) {
    enum type_kind kind = type_kind(symbol->type);
    return (kind == TYPE_DOUBLE || kind == TYPE_STRING) && !checker->function &&
           (symbol->initialiser ? is_literal(symbol->initialiser, kind == TYPE_STRING)
                                : !symbol_is_const(symbol));
}

static void check_variable(struct checker *checker, struct symbol *symbol) {
    bool is_idle = is_idle_type(checker, symbol);
    checker->allows_idle = is_idle;
    bool is_fine = check_symbol_type(checker, symbol);
    checker->allows_idle = false;
    if (!is_fine) return;
    if (is_idle) {
        VEC_PUSH(checker->arena, &checker->unread, symbol);
        return;
    }
    if (type_base_kind(symbol->type) == TYPE_CLOCK) {
        check_clock(checker, symbol);
        return;
    }
    bool is_initialisable = type_is_initialisable(symbol->type);
    if (checker->function && !is_initialisable)
        check_fail(checker, STATUS_INVALID, symbol->span,
                   "'%s' cannot be declared in a function: channels and scalars cannot be local",
                   symbol->name);
    else if (symbol->initialiser && !is_initialisable)
        check_fail(checker, STATUS_INVALID, symbol->span,
                   "'%s' cannot have an initialiser: channels and scalars have none", symbol->name);
    else if (symbol->initialiser)
        check_value(checker, symbol);
    else if (symbol_is_const(symbol))
        check_fail(checker, STATUS_INVALID, symbol->span, "constant '%s' needs an initialiser",
                   symbol->name);
}

static void check_variables(struct checker *checker, const struct declaration *declaration) {
    for (uint32_t i = 0; i < declaration->declarator_count; i++)
        check_variable(checker, declaration->declarators[i].symbol);
}

/* Statements; their nesting is bounded by the parser. */
static void check_statement(struct checker *checker, struct statement *statement);

static void check_block(struct checker *checker, struct statement *statement) {
    for (uint32_t i = 0; i < statement->declaration_count; i++)
        if (statement->declarations[i]->kind == DECLARATION_VARIABLES)
            check_variables(checker, statement->declarations[i]);
    for (uint32_t i = 0; i < statement->statement_count; i++)
        check_statement(checker, statement->statements[i]);
}

static void check_return(struct checker *checker, struct statement *statement) {
    assert(checker->function); /* the parser knows statements in functions only */
    const struct function *function = checker->function;
    bool is_void = type_kind(function->result) == TYPE_VOID;
    const struct type *type = statement->expr ? check_expr(checker, statement->expr) : NULL;
    if (type_is_error(function->result) || (type && type_is_error(type))) return;
    if (is_void && type)
        check_fail(checker, STATUS_INVALID, statement->span,
                   "'%s' is void and cannot return a value", function->symbol->name);
    else if (!is_void && !type)
        check_fail(checker, STATUS_INVALID, statement->span, "'%s' must return a value",
                   function->symbol->name);
    else if (type && !type_is_assignable(function->result, type))
        check_fail(checker, STATUS_INVALID, statement->expr->span,
                   "'%s' returns %s, but this is %s%s", function->symbol->name,
                   type_describe(function->result), type_describe(type),
                   type_kind(type) == type_kind(function->result) ? " of another type" : "");
}

static void check_statement(struct checker *checker, struct statement *statement) {
    switch (statement->kind) {
    case STATEMENT_BLOCK: check_block(checker, statement); break;
    case STATEMENT_EMPTY: break;
    case STATEMENT_EXPR: check_effect(checker, statement->expr); break;
    case STATEMENT_RETURN: check_return(checker, statement); break;
    case STATEMENT_ASSERT: check_condition(checker, statement->expr, "an assertion"); break;
    case STATEMENT_ITERATE: check_range_type(checker, statement->bound); break;
    case STATEMENT_FOR:
        check_effects(checker, &statement->first);
        check_condition_list(checker, &statement->condition);
        check_effects(checker, &statement->step);
        break;
    case STATEMENT_IF:
    case STATEMENT_WHILE:
    case STATEMENT_DO: check_condition_list(checker, &statement->condition); break;
    }
    if (statement->body) check_statement(checker, statement->body);
    if (statement->other) check_statement(checker, statement->other);
}

/* Judged by the form alone: the last statement returns, or both branches of it. */
static bool always_returns(const struct statement *statement) {
    while (statement) {
        switch (statement->kind) {
        case STATEMENT_RETURN: return true;
        case STATEMENT_BLOCK:
            if (!statement->statement_count) return false;
            statement = statement->statements[statement->statement_count - 1];
            break;
        case STATEMENT_DO: statement = statement->body; break;
        case STATEMENT_IF:
            if (!statement->other || !always_returns(statement->body)) return false;
            statement = statement->other;
            break;
        default: return false;
        }
    }
    return false;
}

static void check_result(struct checker *checker, struct function *function) {
    bool is_fine = check_type(checker, function->result) > 0;
    if (is_fine && function->result->kind != TYPE_VOID && !type_is_returnable(function->result)) {
        check_fail(checker, STATUS_INVALID, function->result->span,
                   "'%s' cannot return this type: functions return void, or an int, bool, scalar "
                   "or struct of these without prefix",
                   function->symbol->name);
        is_fine = false;
    }
    if (!is_fine) function->result = checker->model->error_type;
}

static void check_parameters(struct checker *checker, const struct function *function) {
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        struct symbol *parameter = function->parameters[i];
        if (!check_symbol_type(checker, parameter)) continue;
        check_clock_parameter(checker, parameter);
        if (!parameter->is_reference && type_base_kind(parameter->type) == TYPE_CHAN)
            check_fail(checker, STATUS_UNSUPPORTED, parameter->span,
                       "channels are passed by reference; declare '%s' with '&'", parameter->name);
    }
}

static void check_function(struct checker *checker, struct function *function) {
    assert(!checker->function);
    checker->function = function;
    check_result(checker, function);
    check_parameters(checker, function);
    if (function->body) {
        check_statement(checker, function->body);
        if (type_kind(function->result) != TYPE_VOID && !type_is_error(function->result) &&
            !always_returns(function->body))
            check_fail(checker, STATUS_INVALID, function->symbol->span,
                       "'%s' must end in a return on every path", function->symbol->name);
    }
    checker->function = NULL;
    function_effects(checker, function);
}

/* Elements of chan priority: channels or arrays of them, indices known before the run. */
static void check_priority(struct checker *checker, struct expr *expr) {
    if (type_is_error(check_expr(checker, expr))) return;
    if (type_base_kind(expr->type) != TYPE_CHAN) {
        check_fail(checker, STATUS_INVALID, expr->span, "a channel is needed here, not %s",
                   type_describe(expr->type));
        return;
    }
    for (; expr->kind == EXPR_INDEX; expr = expr->child[0])
        if (!check_computable(checker, expr->child[1], "an index") ||
            !check_pure(checker, expr->child[1], "an index"))
            return;
}

/* Uppaal runs the last one of each kind. */
static void check_hook(struct checker *checker, const struct declaration *declaration) {
    bool *has_one = &checker->has_hook[declaration->is_after];
    if (*has_one)
        check_fail(checker, STATUS_UNSUPPORTED, declaration->span,
                   "a second '%s' is not supported, as Uppaal runs the last one only; write one",
                   declaration->is_after ? "after_update" : "before_update");
    *has_one = true;
    check_effects(checker, &declaration->hook);
}

static void check_declaration(struct checker *checker, const struct declaration *declaration) {
    switch (declaration->kind) {
    case DECLARATION_VARIABLES: check_variables(checker, declaration); break;
    case DECLARATION_TYPES: break; /* where they are used */
    case DECLARATION_FUNCTION: check_function(checker, declaration->function); break;
    case DECLARATION_CHANNEL_PRIORITY:
        for (uint32_t i = 0; i < declaration->priority_count; i++)
            if (declaration->priorities[i].channel)
                check_priority(checker, declaration->priorities[i].channel);
        break;
    case DECLARATION_INSTANCE: check_instance(checker, declaration->instance); break;
    case DECLARATION_HOOK: check_hook(checker, declaration); break;
    }
}

/* In their order: each may use those in front of it. */
void check_declarations(struct checker *checker, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) check_declaration(checker, list->items[i]);
}
