#include "classes/point.h"

#include "base/debug.h"

#include "approx/labels/domain.h"

#include <assert.h>
#include <string.h>

/* Points of the cells of a local variable, in the processes that share them. */
struct numbered {
    const struct symbol *symbol;
    uint32_t first, first_group;
};

struct process_span {
    uint32_t begin, end; /* others may be between them */
};

struct numbering {
    struct points *points;
    struct analysis *analysis;
    struct arena *arena;
    const struct point_sharing *sharing;
    classes_wanted wanted;
    classes_common common;
    const void *context;
    struct map numbered; /* by binding in the first process that shares the points */
    uint32_t *group_of;  /* by slot: its group; of a local one, that at the first location */
    uint32_t group_count;
    struct point_group *groups;
    struct process_span *spans; /* by template: where its processes are */
    int32_t lower, upper; /* of the slot that is looked at, in all processes of the template */
    int32_t initial;      /* the initial value in the first of these processes */
};

static uint32_t location_count(const struct template *template) {
    return template->location_count + template->branchpoint_count;
}

bool point_may_be_one(const struct network *network, uint32_t slot) {
    const struct slot *own = &network->slots[slot];
    return !own->is_scalar && !own->is_meta &&
           !effects_find(&network->before_update, own->symbol) &&
           !effects_find(&network->after_update, own->symbol);
}

/* By process, the first that shares the points of a local variable. */
static const uint32_t *firsts_of(const struct numbering *numbering, const struct symbol *symbol) {
    bool is_common = !numbering->common || numbering->common(numbering->context, symbol);
    return is_common ? numbering->sharing->of_template : numbering->sharing->of_arguments;
}

static struct process_span *spans_of(struct arena *arena, const struct network *network) {
    struct process_span *spans =
        ARENA_ARRAY(arena, struct process_span, network->model->template_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        struct process_span *span = &spans[network->processes[p].template->index];
        if (!span->end) span->begin = p;
        span->end = p + 1;
    }
    return spans;
}

/* Finds what the slot can hold in every process that has it. */
static void find_range(struct numbering *numbering, uint32_t slot) {
    const struct network *network = numbering->points->network;
    const struct slot *own = &network->slots[slot];
    numbering->lower = own->lower;
    numbering->upper = own->upper;
    numbering->initial = own->initial;
    bool is_first = true;
    if (slot_is_shared(network, slot)) return;
    const struct process_span *span = &numbering->spans[own->process->template->index];
    for (uint32_t p = span->begin; p < span->end; p++) {
        const struct process *process = &network->processes[p];
        const struct binding *binding = &process->locals[own->symbol->index];
        if (process->template != own->process->template ||
            own->offset >= binding->shape->cell_count)
            continue;
        const struct slot *other =
            &network->slots[network->slot_of[binding->address + own->offset]];
        if (other->lower > numbering->lower) numbering->lower = other->lower;
        if (other->upper < numbering->upper) numbering->upper = other->upper;
        if (is_first) numbering->initial = other->initial;
        is_first = false;
    }
}

static bool fits(const struct numbering *numbering, int32_t value) {
    return value >= numbering->lower && value <= numbering->upper;
}

/* The initial value where it can be held, else the least that fits, of the first. */
static int32_t representative(const struct numbering *numbering, const struct class_point *point) {
    const struct value_set *values = point->values;
    uint64_t count = value_set_size(values);
    if (!count || (value_set_has(values, point->initial) && fits(numbering, point->initial)))
        return point->initial;
    for (uint64_t i = 0; i < count && i < MOST_PARTED; i++)
        if (fits(numbering, value_set_at(values, i))) return value_set_at(values, i);
    return value_set_at(values, 0);
}

static bool is_told_apart(const struct class_point *point) {
    return point->is_wanted && point->is_open && !point->is_one;
}

