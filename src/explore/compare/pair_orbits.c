#include "explore/compare/pair_orbits.h"

#include "base/clock.h"
#include "base/memory.h"
#include "explore/space/idle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_SECONDS = 1, TICK = 1 << 10 }; /* to count pairs */

/* ---- both states in one ---- */

/* Fields as the cells of both models: those of the abstract one lie behind. */
static const struct layout *join_layouts(struct pair_orbits *orbits) {
    struct layout *joined = ARENA_NEW(&orbits->arena, struct layout);
    const struct layout *own[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        own[side] = orbits->sides[side].search->layout;
        joined->field_count += own[side]->field_count;
        joined->stored_words += own[side]->stored_words;
    }
    joined->word_count = joined->stored_words;
    joined->stored_bytes = joined->stored_words * (uint32_t)sizeof(uint64_t);
    joined->fields = ARENA_ARRAY(&orbits->arena, struct packed, joined->field_count + 1);
    joined->initial = ARENA_ARRAY(&orbits->arena, uint64_t, joined->stored_words + 1);
    for (int side = 0, field = 0, word = 0; side < SIDE_COUNT; side++) {
        for (uint32_t i = 0; i < own[side]->field_count; i++, field++) {
            joined->fields[field] = own[side]->fields[i];
            joined->fields[field].word += (uint32_t)word;
        }
        memcpy(joined->initial + word, own[side]->initial,
               own[side]->stored_words * sizeof(uint64_t));
        word += (int)own[side]->stored_words;
    }
    return joined;
}

static void join_states(const struct pair_orbits *orbits, const uint64_t *const states[SIDE_COUNT],
                        uint64_t *pair) {
    uint32_t words = orbits->sides[SIDE_CONCRETE].words;
    memcpy(pair, states[SIDE_CONCRETE], words * sizeof *pair);
    memcpy(pair + words, states[SIDE_ABSTRACT], orbits->sides[SIDE_ABSTRACT].words * sizeof *pair);
}

static void join_nodes(const struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT],
                       uint64_t *pair) {
    const uint64_t *states[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        assert(nodes[side] < orbits->sides[side].count);
        states[side] = orbits->sides[side].nodes[nodes[side]].state;
    }
    join_states(orbits, states, pair);
}

/* ---- begin and end ---- */

static void open_side(struct pair_orbits *orbits, enum side side, const struct search *search) {
    struct pair_side *own = &orbits->sides[side];
    own->search = search;
    own->words = search->layout->stored_words;
    own->state = layout_state(search->layout, NULL);
    own->successor = layout_state(search->layout, NULL);
    expander_init(&own->expander, search->program);
    own->expander.is_plain = true;
    own->expander.machine.deadline = orbits->ledger->deadline;
    own->expander.max_size = orbits->ledger->max_size;
}

bool pair_orbits_init(struct pair_orbits *orbits, const struct joint_symmetry *joint,
                      const struct view *view, const struct search *const searches[SIDE_COUNT],
                      bool is_stuttering, struct ledger *ledger) {
    *orbits = (struct pair_orbits){
        .view = view, .ledger = ledger, .is_stuttering = is_stuttering, .row = PAIR_NONE};
    arena_init(&orbits->arena);
    for (int side = 0; side < SIDE_COUNT; side++) {
        assert(searches[side]->is_complete && searches[side]->program->canon);
        open_side(orbits, (enum side)side, searches[side]);
    }
    const struct layout *layout = join_layouts(orbits);
    orbits->words = layout->stored_words;
    orbits->pair = heap_resize(NULL, orbits->words + 1, sizeof *orbits->pair);
    orbits->other = heap_resize(NULL, orbits->words + 1, sizeof *orbits->other);
    canon_work_init(&orbits->work, canon_new(&orbits->arena, layout, joint->both));
    bool is_fine = store_init(&orbits->store, layout, ledger_left(ledger), 0);
    if (!is_fine) ledger->limit = LIMIT_MEMORY;
    ledger->stores[SIDE_COUNT] = &orbits->store;
    return is_fine;
}

