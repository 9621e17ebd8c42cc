#include "approx/pin.h"

#include "approx/labels/domain.h"
#include "approx/shared_relation.h"

#include <assert.h>
#include <string.h>

static uint32_t location_count(const struct template *template) {
    return template->location_count + template->branchpoint_count;
}

/* Slots of globals come first: those that locations of --approx combined know. */
static uint32_t global_count(const struct network *network) {
    uint32_t count = 0;
    while (count < network->slot_count && !network->slots[count].process) count++;
    return count;
}

static void copy_location(struct arena *arena, const struct process_domain *process,
                          uint32_t globals, struct location_domain *location) {
    if (location->groups) {
        struct group_domain *groups =
            ARENA_ARRAY(arena, struct group_domain, process->group_count + 1);
        memcpy(groups, location->groups, process->group_count * sizeof *groups);
        location->groups = groups;
    }
    if (location->shared) {
        struct value_set *shared = ARENA_ARRAY(arena, struct value_set, globals + 1);
        memcpy(shared, location->shared, globals * sizeof *shared);
        location->shared = shared;
    }
}

static void copy_process(struct arena *arena, uint32_t locations, uint32_t globals,
                         struct process_domain *process) {
    struct location_domain *copy = ARENA_ARRAY(arena, struct location_domain, locations + 1);
    memcpy(copy, process->locations, locations * sizeof *copy);
    process->locations = copy;
    for (uint32_t l = 0; l < locations; l++) copy_location(arena, process, globals, &copy[l]);
}

struct analysis *analysis_copy(const struct analysis *analysis) {
    const struct network *network = analysis->network;
    struct arena *arena = analysis->arena;
    struct analysis *copy = ARENA_NEW(arena, struct analysis);
    *copy = *analysis;
    copy->shared = ARENA_ARRAY(arena, struct value_set, network->slot_count + 1);
    memcpy(copy->shared, analysis->shared, network->slot_count * sizeof *copy->shared);
    copy->processes = ARENA_ARRAY(arena, struct process_domain, network->process_count + 1);
    memcpy(copy->processes, analysis->processes, network->process_count * sizeof *copy->processes);
    for (uint32_t p = 0; p < network->process_count; p++)
        copy_process(arena, location_count(network->processes[p].template), global_count(network),
                     &copy->processes[p]);
    shared_relation_copy(copy);
    map_init(&copy->cache, arena);
    return copy;
}

/* The tuples are those of a copy, too (analysis_copy), so that others take their place. */
static struct tuple_set *pin_column(struct arena *arena, const struct tuple_set *tuples,
                                    uint32_t address, int32_t value) {
    assert(tuples->dimension && tuples->dimension <= GROUP_MAX_DIMENSION);
    struct tuple_set *pinned = ARENA_NEW(arena, struct tuple_set);
    *pinned = (struct tuple_set){.addresses = tuples->addresses, .dimension = tuples->dimension};
    int32_t *row = ARENA_ARRAY(arena, int32_t, tuples->dimension);
    for (uint32_t i = 0; i < tuples->count; i++) {
        memcpy(row, tuples->values + (size_t)i * tuples->dimension,
               tuples->dimension * sizeof *row);
        for (uint32_t d = 0; d < tuples->dimension; d++)
            if (tuples->addresses[d] == address) row[d] = value;
        tuple_set_add(arena, pinned, row);
    }
    return pinned;
}

static void pin_shared(struct analysis *analysis, uint32_t slot, const struct value_set *only) {
    const struct network *network = analysis->network;
    struct tuple_set **tuples = shared_relation_of(analysis, slot);
    analysis->shared[slot] = *only;
    if (tuples)
        *tuples = pin_column(analysis->arena, *tuples, network->slots[slot].address, only->lower);
    for (uint32_t p = 0; p < network->process_count && !network->slots[slot].process; p++) {
        uint32_t count = location_count(network->processes[p].template);
        for (uint32_t l = 0; l < count; l++) {
            struct location_domain *domain = &analysis->processes[p].locations[l];
            if (domain->shared) domain->shared[slot] = *only;
        }
    }
}

