#include "explore/quick.h"

#include "explore/program.h"

#include <stdlib.h>

/* Fields that are looked up: not too many values, and enough rows that ask for them. */
enum { MAX_OTHER_BITS = 4, MIN_ROWS = 3 };

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
        if (test->is_negated || test->word >= words || row[test->word]) {
            is_tested = false;
            continue;
        }
        row[test->word] = test->mask;
        row[words + test->word] = test->value;
    }
    extra[QUICK_INFO] = index | (action->is_committed ? QUICK_COMMITTED : 0) |
                        (action->is_urgent ? QUICK_URGENT : 0) | (is_tested ? QUICK_TESTED : 0);
    if (is_tested && action->unit.entry != NO_CODE && !action->rechecks && !program->has_priorities)
        extra[QUICK_INFO] |= QUICK_CODED;
    extra[QUICK_END_VALUE] = 1; /* never, as the mask is 0 */
    if (!is_tested || !fill_quick(program, action, row))
        extra[QUICK_END_MASK] = extra[QUICK_END_VALUE] = 0;
}

/* Dispatch */

struct sorter {
    struct program *program;
    struct arena *arena;
    const struct process *process;
    uint32_t first, end; /* actions */
    uint64_t *rows;      /* of them; NULL where states are too large */
    uint32_t *others;    /* by action: the field beside the location, or NO_SLOT */
    uint32_t *counts;    /* by selector: rows that test it */
};

static uint64_t *row_of(const struct sorter *sorter, uint32_t action) {
    return sorter->rows +
           (size_t)(action - sorter->first) * quick_size(sorter->program->layout->stored_words);
}

static bool is_tested(const struct sorter *sorter, uint32_t action, uint32_t index) {
    const struct packed *field = &sorter->program->layout->fields[index];
    uint64_t mask = field->mask << field->shift;
    return index != layout_location(sorter->program->layout, sorter->process->index) &&
           (row_of(sorter, action)[field->word] & mask) == mask;
}

/* Of the fields that a row tests the one that most rows do. */
static void choose_others(struct sorter *sorter) {
    const uint32_t *selectors = sorter->program->selectors.items;
    uint32_t count = sorter->program->selectors.count;
    for (uint32_t a = sorter->first; a < sorter->end; a++)
        for (uint32_t s = 0; s < count; s++)
            sorter->counts[s] += is_tested(sorter, a, selectors[s]);
    for (uint32_t a = sorter->first; a < sorter->end; a++) {
        uint32_t best = 0, best_count = 0;
        for (uint32_t s = 0; s < count; s++) {
            if (sorter->counts[s] < MIN_ROWS || sorter->counts[s] <= best_count ||
                !is_tested(sorter, a, selectors[s]))
                continue;
            best = s;
            best_count = sorter->counts[s];
        }
        if (best_count) sorter->others[a - sorter->first] = selectors[best];
    }
}

static struct bits bits_of(const struct packed *field) {
    return (struct bits){field->mask, field->word, field->shift};
}

/* What an action is found by: location + stride * value of the other field. */
static uint64_t key_of(const struct sorter *sorter, uint32_t action) {
    const struct program *program = sorter->program;
    uint32_t location = program->instances.items[program->actions.items[action].first].source;
    uint32_t other = sorter->others[action - sorter->first], words = program->layout->stored_words;
    if (other == NO_SLOT) return location;
    const struct packed *field = &program->layout->fields[other];
    uint64_t value = row_of(sorter, action)[words + field->word] >> field->shift & field->mask;
    return location + sorter->process->template->location_count * value;
}

struct sorted {
    uint64_t key;
    uint32_t action;
};

static int compare_sorted(const void *left, const void *right) {
    const struct sorted *one = left, *two = right;
    if (one->key != two->key) return one->key < two->key ? -1 : 1;
    return one->action < two->action ? -1 : one->action > two->action;
}

static void add_action_row(struct sorter *sorter, uint32_t action) {
    struct program *program = sorter->program;
    if (!sorter->rows) {
        VEC_PUSH(sorter->arena, &program->slow, action);
        return;
    }
    const uint64_t *row = row_of(sorter, action);
    for (uint32_t i = 0; i < quick_size(program->layout->stored_words); i++)
        VEC_PUSH(sorter->arena, &program->quick, row[i]);
}

static uint32_t row_count(const struct sorter *sorter) {
    const struct program *program = sorter->program;
    if (!sorter->rows) return program->slow.count;
    return program->quick.count / quick_size(program->layout->stored_words);
}

/* The rows of one other field, sorted by what has to be the case. */
static void add_dispatch(struct sorter *sorter, uint32_t other) {
    struct program *program = sorter->program;
    const struct layout *layout = program->layout;
    uint32_t locations = sorter->process->template->location_count;
    const struct packed *own = &layout->fields[layout_location(layout, sorter->process->index)];
    struct dispatch dispatch = {.location = bits_of(own), .stride = locations};
    if (other != NO_SLOT) dispatch.other = bits_of(&layout->fields[other]);
    struct range *ranges =
        ARENA_ARRAY(sorter->arena, struct range, (size_t)locations * (dispatch.other.mask + 1));
    uint32_t count = 0;
    struct sorted *list = ARENA_ARRAY(sorter->arena, struct sorted, sorter->end - sorter->first);
    for (uint32_t a = sorter->first; a < sorter->end; a++)
        if (sorter->others[a - sorter->first] == other)
            list[count++] = (struct sorted){key_of(sorter, a), a};
    if (!count) return;
    qsort(list, count, sizeof *list, compare_sorted);
    for (uint32_t i = 0; i < count; i++) {
        struct range *range = &ranges[list[i].key];
        if (!range->count++) range->first = row_count(sorter);
        add_action_row(sorter, list[i].action);
    }
    dispatch.ranges = ranges;
    if (sorter->rows)
        VEC_PUSH(sorter->arena, &program->quick_dispatch, dispatch);
    else
        VEC_PUSH(sorter->arena, &program->slow_dispatch, dispatch);
}

void quick_find_selectors(struct program *program, struct arena *arena) {
    const struct layout *layout = program->layout;
    for (uint32_t f = 0; f < layout->field_count && layout->stored_words <= QUICK_WORDS; f++) {
        const struct packed *field = &layout->fields[f];
        if (field->mask && !field->is_scratch && field->mask >> MAX_OTHER_BITS == 0)
            VEC_PUSH(arena, &program->selectors, f);
    }
}

void quick_add(struct program *program, struct arena *arena, const struct process *process,
               uint32_t first_action) {
    const struct layout *layout = program->layout;
    uint32_t count = program->actions.count - first_action;
    struct sorter sorter = {.program = program,
                            .arena = arena,
                            .process = process,
                            .first = first_action,
                            .end = program->actions.count};
    if (!count) return;
    sorter.others = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) sorter.others[i] = NO_SLOT;
    if (layout->stored_words <= QUICK_WORDS) {
        sorter.rows =
            ARENA_ARRAY(arena, uint64_t, (size_t)count * quick_size(layout->stored_words));
        for (uint32_t a = sorter.first; a < sorter.end; a++)
            fill_row(program, a, row_of(&sorter, a));
        sorter.counts = ARENA_ARRAY(arena, uint32_t, program->selectors.count + 1);
        choose_others(&sorter);
    }
    add_dispatch(&sorter, NO_SLOT);
    for (uint32_t s = 0; sorter.rows && s < program->selectors.count; s++)
        if (sorter.counts[s] >= MIN_ROWS) add_dispatch(&sorter, program->selectors.items[s]);
}
