#include "abstract/claim/lost_at.h"

#include <assert.h>
#include <string.h>

bool agent_sees_location(const struct agent *agent, const struct process *process) {
    for (uint32_t i = 0; i < agent->items.count; i++)
        if (agent->items.items[i].kind == OBSERVED_LOCATION &&
            agent->items.items[i].process == process)
            return true;
    return false;
}

/* Whether a variable may have several values in states with its process there that look the same. */
static bool varies_at(const struct abstraction *abstraction, const struct slot *slot,
                      uint32_t location) {
    const struct template *template = slot->process->template;
    const struct removal *removal = removed_ever(abstraction->request, slot->symbol);
    assert(removal && removal->is_removed[slot->offset]); /* or it was not lost */
    if (removal->scope && !removal->scope[location]) return false;
    const struct value_set *values = analysis_values(abstraction->analysis, template, location,
                                                     slot->symbol, slot->offset, false);
    return value_set_is_empty(values) || values->lower != values->upper;
}

static bool is_lost_at(const struct abstraction *abstraction, const struct observed_item *item,
                       uint32_t location) {
    if (item->kind == OBSERVED_GUARD) return location == item->edge->source;
    return varies_at(abstraction, &abstraction->network->slots[item->slot], location);
}

/* Whether an item is a variable that has one value in all states. */
static bool is_constant(const struct abstraction *abstraction, const struct observed_item *item) {
    int32_t lower, upper;
    return item->kind == OBSERVED_SLOT && !abstraction->classes &&
           analysis_slot_range(abstraction->analysis, item->slot, &lower, &upper) && lower == upper;
}

/* The process whose location says whether an item counts; NULL: it counts everywhere. */
static const struct process *owner_of(const struct abstraction *abstraction,
                                      const struct observed_item *item) {
    if (abstraction->classes) return NULL; /* some values stand for others */
    if (item->kind == OBSERVED_GUARD) return item->process;
    if (item->kind != OBSERVED_SLOT) return NULL;
    const struct slot *slot = &abstraction->network->slots[item->slot];
    return removed_ever(abstraction->request, slot->symbol) ? slot->process : NULL;
}

static void add_place(struct arena *arena, struct lost_places *places,
                      const struct process *process, uint32_t location) {
    const char *name = process->template->locations[location].name;
    const char *text = arena_printf(arena, "%s.%s", process->name, name);
    for (uint32_t i = 0; i < places->list.count; i++)
        if (!strcmp(places->list.items[i], text)) return;
    VEC_PUSH(arena, &places->list, text);
}

void lost_at_add(const struct abstraction *abstraction, struct lost_places *places,
                 const struct agent *agent, const struct observed_item *item) {
    if (is_constant(abstraction, item)) return;
    const struct process *owner = owner_of(abstraction, item);
    if (!owner || !agent_sees_location(agent, owner)) {
        places->is_everywhere = true;
        return;
    }
    const struct template *template = owner->template;
    for (uint32_t i = 0; i < template->location_count; i++) {
        if (!analysis_reaches(abstraction->analysis, template, i) ||
            !is_lost_at(abstraction, item, i))
            continue;
        places->is_everywhere |= !template->locations[i].symbol; /* it has no name */
        add_place(abstraction->arena, places, owner, i);
    }
}
