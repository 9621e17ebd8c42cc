/* See place.h. */
#include "classes/place.h"

#include "approx/labels/domain.h"

#include <assert.h>
#include <string.h>

/* Places of the cells of a local variable, in the processes that share them. */
struct numbered {
    const struct symbol *symbol;
    uint32_t first, first_group;
};

struct numbering {
    struct places *places;
    struct analysis *analysis;
    struct arena *arena;
    const struct place_sharing *sharing;
    classes_wanted wanted;
    classes_common common;
    const void *context;
    struct map numbered; /* by binding in the first process that shares the places */
    uint32_t *group_of;  /* by slot: its group; of a local one, that at the first location */
    uint32_t group_count;
    struct place_group *groups;
    int32_t lower, upper; /* of the slot that is looked at, in all processes of the template */
    int32_t initial;      /* likewise, in the first */
};

static uint32_t location_count(const struct template *template) {
    return template->location_count + template->branchpoint_count;
}

bool place_may_be_one(const struct network *network, uint32_t slot) {
    const struct slot *own = &network->slots[slot];
    return !own->is_scalar && !own->is_meta &&
           !effects_find(&network->before_update, own->symbol) &&
           !effects_find(&network->after_update, own->symbol);
}

/* By process, the first that shares the places of a local variable. */
static const uint32_t *firsts_of(const struct numbering *numbering, const struct symbol *symbol) {
    bool is_common = !numbering->common || numbering->common(numbering->context, symbol);
    return is_common ? numbering->sharing->of_template : numbering->sharing->of_arguments;
}

/* Finds what the slot can hold in every process that has it. */
static void find_range(struct numbering *numbering, uint32_t slot) {
    const struct network *network = numbering->places->network;
    const struct slot *own = &network->slots[slot];
    numbering->lower = own->lower;
    numbering->upper = own->upper;
    numbering->initial = own->initial;
    bool is_first = true;
    for (uint32_t p = 0; !slot_is_shared(network, slot) && p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct binding *binding = &process->locals[own->symbol->index];
        if (process->template != own->process->template ||
            own->offset >= binding->shape->cell_count)
            continue;
        const struct slot *other =
            &network->slots[network->slot_of[binding->address + own->offset]];
        if (other->lower > numbering->lower) numbering->lower = other->lower;
        if (other->upper < numbering->upper) numbering->upper = other->upper;
        if (is_first) numbering->initial = other->initial;
        is_first = false;
    }
}

static bool fits(const struct numbering *numbering, int32_t value) {
    return value >= numbering->lower && value <= numbering->upper;
}

/* The initial value where it can be held, else the least that fits, of the first. */
static int32_t representative(const struct numbering *numbering, const struct class_place *place) {
    const struct value_set *values = place->values;
    uint64_t count = value_set_size(values);
    if (!count || (value_set_has(values, place->initial) && fits(numbering, place->initial)))
        return place->initial;
    for (uint64_t i = 0; i < count && i < MOST_PARTED; i++)
        if (fits(numbering, value_set_at(values, i))) return value_set_at(values, i);
    return value_set_at(values, 0);
}

static bool is_told_apart(const struct class_place *place) {
    return place->is_wanted && place->is_open && !place->is_one;
}

/* A cell counts once, however many places its key tells apart. */
static void init_group(struct place_group *group, const struct class_place *place, bool is_first) {
    group->merged_count += place_is_merged(place);
    group->open_count += place_is_merged(place) && place->is_open;
    if (place->is_open && is_first) group->combinations *= (double)value_set_size(place->values);
}

