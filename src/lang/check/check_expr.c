/* Types of expressions: compatibility and side effects. */
#include "lang/check/check_internal.h"
#include "lang/syntax/kinds.h"

#include <assert.h>

static const char *op_text(const struct expr *expr) {
    static const char *const text[OP_COUNT] = {
        [OP_POW] = "**",         [OP_MUL] = "*",         [OP_DIV] = "/",
        [OP_MOD] = "%",          [OP_ADD] = "+",         [OP_SUB] = "-",
        [OP_SHL] = "<<",         [OP_SHR] = ">>",        [OP_MIN] = "<?",
        [OP_MAX] = ">?",         [OP_LT] = "<",          [OP_LE] = "<=",
        [OP_GE] = ">=",          [OP_GT] = ">",          [OP_EQ] = "==",
        [OP_NE] = "!=",          [OP_BIT_AND] = "&",     [OP_BIT_XOR] = "^",
        [OP_BIT_OR] = "|",       [OP_AND] = "&&",        [OP_OR] = "||",
        [OP_IMPLY] = "imply",    [OP_XOR] = "xor",       [OP_NOT] = "!",
        [OP_NEG] = "-",          [OP_PRE_INC] = "++",    [OP_PRE_DEC] = "--",
        [OP_POST_INC] = "++",    [OP_POST_DEC] = "--",   [OP_ASSIGN] = "=",
        [OP_ADD_ASSIGN] = "+=",  [OP_SUB_ASSIGN] = "-=", [OP_MUL_ASSIGN] = "*=",
        [OP_DIV_ASSIGN] = "/=",  [OP_MOD_ASSIGN] = "%=", [OP_AND_ASSIGN] = "&=",
        [OP_OR_ASSIGN] = "|=",   [OP_XOR_ASSIGN] = "^=", [OP_SHL_ASSIGN] = "<<=",
        [OP_SHR_ASSIGN] = ">>=", [OP_FORALL] = "forall", [OP_EXISTS] = "exists",
        [OP_SUM] = "sum"};
    return text[expr->op] ? text[expr->op] : "?";
}

static const char *name_of(const struct expr *expr) {
    return expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD ? expr->name : "this";
}

static const struct type *invalid(struct checker *checker, const struct expr *expr,
                                  const char *message) {
    check_fail(checker, STATUS_INVALID, expr->span, "%s", message);
    return checker->model->error_type;
}

static const struct type *unsupported(struct checker *checker, const struct expr *expr,
                                      const char *message) {
    check_fail(checker, STATUS_UNSUPPORTED, expr->span, "%s", message);
    return checker->model->error_type;
}

bool check_fail_of_value(struct checker *checker, const struct symbol *symbol, struct span span) {
    enum type_kind kind = type_base_kind(symbol->type);
    if (kind != TYPE_DOUBLE && kind != TYPE_STRING) return false;
    bool is_first = !map_get(&checker->refused, map_key(symbol));
    if (!checker->query) map_put(&checker->refused, map_key(symbol), (void *)symbol);
    if (is_first)
        check_fail(checker, STATUS_UNSUPPORTED, span,
                   kind == TYPE_DOUBLE ? "'%s' is a double, and used; doubles are not supported"
                                       : "'%s' is a string, and used; strings are not supported",
                   symbol->name);
    return true;
}

/* A double or a string is reported where it is used first. */
static const struct type *use_of_variable(struct checker *checker, struct expr *expr) {
    struct symbol *symbol = expr->symbol;
    symbol->is_used |= !checker->unused || !symbol_is_clock(symbol);
    if (checker->in_parameters && symbol->kind == SYMBOL_PARAMETER) {
        check_fail(checker, STATUS_INVALID, expr->span,
                   "parameter '%s' cannot be used in the type of another parameter", symbol->name);
        return checker->model->error_type;
    }
    bool is_refused = check_fail_of_value(checker, symbol, expr->span);
    return is_refused ? checker->model->error_type : symbol->type;
}

/* Uppaal reads a location's invariant before it knows the location. */
static const struct type *check_location_name(struct checker *checker, struct expr *expr) {
    assert(expr->symbol->kind == SYMBOL_LOCATION);
    struct symbol *symbol = expr->symbol;
    symbol->is_used = true;
    if (!checker->invariant || symbol->location < *checker->invariant)
        return checker->model->bool_type;
    check_fail(checker, STATUS_INVALID, expr->span,
               "location '%s' cannot be used here; an invariant sees only the locations before it",
               symbol->name);
    return checker->model->error_type;
}

