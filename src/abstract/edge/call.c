/* M2: the value of a function as one expression. Loops whose rounds are known are run, branches
 * become choices, and locals that are numbers stand for what they hold. What would fail in the
 * function fails in the expression, or the function is left as it is. */
#include "abstract/edge/call.h"

#include "abstract/edge/error.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/range.h"
#include "base/debug.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "expr/substitute.h"

#include <assert.h>

/* Statements and nodes of a function with what it calls, and what a level of recursion costs of
 * them; nodes of a value and of the result; rounds of a loop. */
enum { MAX_STEPS = 1 << 14, LEVEL = 16, MAX_SIZE = 400, MAX_RESULT = 4000, MAX_ROUNDS = 256 };

/* What a local holds; the latest entry of a symbol counts. Lists share their tails. */
struct known_local {
    const struct symbol *symbol;
    const struct expr *value;
    const struct known_local *next;
};

/* A list of what is still to be run in a function. */
struct todo {
    const struct statement *statement; /* NULL: a variable of a loop gets a value, or */
    const struct symbol *symbol;
    const struct expr *value;
    const struct expr *effect; /* the step of a loop is made */
    bool is_round;             /* a loop that has begun */
    const struct todo *next;
};

struct unroller {
    struct context *context;
    uint32_t *steps; /* left */
    bool gave_up;
};

static const struct expr *give_up(struct unroller *unroller) {
    unroller->gave_up = true;
    return NULL;
}

static void spend(struct unroller *unroller, uint32_t steps) {
    if (steps >= *unroller->steps) give_up(unroller);
    assert(unroller->gave_up || steps < *unroller->steps);
    *unroller->steps -= unroller->gave_up ? 0 : steps;
}

static const struct known_local *find(const struct known_local *known,
                                      const struct symbol *symbol) {
    while (known && known->symbol != symbol) known = known->next;
    return known;
}

static void know(struct unroller *unroller, const struct known_local **known,
                 const struct symbol *symbol, const struct expr *value) {
    struct known_local *entry = ARENA_NEW(unroller->context->arena, struct known_local);
    assert(symbol->scope == SCOPE_FRAME); /* nothing is known of what others write */
    assert(value);
    *entry = (struct known_local){symbol, value, *known};
    *known = entry;
}

static const struct todo *push(struct unroller *unroller, struct todo todo,
                               const struct todo *next) {
    struct todo *entry = ARENA_NEW(unroller->context->arena, struct todo);
    assert(todo.statement || todo.symbol || todo.effect);
    *entry = todo;
    entry->next = next;
    return entry;
}

/* Expressions */

/* The value that a called function returns, with the arguments of the call put in, or NULL. */
static const struct expr *call_value(struct unroller *unroller, const struct expr *call) {
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    spend(unroller, LEVEL);
    if (!function || unroller->gave_up) return NULL;
    const struct expr *value = function_result(unroller->context, function, unroller->steps);
    if (value) spend(unroller, expr_size(value, MAX_SIZE));
    return value && !unroller->gave_up ? with_arguments(unroller->context, NULL, value, call)
                                       : NULL;
}

static const struct expr *put_in(struct unroller *unroller, const struct known_local *known,
                                 const struct expr *expr) {
    struct arena *arena = unroller->context->arena;
    if (expr->kind == EXPR_NAME) {
        const struct known_local *entry = find(known, expr->symbol);
        return entry ? entry->value : expr;
    }
    struct expr *copy = build_copy(arena, expr);
    for (int i = 0; i < 3; i++)
        if (expr->child[i]) copy->child[i] = (struct expr *)put_in(unroller, known, expr->child[i]);
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = (struct expr *)put_in(unroller, known, expr->arguments[i]);
    if (expr->kind == EXPR_QUANTIFY && expr_is_captured(copy->child[0], expr->bound))
        give_up(unroller);
    const struct expr *called = expr->kind == EXPR_CALL ? call_value(unroller, copy) : NULL;
    return called ? called : simplify_node(arena, copy);
}

/* An expression with the values of locals; NULL if it has effects or gets too large. */
static const struct expr *value_of(struct unroller *unroller, const struct known_local *known,
                                   const struct expr *expr) {
    if (expr_has_effect(expr) || expr_size(expr, MAX_SIZE) > MAX_SIZE) return give_up(unroller);
    spend(unroller, expr_size(expr, MAX_SIZE));
    const struct expr *value = unroller->gave_up ? NULL : put_in(unroller, known, expr);
    if (unroller->gave_up || expr_size(value, MAX_SIZE) > MAX_SIZE) return give_up(unroller);
    return value;
}

