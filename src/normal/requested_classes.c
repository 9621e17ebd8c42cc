#include "normal/requested_classes.h"

#include "abstract/request/named.h"

#include <assert.h>
#include <string.h>

/* ---- names ---- */

static const char *cell_text(struct arena *arena, const struct live_variable *variable,
                             uint32_t offset) {
    return cell_name(arena, variable_name(arena, variable->template, variable->symbol),
                     variable->symbol->type, variable->shape, offset);
}

/* Whether the name begins with that of the variable, and all of it or a cell of it is meant. */
static bool is_named(struct requested_class *requested, const char *name,
                     const struct live_variable *variable, struct arena *arena) {
    const char *whole = variable_name(arena, variable->template, variable->symbol);
    size_t size = strlen(whole);
    requested->variable = variable;
    requested->offset = EVERY_CELL;
    if (strncmp(name, whole, size) != 0) return false;
    if (!name[size]) return true;
    for (requested->offset = 0; requested->offset < variable->shape->cell_count;
         requested->offset++)
        if (!strcmp(name, cell_text(arena, variable, requested->offset))) return true;
    return false;
}

static bool find_variable(struct requested_class *requested, const struct live *live,
                          const struct text *text, struct arena *arena) {
    const char *name = text->content.data;
    name += *name == '.'; /* a global one, as for removals */
    for (uint32_t i = 0; i < live->variable_count; i++)
        if (is_named(requested, name, &live->variables[i], arena)) return true;
    return false;
}

static const struct template *find_template(const struct requested_class *requested,
                                            const struct model *model) {
    const struct text *name = &requested->exchange->template;
    if (requested->variable->template || !name->begin) return requested->variable->template;
    for (uint32_t t = 0; t < model->template_count; t++)
        if (str_is(name->content, model->templates[t]->symbol->name)) return model->templates[t];
    return NULL;
}

static bool find_location(struct requested_class *requested, const struct model *model) {
    const struct text *location = &requested->exchange->location;
    const struct template *template = find_template(requested, model);
    requested->template = template;
    requested->location = EVERY_LOCATION;
    if (!location->begin) return true;
    for (uint32_t l = 0; template && l < template->location_count; l++)
        if (template->locations[l].name && str_is(location->content, template->locations[l].name)) {
            requested->location = l;
            return true;
        }
    return false;
}

/* Whether there is one such cell, of the same template, or a global one. */
static bool find_key(struct requested_class *requested, const struct live *live,
                     struct arena *arena) {
    struct requested_class key = {.exchange = requested->exchange};
    if (!requested->exchange->key.begin) return true;
    if (!find_variable(&key, live, &requested->exchange->key, arena) ||
        key.variable->template != requested->variable->template)
        return false;
    requested->key = key.variable;
    requested->key_offset = key.offset == EVERY_CELL ? 0 : key.offset;
    return key.offset != EVERY_CELL || key.variable->shape->cell_count == 1;
}

/* False (reported) if there is no such process. */
static bool find_processes(struct requested_class *requested, const struct network *network,
                           struct arena *arena, struct diag *diag) {
    uint32_t count = requested->exchange->processes.count;
    requested->is_in = count ? ARENA_ARRAY(arena, bool, network->process_count + 1) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct text *name = &requested->exchange->processes.items[i];
        uint32_t p = 0;
        while (p < network->process_count &&
               (network->processes[p].template != requested->variable->template ||
                !str_is(name->content, network->processes[p].name)))
            p++;
        if (p == network->process_count)
            return diag_error(diag, STATUS_INVALID, name->begin,
                              "no process '%s' has a variable '%s'", name->content.data,
                              requested->exchange->variable.content.data);
        requested->is_in[p] = true;
    }
    return true;
}

bool requested_classes_read(struct requested_classes *requests, const struct spec *spec,
                            const struct live *live, struct arena *arena, struct diag *diag) {
    bool ok = true;
    requests->are_given = true;
    for (uint32_t i = 0; i < spec->exchanges.count; i++) {
        const struct spec_exchange *exchange = &spec->exchanges.items[i];
        struct requested_class requested = {.exchange = exchange};
        position at = exchange->variable.begin;
        if (!find_variable(&requested, live, &exchange->variable, arena))
            diag_error(diag, STATUS_INVALID, at,
                       "the output has no variable '%s' whose values can be exchanged; write "
                       "Template.name, or name for a global one, and [2] or .f after it for a cell",
                       exchange->variable.content.data);
        else if (!find_location(&requested, live->network->model))
            diag_error(diag, STATUS_INVALID, exchange->location.begin, "%s has no location '%s'",
                       requested.template ? requested.template->symbol->name : "a global variable",
                       exchange->location.content.data);
        else if (!find_key(&requested, live, arena))
            diag_error(diag, STATUS_INVALID, exchange->key.begin,
                       "'%s' is no single cell of the output that goes with '%s': both have to be "
                       "of one template, or global",
                       exchange->key.content.data, exchange->variable.content.data);
        else if (find_processes(&requested, live->network, arena, diag))
            VEC_PUSH(arena, &requests->list, requested);
        ok = ok && requests->list.count == i + 1;
    }
    return ok;
}

