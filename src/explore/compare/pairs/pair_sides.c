#include "explore/compare/pairs/pair_sides.h"

#include "explore/successor/idle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- begin and end ---- */

void pair_sides_open(struct pair_sides *sides, const struct search *const searches[SIDE_COUNT]) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct pair_side *own = &sides->of[side];
        own->search = searches[side];
        own->words = own->search->layout->stored_words;
        own->state = layout_state(own->search->layout, NULL);
        own->successor = layout_state(own->search->layout, NULL);
        expander_init(&own->expander, own->search->program);
        own->expander.is_plain = true;
        own->expander.is_recording = side == SIDE_CONCRETE && sides->is_gone;
        own->expander.machine.deadline = sides->ledger->deadline;
        own->expander.max_size = sides->ledger->max_size;
    }
}

void pair_sides_close(struct pair_sides *sides) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct pair_side *own = &sides->of[side];
        LEDGER_GIVE(sides->ledger, own->visible, own->nodes, own->numbers, own->classes,
                    own->kinds);
        expander_close(&own->expander);
        free(own->state);
        free(own->successor);
    }
}

bool pair_sides_start_alike(const struct pair_sides *sides) {
    size_t words = sides->view->word_count;
    uint64_t *visible[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        visible[side] = heap_resize(NULL, words + 1, sizeof(uint64_t));
        view_project(sides->view, (enum side)side, sides->of[side].search->layout->initial,
                     visible[side]);
    }
    bool is_alike = !memcmp(visible[0], visible[1], words * sizeof(uint64_t));
    for (int side = 0; side < SIDE_COUNT; side++) free(visible[side]);
    return is_alike;
}

/* ---- order ---- */

static int compare_words(const uint64_t *one, const uint64_t *other, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (one[i] != other[i]) return one[i] < other[i] ? -1 : 1;
    return 0;
}

/* By what is visible, then by the state. */
static int compare_nodes(const struct pair_sides *sides, int side, const struct pair_node *one,
                         const struct pair_node *other) {
    int order = compare_words(one->visible, other->visible, sides->view->word_count);
    return order ? order : compare_words(one->state, other->state, sides->of[side].words);
}

/* Down the heap below a place. */
static void sift(const struct pair_sides *sides, int side, uint32_t place, uint32_t count) {
    assert(place < count && count <= sides->of[side].count);
    struct pair_node *nodes = sides->of[side].nodes, node = nodes[place];
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && compare_nodes(sides, side, &nodes[child], &nodes[child + 1]) < 0)
            child++;
        if (compare_nodes(sides, side, &node, &nodes[child]) >= 0) break;
        nodes[place] = nodes[child];
    }
    nodes[place] = node;
}

/* One node for two steps to a state. */
static void join_steps(struct pair_node *node, const struct pair_node *other) {
    if (!(node->kinds & STEP_SEEN)) node->step = other->step;
    if (!(node->kinds & STEP_SILENT)) node->silent = other->silent;
    node->kinds |= other->kinds;
}

/* Sorts the nodes of a side, and keeps each state once. */
static void sort_nodes(const struct pair_sides *sides, struct pair_side *own, int side) {
    struct pair_node *nodes = own->nodes;
    uint32_t kept = 0;
    for (uint32_t i = own->count / 2; i-- > 0;) sift(sides, side, i, own->count);
    for (uint32_t end = own->count; end > 1;) {
        struct pair_node last = nodes[--end];
        nodes[end] = nodes[0];
        nodes[0] = last;
        sift(sides, side, 0, end);
    }
    for (uint32_t i = 0; i < own->count; i++)
        if (!kept || compare_words(nodes[i].state, nodes[kept - 1].state, own->words) != 0)
            nodes[kept++] = nodes[i];
        else
            join_steps(&nodes[kept - 1], &nodes[i]);
    own->count = kept;
}

/* ---- looks ---- */

/* Room for all nodes, and one more. */
static bool make_nodes(struct pair_sides *sides, struct pair_side *own) {
    struct ledger *ledger = sides->ledger;
    size_t words = sides->view->word_count, need = (size_t)own->count + 1;
    return LEDGER_ROOM(ledger, own->visible, need * words) &&
           LEDGER_ROOM(ledger, own->nodes, need) && LEDGER_ROOM(ledger, own->numbers, need) &&
           LEDGER_ROOM(ledger, own->classes, need) && LEDGER_ROOM(ledger, own->kinds, need);
}

