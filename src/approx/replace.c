/* See replace.h. */
#include "approx/replace.h"

#include <assert.h>
#include <string.h>

static struct group_domain domain_of(struct arena *arena, const struct tuple_set *set,
                                     const uint32_t *addresses, uint32_t count) {
    struct bounds bounds = {.lower = INT32_MIN, .upper = INT32_MAX, .limit = UINT32_MAX};
    struct group_domain domain = {.set = value_set_empty(), .tuples = *set};
    assert(set->dimension == count);
    domain.tuples.addresses = addresses;
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
        all[index] = domain_of(arena, &sets[l], addresses, count);
        domain->locations[l].groups = all;
    }
}
