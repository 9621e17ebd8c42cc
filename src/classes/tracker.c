#include "classes/tracker.h"

#include "approx/labels/domain.h"
#include "approx/labels/relevance.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Locations and labels that are looked at, for all variables together. */
enum { MOST_WORK = 1 << 20 };

/* A label that names a variable. */
struct naming {
    const struct process *process;
    const struct edge *edge; /* NULL: an invariant */
    uint32_t location;
    bool is_update, reads, writes;
    const struct naming *next; /* of the variable */
};

struct tracker_search {
    struct arena *arena;
    const struct network *network;
    const struct analysis *analysis;
    const struct points *points;
    const struct query *queries;
    uint32_t query_count;
    const struct naming **namings; /* by the first slot of a variable */
    struct naming naming;          /* that is looked at */
    uint64_t work;
};

/* ---- who names what ---- */

static void note_naming(void *context, const struct binding *binding, const struct effect *effect) {
    struct tracker_search *search = context;
    uint32_t slot = search->network->slot_of[binding->address];
    struct naming *naming = ARENA_NEW(search->arena, struct naming);
    slot -= search->network->slots[slot].offset;
    *naming = search->naming;
    naming->reads = effect->reads;
    naming->writes = effect->writes;
    naming->next = search->namings[slot];
    search->namings[slot] = naming;
}

static void note_namings(struct tracker_search *search, const struct process *process) {
    const struct network *network = search->network;
    const struct template *template = process->template;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        const struct edge_labels *effects = &network->labels.edges[template->index][i];
        if (edge_is_off(network, template, edge)) continue;
        search->naming =
            (struct naming){.process = process, .edge = edge, .location = edge->source};
        each_variable(network, process, &effects->guard_effects, note_naming, search);
        each_variable(network, process, &effects->sync_effects, note_naming, search);
        search->naming.is_update = true;
        each_variable(network, process, &effects->update_effects, note_naming, search);
    }
    for (uint32_t l = 0; l < template->location_count; l++) {
        const struct effects *conjuncts = search->analysis->summary->invariants[template->index][l];
        uint32_t count = conjunct_count(invariant_at(network, template, l));
        search->naming = (struct naming){.process = process, .location = l};
        for (uint32_t i = 0; i < count; i++)
            each_variable(network, process, &conjuncts[i], note_naming, search);
    }
}

/* ---- queries ---- */

/* Whether a predicate names a variable, and asks where the tracker is. */
struct query_look {
    struct tracker_search *search;
    const struct symbol *symbol;
    const struct template *template;
    bool names, is_asked;
};

static bool look_at_name(void *context, const struct expr *expr) {
    struct query_look *look = context;
    const struct symbol *symbol = expr->symbol;
    if (!symbol) return true;
    look->names |= symbol == look->symbol;
    look->is_asked |= symbol->kind == SYMBOL_LOCATION && symbol->template == look->template;
    if (expr->kind == EXPR_CALL && symbol->function) {
        struct effects_table table = look->search->network->effects;
        table.arena = look->search->arena;
        look->names |=
            effects_find(effects_of_function(&table, symbol->function), look->symbol) != NULL;
    }
    return true;
}

/* Whether it is asked of the variable wherever the tracker is. */
static bool is_observed(struct tracker_search *search, uint32_t slot,
                        const struct process *tracker) {
    for (uint32_t q = 0; q < search->query_count; q++) {
        const struct query *query = &search->queries[q];
        struct query_look look = {search, search->network->slots[slot].symbol, tracker->template,
                                  false, false};
        walk_query(query, look_at_name, &look);
        if (look.names && !look.is_asked) return true;
    }
    return false;
}

/* ---- where it matters ---- */

static const struct value_set *locations_of(const struct tracker_search *search,
                                            const struct process *tracker,
                                            const struct naming *naming) {
    bool receives = naming->is_update && naming->edge->sync && !naming->edge->is_send;
    return foreign_find(search->points->owners->foreign, tracker, naming->process->template,
                        naming->edge, receives);
}