static bool never_fails(struct unroller *unroller, const struct expr *value) {
    struct error_query query = {0};
    return expr_is_true(no_error_condition(unroller->context, &query, value)) && !query.why_not;
}

/* A local gets a value that certainly can be computed and fits. */
static void set_local(struct unroller *unroller, const struct known_local **known,
                      const struct symbol *symbol, const struct expr *value) {
    const struct type *kind = type_strip(symbol->type);
    bool is_number = kind->kind == TYPE_INT || kind->kind == TYPE_BOOL;
    const struct expr *fitted = value && is_number && never_fails(unroller, value)
                                    ? value_fitted(unroller->context, NULL, value, symbol->type)
                                    : NULL;
    if (fitted)
        know(unroller, known, symbol, fitted);
    else
        give_up(unroller);
}

/* Uppaal gives locals 0, or the lower bound where that is no value. */
static void declare(struct unroller *unroller, const struct known_local **known,
                    const struct symbol *symbol) {
    const struct initialiser *initialiser = symbol->initialiser;
    if (initialiser && !initialiser->expr)
        give_up(unroller);
    else
        set_local(unroller, known, symbol,
                  initialiser ? value_of(unroller, *known, initialiser->expr)
                              : build_int(unroller->context->arena, 0));
}

static void run_effect(struct unroller *unroller, const struct known_local **known,
                       const struct expr *expr) {
    struct arena *arena = unroller->context->arena;
    if (!expr_assigns(expr)) {
        const struct expr *value = value_of(unroller, *known, expr);
        if (value && !never_fails(unroller, value)) give_up(unroller);
        return;
    }
    const struct expr *target = expr->child[0];
    const struct symbol *symbol = target->kind == EXPR_NAME ? target->symbol : NULL;
    const struct known_local *old = find(*known, symbol);
    if (!symbol || !old) {
        give_up(unroller);
        return;
    }
    bool is_up = expr->op == OP_PRE_INC || expr->op == OP_POST_INC;
    const struct expr *value =
        expr->kind == EXPR_STEP ? build_int(arena, 1) : value_of(unroller, *known, expr->child[1]);
    if (!value) return;
    if (expr->kind == EXPR_STEP || expr->op != OP_ASSIGN) {
        enum op op = expr->kind == EXPR_ASSIGN ? op_of_assignment(expr->op)
                     : is_up                   ? OP_ADD
                                               : OP_SUB;
        value = simplify_node(arena, build_binary(arena, op, old->value, value));
    }
    set_local(unroller, known, symbol, value);
}

/* Statements */

static bool has_return(const struct statement *statement) {
    if (!statement) return false;
    if (statement->kind == STATEMENT_RETURN) return true;
    for (uint32_t i = 0; i < statement->statement_count; i++)
        if (has_return(statement->statements[i])) return true;
    return has_return(statement->body) || has_return(statement->other);
}

static const struct expr *run(struct unroller *unroller, const struct todo *todo,
                              const struct known_local **known);

/* n + 1 and n: n + (condition ? 1 : 0), or counting would double with every round. */
static const struct expr *choose(struct arena *arena, const struct expr *condition,
                                 const struct expr *yes, const struct expr *no) {
    if (yes->kind == EXPR_BINARY && yes->op == OP_ADD && yes->child[0] == no) {
        const struct expr *more = build_cond(arena, condition, yes->child[1], build_int(arena, 0));
        return simplify_node(arena, build_binary(arena, OP_ADD, no, simplify_node(arena, more)));
    }
    return simplify_node(arena, build_cond(arena, condition, yes, no));
}

/* Both branches without a return: each local holds one or the other value. */
static void run_both(struct unroller *unroller, const struct statement *statement,
                     const struct expr *condition, const struct known_local **known) {
    const struct known_local *before = *known, *yes = before, *no = before;
    if (!never_fails(unroller, condition)) give_up(unroller);
    run(unroller, push(unroller, (struct todo){.statement = statement->body}, NULL), &yes);
    if (statement->other)
        run(unroller, push(unroller, (struct todo){.statement = statement->other}, NULL), &no);
    const struct known_local *ends[] = {yes, no};
    for (int k = 0; k < 2 && !unroller->gave_up; k++)
        for (const struct known_local *at = ends[k]; at != before && !unroller->gave_up;
             at = at->next) {
            if (!find(before, at->symbol)) continue; /* a local of the branch */
            const struct expr *left = find(yes, at->symbol)->value;
            const struct expr *right = find(no, at->symbol)->value;
            const struct expr *value = choose(unroller->context->arena, condition, left, right);
            if (expr_size(value, MAX_SIZE) > MAX_SIZE) give_up(unroller);
            know(unroller, known, at->symbol, value);
        }
}