/* A cell counts once, however many points its key tells apart. */
static void init_group(struct point_group *group, const struct class_point *point, bool is_first) {
    group->merged_count += point_is_merged(point);
    group->open_count += point_is_merged(point) && point->is_open;
    if (point->is_open && is_first) group->combinations *= (double)value_set_size(point->values);
}

/* The template is that of the process that tells the points apart, by location. */
static void init_point(const struct numbering *numbering, struct class_point *point, uint32_t slot,
                       const struct template *template, uint32_t location, bool is_first) {
    const struct network *network = numbering->points->network;
    const struct slot *own = &network->slots[slot];
    bool is_begin = template && location == template->initial;
    assert(!point->values && location < points_count_of(numbering->points, slot)); /* once each */
    point->initial = is_begin ? own->initial : numbering->initial;
    point->values = slot_is_shared(network, slot)
                        ? &numbering->analysis->shared[slot]
                        : analysis_values(numbering->analysis, template, location, own->symbol,
                                          own->offset, false);
    point->is_open = value_set_size(point->values) > 1;
    point->is_wanted =
        numbering->wanted(numbering->context, template, location, own->symbol, own->offset);
    point->is_one = point->is_wanted && point_may_be_one(network, slot) &&
                    numbering->analysis->is_tracked[slot];
    point->representative = representative(numbering, point);
    point->is_one &= !point->is_open || fits(numbering, point->representative);
    assert(!point->is_one || !point->is_open ||
           value_set_has(point->values, point->representative));
    numbering->points->apart_count += is_told_apart(point);
    point->group = &numbering->groups[numbering->group_of[slot] + location];
    if (!own->offset) {
        point->group->slot = slot;
        point->group->number = location;
    }
    init_group(point->group, point, is_first);
}

/* Of a local variable in the processes that share its points, as sizes of arrays may differ. */
static uint32_t most_cells(const struct network *network, const struct slot *own,
                           const uint32_t *firsts) {
    uint32_t most = 0;
    for (uint32_t p = 0; p < network->process_count; p++) {
        if (firsts[p] != firsts[own->process->index]) continue;
        uint32_t count = network->processes[p].locals[own->symbol->index].shape->cell_count;
        if (count > most) most = count;
    }
    assert(own->offset < most);
    return most;
}

/* Points of one number. */
static uint32_t stride_of(const struct points *points, uint32_t slot) {
    return points->keys ? points->keys->strides[slot] : 1;
}

static void number_local(struct numbering *numbering, uint32_t slot) {
    struct points *points = numbering->points;
    const struct slot *own = &points->network->slots[slot];
    const struct template *template = own->process->template;
    const uint32_t *firsts = firsts_of(numbering, own->symbol);
    const struct process *first = &points->network->processes[firsts[own->process->index]];
    const struct binding *binding = &first->locals[own->symbol->index];
    struct numbered *numbered = map_get(&numbering->numbered, map_key(binding));
    uint32_t count = location_count(template) * stride_of(points, slot);
    if (!numbered) {
        uint32_t cells = most_cells(points->network, own, firsts);
        numbered = ARENA_NEW(numbering->arena, struct numbered);
        *numbered = (struct numbered){own->symbol, points->count, numbering->group_count};
        points->count += cells * count;
        numbering->group_count += location_count(template);
        map_put(&numbering->numbered, map_key(binding), numbered);
    }
    assert(numbered->symbol == own->symbol && first->template == template);
    assert(own->offset < own->process->locals[own->symbol->index].shape->cell_count);
    points->first_of[slot] = numbered->first + own->offset * count;
    numbering->group_of[slot] = numbered->first_group;
}

