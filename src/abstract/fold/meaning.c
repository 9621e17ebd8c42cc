#include "abstract/fold/meaning.h"

#include "lang/syntax/walk.h"
#include "values/enumerate.h"

#include <assert.h>

enum { MOST_RUNS = 4096 }; /* of all processes together */

struct meaning {
    struct context *context;
    const struct open_edge *open;
    const struct process *process;
    struct arena arena;
    struct environment environment;
    struct enumerator enumerator;
    struct value_set *selects; /* by address after the cells */
    struct binding *frame;
};

/* ---- what is evaluated here ---- */

static bool is_own_select(const struct edge *edge, const struct symbol *symbol) {
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (edge->selects[i] == symbol) return true;
    return false;
}

/* Variables of the model and selects of the edge, and what is computed of them. */
static bool is_strange(const void *context, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL:
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_COND:
    case EXPR_INDEX: return false;
    case EXPR_FIELD: return symbol != NULL;
    case EXPR_NAME: break;
    default: return true;
    }
    if (!symbol) return true;
    if (symbol->kind == SYMBOL_SELECT) return !is_own_select(context, symbol);
    return (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) ||
           symbol->scope == SCOPE_FRAME;
}

/* ---- values ---- */

static struct cell_domain domain(void *user, uint32_t address) {
    struct meaning *meaning = user;
    const struct network *network = meaning->context->network;
    const struct open_edge *open = meaning->open;
    assert(address < network->cell_count + open->edge->select_count);
    if (address >= network->cell_count)
        return (struct cell_domain){.set = &meaning->selects[address - network->cell_count]};
    uint32_t number = network->slot_of[address];
    if (number == NO_SLOT) return (struct cell_domain){.set = NULL};
    const struct slot *slot = &network->slots[number];
    /* Where the set is not known, no value; that counts as past the budget. */
    if (slot->is_meta || (slot->process && slot->process != meaning->process))
        meaning->enumerator.has_failed = true;
    meaning->context->asks_values = true;
    return (struct cell_domain){.set = analysis_values(meaning->context->analysis, open->template,
                                                       open->location, slot->symbol, slot->offset,
                                                       false)};
}

/* False if a range depends on a variable, or is no plain one. */
static bool bind_selects(struct meaning *meaning) {
    const struct edge *edge = meaning->open->edge;
    uint32_t first = meaning->context->network->cell_count;
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct shape *shape = eval_shape(&meaning->environment, edge->selects[i]->type);
        bool is_known = shape && shape->kind == SHAPE_CELL && !meaning->environment.fault.kind;
        if (!is_known || meaning->enumerator.touched.count) return false;
        meaning->selects[i] = value_set_range(shape->lower, shape->upper);
        meaning->frame[edge->selects[i]->index] = (struct binding){first + i, shape};
    }
    return true;
}

/* ---- comparing ---- */

/* 1 or 0; 2 if it fails. */
static int value_of(struct meaning *meaning, const struct expr *condition) {
    struct environment *environment = &meaning->environment;
    environment->fault = (struct fault){0};
    int value = !condition || eval_int(environment, condition) != 0;
    enumerator_account(&meaning->enumerator);
    return environment->fault.kind && !meaning->enumerator.is_empty ? 2 : value;
}

static bool is_same_in(struct meaning *meaning, const struct process *process,
                       const struct expr *left, const struct expr *right) {
    assert(process->template == meaning->open->template);
    struct enumerator *enumerator = &meaning->enumerator;
    meaning->process = process;
    meaning->environment.locals = process->locals;
    enumerator_start(enumerator);
    if (!bind_selects(meaning)) return false;
    do {
        int one = value_of(meaning, left), other = value_of(meaning, right);
        if (!enumerator->is_empty && one != other) return false;
    } while (enumerator_next(enumerator));
    enumerator->budget = enumerator->runs_left;
    return !enumerator_failed(enumerator) && enumerator->budget > 0;
}

static void open_meaning(struct meaning *meaning) {
    const struct network *network = meaning->context->network;
    const struct edge *edge = meaning->open->edge;
    struct arena *arena = &meaning->arena;
    arena_init(arena);
    meaning->selects = ARENA_ARRAY(arena, struct value_set, edge->select_count + 1);
    meaning->frame = ARENA_ARRAY(arena, struct binding, edge->frame_size + 1);
    network_environment(network, &meaning->environment, arena);
    eval_push(&meaning->environment, edge->select_count);
    meaning->environment.frame = meaning->frame;
    enumerator_init(&meaning->enumerator, arena, &meaning->environment,
                    network->cell_count + edge->select_count, MOST_RUNS);
    meaning->enumerator.domain = domain;
    meaning->enumerator.context = meaning;
}

bool conditions_are_same(struct context *context, const struct open_edge *open,
                         const struct expr *left, const struct expr *right) {
    const struct network *network = context->network;
    struct meaning meaning = {.context = context, .open = open};
    assert(open->edge);
    if (context->request->ghosts.count || open_edge_is_branch(open) ||
        (left && expr_any(left, is_strange, open->edge)) ||
        (right && expr_any(right, is_strange, open->edge)))
        return false;
    open_meaning(&meaning);
    bool is_same = true;
    for (uint32_t p = 0; p < network->process_count && is_same; p++) {
        const struct process *process = &network->processes[p];
        if (process->template == open->template &&
            context->analysis->processes[p].locations[open->location].is_reached)
            is_same = is_same_in(&meaning, process, left, right);
    }
    eval_close(&meaning.environment);
    arena_close(&meaning.arena);
    return is_same;
}