static const struct type *check_name(struct checker *checker, struct expr *expr) {
    struct symbol *symbol = expr->symbol;
    if (!symbol) return checker->model->error_type; /* undeclared */
    bool is_set = checker->has_processes && symbol->template &&
                  (symbol->instance ? symbol->instance->parameter_count
                                    : symbol->template->parameter_count) > 0;
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_PARAMETER:
    case SYMBOL_SELECT:
    case SYMBOL_BOUND: return use_of_variable(checker, expr);
    case SYMBOL_LOCATION: return check_location_name(checker, expr);
    case SYMBOL_FUNCTION:
        check_fail(checker, STATUS_INVALID, expr->span,
                   "'%s' is a function; call it with its arguments in parentheses", symbol->name);
        break;
    case SYMBOL_AGENT:
        check_fail(checker, STATUS_INVALID, expr->span,
                   "'%s' is an agent or a group: it stands in K(%s, ...) and the like only",
                   symbol->name, symbol->name);
        break;
    case SYMBOL_TYPE:
        check_fail(checker, STATUS_INVALID, expr->span, "'%s' is a type, not a value",
                   symbol->name);
        break;
    default:
        check_fail(checker, STATUS_INVALID, expr->span,
                   is_set                   ? "'%s' is a set of processes; write %s(...).name"
                   : checker->has_processes ? "'%s' is a process, not a value; write %s.name"
                                            : "'%s' is a template, not a value%.0s",
                   symbol->name, symbol->name);
    }
    return checker->model->error_type;
}

static bool need_integral(struct checker *checker, const struct expr *operand,
                          const struct expr *expr) {
    if (type_is_integral(operand->type)) return true;
    return check_fail(checker, STATUS_INVALID, operand->span, "'%s' needs an int or a bool, not %s",
                      op_text(expr), type_describe(operand->type));
}

static bool have_types(struct checker *checker, struct expr *expr, int count) {
    assert(count >= 1 && count <= 3);
    bool is_fine = true;
    for (int i = 0; i < count; i++) is_fine &= !type_is_error(check_expr(checker, expr->child[i]));
    return is_fine;
}

static bool is_logical(enum op op) {
    switch (op) {
    case OP_LT:
    case OP_LE:
    case OP_GE:
    case OP_GT:
    case OP_EQ:
    case OP_NE:
    case OP_AND:
    case OP_OR:
    case OP_IMPLY:
    case OP_XOR:
    case OP_NOT: return true;
    default: return false;
    }
}

static const struct type *check_operation(struct checker *checker, struct expr *expr) {
    assert(expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY);
    int count = expr->kind == EXPR_UNARY ? 1 : 2;
    const struct type *error = checker->model->error_type;
    if (!have_types(checker, expr, count)) return error;
    const struct type *left = expr->child[0]->type;
    for (int i = 0; i < count; i++)
        if (type_is_of_clocks(expr->child[i]->type)) return check_clock_operation(checker, expr);
    if ((expr->op == OP_EQ || expr->op == OP_NE) && !type_is_integral(left) &&
        type_kind(left) == type_kind(expr->child[1]->type)) {
        enum type_kind kind = type_base_kind(left);
        if (type_kind(left) == TYPE_ARRAY && (kind == TYPE_CLOCK || kind == TYPE_CHAN))
            return unsupported(checker, expr,
                               "comparing arrays of clocks or channels is not supported; compare "
                               "their cells");
        if (type_kind(left) != TYPE_SCALAR && expr_effects(checker, expr->child[1]).changes)
            return unsupported(checker, expr,
                               "comparing arrays or records with what changes variables is not "
                               "supported; assign it to a variable first");
        if (type_is_equal(left, expr->child[1]->type)) return checker->model->bool_type;
        check_fail(checker, STATUS_INVALID, expr->span,
                   "'%s' compares %s with one of another type%s", op_text(expr),
                   type_describe(left), type_advice(left));
        return error;
    }
    for (int i = 0; i < count; i++)
        if (!need_integral(checker, expr->child[i], expr)) return error;
    return is_logical(expr->op) ? checker->model->bool_type : &type_plain_int;
}