static struct group_domain *domain_of(const struct analysis *analysis, uint32_t slot,
                                      uint32_t location) {
    uint32_t process = analysis->network->slots[slot].process->index;
    struct location_domain *domain = &analysis->processes[process].locations[location];
    return domain->is_reached ? &domain->groups[analysis->group_of[slot]] : NULL;
}

void analysis_pin(struct analysis *analysis, uint32_t slot, uint32_t location, int32_t value) {
    const struct network *network = analysis->network;
    const struct value_set only = value_set_range(value, value);
    analysis->is_pinned = true;
    assert(analysis->is_tracked[slot] && !analysis->cache.count);
    assert(slot_is_shared(network, slot) ||
           location < location_count(network->slots[slot].process->template));
    if (slot_is_shared(network, slot)) {
        pin_shared(analysis, slot, &only);
        return;
    }
    struct group_domain *domain = domain_of(analysis, slot, location);
    if (!domain) return;
    domain->is_pinned = true;
    domain->set = only;
    if (domain->tuples)
        domain->tuples =
            pin_column(analysis->arena, domain->tuples, network->slots[slot].address, value);
}

bool analysis_is_pinned(const struct analysis *analysis, const struct template *template,
                        uint32_t location, const struct symbol *symbol, uint32_t offset) {
    const struct network *network = analysis->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != template || symbol->scope != SCOPE_TEMPLATE) continue;
        const struct binding *binding = &process->locals[symbol->index];
        uint32_t slot = network->slot_of[binding->address + offset];
        if (slot == NO_SLOT || slot_is_shared(network, slot) || !analysis->is_tracked[slot])
            continue;
        const struct group_domain *domain = domain_of(analysis, slot, location);
        if (domain && domain->is_pinned) return true;
    }
    return false;
}

/* Joint values from elsewhere */

static struct group_domain replaced_domain(struct arena *arena, const struct tuple_set *set,
                                           const uint32_t *addresses, uint32_t count) {
    struct bounds bounds = {.lower = INT32_MIN, .upper = INT32_MAX, .limit = UINT32_MAX};
    struct group_domain domain = {.set = value_set_empty()};
    assert(set->dimension == count);
    if (count > 1) {
        domain.tuples = ARENA_NEW(arena, struct tuple_set);
        *domain.tuples = *set;
        domain.tuples->addresses = addresses;
    }
    for (uint32_t i = 0; i < set->count && count == 1; i++)
        value_set_add(arena, &domain.set, set->values[i], &bounds);
    return domain;
}

static void regroup(struct analysis *analysis, uint32_t process, const uint32_t *addresses,
                    uint32_t count, uint32_t group) {
    const struct network *network = analysis->network;
    uint32_t *group_of = ARENA_ARRAY(analysis->arena, uint32_t, network->slot_count + 1);
    memcpy(group_of, analysis->group_of, network->slot_count * sizeof *group_of);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t slot = network->slot_of[addresses[k]];
        assert(slot != NO_SLOT && network->slots[slot].process == &network->processes[process]);
        assert(analysis->is_tracked[slot]);
        group_of[slot] = group;
    }
    analysis->group_of = group_of;
}

void analysis_replace(struct analysis *analysis, uint32_t process, uint32_t *addresses,
                      uint32_t count, const struct tuple_set *sets) {
    assert(count && process < analysis->network->process_count);
    const struct template *template = analysis->network->processes[process].template;
    struct process_domain *domain = &analysis->processes[process];
    struct arena *arena = analysis->arena;
    uint32_t index = domain->group_count++;
    assert(!analysis->cache.count && !template->branchpoint_count);
    struct group *groups = ARENA_ARRAY(arena, struct group, index + 1);
    if (index) memcpy(groups, domain->groups, index * sizeof *groups);
    groups[index] = (struct group){addresses, count, false};
    domain->groups = groups;
    regroup(analysis, process, addresses, count, index);
    for (uint32_t l = 0; l < template->location_count; l++) {
        struct group_domain *all = ARENA_ARRAY(arena, struct group_domain, index + 1);
        if (index) memcpy(all, domain->locations[l].groups, index * sizeof *all);
        all[index] = replaced_domain(arena, &sets[l], addresses, count);
        domain->locations[l].groups = all;
    }
}
