#include "classes/key_search.h"

#include "approx/labels/domain.h"

#include <assert.h>
#include <string.h>

/* Pairs of cells that are looked at, and keys that are tried for one cell. */
enum { MOST_PAIRS = 1 << 20, MOST_TRIED = 4 };

/* A cell that runs read together with another. */
struct companion {
    uint32_t slot;
    uint32_t function_count; /* functions that do so */
    uint32_t last;           /* the last of them */
};

/* A cell that may be keyed, in the first of the processes that have it. */
struct keyed_cell {
    uint32_t slot;
    VEC(struct companion) companions; /* the best ones first, once all are known */
    uint32_t tried;                   /* of these */
    bool is_tried;                    /* with the last keys */
    bool is_lone;                     /* its key would not move with it */
};

struct key_search {
    struct arena *arena;
    const struct network *network;
    const struct points *without;
    uint32_t *cell_of; /* by slot: which cell, plus 1; 0 = it may not be keyed */
    bool *has_cells;   /* by the first slot of a variable: some cell of it may be keyed */
    VEC(struct keyed_cell) cells;
    uint32_t *read; /* slots that a run reads */
    uint32_t function_count;
    uint64_t pairs;
};

/* ---- which cells ---- */

/* Whether all its processes have the same points: what tells these apart cannot be told with what a
 * key tells. */
static bool has_common_points(const struct key_search *search, uint32_t slot) {
    const struct network *network = search->network;
    const struct slot *own = &network->slots[slot];
    for (uint32_t p = 0; own->process && p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != own->process->template) continue;
        const struct binding *binding = &process->locals[own->symbol->index];
        if (own->offset >= binding->shape->cell_count) continue;
        uint32_t other = network->slot_of[binding->address + own->offset];
        if (search->without->first_of[other] != search->without->first_of[slot]) return false;
        if (process->index < own->process->index) return false; /* not the first */
    }
    return true;
}

/* A variable that is handed over has points for that, too, and what has a tracker is named by
 * others.
 */
static bool is_in_one_transit(const struct key_search *search, uint32_t slot) {
    const struct owners *owners = search->without->owners;
    const struct slot *own = &search->network->slots[slot];
    if (!slot_is_shared(search->network, slot)) return true;
    return !own->process && !owners->list[slot - own->offset].transit_count &&
           !owners->has_trackers;
}

static bool is_apart_at(const struct class_point *point) {
    return !point_is_merged(point) && value_set_size(point->values) > 1;
}

static bool may_gain_at(const struct class_point *point) {
    return point->is_wanted && point->is_open && !point->is_one;
}

static bool may_be_keyed(const struct key_search *search, uint32_t slot) {
    const struct points *points = search->without;
    if (!point_may_be_one(search->network, slot) || !is_in_one_transit(search, slot) ||
        !has_common_points(search, slot))
        return false;
    for (uint32_t n = 0; n < points_count_of(points, slot); n++)
        if (may_gain_at(point_of(points, slot, n))) return true;
    return false;
}

struct key_search *key_search_new(struct arena *arena, const struct points *without) {
    const struct network *network = without->network;
    struct key_search *search = ARENA_NEW(arena, struct key_search);
    assert(!without->keys);
    *search = (struct key_search){.arena = arena, .network = network, .without = without};
    search->cell_of = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    search->has_cells = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    search->read = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    for (uint32_t slot = 0; slot < network->slot_count; slot++)
        if (may_be_keyed(search, slot)) {
            VEC_PUSH(arena, &search->cells, (struct keyed_cell){.slot = slot});
            search->cell_of[slot] = search->cells.count;
            search->has_cells[slot - network->slots[slot].offset] = true;
        }
    return search;
}

/* ---- what is read together ---- */

static bool are_of_one(const struct key_search *search, uint32_t slot, uint32_t key) {
    const struct network *network = search->network;
    return slot_is_shared(network, slot) == slot_is_shared(network, key) &&
           points_owner(search->without, slot) == points_owner(search->without, key);
}

static void note_pair(struct key_search *search, struct keyed_cell *cell, uint32_t key) {
    for (uint32_t i = 0; i < cell->companions.count; i++) {
        struct companion *own = &cell->companions.items[i];
        if (own->slot != key) continue;
        own->function_count += own->last != search->function_count;
        own->last = search->function_count;
        return;
    }
    assert(key != cell->slot);
    VEC_PUSH(search->arena, &cell->companions, (struct companion){key, 1, search->function_count});
}

