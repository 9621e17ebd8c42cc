#include "explore/successor.h"

#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Loose instances of one state: those that are enabled, and those whose guard fails. */
struct enabled {
    uint32_t instance, channel;
};

struct choice_group { /* receivers of one process */
    uint32_t first, count, chosen;
};

struct loose {
    VEC(struct enabled) enabled;
    VEC(struct enabled) broken; /* channel ANY_CHANNEL: not known either */
    VEC(uint32_t) receivers;
    VEC(struct choice_group) groups;
    uint32_t *seen;   /* by instance: the expansion in which its guard was looked at */
    bool *is_enabled; /* by instance: what was seen */
    uint32_t round;
};

enum { FIRST_CAPACITY = 64 };
/* Steps, or as many rounds of loops, until limits are looked at again. */
enum { MAX_EFFORT = 1 << 12, ROUNDS_OF_STEP = 1 << 8, MAX_ROUNDS = 1 << 20 };

/* For what is compiled once for each size of a state. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Room for more states, and behind them for the scratch words of the one under construction. */
static void grow(struct expander *expander, uint32_t more) {
    if (!expander->capacity) expander->capacity = FIRST_CAPACITY;
    while (expander->capacity - expander->count < more) expander->capacity *= 2;
    size_t words = (size_t)expander->capacity * expander->word_count;
    expander->states = heap_resize(expander->states, words + expander->program->layout->word_count,
                                   sizeof(uint64_t));
    expander->ranks = heap_resize(expander->ranks, expander->capacity, sizeof *expander->ranks);
}

static inline void reserve(struct expander *expander, uint32_t more) {
    if (expander->capacity - expander->count < more) grow(expander, more);
}

void expander_init(struct expander *expander, const struct program *program) {
    *expander = (struct expander){.program = program, .word_count = program->layout->stored_words};
    machine_init(&expander->machine, &program->code);
    arena_init(&expander->arena);
    reserve(expander, 1);
    expander->loose = ARENA_NEW(&expander->arena, struct loose);
    if (!program->has_loose) return;
    expander->loose->seen = ARENA_ARRAY(&expander->arena, uint32_t, program->instances.count + 1);
    expander->loose->is_enabled = ARENA_ARRAY(&expander->arena, bool, program->instances.count + 1);
}

void expander_close(struct expander *expander) {
    machine_close(&expander->machine);
    memo_close(&expander->memo);
    free(expander->states);
    free(expander->ranks);
    arena_close(&expander->arena);
}

/* The end of the list, with room for what all rows and the memo may write. */
ALWAYS_INLINE uint64_t *end_of_list(struct expander *expander, uint32_t words) {
    reserve(expander, expander->program->quick.count / quick_size(words) + MEMO_AHEAD + 1);
    return expander->states + (size_t)expander->count * words;
}

/* The next state in the list starts as the one that is expanded, with scratch words as at the start
 * of a step. */
static inline void load_work(struct expander *expander) {
    const struct layout *layout = expander->program->layout;
    reserve(expander, 1);
    uint64_t *work = expander->states + (size_t)expander->count * expander->word_count;
    for (uint32_t i = 0; i < expander->word_count; i++) work[i] = expander->from[i];
    for (uint32_t i = layout->stored_words; i < layout->word_count; i++)
        work[i] = layout->initial[i];
    expander->work = work;
}

static uint32_t location_of(const struct expander *expander, uint32_t process) {
    const struct layout *layout = expander->program->layout;
    return (uint32_t)field_get(&layout->fields[layout_location(layout, process)], expander->from);
}

/* Limits, which long expansions have to look at on their way. */

static size_t list_size(const struct expander *expander) {
    size_t of_state = (expander->word_count + 2) * sizeof(uint64_t);
    return expander->capacity * of_state + expander->parts.capacity * sizeof(uint32_t) * 2 +
           expander->records.capacity * sizeof(struct step_record) * 2;
}

