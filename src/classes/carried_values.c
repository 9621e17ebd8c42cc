#include "classes/carried_values.h"

#include "approx/labels/domain.h"

#include <assert.h>

struct carried_search {
    const struct points *points;
    const struct function_part *function;
    slot_may_be_written may_be_written;
    carried_found found;
    void *context;
};

static bool is_keyed(const struct points *points, uint32_t slot) {
    return points->keys && points->keys->of[slot];
}

static void find_carried_value(const struct carried_search *search, struct carried_value carried) {
    assert(carried.before->values && carried.after->values);
    if (carried.before->is_open && !point_refines(carried.before, carried.after))
        search->found(search->context, carried);
}

/* The cells of a variable, from its first slot on, from one of its points to another. */
static void look_at(const struct carried_search *search, uint32_t first, uint32_t count,
                    uint32_t before, uint32_t after) {
    const struct network *network = search->points->network;
    const uint32_t *slots = &network->slot_of[network->slots[first].address];
    assert(count && first + count <= network->slot_count);
    if (!points_at(search->points, first, before)->group->open_count) return;
    for (uint32_t k = 0; k < count; k++) {
        if (is_keyed(search->points, slots[k])) continue; /* the key counts as well */
        find_carried_value(search,
                           (struct carried_value){slots[k], NO_SLOT,
                                                  point_of(search->points, slots[k], before),
                                                  point_of(search->points, slots[k], after)});
    }
}

static const struct value_set *key_values(const struct points *points, const struct point_key *key,
                                          uint32_t number) {
    return points_at(points, key->slot, number)->values;
}

/* Whether an update that does not write the key leads from one point of a keyed slot to another, by
 * their indices. */
static bool keeps_key(const struct points *points, const struct point_key *key, uint32_t slot,
                      const uint32_t *numbers, const uint32_t *indices) {
    bool counts_before = point_key(points, slot, numbers[0]);
    bool counts_after = point_key(points, slot, numbers[1]);
    if (!counts_after) return true;
    if (counts_before) return indices[0] == indices[1];
    return value_set_has(key_values(points, key, numbers[0]), key->values[indices[1]]);
}

/* A key has the same value after the update, or any value if the update may write it. */
static void look_at_keyed(void *context, uint32_t slot) {
    const struct carried_search *search = context;
    const struct points *points = search->points;
    const struct point_key *key = points->keys->of[slot];
    const uint32_t numbers[] = {point_before(points, search->function, slot),
                                point_after(points, search->function, slot)};
    assert(key->slot != slot && !is_keyed(points, key->slot)); /* a key has none itself */
    bool is_written = search->may_be_written(search->context, key->slot);
    if (numbers[0] == numbers[1] && !is_written) return;
    for (uint32_t i = 0; i < points_at_count(points, slot, numbers[0]); i++)
        for (uint32_t k = 0; k < points_at_count(points, slot, numbers[1]); k++) {
            const uint32_t indices[] = {i, k};
            if (is_written || keeps_key(points, key, slot, numbers, indices))
                find_carried_value(search,
                                   (struct carried_value){slot, key->slot,
                                                          point_at(points, slot, numbers[0], i),
                                                          point_at(points, slot, numbers[1], k)});
        }
}

/* A variable of the process itself, or owned by it, while it moves. */
static void look_at_own(const struct carried_search *search, uint32_t slot) {
    const struct points *points = search->points;
    const struct slot *own = &points->network->slots[slot];
    const struct function_part *function = search->function;
    bool is_shared = slot_is_shared(points->network, slot);
    assert(points_owner(points, slot) == function->process && !own->offset);
    if (function->location == function->edge->target ||
        (is_shared && receivers_overwrite(points, function, slot)))
        return;
    uint32_t count = is_shared ? points->owners->list[slot].cell_count
                               : function->process->locals[own->symbol->index].shape->cell_count;
    look_at(search, slot, count, function->location, function->edge->target);
}

static void look_at_process(const struct carried_search *search) {
    const struct network *network = search->points->network;
    const struct owners *owners = search->points->owners;
    const struct process *process = search->function->process;
    for (uint32_t i = 0; i < process->template->symbol_count; i++) {
        const struct binding *binding = &process->locals[i];
        uint32_t slot = binding->shape ? network->slot_of[binding->address] : NO_SLOT;
        if (slot != NO_SLOT && !slot_is_shared(network, slot)) look_at_own(search, slot);
    }
    uint32_t slot = owners ? owners->first_at[process->index] : NO_SLOT;
    for (; slot != NO_SLOT; slot = owners->list[slot].next) look_at_own(search, slot);
}

/* A receiver finds the value in transit that the variable had before the step, if its sender has
 * not written it. */
