/* See settle.h. */
#include "classes/settle.h"

#include "approx/domain.h"

enum slot_fate {
    FATE_KEPT = 1,     /* some run leaves the slot as it is */
    FATE_UNSETTLED = 2 /* some run gives it a value that another one stands for */
};

static const struct class_place *place_behind(const struct settling *settling,
                                              const struct function_part *function, uint32_t slot) {
    return place_of(settling->outcomes->places, slot, function->edge->target);
}

static bool is_normal(const struct class_place *place, int32_t value) {
    return place_normal(place, value) == value;
}

/* Whether all that the slot may hold before the edge is fine behind it. */
static bool is_carried(const struct settling *settling, const struct function_part *function,
                       uint32_t slot) {
    const struct class_place *before =
        place_of(settling->outcomes->places, slot, function->location);
    const struct class_place *behind = place_behind(settling, function, slot);
    if (before == behind) return true;
    if (before->is_one) return is_normal(behind, before->representative);
    uint64_t count = value_set_size(before->values);
    for (uint64_t i = 0; i < count; i++)
        if (!is_normal(behind, place_normal(before, value_set_at(before->values, i)))) return false;
    return true;
}

/* What all runs together do to a slot. */
static unsigned fate_of(const struct settling *settling, const struct function_part *function,
                        uint32_t slot) {
    const struct outcomes *outcomes = settling->outcomes;
    const struct class_place *behind = place_behind(settling, function, slot);
    unsigned fate = 0;
    for (uint32_t i = 0; i < outcomes->runs.count; i++) {
        const struct run *run = &outcomes->runs.items[i];
        bool writes = false;
        for (uint32_t k = 0; k < run->write_count; k++) {
            const struct slot_write *write = &outcomes->writes.items[run->first_write + k];
            if (write->slot != slot) continue;
            writes = true;
            if (!is_normal(behind, write->value)) fate |= FATE_UNSETTLED;
        }
        if (run->kind == OUTCOME_DONE && !writes) fate |= FATE_KEPT;
    }
    return fate;
}

static void settle_slot(struct settling *settling, const struct function_part *function,
                        uint32_t slot, unsigned fate) {
    bool is_settled =
        !(fate & FATE_UNSETTLED) && (!(fate & FATE_KEPT) || is_carried(settling, function, slot));
    if (!is_settled)
        VEC_PUSH(settling->arena, &settling->list, (struct unsettled){function->edge, slot});
}

/* A function whose variables are looked at. */
struct settled_function {
    struct settling *settling;
    const struct function_part *function;
    const struct effects *update;
    bool is_tried, is_run; /* what it does is known */
};

static bool is_run(struct settled_function *settled) {
    struct outcomes *outcomes = settled->settling->outcomes;
    if (!settled->is_tried)
        settled->is_run =
            outcomes_run(outcomes, settled->function, outcomes->analysis->options.budget);
    settled->is_tried = true;
    return settled->is_run;
}

/* Slots that no run writes are left as they are. */
static void settle_cells(struct settled_function *settled, const uint32_t *slots, uint32_t count,
                         bool is_written) {
    struct settling *settling = settled->settling;
    const struct function_part *function = settled->function;
    if (!place_behind(settling, function, slots[0])->group->merged_count) return;
    for (uint32_t k = 0; k < count; k++) {
        if (!place_is_merged(place_behind(settling, function, slots[k]))) continue;
        unsigned fate = !is_written       ? FATE_KEPT
                        : is_run(settled) ? fate_of(settling, function, slots[k])
                                          : FATE_UNSETTLED;
        settle_slot(settling, function, slots[k], fate);
    }
}

static void settle_shared(void *context, const struct binding *binding,
                          const struct effect *effect) {
    struct settled_function *settled = context;
    const struct network *network = settled->settling->outcomes->network;
    const uint32_t *slots = &network->slot_of[binding->address];
    if (effect->writes && slot_is_shared(network, slots[0]))
        settle_cells(settled, slots, binding->shape->cell_count, true);
}

static void settle_locals(struct settled_function *settled) {
    const struct network *network = settled->settling->outcomes->network;
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
}

void settle_function(struct settling *settling, const struct function_part *function) {
    const struct network *network = settling->outcomes->network;
    if (function->kind != FUNCTION_EDGE && function->kind != FUNCTION_UPDATE) return;
    const struct template *template = function->process->template;
    const struct edge_effects *effects =
        &network->edge_effects[template->index][function->edge - template->edges];
    struct settled_function settled = {settling, function, &effects->update, false, false};
    each_variable(network, function->process, &effects->update, settle_shared, &settled);
    settle_locals(&settled);
}