static bool look_at_limits(struct expander *expander) {
    expander->effort = 0;
    expander->is_late = expander->deadline > 0 && clock_seconds() > expander->deadline;
    expander->is_too_large = expander->max_size && list_size(expander) > expander->max_size;
    return !expander_is_cut(expander);
}

/* Called at each step; false at a limit. */
static inline bool goes_on(struct expander *expander) {
    expander->effort += 1 + expander->machine.rounds / ROUNDS_OF_STEP;
    expander->machine.rounds = 0;
    return expander->effort < MAX_EFFORT || look_at_limits(expander);
}

/* Records */

static void record(struct expander *expander, const uint32_t *parts, uint32_t count,
                   bool is_error) {
    struct step_record record = {expander->parts.count, count};
    for (uint32_t i = 0; i < count; i++) VEC_PUSH(&expander->arena, &expander->parts, parts[i]);
    if (!is_error) {
        VEC_PUSH(&expander->arena, &expander->records, record);
    } else {
        VEC_PUSH(&expander->arena, &expander->errors, record);
        VEC_PUSH(&expander->arena, &expander->faults, expander->machine.fault);
    }
}

static void count_error(struct expander *expander, const uint32_t *parts, uint32_t count) {
    if (!expander->error_count++) expander->first_error = expander->machine.fault;
    if (expander->is_recording) record(expander, parts, count, true);
}

static void add_successor(struct expander *expander, const uint32_t *parts, uint32_t count,
                          int64_t rank, bool is_urgent) {
    if (expander->program->has_priorities) expander->ranks[expander->count] = rank * 2 + is_urgent;
    expander->has_urgent |= is_urgent;
    if (expander->is_recording) record(expander, parts, count, false);
    expander->count++;
}

/* Invariants of all processes in the state under construction; scratch fields are reset. */
static enum outcome check_invariants(struct expander *expander) {
    const struct program *program = expander->program;
    const struct layout *layout = program->layout;
    for (uint32_t i = layout->stored_words; i < layout->word_count; i++)
        expander->work[i] = layout->initial[i];
    for (uint32_t i = 0; i < program->invariant_processes.count; i++) {
        uint32_t p = program->invariant_processes.items[i];
        const struct packed *field = &layout->fields[layout_location(layout, p)];
        const struct unit *unit = &program->invariants[p][field_get(field, expander->work)];
        if (unit_is_trivial(unit)) continue;
        enum outcome outcome = machine_unit(&expander->machine, unit, expander->work);
        if (outcome != RUN_TRUE) return outcome;
    }
    return RUN_TRUE;
}

/* Actions */

/* An action whose tests hold. */
static bool run_tested(struct expander *expander, const struct action *action) {
    const struct code *code = &expander->program->code;
    uint32_t parts[] = {action->first, action->second};
    uint32_t count = action->second == NO_INSTANCE ? 1 : 2;
    if (!goes_on(expander)) return false;
    load_work(expander);
    enum outcome outcome = RUN_TRUE;
    if (action->unit.entry != NO_CODE)
        outcome = machine_run(&expander->machine, action->unit.entry, expander->work);
    if (outcome == RUN_TRUE) {
        unit_puts(code, &action->unit, expander->work);
        if (action->rechecks) outcome = check_invariants(expander);
    }
    if (outcome == RUN_TRUE) {
        add_successor(expander, parts, count, action->rank, action->is_urgent);
    } else if (outcome == RUN_FAULT) {
        count_error(expander, parts, count);
    }
    return outcome != RUN_OVERFLOW;
}

static bool run_action(struct expander *expander, const struct action *action) {
    if (!unit_tests(&expander->program->code, &action->unit, expander->from)) return true;
    return run_tested(expander, action);
}

/* Whether a quick action is enabled. */
ALWAYS_INLINE bool is_quick(const uint64_t *row, const uint64_t *state, uint32_t words) {
    uint64_t difference = 0;
    for (uint32_t i = 0; i < words; i++) difference |= (state[i] & row[i]) ^ row[words + i];
    return !difference;
}

