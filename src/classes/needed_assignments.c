#include "classes/needed_assignments.h"

#include "approx/labels/domain.h"
#include "approx/labels/relevance.h"
#include "classes/carried_values.h"

#include <assert.h>

enum slot_fate {
    FATE_KEPT = 1,     /* some run leaves the slot as it is */
    FATE_EXCHANGED = 2 /* some run gives it a value that another one stands for */
};

static const struct class_point *after_of(const struct needed_assignments *needed,
                                          const struct function_part *function, uint32_t slot) {
    const struct points *points = needed->runs->points;
    return point_of(points, slot, point_after(points, function, slot));
}

static bool is_normal(const struct class_point *point, int32_t value) {
    return point_normal(point, value) == value;
}

/* Whether a sender leaves the exchange of what it hands over to its receivers. */
static bool is_handed_on(const struct points *points, uint32_t slot, uint32_t transit) {
    return transit && !point_refines(point_of(points, slot, 0), point_of(points, slot, transit));
}

/* Whether every value that a point has, or every representative of it, is one in another point.
 * Where that has classes, it has few values; where it is one class, the second value decides. */
static bool are_normal(const struct class_point *before, const struct class_point *after,
                       bool is_exchanged) {
    if (is_exchanged && before->is_one) return is_normal(after, before->representative);
    const struct value_set *values = after->is_one ? before->values : after->values;
    uint64_t count = point_is_merged(after) ? value_set_size(values) : 0;
    for (uint64_t i = 0; i < count; i++) {
        int32_t value = value_set_at(values, i);
        if (!is_normal(after, value) && value_set_has(before->values, value) &&
            (!is_exchanged || is_normal(before, value)))
            return false;
    }
    return true;
}

/* Whether every value that the slot may hold before the edge is a representative after it. Values
 * in transit have not been exchanged yet. */
static bool is_carried(const struct needed_assignments *needed,
                       const struct function_part *function, uint32_t slot) {
    const struct points *points = needed->runs->points;
    if (tracker_locations(points, function, slot) || receivers_overwrite(points, function, slot))
        return true; /* the tracker sees to it, or the foreign process does */
    uint32_t number = point_carried(points, function, slot);
    const struct class_point *before = point_of(points, slot, number);
    const struct class_point *after = after_of(needed, function, slot);
    bool is_in_transit = !points_owner(points, slot) && is_handed_on(points, slot, number);
    if (is_in_transit) return are_normal(before, after, false);
    return !points_owner(points, slot) || before == after || are_normal(before, after, true);
}

/* The fates of a slot in all runs together. */
static unsigned fate_of(const struct needed_assignments *needed,
                        const struct function_part *function, uint32_t slot) {
    const struct function_runs *runs = needed->runs;
    const struct class_point *after = after_of(needed, function, slot);
    unsigned fate = 0;
    assert(runs->function == function);
    for (uint32_t i = 0; i < runs->list.count; i++) {
        const struct run *run = &runs->list.items[i];
        const struct slot_write *write = run_write(runs, run, slot);
        if (write && !is_normal(after, write->value)) fate |= FATE_EXCHANGED;
        if (run->kind == OUTCOME_DONE && !write) fate |= FATE_KEPT;
    }
    return fate;
}

static struct needed_assignment *add_needed(struct needed_assignments *needed,
                                            const struct edge *edge,
                                            const struct class_point *point) {
    struct needed_assignment *assignment = ARENA_NEW(needed->arena, struct needed_assignment);
    assert(point_is_merged(point)); /* else each value is its own representative */
    *assignment = (struct needed_assignment){.point = point,
                                             .next = map_get(&needed->by_edge, map_key(edge))};
    map_put(&needed->by_edge, map_key(edge), assignment);
    return assignment;
}

/* A function whose variables are looked at. */
struct update_look {
    struct needed_assignments *needed;
    const struct function_part *function;
    const struct effects *update;
    bool is_tried, is_run;          /* what it does is known */
    bool reads_exchanged;           /* over; while it is looked for */
    struct function_part readiness; /* of a receiver */
};

static bool is_run(struct update_look *look) {
    struct function_runs *runs = look->needed->runs;
    if (!look->is_tried)
        look->is_run = function_runs_find(runs, look->function, runs->analysis->options.budget);
    look->is_tried = true;
    return look->is_run;
}

