/* The first way to run actions: remembered by key. Groups are made with the program, split and
 * merged while the search runs. */
#include "explore/successor/memo.h"

#include "explore/code/reads.h"

#include <assert.h>
#include <stdlib.h>

enum {
    ACTION_BITS = 20, /* of the key of an action */
    GROUP_BITS = 10,  /* of actions that look at different things */
    WHOLE_BITS = 48,  /* of a process, and of what is merged */
    LOOK_BACK = 64,   /* groups that another action may join */
    FIRST_CAPACITY = 16,
    MAX_KEYS = 1 << 12,   /* of a group */
    MAX_MERGED = 1 << 10, /* keys of a merged group, if all pairs occur */
    MAX_WORDS = 1 << 19,  /* of all groups: entries and results */
    MAX_ROUNDS = 1 << 18, /* of the loops of all actions of a group */
    FIRST_WAIT = 1 << 12, /* states until groups are looked at */
    SPLIT_WAIT = 1 << 8,  /* after one was given up */
    KEY_AGE = 64,         /* states that have to be seen for each key that merging may add */
    LAST_AGE = MAX_MERGED * KEY_AGE,
    MAX_UNITS = 1 << 14 /* that have tables of their own */
};

enum { ENTRY_WORDS = sizeof(struct memo_entry) / sizeof(uint64_t) };

/* The bits that actions read */

static uint32_t count_bits(const uint64_t *mask) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < QUICK_WORDS; i++)
        for (uint64_t bits = mask[i]; bits; bits &= bits - 1) count++;
    return count;
}

/* Groups */

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

static const struct action *action_of(const struct program *program, uint32_t row) {
    uint32_t words = program->layout->stored_words;
    size_t at = (size_t)row * quick_size(words) + 4 * words;
    return &program->actions.items[quick_action(program->quick.items[at + QUICK_INFO])];
}

/* The key of one unit. Scratch fields have the same value at the start of every step. */
static struct memo_group group_of_unit(const struct program *program, const struct unit *unit) {
    struct memo_group group = {.row_count = 1};
    bool asks_stuck = false;
    group.has_key =
        unit_reads(&program->code, unit, group.mask, program->layout->stored_words, &asks_stuck) &&
        !asks_stuck && count_bits(group.mask) <= ACTION_BITS && find_turns(&group);
    return group;
}

/* The key of one row. */
static struct memo_group group_of(const struct program *program, uint32_t row) {
    const struct action *action = action_of(program, row);
    struct memo_group group = group_of_unit(program, &action->unit);
    group.has_key &= !action->rechecks && !program->has_priorities;
    return group;
}

/* The key of both; false if it gets more than so many bits. */
static bool join_keys(struct memo_group *group, const struct memo_group *next, uint32_t most) {
    struct memo_group both = *group;
    if (group->has_key != next->has_key) return false;
    for (uint32_t i = 0; i < QUICK_WORDS; i++) both.mask[i] |= next->mask[i];
    if (both.has_key && (count_bits(both.mask) > most || !find_turns(&both))) return false;
    assert(!both.has_key || count_bits(both.mask) < 64); /* or a key might be MEMO_FREE */
    both.row_count += next->row_count;
    *group = both;
    return true;
}

static void add_row(struct memo_group *group, uint32_t row) {
    assert(group->range_count < group->row_count);
    struct row_range *last = group->range_count ? &group->rows[group->range_count - 1] : NULL;
    if (last && last->first + last->count == row)
        last->count++;
    else
        group->rows[group->range_count++] = (struct row_range){row, 1};
}

/* The group of this location that a row joins, or their number. Rows that look at the same, or
 * less, go together first. */
static uint32_t choose_group(struct memo_group *groups, uint32_t count,
                             const struct memo_group *next) {
    uint32_t bits = count_bits(next->mask);
    for (uint32_t i = count; i-- > 0 && count - i <= LOOK_BACK && next->has_key;) {
        uint32_t own = count_bits(groups[i].mask);
        if (join_keys(&groups[i], next, own > bits ? own : bits)) return i;
    }
    return count && join_keys(&groups[count - 1], next, GROUP_BITS) ? count - 1 : count;
}