static void note_run(struct key_search *search, const struct function_runs *runs,
                     const struct run *run) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->step_count; i++) {
        uint32_t address = runs->steps.items[run->first_step + i].address;
        uint32_t slot =
            address < search->network->cell_count ? search->network->slot_of[address] : NO_SLOT;
        if (slot != NO_SLOT && count < search->network->slot_count) search->read[count++] = slot;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = search->cell_of[search->read[i]];
        for (uint32_t k = 0; number && k < count && search->pairs < MOST_PAIRS;
             k++, search->pairs++)
            if (k != i && are_of_one(search, search->read[i], search->read[k]))
                note_pair(search, &search->cells.items[number - 1], search->read[k]);
    }
}

bool key_search_wants(const struct key_search *search, uint32_t slot) {
    assert(!search->network->slots[slot].offset);
    return search->has_cells[slot];
}

void key_search_pass(struct key_search *search) { search->function_count++; }

void key_search_note(struct key_search *search, const struct function_runs *runs) {
    search->function_count++;
    for (uint32_t i = 0; i < runs->list.count && search->pairs < MOST_PAIRS; i++)
        note_run(search, runs, &runs->list.items[i]);
}

/* The best ones first: stable, so that of equal ones the first that was read is. */
static void sort_companions(struct keyed_cell *cell) {
    struct companion *list = cell->companions.items;
    for (uint32_t i = 1; i < cell->companions.count; i++) {
        struct companion own = list[i];
        uint32_t at = i;
        for (; at && list[at - 1].function_count < own.function_count; at--)
            list[at] = list[at - 1];
        list[at] = own;
    }
}

/* ---- keys ---- */

/* The slot of the same cell in another process; NO_SLOT if there is none. */
static uint32_t slot_in(const struct key_search *search, uint32_t slot,
                        const struct process *process) {
    const struct slot *own = &search->network->slots[slot];
    const struct binding *binding = &process->locals[own->symbol->index];
    if (!binding->shape || own->offset >= binding->shape->cell_count) return NO_SLOT;
    return search->network->slot_of[binding->address + own->offset];
}

/* False if there are too many. */
static bool add_value(int32_t *values, uint32_t *count, int32_t value) {
    uint32_t at = 0;
    while (at < *count && values[at] < value) at++;
    if (at < *count && values[at] == value) return true;
    if (*count == MOST_KEY_VALUES) return false;
    memmove(values + at + 1, values + at, (*count - at) * sizeof *values);
    values[at] = value;
    assert((!at || values[at - 1] < value) && (at == *count || value < values[at + 1]));
    ++*count;
    return true;
}

/* A key of a cell, which is filled in process by process. */
struct key_draft {
    const struct key_search *search;
    struct point_key *key;
    int32_t *values;
    bool *counts_at;
    uint32_t point_count;
    bool is_requested; /* whether it gains or not, and where, is known */
    bool is_refused;
    const struct point_key **of; /* by slot */
};

static void narrow_points(void *context, uint32_t slot, uint32_t key) {
    struct key_draft *draft = context;
    const struct points *points = draft->search->without;
    for (uint32_t n = 0; n < draft->point_count && !draft->is_requested; n++)
        draft->counts_at[n] &=
            is_apart_at(point_of(points, key, n)) && may_gain_at(point_of(points, slot, n));
    draft->is_refused |= draft->of[key] || !point_may_be_one(points->network, key) ||
                         !is_in_one_transit(draft->search, key);
}

static void add_values(void *context, uint32_t slot, uint32_t key) {
    struct key_draft *draft = context;
    (void)slot;
    for (uint32_t n = 0; n < draft->point_count; n++) {
        const struct value_set *values = point_of(draft->search->without, key, n)->values;
        uint64_t count = draft->counts_at[n] ? value_set_size(values) : 0;
        draft->is_refused |= count > MOST_KEY_VALUES;
        for (uint64_t i = 0; i < count && !draft->is_refused; i++)
            draft->is_refused |=
                !add_value(draft->values, &draft->key->count, value_set_at(values, i));
    }
}

static void enter_key(void *context, uint32_t slot, uint32_t key) {
    struct key_draft *draft = context;
    struct point_key *own = ARENA_NEW(draft->search->arena, struct point_key);
    *own = *draft->key;
    assert(slot != key && !draft->of[slot] && !draft->of[key]);
    assert(own->count >= 2 && own->count <= MOST_KEY_VALUES);
    own->slot = key;
    draft->of[slot] = own;
}

/* Calls for a pair of slots of each process that has the cell; a shared one counts once. */
typedef void (*pair_found)(void *context, uint32_t slot, uint32_t key);
static bool each_pair(const struct key_search *search, uint32_t slot, uint32_t key,
                      pair_found found, void *context) {
    const struct network *network = search->network;
    const struct process *first = network->slots[slot].process;
    if (!first) {
        found(context, slot, key);
        return true;
    }
    for (uint32_t p = first->index; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != first->template) continue;
        uint32_t own = slot_in(search, slot, process), other = slot_in(search, key, process);
        if (own == NO_SLOT) continue;
        if (other == NO_SLOT) return false;
        found(context, own, other);
    }
    return true;
}

