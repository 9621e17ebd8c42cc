#include "refine/exchanged.h"

#include <assert.h>
#include <string.h>

struct exchange exchange_of_point(struct arena *arena, const struct normal_point *point) {
    struct exchange exchange = {.variable = point->variable,
                                .template = point->template,
                                .location = point->location,
                                .processes = point->processes.items,
                                .process_count = point->processes.count,
                                .key = point->key,
                                .key_values = point->key_values,
                                .key_count = point->key_count,
                                .is_one = point->is_one,
                                .representative = point->representative};
    assert(point->is_one || point->values); /* of very many values, none goes for another */
    if (point->is_one) return exchange;
    struct exchanged_value *values = ARENA_ARRAY(arena, struct exchanged_value, point->count + 1);
    for (uint32_t i = 0; i < point->count; i++) {
        assert(!i || point->values[i - 1] < point->values[i]);
        values[i] = (struct exchanged_value){point->values[i], point->normal[i]};
    }
    exchange.values = values;
    exchange.count = point->count;
    return exchange;
}

static bool is_same_text(const char *left, const char *right) {
    return left && right ? !strcmp(left, right) : left == right;
}

static bool has_same_processes(const struct normal_point *left, const struct normal_point *right) {
    bool is_same = left->processes.count == right->processes.count;
    for (uint32_t i = 0; i < left->processes.count && is_same; i++)
        is_same = !strcmp(left->processes.items[i], right->processes.items[i]);
    return is_same;
}

/* Of the same variable in the same processes at the same location, while the same key has the same
 * values, or NULL. */
static const struct normal_point *find_point(const struct normal *normal,
                                             const struct normal_point *like) {
    for (uint32_t i = 0; i < normal->points.count; i++) {
        const struct normal_point *point = &normal->points.items[i];
        if (!strcmp(point->variable, like->variable) &&
            is_same_text(point->template, like->template) &&
            is_same_text(point->location, like->location) && has_same_processes(point, like) &&
            normal_has_same_key(point, like))
            return point;
    }
    return NULL;
}

/* Where a point is one class, all values count, found or not. */
static bool absorbs(struct arena *arena, const struct normal_point *first,
                    const struct normal_point *second) {
    if (!second) return false;
    const struct exchange earlier = exchange_of_point(arena, first);
    const struct exchange later = exchange_of_point(arena, second);
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
    for (uint32_t i = 0; i < first->points.count; i++) {
        const struct normal_point *point = &first->points.items[i];
        if (!absorbs(arena, point, find_point(second, point)) &&
            has_variable(network, point->variable, arena))
            return false;
    }
    return true;
}
