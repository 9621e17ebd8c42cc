/* Terms first, then short vectors. */
#include "explore/symbolic/decide.h"

#include "explore/symbolic/unroll.h"

#include <assert.h>

struct holding {
    struct selector selector;
    struct terms terms;
    struct arena arena;
};

/* Of a part of the states; false if the unit is not for terms. The diagram remembers results by the
 * number of the selection: terms of another one have the same numbers. */
static bool select_part(struct decider *decider, const struct unit *unit, uint32_t set,
                        bool is_stuck, bool is_value, struct verdicts *verdicts) {
    struct reach *reach = decider->reach;
    struct holding choice;
    uint32_t term;
    if (reach->selections == SELECTIONS_MAX) return false;
    arena_init(&choice.arena);
    terms_init(&choice.terms, &choice.arena);
    selector_init(&choice.selector, &reach->ldd, &choice.terms, ++reach->selections);
    *verdicts = (struct verdicts){0};
    if (unroll_unit(&choice.terms, &reach->levels, reach->program, unit, is_stuck, is_value,
                    &term)) {
        verdicts->fails = select_vectors(&choice.selector, set, 0, term, SELECT_FAULT);
        uint32_t rest = set_minus(&reach->ldd, set, verdicts->fails);
        if (is_value)
            verdicts->extremes = select_extremes(&choice.selector, rest, 0, term);
        else
            verdicts->holds = select_vectors(&choice.selector, rest, 0, term, SELECT_TRUE);
    }
    bool is_fine = !choice.terms.has_failed;
    selector_close(&choice.selector);
    arena_close(&choice.arena);
    return is_fine;
}

bool decide_part(struct decider *decider, const struct unit *unit, uint32_t set, bool is_stuck,
                 bool is_value, struct verdicts *verdicts) {
    return set == LDD_NONE || select_part(decider, unit, set, is_stuck, is_value, verdicts) ||
           support_decide(decider->reach, unit, set, is_stuck, NULL, verdicts);
}

bool decide(struct decider *decider, const struct unit *unit, uint32_t set, bool is_value,
            struct verdicts *verdicts) {
    struct ldd *ldd = &decider->reach->ldd;
    struct verdicts stuck = {0};
    assert(decider->reach->states != LDD_NONE); /* all states are there */
    *verdicts = (struct verdicts){0};
    if (!decide_part(decider, unit, set_minus(ldd, set, decider->deadlocks), false, is_value,
                     verdicts) ||
        !decide_part(decider, unit, set_intersect(ldd, set, decider->deadlocks), true, is_value,
                     &stuck))
        return false;
    verdicts->holds = set_union(ldd, verdicts->holds, stuck.holds);
    verdicts->fails = set_union(ldd, verdicts->fails, stuck.fails);
    extremes_join(&verdicts->extremes, stuck.extremes);
    return true;
}