/* Makes groups of the rows of one location. */
static struct row_range add_location(struct program *program, struct arena *arena,
                                     struct row_range rows) {
    struct row_range groups = {program->groups.count, 0};
    uint32_t *chosen = ARENA_ARRAY(arena, uint32_t, rows.count + 1);
    for (uint32_t i = 0; i < rows.count; i++) {
        struct memo_group next = group_of(program, rows.first + i);
        struct memo_group *first = groups.count ? &program->groups.items[groups.first] : NULL;
        chosen[i] = groups.first + choose_group(first, groups.count, &next);
        if (chosen[i] < program->groups.count) continue;
        VEC_PUSH(arena, &program->groups, next);
        groups.count++;
    }
    for (uint32_t i = 0; i < rows.count; i++) {
        struct memo_group *group = &program->groups.items[chosen[i]];
        if (!group->rows) group->rows = ARENA_ARRAY(arena, struct row_range, group->row_count);
        add_row(group, rows.first + i);
    }
    return groups;
}

void memo_add(struct program *program, struct arena *arena, const struct dispatch *rows,
              uint32_t location_count) {
    struct memo_process process = {.dispatch = *rows, .location_count = location_count};
    struct row_range *ranges = ARENA_ARRAY(arena, struct row_range, location_count), all = {0, 0};
    uint32_t first = program->groups.count;
    for (uint32_t l = 0; l < location_count; l++) {
        ranges[l] = add_location(program, arena, rows->ranges[l]);
        if (!all.count) all.first = rows->ranges[l].first;
        all.count += rows->ranges[l].count;
    }
    process.dispatch.ranges = ranges;
    if (first < program->groups.count) process.whole = program->groups.items[first];
    for (uint32_t i = first + 1; i < program->groups.count && process.whole.has_key; i++)
        process.whole.has_key = join_keys(&process.whole, &program->groups.items[i], WHOLE_BITS);
    process.whole.row_count = all.count;
    process.whole.range_count = 1;
    process.whole.rows = ARENA_NEW(arena, struct row_range);
    *process.whole.rows = all;
    VEC_PUSH(arena, &program->memo_processes, process);
}

/* Tables */

static struct memo_entry no_entries[] = {{.key = MEMO_FREE}, {.key = MEMO_FREE}};

static struct memo_table *new_table(struct memo *memo, const struct memo_group *group) {
    struct memo_table *table = ARENA_NEW(&memo->arena, struct memo_table);
    *table = (struct memo_table){.group = *group, .entries = no_entries, .shift = 63};
    VEC_PUSH(&memo->arena, &memo->tables, table);
    return table;
}

static void give_up(struct memo *memo, struct memo_table *table) {
    assert(!table->is_given_up && table->group.has_key);
    if (table->capacity) free(table->entries);
    memo->word_count -= table->capacity * ENTRY_WORDS;
    memo->has_given_up = true;
    table->entries = no_entries;
    table->capacity = 0;
    table->shift = 63;
    table->group.has_key = false;
    table->is_given_up = true;
    if (memo->next > memo->age + SPLIT_WAIT) memo->next = memo->age + SPLIT_WAIT;
}

/* Room for another key; false if it gets too much. */
static bool reserve_key(struct memo *memo, struct memo_table *table) {
    struct memo_entry *old = table->entries;
    uint32_t old_capacity = table->capacity;
    if (table->count * 2 < old_capacity) return true;
    uint32_t capacity = old_capacity ? old_capacity * 2 : FIRST_CAPACITY;
    uint32_t more = (capacity - old_capacity) * ENTRY_WORDS;
    if (table->count >= MAX_KEYS || memo->word_count + more > MAX_WORDS) return false;
    memo->word_count += more;
    table->entries = heap_resize(NULL, capacity, sizeof *table->entries);
    table->capacity = capacity;
    for (table->shift = 64; capacity > 1; capacity /= 2) table->shift--;
    for (uint32_t i = 0; i < table->capacity; i++)
        table->entries[i] = (struct memo_entry){.key = MEMO_FREE};
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].key != MEMO_FREE) *memo_place(table, old[i].key) = old[i];
    assert(table->count < table->capacity && !(table->capacity & (table->capacity - 1)));
    if (old_capacity) free(old);
    return true;
}