ALWAYS_INLINE bool is_at_end(const uint64_t *extra, const uint64_t *state) {
    return (state[quick_word(extra[QUICK_INFO])] & extra[QUICK_END_MASK]) == extra[QUICK_END_VALUE];
}

/* Actions that the quick way is not enough for. */
static bool run_enabled(struct expander *expander, uint64_t info) {
    if (expander->is_committed && !(info & QUICK_COMMITTED)) return true;
    const struct action *action = &expander->program->actions.items[quick_action(info)];
    return info & QUICK_TESTED ? run_tested(expander, action) : run_action(expander, action);
}

/* An enabled action whose code has to run; the state goes to the end of the list, where there is
 * room. */
ALWAYS_INLINE enum outcome run_coded(struct expander *expander, const uint64_t *state, uint64_t *to,
                                     uint32_t index, uint32_t words) {
    const struct program *program = expander->program;
    const struct layout *layout = program->layout;
    const struct unit *unit = &program->actions.items[index].unit;
    for (uint32_t i = 0; i < words; i++) to[i] = state[i];
    for (uint32_t i = words; i < layout->word_count; i++) to[i] = layout->initial[i];
    enum outcome outcome = machine_run(&expander->machine, unit->entry, to);
    if (outcome == RUN_TRUE) unit_puts(&program->code, unit, to);
    return outcome;
}

/* The end of the list while quick actions are run. */
struct quick_end {
    uint64_t *to;
    uint64_t flags; /* of all actions that were possible */
};

/* Some rows. What is not enabled is computed as well, and then overwritten: that is faster than a
 * branch that cannot be predicted. */
ALWAYS_INLINE bool run_rows(struct expander *expander, const struct range *range,
                            const uint64_t *state, uint32_t words, bool is_special,
                            struct quick_end *end) {
    uint32_t size = quick_size(words);
    const uint64_t *row = expander->program->quick.items + (size_t)range->first * size;
    const uint64_t *last = row + (size_t)range->count * size;
    for (; row < last; row += size) {
        const uint64_t *extra = row + 4 * words;
        bool is_enabled = is_quick(row, state, words);
        if (is_enabled && (is_special || is_at_end(extra, state))) {
            uint64_t info = extra[QUICK_INFO];
            if (!is_special && info & QUICK_CODED) {
                enum outcome outcome =
                    run_coded(expander, state, end->to, quick_action(info), words);
                end->to += outcome == RUN_TRUE ? words : 0;
                end->flags |= outcome == RUN_TRUE ? info : 0;
                if (expander->machine.rounds >= MAX_ROUNDS && !goes_on(expander)) return false;
                if (outcome == RUN_TRUE || outcome == RUN_FALSE) continue;
            }
            expander->count = (uint32_t)((size_t)(end->to - expander->states) / words);
            if (!run_enabled(expander, info)) return false;
            end->to = end_of_list(expander, words);
            continue;
        }
        for (uint32_t i = 0; i < words; i++)
            end->to[i] = (state[i] & row[2 * words + i]) | row[3 * words + i];
        end->to[words == 1 ? 0 : quick_word(extra[QUICK_INFO])] += extra[QUICK_ADD];
        end->to += is_enabled ? words : 0;
        end->flags |= is_enabled ? extra[QUICK_INFO] : 0;
    }
    return true;
}

/* The successors that a group is known to give; the first ones are written in any case, as that is
 * faster than to look how many there are. */
