/* What a ghost begins with. */
#include "abstract/prepare/ghost_internal.h"

#include "expr/find.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* f with what its variables are initialised with put in; NULL if one is not just initialised. */
static struct expr *initial_expr(struct arena *arena, const struct expr *expr) {
    struct expr *copy = ARENA_NEW(arena, struct expr);
    *copy = *expr;
    if (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind == SYMBOL_VARIABLE &&
        expr->symbol->scope == SCOPE_TEMPLATE) {
        const struct initialiser *initialiser = expr->symbol->initialiser;
        return initialiser ? initialiser->expr : NULL;
    }
    for (int i = 0; i < 3; i++)
        if (expr->child[i] && !(copy->child[i] = initial_expr(arena, expr->child[i]))) return NULL;
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (!(copy->arguments[i] = initial_expr(arena, expr->arguments[i]))) return NULL;
    return copy;
}

/* Whether names in it mean something else where v is declared. */
static bool means_other(void *context, const struct expr *expr) {
    struct ghost_adder *adder = context;
    const struct frame *frame = adder->ghost->template->frame;
    const struct type *type = expr->bound ? expr->bound->type : NULL;
    const struct symbol *names[] = {
        expr->kind == EXPR_NAME || expr->kind == EXPR_CALL ? expr->symbol : NULL,
        type && type->kind == TYPE_NAMED ? type->symbol : NULL};
    for (int i = 0; i < 2; i++)
        adder->is_moved |= names[i] && names[i]->scope == SCOPE_GLOBAL &&
                           frame_find(frame, names[i]->name) != names[i];
    adder->is_moved |= expr->bound && expr_is_captured(expr, expr->bound);
    return !adder->is_moved;
}

/* The initialiser of v where processes begin with different values, or NULL: what is written has
 * to have these values. */
static struct expr *find_initial(struct ghost_adder *adder, struct environment *environment) {
    const struct network *network = adder->network;
    const struct ghost *ghost = adder->ghost;
    if (ghost->scope) return NULL; /* it needs one value to rest at */
    struct expr *initial = initial_expr(adder->arena, ghost->value);
    adder->is_moved = false;
    walk_expr(initial, means_other, adder);
    bool is_right = initial && !adder->is_moved;
    for (uint32_t p = 0; p < network->process_count && is_right; p++) {
        if (network->processes[p].template != ghost->template) continue;
        environment->locals = network->processes[p].locals;
        is_right = eval_int(environment, ghost->value) == eval_int(environment, initial) &&
                   !environment->fault.kind;
    }
    return is_right ? initial : NULL;
}

static void set_initialiser(struct ghost_adder *adder, struct expr *value) {
    assert(!adder->ghost->symbol->initialiser);
    struct initialiser *initialiser = ARENA_NEW(adder->arena, struct initialiser);
    initialiser->expr = value;
    adder->ghost->symbol->initialiser = initialiser;
}

/* What v begins with where it does not follow f: what it would hold without an initialiser. */
static int32_t resting_value(const struct shape *shape) {
    return shape->lower > 0 || shape->upper < 0 ? shape->lower : 0;
}

/* Whether v follows f when processes begin. */
static bool follows_at_once(const struct ghost *ghost) {
    return !ghost->scope || ghost->scope[ghost->template->initial];
}

/* Evaluates f and the type in one process (NULL: none). */
static bool evaluate(struct ghost_adder *adder, struct environment *environment,
                     const struct process *process, int32_t *value, const struct shape **shape) {
    const struct ghost *ghost = adder->ghost;
    const struct ghost_definition *definition = ghost->definition;
    environment->locals = process ? process->locals : NULL;
    assert(!environment->fault.kind); /* a process that failed was the last one */
    *value = follows_at_once(ghost) ? eval_int(environment, ghost->value) : 0;
    if (environment->fault.kind)
        return diag_error(adder->diag, STATUS_UNSUPPORTED, definition->value.begin,
                          "the initial value of this cannot be computed: %s",
                          fault_name(environment->fault.kind));
    *shape = eval_shape(environment, ghost->symbol->type);
    if (!*shape) return ghost_refuse_type(adder);
    assert((*shape)->kind == SHAPE_CELL && !(*shape)->is_scalar); /* check_type */
    if (!follows_at_once(ghost)) *value = resting_value(*shape);
    if ((*shape)->is_bool) *value = *value != 0;
    if (*value >= (*shape)->lower && *value <= (*shape)->upper) return true;
    return diag_error(adder->diag, STATUS_USAGE, definition->value.begin,
                      "the initial value of this is %d, which does not fit the type '%s'", *value,
                      definition->type.content.data);
}

struct expr *ghost_constant(struct ghost_adder *adder, int32_t value, bool is_bool) {
    struct expr *expr = ARENA_NEW(adder->arena, struct expr);
    *expr = (struct expr){.kind = is_bool ? EXPR_BOOL : EXPR_INT,
                          .type = is_bool ? adder->model->bool_type : adder->model->int_type,
                          .value = value};
    return expr;
}

bool ghost_initialise(struct ghost_adder *adder) {
    const struct network *network = adder->network;
    struct ghost *ghost = adder->ghost;
    struct environment environment;
    int32_t first = 0, value;
    const struct shape *shape = NULL, *other = NULL;
    bool ok = true, is_same = true, is_first = true;
    network_environment(network, &environment, adder->arena);
    if (!ghost->template) ok = evaluate(adder, &environment, NULL, &first, &shape);
    for (uint32_t p = 0; ghost->template && p < network->process_count && ok; p++) {
        if (network->processes[p].template != ghost->template) continue;
        ok = evaluate(adder, &environment, &network->processes[p], &value, &other);
        if (!ok) break;
        assert(other);
        if (is_first) first = value, shape = other;
        is_first = false;
        is_same &= value == first;
        if (other->lower != shape->lower || other->upper != shape->upper)
            ok = diag_error(adder->diag, STATUS_USAGE, ghost->definition->type.begin,
                            "this range differs from process to process");
    }
    struct expr *initial = !ok       ? NULL
                           : is_same ? ghost_constant(adder, first, shape->is_bool)
                                     : find_initial(adder, &environment);
    eval_close(&environment);
    if (!ok) return false;
    assert(shape); /* the template has processes */
    ghost->rest = first;
    if (!initial)
        return diag_error(adder->diag, STATUS_UNSUPPORTED, ghost->definition->value.begin,
                          "processes start with different values of this%s",
                          ghost->scope ? "" : ", which cannot be written as one expression");
    if (!is_same || first || shape->lower > 0) set_initialiser(adder, initial);
    return true;
}
