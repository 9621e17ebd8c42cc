/* Statements, calls and initial values as instructions (eval_statement.c is the reference). */
#include "lang/eval/eval_code_internal.h"

#include <assert.h>

static void code_of_statement(struct coder *coder, const struct statement *statement);

/* Initial values */

static void initialise(struct coder *coder, const struct code_place *place, const struct type *type,
                       const struct initialiser *initialiser) {
    type = type_strip(type);
    if (coder->has_failed) return;
    if (initialiser->expr) {
        code_assign(coder, place, initialiser->expr, initialiser->span);
        return;
    }
    bool is_array = type->kind == TYPE_ARRAY;
    const struct shape *shape = place->shape;
    if (is_array && (int64_t)shape->upper - shape->lower + 1 != initialiser->item_count)
        coder->has_failed = true;
    for (uint32_t i = 0, at = 0; i < initialiser->item_count && !coder->has_failed; i++, at++) {
        if (!is_array && initialiser->names[i])
            for (at = 0; at < type->field_count; at++)
                if (type->fields[at].name == initialiser->names[i]) break;
        if (!is_array && at >= type->field_count) {
            coder->has_failed = true;
            return;
        }
        struct code_place part =
            is_array ? code_part(place, i * shape->element->cell_count, shape->element)
                     : code_part(place, shape->offsets[at], shape->fields[at]);
        initialise(coder, &part, is_array ? type->element : type->fields[at].type,
                   initialiser->items[i]);
    }
}

/* A place that is not 0 from the start counts as written where its initialiser reads it. */
static void declare(struct coder *coder, const struct declaration *declaration) {
    if (declaration->kind != DECLARATION_VARIABLES) return;
    for (uint32_t i = 0; i < declaration->declarator_count && !coder->has_failed; i++) {
        const struct symbol *symbol = declaration->declarators[i].symbol;
        struct code_place place = code_local(coder, code_shape(coder, symbol->type));
        if (!place.shape || place.shape->cell_count > CODE_MAX_CELLS) coder->has_failed = true;
        if (coder->has_failed) return;
        code_bind(coder, symbol, place);
        uint32_t height = coder->height;
        if (symbol->initialiser) {
            for (uint32_t k = 0; k < place.shape->cell_count; k++)
                code_emit(coder, (struct code_line){.op = CODE_LOAD, .a = place.base + k});
            initialise(coder, &place, symbol->type, symbol->initialiser);
        } else {
            code_default(coder, &place, symbol->span);
        }
        coder->height = height;
    }
}

/* Statements */

static void drop_all(struct coder *coder, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) code_of_effect(coder, list->items[i]);
}

/* The jump that is taken if the last of a comma list is 0. */
static uint32_t jump_unless(struct coder *coder, const struct expr_list *list) {
    assert(list->count);
    for (uint32_t i = 0; i + 1 < list->count; i++) code_of_effect(coder, list->items[i]);
    struct code_value value = code_of_value(coder, list->items[list->count - 1]);
    return code_jump(coder, CODE_JUMP_UNLESS, code_register(coder, value));
}

static void code_of_block(struct coder *coder, const struct statement *block) {
    uint32_t bindings = coder->bindings.count;
    for (uint32_t i = 0; i < block->declaration_count; i++) declare(coder, block->declarations[i]);
    for (uint32_t i = 0; i < block->statement_count; i++)
        code_of_statement(coder, block->statements[i]);
    coder->bindings.count = bindings;
}

static void code_of_if(struct coder *coder, const struct statement *statement) {
    uint32_t height = coder->height;
    uint32_t other = jump_unless(coder, &statement->condition);
    coder->height = height;
    code_of_statement(coder, statement->body);
    if (!statement->other) {
        code_land(coder, other);
        return;
    }
    uint32_t end = code_jump(coder, CODE_JUMP, 0);
    code_land(coder, other);
    code_of_statement(coder, statement->other);
    code_land(coder, end);
}

/* for, while and do: they differ in what runs first. */
static void code_of_loop(struct coder *coder, const struct statement *statement) {
    uint32_t height = coder->height, first = NO_JUMP;
    drop_all(coder, &statement->first);
    coder->height = height;
    if (statement->kind == STATEMENT_DO) first = code_jump(coder, CODE_JUMP, 0);
    uint32_t top = coder->code.count;
    uint32_t end = jump_unless(coder, &statement->condition);
    coder->height = height;
    if (first != NO_JUMP) code_land(coder, first);
    code_emit(coder, (struct code_line){.op = CODE_TICK, .span = statement->span});
    code_of_statement(coder, statement->body);
    drop_all(coder, &statement->step);
    code_emit(coder, (struct code_line){.op = CODE_JUMP, .a = top});
    code_land(coder, end);
}

