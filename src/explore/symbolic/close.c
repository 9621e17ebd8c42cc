/* Saturation with relations that are learned inside. */
#include "explore/symbolic/close.h"

#include <assert.h>

enum { LEARN_STORES = 4 }; /* what it costs to look at one vector, in results */

/* Learning */

/* Gives all vectors of a set to the learner. */
static void learn_vectors(struct closer *closer, struct event *event, uint32_t set,
                          uint32_t length) {
    struct ldd *ldd = closer->ldd;
    if (length == event->read_count) {
        assert(set == LDD_UNIT);
        closer->is_ended |= !closer->learn(closer->context, event, closer->vector);
        ldd_work(ldd, LEARN_STORES);
        return;
    }
    for (; set && !closer->is_ended && !ldd_is_over(ldd); set = ldd->nodes[set].right) {
        closer->vector[length] = ldd->nodes[set].value;
        learn_vectors(closer, event, ldd->nodes[set].down, length + 1);
    }
}

/* A vector counts as known only when what comes of it is in the relation. */
static void learn(struct closer *closer, struct event *event, uint32_t set) {
    struct ldd *ldd = closer->ldd;
    uint32_t found = set_project(ldd, closer->marks, set, event->chain);
    uint32_t fresh = set_minus(ldd, found, event->known);
    if (fresh == LDD_NONE || ldd_is_over(ldd)) return;
    learn_vectors(closer, event, fresh, 0);
    uint32_t known = set_union(ldd, event->known, fresh);
    if (!ldd_is_over(ldd) && !closer->is_ended) event->known = known;
}

/* Closing */

static uint32_t close_level(struct closer *closer, uint32_t set, uint32_t level);

static bool is_over(const struct closer *closer) {
    return closer->is_ended || ldd_is_over(closer->ldd);
}

static uint32_t closed_below(struct image *image, uint32_t set, uint32_t relation, uint32_t chain) {
    struct closer *closer = image->context;
    struct ldd *ldd = image->ldd;
    uint32_t result;
    if (set == LDD_NONE || relation == LDD_NONE || is_over(closer)) return LDD_NONE;
    if (chain == MARKS_NONE) return set;
    if (ldd_recall(ldd, LDD_IMAGE_CLOSED, set, relation, chain, &result)) return result;
    size_t held = ldd_hold(ldd, set);
    ldd_hold(ldd, relation);
    result = image_level(image, set, relation, chain);
    result = close_level(closer, result, image->marks->items.items[chain].level);
    ldd_release(ldd, held);
    if (!is_over(closer)) ldd_store(ldd, LDD_IMAGE_CLOSED, set, relation, chain, result);
    return result;
}

/* Successors of a set at the top of an event; what is below them is closed. */
static uint32_t fire(struct closer *closer, const struct event *event, uint32_t set) {
    struct ldd *ldd = closer->ldd;
    struct image image = {ldd, closer->marks, closed_below, closer};
    uint32_t result, relation = event->relation;
    if (relation == LDD_NONE) return LDD_NONE;
    if (event->chain == MARKS_NONE) return set;
    if (ldd_recall(ldd, LDD_IMAGE_TOP, set, relation, event->chain, &result)) return result;
    size_t held = ldd_hold(ldd, relation);
    result = image_level(&image, set, relation, event->chain);
    ldd_release(ldd, held);
    if (!is_over(closer)) ldd_store(ldd, LDD_IMAGE_TOP, set, relation, event->chain, result);
    return result;
}

/* Fires the events with their top at this level in turns until none leads further. What is below
 * the set is closed. */
static uint32_t close_level(struct closer *closer, uint32_t set, uint32_t level) {
    assert(level < closer->level_count);
    struct ldd *ldd = closer->ldd;
    uint32_t first = closer->first[level], count = closer->first[level + 1] - first, result = set;
    if (set == LDD_NONE || !count || is_over(closer)) return set;
    if (ldd_recall(ldd, LDD_CLOSE_LEVEL, set, level, 0, &result)) return result;
    size_t held = ldd_hold(ldd, set), now = ldd_hold(ldd, set);
    ldd_safe_point(ldd);
    result = set;
    for (uint32_t i = 0, quiet = 0; quiet < count && !is_over(closer); i = (i + 1) % count) {
        struct event *event = &closer->events[first + i];
        learn(closer, event, result);
        uint32_t more = set_union(ldd, result, fire(closer, event, result));
        quiet = more == result ? quiet + 1 : 0;
        ldd->held[now] = result = more;
    }
    ldd_release(ldd, held);
    if (!is_over(closer)) ldd_store(ldd, LDD_CLOSE_LEVEL, set, level, 0, result);
    return result;
}

static uint32_t close_from(struct closer *closer, uint32_t set, uint32_t level) {
    assert(level <= closer->level_count);
    struct ldd *ldd = closer->ldd;
    uint32_t result;
    if (set == LDD_NONE || level == closer->level_count || is_over(closer)) return set;
    if (ldd_recall(ldd, LDD_CLOSE, set, level, 0, &result)) return result;
    size_t held = ldd_hold(ldd, set), mark = ldd_mark(ldd);
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        ldd_push(ldd, node.value, close_from(closer, node.down, level + 1));
    }
    result = close_level(closer, ldd_list(ldd, mark, LDD_NONE), level);
    ldd_release(ldd, held);
    if (!is_over(closer)) ldd_store(ldd, LDD_CLOSE, set, level, 0, result);
    return result;
}

uint32_t close_set(struct closer *closer, uint32_t set) {
    const struct ldd *ldd = closer->ldd;
    size_t held = ldd->held_count, items = ldd->item_count;
    uint32_t result = close_from(closer, set, 0);
    assert(ldd->held_count == held && ldd->item_count == items); /* all lists are made */
    return result;
}

void closer_init(struct closer *closer, struct arena *arena, uint32_t event_count) {
    uint32_t longest = 0, event = 0;
    closer->first = ARENA_ARRAY(arena, uint32_t, closer->level_count + 1);
    for (uint32_t level = 0; level <= closer->level_count; level++) {
        while (event < event_count && closer->events[event].top < level) event++;
        closer->first[level] = event;
    }
    assert(event == event_count);
    for (uint32_t i = 0; i < event_count; i++) {
        struct event *at = &closer->events[i];
        assert(!i || closer->events[i - 1].top <= at->top);
        if (at->read_count > longest) longest = at->read_count;
        ldd_add_root(closer->ldd, &at->known);
        ldd_add_root(closer->ldd, &at->enabled);
        ldd_add_root(closer->ldd, &at->relation);
    }
    closer->vector = ARENA_ARRAY(arena, uint32_t, longest + 1);
}
