#include "symmetry/moves.h"

#include <assert.h>

struct mover {
    struct arena *arena;
    const struct name_exchange *exchange;
    const struct network *network;
    struct moves *moves;
    const char *why;
    struct span at;
    bool is_fine;
};

static void fail(struct mover *mover, const char *why, struct span at) {
    if (!mover->is_fine) return;
    mover->is_fine = false;
    mover->why = why;
    mover->at = at;
}

/* ---- cells ---- */

static bool may_hold_alike(const struct network *network, uint32_t from, uint32_t to) {
    uint32_t left = network->slot_of[from], right = network->slot_of[to];
    if (left == NO_SLOT || right == NO_SLOT) return left == right;
    const struct slot *one = &network->slots[left], *other = &network->slots[right];
    return one->lower == other->lower && one->upper == other->upper &&
           one->is_bool == other->is_bool && one->is_meta == other->is_meta &&
           one->is_persistent == other->is_persistent;
}

static void move_cell(struct mover *mover, uint32_t from, uint32_t to, uint32_t variable,
                      const struct symbol *symbol) {
    const struct network *network = mover->network;
    uint32_t *cell_of = mover->moves->cell_of;
    assert(from < network->cell_count && to < network->cell_count);
    if (cell_of[from] != NO_SLOT && cell_of[from] != to)
        fail(mover, "two names of a variable would be of different ones", symbol->span);
    cell_of[from] = to;
    int64_t value = exchanged_value(mover->exchange, variable, network->cells[from]);
    if (!may_hold_alike(network, from, to))
        fail(mover, "its cells have different ranges", symbol->span);
    if (value != network->cells[to])
        fail(mover,
             network->slot_of[from] == NO_SLOT ? "constants tell its values apart"
                                               : "initial values tell its values apart",
             symbol->span);
}

static void move_shape(struct mover *mover, const struct sort_tree *tree, const struct shape *shape,
                       uint32_t from, uint32_t to, const struct symbol *symbol) {
    if (!mover->is_fine) return;
    if (shape->kind == SHAPE_CELL) {
        move_cell(mover, from, to, tree->kind == SORT_CELL ? tree->variable : 0, symbol);
    } else if (shape->kind == SHAPE_ARRAY) {
        assert(tree->kind == SORT_ARRAY);
        uint32_t size = shape->element->cell_count;
        for (int64_t i = shape->lower; i <= shape->upper && mover->is_fine; i++) {
            int64_t image = exchanged_value(mover->exchange, tree->variable, i);
            if (image < shape->lower || image > shape->upper)
                fail(mover, "an array does not have both", symbol->span);
            else
                move_shape(mover, tree->element, shape->element,
                           from + (uint32_t)(i - shape->lower) * size,
                           to + (uint32_t)(image - shape->lower) * size, symbol);
        }
    } else {
        assert(tree->kind == SORT_STRUCT && tree->field_count == shape->field_count);
        for (uint32_t i = 0; i < shape->field_count; i++)
            move_shape(mover, tree->fields[i], shape->fields[i], from + shape->offsets[i],
                       to + shape->offsets[i], symbol);
    }
}

static bool has_same_shape(const struct shape *left, const struct shape *right) {
    if (left == right) return true;
    if (left->kind != right->kind || left->cell_count != right->cell_count ||
        left->lower != right->lower || left->upper != right->upper ||
        left->is_bool != right->is_bool || left->field_count != right->field_count)
        return false;
    if (left->kind == SHAPE_ARRAY) return has_same_shape(left->element, right->element);
    for (uint32_t i = 0; i < left->field_count; i++)
        if (!has_same_shape(left->fields[i], right->fields[i])) return false;
    return true;
}

static void move_binding(struct mover *mover, const struct symbol *symbol,
                         const struct binding *from, const struct binding *to) {
    if (!from->shape || !to->shape) {
        if (from->shape || to->shape) fail(mover, "processes differ", symbol->span);
        return;
    }
    const struct sort_tree *own = map_get(&mover->exchange->sorts->trees, map_key(symbol));
    if (!has_same_shape(from->shape, to->shape)) {
        fail(mover, "its types differ", symbol->span);
        return;
    }
    if (own) {
        move_shape(mover, own, from->shape, from->address, to->address, symbol);
        return;
    }
    for (uint32_t i = 0; i < from->shape->cell_count; i++) /* nothing names it */
        move_cell(mover, from->address + i, to->address + i, 0, symbol);
}

/* ---- processes ---- */

/* Whether the arguments of one process become those of another. */
static bool has_image(struct mover *mover, const struct process *from, const struct process *to) {
    struct mover trial = *mover;
    struct moves moves = *mover->moves;
    trial.moves = &moves;
    if (from->template != to->template || from->priority != to->priority) return false;
    for (uint32_t i = 0; i < from->template->parameter_count; i++) {
        const struct symbol *parameter = from->template->parameters[i];
        const struct binding *left = &from->locals[parameter->index];
        const struct binding *right = &to->locals[parameter->index];
        if (!left->shape || !right->shape) return false;
        uint32_t address = left->address;
        uint32_t size = left->shape->cell_count;
        uint32_t *before = ARENA_ARRAY(mover->arena, uint32_t, size + 1);
        memcpy(before, moves.cell_of + address, size * sizeof *before);
        move_binding(&trial, parameter, left, right);
        memcpy(moves.cell_of + address, before, size * sizeof *before);
        if (!trial.is_fine) return false;
    }
    return true;
}