/* Room for so many more results, and for those that are looked at after them. */
static bool reserve_results(struct memo *memo, uint32_t more) {
    uint64_t need = memo->result_count +
                    ((uint64_t)more + MEMO_AHEAD) * 2 * memo->program->layout->stored_words;
    uint32_t capacity = memo->result_capacity ? memo->result_capacity : 256;
    if (need <= memo->result_capacity) return true;
    while (capacity < need && capacity < MAX_WORDS) capacity *= 2;
    uint32_t words = capacity - memo->result_capacity;
    if (capacity < need || memo->word_count + words > MAX_WORDS) return false;
    memo->word_count += words;
    memo->results = heap_resize(memo->results, capacity, sizeof *memo->results);
    memo->result_capacity = capacity;
    return true;
}

/* Takes out the results of groups that were given up. */
static void compact_results(struct memo *memo) {
    uint64_t *old = memo->results, *fresh = heap_resize(NULL, memo->result_capacity, sizeof *fresh);
    uint32_t count = 0, words = memo->program->layout->stored_words;
    for (uint32_t t = 0; t < memo->tables.count; t++)
        for (uint32_t i = 0; i < memo->tables.items[t]->capacity; i++) {
            struct memo_entry *entry = &memo->tables.items[t]->entries[i];
            if (entry->key == MEMO_FREE || entry->count & MEMO_ROWS) continue;
            uint32_t size = (entry->count & MEMO_COUNT) * 2 * words;
            if (size) memcpy(fresh + count, old + entry->first, size * sizeof *fresh);
            entry->first = count;
            count += size;
        }
    assert(count <= memo->result_count);
    memo->results = fresh;
    memo->result_count = count;
    memo->has_given_up = false;
    free(old);
}

/* Runs an action with all bits outside the key 0, then 1. What is late may be so only once. */
static enum outcome run_both(struct memo *memo, const struct memo_group *group,
                             struct machine *machine, const struct unit *unit,
                             const uint64_t *state) {
    const struct layout *layout = memo->program->layout;
    uint32_t words = layout->stored_words, count = layout->word_count;
    enum outcome outcomes[2];
    for (uint32_t k = 0; k < 2; k++) {
        uint64_t *work = memo->work + (size_t)k * count;
        for (uint32_t i = 0; i < words; i++)
            work[i] = k ? state[i] | ~group->mask[i] : state[i] & group->mask[i];
        for (uint32_t i = words; i < count; i++) work[i] = layout->initial[i];
        outcomes[k] = machine_unit(machine, unit, work);
        if (outcomes[k] == RUN_LATE) return RUN_LATE;
    }
    assert(outcomes[0] == outcomes[1]);
    return outcomes[0];
}

static void add_result(struct memo *memo, struct memo_entry *entry) {
    const struct layout *layout = memo->program->layout;
    const uint64_t *one = memo->work, *other = one + layout->word_count;
    for (uint32_t i = 0; i < layout->stored_words; i++) {
        memo->results[memo->result_count + i] = one[i] ^ other[i];
        memo->results[memo->result_count + layout->stored_words + i] = one[i] & other[i];
    }
    memo->result_count += 2 * layout->stored_words;
    entry->count++;
}

static const struct memo_entry *enter(struct memo_table *table, const struct memo_entry *entry) {
    struct memo_entry *place = memo_place(table, entry->key);
    assert(place->key == MEMO_FREE && entry->key != MEMO_FREE);
    *place = *entry;
    table->count++;
    return place;
}