/* ---- classes ---- */

static bool is_for(const struct requested_class *requested, const struct symbol *symbol,
                   uint32_t offset) {
    return requested->variable->symbol == symbol &&
           (requested->offset == EVERY_CELL || requested->offset == offset);
}

bool requested_classes_have(const struct requested_classes *requests, const struct symbol *symbol,
                            uint32_t offset) {
    for (uint32_t i = 0; i < requests->list.count; i++)
        if (is_for(&requests->list.items[i], symbol, offset)) return true;
    return false;
}

/* Whether it is for all processes that share the point. */
static bool is_for_owner(const struct requested_class *requested,
                         const struct requested_point *point) {
    const struct network *network = point->network;
    for (uint32_t p = 0; requested->is_in && p < network->process_count; p++)
        if (point->firsts[p] == point->firsts[point->cell->owner->index] && !requested->is_in[p])
            return false;
    return true;
}

bool request_is_partial(const struct requested_class *requested, const struct network *network,
                        const uint32_t *firsts) {
    for (uint32_t p = 0; requested->is_in && p < network->process_count; p++)
        for (uint32_t q = 0; q < network->process_count; q++)
            if (requested->is_in[p] && !requested->is_in[q] && firsts[p] == firsts[q]) return true;
    return false;
}

static bool is_there(const struct requested_class *requested, const struct cell_point *cell) {
    return requested->location == EVERY_LOCATION ||
           (requested->location == cell->location && cell->owner &&
            requested->template == cell->owner->template);
}

/* Whether the key of the point has a value of the request. */
static bool is_while(const struct requested_class *requested, const struct requested_point *point) {
    const struct cell_point *cell = point->cell;
    if (!requested->key) return true;
    if (!cell->key) return false;
    const struct slot *slot = &point->network->slots[cell->key->slot];
    bool has_value = false;
    for (uint32_t i = 0; i < requested->exchange->key_values.count; i++)
        has_value |= requested->exchange->key_values.items[i] == cell->key_value;
    return has_value && slot->symbol == requested->key->symbol &&
           slot->offset == requested->key_offset;
}

const struct requested_class *requested_for(const struct requested_classes *requests,
                                            const struct requested_point *point) {
    const struct cell_point *cell = point->cell;
    for (uint32_t i = 0; i < requests->list.count; i++) {
        const struct requested_class *requested = &requests->list.items[i];
        if (is_for(requested, cell->symbol, cell->offset) && is_there(requested, cell) &&
            is_while(requested, point) && is_for_owner(requested, point))
            return requested;
    }
    return NULL;
}

bool requested_key(const struct requested_classes *requests, const struct network *network,
                   const struct cell_point *cell, uint32_t *key) {
    for (uint32_t i = 0; i < requests->list.count; i++) {
        const struct requested_class *requested = &requests->list.items[i];
        if (!requested->key || !is_for(requested, cell->symbol, cell->offset) ||
            !is_there(requested, cell))
            continue;
        *key = variable_slot(network, cell->owner, requested->key->symbol, requested->key_offset);
        if (*key != NO_SLOT) return true;
    }
    return false;
}

/* Its class, or as many as there are if the value is in none. */
static uint32_t class_of(const struct spec_exchange *exchange, int32_t value) {
    for (uint32_t i = 0; i < exchange->values.count; i++)
        if (exchange->values.items[i].value == value) return exchange->values.items[i].class;
    return exchange->class_count;
}

/* The initial value stands for those of its class, else the least does. */
bool request_begins(const struct requested_class *requested, const struct class_point *point,
                    uint32_t *stands_for) {
    static const struct spec_exchange nothing = {.has_classes = true};
    const struct spec_exchange *exchange = requested ? requested->exchange : &nothing;
    if (!exchange->has_classes || !stands_for) return exchange->has_classes;
    uint32_t count = (uint32_t)value_set_size(point->values);
    uint32_t initial = point_stands_for(point, 0), classes[MOST_PARTED]; /* one class, as yet */
    assert(count <= MOST_PARTED);
    for (uint32_t i = 0; i < count; i++)
        classes[i] = class_of(exchange, value_set_at(point->values, i));
    for (uint32_t i = 0; i < count; i++) {
        bool is_alone = classes[i] == exchange->class_count;
        stands_for[i] = is_alone ? i : classes[i] == classes[initial] ? initial : 0;
        while (classes[stands_for[i]] != classes[i]) stands_for[i]++;
    }
    return true;
}

bool request_is_refused(const struct requested_class *requested, const struct class_point *point) {
    const struct spec_exchange *exchange = requested->exchange;
    if (!exchange->has_classes) return point->is_open && !point->is_one;
    for (uint32_t i = 0; i < exchange->values.count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct spec_value *one = &exchange->values.items[k],
                                    *other = &exchange->values.items[i];
            if (one->class == other->class && value_set_has(point->values, one->value) &&
                value_set_has(point->values, other->value) &&
                point_normal(point, one->value) != point_normal(point, other->value))
                return true;
        }
    return false;
}