static void number_shared(struct numbering *numbering, uint32_t slot) {
    const struct slot *slots = numbering->points->network->slots;
    bool goes_on = slot && slots[slot - 1].symbol == slots[slot].symbol &&
                   slots[slot - 1].process == slots[slot].process;
    assert(!goes_on || slots[slot].offset == slots[slot - 1].offset + 1);
    uint32_t count = points_count_of(numbering->points, slot);
    numbering->points->first_of[slot] = numbering->points->count;
    numbering->points->count += count * stride_of(numbering->points, slot);
    numbering->group_of[slot] = goes_on ? numbering->group_of[slot - 1] : numbering->group_count;
    if (!goes_on) numbering->group_count += count;
}

static void number_slots(struct numbering *numbering) {
    struct points *points = numbering->points;
    uint32_t count = points->network->slot_count;
    numbering->group_of = ARENA_ARRAY(numbering->arena, uint32_t, count + 1);
    for (uint32_t slot = 0; slot < count; slot++) {
        if (slot_is_shared(points->network, slot))
            number_shared(numbering, slot);
        else
            number_local(numbering, slot);
    }
    points->list = ARENA_ARRAY(numbering->arena, struct class_point, points->count + 1);
    numbering->groups =
        ARENA_ARRAY(numbering->arena, struct point_group, numbering->group_count + 1);
    for (uint32_t i = 0; i < numbering->group_count; i++) numbering->groups[i].combinations = 1;
}

/* The key of a keyed slot, where it counts. */
static void tell_key_apart(struct points *points, uint32_t slot) {
    for (uint32_t n = 0; n < points_count_of(points, slot); n++) {
        const struct point_key *key = point_key(points, slot, n);
        struct class_point *point = key ? point_of(points, key->slot, n) : NULL;
        if (point && point_is_merged(point)) point_tell_apart(points, point);
    }
}

/* Every point is one class of all its values, but those that the context wants apart. */
void points_init(struct points *points, struct arena *arena, struct analysis *analysis,
                 const struct owners *owners, const struct point_keys *keys, classes_wanted wanted,
                 classes_common common, const void *context) {
    const struct network *network = analysis->network;
    struct numbering numbering = {.points = points,
                                  .analysis = analysis,
                                  .arena = arena,
                                  .sharing = sharing_find(arena, network),
                                  .spans = spans_of(arena, network),
                                  .wanted = wanted,
                                  .common = common,
                                  .context = context};
    *points = (struct points){
        .network = network, .owners = owners, .keys = keys, .clock = 1, .arena = arena};
    points->first_of = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    map_init(&numbering.numbered, arena);
    number_slots(&numbering);
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        if (points_at(points, slot, 0)->values) continue; /* another process has it too */
        const struct process *owner = points_owner(points, slot);
        find_range(&numbering, slot);
        for (uint32_t n = 0; n < points_count_of(points, slot); n++)
            for (uint32_t k = 0; k < points_at_count(points, slot, n); k++)
                init_point(&numbering, point_at(points, slot, n, k), slot,
                           owner ? owner->template : NULL, n, !k);
    }
    for (uint32_t i = 0; keys && i < keys->keyed_count; i++) tell_key_apart(points, keys->keyed[i]);
}

/* The owner of a shared slot, with its points in transit; NULL for a local one. */
static const struct variable_owner *owner_of(const struct points *points, uint32_t slot) {
    const struct network *network = points->network;
    if (!points->owners || !slot_is_shared(network, slot)) return NULL;
    return &points->owners->list[slot - network->slots[slot].offset];
}

const struct process *points_owner(const struct points *points, uint32_t slot) {
    const struct variable_owner *owner = owner_of(points, slot);
    if (owner) return owner->process;
    return slot_is_shared(points->network, slot) ? NULL : points->network->slots[slot].process;
}

uint32_t points_count_of(const struct points *points, uint32_t slot) {
    const struct process *owner = points_owner(points, slot);
    const struct variable_owner *variable = owner_of(points, slot);
    return owner ? location_count(owner->template) : 1 + (variable ? variable->transit_count : 0);
}