static struct key_draft draft_key(const struct key_search *search, struct point_keys *keys,
                                  struct point_key *key, uint32_t slot) {
    struct arena *arena = search->arena;
    assert(key->count == 0 && !keys->of[slot]);
    struct key_draft draft = {.search = search,
                              .key = key,
                              .values = ARENA_ARRAY(arena, int32_t, MOST_KEY_VALUES),
                              .point_count = points_count_of(search->without, slot),
                              .of = keys->of};
    draft.counts_at = ARENA_ARRAY(arena, bool, draft.point_count);
    memset(draft.counts_at, true, draft.point_count * sizeof *draft.counts_at);
    return draft;
}

/* False if the other cell cannot be the key of the cell. */
static bool take_key(struct key_draft *draft, uint32_t slot, uint32_t key) {
    const struct key_search *search = draft->search;
    if (!has_common_points(search, key) || !are_of_one(search, slot, key) ||
        !each_pair(search, slot, key, narrow_points, draft) || draft->is_refused)
        return false;
    each_pair(search, slot, key, add_values, draft);
    if (draft->is_refused || draft->key->count < 2) return false;
    draft->key->values = draft->values;
    draft->key->counts_at = draft->counts_at;
    return each_pair(search, slot, key, enter_key, draft);
}

/* The next companion that can be its key now; false if there is none. */
static bool take_next(const struct key_search *search, struct point_keys *keys,
                      struct keyed_cell *cell) {
    uint32_t most = cell->companions.count < MOST_TRIED ? cell->companions.count : MOST_TRIED;
    for (; cell->tried < most; cell->tried++) {
        struct point_key key = {.count = 0};
        struct key_draft draft = draft_key(search, keys, &key, cell->slot);
        if (take_key(&draft, cell->slot, cell->companions.items[cell->tried].slot)) return true;
    }
    return false;
}

/* All cells of a variable have as many points of one number. */
static void find_strides(const struct key_search *search, struct point_keys *keys) {
    const struct network *network = search->network;
    struct map most; /* by variable */
    map_init(&most, search->arena);
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        uint64_t key = map_key(network->slots[slot].symbol);
        uint32_t own = keys->of[slot] ? keys->of[slot]->count : 1;
        if (own > (uintptr_t)map_get(&most, key)) map_put(&most, key, (void *)(uintptr_t)own);
    }
    for (uint32_t slot = 0; slot < network->slot_count; slot++)
        keys->strides[slot] =
            (uint32_t)(uintptr_t)map_get(&most, map_key(network->slots[slot].symbol));
}

/* A key has no key itself, and a keyed cell is no key. */
static bool can_have_key(const struct key_search *search, const struct point_keys *keys,
                         uint32_t slot) {
    for (uint32_t i = 0; i < search->network->slot_count; i++)
        if (keys->of[i] && keys->of[i]->slot == slot) return false;
    return true;
}

static struct point_keys *keys_new(const struct key_search *search) {
    uint32_t count = search->network->slot_count;
    struct point_keys *keys = ARENA_NEW(search->arena, struct point_keys);
    keys->of = ARENA_ARRAY(search->arena, const struct point_key *, count + 1);
    keys->strides = ARENA_ARRAY(search->arena, uint32_t, count + 1);
    keys->keyed = ARENA_ARRAY(search->arena, uint32_t, count + 1);
    return keys;
}

/* NULL if there are none. */
static const struct point_keys *complete(const struct key_search *search, struct point_keys *keys) {
    for (uint32_t slot = 0; slot < search->network->slot_count; slot++)
        if (keys->of[slot]) keys->keyed[keys->keyed_count++] = slot;
    find_strides(search, keys);
    return keys->keyed_count ? keys : NULL;
}

static const struct point_keys *make_keys(struct key_search *search) {
    struct point_keys *keys = keys_new(search);
    for (uint32_t i = 0; i < search->cells.count; i++) {
        struct keyed_cell *cell = &search->cells.items[i];
        cell->is_tried = !cell->is_lone && can_have_key(search, keys, cell->slot) &&
                         take_next(search, keys, cell);
    }
    return complete(search, keys);
}

/* ---- what came of them ---- */

