/* Greatest and least fixpoints inside a set. */
#include "explore/symbolic/runs.h"

/* By one step, whatever it is; steps that fail lead nowhere. */
uint32_t runs_successors(struct reach *reach, uint32_t set) {
    uint32_t result = LDD_NONE;
    for (uint32_t i = 0; i < reach->event_count; i++) {
        uint32_t next = event_image(&reach->ldd, &reach->marks, &reach->events[i], set);
        result = set_union(&reach->ldd, result, next);
    }
    return result;
}

uint32_t runs_onward(struct reach *reach, uint32_t from, uint32_t inside) {
    struct ldd *ldd = &reach->ldd;
    size_t held = ldd_hold(ldd, from), newest = ldd_hold(ldd, from);
    while (ldd->held[newest] != LDD_NONE && !ldd_is_over(ldd)) {
        uint32_t next = runs_successors(reach, ldd->held[newest]);
        next = set_minus(ldd, set_intersect(ldd, next, inside), ldd->held[held]);
        ldd->held[held] = set_union(ldd, ldd->held[held], next);
        ldd->held[newest] = next;
        ldd_safe_point(ldd);
    }
    uint32_t result = ldd->held[held];
    ldd_release(ldd, held);
    return result;
}

/* The subset of a set that has no successor in another one. */
static uint32_t without_successor(struct reach *reach, uint32_t set, uint32_t target) {
    struct ldd *ldd = &reach->ldd;
    for (uint32_t i = 0; i < reach->event_count && set != LDD_NONE; i++) {
        uint32_t found = event_preimage(ldd, &reach->marks, &reach->events[i], set, target);
        set = set_minus(ldd, set, found);
    }
    return set;
}

uint32_t runs_before(struct reach *reach, uint32_t set, uint32_t target) {
    return set_minus(&reach->ldd, set, without_successor(reach, set, target));
}

/* Takes away what has no successor left; only what leads to that can be next. */
bool runs_inside(struct reach *reach, uint32_t inside, uint32_t ends, uint32_t *runs) {
    struct ldd *ldd = &reach->ldd;
    *runs = LDD_NONE;
    if (reach->marks.items.count > SETS_MAX_CHAINS) return false;
    uint32_t doubtful = set_minus(ldd, inside, ends);
    size_t held = ldd_hold(ldd, inside), next = ldd_hold(ldd, doubtful);
    while (ldd->held[next] != LDD_NONE && !ldd_is_over(ldd)) {
        uint32_t lost = without_successor(reach, ldd->held[next], ldd->held[held]);
        ldd->held[held] = set_minus(ldd, ldd->held[held], lost);
        doubtful = set_minus(ldd, ldd->held[held], ends);
        ldd->held[next] = runs_before(reach, doubtful, lost);
        ldd_safe_point(ldd);
    }
    *runs = ldd->held[held];
    ldd_release(ldd, held);
    return true;
}