ALWAYS_INLINE void run_known(const struct memo *memo, const struct memo_entry *entry,
                             const uint64_t *state, uint32_t words, struct quick_end *end) {
    const uint64_t *result = memo->results + entry->first;
    uint32_t count = entry->count & MEMO_COUNT;
    uint64_t *to = end->to;
    for (uint32_t k = 0; k < MEMO_AHEAD; k++)
        for (uint32_t i = 0; i < words; i++)
            to[k * words + i] =
                (state[i] & result[2 * k * words + i]) | result[(2 * k + 1) * words + i];
    for (uint32_t k = MEMO_AHEAD; k < count; k++)
        for (uint32_t i = 0; i < words; i++)
            to[k * words + i] =
                (state[i] & result[2 * k * words + i]) | result[(2 * k + 1) * words + i];
    end->to += count * words;
    end->flags |= entry->count & MEMO_URGENT ? QUICK_URGENT : 0;
}

ALWAYS_INLINE bool run_group(struct expander *expander, struct memo_table *table,
                             const uint64_t *state, uint32_t words, struct quick_end *end) {
    if (table->entries) {
        uint64_t key = memo_key(&table->group, state, words);
        const struct memo_entry *entry = memo_place(table, key);
        if (entry->key != key) {
            entry = memo_fill(&expander->memo, table, expander->program, &expander->machine, state);
            if (expander->machine.rounds >= MAX_ROUNDS && !goes_on(expander)) return false;
        }
        if (entry && !(entry->count & MEMO_ROWS)) {
            run_known(&expander->memo, entry, state, words, end);
            return true;
        }
    }
    return run_rows(expander, &table->group.rows, state, words, false, end);
}

/* All quick actions. */
ALWAYS_INLINE bool run_quick(struct expander *expander, uint32_t words) {
    const struct program *program = expander->program;
    struct memo_table *tables = expander->memo.tables;
    uint64_t state[QUICK_WORDS];
    bool is_special = expander->is_recording || expander->is_committed, is_fine = true;
    for (uint32_t i = 0; i < words; i++) state[i] = expander->from[i];
    struct quick_end end = {.to = end_of_list(expander, words)};
    uint32_t dispatch_count = program->quick_dispatch.count;
    for (uint32_t d = 0; is_special && d < dispatch_count && is_fine; d++) {
        const struct range *range = dispatch_range(&program->quick_dispatch.items[d], state);
        is_fine = run_rows(expander, range, state, words, true, &end);
    }
    if (!is_special) {
        for (uint32_t d = 0; d < program->group_dispatch.count; d++) {
            const struct range *range = dispatch_range(&program->group_dispatch.items[d], state);
            for (uint32_t g = range->first; g < range->first + range->count; g++)
                if (!run_group(expander, &tables[g], state, words, &end)) return false;
        }
    }
    if (!is_fine) return false;
    expander->count = (uint32_t)((size_t)(end.to - expander->states) / words);
    expander->has_urgent |= (end.flags & QUICK_URGENT) != 0;
    return true;
}

/* One copy of the code for each size of a state. */
static bool run_quick_actions(struct expander *expander) {
    if (!expander->memo.tables) memo_open(&expander->memo, expander->program);
    switch (expander->word_count) {
    case 1: return run_quick(expander, 1);
    case 2: return run_quick(expander, 2);
    case 3: return run_quick(expander, 3);
    default: return run_quick(expander, 4);
    }
}

static bool run_slow_actions(struct expander *expander) {
    const struct program *program = expander->program;
    for (uint32_t d = 0; d < program->slow_dispatch.count; d++) {
        const struct dispatch *at = &program->slow_dispatch.items[d];
        const struct range *range = dispatch_range(at, expander->from);
        const uint32_t *slow = &program->slow.items[range->first];
        for (uint32_t i = 0; i < range->count; i++) {
            const struct action *action = &program->actions.items[slow[i]];
            if (expander->is_committed && !action->is_committed) continue;
            if (!run_action(expander, action)) return false;
        }
    }
    return true;
}

/* Loose instances */

