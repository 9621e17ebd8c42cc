/* From blocks to cells: the elements that each cell belongs to, and the names of values. */
#include "symmetry/symmetry_internal.h"

#include <assert.h>

enum { MAX_TABLE = 1 << 16 };

struct element_key {
    uint32_t root;
    int64_t element;
};

struct builder {
    struct block_finder *finder;
    struct symmetry *symmetry;
    struct element_key *keys;   /* by element; of copies: NO_SLOT, the process */
    uint32_t *cell_at;          /* by address: the cell, or NO_SLOT */
    const uint32_t *of_process; /* coordinates of the current process, */
    uint32_t of_process_count;  /* if it has any */
    VEC(struct symmetry_naming) namings;
    VEC(struct element_key) naming_keys; /* root and offset */
    bool is_fine;
};

static uint32_t find_element(const struct builder *builder, uint32_t root, int64_t element) {
    for (uint32_t i = 0; i < builder->symmetry->element_count; i++)
        if (builder->keys[i].root == root && builder->keys[i].element == element) return i;
    return NO_ELEMENT;
}

static uint32_t element_of_value(const struct builder *builder, uint32_t variable, int64_t value) {
    int64_t offset;
    uint32_t root = sort_find(&builder->finder->sorts, variable, &offset);
    return find_element(builder, root, value - offset);
}

/* ---- namings ---- */

static struct symmetry_naming make_naming(const struct builder *builder, uint32_t root,
                                          int64_t offset) {
    struct arena *arena = builder->finder->arena;
    uint32_t count = builder->symmetry->element_count;
    int64_t *values = ARENA_ARRAY(arena, int64_t, count + 1), lower = 0, upper = -1;
    for (uint32_t i = 0; i < count; i++) {
        if (builder->keys[i].root != root) continue;
        values[i] = builder->keys[i].element + offset;
        if (lower > upper) lower = upper = values[i];
        if (values[i] < lower) lower = values[i];
        if (values[i] > upper) upper = values[i];
    }
    assert(lower <= upper); /* the sort has elements */
    uint32_t size = (uint32_t)(upper - lower + 1);
    uint32_t *elements = ARENA_ARRAY(arena, uint32_t, size + 1);
    for (uint32_t i = 0; i < size; i++) elements[i] = NO_ELEMENT;
    for (uint32_t i = 0; i < count; i++)
        if (builder->keys[i].root == root) elements[values[i] - lower] = i;
    return (struct symmetry_naming){lower, size, elements, values};
}

static uint32_t naming_of(struct builder *builder, uint32_t variable) {
    int64_t offset;
    uint32_t root = sort_find(&builder->finder->sorts, variable, &offset);
    bool has_elements = false;
    for (uint32_t i = 0; i < builder->symmetry->element_count; i++)
        has_elements |= builder->keys[i].root == root;
    if (!has_elements) return NO_ELEMENT;
    for (uint32_t i = 0; i < builder->naming_keys.count; i++)
        if (builder->naming_keys.items[i].root == root &&
            builder->naming_keys.items[i].element == offset)
            return i;
    VEC_PUSH(builder->finder->arena, &builder->naming_keys, (struct element_key){root, offset});
    VEC_PUSH(builder->finder->arena, &builder->namings, make_naming(builder, root, offset));
    return builder->namings.count - 1;
}

/* ---- coordinates ---- */

static void add_coordinate(struct builder *builder, struct symmetry_cell *cell, uint32_t element) {
    if (element == NO_ELEMENT) return;
    assert(element < builder->symmetry->element_count);
    for (uint32_t i = 0; i < cell->coordinate_count; i++)
        if (cell->coordinates[i] == element) return;
    if (cell->coordinate_count == SYMMETRY_MAX_COORDINATES)
        builder->is_fine = false;
    else
        cell->coordinates[cell->coordinate_count++] = element;
}

static void add_path(struct builder *builder, struct symmetry_cell *cell,
                     const struct cell_path *path) {
    for (uint32_t i = 0; i < path->count; i++)
        add_coordinate(builder, cell,
                       element_of_value(builder, path->variables[i], path->values[i]));
}

static void see_cell(void *context, const struct cell_path *path) {
    struct builder *builder = context;
    uint32_t index = builder->cell_at[path->address];
    if (index == NO_SLOT) return;
    assert(index < builder->finder->network->slot_count);
    struct symmetry_cell *cell = &builder->symmetry->cells[index];
    if (cell->family != NO_SLOT) return; /* seen by its own name */
    cell->family = index;
    for (uint32_t i = 0; i < builder->of_process_count; i++)
        add_coordinate(builder, cell, builder->of_process[i]);
    add_path(builder, cell, path);
    cell->naming = naming_of(builder, path->leaf);
}