/* The single condition of a statement; NULL if there are several. */
static const struct expr *condition_of(struct unroller *unroller, const struct known_local *known,
                                       const struct statement *statement) {
    if (statement->condition.count != 1) return give_up(unroller);
    return value_of(unroller, known, statement->condition.items[0]);
}

static const struct todo *iterate(struct unroller *unroller, const struct statement *statement,
                                  const struct todo *todo) {
    const struct shape *shape = context_shape(unroller->context, statement->bound->type);
    assert(statement->kind == STATEMENT_ITERATE);
    bool is_known = shape && !shape->is_scalar && (int64_t)shape->upper - shape->lower < MAX_ROUNDS;
    if (!is_known) give_up(unroller);
    for (int64_t i = is_known ? shape->upper : 0; is_known && i >= shape->lower; i--) {
        const struct expr *value = build_int(unroller->context->arena, i);
        todo = push(unroller, (struct todo){.statement = statement->body}, todo);
        todo = push(unroller, (struct todo){.symbol = statement->bound, .value = value}, todo);
    }
    return todo;
}

/* Adds the next round of a loop, or nothing where it ends: its condition has to be known. */
static const struct todo *next_round(struct unroller *unroller, const struct todo *round,
                                     const struct known_local *known, const struct todo *todo) {
    const struct statement *loop = round->statement;
    int64_t goes_on = 1;
    assert(loop->body && loop->kind != STATEMENT_ITERATE);
    if (round->is_round || loop->kind != STATEMENT_DO) {
        const struct expr *condition = condition_of(unroller, known, loop);
        if (!condition || !constant_value(unroller->context, condition, &goes_on))
            give_up(unroller);
    }
    if (!goes_on) return todo;
    todo = push(unroller, (struct todo){.statement = loop, .is_round = true}, todo);
    for (uint32_t i = loop->step.count; i-- > 0;)
        todo = push(unroller, (struct todo){.effect = loop->step.items[i]}, todo);
    return push(unroller, (struct todo){.statement = loop->body}, todo);
}

static const struct todo *begin_block(struct unroller *unroller, const struct statement *block,
                                      const struct known_local **known, const struct todo *todo) {
    for (uint32_t i = 0; i < block->declaration_count; i++) {
        const struct declaration *declaration = block->declarations[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++)
            if (declaration->kind == DECLARATION_VARIABLES && !unroller->gave_up)
                declare(unroller, known, declaration->declarators[k].symbol);
    }
    for (uint32_t i = block->statement_count; i-- > 0;)
        todo = push(unroller, (struct todo){.statement = block->statements[i]}, todo);
    return todo;
}

/* Each branch goes on to the end of the function. */
static const struct expr *run_apart(struct unroller *unroller, const struct statement *statement,
                                    const struct expr *condition, const struct known_local *known,
                                    const struct todo *todo) {
    const struct known_local *left = known, *right = known;
    const struct todo *other = todo;
    if (statement->other)
        other = push(unroller, (struct todo){.statement = statement->other}, todo);
    const struct expr *yes =
        run(unroller, push(unroller, (struct todo){.statement = statement->body}, todo), &left);
    const struct expr *no = unroller->gave_up ? NULL : run(unroller, other, &right);
    if (!yes || !no) return give_up(unroller);
    struct arena *arena = unroller->context->arena;
    return simplify_node(arena, build_cond(arena, condition, yes, no));
}

