/* The second way to run actions: makes their rows. */
#include "explore/space/quick.h"

#include <assert.h>

/* Rows */

/* The addition, if the code of a unit is nothing else. */
static bool find_addition(const struct program *program, const struct unit *unit, uint64_t *extra) {
    const struct instruction *add = &program->code.instructions.items[unit->entry];
    if (add->op != OP_CODE_ADD_FIELD || add[1].op != OP_CODE_END) return false;
    const struct packed *field = &program->layout->fields[add->a];
    int64_t upper = field->lower + (int64_t)field->mask;
    if ((add->b != 1 && add->b != -1) || field->is_bool || field->is_scratch) return false;
    for (uint32_t i = 0; i < unit->put_count;
         i++) { /* puts come last, additions to others do not */
        const struct put *put = &program->code.puts.items[unit->first_put + i];
        if (put->word == field->word && ~put->keep & field->mask << field->shift) return false;
    }
    if (upper > field->declared_upper) upper = field->declared_upper;
    extra[QUICK_END_MASK] = field->mask << field->shift;
    extra[QUICK_END_VALUE] = field_bits(field, add->b > 0 ? (int32_t)upper : field->lower);
    extra[QUICK_ADD] = add->b > 0 ? (uint64_t)1 << field->shift : ~(uint64_t)0 << field->shift;
    extra[QUICK_INFO] |= (uint64_t)field->word << 32;
    assert(quick_word(extra[QUICK_INFO]) == field->word);
    return true;
}

/* Fills in what a quick action needs; false if the action is more than that. */
static bool fill_quick(const struct program *program, const struct action *action, uint64_t *row) {
    const struct unit *unit = &action->unit;
    const struct put *put = &program->code.puts.items[unit->first_put];
    uint32_t words = program->layout->stored_words;
    for (uint32_t i = 0; i < unit->put_count; i++, put++) {
        if (put->word >= words) return false;
        row[2 * words + put->word] = put->keep;
        row[3 * words + put->word] = put->value;
    }
    if (action->rechecks || program->has_priorities) return false;
    return unit->entry == NO_CODE || find_addition(program, unit, row + 4 * words);
}

/* The row of an action, zeroed before. */
static void fill_row(const struct program *program, uint32_t index, uint64_t *row) {
    const struct action *action = &program->actions.items[index];
    uint32_t words = program->layout->stored_words;
    uint64_t *extra = row + 4 * words;
    bool is_tested = true;
    for (uint32_t i = 0; i < words; i++) row[2 * words + i] = UINT64_MAX;
    for (uint32_t i = 0; i < action->unit.test_count; i++) {
        const struct test *test = &program->code.tests.items[action->unit.first_test + i];
        assert(test->word < words);
        if (test->is_negated || row[test->word]) {
            is_tested = false;
            continue;
        }
        row[test->word] = test->mask;
        row[words + test->word] = test->value;
    }
    extra[QUICK_INFO] =
        index | (action->is_committed ? QUICK_COMMITTED : 0) | (is_tested ? QUICK_TESTED : 0);
    if (is_tested && action->unit.entry != NO_CODE && !action->rechecks && !program->has_priorities)
        extra[QUICK_INFO] |= QUICK_CODED;
    extra[QUICK_END_VALUE] = 1; /* never, as the mask is 0 */
    if (!is_tested || !fill_quick(program, action, row))
        extra[QUICK_END_MASK] = extra[QUICK_END_VALUE] = 0;
}

/* Dispatch */

static void add_row(struct program *program, struct arena *arena, uint32_t action) {
    uint32_t words = program->layout->stored_words;
    if (words > QUICK_WORDS) {
        VEC_PUSH(arena, &program->slow, action);
        return;
    }
    uint64_t row[4 * QUICK_WORDS + QUICK_EXTRA] = {0};
    fill_row(program, action, row);
    for (uint32_t i = 0; i < quick_size(words); i++) VEC_PUSH(arena, &program->quick, row[i]);
}

static void reserve_rows(struct program *program, struct arena *arena, uint32_t more) {
    uint32_t words = program->layout->stored_words;
    if (words > QUICK_WORDS)
        VEC_RESERVE(arena, &program->slow, more);
    else
        VEC_RESERVE(arena, &program->quick, more * quick_size(words));
}

static uint32_t row_count(const struct program *program) {
    uint32_t words = program->layout->stored_words;
    assert(words > QUICK_WORDS || program->quick.count % quick_size(words) == 0);
    return words > QUICK_WORDS ? program->slow.count : program->quick.count / quick_size(words);
}

/* Actions come location by location. */
const struct dispatch *quick_add(struct program *program, struct arena *arena,
                                 const struct process *process, uint32_t first_action) {
    const struct layout *layout = program->layout;
    const struct packed *field = &layout->fields[layout_location(layout, process->index)];
    struct dispatch dispatch = {.mask = field->mask, .word = field->word, .shift = field->shift};
    struct row_range *ranges =
        ARENA_ARRAY(arena, struct row_range, process->template->location_count);
    if (program->actions.count == first_action) return NULL;
    reserve_rows(program, arena, program->actions.count - first_action);
    for (uint32_t a = first_action; a < program->actions.count; a++) {
        const struct action *action = &program->actions.items[a];
        struct row_range *range = &ranges[program->instances.items[action->first].source];
        if (!range->count) range->first = row_count(program);
        assert(range->first + range->count == row_count(program));
        add_row(program, arena, a);
        range->count++;
    }
    dispatch.ranges = ranges;
    if (layout->stored_words > QUICK_WORDS) {
        VEC_PUSH(arena, &program->slow_dispatch, dispatch);
        return NULL;
    }
    VEC_PUSH(arena, &program->quick_dispatch, dispatch);
    return &program->quick_dispatch.items[program->quick_dispatch.count - 1];
}
