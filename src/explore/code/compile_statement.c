/* Statements and calls, inlined (the evaluator's eval_statement.c is the reference). */
#include "explore/code/compile_internal.h"

#include <assert.h>

static void compile_statement(struct compiler *compiler, const struct statement *statement);

static bool is_stopped(const struct compiler *compiler) {
    return compiler->is_dead || compiler->has_failed;
}

/* Initial values */

static void initialise(struct compiler *compiler, const struct lvalue *place,
                       const struct type *type, const struct initialiser *initialiser) {
    type = type_strip(type);
    if (is_stopped(compiler)) return;
    if (initialiser->expr) {
        if (place->shape->kind == SHAPE_CELL) {
            struct value value = compile_value(compiler, initialiser->expr);
            store_place(compiler, place, value, initialiser->span);
        } else {
            struct lvalue source = compile_place(compiler, initialiser->expr);
            copy_place(compiler, place, &source, initialiser->span);
        }
        return;
    }
    bool is_array = type->kind == TYPE_ARRAY;
    if (is_array &&
        (int64_t)place->shape->upper - place->shape->lower + 1 != initialiser->item_count) {
        compile_fail(compiler);
        return;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < initialiser->item_count; i++, at++) {
        if (!is_array && initialiser->names[i])
            for (at = 0; at < type->field_count; at++)
                if (type->fields[at].name == initialiser->names[i]) break;
        if (!is_array && at >= type->field_count) {
            compile_fail(compiler);
            return;
        }
        struct lvalue item =
            is_array
                ? leaf_place(place, i * place->shape->element->cell_count, place->shape->element)
                : leaf_place(place, place->shape->offsets[at], place->shape->fields[at]);
        initialise(compiler, &item, is_array ? type->element : type->fields[at].type,
                   initialiser->items[i]);
    }
}

static void declare(struct compiler *compiler, const struct declaration *declaration) {
    if (declaration->kind != DECLARATION_VARIABLES) return;
    for (uint32_t i = 0; i < declaration->declarator_count && !is_stopped(compiler); i++) {
        const struct symbol *symbol = declaration->declarators[i].symbol;
        const struct shape *shape = compile_shape(compiler, symbol->type);
        assert(compiler->frame);
        if (!shape) return;
        struct lvalue place = {0};
        const struct initialiser *initialiser = symbol->initialiser;
        if (initialiser && initialiser->expr && shape->kind == SHAPE_CELL) {
            struct value value = compile_value(compiler, initialiser->expr);
            compiler->frame[symbol->index] = value_place(compiler, shape, value, initialiser->span);
            continue;
        }
        place = register_place(compiler, shape);
        compiler->frame[symbol->index] = place;
        if (initialiser)
            initialise(compiler, &place, symbol->type, initialiser);
        else
            default_place(compiler, &place, symbol->span);
    }
}

/* Statements */

static void drop_all(struct compiler *compiler, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) compile_effect(compiler, list->items[i]);
}

/* Jumps if the last of a comma list is (not) 0. */
static void jump_if_list(struct compiler *compiler, const struct expr_list *list, bool when,
                         struct label *label) {
    assert(list->count);
    for (uint32_t i = 0; i + 1 < list->count; i++) compile_effect(compiler, list->items[i]);
    jump_if(compiler, list->items[list->count - 1], when, label);
}

static void run_block(struct compiler *compiler, const struct statement *block) {
    for (uint32_t i = 0; i < block->declaration_count; i++)
        declare(compiler, block->declarations[i]);
    for (uint32_t i = 0; i < block->statement_count && !is_stopped(compiler); i++)
        compile_statement(compiler, block->statements[i]);
}

static void run_if(struct compiler *compiler, const struct statement *statement) {
    struct label other = {0}, end = {0};
    jump_if_list(compiler, &statement->condition, false, &other);
    if (!is_stopped(compiler)) {
        compile_statement(compiler, statement->body);
        if (statement->other && is_jumped_to(&other) && !is_stopped(compiler))
            jump_always(compiler, &end);
    }
    if (!is_jumped_to(&other)) return;
    bind_label(compiler, &other);
    if (statement->other) compile_statement(compiler, statement->other);
    bind_label(compiler, &end);
}

