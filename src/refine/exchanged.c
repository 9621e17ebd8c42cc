/* See exchanged.h. */
#include "refine/exchanged.h"

#include <assert.h>
#include <string.h>

struct exchange exchange_of_place(struct arena *arena, const struct normal_place *place) {
    struct exchange exchange = {.variable = place->variable,
                                .template = place->template,
                                .location = place->location,
                                .processes = place->processes.items,
                                .process_count = place->processes.count,
                                .key = place->key,
                                .key_values = place->key_values,
                                .key_count = place->key_count,
                                .is_one = place->is_one,
                                .representative = place->representative};
    assert(place->is_one || place->values); /* of very many values, none goes for another */
    if (place->is_one) return exchange;
    struct exchanged_value *values = ARENA_ARRAY(arena, struct exchanged_value, place->count + 1);
    for (uint32_t i = 0; i < place->count; i++) {
        assert(!i || place->values[i - 1] < place->values[i]);
        values[i] = (struct exchanged_value){place->values[i], place->normal[i]};
    }
    exchange.values = values;
    exchange.count = place->count;
    return exchange;
}

static bool is_same_text(const char *left, const char *right) {
    return left && right ? !strcmp(left, right) : left == right;
}

static bool has_same_processes(const struct normal_place *left, const struct normal_place *right) {
    bool is_same = left->processes.count == right->processes.count;
    for (uint32_t i = 0; i < left->processes.count && is_same; i++)
        is_same = !strcmp(left->processes.items[i], right->processes.items[i]);
    return is_same;
}

/* Of the same variable in the same processes at the same location, while the same key has the same
 * values, or NULL. */
static const struct normal_place *find_place(const struct normal *normal,
                                             const struct normal_place *like) {
    for (uint32_t i = 0; i < normal->places.count; i++) {
        const struct normal_place *place = &normal->places.items[i];
        if (!strcmp(place->variable, like->variable) &&
            is_same_text(place->template, like->template) &&
            is_same_text(place->location, like->location) && has_same_processes(place, like) &&
            normal_has_same_key(place, like))
            return place;
    }
    return NULL;
}

/* Where a place is one class, all values count, found or not. */
static bool absorbs(struct arena *arena, const struct normal_place *first,
                    const struct normal_place *second) {
    if (!second) return false;
    const struct exchange earlier = exchange_of_place(arena, first);
    const struct exchange later = exchange_of_place(arena, second);
    if (later.is_one) return true;
    if (earlier.is_one) return false;
    for (uint32_t i = 0; i < earlier.count; i++)
        if (exchange_value(&later, earlier.values[i].value) !=
            exchange_value(&later, earlier.values[i].normal))
            return false;
    return true;
}

/* "P.x" and "P.x[2]" by the names of its slots. */
static bool has_variable(const struct network *network, const char *variable, struct arena *arena) {
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        const char *name = slot_name(network, slot, arena);
        if (slot->process)
            name = arena_printf(arena, "%s.%s", slot->process->template->symbol->name,
                                name + strlen(slot->process->name) + 1);
        if (!strcmp(name, variable)) return true;
    }
    return false;
}

bool exchange_absorbs(struct arena *arena, const struct normal *first, const struct normal *second,
                      const struct network *network) {
    for (uint32_t i = 0; i < first->places.count; i++) {
        const struct normal_place *place = &first->places.items[i];
        if (!absorbs(arena, place, find_place(second, place)) &&
            has_variable(network, place->variable, arena))
            return false;
    }
    return true;
}