static void see_symbols(struct builder *builder, struct symbol *const *symbols,
                        const struct binding *bindings, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (symbols[i] && bindings[i].shape)
            builder->is_fine &=
                walk_cells(&builder->finder->sorts,
                           map_get(&builder->finder->sorts.trees, map_key(symbols[i])),
                           &bindings[i], see_cell, builder);
}

struct argument_walk {
    struct builder *builder;
    struct symmetry_cell *cell;
};

/* Arguments by value are coordinates of the process. */
static void see_argument(void *context, const struct cell_path *path) {
    const struct argument_walk *walk = context;
    struct builder *builder = walk->builder;
    const struct network *network = builder->finder->network;
    add_coordinate(builder, walk->cell,
                   element_of_value(builder, path->leaf, network->cells[path->address]));
}

static void see_process(struct builder *builder, const struct process *process) {
    const struct network *network = builder->finder->network;
    struct symmetry_cell *cell = &builder->symmetry->cells[network->slot_count + process->index];
    struct argument_walk walk = {builder, cell};
    cell->family = network->slot_count + process->index;
    cell->naming = NO_ELEMENT;
    add_coordinate(builder, cell, find_element(builder, NO_SLOT, process->index));
    for (uint32_t i = 0; i < process->template->parameter_count; i++) {
        const struct symbol *parameter = process->template->parameters[i];
        const struct binding *binding = &process->locals[parameter->index];
        const struct sort_tree *tree = map_get(&builder->finder->sorts.trees, map_key(parameter));
        if (!binding->shape) continue;
        uint32_t slot = builder->cell_at[binding->address];
        bool is_other = parameter->is_reference && slot != NO_SLOT &&
                        builder->symmetry->cells[slot].family != NO_SLOT;
        if (is_other) /* of a global variable */
            for (uint32_t k = 0; k < builder->symmetry->cells[slot].coordinate_count; k++)
                add_coordinate(builder, cell, builder->symmetry->cells[slot].coordinates[k]);
        else if (tree && !parameter->is_reference)
            builder->is_fine &=
                walk_cells(&builder->finder->sorts, tree, binding, see_argument, &walk);
    }
    builder->of_process = cell->coordinates;
    builder->of_process_count = cell->coordinate_count;
    see_symbols(builder, process->template->symbols, process->locals,
                process->template->symbol_count);
    builder->of_process_count = 0;
}

/* ---- families ---- */

static uint32_t find_family(struct symmetry_cell *cells, uint32_t cell) {
    while (cells[cell].family != cell) cell = cells[cell].family = cells[cells[cell].family].family;
    return cell;
}

/* Where an exchange of the first element of a block with another one takes a cell. */
static uint32_t moved_cell(const struct builder *builder, const struct moves *moves,
                           uint32_t cell) {
    const struct network *network = builder->finder->network;
    if (cell >= network->slot_count)
        return network->slot_count + moves->process_of[cell - network->slot_count];
    uint32_t to = builder->cell_at[moves->cell_of[network->slots[cell].address]];
    assert(to != NO_SLOT); /* slots go to slots */
    return to;
}

uint32_t family_place(const struct symmetry *symmetry, const struct symmetry_family *family,
                      const uint32_t *coordinates) {
    uint32_t place = 0;
    for (uint32_t i = 0; i < family->coordinate_count; i++) {
        const struct symmetry_block *block = &symmetry->blocks[family->blocks[i]];
        assert(coordinates[i] - block->first < block->count);
        place = place * block->count + coordinates[i] - block->first;
    }
    return place;
}

static bool make_family(struct builder *builder, struct symmetry_family *family, uint32_t first) {
    struct symmetry *symmetry = builder->symmetry;
    const struct symmetry_cell *cell = &symmetry->cells[first];
    uint64_t size = 1;
    *family = (struct symmetry_family){.coordinate_count = cell->coordinate_count, .first = first};
    for (uint32_t i = 0; i < cell->coordinate_count; i++) {
        family->blocks[i] = symmetry->block_of[cell->coordinates[i]];
        size *= symmetry->blocks[family->blocks[i]].count;
    }
    if (size > MAX_TABLE) return false;
    uint32_t *cells = ARENA_ARRAY(builder->finder->arena, uint32_t, size + 1);
    for (uint32_t i = 0; i < size; i++) cells[i] = NO_SLOT;
    family->cells = cells;
    return true;
}

