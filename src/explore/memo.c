#include "explore/memo.h"

#include "explore/program.h"

#include <assert.h>
#include <stdlib.h>

enum {
    GROUP_BITS = 14,  /* of the key of several actions */
    ACTION_BITS = 20, /* of the key of one */
    FIRST_CAPACITY = 16,
    MAX_KEYS = 1 << 13,   /* of a group */
    MAX_RESULTS = 1 << 18 /* words of results, and of entries, of all groups */
};

/* What actions look at */

static uint32_t count_bits(uint64_t bits) {
    uint32_t count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

/* Scratch fields have the same value at the start of every step. */
static void add_field(const struct layout *layout, uint32_t field, uint64_t *mask) {
    const struct packed *packed = &layout->fields[field];
    if (packed->word < layout->stored_words) mask[packed->word] |= packed->mask << packed->shift;
}

/* All slots of a variable: an index may mean any of them. */
static void add_variable(const struct layout *layout, uint32_t slot, uint64_t *mask) {
    const struct slot *slots = layout->network->slots;
    for (uint32_t i = 0; i < layout->network->slot_count; i++)
        if (slots[i].symbol == slots[slot].symbol && slots[i].process == slots[slot].process)
            add_field(layout, i, mask);
}

/* Adds the bits that a unit tests or reads; false if they are not known. */
static bool add_looks(const struct program *program, const struct unit *unit, uint64_t *mask) {
    const struct layout *layout = program->layout;
    for (uint32_t i = 0; i < unit->test_count; i++) {
        const struct test *test = &program->code.tests.items[unit->first_test + i];
        if (test->word < layout->stored_words) mask[test->word] |= test->mask;
    }
    if (unit->entry == NO_CODE) return true;
    for (uint32_t i = unit->entry; i < unit->end; i++) {
        const struct instruction *at = &program->code.instructions.items[i];
        switch ((enum opcode)at->op) {
        case OP_CODE_GET:
        case OP_CODE_JUMP_FIELD_EQ:
        case OP_CODE_JUMP_FIELD_NE: add_field(layout, (uint32_t)at->b, mask); break;
        case OP_CODE_ADD_FIELD:
        case OP_CODE_EXPECT: add_field(layout, at->a, mask); break;
        case OP_CODE_GET_AT: add_variable(layout, (uint32_t)at->b, mask); break;
        case OP_CODE_EVAL:
        case OP_CODE_STUCK: return false;
        default: break;
        }
    }
    return true;
}

/* Groups */

static uint32_t mask_bits(const uint64_t *mask) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < QUICK_WORDS; i++) bits += count_bits(mask[i]);
    return bits;
}

/* Rotations that put the bits of all words side by side. */
static bool find_turns(struct memo_group *group) {
    uint64_t used = group->mask[0];
    for (uint32_t i = 1; i < QUICK_WORDS; i++) {
        uint64_t mask = group->mask[i], turned = mask;
        for (group->turn[i] = 0; turned & used;
             turned = mask << group->turn[i] | mask >> (64 - group->turn[i]))
            if (++group->turn[i] == 64) return false;
        used |= turned;
    }
    return true;
}

/* The group of one row. */
static struct memo_group group_of(const struct program *program, uint32_t row) {
    uint32_t words = program->layout->stored_words, size = quick_size(words);
    uint64_t info = program->quick.items[(size_t)row * size + 4 * words + QUICK_INFO];
    const struct action *action = &program->actions.items[quick_action(info)];
    struct memo_group group = {.rows = {row, 1}};
    group.has_key = add_looks(program, &action->unit, group.mask) && !action->rechecks &&
                    !program->has_priorities && mask_bits(group.mask) <= ACTION_BITS &&
                    find_turns(&group);
    return group;
}

/* Takes the next group into one, if they go together. */
static bool join_group(struct memo_group *group, const struct memo_group *next, uint32_t bits) {
    struct memo_group both = *group;
    if (group->has_key != next->has_key) return false;
    both.rows.count += next->rows.count;
    for (uint32_t i = 0; i < QUICK_WORDS; i++) both.mask[i] |= next->mask[i];
    if (group->has_key && (mask_bits(both.mask) > bits || !find_turns(&both))) return false;
    *group = both;
    return true;
}

/* Makes groups of rows that are next to each other. */
static struct range add_groups(struct program *program, struct arena *arena, struct range rows) {
    struct range groups = {program->groups.count, 0};
    for (uint32_t i = 0; i < rows.count; i++) {
        struct memo_group next = group_of(program, rows.first + i);
        if (groups.count &&
            join_group(&program->groups.items[program->groups.count - 1], &next, GROUP_BITS))
            continue;
        VEC_PUSH(arena, &program->groups, next);
        groups.count++;
    }
    return groups;
}

void memo_add(struct program *program, struct arena *arena, const struct dispatch *dispatch,
              uint32_t location_count) {
    struct dispatch own = *dispatch;
    struct range *ranges = ARENA_ARRAY(arena, struct range, location_count);
    for (uint32_t l = 0; l < location_count; l++)
        ranges[l] = add_groups(program, arena, dispatch->ranges[l]);
    own.ranges = ranges;
    VEC_PUSH(arena, &program->group_dispatch, own);
}