static void code_of_return(struct coder *coder, const struct expr *expr) {
    if (!coder->is_call) coder->has_failed = true;
    if (expr) code_assign(coder, &coder->result, expr, expr->span);
    uint32_t jump = code_jump(coder, CODE_JUMP, 0);
    if (coder->has_failed) return;
    coder->code.items[jump].a = coder->returns;
    coder->returns = jump;
}

static void code_of_assert(struct coder *coder, const struct expr *expr) {
    uint32_t reg = code_register(coder, code_of_value(coder, expr));
    uint32_t fine = code_jump(coder, CODE_JUMP_IF, reg);
    code_emit(coder, (struct code_line){.op = CODE_FAULT, .b = FAULT_ASSERT, .span = expr->span});
    code_land(coder, fine);
}

static void statement_of_kind(struct coder *coder, const struct statement *statement) {
    struct code_rounds rounds;
    switch (statement->kind) {
    case STATEMENT_BLOCK: code_of_block(coder, statement); break;
    case STATEMENT_EMPTY: break;
    case STATEMENT_EXPR: code_of_effect(coder, statement->expr); break;
    case STATEMENT_RETURN: code_of_return(coder, statement->expr); break;
    case STATEMENT_ASSERT: code_of_assert(coder, statement->expr); break;
    case STATEMENT_IF: code_of_if(coder, statement); break;
    case STATEMENT_ITERATE:
        rounds = code_begin_rounds(coder, statement->bound, statement->span);
        code_of_statement(coder, statement->body);
        code_end_rounds(coder, &rounds);
        break;
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO: code_of_loop(coder, statement); break;
    }
}

/* Registers that it has taken are free afterwards. */
static void code_of_statement(struct coder *coder, const struct statement *statement) {
    uint32_t height = coder->height;
    if (code_enter(coder)) statement_of_kind(coder, statement);
    coder->depth--;
    coder->height = height;
}

/* Calls */

static void pass_argument(struct coder *coder, const struct symbol *parameter,
                          const struct expr *argument, struct code_place *place) {
    if (eval_binds_place(parameter, argument)) {
        *place = code_of_place(coder, argument);
        return;
    }
    *place = code_local(coder, code_shape(coder, parameter->type));
    code_assign(coder, place, argument, argument->span);
}

static void code_of_body(struct coder *coder, const struct function *function,
                         struct code_place result) {
    bool was_call = coder->is_call;
    struct code_place outer = coder->result;
    uint32_t returns = coder->returns;
    coder->is_call = true;
    coder->result = result;
    coder->returns = NO_JUMP;
    code_of_statement(coder, function->body);
    code_default(coder, &result, function->symbol->span);
    while (coder->returns != NO_JUMP && !coder->has_failed) {
        uint32_t before = coder->code.items[coder->returns].a;
        code_land(coder, coder->returns);
        coder->returns = before;
    }
    coder->is_call = was_call;
    coder->result = outer;
    coder->returns = returns;
}

/* Arguments are computed before any of them is a parameter of the function. */
struct code_place code_of_call(struct coder *coder, const struct expr *expr) {
    const struct function *function = expr->symbol->function;
    struct code_place result = {0};
    if (expr->argument_count != function->parameter_count || expr->child[0]->kind == EXPR_FIELD)
        coder->has_failed = true;
    code_emit(coder, (struct code_line){.op = CODE_TICK, .span = expr->span});
    if (type_strip(function->result)->kind != TYPE_VOID)
        result = code_local(coder, code_shape(coder, function->result));
    uint32_t height = coder->height, bindings = coder->bindings.count;
    struct code_place *places =
        ARENA_ARRAY(coder->environment->arena, struct code_place, function->parameter_count + 1);
    for (uint32_t i = 0; i < function->parameter_count && !coder->has_failed; i++)
        pass_argument(coder, function->parameters[i], expr->arguments[i], &places[i]);
    for (uint32_t i = 0; i < function->parameter_count && !coder->has_failed; i++)
        code_bind(coder, function->parameters[i], places[i]);
    if (!coder->has_failed) code_of_body(coder, function, result);
    coder->bindings.count = bindings;
    coder->height = height;
    return result;
}
