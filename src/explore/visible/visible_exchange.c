#include "explore/visible/visible_exchange.h"

#include <assert.h>
#include <string.h>

static bool is_in(const struct exchange *exchange, const struct process *process) {
    for (uint32_t i = 0; i < exchange->process_count; i++)
        if (!strcmp(exchange->processes[i], process->name)) return true;
    return !exchange->process_count;
}

/* Whether Template.cell, or cell, says a slot, of which the name is given. */
static bool is_said(const char *rest, const struct slot *slot, const char *name) {
    if (slot->process) {
        const char *owner = slot->process->template->symbol->name;
        size_t size = strlen(owner);
        if (strncmp(rest, owner, size) != 0 || rest[size] != '.') return false;
        rest += size + 1;
    }
    return !strcmp(rest, visible_local_name(slot, name));
}

/* Whether the exchange is about a slot of the abstract model. */
static bool is_about(const struct exchange *exchange, const struct slot *slot, const char *name) {
    if (slot->process ? !exchange->location : !exchange->location != !exchange->template)
        return false;
    return (!slot->process || is_in(exchange, slot->process)) &&
           is_said(exchange->variable, slot, name);
}

/* The slots of the key of an exchange that is about a slot of the process, or a global one, in both
 * models. False if one of them has none. */
static bool find_key(const struct visible *visible, const struct exchange *exchange,
                     const struct process *process, uint32_t *key) {
    assert(exchange->key);
    const struct network *concrete = visible->networks[SIDE_CONCRETE];
    const struct network *abstract = visible->networks[SIDE_ABSTRACT];
    char **names = visible->names[SIDE_ABSTRACT];
    uint32_t *own = &key[SIDE_ABSTRACT], *other = &key[SIDE_CONCRETE];
    for (*own = 0; *own < abstract->slot_count; ++*own)
        if (abstract->slots[*own].process == process &&
            is_said(exchange->key, &abstract->slots[*own], names[*own]))
            break;
    for (*other = 0; *own < abstract->slot_count && *other < concrete->slot_count; ++*other)
        if (!strcmp(visible->names[SIDE_CONCRETE][*other], names[*own])) return true;
    return false;
}

static uint32_t place_of_process(const struct visible *visible, const struct process *process) {
    uint32_t place = 0;
    for (; visible->processes[place].index[SIDE_ABSTRACT] != process->index; place++)
        assert(place + 1 < visible->process_count); /* both models have the same ones */
    return place;
}

/* The process whose location counts; NULL if the template has not just one. */
static const struct process *find_owner(const struct network *network, const struct slot *slot,
                                        const char *template) {
    const struct process *owner = slot->process;
    for (uint32_t p = 0; p < network->process_count && !slot->process; p++) {
        if (strcmp(network->processes[p].template->symbol->name, template) != 0) continue;
        if (owner) return NULL;
        owner = &network->processes[p];
    }
    return owner;
}

/* False if the template has no such location. */
static bool find_location(const struct template *template, const char *name, uint32_t *location) {
    for (*location = 0; *location < template->location_count; ++*location)
        if (!strcmp(template->locations[*location].name, name)) return true;
    return false;
}

/* Over: whether both may count in one state. Of different keys, or processes, that is not known. */
static bool overlap(const struct exchange_at *one, const struct exchange_at *other) {
    const struct exchange *own = one->exchange, *its = other->exchange;
    bool has_place = one->process != NO_PROCESS && one->process == other->process;
    if (has_place && one->code != other->code) return false;
    if (!own->key || !its->key || one->key[SIDE_ABSTRACT] != other->key[SIDE_ABSTRACT]) return true;
    for (uint32_t i = 0; i < own->key_count; i++)
        if (exchange_counts(its, own->key_values[i])) return true;
    return false;
}

/* False if there is no such location, or no key, or it is about a place that another one is about.
 */
static bool add_to(struct visible *visible, struct arena *arena, const struct exchange *exchange,
                   uint32_t index) {
    const struct network *abstract = visible->networks[SIDE_ABSTRACT];
    const struct slot *slot = &abstract->slots[index];
    struct exchange_at *at = ARENA_NEW(arena, struct exchange_at);
    *at = (struct exchange_at){
        .exchange = exchange, .process = NO_PROCESS, .next = visible->exchanges[index]};
    if (exchange->location) {
        uint32_t location;
        const struct process *owner = find_owner(abstract, slot, exchange->template);
        if (!owner || !find_location(owner->template, exchange->location, &location)) return false;
        at->process = place_of_process(visible, owner);
        at->code = visible->codes[SIDE_ABSTRACT][at->process][location];
    }
    if (exchange->key && !find_key(visible, exchange, slot->process, at->key)) return false;
    for (const struct exchange_at *other = at->next; other; other = other->next)
        if (overlap(at, other)) return false;
    visible->exchanges[index] = at;
    return true;
}

bool visible_exchange(struct visible *visible, struct arena *arena,
                      const struct exchange *exchange) {
    const struct network *abstract = visible->networks[SIDE_ABSTRACT];
    bool is_any = false;
    for (uint32_t i = 0; i < abstract->slot_count; i++) {
        if (!is_about(exchange, &abstract->slots[i], visible->names[SIDE_ABSTRACT][i])) continue;
        is_any = true;
        if (!add_to(visible, arena, exchange, i) &&
            visible->roles[SIDE_ABSTRACT][i] == ROLE_VISIBLE)
            return false;
    }
    return is_any;
}