/* Runs statements, and gives the value that they return; NULL if they end without a return. */
static const struct expr *run(struct unroller *unroller, const struct todo *todo,
                              const struct known_local **known) {
    while (todo && !unroller->gave_up) {
        const struct todo *now = todo;
        const struct statement *statement = now->statement;
        todo = todo->next;
        spend(unroller, 1);
        if (!statement) {
            if (now->effect)
                run_effect(unroller, known, now->effect);
            else
                know(unroller, known, now->symbol, now->value);
            continue;
        }
        switch (statement->kind) {
        case STATEMENT_EMPTY: break;
        case STATEMENT_EXPR: run_effect(unroller, known, statement->expr); break;
        case STATEMENT_BLOCK: todo = begin_block(unroller, statement, known, todo); break;
        case STATEMENT_ITERATE: todo = iterate(unroller, statement, todo); break;
        case STATEMENT_RETURN:
            return statement->expr ? value_of(unroller, *known, statement->expr)
                                   : give_up(unroller);
        case STATEMENT_FOR:
        case STATEMENT_WHILE:
        case STATEMENT_DO:
            for (uint32_t i = 0; i < statement->first.count && !now->is_round; i++)
                if (!unroller->gave_up) run_effect(unroller, known, statement->first.items[i]);
            if (!unroller->gave_up) todo = next_round(unroller, now, *known, todo);
            break;
        case STATEMENT_IF: {
            const struct expr *condition = condition_of(unroller, *known, statement);
            int64_t value;
            spend(unroller, LEVEL);
            if (!condition || unroller->gave_up) return NULL;
            if (constant_value(unroller->context, condition, &value)) {
                const struct statement *branch = value ? statement->body : statement->other;
                if (branch) todo = push(unroller, (struct todo){.statement = branch}, todo);
            } else if (has_return(statement)) {
                return run_apart(unroller, statement, condition, *known, todo);
            } else {
                run_both(unroller, statement, condition, known);
            }
            break;
        }
        default: return give_up(unroller); /* an assertion may fail */
        }
    }
    return NULL;
}

static const struct expr *unroll(struct context *context, const struct function *function,
                                 uint32_t *steps) {
    struct unroller unroller = {.context = context, .steps = steps};
    const struct known_local *known = NULL;
    if (!function->body || function->changes_outside) return NULL;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct symbol *parameter = function->parameters[i];
        enum type_kind kind = type_strip(parameter->type)->kind;
        if (!parameter->is_reference && (kind == TYPE_INT || kind == TYPE_BOOL))
            know(&unroller, &known, parameter, build_name(context->arena, parameter));
    }
    const struct todo *todo = push(&unroller, (struct todo){.statement = function->body}, NULL);
    const struct expr *value = run(&unroller, todo, &known);
    assert(!todo || todo->statement == function->body);
    bool fits = !unroller.gave_up && value && expr_size(value, MAX_RESULT) <= MAX_RESULT;
    return fits ? value : NULL;
}

struct unrolled {
    const struct expr *value;
};

const struct expr *unrolled_value(struct context *context, const struct function *function,
                                  uint32_t *steps) {
    uint32_t left = MAX_STEPS;
    assert(!steps || *steps <= MAX_STEPS); /* nobody gives steps back */
    if (steps) return unroll(context, function, steps);
    struct unrolled *entry = map_get(&context->unrolled, map_key(function));
    if (!entry) {
        entry = ARENA_NEW(context->arena, struct unrolled);
        map_put(&context->unrolled, map_key(function), entry); /* it may call itself */
        entry->value = unroll(context, function, &left);
    }
    return entry->value;
}

const struct expr *function_value(const struct function *function) {
    const struct statement *body = function->body;
    if (!body || body->declaration_count || body->statement_count != 1 ||
        body->statements[0]->kind != STATEMENT_RETURN)
        return NULL;
    const struct expr *expr = body->statements[0]->expr;
    return expr && !expr_has_effect(expr) ? expr : NULL;
}

const struct expr *value_fitted(struct context *context, const struct expr *fact,
                                const struct expr *value, const struct type *type) {
    const struct type *kind = type_strip(type);
    if (kind->kind == TYPE_INT) return range_condition(context, fact, value, type) ? NULL : value;
    if (kind->kind != TYPE_BOOL || expr_is_boolean(value)) return value;
    return simplify_node(context->arena,
                         build_binary(context->arena, OP_NE, value, build_int(context->arena, 0)));
}

const struct expr *function_result(struct context *context, const struct function *function,
                                   uint32_t *steps) {
    const struct expr *result = function_value(function);
    if (!result) result = unrolled_value(context, function, steps);
    DEBUG_CHECK(assert(!result || !expr_has_effect(result)));
    return result ? value_fitted(context, NULL, result, function->result) : NULL;
}

const struct expr *with_arguments(struct context *context, const struct expr *fact,
                                  const struct expr *result, const struct expr *call) {
    const struct function *function = call->symbol->function;
    assert(call->kind == EXPR_CALL && function);
    if (call->argument_count != function->parameter_count) return NULL;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct symbol *parameter = function->parameters[i];
        const struct expr *argument = call->arguments[i];
        if (expr_can_fault(argument) || expr_has_effect(argument)) return NULL;
        if (!eval_binds_place(parameter, argument) &&
            !(argument = value_fitted(context, fact, argument, parameter->type)))
            return NULL;
        result = expr_substitute(context->arena, result, parameter, argument);
    }
    return result;
}
