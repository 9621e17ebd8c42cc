/* What an update does not write keeps its value. From a point whose classes have changed it goes
 * back at once to all points that lead there, so that a long way through a template takes one walk,
 * not one round of all functions for each of its edges. */
#include "classes/solve_internal.h"

#include "approx/labels/domain.h"
#include "approx/labels/relevance.h"

#include <assert.h>

static void note_write(void *context, const struct binding *binding, const struct effect *effect) {
    struct class_solver *solver = context;
    const struct network *network = solver->network;
    uint32_t slot = network->slot_of[binding->address]; /* a reference may be to any cell */
    assert(slot != NO_SLOT);
    if (effect->writes) solver->may_write[slot - network->slots[slot].offset] = solver->write_stamp;
}

static const struct effects *update_effects(const struct class_solver *solver,
                                            const struct function_part *function) {
    return &labels_of_edge(solver->network, function->process->template, function->edge)
                ->update_effects;
}

static void note_writes(struct class_solver *solver, const struct function_part *function) {
    solver->write_stamp++;
    each_variable(solver->network, function->process, update_effects(solver, function), note_write,
                  solver);
}

bool may_be_written(const void *context, uint32_t slot) {
    const struct class_solver *solver = context;
    return solver->may_write[slot - solver->network->slots[slot].offset] == solver->write_stamp;
}

void carry(struct class_solver *solver, struct carried_value carried) {
    point_refine(solver->points, carried.before, carried.after);
}

/* ---- what is not written ---- */

void carried_begin(struct class_solver *solver) {
    const struct model *model = solver->network->model;
    struct arena *arena = &solver->arena;
    solver->may_write = ARENA_ARRAY(arena, uint32_t, solver->network->slot_count + 1);
    solver->into = ARENA_ARRAY(arena, const struct carrier **, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        solver->into[t] = ARENA_ARRAY(arena, const struct carrier *,
                                      model->templates[t]->location_count +
                                          model->templates[t]->branchpoint_count);
    for (uint32_t i = 0; i < solver->functions.count; i++) {
        const struct function_part *function = &solver->functions.items[i];
        if (!function_has_update(function)) continue;
        struct carrier *carrier = ARENA_NEW(arena, struct carrier);
        const struct carrier **into =
            &solver->into[function->process->template->index][function->edge->target];
        *carrier = (struct carrier){*function, *into};
        *into = carrier;
    }
    solver->points->notes_changes = true;
}

static void carry_unwritten(void *context, struct carried_value carried) {
    if (!may_be_written(context, carried.slot)) carry(context, carried);
}

/* The first slot of the same variable in another process of its template, if they share its points;
 * else NO_SLOT. */
static uint32_t shared_slot(const struct points *points, uint32_t slot,
                            const struct process *process) {
    const struct network *network = points->network;
    const struct slot *own = &network->slots[slot];
    if (slot_is_shared(network, slot)) return slot;
    const struct binding *binding = &process->locals[own->symbol->index];
    if (!binding->shape || !binding->shape->cell_count) return NO_SLOT;
    uint32_t other = network->slot_of[binding->address];
    return points->first_of[other] == points->first_of[slot] ? other : NO_SLOT;
}

/* Back from the points of one variable that have changed. */
static void carry_group(struct class_solver *solver, const struct point_group *group) {
    const struct points *points = solver->points;
    const struct process *owner = points_owner(points, group->slot);
    if (!owner) return; /* the same point before and after, or transits */
    const struct carrier *carrier = solver->into[owner->template->index][group->number];
    for (; carrier; carrier = carrier->next) {
        const struct function_part *function = &carrier->function;
        uint32_t slot = shared_slot(points, group->slot, function->process);
        if (slot == NO_SLOT) continue;
        note_writes(solver, function);
        if (!may_be_written(solver, slot))
            each_carried_cell(points, function, slot, carry_unwritten, solver);
    }
}

void carry_changed(struct class_solver *solver) {
    struct points *points = solver->points;
    while (points->changed.count) {
        struct point_group *group = points->changed.items[--points->changed.count];
        assert(group->is_noted);
        group->is_noted = false;
        carry_group(solver, group);
    }
}

void carry_all(struct class_solver *solver) {
    for (uint32_t i = 0; i < solver->functions.count; i++) {
        const struct function_part *function = &solver->functions.items[i];
        if (!function_has_update(function)) continue;
        note_writes(solver, function);
        each_carried_own(solver->points, function, carry_unwritten, solver);
    }
    carry_changed(solver);
}

/* ---- what may be written ---- */

struct written_look {
    struct class_solver *solver;
    const struct function_part *function;
    carried_found found;
};

static void look_at_written(void *context, const struct binding *binding,
                            const struct effect *effect) {
    const struct written_look *look = context;
    const struct points *points = look->solver->points;
    uint32_t slot = points->network->slot_of[binding->address];
    slot -= points->network->slots[slot].offset;
    if (effect->writes && points_owner(points, slot) == look->function->process)
        each_carried_cell(points, look->function, slot, look->found, look->solver);
}

void find_carried_values(struct class_solver *solver, const struct function_part *function,
                         carried_found found) {
    struct written_look look = {solver, function, found};
    if (!function_has_update(function)) return;
    note_writes(solver, function);
    each_variable(solver->network, function->process, update_effects(solver, function),
                  look_at_written, &look);
    each_carried_other(solver->points, function, may_be_written, found, solver);
}