const struct memo_entry *memo_fill(struct memo *memo, struct memo_table *table,
                                   struct machine *machine, const uint64_t *state) {
    const struct memo_group *group = &table->group;
    uint64_t key = memo_key(group, state, memo->program->layout->stored_words);
    struct memo_entry entry = {key, memo->result_count, 0};
    uint64_t rounds = machine->rounds + machine->ticks;
    if (!reserve_key(memo, table) || !reserve_results(memo, group->row_count)) {
        give_up(memo, table);
        return NULL;
    }
    for (uint32_t r = 0; r < group->range_count; r++)
        for (uint32_t i = 0; i < group->rows[r].count && !(entry.count & MEMO_ROWS); i++) {
            const struct action *action = action_of(memo->program, group->rows[r].first + i);
            if (memo->is_committed && !action->is_committed) continue;
            if (machine->rounds + machine->ticks - rounds > MAX_ROUNDS) { /* see to limits */
                give_up(memo, table);
                return NULL;
            }
            enum outcome outcome = run_both(memo, group, machine, &action->unit, state);
            machine->has_overflowed = false; /* it will be, when the rows are run */
            if (outcome == RUN_LATE) {       /* as they will be */
                memo->result_count = entry.first;
                return NULL;
            }
            if (outcome == RUN_TRUE) add_result(memo, &entry);
            if (outcome == RUN_FAULT || outcome == RUN_OVERFLOW) entry.count |= MEMO_ROWS;
        }
    if (entry.count & MEMO_ROWS) memo->result_count = entry.first;
    return enter(table, &entry);
}

/* Units that are no rows. Scratch fields are in no key, so a state may have none. */
struct memo_table *memo_add_unit(struct memo *memo, const struct unit *unit) {
    const struct layout *layout = memo->program->layout;
    static struct memo_table none; /* never written */
    bool has_scratch = layout->stored_words < layout->word_count;
    if (has_scratch || layout->stored_words > QUICK_WORDS || memo->tables.count == MAX_UNITS)
        return &none;
    struct memo_group group = group_of_unit(memo->program, unit);
    return group.has_key ? new_table(memo, &group) : &none;
}

const struct memo_entry *memo_fill_unit(struct memo *memo, struct memo_table *table,
                                        struct machine *machine, const struct unit *unit,
                                        const uint64_t *state) {
    uint64_t key = memo_key(&table->group, state, memo->program->layout->stored_words);
    struct memo_entry entry = {key, memo->result_count, 0};
    if (!reserve_key(memo, table) || !reserve_results(memo, 1)) {
        give_up(memo, table);
        return NULL;
    }
    enum outcome outcome = run_both(memo, &table->group, machine, unit, state);
    machine->has_overflowed = false; /* it will be, when the unit is run */
    if (outcome == RUN_LATE) return NULL;
    if (outcome == RUN_TRUE)
        add_result(memo, &entry);
    else
        entry.count = MEMO_ROWS;
    return enter(table, &entry);
}

/* Lists of groups */

static void push_item(struct memo_list *list, struct memo_item item) {
    if (!(list->count & (list->count - 1)))
        list->items = heap_resize(list->items, list->count ? (size_t)list->count * 2 : 1,
                                  sizeof *list->items);
    list->items[list->count++] = item;
}

static void push_table(struct memo_list *list, struct memo_table *table) {
    push_item(list, (struct memo_item){.table = table});
}

static struct memo_list *new_lists(struct memo *memo, uint32_t count) {
    struct memo_list *lists = ARENA_ARRAY(&memo->arena, struct memo_list, count);
    for (uint32_t i = 0; i < count; i++) VEC_PUSH(&memo->arena, &memo->lists, &lists[i]);
    return lists;
}

/* A process by location. */
static void push_parts(struct memo *memo, struct memo_list *list,
                       const struct memo_process *process) {
    struct memo_item item = {.dispatch = &process->dispatch};
    item.lists = new_lists(memo, process->location_count);
    for (uint32_t l = 0; l < process->location_count; l++) {
        const struct row_range *groups = &process->dispatch.ranges[l];
        for (uint32_t i = 0; i < groups->count; i++)
            push_table(&item.lists[l],
                       new_table(memo, &memo->program->groups.items[groups->first + i]));
    }
    push_item(list, item);
}