static bool gains(const struct key_search *search, const struct points *with, uint32_t slot) {
    for (uint32_t n = 0; n < points_count_of(with, slot); n++)
        for (uint32_t i = 0; i < points_at_count(with, slot, n); i++)
            if (point_at(with, slot, n, i)->is_open &&
                !point_refines(point_at(with, slot, n, i), point_of(search->without, slot, n)))
                return true;
    return false;
}

/* Whether some point has more classes than it had. */
static bool is_lost(const struct key_search *search, const struct points *with) {
    for (uint32_t slot = 0; slot < search->network->slot_count; slot++)
        for (uint32_t n = 0; n < points_count_of(with, slot); n++)
            for (uint32_t i = 0; i < points_at_count(with, slot, n); i++)
                if (!point_refines(point_of(search->without, slot, n), point_at(with, slot, n, i)))
                    return true;
    return false;
}

const struct point_keys *key_search_next(struct key_search *search, const struct points *with,
                                         bool *is_found) {
    bool is_same = with != NULL;
    assert(!with || with->keys);
    for (uint32_t i = 0; i < search->cells.count; i++) {
        struct keyed_cell *cell = &search->cells.items[i];
        if (!with) sort_companions(cell);
        if (!with || !cell->is_tried || gains(search, with, cell->slot)) continue;
        cell->tried++;
        is_same = false;
    }
    *is_found = is_same && !is_lost(search, with);
    return is_same ? NULL : make_keys(search);
}

/* ---- whole orbits ---- */

/* Whether the key of a slot goes where the slot does. */
static bool moves_with_key(const struct point_keys *keys, const struct symmetry *symmetry,
                           uint32_t slot, uint32_t left, uint32_t right) {
    const struct point_key *own = keys->of[slot];
    const struct point_key *other = keys->of[symmetry_image(symmetry, slot, left, right)];
    return other && other->slot == symmetry_image(symmetry, own->slot, left, right);
}

/* Whether the key of a slot goes where the slot does, for each two elements of a block. */
static bool is_in_orbit(const struct point_keys *keys, const struct symmetry *symmetry,
                        uint32_t slot) {
    for (uint32_t i = 0; i < symmetry->block_count; i++) {
        const struct symmetry_block *block = &symmetry->blocks[i];
        for (uint32_t k = 1; k < block->count; k++)
            for (uint32_t n = 0; n < k; n++)
                if (!moves_with_key(keys, symmetry, slot, block->first + n, block->first + k))
                    return false;
    }
    return true;
}

/* A cell stands for those of all processes of its template. */
static void note_lone(struct key_search *search, uint32_t slot) {
    const struct slot *own = &search->network->slots[slot];
    for (uint32_t i = 0; i < search->cells.count; i++) {
        struct keyed_cell *cell = &search->cells.items[i];
        const struct slot *other = &search->network->slots[cell->slot];
        if (other->symbol == own->symbol && other->offset == own->offset) cell->is_lone = true;
    }
}

const struct point_keys *key_search_keep(struct key_search *search, const struct point_keys *keys,
                                         const struct symmetry *symmetry, bool *tell_apart) {
    assert(symmetry->network == search->network);
    *tell_apart = false;
    for (uint32_t i = 0; i < keys->keyed_count && symmetry->block_count; i++) {
        if (is_in_orbit(keys, symmetry, keys->keyed[i])) continue;
        note_lone(search, keys->keyed[i]);
        *tell_apart = true;
    }
    return *tell_apart ? make_keys(search) : NULL;
}

/* ---- requested keys ---- */

/* A cell has one key only: the first that is requested. */
static void take_requested(const struct key_search *search, struct point_keys *keys, uint32_t slot,
                           classes_key_requested requested, const void *context) {
    const struct slot *own = &search->network->slots[slot];
    const struct process *owner = points_owner(search->without, slot);
    struct point_key key = {.count = 0};
    struct key_draft draft = draft_key(search, keys, &key, slot);
    uint32_t found = NO_SLOT, other;
    draft.is_requested = true;
    for (uint32_t n = 0; n < draft.point_count; n++) {
        draft.counts_at[n] = requested(context, owner, n, own->symbol, own->offset, &other) &&
                             (found == NO_SLOT || found == other);
        if (draft.counts_at[n]) found = other;
    }
    if (found != NO_SLOT && found != slot) take_key(&draft, slot, found);
}

const struct point_keys *key_search_requested(struct key_search *search,
                                              classes_key_requested requested,
                                              const void *context) {
    struct point_keys *keys = keys_new(search);
    for (uint32_t slot = 0; slot < search->network->slot_count; slot++)
        if (point_may_be_one(search->network, slot) && is_in_one_transit(search, slot) &&
            has_common_points(search, slot) && can_have_key(search, keys, slot))
            take_requested(search, keys, slot, requested, context);
    return complete(search, keys);
}
