/* See place.h. */
#include "classes/place.h"

#include "approx/domain.h"

#include <assert.h>

/* Places of the cells of a local variable, which the processes of its template share. */
struct numbered {
    const struct symbol *symbol;
    uint32_t first;
};

struct numbering {
    struct places *places;
    struct analysis *analysis;
    struct arena *arena;
    classes_wanted wanted;
    const void *context;
    struct map numbered; /* by symbol */
};

static uint32_t location_count(const struct template *template) {
    return template->location_count + template->branchpoint_count;
}

static bool may_be_one(const struct network *network, uint32_t slot) {
    const struct slot *own = &network->slots[slot];
    return !own->is_scalar && !own->is_meta &&
           !effects_find(&network->before_update, own->symbol) &&
           !effects_find(&network->after_update, own->symbol);
}

/* The initial value where it can be held, else the least. */
static int32_t representative(const struct class_place *place) {
    bool is_initial =
        value_set_is_empty(place->values) || value_set_has(place->values, place->initial);
    return is_initial ? place->initial : value_set_at(place->values, 0);
}

static bool is_told_apart(const struct class_place *place) {
    return place->is_wanted && place->is_open && !place->is_one;
}

static void init_place(const struct numbering *numbering, struct class_place *place, uint32_t slot,
                       const struct template *template, uint32_t location) {
    const struct network *network = numbering->places->network;
    const struct slot *own = &network->slots[slot];
    place->initial = own->initial;
    place->values = template ? analysis_values(numbering->analysis, template, location, own->symbol,
                                               own->offset, false)
                             : &numbering->analysis->shared[slot];
    place->is_open = value_set_size(place->values) > 1;
    place->is_wanted =
        numbering->wanted(numbering->context, template, location, own->symbol, own->offset);
    place->is_one =
        place->is_wanted && may_be_one(network, slot) && numbering->analysis->is_tracked[slot];
    place->representative = representative(place);
    assert(!place->is_one || !place->is_open ||
           value_set_has(place->values, place->representative));
    numbering->places->apart_count += is_told_apart(place);
}

static void number_local(struct numbering *numbering, uint32_t slot) {
    struct places *places = numbering->places;
    const struct slot *own = &places->network->slots[slot];
    const struct template *template = own->process->template;
    struct numbered *numbered = map_get(&numbering->numbered, map_key(own->symbol));
    if (!numbered) {
        uint32_t cells = own->process->locals[own->symbol->index].shape->cell_count;
        numbered = ARENA_NEW(numbering->arena, struct numbered);
        *numbered = (struct numbered){own->symbol, places->count};
        places->count += cells * location_count(template);
        map_put(&numbering->numbered, map_key(own->symbol), numbered);
    }
    assert(own->offset < own->process->locals[own->symbol->index].shape->cell_count);
    places->first_of[slot] = numbered->first + own->offset * location_count(template);
}

static void number_slots(struct numbering *numbering) {
    struct places *places = numbering->places;
    for (uint32_t slot = 0; slot < places->network->slot_count; slot++) {
        if (slot_is_shared(places->network, slot))
            places->first_of[slot] = places->count++;
        else
            number_local(numbering, slot);
    }
}

void places_init(struct places *places, struct arena *arena, struct analysis *analysis,
                 classes_wanted wanted, const void *context) {
    const struct network *network = analysis->network;
    struct numbering numbering = {.places = places,
                                  .analysis = analysis,
                                  .arena = arena,
                                  .wanted = wanted,
                                  .context = context};
    *places = (struct places){.network = network, .clock = 1};
    places->first_of = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    map_init(&numbering.numbered, arena);
    number_slots(&numbering);
    places->list = ARENA_ARRAY(arena, struct class_place, places->count + 1);
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        struct class_place *first = &places->list[places->first_of[slot]];
        if (first->values) continue; /* another process has it too */
        bool is_shared = slot_is_shared(network, slot);
        const struct template *template = is_shared ? NULL : network->slots[slot].process->template;
        for (uint32_t l = 0; l < (is_shared ? 1 : location_count(template)); l++)
            init_place(&numbering, &first[l], slot, template, l);
    }
}

struct class_place *place_of(const struct places *places, uint32_t slot, uint32_t location) {
    bool is_shared = slot_is_shared(places->network, slot);
    assert(slot < places->network->slot_count);
    assert(is_shared || location < location_count(places->network->slots[slot].process->template));
    return &places->list[places->first_of[slot] + (is_shared ? 0 : location)];
}

void place_tell_apart(struct places *places, struct class_place *place) {
    assert(place->is_one);
    place->is_one = false;
    places->apart_count += is_told_apart(place);
    place->changed_at = ++places->clock;
    assert(places->apart_count <= places->count);
}
