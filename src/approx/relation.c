#include "approx/relation.h"

#include <assert.h>

/* Loops over whole arrays relate nothing in particular. */
enum { MAX_TOUCHED = 4 };

uint32_t relation_root(uint32_t *parent, uint32_t slot) {
    while (parent[slot] != slot) {
        parent[slot] = parent[parent[slot]];
        slot = parent[slot];
    }
    return slot;
}

static bool unite(uint32_t *parent, uint32_t first, uint32_t second) {
    uint32_t left = relation_root(parent, first), right = relation_root(parent, second);
    parent[right] = left;
    return left != right;
}

/* Whether a slot may be together with another one. */
static bool can_relate(const struct relation *relation, uint32_t slot, bool is_shared) {
    const struct analysis *analysis = relation->analysis;
    return slot_is_shared(analysis->network, slot) == is_shared && analysis->is_removed[slot] &&
           !relation->is_single[slot];
}

/* Together are only the slots that the options relate. */
void relation_init(struct relation *relation, struct analysis *analysis) {
    uint32_t slots = analysis->network->slot_count;
    *relation = (struct relation){.analysis = analysis};
    relation->parent = ARENA_ARRAY(analysis->arena, uint32_t, slots + 1);
    relation->by_guards = ARENA_ARRAY(analysis->arena, uint32_t, slots + 1);
    relation->is_single = ARENA_ARRAY(analysis->arena, bool, slots + 1);
    for (uint32_t i = 0; i < slots; i++) {
        relation->parent[i] = relation->by_guards[i] = i;
        relation->candidate_count += analysis->is_removed[i];
    }
    for (uint32_t i = 0; i < analysis->options.related_count; i++) {
        const struct slot_set *set = &analysis->options.related[i];
        for (uint32_t k = 1; k < set->count; k++) {
            assert(set->slots[k] < slots);
            unite(relation->parent, set->slots[0], set->slots[k]);
        }
    }
}

static void unite_touched(struct relation *relation, const struct label_run *run,
                          const struct effects *only, bool is_shared) {
    const struct network *network = run->network;
    uint32_t slots[MAX_TOUCHED], count = 0;
    for (uint32_t i = 0; i < run->enumerator.touched.count; i++) {
        uint32_t address = run->enumerator.touched.items[i];
        uint32_t slot = address < network->cell_count ? network->slot_of[address] : NO_SLOT;
        if (slot == NO_SLOT || !can_relate(relation, slot, is_shared) ||
            (only && !effects_find(only, network->slots[slot].symbol)))
            continue;
        if (count == MAX_TOUCHED) return;
        slots[count++] = slot;
    }
    for (uint32_t i = 1; i < count; i++) {
        bool is_new = unite(relation->parent, slots[0], slots[i]);
        if (is_shared) unite(relation->by_guards, slots[0], slots[i]);
        relation->has_united |= is_new && !is_shared;
    }
}

void relation_unite_touched(struct relation *relation, const struct label_run *run,
                            const struct effects *only) {
    if (relation->candidate_count < 2) return;
    unite_touched(relation, run, only, false);
    if (!only) unite_touched(relation, run, NULL, true);
}

/* The class of a slot, which is the slot alone where a relation would be too large (A5). */
static uint32_t class_of(struct relation *relation, const uint32_t *dimension, uint32_t slot) {
    uint32_t root = relation_root(relation->parent, slot);
    return dimension[root] > GROUP_MAX_DIMENSION ? slot : root;
}

static void add_to_group(struct analysis *analysis, uint32_t slot, uint32_t *of_class) {
    const struct slot *of = &analysis->network->slots[slot];
    struct process_domain *domain = &analysis->processes[of->process->index];
    if (!*of_class) {
        *of_class = ++domain->group_count;
        domain->groups[*of_class - 1].addresses =
            ARENA_ARRAY(analysis->arena, uint32_t, GROUP_MAX_DIMENSION);
    }
    struct group *group = &domain->groups[*of_class - 1];
    assert(*of_class <= domain->group_count && group->dimension < GROUP_MAX_DIMENSION);
    assert(!group->dimension || group->addresses[group->dimension - 1] < of->address);
    group->addresses[group->dimension++] = of->address;
    analysis->group_of[slot] = *of_class - 1;
}

void relation_build_groups(struct relation *relation) {
    struct analysis *analysis = relation->analysis;
    const struct network *network = analysis->network;
    struct arena *arena = analysis->arena, scratch;
    arena_init(&scratch);
    uint32_t *dimension = ARENA_ARRAY(&scratch, uint32_t, network->slot_count + 1);
    uint32_t *of_class = ARENA_ARRAY(&scratch, uint32_t, network->slot_count + 1);
    uint32_t *count = ARENA_ARRAY(&scratch, uint32_t, network->process_count + 1);
    relation->has_united = false;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        analysis->group_of[i] = NO_SLOT;
        if (slot_is_shared(network, i) || !analysis->is_tracked[i]) continue;
        dimension[relation_root(relation->parent, i)]++;
        count[network->slots[i].process->index]++;
    }
    for (uint32_t p = 0; p < network->process_count; p++) {
        analysis->processes[p].groups = ARENA_ARRAY(arena, struct group, count[p] + 1);
        analysis->processes[p].group_count = 0;
    }
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!slot_is_shared(network, i) && analysis->is_tracked[i])
            add_to_group(analysis, i, &of_class[class_of(relation, dimension, i)]);
    arena_close(&scratch);
}

bool relation_separate_overflowed(struct relation *relation) {
    const struct network *network = relation->analysis->network;
    bool found = false;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process_domain *domain = &relation->analysis->processes[p];
        for (uint32_t g = 0; g < domain->group_count; g++) {
            const struct group *group = &domain->groups[g];
            if (!group->has_overflowed) continue;
            found = true;
            for (uint32_t k = 0; k < group->dimension; k++)
                relation->is_single[network->slot_of[group->addresses[k]]] = true;
        }
    }
    if (!found) return false;
    /* The root may be a slot that joined the class since the groups were built. */
    bool *is_single = relation->is_single;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (is_single[i]) is_single[relation_root(relation->parent, i)] = true;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (is_single[relation_root(relation->parent, i)]) is_single[i] = true;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (is_single[i]) relation->parent[i] = i;
    return true;
}