static bool put_cell(struct symmetry *symmetry, uint32_t index, uint32_t number) {
    struct symmetry_cell *cell = &symmetry->cells[index];
    struct symmetry_family *family = &symmetry->families[number];
    assert(number < symmetry->family_count && family->first <= index);
    cell->family = number;
    if (cell->coordinate_count != family->coordinate_count ||
        cell->naming != symmetry->cells[family->first].naming)
        return false;
    for (uint32_t i = 0; i < cell->coordinate_count; i++)
        if (symmetry->block_of[cell->coordinates[i]] != family->blocks[i]) return false;
    uint32_t *place = (uint32_t *)&family->cells[family_place(symmetry, family, cell->coordinates)];
    if (*place != NO_SLOT) return false;
    *place = index;
    return true;
}

/* Whether the families move cells as the exchange of two elements does. */
static bool moves_alike(const struct builder *builder, const struct moves *moves, uint32_t left,
                        uint32_t right) {
    const struct symmetry *symmetry = builder->symmetry;
    for (uint32_t i = 0; i < symmetry->cell_count; i++)
        if (symmetry_image(symmetry, i, left, right) != moved_cell(builder, moves, i)) return false;
    return true;
}

static bool find_families(struct builder *builder) {
    struct symmetry *symmetry = builder->symmetry;
    struct symmetry_cell *cells = symmetry->cells;
    const struct block_finder *finder = builder->finder;
    for (uint32_t i = 0; i < finder->blocks.count; i++)
        for (uint32_t k = 1; k < finder->blocks.items[i].moves.count; k++)
            for (uint32_t c = 0; c < symmetry->cell_count; c++) {
                uint32_t to = moved_cell(builder, &finder->blocks.items[i].moves.items[k], c);
                cells[find_family(cells, c)].family = find_family(cells, to);
            }
    uint32_t *number = ARENA_ARRAY(finder->arena, uint32_t, symmetry->cell_count + 1);
    uint32_t *roots = ARENA_ARRAY(finder->arena, uint32_t, symmetry->cell_count + 1);
    for (uint32_t c = 0; c < symmetry->cell_count; c++) roots[c] = find_family(cells, c);
    symmetry->families =
        ARENA_ARRAY(finder->arena, struct symmetry_family, symmetry->cell_count + 1);
    for (uint32_t c = 0; c < symmetry->cell_count; c++) {
        if (!number[roots[c]]) {
            if (!make_family(builder, &symmetry->families[symmetry->family_count], c)) return false;
            number[roots[c]] = ++symmetry->family_count;
        }
        if (!put_cell(symmetry, c, number[roots[c]] - 1)) return false;
    }
    for (uint32_t i = 0; i < finder->blocks.count; i++)
        for (uint32_t k = 1; k < finder->blocks.items[i].moves.count; k++)
            if (!moves_alike(builder, &finder->blocks.items[i].moves.items[k],
                             symmetry->blocks[i].first, symmetry->blocks[i].first + k))
                return false;
    return true;
}

/* ---- all ---- */

bool find_coordinates(struct block_finder *finder, struct symmetry *symmetry) {
    const struct network *network = finder->network;
    struct builder builder = {.finder = finder, .symmetry = symmetry, .is_fine = true};
    builder.keys = ARENA_ARRAY(finder->arena, struct element_key, symmetry->element_count + 1);
    assert(finder->blocks.count == symmetry->block_count);
    for (uint32_t i = 0; i < finder->blocks.count; i++)
        for (uint32_t k = 0; k < symmetry->blocks[i].count; k++)
            builder.keys[symmetry->blocks[i].first + k] = (struct element_key){
                finder->blocks.items[i].root, finder->blocks.items[i].elements.items[k]};
    symmetry->cell_count = network->slot_count + network->process_count;
    symmetry->cells = ARENA_ARRAY(finder->arena, struct symmetry_cell, symmetry->cell_count + 1);
    for (uint32_t i = 0; i < symmetry->cell_count; i++) {
        symmetry->cells[i].family = NO_SLOT;
        symmetry->cells[i].naming = NO_ELEMENT;
    }
    builder.cell_at = network->slot_of;
    see_symbols(&builder, network->model->symbols, network->globals, network->model->symbol_count);
    for (uint32_t p = 0; p < network->process_count; p++)
        see_process(&builder, &network->processes[p]);
    for (uint32_t i = 0; i < symmetry->cell_count; i++)
        if (symmetry->cells[i].family == NO_SLOT) symmetry->cells[i].family = i;
    symmetry->namings = builder.namings.items;
    symmetry->naming_count = builder.namings.count;
    return builder.is_fine && find_families(&builder);
}