bool expr_is_modifiable(const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_NAME:
        return expr->symbol &&
               (expr->symbol->kind == SYMBOL_VARIABLE || expr->symbol->kind == SYMBOL_PARAMETER) &&
               !symbol_is_const(expr->symbol);
    case EXPR_FIELD: return !expr_is_process(expr->child[0]) && expr_is_modifiable(expr->child[0]);
    case EXPR_INDEX: return expr_is_modifiable(expr->child[0]);
    case EXPR_STEP: return expr->op == OP_PRE_INC || expr->op == OP_PRE_DEC;
    case EXPR_ASSIGN: return true;
    case EXPR_COND:
        return expr_is_modifiable(expr->child[1]) && expr_is_modifiable(expr->child[2]) &&
               type_is_equal(expr->child[1]->type, expr->child[2]->type);
    default: return false;
    }
}

/* Why an expression cannot be assigned. */
static void report_target(struct checker *checker, const struct expr *target) {
    const struct expr *root = target;
    while (root->kind == EXPR_INDEX || root->kind == EXPR_FIELD) root = root->child[0];
    const char *what = NULL;
    if (root->kind == EXPR_NAME && root->symbol) {
        switch (root->symbol->kind) {
        case SYMBOL_SELECT: what = "a select variable"; break;
        case SYMBOL_BOUND: what = "the variable of a loop or quantifier"; break;
        case SYMBOL_LOCATION: what = "a location"; break;
        case SYMBOL_VARIABLE:
        case SYMBOL_PARAMETER: what = "a constant"; break;
        default: break;
        }
    }
    if (what)
        check_fail(checker, STATUS_INVALID, target->span, "'%s' is %s and cannot be assigned",
                   root->name, what);
    else
        check_fail(checker, STATUS_INVALID, target->span,
                   "only a variable or a part of one can be assigned%s",
                   checker->query ? "; == compares" : "");
}

static bool check_target(struct checker *checker, const struct expr *target) {
    if (expr_is_modifiable(target)) return true;
    report_target(checker, target);
    return false;
}

static const struct type *check_plain_assign(struct checker *checker, struct expr *expr) {
    const struct expr *target = expr->child[0], *value = expr->child[1];
    if (!check_target(checker, target)) return checker->model->error_type;
    enum type_kind kind = type_base_kind(target->type);
    if (kind == TYPE_CHAN || kind == TYPE_VOID || kind == TYPE_PROCESS)
        check_fail(checker, STATUS_INVALID, expr->span, "%s cannot be assigned",
                   type_describe(target->type));
    else if (kind == TYPE_CLOCK && type_base_kind(value->type) == TYPE_CLOCK)
        check_fail(checker, STATUS_UNSUPPORTED, expr->span,
                   "a clock is set to another one, which is not supported; set it to a number");
    else if (!type_is_assignable(target->type, value->type))
        check_fail(checker, STATUS_INVALID, expr->span,
                   type_kind(target->type) == type_kind(value->type)
                       ? "%s is assigned %s of another type%s"
                       : "%s cannot be assigned %s%.0s",
                   type_describe(target->type), type_describe(value->type),
                   type_advice(target->type));
    else {
        if (kind == TYPE_CLOCK && !checker->unused) check_note_set(checker, target);
        return target->type;
    }
    return checker->model->error_type;
}

/* += and ++ are for ints only; the other compound assignments take bools too. */
static const struct type *check_assign(struct checker *checker, struct expr *expr) {
    if (!have_types(checker, expr, 2)) return checker->model->error_type;
    if (expr->op == OP_ASSIGN) return check_plain_assign(checker, expr);
    struct expr *target = expr->child[0];
    if (type_kind(target->type) == TYPE_CLOCK)
        return invalid(checker, expr, "a clock can be set, not changed by an amount");
    if (expr->op == OP_ADD_ASSIGN && type_kind(target->type) != TYPE_INT) {
        check_fail(checker, STATUS_INVALID, target->span, "'+=' needs an int on its left, not %s",
                   type_describe(target->type));
        return checker->model->error_type;
    }
    if (!need_integral(checker, target, expr) || !need_integral(checker, expr->child[1], expr) ||
        !check_target(checker, target))
        return checker->model->error_type;
    return target->type;
}