static bool set_in(bool *matters, const struct value_set *locations) {
    uint64_t count = value_set_size(locations);
    bool grew = false;
    for (uint64_t i = 0; i < count; i++) {
        bool *own = &matters[value_set_at(locations, i)];
        grew |= !*own;
        *own = true;
    }
    return grew;
}

static bool matters_in(const bool *matters, const struct value_set *locations) {
    uint64_t count = value_set_size(locations);
    for (uint64_t i = 0; i < count; i++)
        if (matters[value_set_at(locations, i)]) return true;
    return false;
}

/* A variable that a foreign process writes matters at all locations where the tracker can be then,
 * or at none. */
static bool spread_namings(struct tracker_search *search, uint32_t slot,
                           const struct process *tracker, bool *matters) {
    bool grew = false;
    for (const struct naming *own = search->namings[slot]; own; own = own->next) {
        search->work++;
        if (own->process == tracker) {
            assert(own->location < tracker->template->location_count);
            grew |= own->reads && !matters[own->location];
            matters[own->location] |= own->reads;
            continue;
        }
        const struct value_set *locations = locations_of(search, tracker, own);
        search->work += value_set_size(locations);
        if (own->reads || (own->writes && matters_in(matters, locations)))
            grew |= set_in(matters, locations);
    }
    return grew;
}

static bool is_overwritten(const struct tracker_search *search, uint32_t slot,
                           const struct edge *edge, const struct process *tracker) {
    const struct effect *effect =
        effects_find(&labels_of_edge(search->network, tracker->template, edge)->update_effects,
                     search->network->slots[slot].symbol);
    const struct owners *owners = search->points->owners;
    return owners->list[slot].cell_count == 1 &&
           ((effect && effect->writes && !effect->reads) ||
            foreign_overwrite(owners->foreign, tracker, edge, search->network->slots[slot].symbol));
}

static bool spread_edges(struct tracker_search *search, uint32_t slot,
                         const struct process *tracker, bool *matters) {
    const struct template *template = tracker->template;
    bool grew = false;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        search->work++;
        if (matters[edge->source] || !matters[edge->target] ||
            edge_is_off(search->network, template, edge) ||
            is_overwritten(search, slot, edge, tracker))
            continue;
        grew = matters[edge->source] = true;
    }
    return grew;
}

/* The part of the tracker's locations where the variable does not matter. */
static double unread_part(struct tracker_search *search, uint32_t slot,
                          const struct process *tracker) {
    const struct template *template = tracker->template;
    const struct location_domain *locations = search->analysis->processes[tracker->index].locations;
    bool *matters = ARENA_ARRAY(search->arena, bool, template->location_count + 1);
    uint32_t reached = 0, unread = 0;
    while (search->work <= MOST_WORK && (spread_namings(search, slot, tracker, matters) ||
                                         spread_edges(search, slot, tracker, matters))) {
    }
    if (search->work > MOST_WORK) return 0;
    for (uint32_t l = 0; l < template->location_count; l++) {
        reached += locations[l].is_reached;
        unread += locations[l].is_reached && !matters[l];
    }
    assert(unread <= reached);
    return reached ? unread / (double)reached : 0;
}

/* ---- all of it ---- */

static bool can_be_tracker(const struct network *network, const struct process *process) {
    const struct process_range *range = &network->processes_of[process->template->index];
    return range->end - range->first == 1 && !process->template->branchpoint_count &&
           process->template->location_count > 1;
}

static const struct process *find_tracker(struct tracker_search *search, uint32_t slot) {
    const struct network *network = search->network;
    const struct process *found = NULL;
    double most = 0;
    for (uint32_t p = 0; p < network->process_count && search->work <= MOST_WORK; p++) {
        const struct process *process = &network->processes[p];
        if (!can_be_tracker(network, process) || is_observed(search, slot, process)) continue;
        double part = unread_part(search, slot, process);
        if (part > most) {
            most = part;
            found = process;
        }
    }
    return found;
}

/* How many points of a slot there are between steps: by location, or one. */
static uint32_t stable_count(const struct points *points, uint32_t slot) {
    return points_owner(points, slot) ? points_count_of(points, slot) : 1;
}