/* Looks at the guard and the channel of an instance. */
static enum outcome look(struct expander *expander, uint32_t index, uint32_t *channel) {
    const struct edge_instance *instance = &expander->program->instances.items[index];
    enum outcome outcome = RUN_TRUE, of_channel = RUN_TRUE;
    load_work(expander);
    outcome = machine_unit(&expander->machine, &instance->guard, expander->work);
    struct fault fault = expander->machine.fault;
    *channel = instance->channel;
    if (outcome == RUN_FALSE || outcome == RUN_OVERFLOW || *channel != ANY_CHANNEL) return outcome;
    load_work(expander);
    of_channel = machine_unit(&expander->machine, &instance->channel_code, expander->work);
    if (of_channel == RUN_TRUE) *channel = (uint32_t)expander->machine.registers[0];
    if (outcome == RUN_FAULT) expander->machine.fault = fault;
    return outcome == RUN_TRUE ? of_channel : outcome;
}

static bool look_at_all(struct expander *expander) {
    const struct program *program = expander->program;
    struct loose *loose = expander->loose;
    loose->enabled.count = loose->broken.count = 0;
    loose->round++;
    for (uint32_t p = 0; p < program->network->process_count; p++) {
        const struct range *range = &program->loose_of[p][location_of(expander, p)];
        for (uint32_t i = 0; i < range->count; i++) {
            struct enabled found = {program->loose.items[range->first + i], NO_SLOT};
            if (!goes_on(expander)) return false;
            enum outcome outcome = look(expander, found.instance, &found.channel);
            if (outcome == RUN_OVERFLOW) return false;
            if (outcome == RUN_TRUE) VEC_PUSH(&expander->arena, &loose->enabled, found);
            if (outcome != RUN_FAULT) continue;
            count_error(expander, &found.instance, 1);
            if (!program->instances.items[found.instance].is_send)
                VEC_PUSH(&expander->arena, &loose->broken, found);
        }
    }
    return true;
}

static bool is_lazily_enabled(struct expander *expander, uint32_t index) {
    struct loose *loose = expander->loose;
    if (loose->seen[index] == loose->round) return loose->is_enabled[index];
    uint32_t channel;
    loose->seen[index] = loose->round;
    loose->is_enabled[index] = look(expander, index, &channel) == RUN_TRUE;
    return loose->is_enabled[index];
}

/* Enabled receivers on the channel, by process, without the sender's. */
static void find_receivers(struct expander *expander, const struct enabled *sender) {
    const struct program *program = expander->program;
    const struct channel *channel = program->channels[sender->channel];
    const struct edge_instance *instances = program->instances.items;
    struct loose *loose = expander->loose;
    loose->receivers.count = 0;
    uint32_t next_lazy = 0, next = 0;
    for (;;) { /* two lists in ascending order */
        uint32_t lazy = NO_INSTANCE, eager = NO_INSTANCE;
        while (next_lazy < channel->receivers.count &&
               (!instances[channel->receivers.items[next_lazy]].is_lazy ||
                !is_lazily_enabled(expander, channel->receivers.items[next_lazy])))
            next_lazy++;
        if (next_lazy < channel->receivers.count) lazy = channel->receivers.items[next_lazy];
        while (next < loose->enabled.count &&
               (loose->enabled.items[next].channel != sender->channel ||
                instances[loose->enabled.items[next].instance].is_send))
            next++;
        if (next < loose->enabled.count) eager = loose->enabled.items[next].instance;
        if (lazy == NO_INSTANCE && eager == NO_INSTANCE) return;
        uint32_t found = lazy < eager ? lazy : eager;
        if (found == lazy)
            next_lazy++;
        else
            next++;
        if (instances[found].process != instances[sender->instance].process)
            VEC_PUSH(&expander->arena, &loose->receivers, found);
    }
}

static bool is_committed(const struct expander *expander, uint32_t index) {
    const struct edge_instance *instance = &expander->program->instances.items[index];
    return instance->process->template->locations[instance->source].is_committed;
}

