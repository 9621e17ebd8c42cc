/* Arguments of functions and templates. */
#include "lang/check/check_internal.h"

#include <assert.h>

/* As eval_binds_place, but for what is selected or bound, which is no variable. */
static bool may_be_place(const struct expr *argument) {
    const struct symbol *symbol = argument->symbol;
    switch (argument->kind) {
    case EXPR_NAME: return symbol && symbol->kind != SYMBOL_SELECT && symbol->kind != SYMBOL_BOUND;
    case EXPR_FIELD:
    case EXPR_INDEX: return true;
    default: return false;
    }
}

/* Function parameters take what can be assigned to them; references take a modifiable lvalue of
 * the very same type, and channels one of at least their capability. */
static bool argument_fits(const struct symbol *parameter, const struct expr *argument) {
    bool is_const = symbol_is_const(parameter), is_modifiable = expr_is_modifiable(argument);
    if (parameter->is_reference && !is_const && !is_modifiable) return false;
    if (type_kind(parameter->type) == TYPE_CHAN && type_kind(argument->type) == TYPE_CHAN)
        return channel_capability(argument->type) >= channel_capability(parameter->type);
    if (parameter->is_reference && is_modifiable) /* Uppaal refuses single scalars here */
        return type_kind(parameter->type) != TYPE_SCALAR &&
               type_is_equal(argument->type, parameter->type);
    if (parameter->is_reference && may_be_place(argument) && /* whose value is not converted */
        type_base_kind(argument->type) != type_base_kind(parameter->type))
        return false;
    return type_is_assignable(parameter->type, argument->type);
}

bool check_argument(struct checker *checker, const struct symbol *parameter,
                    const struct expr *argument) {
    if (type_is_error(parameter->type)) return false;
    if (argument_fits(parameter, argument)) return true;
    assert(argument->type && !type_is_error(argument->type));
    const char *name = parameter->name;
    if (parameter->is_reference && !symbol_is_const(parameter) && !expr_is_modifiable(argument))
        check_fail(checker, STATUS_INVALID, argument->span,
                   "parameter '%s' is a reference and needs a variable that can be changed", name);
    else if (type_kind(parameter->type) == TYPE_CHAN && type_kind(argument->type) == TYPE_CHAN)
        check_fail(checker, STATUS_INVALID, argument->span,
                   "parameter '%s' needs a channel that is not %s", name,
                   channel_capability(argument->type) ? "broadcast" : "urgent");
    else if (parameter->is_reference && type_kind(parameter->type) == TYPE_SCALAR)
        check_fail(checker, STATUS_INVALID, argument->span,
                   "parameter '%s' is a reference to a scalar, which Uppaal cannot bind", name);
    else if (type_kind(parameter->type) == type_kind(argument->type))
        check_fail(checker, STATUS_INVALID, argument->span, "parameter '%s' has another type%s",
                   name, type_advice(parameter->type));
    else
        check_fail(checker, STATUS_INVALID, argument->span, "parameter '%s' is %s, not %s", name,
                   type_describe(parameter->type), type_describe(argument->type));
    return false;
}

/* Whether it may be the place of a variable, for Uppaal or when a part of it is simplified: of
 * numbers an abstraction keeps the value (expr/simplify.c). */
static bool may_become_place(const struct expr *argument) {
    if (argument->kind != EXPR_COND || type_is_integral(argument->type))
        return expr_is_modifiable(argument);
    return may_become_place(argument->child[1]) || may_become_place(argument->child[2]);
}

/* Whether variables may change between the evaluation of an argument and that of its parameter. */
static bool is_changed_within(struct checker *checker, const struct expr *expr, uint32_t number) {
    bool is_changed = expr->symbol->function->changes_outside;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        is_changed |= i != number && expr_effects(checker, expr->arguments[i]).changes;
    return is_changed;
}

bool check_call_argument(struct checker *checker, struct expr *expr, uint32_t number) {
    enum { MOST = 64 }; /* bits */
    const struct function *function = expr->symbol->function;
    const struct symbol *parameter = function->parameters[number];
    const struct expr *argument = expr->arguments[number];
    if (!check_argument(checker, parameter, argument)) return false;
    if (!parameter->is_reference || may_be_place(argument)) return true;
    if (number >= MOST)
        return check_fail(checker, STATUS_UNSUPPORTED, argument->span,
                          "only the first %d arguments may be values for constant references; "
                          "assign this one to a variable first",
                          MOST);
    if (symbol_is_const(parameter) && may_become_place(argument) &&
        is_changed_within(checker, expr, number))
        return check_fail(
            checker, STATUS_UNSUPPORTED, argument->span,
            "%s%s%s changes variables, and Uppaal may pass this variable or its value "
            "as '%s'; assign the value to a variable of its own, and pass that",
            function->changes_outside ? "'" : "",
            function->changes_outside ? expr->symbol->name : "another argument",
            function->changes_outside ? "'" : "", parameter->name);
    expr->by_value |= (uint64_t)1 << number;
    return true;
}
