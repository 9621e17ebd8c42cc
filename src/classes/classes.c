/* Classes with owners, trackers and keys, as far as these gain something; and what was found. */
#include "classes/classes.h"

#include "approx/labels/domain.h"
#include "approx/pin.h"
#include "classes/solve.h"
#include "classes/tracker.h"
#include "model/errors.h"

#include <assert.h>

/* Rounds with trackers, each with fewer of them; rounds with keys, and how many more there are
 * where keys have to keep the symmetry (Y18). */
enum { MOST_TRACKER_ROUNDS = 3, MOST_KEY_ROUNDS = 6, MORE_KEY_ROUNDS = 2 };

struct classes {
    struct points points;
    struct needed_assignments needed;
    struct key_search *key_search; /* or NULL */
    const char *may_fail;          /* or NULL */
    bool tell_apart;               /* by keys, what may change places */
};

/* Whether classes rely on the original having no runtime errors (V14) although it has some: then
 * all classes have to be found anew. The original is asked only if some classes rely on it. */
static bool relies_wrongly(struct classes *classes, const struct analysis *analysis) {
    if (!classes->may_fail) return false;
    enum known_errors known = errors_known(analysis->options.errors);
    if (known == ERRORS_NONE) classes->may_fail = NULL;
    return known == ERRORS_SOME;
}

static struct classes *find(struct arena *arena, struct analysis *analysis, bool is_all_or_nothing,
                            bool is_strict, classes_wanted wanted, const void *context) {
    struct classes *classes = ARENA_NEW(arena, struct classes);
    const struct solve_request all = {.arena = arena,
                                      .analysis = analysis,
                                      .is_all_or_nothing = is_all_or_nothing,
                                      .is_strict = is_strict};
    points_init(&classes->points, arena, analysis, NULL, NULL, wanted, NULL, context);
    classes->may_fail = solve_points(&classes->points, &all);
    if (!classes_are_complete(classes) && is_all_or_nothing) classes->may_fail = NULL;
    return classes;
}

struct classes *classes_find(struct arena *arena, struct analysis *analysis, bool is_all_or_nothing,
                             classes_wanted wanted, const void *context) {
    struct classes *classes = find(arena, analysis, is_all_or_nothing,
                                   errors_are_found(analysis->options.errors), wanted, context);
    return relies_wrongly(classes, analysis)
               ? find(arena, analysis, is_all_or_nothing, true, wanted, context)
               : classes;
}

/* A request, and whether nothing may rely on there being no runtime errors. */
struct parting {
    const struct classes_request *request;
    bool is_strict;
};

/* Finds classes with these owners and keys. Without keys it starts a search for some. */
static struct classes *part(const struct parting *parting, const struct owners *owners,
                            const struct point_keys *keys) {
    const struct classes_request *request = parting->request;
    assert(owners);
    struct classes *classes = ARENA_NEW(request->arena, struct classes);
    const struct solve_request all = {
        .arena = request->arena,
        .analysis = request->analysis,
        .queries = request->queries,
        .query_count = request->query_count,
        .is_strict = parting->is_strict,
        .needed = &classes->needed,
        .key_search = request->may_have_keys && !keys ? &classes->key_search : NULL};
    points_init(&classes->points, request->arena, request->analysis, owners, keys, request->wanted,
                request->common, request->context);
    classes->points.has_parts = true;
    if (request->begun) points_begin(&classes->points, request->begun, request->context);
    points_keep_ranges(&classes->points);
    points_keep_initial(&classes->points);
    classes->needed.arena = request->arena;
    map_init(&classes->needed.by_edge, request->arena);
    classes->may_fail = solve_points(&classes->points, &all);
    return classes;
}

static const struct symmetry *find_symmetry(const struct classes_request *request) {
    return symmetry_find(request->arena, request->analysis->network, request->queries,
                         request->query_count, SYMMETRY_QUICK_LOOK);
}

