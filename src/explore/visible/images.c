#include "explore/visible/images.h"

#include "base/clock.h"
#include "base/memory.h"
#include "explore/successor/idle.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK = 1 << 14 };
#define NONE UINT32_MAX

/* Finds the abstract node of each class; false if some has several, or at a limit. */
static bool find_nodes(struct images *images) {
    const struct graph *abstract = &images->graphs[SIDE_ABSTRACT];
    uint64_t count = store_count(&images->classifier->store);
    images->nodes = ledger_take(images->classifier->ledger, count, sizeof *images->nodes);
    if (!images->nodes) return false;
    for (uint64_t i = 0; i < count; i++) images->nodes[i] = NONE;
    for (uint32_t i = 0; i < abstract->count; i++) {
        assert(abstract->classes[i] < count);
        if (images->nodes[abstract->classes[i]] != NONE) return false;
        images->nodes[abstract->classes[i]] = i;
    }
    return true;
}

static void make_room(struct images *images, uint32_t count) {
    size_t words = images->classifier->view->word_count;
    if (count <= images->capacity) return;
    images->capacity = count > images->expander.capacity ? count : images->expander.capacity;
    images->keys = heap_resize(images->keys, images->capacity, sizeof *images->keys);
    images->visible =
        heap_resize(images->visible, images->capacity, words * sizeof *images->visible);
}

/* The classes of the successors of the state that was expanded, in ascending order. */
static void find_classes(struct images *images, uint32_t count) {
    const struct expander *expander = &images->expander;
    const struct store *store = &images->classifier->store;
    const struct view *view = images->classifier->view;
    make_room(images, count);
    uint64_t *keys = images->keys, *visible = images->visible;
    for (uint32_t i = 0; i < count; i++, visible += view->word_count) {
        view_project(view, SIDE_CONCRETE, expander_state(expander, expander->first + i), visible);
        keys[i] = store_hash(store, visible);
        store_prefetch(store, keys[i]);
    }
    store_find_all(store, images->visible, keys, count); /* the search is complete */
    sort_keys(keys, count);
}

/* Whether the image follows the steps to classes and, for exact, has no others. */
static bool is_followed(const struct images *images, uint32_t image, uint32_t count) {
    const struct graph *abstract = &images->graphs[SIDE_ABSTRACT];
    struct node_list list = graph_successors(abstract, image);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i && images->keys[i] == images->keys[i - 1]) continue;
        while (at < list.count && abstract->classes[list.nodes[at]] < images->keys[i]) {
            if (images->moves[SIDE_ABSTRACT]) return false;
            at++;
        }
        if (at == list.count || abstract->classes[list.nodes[at]] != images->keys[i]) return false;
        at++;
    }
    return !images->moves[SIDE_ABSTRACT] || at == list.count;
}

/* The successors of the state that was expanded, by class and then by row. */
static void find_rows(struct images *images, uint32_t count) {
    const struct graph *concrete = &images->graphs[SIDE_CONCRETE];
    make_room(images, count);
    uint64_t *keys = images->keys;
    rows_of_successors(&images->expander, &concrete->search->store, keys);
    for (uint32_t i = 0; i < count; i++)
        keys[i] |= (uint64_t)concrete->classes[(uint32_t)keys[i]] << 32;
    sort_keys(keys, count);
}

static bool is_met(const struct images *images, uint32_t row) {
    return images->met[row / 64] >> row % 64 & 1;
}

/* Adds a row to those that are looked at, once; false if there is no memory. */
static bool meet(struct images *images, uint32_t row) {
    if (is_met(images, row)) return true;
    if (!LEDGER_ROOM(images->classifier->ledger, images->rows, (size_t)images->pair_count + 1))
        return false;
    images->met[row / 64] |= UINT64_C(1) << row % 64;
    images->rows[images->pair_count++] = row;
    return true;
}

/* Chooses a successor for each step of the image, rather one that was met before; false if there is
 * none, or no memory. */
