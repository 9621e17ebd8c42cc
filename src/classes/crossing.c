/* See crossing.h. */
#include "classes/crossing.h"

#include "approx/domain.h"

struct crossing_search {
    const struct places *places;
    const struct function_part *function;
    crossing_found found;
    void *context;
};

/* The cells of a variable, from its first slot on, from one of its places to another. */
static void look_at(const struct crossing_search *search, uint32_t first, uint32_t count,
                    uint32_t before, uint32_t behind) {
    const struct network *network = search->places->network;
    const uint32_t *slots = &network->slot_of[network->slots[first].address];
    if (!place_of(search->places, first, before)->group->open_count) return;
    for (uint32_t k = 0; k < count; k++) {
        struct crossing crossing = {slots[k], place_of(search->places, slots[k], before),
                                    place_of(search->places, slots[k], behind)};
        if (crossing.before->is_open && !place_refines(crossing.before, crossing.behind))
            search->found(search->context, crossing);
    }
}

/* Variables of the process itself, or at home there, while it moves. */
static void look_at_process(const struct crossing_search *search) {
    const struct network *network = search->places->network;
    const struct homes *homes = search->places->homes;
    const struct process *process = search->function->process;
    uint32_t before = search->function->location, behind = search->function->edge->target;
    if (before == behind) return;
    for (uint32_t i = 0; i < process->template->symbol_count; i++) {
        const struct binding *binding = &process->locals[i];
        uint32_t slot = binding->shape ? network->slot_of[binding->address] : NO_SLOT;
        if (slot != NO_SLOT && !slot_is_shared(network, slot))
            look_at(search, slot, binding->shape->cell_count, before, behind);
    }
    uint32_t slot = homes ? homes->first_at[process->index] : NO_SLOT;
    for (; slot != NO_SLOT; slot = homes->list[slot].next)
        if (!guest_overwrites(search->places, search->function, slot))
            look_at(search, slot, homes->list[slot].cell_count, before, behind);
}

/* What a receiver finds in hand is what was there before, if its sender has left that as it is. */
static void look_at_hands(const struct crossing_search *search) {
    const struct homes *homes = search->places->homes;
    const struct function_part *function = search->function;
    if (!homes || !function_sends(function)) return;
    for (const struct hand *hand = hands_of_edge(homes, function->edge); hand;
         hand = hand->next_in_party)
        look_at(search, hand->slot, hand->cell_count, 0, 1 + hand->number);
}

void each_crossing(const struct places *places, const struct function_part *function,
                   crossing_found found, void *context) {
    struct crossing_search search = {places, function, found, context};
    look_at_process(&search);
    look_at_hands(&search);
}