/* Whether some cell of a shared variable has values that are apart. */
static bool is_apart(const struct points *points, uint32_t slot) {
    bool is_any = false;
    for (uint32_t k = 0; k < points->owners->list[slot].cell_count; k++)
        for (uint32_t n = 0; n < stable_count(points, slot + k); n++) {
            const struct class_point *point = point_of(points, slot + k, n);
            is_any |= point->is_wanted && point->is_open && !point->is_one;
        }
    return is_any;
}

/* A variable with an owner is read by nobody else, but for queries. */
static bool may_gain(struct tracker_search *search, uint32_t slot) {
    const struct points *points = search->points;
    const struct process *owner = points_owner(points, slot);
    return slot_is_shared(search->network, slot) && !search->network->slots[slot].offset &&
           !search->network->slots[slot].process && is_apart(points, slot) &&
           (!owner || is_observed(search, slot, owner));
}

const struct process **trackers_find(struct arena *arena, const struct analysis *analysis,
                                     const struct points *points, const struct query *queries,
                                     uint32_t query_count) {
    const struct network *network = analysis->network;
    struct tracker_search search = {.arena = arena,
                                    .network = network,
                                    .analysis = analysis,
                                    .points = points,
                                    .queries = queries,
                                    .query_count = query_count};
    const struct process **trackers = NULL;
    assert(points->network == network && points->owners);
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        if (!may_gain(&search, slot)) continue;
        if (!search.namings) {
            search.namings = ARENA_ARRAY(arena, const struct naming *, network->slot_count + 1);
            for (uint32_t p = 0; p < network->process_count; p++)
                note_namings(&search, &network->processes[p]);
        }
        const struct process *tracker = find_tracker(&search, slot);
        if (!tracker || tracker == points_owner(points, slot)) continue;
        if (!trackers)
            trackers = ARENA_ARRAY(arena, const struct process *, network->slot_count + 1);
        trackers[slot] = tracker;
    }
    return trackers;
}

/* Whether a point has no more classes than another, and whether it has fewer. */
struct gain {
    bool loses, gains;
};

static void compare_points(struct gain *gain, const struct class_point *without,
                           const struct class_point *with) {
    gain->loses |= !point_refines(without, with);
    gain->gains |= with->is_open && !point_refines(with, without);
}

static bool is_reached(const struct analysis *analysis, const struct process *process,
                       uint32_t location) {
    return !process || analysis->processes[process->index].locations[location].is_reached;
}

/* Of a slot that has a tracker in the latter, each point with each, where that can be; of others,
 * the same points. */
static void compare_slot(struct gain *gain, const struct analysis *analysis,
                         const struct points *without, const struct points *with, uint32_t slot) {
    const struct process *owner = points_owner(without, slot), *tracker = points_owner(with, slot);
    uint32_t count = points_count_of(with, slot);
    if (owner == tracker) {
        for (uint32_t n = 0; n < count; n++)
            compare_points(gain, point_of(without, slot, n), point_of(with, slot, n));
        return;
    }
    for (uint32_t m = 0; m < stable_count(without, slot); m++)
        for (uint32_t n = 0; n < count; n++)
            if (is_reached(analysis, owner, m) && is_reached(analysis, tracker, n) &&
                (!owner || co_locations_has(foreign_co_locations(with->owners->foreign), owner, m,
                                            tracker, n)))
                compare_points(gain, point_of(without, slot, m), point_of(with, slot, n));
}

bool trackers_gain(const struct analysis *analysis, const struct points *without,
                   const struct points *with, const struct process **trackers, bool *has_some) {
    const struct network *network = with->network;
    bool is_same = true, is_lost = false;
    *has_some = false;
    for (uint32_t slot = 0; slot < network->slot_count;) {
        uint32_t count = with->owners->list[slot].cell_count;
        struct gain all = {false, false};
        assert(count && !network->slots[slot].offset);
        for (uint32_t k = 0; k < count; k++) compare_slot(&all, analysis, without, with, slot + k);
        if (!trackers[slot]) {
            is_lost |= all.loses;
        } else if (all.loses || !all.gains) {
            is_same = false;
            trackers[slot] = NULL;
        }
        *has_some |= trackers[slot] != NULL;
        slot += count;
    }
    *has_some &= !is_same;
    return is_same && !is_lost;
}