static enum outcome run_parts(struct expander *expander, const uint32_t *parts, uint32_t count) {
    const struct program *program = expander->program;
    const struct layout *layout = program->layout;
    struct machine *machine = &expander->machine;
    enum outcome outcome = RUN_TRUE;
    load_work(expander);
    if (program->has_before) outcome = machine_unit(machine, &program->before, expander->work);
    for (uint32_t i = 0; i < count && outcome == RUN_TRUE; i++)
        outcome = machine_unit(machine, &program->instances.items[parts[i]].update, expander->work);
    if (program->has_after && outcome == RUN_TRUE)
        outcome = machine_unit(machine, &program->after, expander->work);
    if (outcome != RUN_TRUE) return outcome;
    for (uint32_t i = 0; i < count; i++) {
        const struct edge_instance *instance = &program->instances.items[parts[i]];
        uint32_t field = layout_location(layout, instance->process->index);
        field_set(&layout->fields[field], expander->work, (int32_t)instance->target);
    }
    for (uint32_t i = 0; i < layout->scratch_count; i++) {
        uint32_t slot = layout->scratch[i];
        int32_t value = field_get(&layout->fields[slot], expander->work);
        if (program->network->slots[slot].is_meta || value == program->network->slots[slot].initial)
            continue;
        machine->has_overflowed = true;
        machine->overflow_slot = slot;
        machine->overflow_value = value;
        return RUN_OVERFLOW;
    }
    return program->invariant_processes.count ? check_invariants(expander) : RUN_TRUE;
}

static int64_t rank_parts(const struct program *program, uint32_t channel, const uint32_t *parts,
                          uint32_t count) {
    uint32_t process = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t priority = program->instances.items[parts[i]].process->priority;
        if (priority > process) process = priority;
    }
    return (int64_t)program->channels[channel]->priority << 32 | process;
}

/* One step of a sender and receivers. */
static bool take(struct expander *expander, uint32_t channel, const uint32_t *parts,
                 uint32_t count) {
    const struct program *program = expander->program;
    bool is_allowed = !expander->is_committed;
    if (!goes_on(expander)) return false;
    for (uint32_t i = 0; i < count && !is_allowed; i++)
        is_allowed = is_committed(expander, parts[i]);
    if (!is_allowed) return true;
    enum outcome outcome = run_parts(expander, parts, count);
    if (outcome == RUN_FAULT) count_error(expander, parts, count);
    if (outcome == RUN_TRUE)
        add_successor(expander, parts, count, rank_parts(program, channel, parts, count),
                      program->channels[channel]->is_urgent);
    return outcome != RUN_OVERFLOW;
}

static bool run_binary(struct expander *expander, const struct enabled *sender) {
    const struct loose *loose = expander->loose;
    for (uint32_t i = 0; i < loose->receivers.count; i++) {
        uint32_t parts[] = {sender->instance, loose->receivers.items[i]};
        if (!take(expander, sender->channel, parts, 2)) return false;
    }
    return true;
}

/* Who takes part is not known if some guard of a possible receiver fails. */
static bool is_undecided(const struct expander *expander, const struct enabled *sender) {
    const struct edge_instance *instances = expander->program->instances.items;
    for (uint32_t i = 0; i < expander->loose->broken.count; i++) {
        const struct enabled *broken = &expander->loose->broken.items[i];
        if (instances[broken->instance].process != instances[sender->instance].process &&
            (broken->channel == ANY_CHANNEL || broken->channel == sender->channel))
            return true;
    }
    return false;
}

