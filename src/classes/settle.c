/* See settle.h. */
#include "classes/settle.h"

#include "approx/labels/domain.h"
#include "approx/labels/relevance.h"
#include "classes/crossing.h"

enum slot_fate {
    FATE_KEPT = 1,     /* some run leaves the slot as it is */
    FATE_UNSETTLED = 2 /* some run gives it a value that another one stands for */
};

static const struct class_point *behind_of(const struct settling *settling,
                                           const struct function_part *function, uint32_t slot) {
    const struct points *points = settling->outcomes->points;
    return point_of(points, slot, point_behind(points, function, slot));
}

static bool is_normal(const struct class_point *point, int32_t value) {
    return point_normal(point, value) == value;
}

/* Whether a sender leaves the exchange of what it hands over to its receivers. */
static bool is_handed_on(const struct points *points, uint32_t slot, uint32_t transit) {
    return transit && !point_refines(point_of(points, slot, 0), point_of(points, slot, transit));
}

/* Whether all that the slot may hold in one point is fine in another. */
static bool is_kept_normal(const struct class_point *before, const struct class_point *behind) {
    if (before == behind) return true;
    if (before->is_one) return is_normal(behind, before->representative);
    uint64_t count = value_set_size(before->values);
    for (uint64_t i = 0; i < count; i++)
        if (!is_normal(behind, point_normal(before, value_set_at(before->values, i)))) return false;
    return true;
}

/* Whether all that the slot may hold before the edge is fine behind it. What comes in transit has
 * not been exchanged. */
static bool is_carried(const struct settling *settling, const struct function_part *function,
                       uint32_t slot) {
    const struct points *points = settling->outcomes->points;
    if (tracker_locations(points, function, slot) || receivers_overwrite(points, function, slot))
        return true; /* the tracker sees to it, or the foreign process does */
    uint32_t number = point_carried(points, function, slot);
    const struct class_point *before = point_of(points, slot, number);
    const struct class_point *behind = behind_of(settling, function, slot);
    bool is_in_transit = !points_owner(points, slot) && is_handed_on(points, slot, number);
    if (!is_in_transit) return !points_owner(points, slot) || is_kept_normal(before, behind);
    uint64_t count = value_set_size(before->values);
    for (uint64_t i = 0; i < count; i++)
        if (!is_normal(behind, value_set_at(before->values, i))) return false;
    return true;
}

/* What all runs together do to a slot. */
static unsigned fate_of(const struct settling *settling, const struct function_part *function,
                        uint32_t slot) {
    const struct outcomes *outcomes = settling->outcomes;
    const struct class_point *behind = behind_of(settling, function, slot);
    unsigned fate = 0;
    for (uint32_t i = 0; i < outcomes->runs.count; i++) {
        const struct run *run = &outcomes->runs.items[i];
        const struct slot_write *write = run_write(outcomes, run, slot);
        if (write && !is_normal(behind, write->value)) fate |= FATE_UNSETTLED;
        if (run->kind == OUTCOME_DONE && !write) fate |= FATE_KEPT;
    }
    return fate;
}

static struct unsettled *add_unsettled(struct settling *settling, const struct edge *edge,
                                       const struct class_point *point) {
    struct unsettled *unsettled = ARENA_NEW(settling->arena, struct unsettled);
    *unsettled = (struct unsettled){
        .edge = edge, .point = point, .next = map_get(&settling->by_edge, map_key(edge))};
    map_put(&settling->by_edge, map_key(edge), unsettled);
    return unsettled;
}

/* A function whose variables are looked at. */
struct settled_function {
    struct settling *settling;
    const struct function_part *function;
    const struct effects *update;
    bool is_tried, is_run;          /* what it does is known */
    struct function_part readiness; /* of a receiver */
};

static bool is_run(struct settled_function *settled) {
    struct outcomes *outcomes = settled->settling->outcomes;
    if (!settled->is_tried)
        settled->is_run =
            outcomes_run(outcomes, settled->function, outcomes->analysis->options.budget);
    settled->is_tried = true;
    return settled->is_run;
}