const struct point_key *point_key(const struct points *points, uint32_t slot, uint32_t number) {
    const struct point_key *key = points->keys ? points->keys->of[slot] : NULL;
    return key && key->counts_at[number] ? key : NULL;
}

uint32_t points_at_count(const struct points *points, uint32_t slot, uint32_t number) {
    const struct point_key *key = point_key(points, slot, number);
    return key ? key->count : 1;
}

struct class_point *point_at(const struct points *points, uint32_t slot, uint32_t number,
                             uint32_t index) {
    assert(slot < points->network->slot_count && number < points_count_of(points, slot));
    assert(index < points_at_count(points, slot, number));
    return &points->list[points->first_of[slot] + number * stride_of(points, slot) + index];
}

struct class_point *point_of(const struct points *points, uint32_t slot, uint32_t number) {
    assert(!point_key(points, slot, number));
    return point_at(points, slot, number, 0);
}

struct class_point *point_while(const struct points *points, uint32_t slot, uint32_t number,
                                int32_t value) {
    const struct point_key *key = point_key(points, slot, number);
    uint32_t index = key ? key_index(key, value) : 0;
    return key && index == key->count ? NULL : point_at(points, slot, number, index);
}

uint32_t point_in_transit(const struct points *points, uint32_t slot, const struct edge *edge) {
    const struct variable_owner *owner = owner_of(points, slot);
    const struct transit *transit = owner ? transit_on(owner, points->owners, edge) : NULL;
    return transit ? 1 + transit->number : 0;
}

static void change(struct points *points, struct class_point *point, const uint32_t *stands_for) {
    assert(point_is_merged(point));
    struct point_group *group = point->group;
    bool was_one = point->is_one;
    point->is_one = false;
    point->stands_for = stands_for;
    if (was_one) points->apart_count += is_told_apart(point);
    assert(group->merged_count && group->open_count >= point->is_open);
    group->merged_count -= !point_is_merged(point);
    group->open_count -= !point_is_merged(point) && point->is_open;
    group->changed_at = ++points->clock;
    if (points->notes_changes && !group->is_noted) VEC_PUSH(points->arena, &points->changed, group);
    group->is_noted |= points->notes_changes;
    assert(points->apart_count <= points->count);
}

void point_tell_apart(struct points *points, struct class_point *point) {
    change(points, point, NULL);
}

void point_split(struct points *points, struct class_point *point, const uint32_t *stands_for) {
    uint32_t count = (uint32_t)value_set_size(point->values);
    bool is_merged = false;
    assert(count == value_set_size(point->values));
    for (uint32_t i = 0; i < count; i++) {
        assert(stands_for[i] < count && stands_for[stands_for[i]] == stands_for[i]);
        is_merged |= stands_for[i] != i;
    }
    uint32_t *copy = ARENA_ARRAY(points->arena, uint32_t, count + 1);
    memcpy(copy, stands_for, count * sizeof *copy);
    change(points, point, is_merged ? copy : NULL);
}

/* Index of a value of the set. */
static uint32_t value_index(const struct value_set *values, int32_t value) {
    uint64_t low = 0, high = value_set_size(values);
    assert(value_set_has(values, value));
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (value_set_at(values, middle) <= value)
            low = middle;
        else
            high = middle;
    }
    assert(value_set_at(values, low) == value);
    return (uint32_t)low;
}

uint32_t point_stands_for(const struct class_point *point, uint32_t index) {
    if (point->is_one) return value_index(point->values, point->representative);
    return point->stands_for ? point->stands_for[index] : index;
}

int32_t point_normal(const struct class_point *point, int32_t value) {
    if (point->is_one) return point->representative;
    if (!point->stands_for || !value_set_has(point->values, value)) return value;
    return value_set_at(point->values, point->stands_for[value_index(point->values, value)]);
}

/* A point before and one after, whose classes are compared. */
struct point_pair {
    const struct class_point *before, *after;
    bool is_by_index; /* both may hold the same values */
    uint32_t one;     /* index of the value that stands for all before, if one does */
};