static bool follow_image(struct images *images, uint32_t image, uint32_t count) {
    const struct graph *abstract = &images->graphs[SIDE_ABSTRACT];
    struct node_list list = graph_successors(abstract, image);
    uint32_t at = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t class = abstract->classes[list.nodes[i]];
        while (at < count && images->keys[at] >> 32 < class) at++;
        if (at == count || images->keys[at] >> 32 != class) return false;
        uint32_t chosen = (uint32_t)images->keys[at];
        for (uint32_t k = at; k < count && images->keys[k] >> 32 == class; k++) {
            if (!is_met(images, (uint32_t)images->keys[k])) continue;
            chosen = (uint32_t)images->keys[k];
            break;
        }
        if (!meet(images, chosen)) return false;
    }
    return true;
}

/* Whether time may pass in the state that was expanded or its image where it may in the other, if
 * that moves. */
static bool is_timed_alike(struct images *images, uint32_t image) {
    const struct graph *graphs = images->graphs;
    bool can_idle =
        !has_urgency(graphs[SIDE_CONCRETE].search->program) || expander_can_idle(&images->expander);
    bool image_can = graph_can_idle(&graphs[SIDE_ABSTRACT], image);
    return (!images->moves[SIDE_CONCRETE] || !can_idle || image_can) &&
           (!images->moves[SIDE_ABSTRACT] || !image_can || can_idle);
}

/* Whether the steps of the state that was expanded, so many, and of its image are followed. */
static bool are_followed(struct images *images, uint32_t row, uint32_t image, uint32_t count) {
    uint64_t class = images->graphs[SIDE_CONCRETE].classes[row];
    bool is_must = !images->moves[SIDE_CONCRETE], stutters = !count && images->is_stuttering;
    if (stutters) {
        make_room(images, 1);
        images->keys[count++] = is_must ? class << 32 | row : class;
    } else if (count) {
        (is_must ? find_rows : find_classes)(images, count);
    }
    return is_must ? follow_image(images, image, count) : is_followed(images, image, count);
}

/* False if the state of a row and its image are no good pair, or at a limit. */
static bool look_at(struct images *images, uint32_t row) {
    const struct graph *concrete = &images->graphs[SIDE_CONCRETE];
    struct expander *expander = &images->expander;
    uint32_t image = images->nodes[concrete->classes[row]];
    assert(image != NONE); /* the step that led to the state was followed */
    store_load(&concrete->search->store, row, images->state);
    expander_clear(expander);
    bool is_fine = expander_run(expander, images->state) &&
                   are_followed(images, row, image, expander_degree(expander)) &&
                   is_timed_alike(images, image);
    if (expander_is_cut(expander)) images->classifier->ledger->limit = expander_limit(expander);
    return is_fine && !expander_is_cut(expander);
}

static void show_progress(struct images *images, uint32_t row) {
    double now = images->progress ? clock_seconds() : 0;
    if (!images->progress || now < images->next_progress) return;
    images->next_progress = now + 1;
    images->progress(images->context, row);
}

/* All rows, or those that are met. */
static bool look_at_all(struct images *images) {
    const struct graph *concrete = &images->graphs[SIDE_CONCRETE];
    struct ledger *ledger = images->classifier->ledger;
    bool is_must = !images->moves[SIDE_CONCRETE];
    if (images->nodes[concrete->classes[0]] != 0) return false; /* the initial states differ */
    images->pair_count = is_must ? 0 : concrete->count;
    if (is_must) images->met = ledger_take(ledger, concrete->count / 64 + 1, sizeof *images->met);
    if (is_must && (!images->met || !meet(images, 0))) return false;
    for (uint32_t i = 0; i < images->pair_count; i++) {
        if (i % TICK == 0) show_progress(images, i);
        if (!ledger_goes_on(ledger) || !look_at(images, is_must ? images->rows[i] : i))
            return false;
    }
    return true;
}

bool images_hold(struct images *images) {
    struct ledger *ledger = images->classifier->ledger;
    const struct search *search = images->graphs[SIDE_CONCRETE].search;
    bool holds = false;
    if (find_nodes(images)) {
        images->next_progress = clock_seconds() + 1;
        images->state = layout_state(search->layout, NULL);
        expander_init(&images->expander, search->program);
        images->expander.machine.deadline = ledger->deadline;
        images->expander.max_size = ledger->max_size;
        holds = look_at_all(images);
        expander_close(&images->expander);
    }
    LEDGER_GIVE(ledger, images->nodes, images->met, images->rows);
    free(images->state);
    free(images->visible);
    free(images->keys);
    return holds;
}
