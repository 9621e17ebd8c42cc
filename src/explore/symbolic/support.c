/* Short vectors of what a query reads, one by one. */
#include "explore/symbolic/support.h"

#include "explore/code/reads.h"

#include <assert.h>

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
    enum outcome outcome = machine_unit(machine, looker->unit, reach->point.words);
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
    if (!unit_reads(&reach->program->code, looker->unit, bits, &asks_stuck)) return false;
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