static const struct type *check_step(struct checker *checker, struct expr *expr) {
    if (!have_types(checker, expr, 1)) return checker->model->error_type;
    if (!check_target(checker, expr->child[0])) return checker->model->error_type;
    if (type_kind(expr->child[0]->type) == TYPE_INT) return &type_plain_int;
    check_fail(checker, STATUS_INVALID, expr->span, "'%s' needs an int, not %s", op_text(expr),
               type_describe(expr->child[0]->type));
    return checker->model->error_type;
}

static const struct type *check_cond(struct checker *checker, struct expr *expr) {
    const struct type *error = checker->model->error_type;
    if (!have_types(checker, expr, 3)) return error;
    for (int i = 0; i < 3; i++)
        if (type_is_of_clocks(expr->child[i]->type) ||
            type_base_kind(expr->child[i]->type) == TYPE_CLOCK)
            return unsupported(checker, expr, "clocks in '?:' are not supported; write two edges");
    if (!type_is_integral(expr->child[0]->type)) {
        check_fail(checker, STATUS_INVALID, expr->child[0]->span,
                   "the condition of '?:' must be an int or a bool, not %s",
                   type_describe(expr->child[0]->type));
        return error;
    }
    const struct type *left = expr->child[1]->type, *right = expr->child[2]->type;
    if (type_is_integral(left) && type_is_integral(right)) {
        bool is_int = type_kind(left) == TYPE_INT || type_kind(right) == TYPE_INT;
        if (type_is_equal(left, right)) return left;
        return is_int ? &type_plain_int : checker->model->bool_type;
    }
    if (type_is_equal(left, right)) return left;
    return invalid(checker, expr, "the two branches of '?:' have different types");
}

static const struct type *check_index(struct checker *checker, struct expr *expr) {
    const struct type *error = checker->model->error_type;
    if (!have_types(checker, expr, 2)) return error;
    const struct type *array = type_strip(expr->child[0]->type);
    const struct type *index = expr->child[1]->type;
    if (array->kind != TYPE_ARRAY) {
        check_fail(checker, STATUS_INVALID, expr->span, "'%s' is %s and cannot be indexed",
                   name_of(expr->child[0]), type_describe(array));
        return error;
    }
    bool is_scalar = array->index && type_kind(array->index) == TYPE_SCALAR;
    if (is_scalar ? type_is_equal(array->index, index) : type_is_integral(index))
        return array->element;
    check_fail(checker, STATUS_INVALID, expr->child[1]->span, "the index must be %s, not %s",
               is_scalar ? "of the scalar type that the array is declared with" : "an int",
               type_describe(index));
    return error;
}

/* Uppaal looks for fields before it types conditional expressions. */
static bool is_conditional(const struct expr *expr) {
    while (expr->kind == EXPR_INDEX || expr->kind == EXPR_ASSIGN) expr = expr->child[0];
    return expr->kind == EXPR_COND;
}

static const struct type *check_field(struct checker *checker, struct expr *expr) {
    if (expr_is_process(expr->child[0])) {
        const struct type *type = check_member(checker, expr);
        if (!expr->symbol || expr->symbol->kind != SYMBOL_FUNCTION) return type;
        return invalid(checker, expr, "this is a function; call it with its arguments");
    }
    if (!have_types(checker, expr, 1)) return checker->model->error_type;
    if (is_conditional(expr->child[0]))
        return invalid(checker, expr,
                       "Uppaal cannot take a field of '?:'; move it into the branches");
    const struct type *type = type_strip(expr->child[0]->type);
    if (type->kind != TYPE_STRUCT) {
        check_fail(checker, STATUS_INVALID, expr->span, "'%s' is %s and has no field '%s'",
                   name_of(expr->child[0]), type_describe(type), expr->name);
        return checker->model->error_type;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].name != expr->name) continue;
        expr->field_index = i;
        return type->fields[i].type;
    }
    check_fail(checker, STATUS_INVALID, expr->span, "there is no field '%s' in this struct",
               expr->name);
    return checker->model->error_type;
}