void pair_orbits_close(struct pair_orbits *orbits) {
    struct ledger *ledger = orbits->ledger;
    ledger_fits(ledger, 0); /* notes the peak */
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct pair_side *own = &orbits->sides[side];
        LEDGER_GIVE(ledger, own->visible, own->nodes, own->numbers, own->classes);
        expander_close(&own->expander);
        free(own->state);
        free(own->successor);
    }
    ledger->stores[SIDE_COUNT] = NULL;
    store_close(&orbits->store);
    canon_work_close(&orbits->work);
    arena_close(&orbits->arena);
    free(orbits->pair);
    free(orbits->other);
}

/* ---- rows ---- */

/* The row of the pair at hand, which becomes canonical. */
static uint32_t row_of(struct pair_orbits *orbits, bool is_added) {
    bool is_new;
    canon_apply(&orbits->work, orbits->other);
    uint64_t hash = store_hash(&orbits->store, orbits->other);
    if (!is_added) {
        uint32_t row = store_find(&orbits->store, orbits->other, hash);
        return row == STORE_FULL ? PAIR_NONE : row;
    }
    if (!ledger_refill(orbits->ledger, &orbits->store, &orbits->shelf)) return PAIR_NONE;
    return store_add(&orbits->store, &orbits->shelf, orbits->other, hash, &is_new);
}

static void take_initial(const struct pair_orbits *orbits, uint64_t *pair) {
    const uint64_t *states[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++)
        states[side] = orbits->sides[side].search->layout->initial;
    join_states(orbits, states, pair);
}

bool pair_orbits_start_alike(struct pair_orbits *orbits) {
    uint64_t *visible[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct layout *layout = orbits->sides[side].search->layout;
        visible[side] = ARENA_ARRAY(&orbits->arena, uint64_t, orbits->view->word_count + 1);
        view_project(orbits->view, (enum side)side, layout->initial, visible[side]);
    }
    return !memcmp(visible[0], visible[1], orbits->view->word_count * sizeof(uint64_t));
}

uint32_t pair_orbits_add_initial(struct pair_orbits *orbits) {
    take_initial(orbits, orbits->other);
    return row_of(orbits, true);
}

uint32_t pair_orbits_find(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]) {
    join_nodes(orbits, nodes, orbits->other);
    return row_of(orbits, false);
}

uint32_t pair_orbits_add(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]) {
    join_nodes(orbits, nodes, orbits->other);
    return row_of(orbits, true);
}

/* ---- looks ---- */

static int compare_words(const uint64_t *one, const uint64_t *other, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (one[i] != other[i]) return one[i] < other[i] ? -1 : 1;
    return 0;
}

/* By what is visible, then by the state. */
static int compare_nodes(const struct pair_orbits *orbits, int side, const struct pair_node *one,
                         const struct pair_node *other) {
    int order = compare_words(one->visible, other->visible, orbits->view->word_count);
    return order ? order : compare_words(one->state, other->state, orbits->sides[side].words);
}

/* Down the heap below a place. */
static void sift(const struct pair_orbits *orbits, int side, uint32_t place, uint32_t count) {
    assert(place < count && count <= orbits->sides[side].count);
    struct pair_node *nodes = orbits->sides[side].nodes, node = nodes[place];
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && compare_nodes(orbits, side, &nodes[child], &nodes[child + 1]) < 0)
            child++;
        if (compare_nodes(orbits, side, &node, &nodes[child]) >= 0) break;
        nodes[place] = nodes[child];
    }
    nodes[place] = node;
}

/* Sorts the nodes of a side, and keeps each state once. */
static void sort_nodes(const struct pair_orbits *orbits, struct pair_side *own, int side) {
    struct pair_node *nodes = own->nodes;
    uint32_t kept = 0;
    for (uint32_t i = own->count / 2; i-- > 0;) sift(orbits, side, i, own->count);
    for (uint32_t end = own->count; end > 1;) {
        struct pair_node last = nodes[--end];
        nodes[end] = nodes[0];
        nodes[0] = last;
        sift(orbits, side, 0, end);
    }
    for (uint32_t i = 0; i < own->count; i++)
        if (!kept || compare_words(nodes[i].state, nodes[kept - 1].state, own->words) != 0)
            nodes[kept++] = nodes[i];
    own->count = kept;
}

static bool make_nodes(struct pair_orbits *orbits, struct pair_side *own) {
    struct ledger *ledger = orbits->ledger;
    size_t words = orbits->view->word_count, need = (size_t)own->count + 1;
    if (!LEDGER_ROOM(ledger, own->visible, need * words) ||
        !LEDGER_ROOM(ledger, own->nodes, need) || !LEDGER_ROOM(ledger, own->numbers, need) ||
        !LEDGER_ROOM(ledger, own->classes, need))
        return false;
    return true;
}

