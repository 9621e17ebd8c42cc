/* See guest.h. */
#include "classes/guest.h"

#include <assert.h>

/* Locations and edges that are looked at, for all guests together. */
enum { MOST_WORK = 1 << 20 };

struct guests {
    struct arena *arena;
    const struct network *network;
    struct pairs *pairs;
    struct map *found;      /* by host, by edge and whether it receives */
    struct map overwritten; /* by edge of a host and variable */
    bool has_invariants;
    uint64_t work;
};

/* One edge of a guest. */
struct guest {
    struct guests *guests;
    const struct process *host, *process;
    const struct edge *edge;
    bool *is_in; /* by location of the host */
};

static bool has_invariants(const struct model *model) {
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t l = 0; l < model->templates[t]->location_count; l++)
            if (model->templates[t]->locations[l].written_invariant) return true;
    return false;
}

static bool can_hold(const struct guest *guest, uint32_t location) {
    return pairs_can_hold(guest->guests->pairs, guest->process, guest->edge->source, guest->host,
                          location);
}

/* Whether an edge of another process can take part in a step with that of the guest. */
static bool can_meet(const struct guest *guest, const struct process *process,
                     const struct edge *edge) {
    struct pairs *pairs = guest->guests->pairs;
    guest->guests->work++;
    return pairs_can_match(pairs, process, edge, guest->process, guest->edge) &&
           pairs_can_hold(pairs, process, edge->source, guest->process, guest->edge->source);
}

/* Whether the host may not have sent what the guest receives. */
static bool has_other_sender(const struct guest *guest) {
    const struct network *network = guest->guests->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process == guest->host || process == guest->process) continue;
        for (uint32_t i = 0; i < process->template->edge_count; i++) {
            const struct edge *edge = &process->template->edges[i];
            if (edge->sync && edge->is_send && can_meet(guest, process, edge)) return true;
        }
    }
    return false;
}

static void add_before(const struct guest *guest) {
    for (uint32_t l = 0; l < guest->host->template->location_count; l++, guest->guests->work++)
        guest->is_in[l] |= can_hold(guest, l);
}

/* Where the host comes to in the same step. */
static void add_behind(const struct guest *guest) {
    const struct template *template = guest->host->template;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        assert(edge->target < template->location_count);
        if (edge->sync && can_meet(guest, guest->host, edge)) guest->is_in[edge->target] = true;
    }
}

static void find_locations(struct guest *guest, const struct template *template, bool receives) {
    const struct network *network = guest->guests->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        guest->process = &network->processes[p];
        if (guest->process->template != template) continue;
        assert(guest->process != guest->host);
        if (!receives || has_other_sender(guest)) add_before(guest);
        if (receives) add_behind(guest);
    }
}

static bool is_known(const struct guest *guest, const struct template *template, bool receives) {
    const struct edge *edge = guest->edge;
    return edge && !edge->leaves_branchpoint && edge->target < template->location_count &&
           !guest->host->template->branchpoint_count &&
           !(receives && guest->guests->has_invariants) && guest->guests->work <= MOST_WORK;
}

static struct value_set *list_locations(const struct guest *guest) {
    uint32_t count = guest->host->template->location_count;
    struct value_set *set = ARENA_NEW(guest->guests->arena, struct value_set);
    struct bounds bounds = {0, (int32_t)count - 1, count, NULL};
    *set = value_set_empty();
    for (uint32_t l = 0; l < count; l++)
        if (guest->is_in[l]) value_set_add(guest->guests->arena, set, (int32_t)l, &bounds);
    if (value_set_is_empty(set)) *set = value_set_range(0, (int32_t)count - 1);
    return set;
}

const struct value_set *guests_find(struct guests *guests, const struct process *host,
                                    const struct template *template, const struct edge *edge,
                                    bool receives) {
    struct map *map = &guests->found[host->index];
    uint64_t key = map_key(edge) + receives;
    if (!map->arena) map_init(map, guests->arena);
    struct value_set *found = map_get(map, key);
    if (found) return found;
    struct guest guest = {.guests = guests, .host = host, .edge = edge};
    guest.is_in = ARENA_ARRAY(guests->arena, bool, host->template->location_count + 1);
    if (is_known(&guest, template, receives)) find_locations(&guest, template, receives);
    found = list_locations(&guest);
    map_put(map, key, found);
    return found;
}

/* ---- what is overwritten ---- */

/* Whether the update gives the variable a value that does not depend on the one before. */
static bool overwrites(const struct guest *guest, const struct symbol *symbol) {
    const struct template *template = guest->process->template;
    const struct edge *edge = guest->edge;
    const struct effects *effects =
        &labels_of_edge(guest->guests->network, template, edge)->update_effects;
    bool assigns = false;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        const struct expr *item = edge->updates.items[i];
        assigns |= item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN &&
                   item->child[0]->kind == EXPR_NAME && item->child[0]->symbol == symbol;
    }
    return assigns && !effects_reads(effects, symbol) && !edge->leaves_branchpoint &&
           edge->target < template->location_count;
}

static bool all_overwrite(struct guests *guests, const struct process *host,
                          const struct edge *sent, const struct symbol *symbol) {
    struct guest guest = {.guests = guests, .host = host};
    bool is_known = !guests->has_invariants && pairs_is_binary(guests->pairs, host, sent);
    for (uint32_t p = 0; p < guests->network->process_count && is_known; p++) {
        guest.process = &guests->network->processes[p];
        const struct template *template = guest.process->template;
        for (uint32_t i = 0; i < template->edge_count && is_known; i++) {
            guest.edge = &template->edges[i];
            is_known = guests->work <= MOST_WORK &&
                       (guest.process == host || !guest.edge->sync || guest.edge->is_send ||
                        !can_meet(&guest, host, sent) || overwrites(&guest, symbol));
        }
    }
    return is_known;
}

bool guests_overwrite(struct guests *guests, const struct process *host, const struct edge *edge,
                      const struct symbol *symbol) {
    if (!edge->sync || !edge->is_send) return false;
    uint64_t key = hash_mix(map_key(edge), map_key(symbol));
    bool *found = map_get(&guests->overwritten, key);
    if (!found) {
        found = ARENA_NEW(guests->arena, bool);
        *found = all_overwrite(guests, host, edge, symbol);
        map_put(&guests->overwritten, key, found);
    }
    return *found;
}

struct guests *guests_new(struct arena *arena, struct analysis *analysis) {
    struct guests *guests = ARENA_NEW(arena, struct guests);
    *guests = (struct guests){.arena = arena, .network = analysis->network};
    guests->pairs = pairs_new(arena, analysis);
    guests->has_invariants = has_invariants(analysis->network->model);
    guests->found = ARENA_ARRAY(arena, struct map, analysis->network->process_count + 1);
    map_init(&guests->overwritten, arena);
    return guests;
}

struct pairs *guests_pairs(const struct guests *guests) {
    return guests->pairs;
}