static void look_at_transits(const struct carried_search *search) {
    const struct owners *owners = search->points->owners;
    const struct function_part *function = search->function;
    if (!owners || !function_sends(function)) return;
    for (const struct transit *transit = transits_of_edge(owners, function->edge); transit;
         transit = transit->next_in_group)
        look_at(search, transit->slot, transit->cell_count, 0, 1 + transit->number);
}

void each_carried_own(const struct points *points, const struct function_part *function,
                      carried_found found, void *context) {
    struct carried_search search = {
        .points = points, .function = function, .found = found, .context = context};
    assert(function_has_update(function));
    look_at_process(&search);
}

void each_carried_cell(const struct points *points, const struct function_part *function,
                       uint32_t slot, carried_found found, void *context) {
    struct carried_search search = {
        .points = points, .function = function, .found = found, .context = context};
    assert(function_has_update(function));
    look_at_own(&search, slot);
}

void each_carried_other(const struct points *points, const struct function_part *function,
                        slot_may_be_written may_be_written, carried_found found, void *context) {
    struct carried_search search = {points, function, may_be_written, found, context};
    assert(function_has_update(function));
    look_at_transits(&search);
    each_keyed(points, function, look_at_keyed, &search);
}

void each_keyed(const struct points *points, const struct function_part *function,
                keyed_found found, void *context) {
    for (uint32_t i = 0; points->keys && i < points->keys->keyed_count; i++) {
        uint32_t slot = points->keys->keyed[i];
        const struct process *owner = points_owner(points, slot);
        if (!owner || owner == function->process) found(context, slot);
    }
}

/* A keyed slot, and what all runs of a function have in common for it. */
struct passages {
    const struct function_runs *runs;
    uint32_t slot;
    const struct point_key *key;
    const struct value_set *values;     /* of the key, before */
    struct class_point *before, *after; /* the first of those that the key tells apart */
    bool counts_before, counts_after;
    bool may_be[MOST_KEY_VALUES]; /* by value of the key */
    uint64_t left_at; /* the clock of the points when a run that reads no key, and writes
                                     neither, told nothing new; 0 = never */
    passage_found found;
    void *context;
};

static struct class_point *point_by_key(const struct passages *passages, struct class_point *first,
                                        bool counts, int32_t value) {
    uint32_t index = counts ? key_index(passages->key, value) : 0;
    return counts && index == passages->key->count ? NULL : first + index;
}

/* One value that the key has before the run, or any, and what is after it. */
static bool find_passage(const struct passages *passages, struct key_passage *passage,
                         int32_t before, int32_t after) {
    passage->before = point_by_key(passages, passages->before, passages->counts_before, before);
    passage->after = point_by_key(passages, passages->after, passages->counts_after, after);
    return !passage->before || !passage->after || passages->found(passages->context, *passage);
}

static void find_passages(struct passages *passages, const struct run *run) {
    const struct function_runs *runs = passages->runs;
    const struct point_key *key = passages->key;
    const struct slot_write *write = run_write(runs, run, key->slot);
    struct key_passage passage = {.write = run_write(runs, run, passages->slot), .run = run};
    bool counts = passages->counts_before || (passages->counts_after && !write);
    bool leaves = !write && !passage.write, is_known = true;
    uint32_t index, count = counts ? key->count : 1;
    uint64_t now = runs->points->clock;
    assert(run->kind == OUTCOME_DONE);
    if (run_reads(runs, run, runs->network->slots[key->slot].address, &index)) {
        int32_t value = value_set_at(passages->values, index);
        find_passage(passages, &passage, value, write ? write->value : value);
        return;
    }
    if (leaves && passages->left_at == now) return;
    for (uint32_t i = 0; i < count; i++)
        if (!counts || passages->may_be[i])
            is_known &= find_passage(passages, &passage, key->values[i],
                                     write ? write->value : key->values[i]);
    if (leaves && is_known && runs->points->clock == now) passages->left_at = now;
}

void each_passage(const struct function_runs *runs, uint32_t slot, passage_found found,
                  void *context) {
    const struct points *points = runs->points;
    uint32_t before = point_before(points, runs->function, slot);
    uint32_t after = point_after(points, runs->function, slot);
    assert(is_keyed(points, slot));
    struct passages passages = {.runs = runs,
                                .slot = slot,
                                .key = points->keys->of[slot],
                                .before = point_at(points, slot, before, 0),
                                .after = point_at(points, slot, after, 0),
                                .counts_before = point_key(points, slot, before) != NULL,
                                .counts_after = point_key(points, slot, after) != NULL,
                                .found = found,
                                .context = context};
    passages.values = key_values(points, passages.key, before);
    assert(passages.key->count <= MOST_KEY_VALUES);
    for (uint32_t i = 0; i < passages.key->count; i++)
        passages.may_be[i] = value_set_has(passages.values, passages.key->values[i]);
    for (uint32_t i = 0; i < runs->list.count; i++)
        if (runs->list.items[i].kind == OUTCOME_DONE)
            find_passages(&passages, &runs->list.items[i]);
}
