/* Statements, calls and initial values. */
#include "lang/eval/eval_internal.h"

#include <assert.h>

enum flow { FLOW_NEXT, FLOW_RETURN, FLOW_STOP };

enum { BLOCK_BINDINGS = 1024 };

/* Initial values */

static bool initialise(struct environment *environment, const struct binding *place,
                       const struct type *type, const struct initialiser *initialiser);

static bool refuse(struct environment *environment, const struct initialiser *initialiser) {
    return eval_fault(environment, FAULT_COUNT, initialiser->span);
}

static bool initialise_array(struct environment *environment, const struct binding *place,
                             const struct type *type, const struct initialiser *initialiser) {
    int64_t count = (int64_t)place->shape->upper - place->shape->lower + 1;
    if (count != initialiser->item_count) return refuse(environment, initialiser);
    for (uint32_t i = 0; i < initialiser->item_count; i++) {
        struct binding element = eval_element(place, (int64_t)place->shape->lower + i);
        if (!initialise(environment, &element, type->element, initialiser->items[i])) return false;
    }
    return true;
}

static bool initialise_struct(struct environment *environment, const struct binding *place,
                              const struct type *type, const struct initialiser *initialiser) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < initialiser->item_count; i++, at++) {
        if (initialiser->names[i])
            for (at = 0; at < type->field_count; at++)
                if (type->fields[at].name == initialiser->names[i]) break;
        if (at >= type->field_count) return refuse(environment, initialiser);
        struct binding member = eval_member(place, at);
        if (!initialise(environment, &member, type->fields[at].type, initialiser->items[i]))
            return false;
    }
    return true;
}

static bool initialise(struct environment *environment, const struct binding *place,
                       const struct type *type, const struct initialiser *initialiser) {
    type = type_strip(type);
    if (initialiser->expr)
        return eval_assign(environment, place, initialiser->expr, initialiser->span);
    if (type->kind == TYPE_ARRAY) return initialise_array(environment, place, type, initialiser);
    assert(type->kind == TYPE_STRUCT);
    return initialise_struct(environment, place, type, initialiser);
}

/* The initialiser, or the default value, into the place of the symbol. */
bool eval_initial(struct environment *environment, const struct symbol *symbol,
                  const struct binding *binding) {
    if (symbol->initialiser)
        return initialise(environment, binding, symbol->type, symbol->initialiser);
    return eval_default(environment, binding, symbol->span);
}

/* Statements. The result is where a return stores its value. */

static enum flow run(struct environment *environment, const struct statement *statement,
                     const struct binding *result);

static bool drop_all(struct environment *environment, const struct expr_list *list) {
    uint32_t stack = environment->stack;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!eval_drop(environment, list->items[i])) return false;
        environment->stack = stack;
    }
    return true;
}

/* A comma list is as true as its last value. */
static bool is_true(struct environment *environment, const struct expr_list *list) {
    assert(list->count);
    uint32_t stack = environment->stack;
    for (uint32_t i = 0; i + 1 < list->count; i++)
        if (!eval_drop(environment, list->items[i])) return false;
    int32_t value = eval_value(environment, list->items[list->count - 1]);
    environment->stack = stack;
    return value && !has_fault(environment);
}

static bool declare(struct environment *environment, const struct declaration *declaration) {
    if (declaration->kind != DECLARATION_VARIABLES) return true;
    for (uint32_t i = 0; i < declaration->declarator_count; i++) {
        const struct symbol *symbol = declaration->declarators[i].symbol;
        const struct shape *shape = eval_shape_of(environment, symbol->type);
        if (!shape) return false;
        struct binding binding = {eval_push(environment, shape->cell_count), shape};
        if (has_fault(environment)) return false;
        uint32_t stack = environment->stack;
        eval_bind(environment, symbol, binding);
        if (!eval_initial(environment, symbol, &binding)) return false;
        environment->stack = stack;
    }
    return true;
}

static enum flow run_block(struct environment *environment, const struct statement *block,
                           const struct binding *result) {
    uint32_t stack = environment->stack;
    enum flow flow = FLOW_NEXT;
    for (uint32_t i = 0; i < block->declaration_count && flow == FLOW_NEXT; i++)
        if (!declare(environment, block->declarations[i])) flow = FLOW_STOP;
    for (uint32_t i = 0; i < block->statement_count && flow == FLOW_NEXT; i++)
        flow = run(environment, block->statements[i], result);
    environment->stack = stack;
    return flow;
}