static struct point_pair pair_of(const struct class_point *before,
                                 const struct class_point *after) {
    return (struct point_pair){.before = before,
                               .after = after,
                               .is_by_index = value_set_equal(before->values, after->values),
                               .one = before->is_one ? point_stands_for(before, 0) : 0};
}

static uint32_t stands_before(const struct point_pair *of, uint32_t index) {
    return of->before->is_one ? of->one : point_stands_for(of->before, index);
}

/* Whether two values of the point before are in one class after. */
static bool is_alike(const struct point_pair *of, uint32_t left, uint32_t right) {
    const struct class_point *after = of->after;
    const struct value_set *values = of->before->values;
    if (after->is_one) return true;
    if (of->is_by_index) return point_stands_for(after, left) == point_stands_for(after, right);
    return point_normal(after, value_set_at(values, left)) ==
           point_normal(after, value_set_at(values, right));
}

bool point_refines(const struct class_point *before, const struct class_point *after) {
    bool is_merged = point_is_merged(before) && !value_set_is_empty(before->values);
    if (after->is_one || !is_merged) return true;
    struct point_pair of = pair_of(before, after);
    uint64_t count = value_set_size(before->values); /* 2^32 if it may be any number */
    for (uint64_t i = 0; i < count; i++) {
        uint32_t other = stands_before(&of, (uint32_t)i);
        if (other != i && !is_alike(&of, (uint32_t)i, other)) return false;
    }
    return true;
}

/* The value that is to stand for one of these: that which did, or the first that has the same one
 * before and is like it after. */
static uint32_t refined(const struct point_pair *of, const uint32_t *stands_for, uint32_t index) {
    uint32_t old = stands_before(of, index);
    if (is_alike(of, index, old)) return old;
    for (uint32_t k = 0; k < index; k++)
        if (stands_for[k] == k && k != old && stands_before(of, k) == old && is_alike(of, index, k))
            return k;
    return index;
}

/* Splits classes of the point before until it refines; at most, into single values. */
void point_refine(struct points *points, struct class_point *before,
                  const struct class_point *after) {
    uint32_t stands_for[MOST_PARTED];
    uint64_t count = value_set_size(before->values);
    if (point_refines(before, after)) return;
    if (!points->has_parts || count > MOST_PARTED) {
        point_tell_apart(points, before);
        return;
    }
    struct point_pair of = pair_of(before, after);
    for (uint32_t i = 0; i < count; i++) stands_for[i] = refined(&of, stands_for, i);
    if (of.is_by_index && after->stands_for &&
        !memcmp(stands_for, after->stands_for, count * sizeof *stands_for))
        change(points, before, after->stands_for); /* which is never written to */
    else
        point_split(points, before, stands_for);
    DEBUG_CHECK(assert(point_refines(before, after)));
}

/* All points of a slot, one after the other. */
struct point_walk {
    uint32_t slot, number, index; /* of the point given last; index: from 1 */
};

static struct class_point *next_point(const struct points *points, struct point_walk *walk) {
    if (walk->index == points_at_count(points, walk->slot, walk->number)) {
        walk->index = 0;
        walk->number++;
    }
    assert(walk->slot < points->network->slot_count);
    if (walk->number == points_count_of(points, walk->slot)) return NULL;
    return point_at(points, walk->slot, walk->number, walk->index++);
}

