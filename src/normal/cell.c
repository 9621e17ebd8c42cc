/* See normal_internal.h: cells of variables, and the processes that have points of their own. */
#include "normal/normal_internal.h"

#include <assert.h>

uint32_t normal_number(const struct live *live, const struct live_variable *variable) {
    assert(variable >= live->variables && variable < live->variables + live->variable_count);
    return (uint32_t)(variable - live->variables);
}

const uint32_t *normal_firsts(const struct normaliser *normaliser, const struct symbol *symbol) {
    const struct live_variable *variable = live_find(normaliser->live, symbol);
    bool is_common = !variable || normaliser->is_common[normal_number(normaliser->live, variable)];
    return is_common ? normaliser->sharing->of_template : normaliser->sharing->of_arguments;
}

bool normal_is_reached(const struct normaliser *normaliser, const struct symbol *symbol,
                       const struct process *owner, uint32_t location) {
    const struct network *network = normaliser->session.network;
    const uint32_t *firsts = normal_firsts(normaliser, symbol);
    for (uint32_t p = owner->index; p < network->process_count; p++)
        if (firsts[p] == owner->index &&
            normaliser->analysis->processes[p].locations[location].is_reached)
            return true;
    return false;
}

void normal_find_owners(struct normaliser *normaliser) {
    const struct network *network = normaliser->session.network;
    struct arena *arena = &normaliser->session.arena;
    normaliser->sharing = sharing_find(arena, network);
    normaliser->owners =
        ARENA_ARRAY(arena, struct point_owners, network->model->template_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        struct point_owners *own = &normaliser->owners[network->processes[p].template->index];
        if (normaliser->sharing->of_arguments[p] == p) own->items[own->count++] = p;
        assert(own->count && own->count <= MOST_SHARERS);
    }
}

/* Its slot in a process of its template; NO_SLOT if the process has no such cell. */
static uint32_t slot_of(const struct normaliser *normaliser, const struct live_variable *variable,
                        const struct process *process, uint32_t offset) {
    return variable_slot(normaliser->session.network, process, variable->symbol, offset);
}

void normal_range(const struct normaliser *normaliser, const struct cell_at *cell,
                  const struct process *owner, int32_t *lower, int32_t *upper) {
    const struct network *network = normaliser->session.network;
    const uint32_t *firsts = normal_firsts(normaliser, cell->variable->symbol);
    assert(owner || !cell->variable->template);
    const struct slot *own =
        &network->slots[slot_of(normaliser, cell->variable, owner, cell->offset)];
    *lower = own->lower;
    *upper = own->upper;
    for (uint32_t p = owner ? owner->index : network->process_count; p < network->process_count;
         p++) {
        if (firsts[p] != owner->index) continue;
        uint32_t slot = slot_of(normaliser, cell->variable, &network->processes[p], cell->offset);
        if (slot == NO_SLOT) continue;
        if (network->slots[slot].lower < *lower) *lower = network->slots[slot].lower;
        if (network->slots[slot].upper > *upper) *upper = network->slots[slot].upper;
    }
}

uint32_t normal_owner_count(const struct normaliser *normaliser,
                            const struct live_variable *variable) {
    if (!variable->template) return 1;
    uint32_t count = normaliser->owners[variable->template->index].count;
    bool is_apart = !normaliser->is_common[normal_number(normaliser->live, variable)];
    return is_apart || !count ? count : 1;
}

const struct process *normal_owner(const struct normaliser *normaliser,
                                   const struct live_variable *variable, uint32_t number) {
    assert(number < normal_owner_count(normaliser, variable));
    if (!variable->template) return NULL;
    const struct point_owners *owners = &normaliser->owners[variable->template->index];
    return &normaliser->session.network->processes[owners->items[number]];
}

const struct process *normal_global_owner(const struct normaliser *normaliser,
                                          const struct live_variable *variable) {
    uint32_t slot = slot_of(normaliser, variable, NULL, 0);
    return slot == NO_SLOT ? NULL : classes_owner(normaliser->classes, slot);
}

const struct template *normal_template(const struct normaliser *normaliser,
                                       const struct live_variable *variable) {
    if (variable->template) return variable->template;
    const struct process *owner = normal_global_owner(normaliser, variable);
    return owner ? owner->template : NULL;
}

uint32_t normal_point_count(const struct normaliser *normaliser,
                            const struct live_variable *variable) {
    const struct template *template = normal_template(normaliser, variable);
    return template ? template->location_count : 1;
}

uint32_t normal_location_after(const struct normaliser *normaliser, const struct template *template,
                               const struct edge *edge, const struct live_variable *variable) {
    uint32_t slot = slot_of(normaliser, variable, NULL, 0);
    return slot == NO_SLOT ? edge->target
                           : classes_location_after(normaliser->classes, template, edge, slot);
}

const struct class_point *normal_any_point(const struct normaliser *normaliser,
                                           const struct cell_at *cell,
                                           const struct process *owner) {
    assert(cell->offset < cell->variable->shape->cell_count);
    const struct classes *classes = normaliser->classes;
    uint32_t slot = slot_of(normaliser, cell->variable, owner, cell->offset);
    if (slot == NO_SLOT || (classes_key(classes, slot, cell->location) &&
                            !classes_key_has(classes, slot, cell->location, cell->index)))
        return NULL;
    return classes_point(classes, slot, cell->location, cell->index);
}

const struct point_key *normal_key(const struct normaliser *normaliser, const struct cell_at *cell,
                                   const struct process *owner) {
    uint32_t slot = slot_of(normaliser, cell->variable, owner, cell->offset);
    return slot == NO_SLOT ? NULL : classes_key(normaliser->classes, slot, cell->location);
}

const struct class_point *normal_point_in(const struct normaliser *normaliser,
                                          const struct cell_at *cell, const struct process *owner) {
    const struct class_point *point = normal_any_point(normaliser, cell, owner);
    uint32_t number = normal_number(normaliser->live, cell->variable);
    bool is_written = cell->offset < MOST_CELLS && normaliser->is_written[number][cell->offset];
    return point && point_is_merged(point) && is_written ? point : NULL;
}

const char *normal_cell_name(struct arena *arena, const struct cell_at *cell) {
    const struct live_variable *variable = cell->variable;
    const struct symbol *symbol = variable->symbol;
    return cell_name(arena, symbol->name, symbol->type, variable->shape, cell->offset);
}

const char *normal_slot_name(const struct normaliser *normaliser, uint32_t slot) {
    const struct network *network = normaliser->session.network;
    const struct slot *own = &network->slots[slot];
    return cell_name(normaliser->arena, own->symbol->name, own->symbol->type,
                     variable_binding(network, own->process, own->symbol)->shape, own->offset);
}