/* The successors of a state of a side. */
static bool expand(struct pair_orbits *orbits, int side) {
    struct pair_side *own = &orbits->sides[side];
    struct expander *expander = &own->expander;
    expander_clear(expander);
    bool is_fine = expander_run(expander, own->state);
    own->can_idle = is_fine && (!has_urgency(own->search->program) || expander_can_idle(expander));
    if (!is_fine || expander_is_cut(expander)) {
        assert(expander_is_cut(expander)); /* all values that are reached fit the layout */
        orbits->ledger->limit = expander_limit(expander);
        return false;
    }
    uint32_t degree = expander_degree(expander);
    bool is_idle = !degree && orbits->is_stuttering;
    own->count = is_idle ? 1 : degree;
    if (!make_nodes(orbits, own)) return false;
    for (uint32_t i = 0; i < own->count; i++) {
        uint64_t *visible = own->visible + (size_t)i * orbits->view->word_count;
        const uint64_t *state =
            is_idle ? own->state : expander_state(expander, expander->first + i);
        own->nodes[i] = (struct pair_node){state, visible, is_idle ? NO_STEP : i};
        memcpy(own->successor, state, own->words * sizeof *state);
        view_project(orbits->view, (enum side)side, own->successor, visible);
    }
    sort_nodes(orbits, own, side);
    return true;
}

/* Numbers what the nodes of both sides look like. */
static void classify(struct pair_orbits *orbits) {
    struct pair_side *sides = orbits->sides;
    uint32_t at[SIDE_COUNT] = {0, 0};
    for (uint32_t class = 0; at[0] < sides[0].count || at[1] < sides[1].count; class ++) {
        const uint64_t *least = NULL;
        for (int side = 0; side < SIDE_COUNT; side++) {
            if (at[side] == sides[side].count) continue;
            const uint64_t *own = sides[side].nodes[at[side]].visible;
            if (!least || compare_words(own, least, orbits->view->word_count) < 0) least = own;
        }
        for (int side = 0; side < SIDE_COUNT; side++)
            for (;
                 at[side] < sides[side].count && !compare_words(sides[side].nodes[at[side]].visible,
                                                                least, orbits->view->word_count);
                 at[side]++) {
                sides[side].numbers[at[side]] = at[side];
                sides[side].classes[at[side]] = class;
            }
    }
}

/* Looks at the pair as it is. */
static bool look(struct pair_orbits *orbits) {
    const uint64_t *state = orbits->pair;
    canon_base(&orbits->work, orbits->pair);
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct pair_side *own = &orbits->sides[side];
        memcpy(own->state, state, own->words * sizeof *state);
        state += own->words;
        if (!expand(orbits, side)) return false;
    }
    classify(orbits);
    return true;
}

bool pair_orbits_look(struct pair_orbits *orbits, uint32_t row) {
    assert(row != PAIR_NONE);
    if (orbits->row == row) return true;
    orbits->row = PAIR_NONE;
    store_load(&orbits->store, row, orbits->pair);
    if (!look(orbits)) return false;
    orbits->row = row;
    return true;
}

bool pair_orbits_look_initial(struct pair_orbits *orbits) {
    orbits->row = PAIR_NONE;
    take_initial(orbits, orbits->pair);
    return look(orbits);
}

bool pair_orbits_look_at(struct pair_orbits *orbits, const uint32_t nodes[SIDE_COUNT]) {
    orbits->row = PAIR_NONE;
    join_nodes(orbits, nodes, orbits->pair);
    return look(orbits);
}

bool pair_orbits_size(struct pair_orbits *orbits, uint64_t *pairs) {
    uint32_t end = (uint32_t)store_count(&orbits->store) - (orbits->shelf.end - orbits->shelf.next);
    double end_time = clock_seconds() + COUNT_SECONDS;
    *pairs = 0;
    for (uint32_t row = 0; row < end; row++) {
        if (row % TICK == 0 && clock_seconds() > end_time) return false;
        store_load(&orbits->store, row, orbits->other);
        uint64_t size = canon_orbit_size(&orbits->work, orbits->other);
        if (__builtin_add_overflow(*pairs, size, pairs)) return false;
    }
    return !orbits->work.is_cut;
}