static struct classes *part_by_keys(const struct parting *parting, struct classes *without) {
    const struct classes_request *request = parting->request;
    bool is_found = false;
    if (!without->key_search) return without;
    if (request->key_requested) {
        const struct point_keys *requested =
            key_search_requested(without->key_search, request->key_requested, request->context);
        return requested ? part(parting, without->points.owners, requested) : without;
    }
    const struct point_keys *keys = key_search_next(without->key_search, NULL, &is_found);
    const struct symmetry *symmetry = NULL;
    int most = MOST_KEY_ROUNDS;
    for (int round = 0; keys && round < most; round++) {
        const struct point_keys *tried = keys;
        struct classes *with = part(parting, without->points.owners, tried);
        keys = key_search_next(without->key_search, &with->points, &is_found);
        if (!is_found) continue;
        if (!symmetry) symmetry = find_symmetry(request);
        keys = key_search_keep(without->key_search, tried, symmetry, &with->tell_apart);
        if (!request->keeps_symmetry || !with->tell_apart) return with;
        most = MOST_KEY_ROUNDS + MORE_KEY_ROUNDS;
    }
    return without;
}

static struct classes *part_by_trackers(const struct parting *parting,
                                        const struct classes_shared *shared) {
    const struct classes_request *request = parting->request;
    struct arena *arena = request->arena;
    struct analysis *analysis = request->analysis;
    struct foreign *foreign = shared->foreign;
    struct classes *found = part(parting, shared->owners, NULL);
    if (!request->may_have_trackers) return found;
    const struct process **trackers =
        trackers_find(arena, analysis, &found->points, request->queries, request->query_count);
    bool has_some = trackers;
    for (int round = 0; has_some && round < MOST_TRACKER_ROUNDS; round++) {
        struct classes *tracked =
            part(parting, owners_find(arena, analysis->network, foreign, trackers), NULL);
        if (trackers_gain(analysis, &found->points, &tracked->points, trackers, &has_some))
            return tracked;
    }
    return found;
}

static struct classes *part_with(const struct parting *parting,
                                 const struct classes_shared *shared) {
    return part_by_keys(parting, part_by_trackers(parting, shared));
}

static struct classes_shared share(const struct classes_request *request) {
    struct analysis *analysis = request->analysis;
    struct foreign *foreign = foreign_new(request->arena, analysis);
    return (struct classes_shared){analysis, foreign,
                                   owners_find(request->arena, analysis->network, foreign, NULL)};
}

/* With what requests before have found. Work is summed up over all of them, and each pair of
 * processes counts once: as long as that is not over, none would have been over by itself. Else it
 * is found anew, so that nothing depends on the requests before. */
static struct classes *part_all(const struct parting *parting) {
    const struct classes_request *request = parting->request;
    struct classes_shared own, *shared = request->shared;
    if (shared && shared->foreign && !foreign_is_over(shared->foreign)) {
        assert(shared->analysis == request->analysis);
        struct classes *classes = part_with(parting, shared);
        if (!foreign_is_over(shared->foreign)) return classes;
    }
    own = share(request);
    if (shared && !shared->foreign) *shared = own;
    return part_with(parting, &own);
}

struct classes *classes_part(const struct classes_request *request) {
    struct parting parting = {request, errors_are_found(request->analysis->options.errors)};
    struct classes *classes = part_all(&parting);
    if (!relies_wrongly(classes, request->analysis)) return classes;
    parting.is_strict = true;
    return part_all(&parting);
}

/* ---- questions about the result ---- */

const char *classes_may_fail(const struct classes *classes) { return classes->may_fail; }

static uint32_t slot_of_variable(const struct network *network, const struct template *template,
                                 const struct symbol *symbol, uint32_t offset) {
    if (symbol->scope == SCOPE_GLOBAL) return variable_slot(network, NULL, symbol, offset);
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == template)
            return variable_slot(network, &network->processes[p], symbol, offset);
    return NO_SLOT;
}

bool classes_is_one(const struct classes *classes, const struct template *template,
                    uint32_t location, const struct symbol *symbol, uint32_t offset,
                    int32_t *value) {
    const struct network *network = classes->points.network;
    uint32_t slot = slot_of_variable(network, template, symbol, offset);
    if (slot == NO_SLOT) return false;
    bool is_shared = slot_is_shared(network, slot);
    const struct class_point *point = point_of(&classes->points, slot, is_shared ? 0 : location);
    if (value) *value = point->representative;
    return point->is_one;
}