/* Runs the guard, alone where the update is a function of its own. */
static bool run_guard_of(struct update_look *look) {
    struct function_runs *runs = look->needed->runs;
    if (look->function->kind == FUNCTION_EDGE) return is_run(look);
    if (!function_receives(look->function)) return false;
    look->readiness = *look->function;
    look->readiness.kind = FUNCTION_READINESS;
    look->is_tried = false;
    return function_runs_find(runs, &look->readiness, runs->analysis->options.budget);
}

/* Whether each value of a local variable that lets the guard hold is a representative after the
 * edge, if the update leaves it as it is. */
static bool is_kept_by_guard(struct update_look *look, uint32_t slot) {
    const struct function_part *function = look->function;
    const struct function_runs *runs = look->needed->runs;
    const struct points *points = runs->points;
    const struct class_point *before =
        point_of(points, slot, point_carried(points, function, slot));
    const struct class_point *after = after_of(look->needed, function, slot);
    if (slot_is_shared(points->network, slot) || before->is_one || !run_guard_of(look))
        return false;
    assert(runs->function->edge == function->edge);
    for (uint32_t i = 0; i < runs->list.count; i++) {
        const struct run *run = &runs->list.items[i];
        uint32_t index;
        if (run->kind != OUTCOME_DONE || run_write(runs, run, slot)) continue;
        if (!run_reads(runs, run, points->network->slots[slot].address, &index)) return false;
        int32_t value = value_set_at(before->values, index);
        if (is_normal(before, value) && !is_normal(after, value)) return false;
    }
    return true;
}

/* Whether a value that is read may have been exchanged before. */
static void look_at_read(void *context, const struct binding *binding,
                         const struct effect *effect) {
    struct update_look *look = context;
    const struct points *points = look->needed->runs->points;
    uint32_t slot = points->network->slot_of[binding->address];
    if (!effect->reads) return;
    assert(slot != NO_SLOT && look->function->edge);
    const struct value_set *locations = tracker_locations(points, look->function, slot);
    uint64_t count = locations ? value_set_size(locations) : 1;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t number = locations ? (uint32_t)value_set_at(locations, i)
                                    : point_before(points, look->function, slot);
        look->reads_exchanged |= points_at(points, slot, number)->group->open_count > 0;
    }
}

/* Whether the update is sure to write what the value analysis says, although some values were
 * exchanged before: else it may write any value to a slot that can hold one only. */
static bool is_as_analysed(struct update_look *look) {
    const struct points *points = look->needed->runs->points;
    look->reads_exchanged = look->function->kind != FUNCTION_EDGE || points->keys;
    each_variable(points->network, look->function->process, look->update, look_at_read, look);
    return !look->reads_exchanged;
}

static void look_at_slot(struct update_look *look, uint32_t slot, unsigned fate) {
    struct needed_assignments *needed = look->needed;
    const struct function_part *function = look->function;
    bool is_fine =
        !(fate & FATE_EXCHANGED) &&
        (!(fate & FATE_KEPT) || is_carried(needed, function, slot) || is_kept_by_guard(look, slot));
    if (!is_fine) add_needed(needed, function->edge, after_of(needed, function, slot));
}

/* Slots that no run writes are left as they are. */
static void look_at_cells(struct update_look *look, const uint32_t *slots, uint32_t count,
                          bool is_written) {
    struct needed_assignments *needed = look->needed;
    const struct function_part *function = look->function;
    const struct points *points = needed->runs->points;
    uint32_t number = point_after(points, function, slots[0]);
    assert(count && slots[0] != NO_SLOT);
    if (!points_at(points, slots[0], number)->group->merged_count) return;
    for (uint32_t k = 0; k < count; k++) {
        if (points->keys && points->keys->of[slots[k]]) continue; /* see look_at_keyed */
        if (!point_is_merged(after_of(needed, function, slots[k])) ||
            is_handed_on(points, slots[k], transit_after(points, function, slots[k])))
            continue;
        const struct class_point *after = after_of(needed, function, slots[k]);
        unsigned fate = !is_written    ? FATE_KEPT
                        : is_run(look) ? fate_of(needed, function, slots[k])
                        : !after->is_open && is_as_analysed(look) ? FATE_KEPT
                                                                  : FATE_EXCHANGED;
        look_at_slot(look, slots[k], fate);
    }
}

static void look_at_shared(void *context, const struct binding *binding,
                           const struct effect *effect) {
    struct update_look *look = context;
    const uint32_t *slots = &look->needed->runs->network->slot_of[binding->address];
    const struct points *points = look->needed->runs->points;
    if (effect->writes &&
        (!points_owner(points, slots[0]) || tracker_locations(points, look->function, slots[0])))
        look_at_cells(look, slots, binding->shape->cell_count, true);
}