/* The template is that of the process that tells the places apart, by location. */
static void init_place(const struct numbering *numbering, struct class_place *place, uint32_t slot,
                       const struct template *template, uint32_t location, bool is_first) {
    const struct network *network = numbering->places->network;
    const struct slot *own = &network->slots[slot];
    bool is_begin = template && location == template->initial;
    place->initial = is_begin ? own->initial : numbering->initial;
    place->values = slot_is_shared(network, slot)
                        ? &numbering->analysis->shared[slot]
                        : analysis_values(numbering->analysis, template, location, own->symbol,
                                          own->offset, false);
    place->is_open = value_set_size(place->values) > 1;
    place->is_wanted =
        numbering->wanted(numbering->context, template, location, own->symbol, own->offset);
    place->is_one = place->is_wanted && place_may_be_one(network, slot) &&
                    numbering->analysis->is_tracked[slot];
    place->representative = representative(numbering, place);
    place->is_one &= !place->is_open || fits(numbering, place->representative);
    assert(!place->is_one || !place->is_open ||
           value_set_has(place->values, place->representative));
    numbering->places->apart_count += is_told_apart(place);
    place->group = &numbering->groups[numbering->group_of[slot] + location];
    init_group(place->group, place, is_first);
}

/* Of a local variable in the processes that share its places, as sizes of arrays may differ. */
static uint32_t most_cells(const struct network *network, const struct slot *own,
                           const uint32_t *firsts) {
    uint32_t most = 0;
    for (uint32_t p = 0; p < network->process_count; p++) {
        if (firsts[p] != firsts[own->process->index]) continue;
        uint32_t count = network->processes[p].locals[own->symbol->index].shape->cell_count;
        if (count > most) most = count;
    }
    return most;
}

/* Places of one number. */
static uint32_t stride_of(const struct places *places, uint32_t slot) {
    return places->keys ? places->keys->strides[slot] : 1;
}

static void number_local(struct numbering *numbering, uint32_t slot) {
    struct places *places = numbering->places;
    const struct slot *own = &places->network->slots[slot];
    const struct template *template = own->process->template;
    const uint32_t *firsts = firsts_of(numbering, own->symbol);
    const struct process *first = &places->network->processes[firsts[own->process->index]];
    const struct binding *binding = &first->locals[own->symbol->index];
    struct numbered *numbered = map_get(&numbering->numbered, map_key(binding));
    uint32_t count = location_count(template) * stride_of(places, slot);
    if (!numbered) {
        uint32_t cells = most_cells(places->network, own, firsts);
        numbered = ARENA_NEW(numbering->arena, struct numbered);
        *numbered = (struct numbered){own->symbol, places->count, numbering->group_count};
        places->count += cells * count;
        numbering->group_count += location_count(template);
        map_put(&numbering->numbered, map_key(binding), numbered);
    }
    assert(own->offset < own->process->locals[own->symbol->index].shape->cell_count);
    places->first_of[slot] = numbered->first + own->offset * count;
    numbering->group_of[slot] = numbered->first_group;
}

static void number_shared(struct numbering *numbering, uint32_t slot) {
    const struct slot *slots = numbering->places->network->slots;
    bool goes_on = slot && slots[slot - 1].symbol == slots[slot].symbol &&
                   slots[slot - 1].process == slots[slot].process;
    uint32_t count = places_count_of(numbering->places, slot);
    numbering->places->first_of[slot] = numbering->places->count;
    numbering->places->count += count * stride_of(numbering->places, slot);
    numbering->group_of[slot] = goes_on ? numbering->group_of[slot - 1] : numbering->group_count;
    if (!goes_on) numbering->group_count += count;
}

static void number_slots(struct numbering *numbering) {
    struct places *places = numbering->places;
    uint32_t count = places->network->slot_count;
    numbering->group_of = ARENA_ARRAY(numbering->arena, uint32_t, count + 1);
    for (uint32_t slot = 0; slot < count; slot++) {
        if (slot_is_shared(places->network, slot))
            number_shared(numbering, slot);
        else
            number_local(numbering, slot);
    }
    places->list = ARENA_ARRAY(numbering->arena, struct class_place, places->count + 1);
    numbering->groups =
        ARENA_ARRAY(numbering->arena, struct place_group, numbering->group_count + 1);
    for (uint32_t i = 0; i < numbering->group_count; i++) numbering->groups[i].combinations = 1;
}