/* for (i : T) */
static enum flow run_iterate(struct environment *environment, const struct statement *statement,
                             const struct binding *result) {
    const struct shape *shape = eval_shape_of(environment, statement->bound->type);
    if (!shape) return FLOW_STOP;
    uint32_t stack = environment->stack, address = eval_push(environment, 1);
    if (has_fault(environment)) return FLOW_STOP;
    eval_bind(environment, statement->bound, (struct binding){address, shape});
    enum flow flow = FLOW_NEXT;
    for (int64_t i = shape->lower; i <= shape->upper && flow == FLOW_NEXT; i++) {
        if (!eval_tick(environment, statement->span)) return FLOW_STOP;
        environment->cells[address] = (int32_t)i;
        flow = run(environment, statement->body, result);
    }
    environment->stack = stack;
    return flow;
}

/* for, while and do: they differ in what runs first. */
static enum flow run_loop(struct environment *environment, const struct statement *statement,
                          const struct binding *result) {
    bool is_first = statement->kind == STATEMENT_DO;
    if (!drop_all(environment, &statement->first)) return FLOW_STOP;
    while (is_first || is_true(environment, &statement->condition)) {
        is_first = false;
        if (!eval_tick(environment, statement->span)) return FLOW_STOP;
        enum flow flow = run(environment, statement->body, result);
        if (flow != FLOW_NEXT) return flow;
        if (!drop_all(environment, &statement->step)) return FLOW_STOP;
    }
    return has_fault(environment) ? FLOW_STOP : FLOW_NEXT;
}

static enum flow run_if(struct environment *environment, const struct statement *statement,
                        const struct binding *result) {
    bool condition = is_true(environment, &statement->condition);
    if (has_fault(environment)) return FLOW_STOP;
    if (condition) return run(environment, statement->body, result);
    return statement->other ? run(environment, statement->other, result) : FLOW_NEXT;
}

static enum flow run_simple(struct environment *environment, const struct statement *statement,
                            const struct binding *result) {
    uint32_t stack = environment->stack;
    enum flow flow = FLOW_NEXT;
    if (statement->kind == STATEMENT_EXPR) {
        eval_drop(environment, statement->expr);
    } else if (statement->kind == STATEMENT_ASSERT) {
        if (!eval_value(environment, statement->expr))
            eval_fault(environment, FAULT_ASSERT, statement->expr->span);
    } else if (statement->kind == STATEMENT_RETURN) {
        if (statement->expr)
            eval_assign(environment, result, statement->expr, statement->expr->span);
        flow = FLOW_RETURN;
    }
    environment->stack = stack;
    return has_fault(environment) ? FLOW_STOP : flow;
}

static enum flow run(struct environment *environment, const struct statement *statement,
                     const struct binding *result) {
    if (!eval_enter(environment, statement->span)) return FLOW_STOP;
    enum flow flow = FLOW_NEXT;
    switch (statement->kind) {
    case STATEMENT_BLOCK: flow = run_block(environment, statement, result); break;
    case STATEMENT_IF: flow = run_if(environment, statement, result); break;
    case STATEMENT_ITERATE: flow = run_iterate(environment, statement, result); break;
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO: flow = run_loop(environment, statement, result); break;
    default: flow = run_simple(environment, statement, result); break;
    }
    eval_leave(environment);
    return flow;
}

/* Calls */

static struct frame_block *new_block(struct environment *environment, uint32_t count) {
    uint32_t capacity = count > BLOCK_BINDINGS ? count : BLOCK_BINDINGS;
    struct frame_block *block =
        arena_alloc(environment->arena, sizeof *block + (size_t)capacity * sizeof(struct binding));
    block->capacity = capacity;
    return block;
}

/* Frames of nested calls follow each other in the blocks. */
static struct binding *push_frame(struct environment *environment, uint32_t count) {
    struct eval_cache *cache = eval_cache(environment);
    if (!cache->current) cache->frames = cache->current = new_block(environment, count);
    while (cache->current->capacity - cache->current->used < count) {
        struct frame_block *block = cache->current;
        if (!block->next) block->next = new_block(environment, count);
        cache->current = block->next;
        cache->current->used = 0;
    }
    struct binding *frame = &cache->current->items[cache->current->used];
    assert(cache->current->used + count <= cache->current->capacity);
    cache->current->used += count;
    for (uint32_t i = 0; i < count; i++) frame[i].shape = NULL;
    return frame;
}