void points_begin(struct points *points, classes_begun begun, const void *context) {
    const struct network *network = points->network;
    uint32_t stands_for[MOST_PARTED];
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        const struct slot *own = &network->slots[slot];
        const struct process *owner = points_owner(points, slot);
        struct point_walk walk = {.slot = slot};
        for (struct class_point *point; (point = next_point(points, &walk));) {
            bool is_large = value_set_size(point->values) > MOST_PARTED;
            struct cell_point cell = {.owner = owner,
                                      .location = walk.number,
                                      .symbol = own->symbol,
                                      .offset = own->offset,
                                      .key = point_key(points, slot, walk.number),
                                      .point = point};
            if (cell.key) cell.key_value = cell.key->values[walk.index - 1];
            if (!point->is_one || !point->is_open ||
                !begun(context, &cell, is_large ? NULL : stands_for))
                continue;
            if (is_large)
                point_tell_apart(points, point);
            else
                point_split(points, point, stands_for);
        }
    }
}

/* Splits the class of a value, which does not stand for itself, so that it does. */
static void keep_value(struct points *points, struct class_point *point, int32_t value) {
    uint32_t stands_for[MOST_PARTED];
    assert(point_is_merged(point) && point_normal(point, value) != value);
    uint64_t count = value_set_size(point->values);
    if (count > MOST_PARTED || !value_set_has(point->values, value)) {
        point_tell_apart(points, point);
        return;
    }
    for (uint32_t i = 0; i < count; i++) stands_for[i] = point_stands_for(point, i);
    uint32_t kept = value_index(point->values, value);
    stands_for[kept] = kept;
    point_split(points, point, stands_for);
    assert(point_normal(point, value) == value);
}

/* A representative has to fit into the slot; if it does not, each value stands for itself. */
static void keep_range(struct points *points, struct class_point *point, const struct slot *own) {
    uint32_t stands_for[MOST_PARTED];
    uint64_t count = value_set_size(point->values);
    bool fits = true;
    if (point->is_one)
        fits = point->representative >= own->lower && point->representative <= own->upper;
    if (!fits || count > MOST_PARTED) {
        if (!fits) point_tell_apart(points, point);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        int32_t value = value_set_at(point->values, i), normal = point_normal(point, value);
        bool is_inside = value >= own->lower && value <= own->upper && normal >= own->lower &&
                         normal <= own->upper;
        fits &= is_inside || value == normal;
        stands_for[i] = is_inside ? point_stands_for(point, i) : i;
    }
    if (!fits) point_split(points, point, stands_for);
}

void points_keep_ranges(struct points *points) {
    const struct network *network = points->network;
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        const struct slot *own = &network->slots[slot];
        struct point_walk walk = {.slot = slot};
        if (slot_is_shared(network, slot)) continue;
        for (struct class_point *point; (point = next_point(points, &walk));)
            if (point_is_merged(point)) keep_range(points, point, own);
    }
}

void points_keep_initial(struct points *points) {
    const struct network *network = points->network;
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        const struct slot *own = &network->slots[slot];
        if (slot_is_shared(network, slot)) continue;
        uint32_t initial = own->process->template->initial;
        for (uint32_t k = 0; k < points_at_count(points, slot, initial); k++) {
            struct class_point *point = point_at(points, slot, initial, k);
            if (point_is_merged(point) && point_normal(point, own->initial) != own->initial)
                keep_value(points, point, own->initial);
        }
    }
}

void points_check(const struct points *points) {
    uint32_t apart_count = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        const struct class_point *point = &points->list[i];
        if (!point->values) continue; /* of a cell that no process has */
        uint64_t count = value_set_size(point->values);
        apart_count += is_told_apart(point);
        assert(!point->is_one || !point->stands_for);
        assert(!point->is_open == (count <= 1) && point->group->open_count <= points->count);
        for (uint32_t k = 0; point->stands_for && k < count; k++)
            assert(point->stands_for[point->stands_for[k]] == point->stands_for[k]);
    }
    assert(apart_count == points->apart_count);
}

void points_tell_apart(struct points *points, uint32_t slot, uint32_t number) {
    for (uint32_t i = 0; i < points_at_count(points, slot, number); i++) {
        struct class_point *point = point_at(points, slot, number, i);
        if (point_is_merged(point)) point_tell_apart(points, point);
    }
}