static void match_processes(struct mover *mover, const uint32_t *pair) {
    const struct network *network = mover->network;
    uint32_t count = network->process_count, *process_of = mover->moves->process_of;
    bool *is_taken = ARENA_ARRAY(mover->arena, bool, count + 1);
    for (uint32_t p = 0; p < count && mover->is_fine; p++) {
        const struct process *process = &network->processes[p];
        uint32_t image = NO_SLOT;
        if (pair) image = p == pair[0] ? pair[1] : p == pair[1] ? pair[0] : p;
        if (pair && !has_image(mover, process, &network->processes[image])) image = NO_SLOT;
        struct process_range range = network->processes_of[process->template->index];
        for (uint32_t q = range.first; !pair && q < range.end && image == NO_SLOT; q++)
            if (!is_taken[q] && has_image(mover, process, &network->processes[q])) image = q;
        if (image == NO_SLOT || is_taken[image]) {
            fail(mover, arena_printf(mover->arena, "%s has no counterpart", process->name),
                 process->symbol->span);
            return;
        }
        assert(network->processes[image].template == process->template);
        is_taken[image] = true;
        process_of[p] = image;
    }
}

bool moves_find(struct moves *moves, struct arena *arena, const struct name_exchange *exchange,
                const uint32_t *pair, const char **why, struct span *at) {
    const struct network *network = exchange->sorts->network;
    assert(!pair || (exchange->root == NO_SLOT && pair[0] != pair[1]));
    struct mover mover = {arena, exchange, network, moves, NULL, {0}, true};
    moves->cell_of = ARENA_ARRAY(arena, uint32_t, network->cell_count + 1);
    moves->process_of = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    memset(moves->cell_of, 0xff, network->cell_count * sizeof *moves->cell_of);
    moves->is_tried = false;
    for (uint32_t i = 0; i < network->model->symbol_count && mover.is_fine; i++)
        if (network->globals[i].shape)
            move_binding(&mover, network->model->symbols[i], &network->globals[i],
                         &network->globals[i]);
    if (mover.is_fine) match_processes(&mover, pair);
    for (uint32_t p = 0; p < network->process_count && mover.is_fine; p++) {
        const struct process *from = &network->processes[p];
        const struct process *to = &network->processes[moves->process_of[p]];
        for (uint32_t i = 0; i < from->template->symbol_count && mover.is_fine; i++)
            move_binding(&mover, from->template->symbols[i], &from->locals[i], &to->locals[i]);
    }
    assert(mover.is_fine == !mover.why);
    *why = mover.why;
    *at = mover.at;
    for (uint32_t i = 0; i < network->slot_count && mover.is_fine; i++)
        assert(moves->cell_of[network->slots[i].address] != NO_SLOT);
    return mover.is_fine;
}

/* ---- paths ---- */

struct walker {
    void (*visit)(void *context, const struct cell_path *path);
    void *context;
    uint32_t variables[MAX_DIMENSIONS];
    int64_t values[MAX_DIMENSIONS];
    bool is_fine;
};

static void walk(struct walker *walker, const struct sort_tree *tree, const struct shape *shape,
                 uint32_t address, uint32_t depth) {
    if (shape->kind == SHAPE_CELL) {
        struct cell_path path = {address, tree && tree->kind == SORT_CELL ? tree->variable : 0,
                                 walker->variables, walker->values, depth};
        walker->visit(walker->context, &path);
    } else if (shape->kind == SHAPE_ARRAY) {
        uint32_t size = shape->element->cell_count;
        assert(!tree || tree->kind == SORT_ARRAY);
        bool has_room = depth < MAX_DIMENSIONS;
        walker->is_fine &= has_room;
        for (int64_t i = shape->lower; i <= shape->upper; i++) {
            if (has_room) {
                walker->variables[depth] = tree ? tree->variable : 0;
                walker->values[depth] = i;
            }
            walk(walker, tree ? tree->element : NULL, shape->element,
                 address + (uint32_t)(i - shape->lower) * size, has_room ? depth + 1 : depth);
        }
    } else {
        assert(!tree || (tree->kind == SORT_STRUCT && tree->field_count == shape->field_count));
        for (uint32_t i = 0; i < shape->field_count; i++)
            walk(walker, tree ? tree->fields[i] : NULL, shape->fields[i],
                 address + shape->offsets[i], depth);
    }
}

bool walk_cells(const struct sorts *sorts, const struct sort_tree *tree,
                const struct binding *binding,
                void (*visit)(void *context, const struct cell_path *path), void *context) {
    struct walker walker = {.visit = visit, .context = context, .is_fine = true};
    (void)sorts;
    if (binding->shape) walk(&walker, tree, binding->shape, binding->address, 0);
    return walker.is_fine;
}
