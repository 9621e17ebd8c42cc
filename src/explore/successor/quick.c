/* The second way to run actions: makes their rows. */
#include "explore/successor/quick.h"

#include <assert.h>

enum {
    TREE_LEAF = 8,    /* rows that are looked at one by one */
    TREE_DEPTH = 8,   /* fields */
    TREE_COPIES = 3,  /* of a row, on average */
    TREE_VALUES = 16, /* of a field */
};

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

/* Trees */

struct tree_maker {
    struct program *program;
    struct arena *arena;
    size_t budget;                          /* copies of rows */
    const struct packed *known[TREE_DEPTH]; /* fields, by depth */
};

static bool is_known(const struct tree_maker *maker, const struct packed *field, uint32_t depth) {
    for (uint32_t i = 0; i < depth; i++)
        if (maker->known[i] == field) return true;
    return false;
}

static const uint64_t *row_at(const struct program *program, uint32_t row) {
    return program->quick.items + (size_t)row * quick_size(program->layout->stored_words);
}

/* The bits that a row wants a field to have; NO_SLOT if it does not test it. */
static uint32_t wanted_bits(const struct program *program, uint32_t row,
                            const struct packed *field) {
    const uint64_t *at = row_at(program, row) + field->word;
    if ((at[0] >> field->shift & field->mask) != field->mask) return NO_SLOT;
    return (uint32_t)(at[program->layout->stored_words] >> field->shift & field->mask);
}

/* How many rows are left where the value of a field is known, for all its values. */
static size_t left_in_all(const struct program *program, const uint32_t *rows, uint32_t count,
                          const struct packed *field) {
    size_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all += wanted_bits(program, rows[i], field) == NO_SLOT ? field->mask + 1 : 1;
    return all;
}

/* The field that leaves the fewest rows for a value, of those that the first or the last one tests;
 * NULL if none leaves less than three quarters, or copies would be too many. */
static const struct packed *choose_field(struct tree_maker *maker, const uint32_t *rows,
                                         uint32_t count, uint32_t depth) {
    const struct program *program = maker->program;
    const struct layout *layout = program->layout;
    const struct packed *best = NULL;
    size_t least = count / 4 * 3, more = 0;
    for (uint32_t f = 0; f < layout->field_count; f++) {
        const struct packed *field = &layout->fields[f];
        if (!field->mask || field->mask >= TREE_VALUES || field->word >= layout->stored_words ||
            is_known(maker, field, depth) ||
            (wanted_bits(program, rows[0], field) == NO_SLOT &&
             wanted_bits(program, rows[count - 1], field) == NO_SLOT))
            continue;
        size_t all = left_in_all(program, rows, count, field), left = all / (field->mask + 1);
        if (left >= least || all > count + maker->budget) continue;
        best = field;
        least = left;
        more = all - count;
    }
    assert(more <= maker->budget);
    maker->budget -= more;
    return best;
}

static struct row_range copy_rows(struct tree_maker *maker, const uint32_t *rows, uint32_t count) {
    struct program *program = maker->program;
    uint32_t size = quick_size(program->layout->stored_words);
    struct row_range range = {row_count(program), count};
    reserve_rows(program, maker->arena, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < size; k++) {
            uint64_t number = row_at(program, rows[i])[k];
            VEC_PUSH(maker->arena, &program->quick, number);
        }
    return range;
}

/* Depth: fields that are known, at most TREE_DEPTH. */
static struct row_tree make_tree(struct tree_maker *maker, const uint32_t *rows, uint32_t count,
                                 uint32_t depth) {
    const struct packed *field = NULL;
    if (count > TREE_LEAF && depth < TREE_DEPTH) field = choose_field(maker, rows, count, depth);
    if (!field) return (struct row_tree){.rows = copy_rows(maker, rows, count)};
    maker->known[depth] = field;
    uint32_t *left = ARENA_ARRAY(maker->arena, uint32_t, count);
    struct row_tree *next = ARENA_ARRAY(maker->arena, struct row_tree, field->mask + 1);
    for (uint32_t bits = 0; bits <= field->mask; bits++) {
        uint32_t left_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t wanted = wanted_bits(maker->program, rows[i], field);
            if (wanted == NO_SLOT || wanted == bits) left[left_count++] = rows[i];
        }
        next[bits] = make_tree(maker, left, left_count, depth + 1);
    }
    return (struct row_tree){.mask = field->mask << field->shift,
                             .word = field->word,
                             .shift = field->shift,
                             .next = next};
}

/* A tree for rows, of which it has copies in the same order; NULL where none is of use. */
static const struct row_tree *new_tree(struct program *program, struct arena *arena,
                                       struct row_range range) {
    if (range.count <= TREE_LEAF) return NULL;
    uint32_t *rows = ARENA_ARRAY(arena, uint32_t, range.count);
    for (uint32_t i = 0; i < range.count; i++) rows[i] = range.first + i;
    size_t budget = (size_t)range.count * TREE_COPIES;
    struct tree_maker maker = {.program = program, .arena = arena, .budget = budget};
    if (!choose_field(&maker, rows, range.count, 0)) return NULL;
    maker.budget = budget;
    struct row_tree *tree = ARENA_NEW(arena, struct row_tree);
    *tree = make_tree(&maker, rows, range.count, 0);
    return tree;
}

/* Actions come location by location. */
const struct dispatch *quick_add(struct program *program, struct arena *arena,
                                 const struct process *process, uint32_t first_action) {
    const struct layout *layout = program->layout;
    const struct packed *field = &layout->fields[layout_location(layout, process->index)];
    struct dispatch dispatch = {.mask = field->mask, .word = field->word, .shift = field->shift};
    uint32_t location_count = process->template->location_count;
    struct row_range *ranges = ARENA_ARRAY(arena, struct row_range, location_count);
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
    dispatch.trees = ARENA_ARRAY(arena, const struct row_tree *, location_count);
    for (uint32_t l = 0; l < location_count; l++)
        dispatch.trees[l] = new_tree(program, arena, ranges[l]);
    VEC_PUSH(arena, &program->quick_dispatch, dispatch);
    return &program->quick_dispatch.items[program->quick_dispatch.count - 1];
}