/* Runs the guard, alone where the update is a function of its own. */
static bool run_guard_of(struct settled_function *settled) {
    struct outcomes *outcomes = settled->settling->outcomes;
    if (settled->function->kind == FUNCTION_EDGE) return is_run(settled);
    if (!function_receives(settled->function)) return false;
    settled->readiness = *settled->function;
    settled->readiness.kind = FUNCTION_READINESS;
    settled->is_tried = false;
    return outcomes_run(outcomes, &settled->readiness, outcomes->analysis->options.budget);
}

/* Whether what guards let pass of a variable of the process itself is fine behind the edge, where it
 * is left as it is. */
static bool is_kept_by_guard(struct settled_function *settled, uint32_t slot) {
    const struct function_part *function = settled->function;
    const struct outcomes *outcomes = settled->settling->outcomes;
    const struct places *places = outcomes->places;
    const struct class_place *before =
        place_of(places, slot, place_carried(places, function, slot));
    const struct class_place *behind = behind_of(settled->settling, function, slot);
    if (slot_is_shared(places->network, slot) || before->is_one || !run_guard_of(settled))
        return false;
    for (uint32_t i = 0; i < outcomes->runs.count; i++) {
        const struct run *run = &outcomes->runs.items[i];
        uint32_t index;
        if (run->kind != OUTCOME_DONE || run_write(outcomes, run, slot)) continue;
        if (!run_reads(outcomes, run, places->network->slots[slot].address, &index)) return false;
        int32_t value = value_set_at(before->values, index);
        if (is_normal(before, value) && !is_normal(behind, value)) return false;
    }
    return true;
}

static void settle_slot(struct settled_function *settled, uint32_t slot, unsigned fate) {
    struct settling *settling = settled->settling;
    const struct function_part *function = settled->function;
    bool is_settled =
        !(fate & FATE_UNSETTLED) && (!(fate & FATE_KEPT) || is_carried(settling, function, slot) ||
                                     is_kept_by_guard(settled, slot));
    if (!is_settled) add_unsettled(settling, function->edge, behind_of(settling, function, slot));
}

/* Slots that no run writes are left as they are. */
static void settle_cells(struct settled_function *settled, const uint32_t *slots, uint32_t count,
                         bool is_written) {
    struct settling *settling = settled->settling;
    const struct function_part *function = settled->function;
    const struct points *points = settling->outcomes->points;
    uint32_t number = point_behind(points, function, slots[0]);
    if (!points_at(points, slots[0], number)->group->merged_count) return;
    for (uint32_t k = 0; k < count; k++) {
        if (points->keys && points->keys->of[slots[k]]) continue; /* see settle_keyed */
        if (!point_is_merged(behind_of(settling, function, slots[k])) ||
            is_handed_on(points, slots[k], transit_behind(points, function, slots[k])))
            continue;
        unsigned fate = !is_written       ? FATE_KEPT
                        : is_run(settled) ? fate_of(settling, function, slots[k])
                                          : FATE_UNSETTLED;
        settle_slot(settled, slots[k], fate);
    }
}

static void settle_shared(void *context, const struct binding *binding,
                          const struct effect *effect) {
    struct settled_function *settled = context;
    const struct network *network = settled->settling->outcomes->network;
    const uint32_t *slots = &network->slot_of[binding->address];
    const struct points *points = settled->settling->outcomes->points;
    if (effect->writes &&
        (!points_owner(points, slots[0]) || tracker_locations(points, settled->function, slots[0])))
        settle_cells(settled, slots, binding->shape->cell_count, true);
}

