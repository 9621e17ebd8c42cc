/* M2: the value of a function in place of its call: what it reads of removed variables then is
 * known cell by cell. */
#include "abstract/form.h"
#include "abstract/function.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

const struct expr *function_value(const struct function *function) {
    const struct statement *body = function->body;
    if (!body || body->declaration_count || body->statement_count != 1 ||
        body->statements[0]->kind != STATEMENT_RETURN)
        return NULL;
    const struct expr *expr = body->statements[0]->expr;
    return expr && !expr_has_effect(expr) ? expr : NULL;
}

struct transfer {
    const struct form_context *context;
    const struct form *form;
    const struct function *function;
    bool ok;
};

static bool is_parameter(const struct function *function, const struct symbol *symbol) {
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (function->parameters[i] == symbol) return true;
    return false;
}

/* A name has to mean at the edge what it means in the function. Quantifiers are written out, so
 * that their variables do not get there. */
static bool check_name(void *user, const struct expr *expr) {
    struct transfer *transfer = user;
    const struct form *form = transfer->form;
    if (expr->kind == EXPR_QUANTIFY && !expr_reads_removed(transfer->context, expr->child[0]))
        transfer->ok = false;
    const struct symbol *symbol = expr->symbol;
    if ((expr->kind == EXPR_NAME || expr->kind == EXPR_CALL) && symbol &&
        symbol->scope != SCOPE_FRAME && !is_parameter(transfer->function, symbol)) {
        transfer->ok &= !template_hides(form->template, symbol);
        for (uint32_t i = 0; form->edge && i < form->edge->select_count; i++)
            transfer->ok &= form->edge->selects[i]->name != symbol->name;
    }
    return transfer->ok;
}

const struct expr *value_fitted(struct form_context *context, const struct expr *value,
                                const struct type *type) {
    const struct type *kind = type_strip(type);
    if (kind->kind == TYPE_INT) return range_condition(context, value, type) ? NULL : value;
    if (kind->kind != TYPE_BOOL || expr_is_boolean(value)) return value;
    return simplify_node(context->arena,
                         build_binary(context->arena, OP_NE, value, build_int(context->arena, 0)));
}

const struct expr *function_result(struct form_context *context, const struct function *function,
                                   uint32_t *steps) {
    const struct expr *result = function_value(function);
    if (!result) result = unrolled_value(context, function, steps);
    return result ? value_fitted(context, result, function->result) : NULL;
}

const struct expr *with_arguments(struct form_context *context, const struct expr *result,
                                  const struct expr *call) {
    const struct function *function = call->symbol->function;
    if (call->argument_count != function->parameter_count) return NULL;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct symbol *parameter = function->parameters[i];
        const struct expr *argument = call->arguments[i];
        if (expr_can_fault(argument) || expr_has_effect(argument)) return NULL;
        if (!parameter->is_reference &&
            !(argument = value_fitted(context, argument, parameter->type)))
            return NULL;
        result = expr_substitute(context->arena, result, parameter, argument);
    }
    return result;
}

const struct expr *expr_inline_call(struct rewriter *rewriter, const struct expr *call) {
    struct form_context *context = rewriter->context;
    struct form *form = rewriter->form;
    const struct function *function = call->symbol->function;
    const struct expr *result = function_result(context, function, NULL);
    if (!result) return NULL;
    struct transfer transfer = {context, form, function, true};
    walk_expr(result, check_name, &transfer);
    result = transfer.ok ? with_arguments(context, result, call) : NULL;
    return result && form_may_expand(form, result, 1) ? result : NULL;
}
