#include "classes/foreign.h"

#include <assert.h>

/* Locations and edges that are looked at, for all foreign processes together. */
enum { MOST_WORK = 1 << 20 };

struct foreign {
    struct arena *arena;
    const struct network *network;
    struct co_locations *pairs;
    struct map *found;      /* by tracker, by edge and whether it receives */
    struct map overwritten; /* by edge of a tracker and variable */
    bool has_invariants;
    uint64_t work;
};

/* One edge of a foreign process. */
struct participant {
    struct foreign *foreign;
    const struct process *tracker, *process;
    const struct edge *edge;
    bool *is_in; /* by location of the tracker */
};

static bool can_hold(const struct participant *participant, uint32_t location) {
    return co_locations_has(participant->foreign->pairs, participant->process,
                            participant->edge->source, participant->tracker, location);
}

/* Whether an edge of another process can take part in a step with that of the foreign process. */
static bool can_meet(const struct participant *participant, const struct process *process,
                     const struct edge *edge) {
    struct co_locations *pairs = participant->foreign->pairs;
    participant->foreign->work++;
    return co_locations_can_sync(pairs, process, edge, participant->process, participant->edge) &&
           co_locations_has(pairs, process, edge->source, participant->process,
                            participant->edge->source);
}

/* Whether another process than the tracker can be the sender of what the foreign process receives.
 */
static bool has_other_sender(const struct participant *participant) {
    const struct network *network = participant->foreign->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process == participant->tracker || process == participant->process) continue;
        for (uint32_t i = 0; i < process->template->edge_count; i++) {
            const struct edge *edge = &process->template->edges[i];
            if (edge->sync && edge->is_send && can_meet(participant, process, edge)) return true;
        }
    }
    return false;
}

static void add_before(const struct participant *participant) {
    for (uint32_t l = 0; l < participant->tracker->template->location_count;
         l++, participant->foreign->work++)
        participant->is_in[l] |= can_hold(participant, l);
}

/* Where the tracker comes to in the same step. */
static void add_after(const struct participant *participant) {
    const struct template *template = participant->tracker->template;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        assert(edge->target < template->location_count);
        if (edge->sync && can_meet(participant, participant->tracker, edge))
            participant->is_in[edge->target] = true;
    }
}

static void find_locations(struct participant *participant, const struct template *template,
                           bool receives) {
    const struct network *network = participant->foreign->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        participant->process = &network->processes[p];
        if (participant->process->template != template) continue;
        assert(participant->process != participant->tracker);
        if (!receives || has_other_sender(participant)) add_before(participant);
        if (receives) add_after(participant);
    }
}

static bool is_known(const struct participant *participant, const struct template *template,
                     bool receives) {
    const struct edge *edge = participant->edge;
    return edge && !edge->leaves_branchpoint && edge->target < template->location_count &&
           !participant->tracker->template->branchpoint_count &&
           !(receives && participant->foreign->has_invariants) &&
           participant->foreign->work <= MOST_WORK;
}

static struct value_set *list_locations(const struct participant *participant) {
    uint32_t count = participant->tracker->template->location_count;
    struct value_set *set = ARENA_NEW(participant->foreign->arena, struct value_set);
    struct bounds bounds = {0, (int32_t)count - 1, count, NULL};
    *set = value_set_empty();
    for (uint32_t l = 0; l < count; l++)
        if (participant->is_in[l])
            value_set_add(participant->foreign->arena, set, (int32_t)l, &bounds);
    if (value_set_is_empty(set)) *set = value_set_range(0, (int32_t)count - 1);
    assert(!value_set_is_empty(set));
    return set;
}

const struct value_set *foreign_find(struct foreign *foreign, const struct process *tracker,
                                     const struct template *template, const struct edge *edge,
                                     bool receives) {
    assert(tracker->template != template && (!edge || template_has_edge(template, edge)));
    struct map *map = &foreign->found[tracker->index];
    uint64_t key = map_key(edge) + receives;
    if (!map->arena) map_init(map, foreign->arena);
    struct value_set *found = map_get(map, key);
    if (found) return found;
    struct participant participant = {.foreign = foreign, .tracker = tracker, .edge = edge};
    participant.is_in = ARENA_ARRAY(foreign->arena, bool, tracker->template->location_count + 1);
    if (is_known(&participant, template, receives))
        find_locations(&participant, template, receives);
    found = list_locations(&participant);
    map_put(map, key, found);
    return found;
}

/* ---- what is overwritten ---- */

/* Whether the update gives the variable a value that does not depend on the one before. */
static bool overwrites(const struct participant *participant, const struct symbol *symbol) {
    const struct template *template = participant->process->template;
    const struct edge *edge = participant->edge;
    const struct effects *effects =
        &labels_of_edge(participant->foreign->network, template, edge)->update_effects;
    bool assigns = false;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        const struct expr *item = edge->updates.items[i];
        assigns |= item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN &&
                   item->child[0]->kind == EXPR_NAME && item->child[0]->symbol == symbol;
    }
    return assigns && !effects_reads(effects, symbol) && !edge->leaves_branchpoint &&
           edge->target < template->location_count;
}

static bool all_overwrite(struct foreign *foreign, const struct process *tracker,
                          const struct edge *sent, const struct symbol *symbol) {
    struct participant participant = {.foreign = foreign, .tracker = tracker};
    bool is_known =
        !foreign->has_invariants && co_locations_is_binary(foreign->pairs, tracker, sent);
    for (uint32_t p = 0; p < foreign->network->process_count && is_known; p++) {
        participant.process = &foreign->network->processes[p];
        const struct template *template = participant.process->template;
        for (uint32_t i = 0; i < template->edge_count && is_known; i++) {
            participant.edge = &template->edges[i];
            is_known = foreign->work <= MOST_WORK &&
                       (participant.process == tracker || !participant.edge->sync ||
                        participant.edge->is_send || !can_meet(&participant, tracker, sent) ||
                        overwrites(&participant, symbol));
        }
    }
    return is_known;
}

bool foreign_overwrite(struct foreign *foreign, const struct process *tracker,
                       const struct edge *edge, const struct symbol *symbol) {
    assert(template_has_edge(tracker->template, edge));
    if (!edge->sync || !edge->is_send) return false;
    uint64_t key = hash_mix(map_key(edge), map_key(symbol));
    bool *found = map_get(&foreign->overwritten, key);
    if (!found) {
        found = ARENA_NEW(foreign->arena, bool);
        *found = all_overwrite(foreign, tracker, edge, symbol);
        map_put(&foreign->overwritten, key, found);
    }
    return *found;
}

struct foreign *foreign_new(struct arena *arena, struct analysis *analysis) {
    struct foreign *foreign = ARENA_NEW(arena, struct foreign);
    *foreign = (struct foreign){.arena = arena, .network = analysis->network};
    foreign->pairs = co_locations_new(arena, analysis);
    foreign->has_invariants = model_has_invariants(analysis->network->model);
    foreign->found = ARENA_ARRAY(arena, struct map, analysis->network->process_count + 1);
    map_init(&foreign->overwritten, arena);
    return foreign;
}

bool foreign_is_over(const struct foreign *foreign) {
    return foreign->work > MOST_WORK || co_locations_is_over(foreign->pairs);
}

struct co_locations *foreign_co_locations(const struct foreign *foreign) {
    return foreign->pairs;
}