/* The key of a keyed slot, where it counts. */
static void tell_key_apart(struct places *places, uint32_t slot) {
    for (uint32_t n = 0; n < places_count_of(places, slot); n++) {
        const struct place_key *key = place_key(places, slot, n);
        struct class_place *place = key ? place_of(places, key->slot, n) : NULL;
        if (place && place_is_merged(place)) place_tell_apart(places, place);
    }
}

/* Every place is one class of all its values, but those that the context wants apart. */
void places_init(struct places *places, struct arena *arena, struct analysis *analysis,
                 const struct owners *owners, const struct place_keys *keys, classes_wanted wanted,
                 classes_common common, const void *context) {
    const struct network *network = analysis->network;
    struct numbering numbering = {.places = places,
                                  .analysis = analysis,
                                  .arena = arena,
                                  .sharing = sharing_find(arena, network),
                                  .wanted = wanted,
                                  .common = common,
                                  .context = context};
    *places = (struct places){
        .network = network, .owners = owners, .keys = keys, .clock = 1, .arena = arena};
    places->first_of = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    map_init(&numbering.numbered, arena);
    number_slots(&numbering);
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        if (places_at(places, slot, 0)->values) continue; /* another process has it too */
        const struct process *owner = places_owner(places, slot);
        find_range(&numbering, slot);
        for (uint32_t n = 0; n < places_count_of(places, slot); n++)
            for (uint32_t k = 0; k < places_at_count(places, slot, n); k++)
                init_place(&numbering, place_at(places, slot, n, k), slot,
                           owner ? owner->template : NULL, n, !k);
    }
    for (uint32_t i = 0; keys && i < keys->keyed_count; i++) tell_key_apart(places, keys->keyed[i]);
}

/* The owner of a shared slot, with its places in transit; NULL for a local one. */
static const struct variable_owner *owner_of(const struct places *places, uint32_t slot) {
    const struct network *network = places->network;
    if (!places->owners || !slot_is_shared(network, slot)) return NULL;
    return &places->owners->list[slot - network->slots[slot].offset];
}

const struct process *places_owner(const struct places *places, uint32_t slot) {
    const struct variable_owner *owner = owner_of(places, slot);
    if (owner) return owner->process;
    return slot_is_shared(places->network, slot) ? NULL : places->network->slots[slot].process;
}

uint32_t places_count_of(const struct places *places, uint32_t slot) {
    const struct process *owner = places_owner(places, slot);
    const struct variable_owner *variable = owner_of(places, slot);
    return owner ? location_count(owner->template) : 1 + (variable ? variable->transit_count : 0);
}

const struct place_key *place_key(const struct places *places, uint32_t slot, uint32_t number) {
    const struct place_key *key = places->keys ? places->keys->of[slot] : NULL;
    return key && key->counts_at[number] ? key : NULL;
}

uint32_t places_at_count(const struct places *places, uint32_t slot, uint32_t number) {
    const struct place_key *key = place_key(places, slot, number);
    return key ? key->count : 1;
}

struct class_place *place_at(const struct places *places, uint32_t slot, uint32_t number,
                             uint32_t index) {
    assert(slot < places->network->slot_count && number < places_count_of(places, slot));
    assert(index < places_at_count(places, slot, number));
    return &places->list[places->first_of[slot] + number * stride_of(places, slot) + index];
}

struct class_place *place_of(const struct places *places, uint32_t slot, uint32_t number) {
    assert(!place_key(places, slot, number));
    return place_at(places, slot, number, 0);
}

struct class_place *place_while(const struct places *places, uint32_t slot, uint32_t number,
                                int32_t value) {
    const struct place_key *key = place_key(places, slot, number);
    uint32_t index = key ? key_index(key, value) : 0;
    return key && index == key->count ? NULL : place_at(places, slot, number, index);
}

uint32_t place_in_transit(const struct places *places, uint32_t slot, const struct edge *edge) {
    const struct variable_owner *owner = owner_of(places, slot);
    const struct transit *transit = owner ? transit_on(owner, places->owners, edge) : NULL;
    return transit ? 1 + transit->number : 0;
}

