/* Saturation with relations that are learned inside. */
#include "explore/symbolic/diagram/close.h"

#include <assert.h>
#include <string.h>

enum {
    LOOK_STORES = 2, /* what it costs to look at one vector, in results */
    MET_PART = 8     /* by this part, more vectors become known together the next time */
};

/* Learning */

/* Vectors count as known only when what comes of them is in the relation. */
static void take(struct closer *closer, struct event *event, uint32_t vectors) {
    struct ldd *ldd = closer->ldd;
    closer->settle(closer->context, event);
    uint32_t known = set_union(ldd, event->known, vectors);
    if (!ldd_is_over(ldd) && !closer->is_ended) event->known = known;
}

/* Gives all vectors of a set to the learner. Parts of a large set become known on the way, so that
 * they stay so where a limit ends the turn. */
static void learn_vectors(struct closer *closer, struct event *event, uint32_t set,
                          uint32_t length) {
    struct ldd *ldd = closer->ldd;
    if (length == event->read_count) {
        assert(set == LDD_UNIT);
        closer->is_ended |= !closer->learn(closer->context, event, closer->vector);
        memcpy(set_rows_add(&closer->met), closer->vector, length * sizeof *closer->vector);
        ldd_work(ldd, LOOK_STORES);
        if (closer->met.count < closer->most_met) return;
        take(closer, event, set_of_rows(ldd, &closer->met));
        closer->most_met += closer->most_met / MET_PART;
        return;
    }
    for (; set && !closer->is_ended && !ldd_is_over(ldd); set = ldd->nodes[set].right) {
        closer->vector[length] = ldd->nodes[set].value;
        learn_vectors(closer, event, ldd->nodes[set].down, length + 1);
    }
}

static void learn(struct closer *closer, struct event *event, uint32_t set) {
    struct ldd *ldd = closer->ldd;
    uint32_t found = set_project(ldd, closer->marks, set, event->reads);
    uint32_t fresh = set_minus(ldd, found, event->known);
    if (fresh == LDD_NONE || ldd_is_over(ldd)) return;
    closer->met.count = 0;
    closer->most_met = closer->few_met;
    closer->met.length = event->read_count;
    learn_vectors(closer, event, fresh, 0);
    take(closer, event, fresh);
}

/* Closing */

static bool is_over(const struct closer *closer) {
    return closer->is_ended || ldd_is_over(closer->ldd);
}

/* A set at the top of an event, with its successors. What is between the stages of the event is
 * not looked at but by the next one. */
static uint32_t fire(struct closer *closer, struct event *event, uint32_t set) {
    struct ldd *ldd = closer->ldd;
    struct event *stage = event;
    uint32_t from = set;
    for (uint32_t i = 0; i < event->stage_count; i++) {
        learn(closer, stage, from);
        from = set_image(ldd, closer->marks, from, stage->relation, stage->chain);
        stage = &event->stages[i];
    }
    learn(closer, stage, from);
    return set_image_onto(ldd, closer->marks, from, stage->relation, stage->chain, set);
}

/* Fires each event with its top at this level once, on what those before it have made of the set. */
static uint32_t fire_level(struct closer *closer, uint32_t set, uint32_t level) {
    uint32_t end = closer->first[level + 1];
    for (uint32_t i = closer->first[level]; i < end && !is_over(closer); i++)
        set = fire(closer, &closer->events[i], set);
    return set;
}

static uint32_t close_from(struct closer *closer, uint32_t set, uint32_t level);

/* Closes what follows each value. The set is held. */
static uint32_t close_below(struct closer *closer, uint32_t set, uint32_t level) {
    struct ldd *ldd = closer->ldd;
    size_t mark = ldd_mark(ldd);
    bool is_more = false;
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t closed = close_from(closer, node.down, level + 1);
        is_more |= closed != node.down;
        ldd_push(ldd, node.value, closed);
    }
    return ldd_list_onto(ldd, mark, LDD_NONE, set, is_more);
}

static uint32_t close_from(struct closer *closer, uint32_t set, uint32_t level) {
    assert(level <= closer->level_count);
    struct ldd *ldd = closer->ldd;
    uint32_t result, closed = LDD_NONE;
    if (set == LDD_NONE || level == closer->level_count || is_over(closer)) return set;
    if (ldd_recall(ldd, LDD_CLOSE, set, level, 0, &result)) return result;
    size_t held = ldd_hold(ldd, set), now = ldd_hold(ldd, set);
    ldd_safe_point(ldd);
    for (result = set; result != closed && !is_over(closer); ldd->held[now] = result) {
        closed = close_below(closer, result, level);
        result = fire_level(closer, closed, level);
    }
    ldd_release(ldd, held);
    if (!is_over(closer)) ldd_store(ldd, LDD_CLOSE, set, level, 0, result);
    return result;
}

void closer_close(struct closer *closer) { set_rows_close(&closer->met); }

uint32_t close_set(struct closer *closer, uint32_t set) {
    const struct ldd *ldd = closer->ldd;
    size_t held = ldd->held_count, items = ldd->item_count;
    uint32_t result = close_from(closer, set, 0);
    assert(ldd->held_count == held && ldd->item_count == items); /* all lists are made */
    return result;
}

/* The length of the longest short vector, so far. */
static uint32_t add_event(struct closer *closer, struct event *event, uint32_t longest) {
    ldd_add_root(closer->ldd, &event->known);
    ldd_add_root(closer->ldd, &event->enabled);
    ldd_add_root(closer->ldd, &event->relation);
    return event->read_count > longest ? event->read_count : longest;
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
        longest = add_event(closer, at, longest);
        for (uint32_t k = 0; k < at->stage_count; k++)
            longest = add_event(closer, &at->stages[k], longest);
    }
    closer->vector = ARENA_ARRAY(arena, uint32_t, longest + 1);
}

/* Single events */

/* Past a limit the result means nothing, as of all operations. */
uint32_t event_image(struct ldd *ldd, const struct marks *marks, const struct event *event,
                     uint32_t set) {
    assert(event->whole != MARKS_UNMADE);
    set = set_image(ldd, marks, set, event->relation, event->whole);
    for (uint32_t i = 0; i < event->stage_count; i++)
        set = set_image(ldd, marks, set, event->stages[i].relation, event->stages[i].whole);
    return set;
}

/* Stages: those of the second one that lead there, of what the first one makes, and so on. */
uint32_t event_preimage(struct ldd *ldd, const struct marks *marks, const struct event *event,
                        uint32_t set, uint32_t target) {
    size_t held = ldd->held_count;
    uint32_t after = set;
    assert(event->whole != MARKS_UNMADE);
    ldd_hold(ldd, set);
    for (uint32_t i = 0; i < event->stage_count; i++) {
        const struct event *stage = i ? &event->stages[i - 1] : event;
        after = set_image(ldd, marks, after, stage->relation, stage->whole);
        ldd_hold(ldd, after);
    }
    for (uint32_t i = event->stage_count + 1; i-- > 0;) {
        const struct event *stage = i ? &event->stages[i - 1] : event;
        target =
            set_preimage(ldd, marks, ldd->held[held + i], target, stage->relation, stage->whole);
    }
    ldd_release(ldd, held);
    return target;
}
