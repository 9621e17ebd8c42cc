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

struct writes_to {
    uint32_t slot;
    bool is_found;
};

static void note_write(void *context, uint32_t slot, const struct effect *effect) {
    struct writes_to *writes = context;
    writes->is_found |= effect->writes && slot == writes->slot;
}

static bool may_write(const struct network *network, const struct function_part *function,
                      uint32_t slot) {
    const struct template *template = function->process->template;
    const struct edge_effects *effects =
        &network->edge_effects[template->index][function->edge - template->edges];
    struct writes_to writes = {.slot = slot};
    each_slot(network, function->process, &effects->update, note_write, &writes);
    return writes.is_found;
}

static void settle_slot(struct settling *settling, const struct function_part *function,
                        uint32_t slot, bool is_run) {
    const struct network *network = settling->outcomes->network;
    if (!place_is_merged(place_behind(settling, function, slot))) return;
    bool is_written = may_write(network, function, slot);
    unsigned fate = !is_written ? FATE_KEPT
                    : is_run    ? fate_of(settling, function, slot)
                                : FATE_UNSETTLED;
    bool is_settled =
        !(fate & FATE_UNSETTLED) && (!(fate & FATE_KEPT) || is_carried(settling, function, slot));
    if (!is_settled)
        VEC_PUSH(settling->arena, &settling->list, (struct unsettled){function->edge, slot});
}

void settle_function(struct settling *settling, const struct function_part *function) {
    struct outcomes *outcomes = settling->outcomes;
    const struct network *network = outcomes->network;
    if (function->kind != FUNCTION_EDGE && function->kind != FUNCTION_UPDATE) return;
    bool is_run = outcomes_run(outcomes, function, outcomes->analysis->options.budget);
    for (uint32_t slot = 0; slot < network->slot_count; slot++)
        if (slot_is_shared(network, slot) || network->slots[slot].process == function->process)
            settle_slot(settling, function, slot, is_run);
}