/* The top of a loop whose rounds are not told apart: only what never changes is known there. */
static uint32_t begin_rounds(struct compiler *compiler) {
    flush_facts(compiler);
    drop_facts(compiler);
    compiler->barrier = compiler->code->instructions.count;
    return compiler->barrier;
}

static void end_round(struct compiler *compiler, uint32_t top, struct span span) {
    if (is_stopped(compiler)) return;
    flush_facts(compiler);
    emit_fault(compiler, OP_CODE_TICK, 0, 0, 0, span);
    emit(compiler, OP_CODE_JUMP, top, 0, 0);
    compiler->is_dead = true;
}

/* for (i : T) */
static void run_iterate(struct compiler *compiler, const struct statement *statement) {
    const struct shape *range = compile_shape(compiler, statement->bound->type);
    if (!range) return;
    assert(range->kind == SHAPE_CELL && range->lower <= range->upper);
    struct lvalue bound = register_place(compiler, range);
    compiler->frame[statement->bound->index] = bound;
    if (compiler->unrolls && (int64_t)range->upper - range->lower < MAX_UNROLL) {
        for (int64_t i = range->lower; i <= range->upper && !is_stopped(compiler); i++) {
            set_fact(compiler, bound.base | REGISTER_ID, (int32_t)i, true, false);
            compile_statement(compiler, statement->body);
        }
        return;
    }
    struct label end = {0};
    drop_fact(compiler, bound.base | REGISTER_ID);
    uint32_t top;
    flush_facts(compiler);
    emit(compiler, OP_CODE_LOAD, bound.base, range->lower, 0);
    top = begin_rounds(compiler);
    compile_statement(compiler, statement->body);
    if (!is_stopped(compiler)) {
        jump(compiler, OP_CODE_JUMP_EQ_I, (int32_t)bound.base, range->upper, &end);
        emit(compiler, OP_CODE_ADD_I, bound.base, (int32_t)bound.base, 1);
        end_round(compiler, top, statement->span);
    }
    bind_label(compiler, &end);
}

static void run_loop(struct compiler *compiler, const struct statement *statement) {
    bool is_first = statement->kind == STATEMENT_DO;
    int32_t holds = true;
    drop_all(compiler, &statement->first);
    for (int round = 0; compiler->unrolls && round < MAX_UNROLL; round++) {
        if (is_stopped(compiler)) return;
        if (!is_first && (statement->condition.count != 1 ||
                          !is_known(compiler, statement->condition.items[0], &holds)))
            break;
        if (!holds) return;
        is_first = false;
        compile_statement(compiler, statement->body);
        drop_all(compiler, &statement->step);
    }
    if (is_stopped(compiler)) return;
    struct label end = {0};
    uint32_t top = begin_rounds(compiler);
    if (is_first) { /* do: the condition is at the end of a round */
        compile_statement(compiler, statement->body);
        jump_if_list(compiler, &statement->condition, false, &end);
    } else {
        jump_if_list(compiler, &statement->condition, false, &end);
        compile_statement(compiler, statement->body);
        drop_all(compiler, &statement->step);
    }
    end_round(compiler, top, statement->span);
    bind_label(compiler, &end);
}

static void run_assert(struct compiler *compiler, const struct expr *expr) {
    struct label fine = {0};
    jump_if(compiler, expr, true, &fine);
    emit_fault(compiler, OP_CODE_FAULT, FAULT_ASSERT, 0, 0, expr->span);
    bind_label(compiler, &fine);
}

static void run_return(struct compiler *compiler, const struct expr *expr) {
    struct call *call = compiler->call;
    assert(call); /* only functions return */
    if (expr && call->result.shape) {
        if (call->result.shape->kind == SHAPE_CELL) {
            struct value value = compile_value(compiler, expr);
            store_place(compiler, &call->result, value, expr->span);
        } else {
            struct lvalue source = compile_place(compiler, expr);
            copy_place(compiler, &call->result, &source, expr->span);
        }
    } else if (expr) {
        compile_effect(compiler, expr);
    }
    jump_always(compiler, &call->end);
}