/* Variables of the process itself, or owned by it. */
static void settle_own(struct settled_function *settled) {
    const struct points *points = settled->settling->outcomes->points;
    const struct network *network = points->network;
    const struct process *process = settled->function->process;
    for (uint32_t i = 0; i < process->template->symbol_count; i++) {
        const struct symbol *symbol = process->template->symbols[i];
        const struct binding *binding = &process->locals[i];
        if (!binding->shape || symbol->is_reference) continue;
        const uint32_t *slots = &network->slot_of[binding->address];
        if (slots[0] != NO_SLOT && !slot_is_shared(network, slots[0]))
            settle_cells(settled, slots, binding->shape->cell_count,
                         effects_writes(settled->update, symbol));
    }
    uint32_t slot = points->owners->first_at[process->index];
    for (; slot != NO_SLOT; slot = points->owners->list[slot].next)
        settle_cells(settled, &network->slot_of[network->slots[slot].address],
                     points->owners->list[slot].cell_count,
                     effects_writes(settled->update, network->slots[slot].symbol));
}

/* What a sender on the channel may have left to a receiver. */
static void settle_transits(struct settled_function *settled) {
    const struct function_part *function = settled->function;
    const struct points *points = settled->settling->outcomes->points;
    const struct network *network = points->network;
    if (!function_receives(function)) return;
    for (const struct transit *transit = transits_of_edge(points->owners, function->edge); transit;
         transit = transit->next_in_group)
        if (!effects_writes(settled->update, network->slots[transit->slot].symbol))
            settle_cells(settled, &network->slot_of[network->slots[transit->slot].address],
                         transit->cell_count, false);
}

/* ---- keyed slots ---- */

/* Notes what the selects have in a run; is_first: no other run has been noted. */
static void note_selects(const struct settling *settling, struct select_use *selects,
                         const struct run *run, bool is_first) {
    const struct outcomes *outcomes = settling->outcomes;
    uint32_t count = outcomes->function->edge->select_count, index;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_set *values = &outcomes->selects[i];
        bool is_read = run_reads(outcomes, run, outcomes->network->cell_count + i, &index);
        int32_t value = is_read ? value_set_at(values, index) : 0;
        bool is_only = is_read && (is_first || (selects[i].is_only && selects[i].value == value));
        selects[i] = (struct select_use){is_only, value, (uint32_t)value_set_size(values)};
    }
}

static void settle_passage(void *context, struct key_passage passage) {
    struct settled_function *settled = context;
    struct settling *settling = settled->settling;
    const struct edge *edge = settled->function->edge;
    struct unsettled *known = map_get(&settling->by_edge, map_key(edge));
    if (passage.write ? is_normal(passage.behind, passage.write->value)
                      : is_kept_normal(passage.before, passage.behind))
        return;
    while (known && known->point != passage.behind) known = known->next;
    bool is_first = !known;
    if (is_first) {
        known = add_unsettled(settling, edge, passage.behind);
        known->selects = ARENA_ARRAY(settling->arena, struct select_use, edge->select_count + 1);
    }
    if (known->selects) note_selects(settling, known->selects, passage.run, is_first);
}

static void settle_keyed(void *context, uint32_t slot) {
    struct settled_function *settled = context;
    const struct outcomes *outcomes = settled->settling->outcomes;
    const struct points *points = outcomes->points;
    const struct function_part *function = settled->function;
    uint32_t behind = point_behind(points, function, slot);
    if (!points_at(points, slot, behind)->group->merged_count) return;
    if (is_run(settled)) {
        each_passage(outcomes, slot, settle_passage, settled);
        return;
    }
    for (uint32_t i = 0; i < points_at_count(points, slot, behind); i++) {
        const struct class_point *point = point_at(points, slot, behind, i);
        if (point_is_merged(point)) add_unsettled(settled->settling, function->edge, point);
    }
}

void settle_function(struct settling *settling, const struct function_part *function) {
    const struct network *network = settling->outcomes->network;
    if (!function_has_update(function)) return;
    const struct template *template = function->process->template;
    const struct edge_labels *effects = labels_of_edge(network, template, function->edge);
    struct settled_function settled = {settling, function, &effects->update_effects,
                                       .is_tried = false};
    each_variable(network, function->process, &effects->update_effects, settle_shared, &settled);
    settle_own(&settled);
    settle_transits(&settled);
    each_keyed(settling->outcomes->points, function, settle_keyed, &settled);
}