static bool can_merge(const struct memo *memo, const struct memo_table *left,
                      const struct memo_table *right) {
    uint64_t keys = (uint64_t)left->count * right->count;
    return left->group.has_key && right->group.has_key && !left->is_settled && !right->is_settled &&
           keys && keys <= MAX_MERGED && keys * KEY_AGE <= memo->age;
}

/* A table for both groups; NULL if their key is too long. */
static struct memo_table *merge(struct memo *memo, struct memo_table *left,
                                struct memo_table *right) {
    struct memo_group both = left->group;
    if (!can_merge(memo, left, right) || !join_keys(&both, &right->group, WHOLE_BITS)) return NULL;
    both.range_count += right->group.range_count;
    both.rows = ARENA_ARRAY(&memo->arena, struct row_range, both.range_count);
    memcpy(both.rows, left->group.rows, left->group.range_count * sizeof *both.rows);
    memcpy(both.rows + left->group.range_count, right->group.rows,
           right->group.range_count * sizeof *both.rows);
    struct memo_table *table = new_table(memo, &both);
    table->halves[0] = left;
    table->halves[1] = right;
    return table;
}

static void push_item_again(struct memo *memo, struct memo_list *list,
                            const struct memo_item *item) {
    struct memo_table *table = item->table;
    struct memo_item *last = list->count ? &list->items[list->count - 1] : NULL;
    if (table && table->is_given_up && table->halves[0]) {
        for (int k = 0; k < 2; k++) {
            table->halves[k]->is_settled = true;
            push_table(list, table->halves[k]);
        }
    } else if (table && table->is_given_up && table->process) {
        push_parts(memo, list, table->process);
    } else {
        struct memo_table *both =
            table && last && last->table ? merge(memo, last->table, table) : NULL;
        if (both)
            last->table = both;
        else
            push_item(list, *item);
    }
}

static void arrange_list(struct memo *memo, struct memo_list *list) {
    struct memo_list old = *list;
    *list = (struct memo_list){0};
    for (uint32_t i = 0; i < old.count; i++) push_item_again(memo, list, &old.items[i]);
    free(old.items);
}

void memo_arrange(struct memo *memo) {
    uint32_t count = memo->lists.count;
    if (memo->has_given_up) compact_results(memo);
    memo->next = memo->age < FIRST_WAIT ? FIRST_WAIT
                 : memo->age < LAST_AGE ? memo->age * 2
                                        : UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) arrange_list(memo, memo->lists.items[i]);
}

/* Remembers nothing yet; takes heap memory until memo_close. */
void memo_begin(struct memo *memo, const struct program *program) {
    assert(!memo->program);
    memo->program = program;
    arena_init(&memo->arena);
    memo->work = heap_resize(NULL, (size_t)program->layout->word_count * 2 + 1, sizeof *memo->work);
    memo->next = FIRST_WAIT;
}

void memo_open(struct memo *memo, const struct program *program, bool is_committed) {
    memo_begin(memo, program);
    memo->is_committed = is_committed;
    VEC_PUSH(&memo->arena, &memo->lists, &memo->list);
    for (uint32_t i = 0; i < program->memo_processes.count; i++) {
        const struct memo_process *process = &program->memo_processes.items[i];
        if (!process->whole.has_key) {
            push_parts(memo, &memo->list, process);
            continue;
        }
        struct memo_table *table = new_table(memo, &process->whole);
        table->process = process;
        push_table(&memo->list, table);
    }
}

/* May be called where nothing was opened. */
void memo_close(struct memo *memo) {
    if (!memo->program) return;
    for (uint32_t i = 0; i < memo->tables.count; i++)
        if (memo->tables.items[i]->capacity) free(memo->tables.items[i]->entries);
    for (uint32_t i = 0; i < memo->lists.count; i++) free(memo->lists.items[i]->items);
    free(memo->results);
    free(memo->work);
    arena_close(&memo->arena);
}
