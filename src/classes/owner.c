/* Who names what, from the effects of all labels. */
#include "classes/owner.h"

#include "approx/co_locations.h"
#include "approx/labels/relevance.h"

#include <assert.h>

/* Senders with receivers that are looked at. */
enum { MOST_MEETINGS = 1 << 20 };

/* An edge of a process that sends or receives. */
struct synchroniser {
    const struct process *process;
    const struct edge *edge;
};

struct finder {
    const struct network *network;
    struct arena *arena;
    struct owners *owners;
    const struct process **trackers; /* see owners_find */
    const struct process *process;   /* that is looked at */
    const struct edge *edge;         /* its edge that is looked at */
    bool *is_shared;                 /* by the first slot: several processes name it */
    struct co_locations *pairs;
    VEC(struct synchroniser) senders, receivers;
    struct map received; /* by key: some receiver of the synchronisation group reads the variable */
    struct map transits; /* by key */
};

/* The first slot of the variable that a slot belongs to. */
static uint32_t first_of(const struct network *network, uint32_t slot) {
    return slot - network->slots[slot].offset;
}

/* ---- owners ---- */

static void name_variable(void *context, const struct binding *binding,
                          const struct effect *effect) {
    struct finder *finder = context;
    uint32_t slot = first_of(finder->network, finder->network->slot_of[binding->address]);
    struct variable_owner *owner = &finder->owners->list[slot];
    (void)effect;
    if (owner->process && owner->process != finder->process) finder->is_shared[slot] = true;
    owner->process = finder->process;
}

static void name_expr(struct finder *finder, const struct expr *expr) {
    struct effects_table table = finder->network->effects;
    struct effects effects = {0};
    if (!expr) return;
    table.arena = finder->arena;
    effects_add_expr(&table, &effects, expr);
    each_variable(finder->network, finder->process, &effects, name_variable, finder);
}

static void name_all(struct finder *finder) {
    const struct template *template = finder->process->template;
    for (uint32_t l = 0; l < template->location_count; l++)
        name_expr(finder, invariant_at(finder->network, template, l));
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge_labels *effects = &finder->network->labels.edges[template->index][i];
        const struct effects *labels[] = {&effects->guard_effects, &effects->sync_effects,
                                          &effects->update_effects};
        for (int k = 0; k < 3; k++)
            each_variable(finder->network, finder->process, labels[k], name_variable, finder);
        name_expr(finder, template->edges[i].weight);
    }
}

static uint32_t process_count_of(const struct network *network, const struct template *template) {
    const struct process_range *range = &network->processes_of[template->index];
    return range->end - range->first;
}

/* A process owns what it alone names, if it is the only one of its template: a point is
 * written in terms of the template (V9). */
static void choose_owners(struct finder *finder) {
    const struct network *network = finder->network;
    struct owners *owners = finder->owners;
    for (uint32_t p = 0; p < network->process_count; p++) owners->first_at[p] = NO_SLOT;
    for (uint32_t slot = network->slot_count; slot-- > 0;) {
        struct variable_owner *owner = &owners->list[slot];
        owner->cell_count++;
        assert(slot || !network->slots[slot].offset);
        if (network->slots[slot].offset) {
            owners->list[slot - 1].cell_count += owner->cell_count;
            continue;
        }
        const struct process *process = owner->process;
        const struct process *tracker = finder->trackers ? finder->trackers[slot] : NULL;
        assert(!tracker || (process_count_of(network, tracker->template) == 1 &&
                            !tracker->template->branchpoint_count));
        bool is_alone = process && !finder->is_shared[slot] && !network->slots[slot].process &&
                        process_count_of(network, process->template) == 1;
        owner->process = tracker ? tracker : is_alone ? process : NULL;
        if (!owner->process) continue;
        owner->next = owners->first_at[owner->process->index];
        owners->first_at[owner->process->index] = slot;
    }
}

/* ---- synchronisation groups ---- */

static struct sync_group *sync_group_of(const struct owners *owners, const struct edge *edge) {
    struct sync_group *sync_group = map_get(&owners->sync_groups, map_key(edge));
    while (sync_group && sync_group->joined) sync_group = sync_group->joined;
    return sync_group;
}

static void find_synchronisers(struct finder *finder) {
    const struct network *network = finder->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        for (uint32_t i = 0; i < template->edge_count; i++) {
            struct synchroniser own = {&network->processes[p], &template->edges[i]};
            if (!own.edge->sync) continue;
            if (own.edge->is_send)
                VEC_PUSH(finder->arena, &finder->senders, own);
            else
                VEC_PUSH(finder->arena, &finder->receivers, own);
        }
    }
}

static bool leaves_doubt(const struct finder *finder, const struct synchroniser *own) {
    return own->edge->leaves_branchpoint ||
           own->edge->target >= own->process->template->location_count ||
           !co_locations_is_binary(finder->pairs, own->process, own->edge);
}

static struct sync_group *enter_sync_group(struct finder *finder, const struct synchroniser *own) {
    struct sync_group *sync_group = sync_group_of(finder->owners, own->edge);
    if (!sync_group) {
        sync_group = ARENA_NEW(finder->arena, struct sync_group);
        map_put(&finder->owners->sync_groups, map_key(own->edge), sync_group);
    }
    sync_group->is_out |= leaves_doubt(finder, own);
    return sync_group;
}