/* Arguments are evaluated in the caller's world, shapes of parameters in that of the function. */
static bool pass_argument(struct environment *environment, const struct symbol *parameter,
                          const struct binding *locals, const struct expr *argument,
                          struct binding *slot) {
    if (eval_binds_place(parameter, argument)) {
        struct binding place;
        if (!eval_locate(environment, argument, &place)) return false;
        *slot = place;
        return true;
    }
    const struct binding *own = environment->locals;
    environment->locals = locals;
    const struct shape *shape = eval_shape_of(environment, parameter->type);
    environment->locals = own;
    if (!shape) return false;
    struct binding cells = {eval_push(environment, shape->cell_count), shape};
    if (has_fault(environment)) return false;
    *slot = cells;
    return eval_assign(environment, &cells, argument, argument->span);
}

/* Evaluates the arguments in front of .member; false at a fault. */
bool eval_view(struct environment *environment, const struct expr *process,
               struct process_view *view) {
    uint32_t count = process->kind == EXPR_CALL ? process->argument_count : 0;
    const struct symbol *symbol =
        process->kind == EXPR_CALL ? process->child[0]->symbol : process->symbol;
    uint32_t stack = environment->stack, address = eval_push(environment, count);
    for (uint32_t i = 0; i < count && !has_fault(environment); i++) {
        int32_t value = eval_value(environment, process->arguments[i]);
        environment->cells[address + i] = value;
    }
    if (has_fault(environment)) return false;
    if (!environment->find_process)
        eval_fault(environment, FAULT_UNBOUND, process->span);
    else if (!environment->find_process(environment->context, symbol, environment->cells + address,
                                        count, view))
        eval_fault(environment, FAULT_PROCESS, process->span);
    environment->stack = stack;
    return !has_fault(environment);
}

/* Runs the body in its frame; the result was reserved before the arguments. */
static bool run_function(struct environment *environment, const struct function *function,
                         struct binding *frame, const struct binding *locals,
                         const struct binding *result) {
    struct binding *caller_frame = environment->frame;
    const struct binding *caller_locals = environment->locals;
    environment->frame = frame;
    environment->locals = locals;
    enum flow flow = run(environment, function->body, result);
    if (flow == FLOW_NEXT && result->shape)
        eval_default(environment, result, function->symbol->span);
    environment->frame = caller_frame;
    environment->locals = caller_locals;
    return !has_fault(environment);
}

static bool reserve_result(struct environment *environment, const struct function *function,
                           const struct binding *locals, struct binding *result) {
    *result = (struct binding){0, NULL};
    if (type_strip(function->result)->kind == TYPE_VOID) return true;
    const struct binding *own = environment->locals;
    environment->locals = locals;
    result->shape = eval_shape_of(environment, function->result);
    environment->locals = own;
    if (result->shape) result->address = eval_push(environment, result->shape->cell_count);
    return !has_fault(environment);
}

/* Arguments that take the place of variables which the function reads. */
static void pass_rest(struct environment *environment, const struct function *function,
                      const struct expr *call) {
    for (uint32_t i = function->parameter_count; i < call->argument_count; i++) {
        uint32_t address;
        int32_t value = eval_value(environment, call->arguments[i]);
        if (has_fault(environment)) return;
        if (environment->find_cell &&
            environment->find_cell(environment->context, function, i - function->parameter_count,
                                   &address))
            environment->cells[address] = value;
        else
            eval_fault(environment, FAULT_UNBOUND, call->span);
    }
}

bool eval_call(struct environment *environment, const struct expr *expr, struct binding *result) {
    const struct function *function = expr->symbol->function;
    assert(function && function->body && expr->argument_count >= function->parameter_count);
    const struct binding *locals = environment->locals;
    if (!eval_tick(environment, expr->span)) return false;
    if (expr->child[0]->kind == EXPR_FIELD) { /* Process.function */
        struct process_view view = {NULL, 0};
        if (!eval_view(environment, expr->child[0]->child[0], &view)) return false;
        locals = view.locals;
    }
    if (!reserve_result(environment, function, locals, result)) return false;
    uint32_t stack = environment->stack;
    struct binding *frame = push_frame(environment, function->frame_size);
    struct frame_block *block = environment->cache->current;
    for (uint32_t i = 0; i < function->parameter_count && !has_fault(environment); i++)
        pass_argument(environment, function->parameters[i], locals, expr->arguments[i],
                      &frame[function->parameters[i]->index]);
    if (!has_fault(environment)) pass_rest(environment, function, expr);
    if (!has_fault(environment)) run_function(environment, function, frame, locals, result);
    environment->cache->current = block;
    block->used = (uint32_t)(frame - block->items);
    environment->stack = stack;
    return !has_fault(environment);
}