static const struct type *check_quantify(struct checker *checker, struct expr *expr) {
    bool is_fine = check_range_type(checker, expr->bound);
    const struct type *body = check_expr(checker, expr->child[0]);
    if (!is_fine || type_is_error(body)) return checker->model->error_type;
    if (type_is_of_clocks(body)) return check_clock_quantify(checker, expr);
    if (!need_integral(checker, expr->child[0], expr) ||
        !check_pure(checker, expr->child[0], "the body of a quantifier"))
        return checker->model->error_type;
    return expr->op == OP_SUM ? &type_plain_int : checker->model->bool_type;
}

static const struct type *check_builtin(struct checker *checker, struct expr *expr) {
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (type_is_error(check_expr(checker, expr->arguments[i])))
            return checker->model->error_type;
    if (expr->argument_count != 1) return invalid(checker, expr, "'abs' takes one argument");
    if (type_is_integral(expr->arguments[0]->type)) return &type_plain_int;
    return invalid(checker, expr->arguments[0], "'abs' needs an int");
}

/* What is called: a function, by its name or as a member of a process. */
static struct symbol *check_callee(struct checker *checker, struct expr *expr) {
    struct expr *callee = expr->child[0];
    if (callee->kind == EXPR_FIELD && expr_is_process(callee->child[0])) {
        if (type_is_error(check_member(checker, callee))) return NULL;
    } else if (callee->kind != EXPR_NAME) {
        if (!type_is_error(check_expr(checker, callee)))
            invalid(checker, callee,
                    callee->kind == EXPR_DEADLOCK
                        ? "'deadlock' is no function; leave the parentheses after it out"
                        : "only functions can be called");
        return NULL;
    }
    struct symbol *symbol = callee->symbol;
    if (!symbol) return NULL;
    if (symbol->kind == SYMBOL_FUNCTION) return symbol;
    if (expr_is_process(callee))
        check_fail(checker, STATUS_INVALID, expr->span,
                   "'%s' is a process set, not a value; write %s(...).name", symbol->name,
                   symbol->name);
    else
        check_fail(checker, STATUS_INVALID, callee->span, "'%s' is not a function", symbol->name);
    return NULL;
}

static const struct type *check_call(struct checker *checker, struct expr *expr) {
    const struct type *error = checker->model->error_type;
    expr->child[0]->type = error;
    struct symbol *symbol = check_callee(checker, expr);
    bool is_fine = symbol != NULL;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        is_fine &= !type_is_error(check_expr(checker, expr->arguments[i]));
    if (!symbol) return error;
    symbol->is_used = true;
    struct function *function = symbol->function;
    assert(function && function->result);
    expr->symbol = symbol;
    expr->child[0]->type = function->result;
    if (function == checker->function) {
        check_fail(checker, STATUS_INVALID, expr->span,
                   "'%s' calls itself; recursion is not allowed", symbol->name);
        return error;
    }
    if (expr->argument_count != function->parameter_count) {
        check_fail(checker, STATUS_INVALID, expr->span, "'%s' takes %u argument%s, not %u",
                   symbol->name, function->parameter_count,
                   function->parameter_count == 1 ? "" : "s", expr->argument_count);
        return error;
    }
    for (uint32_t i = 0; is_fine && i < expr->argument_count; i++)
        is_fine = check_call_argument(checker, expr, i);
    return is_fine ? function->result : error;
}

/* The type of an expression, but for what the table of kinds says. */
static const struct type *type_of(struct checker *checker, struct expr *expr) {
    switch (expr->kind) {
    case EXPR_INT: return &type_plain_int;
    case EXPR_NAME: return check_name(checker, expr);
    case EXPR_UNARY:
    case EXPR_BINARY: return check_operation(checker, expr);
    case EXPR_ASSIGN: return check_assign(checker, expr);
    case EXPR_STEP: return check_step(checker, expr);
    case EXPR_COND: return check_cond(checker, expr);
    case EXPR_CALL: return check_call(checker, expr);
    case EXPR_INDEX: return check_index(checker, expr);
    case EXPR_FIELD: return check_field(checker, expr);
    case EXPR_QUANTIFY: return check_quantify(checker, expr);
    case EXPR_BUILTIN: return check_builtin(checker, expr);
    case EXPR_PATH:
    case EXPR_UNTIL:
    case EXPR_KNOW:
    case EXPR_ABLE:
    case EXPR_ABLE_UNTIL: return check_modal(checker, expr);
    default: break;
    }
    assert(false && "an expression kind that may stand in a model");
    return checker->model->error_type;
}