/* Makes a node of a state at a place. */
static struct pair_node *put_node(const struct pair_sides *sides, struct pair_side *own, int side,
                                  uint32_t at, const uint64_t *state) {
    uint64_t *visible = own->visible + (size_t)at * sides->view->word_count;
    struct pair_node *node = &own->nodes[at];
    *node = (struct pair_node){state, visible, NO_STEP, NO_STEP, STEP_SEEN};
    memcpy(own->successor, state, own->words * sizeof *state);
    view_project(sides->view, (enum side)side, own->successor, visible);
    return node;
}

/* Notes which step leads to a node; still: the state that it leaves. */
static void put_step(const struct pair_sides *sides, const struct pair_side *own,
                     struct pair_node *node, const struct pair_node *still, uint32_t step) {
    const struct expander *expander = &own->expander;
    node->step = step;
    if (!expander->is_recording ||
        !step_is_of_gone(expander, &expander->records.items[step], sides->is_gone) ||
        compare_words(node->visible, still->visible, sides->view->word_count) != 0)
        return;
    node->step = NO_STEP;
    node->silent = step;
    node->kinds = STEP_SILENT;
}

/* The successors of a state of a side. */
static bool expand(struct pair_sides *sides, int side) {
    struct pair_side *own = &sides->of[side];
    struct expander *expander = &own->expander;
    expander_clear(expander);
    bool is_fine = expander_run(expander, own->state);
    own->can_idle = is_fine && (!has_urgency(own->search->program) || expander_can_idle(expander));
    if (!is_fine || expander_is_cut(expander)) {
        assert(expander_is_cut(expander)); /* all values that are reached fit the layout */
        sides->ledger->limit = expander_limit(expander);
        return false;
    }
    uint32_t degree = expander_degree(expander);
    bool is_idle = !degree && sides->is_stuttering;
    own->count = is_idle ? 1 : degree;
    if (!make_nodes(sides, own)) return false;
    const struct pair_node *still = &own->nodes[own->count];
    if (sides->is_gone) put_node(sides, own, side, own->count, own->state);
    for (uint32_t i = 0; i < degree; i++)
        put_step(sides, own,
                 put_node(sides, own, side, i, expander_state(expander, expander->first + i)),
                 still, i);
    if (is_idle) put_node(sides, own, side, 0, own->state);
    struct pair_node itself = sides->is_gone ? *still : (struct pair_node){0};
    sort_nodes(sides, own, side);
    for (uint32_t i = 0; i < own->count; i++) own->kinds[i] = own->nodes[i].kinds;
    if (sides->is_gone) own->nodes[own->count] = itself;
    return true;
}

/* Numbers what the nodes of both sides look like. */
static void classify(struct pair_sides *sides) {
    struct pair_side *of = sides->of;
    uint32_t at[SIDE_COUNT] = {0, 0};
    for (uint32_t class = 0; at[0] < of[0].count || at[1] < of[1].count; class ++) {
        const uint64_t *least = NULL;
        for (int side = 0; side < SIDE_COUNT; side++) {
            if (at[side] == of[side].count) continue;
            const uint64_t *own = of[side].nodes[at[side]].visible;
            if (!least || compare_words(own, least, sides->view->word_count) < 0) least = own;
        }
        for (int side = 0; side < SIDE_COUNT; side++)
            for (; at[side] < of[side].count &&
                   !compare_words(of[side].nodes[at[side]].visible, least, sides->view->word_count);
                 at[side]++) {
                of[side].numbers[at[side]] = at[side];
                of[side].classes[at[side]] = class;
            }
    }
}

bool pair_sides_look(struct pair_sides *sides, const uint64_t *const states[SIDE_COUNT]) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct pair_side *own = &sides->of[side];
        memmove(own->state, states[side], own->words * sizeof *own->state);
    }
    for (int side = 0; side < SIDE_COUNT; side++)
        if (!expand(sides, side)) return false;
    classify(sides);
    return true;
}