static void change(struct places *places, struct class_place *place, uint32_t *stands_for) {
    assert(place_is_merged(place));
    struct place_group *group = place->group;
    bool was_one = place->is_one;
    place->is_one = false;
    place->stands_for = stands_for;
    if (was_one) places->apart_count += is_told_apart(place);
    assert(group->merged_count && group->open_count >= place->is_open);
    group->merged_count -= !place_is_merged(place);
    group->open_count -= !place_is_merged(place) && place->is_open;
    group->changed_at = ++places->clock;
    assert(places->apart_count <= places->count);
}

void place_tell_apart(struct places *places, struct class_place *place) {
    change(places, place, NULL);
}

void place_split(struct places *places, struct class_place *place, const uint32_t *stands_for) {
    uint32_t count = (uint32_t)value_set_size(place->values);
    bool is_merged = false;
    for (uint32_t i = 0; i < count; i++) {
        assert(stands_for[i] < count && stands_for[stands_for[i]] == stands_for[i]);
        is_merged |= stands_for[i] != i;
    }
    uint32_t *copy = ARENA_ARRAY(places->arena, uint32_t, count + 1);
    memcpy(copy, stands_for, count * sizeof *copy);
    change(places, place, is_merged ? copy : NULL);
}

/* Index of a value of the set. */
static uint32_t value_index(const struct value_set *values, int32_t value) {
    uint64_t low = 0, high = value_set_size(values);
    assert(value_set_has(values, value));
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (value_set_at(values, middle) <= value)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

uint32_t place_stands_for(const struct class_place *place, uint32_t index) {
    if (place->is_one) return value_index(place->values, place->representative);
    return place->stands_for ? place->stands_for[index] : index;
}

int32_t place_normal(const struct class_place *place, int32_t value) {
    if (place->is_one) return place->representative;
    if (!place->stands_for || !value_set_has(place->values, value)) return value;
    return value_set_at(place->values, place->stands_for[value_index(place->values, value)]);
}

static bool is_alike(const struct class_place *place, int32_t left, int32_t right) {
    return place_normal(place, left) == place_normal(place, right);
}

bool place_refines(const struct class_place *before, const struct class_place *behind) {
    if (behind->is_one || !place_is_merged(before)) return true;
    uint32_t count = (uint32_t)value_set_size(before->values);
    for (uint32_t i = 0; i < count; i++)
        if (!is_alike(behind, value_set_at(before->values, i),
                      value_set_at(before->values, place_stands_for(before, i))))
            return false;
    return true;
}

/* The value that is to stand for one of these: that which did, or the first that has the same one
 * before and is like it behind. */
static uint32_t refined(const struct class_place *before, const struct class_place *behind,
                        const uint32_t *stands_for, uint32_t index) {
    int32_t value = value_set_at(before->values, index);
    uint32_t old = place_stands_for(before, index);
    if (is_alike(behind, value, value_set_at(before->values, old))) return old;
    for (uint32_t k = 0; k < index; k++)
        if (stands_for[k] == k && k != old && place_stands_for(before, k) == old &&
            is_alike(behind, value, value_set_at(before->values, k)))
            return k;
    return index;
}

/* Splits classes of the place before until it refines; at most, into single values. */
void place_refine(struct places *places, struct class_place *before,
                  const struct class_place *behind) {
    uint32_t stands_for[MOST_PARTED];
    uint64_t count = value_set_size(before->values);
    if (place_refines(before, behind)) return;
    if (!places->has_parts || count > MOST_PARTED) {
        place_tell_apart(places, before);
        return;
    }
    for (uint32_t i = 0; i < count; i++) stands_for[i] = refined(before, behind, stands_for, i);
    place_split(places, before, stands_for);
}

/* All places of a slot, one after the other. */
struct place_walk {
    uint32_t slot, number, index; /* of the place given last; index: from 1 */
};

static struct class_place *next_place(const struct places *places, struct place_walk *walk) {
    if (walk->index == places_at_count(places, walk->slot, walk->number)) {
        walk->index = 0;
        walk->number++;
    }
    if (walk->number == places_count_of(places, walk->slot)) return NULL;
    return place_at(places, walk->slot, walk->number, walk->index++);
}

void places_begin(struct places *places, classes_begun begun, const void *context) {
    const struct network *network = places->network;
    uint32_t stands_for[MOST_PARTED];
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        const struct slot *own = &network->slots[slot];
        const struct process *owner = places_owner(places, slot);
        struct place_walk walk = {.slot = slot};
        for (struct class_place *place; (place = next_place(places, &walk));) {
            bool is_large = value_set_size(place->values) > MOST_PARTED;
            struct cell_place cell = {.owner = owner,
                                      .location = walk.number,
                                      .symbol = own->symbol,
                                      .offset = own->offset,
                                      .key = place_key(places, slot, walk.number),
                                      .place = place};
            if (cell.key) cell.key_value = cell.key->values[walk.index - 1];
            if (!place->is_one || !place->is_open ||
                !begun(context, &cell, is_large ? NULL : stands_for))
                continue;
            if (is_large)
                place_tell_apart(places, place);
            else
                place_split(places, place, stands_for);
        }
    }
}