/* Variables of the process itself, or owned by it. */
static void look_at_own(struct update_look *look) {
    const struct points *points = look->needed->runs->points;
    const struct network *network = points->network;
    const struct process *process = look->function->process;
    for (uint32_t i = 0; i < process->template->symbol_count; i++) {
        const struct symbol *symbol = process->template->symbols[i];
        const struct binding *binding = &process->locals[i];
        if (!binding->shape || symbol->is_reference) continue;
        const uint32_t *slots = &network->slot_of[binding->address];
        if (slots[0] != NO_SLOT && !slot_is_shared(network, slots[0]))
            look_at_cells(look, slots, binding->shape->cell_count,
                          effects_writes(look->update, symbol));
    }
    uint32_t slot = points->owners->first_at[process->index];
    for (; slot != NO_SLOT; slot = points->owners->list[slot].next)
        look_at_cells(look, &network->slot_of[network->slots[slot].address],
                      points->owners->list[slot].cell_count,
                      effects_writes(look->update, network->slots[slot].symbol));
}

/* Variables in transit that a sender may have left to this receiver. */
static void look_at_transits(struct update_look *look) {
    const struct function_part *function = look->function;
    const struct points *points = look->needed->runs->points;
    const struct network *network = points->network;
    if (!function_receives(function)) return;
    for (const struct transit *transit = transits_of_edge(points->owners, function->edge); transit;
         transit = transit->next_in_group)
        if (!effects_writes(look->update, network->slots[transit->slot].symbol))
            look_at_cells(look, &network->slot_of[network->slots[transit->slot].address],
                          transit->cell_count, false);
}

/* ---- keyed slots ---- */

/* Notes what the selects have in a run; is_first: no other run has been noted. */
static void note_selects(const struct needed_assignments *needed, struct select_use *selects,
                         const struct run *run, bool is_first) {
    const struct function_runs *runs = needed->runs;
    uint32_t count = runs->function->edge->select_count, index;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_set *values = &runs->selects[i];
        bool is_read = run_reads(runs, run, runs->network->cell_count + i, &index);
        int32_t value = is_read ? value_set_at(values, index) : 0;
        bool is_only = is_read && (is_first || (selects[i].is_only && selects[i].value == value));
        selects[i] = (struct select_use){is_only, value};
    }
}

static bool look_at_passage(void *context, struct key_passage passage) {
    struct update_look *look = context;
    struct needed_assignments *needed = look->needed;
    const struct edge *edge = look->function->edge;
    struct needed_assignment *known = map_get(&needed->by_edge, map_key(edge));
    assert(needed->runs->function == look->function);
    if (passage.write
            ? is_normal(passage.after, passage.write->value)
            : passage.before == passage.after || are_normal(passage.before, passage.after, true))
        return true;
    while (known && known->point != passage.after) known = known->next;
    bool is_first = !known;
    if (is_first) {
        known = add_needed(needed, edge, passage.after);
        known->selects = ARENA_ARRAY(needed->arena, struct select_use, edge->select_count + 1);
    }
    if (known->selects) note_selects(needed, known->selects, passage.run, is_first);
    return false;
}

static void look_at_keyed(void *context, uint32_t slot) {
    struct update_look *look = context;
    const struct function_runs *runs = look->needed->runs;
    const struct points *points = runs->points;
    const struct function_part *function = look->function;
    uint32_t after = point_after(points, function, slot);
    if (!points_at(points, slot, after)->group->merged_count) return;
    if (is_run(look)) {
        each_passage(runs, slot, look_at_passage, look);
        return;
    }
    for (uint32_t i = 0; i < points_at_count(points, slot, after); i++) {
        const struct class_point *point = point_at(points, slot, after, i);
        if (point_is_merged(point)) add_needed(look->needed, function->edge, point);
    }
}

void needed_add_function(struct needed_assignments *needed, const struct function_part *function) {
    assert(needed->runs && needed->runs->points->owners);
    const struct network *network = needed->runs->network;
    if (!function_has_update(function)) return;
    const struct template *template = function->process->template;
    const struct edge_labels *effects = labels_of_edge(network, template, function->edge);
    struct update_look look = {needed, function, &effects->update_effects, .is_tried = false};
    each_variable(network, function->process, &effects->update_effects, look_at_shared, &look);
    look_at_own(&look);
    look_at_transits(&look);
    each_keyed(needed->runs->points, function, look_at_keyed, &look);
}