static void compile_statement(struct compiler *compiler, const struct statement *statement) {
    if (is_stopped(compiler)) return;
    compile_enter(compiler);
    if (compiler->has_failed) return;
    switch (statement->kind) {
    case STATEMENT_BLOCK: run_block(compiler, statement); break;
    case STATEMENT_EMPTY: break;
    case STATEMENT_EXPR: compile_effect(compiler, statement->expr); break;
    case STATEMENT_RETURN: run_return(compiler, statement->expr); break;
    case STATEMENT_ASSERT: run_assert(compiler, statement->expr); break;
    case STATEMENT_IF: run_if(compiler, statement); break;
    case STATEMENT_ITERATE: run_iterate(compiler, statement); break;
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO: run_loop(compiler, statement); break;
    }
    compiler->depth--;
}

/* Calls */

/* The process that Process or Process(1) stands for; NULL and a failure if that depends on the
 * state. */
const struct process *compile_process(struct compiler *compiler, const struct expr *expr) {
    uint32_t count = expr->kind == EXPR_CALL ? expr->argument_count : 0;
    const struct symbol *symbol = expr->kind == EXPR_CALL ? expr->child[0]->symbol : expr->symbol;
    int32_t arguments[16];
    if (count > 16) compile_fail(compiler);
    for (uint32_t i = 0; i < count && !is_stopped(compiler); i++) {
        struct value value = compile_value(compiler, expr->arguments[i]);
        if (!value.is_constant) compile_fail(compiler);
        arguments[i] = value.constant;
    }
    if (is_stopped(compiler)) return NULL;
    const struct process *process =
        find_process(compiler->network, &compiler->processes, symbol, arguments, count);
    if (!process) compile_fail(compiler);
    return process;
}

/* Arguments are computed for the caller, shapes of parameters for the owner of the function. */
static struct lvalue pass_argument(struct compiler *compiler, const struct symbol *parameter,
                                   const struct expr *argument, const struct process *owner) {
    if (eval_binds_place(parameter, argument)) return compile_place(compiler, argument);
    const struct process *caller = compiler->process;
    compiler->process = owner;
    const struct shape *shape = compile_shape(compiler, parameter->type);
    compiler->process = caller;
    if (!shape) return (struct lvalue){0};
    if (shape->kind == SHAPE_CELL)
        return value_place(compiler, shape, compile_value(compiler, argument), argument->span);
    struct lvalue place = register_place(compiler, shape);
    struct lvalue source = compile_place(compiler, argument);
    copy_place(compiler, &place, &source, argument->span);
    return place;
}

static void run_body(struct compiler *compiler, const struct function *function, struct call *call,
                     struct lvalue *frame, const struct process *owner) {
    struct call *outer = compiler->call;
    struct lvalue *caller_frame = compiler->frame;
    const struct process *caller = compiler->process;
    compiler->call = call;
    compiler->frame = frame;
    compiler->process = owner;
    compile_statement(compiler, function->body);
    if (!is_stopped(compiler) && call->result.shape)
        default_place(compiler, &call->result, function->symbol->span);
    bind_label(compiler, &call->end);
    compiler->call = outer;
    compiler->frame = caller_frame;
    compiler->process = caller;
}

struct lvalue compile_call(struct compiler *compiler, const struct expr *expr) {
    const struct function *function = expr->symbol->function;
    assert(function->parameter_count == expr->argument_count);
    const struct process *owner = compiler->process;
    struct call call = {0};
    if (expr->child[0]->kind == EXPR_FIELD) /* Process.function */
        owner = compile_process(compiler, expr->child[0]->child[0]);
    if (is_stopped(compiler)) return call.result;
    if (type_strip(function->result)->kind != TYPE_VOID) {
        const struct process *caller = compiler->process;
        compiler->process = owner;
        call.result = register_place(compiler, compile_shape(compiler, function->result));
        compiler->process = caller;
    }
    uint32_t first_register = compiler->next_register;
    struct lvalue *frame = ARENA_ARRAY(&compiler->scratch, struct lvalue, function->frame_size + 1);
    for (uint32_t i = 0; i < function->parameter_count && !is_stopped(compiler); i++)
        frame[function->parameters[i]->index] =
            pass_argument(compiler, function->parameters[i], expr->arguments[i], owner);
    if (!is_stopped(compiler)) run_body(compiler, function, &call, frame, owner);
    drop_registers(compiler, first_register); /* its frame is gone */
    return call.result;
}