static void meet(struct finder *finder, const struct synchroniser *sender,
                 const struct synchroniser *receiver) {
    struct sync_group *left = sync_group_of(finder->owners, sender->edge);
    struct sync_group *right = sync_group_of(finder->owners, receiver->edge);
    if (!co_locations_can_sync(finder->pairs, sender->process, sender->edge, receiver->process,
                               receiver->edge) ||
        (left && left == right && left->is_out) ||
        !co_locations_has(finder->pairs, sender->process, sender->edge->source, receiver->process,
                          receiver->edge->source))
        return;
    left = enter_sync_group(finder, sender);
    right = enter_sync_group(finder, receiver);
    assert(left && right && !left->joined && !right->joined);
    if (left == right) return;
    right->joined = left;
    left->is_out |= right->is_out;
}

/* False if there are too many to look at. */
static bool find_sync_groups(struct finder *finder) {
    find_synchronisers(finder);
    if ((uint64_t)finder->senders.count * finder->receivers.count > MOST_MEETINGS) return false;
    for (uint32_t i = 0; i < finder->senders.count; i++)
        for (uint32_t k = 0; k < finder->receivers.count; k++)
            meet(finder, &finder->senders.items[i], &finder->receivers.items[k]);
    return true;
}

/* ---- values in transit ---- */

static uint64_t transit_key(uint32_t slot, const struct sync_group *sync_group) {
    return hash_mix(map_key(sync_group), slot + (uint64_t)1);
}

static uint32_t slot_of(const struct finder *finder, const struct binding *binding) {
    return first_of(finder->network, finder->network->slot_of[binding->address]);
}

static void note_received(void *context, const struct binding *binding,
                          const struct effect *effect) {
    struct finder *finder = context;
    uint32_t slot = slot_of(finder, binding);
    if (effect->reads)
        map_put(&finder->received, transit_key(slot, sync_group_of(finder->owners, finder->edge)),
                finder->owners);
}

static void note_handed(void *context, const struct binding *binding, const struct effect *effect) {
    struct finder *finder = context;
    struct sync_group *sync_group = sync_group_of(finder->owners, finder->edge);
    uint32_t slot = slot_of(finder, binding);
    assert(sync_group && !sync_group->is_out && finder->edge->is_send);
    struct variable_owner *owner = &finder->owners->list[slot];
    uint64_t key = transit_key(slot, sync_group);
    if (!effect->writes || finder->network->slots[slot].process ||
        !map_get(&finder->received, key) || map_get(&finder->transits, key))
        return;
    if (owner->process) return; /* its locations tell */
    struct transit *transit = ARENA_NEW(finder->arena, struct transit);
    *transit = (struct transit){.sync_group = sync_group,
                                .slot = slot,
                                .cell_count = owner->cell_count,
                                .number = owner->transit_count++,
                                .next = owner->transits,
                                .next_in_group = sync_group->transits};
    owner->transits = sync_group->transits = transit;
    map_put(&finder->transits, key, transit);
}

static void each_update(struct finder *finder, bool of_senders, variable_found found) {
    const struct network *network = finder->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        finder->process = &network->processes[p];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct sync_group *sync_group =
                sync_group_of(finder->owners, &template->edges[i]);
            finder->edge = &template->edges[i];
            if (sync_group && !sync_group->is_out && finder->edge->is_send == of_senders)
                each_variable(network, finder->process,
                              &network->labels.edges[template->index][i].update_effects, found,
                              finder);
        }
    }
}

/* ---- all of it ---- */

struct owners *owners_find(struct arena *arena, const struct network *network,
                           struct foreign *foreign, const struct process **trackers) {
    struct owners *owners = ARENA_NEW(arena, struct owners);
    struct finder finder = {.network = network,
                            .arena = arena,
                            .owners = owners,
                            .trackers = trackers,
                            .pairs = foreign_co_locations(foreign)};
    assert(foreign);
    owners->foreign = foreign;
    owners->has_trackers = trackers;
    owners->list = ARENA_ARRAY(arena, struct variable_owner, network->slot_count + 1);
    owners->first_at = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    finder.is_shared = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    map_init(&owners->sync_groups, arena);
    map_init(&finder.received, arena);
    map_init(&finder.transits, arena);
    for (uint32_t p = 0; p < network->process_count; p++) {
        finder.process = &network->processes[p];
        name_all(&finder);
    }
    choose_owners(&finder);
    if (!find_sync_groups(&finder)) return owners;
    each_update(&finder, false, note_received);
    each_update(&finder, true, note_handed);
    return owners;
}

const struct transit *transits_of_edge(const struct owners *owners, const struct edge *edge) {
    const struct sync_group *sync_group = sync_group_of(owners, edge);
    return sync_group ? sync_group->transits : NULL;
}

const struct transit *transit_on(const struct variable_owner *owner, const struct owners *owners,
                                 const struct edge *edge) {
    const struct sync_group *sync_group = owner->transits ? sync_group_of(owners, edge) : NULL;
    for (const struct transit *transit = owner->transits; sync_group && transit;
         transit = transit->next)
        if (transit->sync_group == sync_group) return transit;
    return NULL;
}