/* Every process that can receive does, in each of the ways it can. */
static bool run_broadcast(struct expander *expander, const struct enabled *sender) {
    const struct edge_instance *instances = expander->program->instances.items;
    struct loose *loose = expander->loose;
    if (is_undecided(expander, sender)) return true;
    loose->groups.count = 0;
    for (uint32_t i = 0; i < loose->receivers.count; i++) {
        struct choice_group *last =
            loose->groups.count ? &loose->groups.items[loose->groups.count - 1] : NULL;
        if (last && instances[loose->receivers.items[last->first]].process ==
                        instances[loose->receivers.items[i]].process)
            last->count++;
        else
            VEC_PUSH(&expander->arena, &loose->groups, (struct choice_group){i, 1, 0});
    }
    uint32_t count = loose->groups.count + 1;
    uint32_t *parts = heap_resize(NULL, count, sizeof *parts);
    parts[0] = sender->instance;
    bool is_fine = true;
    for (bool more = true; more && is_fine;) {
        for (uint32_t g = 0; g + 1 < count; g++)
            parts[g + 1] = loose->receivers
                               .items[loose->groups.items[g].first + loose->groups.items[g].chosen];
        is_fine = take(expander, sender->channel, parts, count);
        more = false;
        for (uint32_t g = count - 1; g-- > 0 && !more;) {
            struct choice_group *group = &loose->groups.items[g];
            more = group->chosen + 1 < group->count;
            group->chosen = more ? group->chosen + 1 : 0;
        }
    }
    free(parts);
    return is_fine;
}

static bool run_loose(struct expander *expander) {
    struct loose *loose = expander->loose;
    if (!look_at_all(expander)) return false;
    for (uint32_t i = 0; i < loose->enabled.count; i++) {
        struct enabled sender = loose->enabled.items[i];
        if (!expander->program->instances.items[sender.instance].is_send) continue;
        if (!goes_on(expander)) return false;
        find_receivers(expander, &sender);
        bool is_broadcast = expander->program->channels[sender.channel]->is_broadcast;
        if (!(is_broadcast ? run_broadcast : run_binary)(expander, &sender)) return false;
    }
    return true;
}

/* The whole */

static bool has_location(const struct expander *expander, bool committed) {
    const struct network *network = expander->program->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct location *location =
            &network->processes[p].template->locations[location_of(expander, p)];
        if (committed ? location->is_committed : location->is_urgent) return true;
    }
    return false;
}

/* Steps of less than the highest priority are none. */
static void keep_best(struct expander *expander) {
    int64_t best = INT64_MIN;
    uint32_t first = expander->first, kept = first;
    expander->has_urgent = false;
    for (uint32_t i = first; i < expander->count; i++)
        if (expander->ranks[i] / 2 > best) best = expander->ranks[i] / 2;
    for (uint32_t i = first; i < expander->count; i++) {
        if (expander->ranks[i] / 2 != best) continue;
        expander->has_urgent |= expander->ranks[i] % 2;
        memmove(expander->states + (size_t)kept * expander->word_count, expander_state(expander, i),
                expander->word_count * sizeof(uint64_t));
        if (expander->is_recording)
            expander->records.items[kept - first] = expander->records.items[i - first];
        kept++;
    }
    expander->count = kept;
    if (expander->is_recording) expander->records.count = kept - first;
}

bool expander_run(struct expander *expander, const uint64_t *state) {
    const struct program *program = expander->program;
    expander->from = state;
    expander->first = expander->count;
    expander->error_count = 0;
    expander->has_urgent = expander->is_late = expander->is_too_large = false;
    expander->parts.count = expander->records.count = 0;
    expander->errors.count = expander->faults.count = 0;
    expander->is_committed = program->has_committed && has_location(expander, true);
    if (program->quick.count && !run_quick_actions(expander)) return false;
    if (!run_slow_actions(expander)) return false;
    if (program->has_loose && !run_loose(expander)) return false;
    if (program->has_priorities) keep_best(expander);
    return true;
}

bool expander_can_idle(const struct expander *expander, const uint64_t *state) {
    assert(expander->from == state ||
           !memcmp(expander->from, state, expander->word_count * sizeof(uint64_t)));
    (void)state;
    return !expander->has_urgent && !expander->is_committed &&
           !(expander->program->has_urgent && has_location(expander, false));
}