bool classes_are_complete(const struct classes *classes) {
    bool is_any = false;
    for (uint32_t i = 0; i < classes->points.count; i++)
        is_any |= classes->points.list[i].is_one && classes->points.list[i].is_open;
    return is_any && !classes->points.apart_count;
}

struct analysis *classes_pin(const struct classes *classes, const struct analysis *analysis) {
    const struct network *network = classes->points.network;
    assert(analysis->network == network);
    struct analysis *pinned = analysis_copy(analysis);
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        assert(!classes->points.owners);
        for (uint32_t n = 0; n < points_count_of(&classes->points, slot); n++) {
            const struct class_point *point = point_of(&classes->points, slot, n);
            assert(!point->is_one || point->is_wanted);
            if (point->is_one && point->is_open)
                analysis_pin(pinned, slot, n, point->representative);
        }
    }
    return pinned;
}

bool classes_tell_apart(const struct classes *classes) { return classes->tell_apart; }

bool classes_have_trackers(const struct classes *classes) {
    return classes->points.owners->has_trackers;
}

uint32_t classes_location_after(const struct classes *classes, const struct template *template,
                                const struct edge *edge, uint32_t slot) {
    const struct owners *owners = classes->points.owners;
    const struct process *owner = points_owner(&classes->points, slot);
    if (!owner || owner->template == template) return edge->target;
    assert(template_has_edge(template, edge));
    bool is_late = edge->leaves_branchpoint || (edge->sync && !edge->is_send);
    return (uint32_t)value_set_at(foreign_find(owners->foreign, owner, template, edge, is_late), 0);
}

const struct process *classes_owner(const struct classes *classes, uint32_t slot) {
    return points_owner(&classes->points, slot);
}

/* The number of a slot's point: the location, or 0 where one point is for all times. */
static uint32_t number_at(const struct classes *classes, uint32_t slot, uint32_t location) {
    return points_owner(&classes->points, slot) ? location : 0;
}

const struct point_key *classes_key(const struct classes *classes, uint32_t slot,
                                    uint32_t location) {
    return point_key(&classes->points, slot, number_at(classes, slot, location));
}

const struct class_point *classes_point(const struct classes *classes, uint32_t slot,
                                        uint32_t location, uint32_t index) {
    return point_at(&classes->points, slot, number_at(classes, slot, location), index);
}

bool classes_key_has(const struct classes *classes, uint32_t slot, uint32_t location,
                     uint32_t index) {
    const struct point_key *key = classes_key(classes, slot, location);
    uint32_t number = number_at(classes, slot, location);
    assert(key && index < key->count);
    return value_set_has(points_at(&classes->points, key->slot, number)->values,
                         key->values[index]);
}

bool classes_next_exchange(const struct classes *classes, const struct edge *edge,
                           const struct needed_assignment **at, const struct symbol **variable) {
    *at = *at ? (*at)->next : map_get(&classes->needed.by_edge, map_key(edge));
    if (!*at) return false;
    *variable = classes->points.network->slots[(*at)->point->group->slot].symbol;
    return true;
}

/* A point after an edge; a keyed one is there once at most, another one perhaps several times. */
static const struct needed_assignment *find_needed(const struct classes *classes,
                                                   const struct edge *edge,
                                                   const struct class_point *point) {
    const struct needed_assignment *own = map_get(&classes->needed.by_edge, map_key(edge));
    while (own && own->point != point) own = own->next;
    return own;
}

bool classes_are_exchanged(const struct classes *classes, const struct edge *edge,
                           const struct class_point *point) {
    return find_needed(classes, edge, point) != NULL;
}

const struct select_use *classes_exchange_selects(const struct classes *classes,
                                                  const struct edge *edge,
                                                  const struct class_point *point) {
    const struct needed_assignment *own = find_needed(classes, edge, point);
    return own ? own->selects : NULL;
}