/* Splits the class of a value, which does not stand for itself, so that it does. */
static void keep_value(struct places *places, struct class_place *place, int32_t value) {
    uint32_t stands_for[MOST_PARTED];
    uint64_t count = value_set_size(place->values);
    if (count > MOST_PARTED || !value_set_has(place->values, value)) {
        place_tell_apart(places, place);
        return;
    }
    for (uint32_t i = 0; i < count; i++) stands_for[i] = place_stands_for(place, i);
    uint32_t kept = value_index(place->values, value);
    stands_for[kept] = kept;
    place_split(places, place, stands_for);
}

/* What a value stands for has to fit into the slot: where it does not, each stands for itself. */
static void keep_range(struct places *places, struct class_place *place, const struct slot *own) {
    uint32_t stands_for[MOST_PARTED];
    uint64_t count = value_set_size(place->values);
    bool fits = true;
    if (place->is_one)
        fits = place->representative >= own->lower && place->representative <= own->upper;
    if (!fits || count > MOST_PARTED) {
        if (!fits) place_tell_apart(places, place);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        int32_t value = value_set_at(place->values, i), normal = place_normal(place, value);
        bool is_inside = value >= own->lower && value <= own->upper && normal >= own->lower &&
                         normal <= own->upper;
        fits &= is_inside || value == normal;
        stands_for[i] = is_inside ? place_stands_for(place, i) : i;
    }
    if (!fits) place_split(places, place, stands_for);
}

void places_keep_ranges(struct places *places) {
    const struct network *network = places->network;
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        const struct slot *own = &network->slots[slot];
        struct place_walk walk = {.slot = slot};
        if (slot_is_shared(network, slot)) continue;
        for (struct class_place *place; (place = next_place(places, &walk));)
            if (place_is_merged(place)) keep_range(places, place, own);
    }
}

void places_keep_initial(struct places *places) {
    const struct network *network = places->network;
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        const struct slot *own = &network->slots[slot];
        if (slot_is_shared(network, slot)) continue;
        uint32_t initial = own->process->template->initial;
        for (uint32_t k = 0; k < places_at_count(places, slot, initial); k++) {
            struct class_place *place = place_at(places, slot, initial, k);
            if (place_is_merged(place) && place_normal(place, own->initial) != own->initial)
                keep_value(places, place, own->initial);
        }
    }
}

void places_tell_apart(struct places *places, uint32_t slot, uint32_t number) {
    for (uint32_t i = 0; i < places_at_count(places, slot, number); i++) {
        struct class_place *place = place_at(places, slot, number, i);
        if (place_is_merged(place)) place_tell_apart(places, place);
    }
}