/* Tables */

static void clear_entries(struct memo_table *table, uint32_t capacity) {
    table->entries = heap_resize(NULL, capacity, sizeof *table->entries);
    table->capacity = capacity;
    for (table->shift = 64; capacity > 1; capacity /= 2) table->shift--;
    for (uint32_t i = 0; i < table->capacity; i++)
        table->entries[i] = (struct memo_entry){.key = MEMO_FREE};
}

void memo_open(struct memo *memo, const struct program *program) {
    memo->table_count = program->groups.count;
    memo->tables = heap_resize(NULL, memo->table_count + 1, sizeof *memo->tables);
    for (uint32_t i = 0; i < memo->table_count; i++) {
        memo->tables[i] = (struct memo_table){.group = program->groups.items[i]};
        if (memo->tables[i].group.has_key) clear_entries(&memo->tables[i], FIRST_CAPACITY);
    }
    memo->work = heap_resize(NULL, (size_t)program->layout->word_count * 2 + 1, sizeof *memo->work);
}

void memo_close(struct memo *memo) {
    for (uint32_t i = 0; i < memo->table_count; i++) free(memo->tables[i].entries);
    free(memo->tables);
    free(memo->results);
    free(memo->work);
}

static void grow_table(struct memo_table *table) {
    struct memo_entry *old = table->entries;
    uint32_t capacity = table->capacity;
    clear_entries(table, capacity * 2);
    for (uint32_t i = 0; i < capacity; i++)
        if (old[i].key != MEMO_FREE) *memo_place(table, old[i].key) = old[i];
    free(old);
}

static void give_up(struct memo_table *table) {
    free(table->entries);
    table->entries = NULL;
}

/* Room for so many more words, and two results behind them that may be looked at. */
static bool reserve_results(struct memo *memo, size_t more) {
    size_t need = memo->result_count + more;
    if (need > MAX_RESULTS) return false;
    if (need <= memo->result_capacity) return true;
    while (memo->result_capacity < need)
        memo->result_capacity = memo->result_capacity ? memo->result_capacity * 2 : 256;
    memo->results = heap_resize(memo->results, memo->result_capacity, sizeof *memo->results);
    return true;
}

/* Runs an action with all other bits 0, then 1. */
static enum outcome run_both(struct memo *memo, const struct memo_group *group,
                             const struct program *program, struct machine *machine,
                             const struct unit *unit, const uint64_t *state) {
    const struct layout *layout = program->layout;
    uint32_t words = layout->stored_words, count = layout->word_count;
    enum outcome outcomes[2];
    for (uint32_t k = 0; k < 2; k++) {
        uint64_t *work = memo->work + (size_t)k * count;
        for (uint32_t i = 0; i < words; i++)
            work[i] = k ? state[i] | ~group->mask[i] : state[i] & group->mask[i];
        for (uint32_t i = words; i < count; i++) work[i] = layout->initial[i];
        outcomes[k] = machine_unit(machine, unit, work);
    }
    assert(outcomes[0] == outcomes[1]);
    return outcomes[0];
}

const struct memo_entry *memo_fill(struct memo *memo, struct memo_table *table,
                                   const struct program *program, struct machine *machine,
                                   const uint64_t *state) {
    const struct memo_group *group = &table->group;
    uint32_t words = program->layout->stored_words, size = quick_size(words);
    struct memo_entry entry = {memo_key(group, state, words), memo->result_count, 0};
    if (table->count == MAX_KEYS ||
        !reserve_results(memo, ((size_t)group->rows.count + MEMO_AHEAD) * 2 * words)) {
        give_up(table);
        return NULL;
    }
    for (uint32_t r = 0; r < group->rows.count && !(entry.count & MEMO_ROWS); r++) {
        const uint64_t *row = program->quick.items + (size_t)(group->rows.first + r) * size;
        const struct action *action =
            &program->actions.items[quick_action(row[4 * words + QUICK_INFO])];
        enum outcome outcome = run_both(memo, group, program, machine, &action->unit, state);
        if (outcome == RUN_FALSE) continue;
        if (outcome != RUN_TRUE) entry.count |= MEMO_ROWS;
        machine->has_overflowed = false; /* it will be, when the rows are run */
        const uint64_t *one = memo->work, *other = one + program->layout->word_count;
        uint64_t *result = memo->results + memo->result_count;
        for (uint32_t i = 0; i < words; i++) {
            result[i] = one[i] ^ other[i];
            result[words + i] = one[i] & other[i];
        }
        memo->result_count += 2 * words;
        entry.count += 1;
        if (action->is_urgent) entry.count |= MEMO_URGENT;
    }
    if (entry.count & MEMO_ROWS) memo->result_count = entry.first;
    if (++table->count * 2 > table->capacity) grow_table(table);
    struct memo_entry *place = memo_place(table, entry.key);
    *place = entry;
    return place;
}