/* Gives every node its type; the type of the whole, or the error type after a report. */
const struct type *check_expr(struct checker *checker, struct expr *expr) {
    assert(expr);
    const struct expr_traits *traits = expr_traits(expr->kind);
    for (int i = 0; i < 3; i++) assert((expr->child[i] != NULL) == (i < traits->child_count));
    assert(traits->has_arguments || !expr->argument_count);
    if (expr->kind == EXPR_DOUBLE && checker->in_weight)
        expr->type = &type_plain_int;
    else if (traits->refusal)
        expr->type = unsupported(checker, expr, traits->refusal);
    else if (traits->is_for_queries && !checker->query)
        expr->type = invalid(
            checker, expr, arena_printf(checker->arena, "'%s' is for queries only", traits->text));
    else if (traits->is_truth)
        expr->type = checker->model->bool_type;
    else
        expr->type = type_of(checker, expr);
    assert(expr->type);
    return expr->type;
}

/* False, and reported, if evaluating would change a variable. */
bool check_pure(struct checker *checker, const struct expr *expr, const char *what) {
    if (!expr_effects(checker, expr).changes) return true;
    return check_fail(checker, STATUS_INVALID, expr->span, "%s must not change variables%s", what,
                      expr->kind == EXPR_ASSIGN ? "; == compares" : "");
}

/* False, and reported, if the value depends on the run. */
bool check_computable(struct checker *checker, const struct expr *expr, const char *what) {
    if (expr_effects(checker, expr).is_computable) return true;
    return check_fail(checker, STATUS_INVALID, expr->span,
                      "%s must be known before the run: use constants, constant parameters of the "
                      "template and functions of these only",
                      what);
}

bool check_integral(struct checker *checker, struct expr *expr, const char *what) {
    const struct type *type = check_expr(checker, expr);
    if (type_is_error(type)) return false;
    if (type_is_integral(type)) return true;
    return check_fail(checker, STATUS_INVALID, expr->span, "%s must be an int or a bool, not %s",
                      what, type_describe(type));
}

bool check_condition(struct checker *checker, struct expr *expr, const char *what) {
    return check_integral(checker, expr, what) && check_pure(checker, expr, what);
}

/* What may stand where its value is dropped: values that could be assigned, and void calls. */
static bool check_dropped(struct checker *checker, const struct expr *expr) {
    enum type_kind kind = type_base_kind(expr->type);
    bool is_location = expr->kind == EXPR_NAME && expr->symbol->kind == SYMBOL_LOCATION;
    if (kind != TYPE_CHAN && kind != TYPE_PROCESS && !is_location) return true;
    return check_fail(checker, STATUS_INVALID, expr->span,
                      "%s cannot stand here; write an assignment",
                      is_location ? "a location" : type_describe(expr->type));
}

static void warn_without_effect(struct checker *checker, const struct expr *expr) {
    if (!expr_effects(checker, expr).changes)
        diag_warning(checker->diag, expr->span.begin, "this expression has no effect");
}

void check_effect(struct checker *checker, struct expr *expr) {
    if (type_is_error(check_expr(checker, expr)) || !check_dropped(checker, expr)) return;
    bool is_one = (expr->kind == EXPR_INT || expr->kind == EXPR_BOOL) && expr->value == 1;
    if (!is_one) warn_without_effect(checker, expr);
}

void check_effects(struct checker *checker, const struct expr_list *list) {
    if (list->count == 1) {
        check_effect(checker, list->items[0]);
        return;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (!type_is_error(check_expr(checker, list->items[i])) &&
            check_dropped(checker, list->items[i]))
            warn_without_effect(checker, list->items[i]);
}

void check_condition_list(struct checker *checker, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        struct expr *expr = list->items[i];
        const struct type *type = check_expr(checker, expr);
        if (type_is_error(type)) continue;
        if (list->count > 1 && !check_dropped(checker, expr)) continue;
        if (i + 1 < list->count)
            warn_without_effect(checker, expr);
        else if (!type_is_integral(type))
            check_fail(checker, type_is_timing(type) ? STATUS_UNSUPPORTED : STATUS_INVALID,
                       expr->span, "a condition must be an int or a bool, not %s",
                       type_describe(type));
    }
}
