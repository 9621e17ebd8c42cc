/* Terms first, then short vectors. */
#include "explore/symbolic/decide.h"

#include "explore/code/reads.h"
#include "explore/symbolic/unroll.h"

#include <assert.h>

/* ---- all combinations of what is read ---- */

struct looker {
    struct reach *reach;
    const struct unit *unit;
    const int32_t *wanted;
    struct verdicts *verdicts; /* of short vectors */
    uint32_t *levels, level_count;
    uint32_t *values;
    uint32_t left; /* vectors that may be looked at */
    bool has_failed;
};

/* Adds a value that some state has. */
static void widen(struct extremes *extremes, int32_t value) {
    if (!extremes->is_found || value < extremes->lower) extremes->lower = value;
    if (!extremes->is_found || value > extremes->upper) extremes->upper = value;
    extremes->is_found = true;
}

static void look(struct looker *looker) {
    assert(looker->level_count <= looker->reach->levels.count);
    struct reach *reach = looker->reach;
    struct machine *machine = &reach->expander.machine;
    const struct layout *layout = reach->program->layout;
    memcpy(reach->point.words, layout->initial, layout->word_count * sizeof(uint64_t));
    reach->point.committed = 0;
    for (uint32_t i = 0; i < looker->level_count; i++)
        level_set(&reach->levels, looker->levels[i], &reach->point, looker->values[i]);
    enum outcome outcome = machine_ask(machine, looker->unit, reach->point.words);
    assert(outcome != RUN_OVERFLOW); /* nothing is written */
    uint32_t one = set_of(&reach->ldd, looker->values, looker->level_count);
    struct verdicts *verdicts = looker->verdicts;
    bool has_value = !looker->wanted || machine->registers[0] == *looker->wanted;
    if (outcome == RUN_TRUE && has_value) {
        verdicts->holds = set_union(&reach->ldd, verdicts->holds, one);
        if (looker->unit->entry != NO_CODE) widen(&verdicts->extremes, machine->registers[0]);
    }
    if (outcome == RUN_FAULT) verdicts->fails = set_union(&reach->ldd, verdicts->fails, one);
    looker->has_failed |= is_broken_off(outcome);
}

static void look_at_all(struct looker *looker, uint32_t set, uint32_t length) {
    const struct ldd *ldd = &looker->reach->ldd;
    if (looker->has_failed || ldd_is_over(ldd)) return;
    if (length == looker->level_count) {
        looker->has_failed = looker->left == 0;
        looker->left -= looker->left > 0;
        if (!looker->has_failed) look(looker);
        return;
    }
    for (; set; set = ldd->nodes[set].right) {
        assert(length < looker->level_count);
        looker->values[length] = ldd->nodes[set].value;
        look_at_all(looker, ldd->nodes[set].down, length + 1);
    }
}

/* The levels that the unit reads; false if they are not known. */
static bool find_levels(struct looker *looker, struct arena *arena) {
    struct reach *reach = looker->reach;
    const struct layout *layout = reach->program->layout;
    uint64_t *bits = ARENA_ARRAY(arena, uint64_t, layout->word_count + 1);
    bool asks_stuck = false; /* it is the same for all states here */
    if (!unit_reads(&reach->program->code, looker->unit, bits, layout->word_count, &asks_stuck))
        return false;
    looker->levels = ARENA_ARRAY(arena, uint32_t, reach->levels.count + 1);
    looker->values = ARENA_ARRAY(arena, uint32_t, reach->levels.count + 1);
    memset(reach->kinds, MARK_SKIP, reach->levels.count);
    for (uint32_t level = 0; level < reach->levels.count; level++) {
        uint32_t index = reach->levels.items[level].field;
        if (index == committed_field(layout)) continue;
        const struct packed *field = &layout->fields[index];
        assert(field->mask); /* or it had no levels */
        if (!(bits[field->word] & field->mask << field->shift)) continue;
        reach->kinds[level] = MARK_READ;
        looker->levels[looker->level_count++] = level;
    }
    return true;
}

bool support_decide(struct reach *reach, const struct unit *unit, uint32_t set, bool is_stuck,
                    const int32_t *wanted, struct verdicts *verdicts) {
    struct ldd *ldd = &reach->ldd;
    struct looker looker = {
        .reach = reach, .unit = unit, .wanted = wanted, .verdicts = verdicts, .left = SUPPORT_MAX};
    struct arena arena;
    arena_init(&arena);
    *verdicts = (struct verdicts){0};
    reach->expander.machine.is_stuck = is_stuck;
    bool is_fine = find_levels(&looker, &arena);
    if (is_fine) {
        uint32_t chain = marks_chain(&reach->marks, reach->kinds, 0, reach->levels.count);
        look_at_all(&looker, set_project(ldd, &reach->marks, set, chain), 0);
        verdicts->holds = set_match(ldd, &reach->marks, set, verdicts->holds, chain);
        verdicts->fails = set_match(ldd, &reach->marks, set, verdicts->fails, chain);
        is_fine = !looker.has_failed;
    }
    arena_close(&arena);
    return is_fine;
}

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
        if (choice.terms.faults.count)
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

/* Whether the unit may look at whether a state is a deadlock. */
static bool may_ask_stuck(const struct reach *reach, const struct unit *unit) {
    uint32_t words = reach->program->layout->word_count;
    struct arena arena;
    arena_init(&arena);
    bool asks = false;
    bool is_known = unit_reads(&reach->program->code, unit,
                               ARENA_ARRAY(&arena, uint64_t, words + 1), words, &asks);
    arena_close(&arena);
    return asks || !is_known;
}

bool decide(struct decider *decider, const struct unit *unit, uint32_t set, bool is_value,
            struct verdicts *verdicts) {
    struct ldd *ldd = &decider->reach->ldd;
    struct verdicts stuck = {0};
    assert(decider->reach->states != LDD_NONE); /* all states are there */
    *verdicts = (struct verdicts){0};
    if (!may_ask_stuck(decider->reach, unit))
        return decide_part(decider, unit, set, false, is_value, verdicts);
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
