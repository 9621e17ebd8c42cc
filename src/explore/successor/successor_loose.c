/* The third way: steps that are put together from loose instances while the search runs. */
#include "explore/successor/successor_internal.h"

#include "base/memory.h"

#include <assert.h>

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
    uint32_t receiver_count;    /* of enabled ones */
    VEC(uint32_t) receivers;
    VEC(struct choice_group) groups;
    VEC(uint32_t) parts;
    uint32_t *seen;   /* by instance: the expansion in which its guard was looked at */
    bool *is_enabled; /* by instance: what was seen */
    uint32_t round;
    struct memo memo;
    struct memo_table **updates; /* by instance: what its update does; NULL: never run */
};

/* Room for all instances, in the arena. */
struct loose *loose_new(struct arena *arena, const struct program *program) {
    struct loose *loose = ARENA_NEW(arena, struct loose);
    loose->seen = ARENA_ARRAY(arena, uint32_t, program->instances.count + 1);
    loose->is_enabled = ARENA_ARRAY(arena, bool, program->instances.count + 1);
    loose->updates = ARENA_ARRAY(arena, struct memo_table *, program->instances.count + 1);
    memo_begin(&loose->memo, program);
    return loose;
}

void loose_close(struct loose *loose) { memo_close(&loose->memo); }

enum outcome look_at(struct expander *expander, uint32_t index, uint32_t *channel) {
    const struct edge_instance *instance = &expander->program->instances.items[index];
    enum outcome outcome = RUN_TRUE, of_channel = RUN_TRUE;
    *channel = instance->channel;
    if (instance->has_plain_guard) /* needs no state of its own */
        return unit_tests(&expander->program->code, &instance->guard, expander->from) ? RUN_TRUE
                                                                                      : RUN_FALSE;
    load_work(expander);
    outcome = machine_unit(&expander->machine, &instance->guard, expander->work);
    struct fault fault = expander->machine.fault;
    if (outcome == RUN_FALSE || is_broken_off(outcome) || *channel != ANY_CHANNEL) return outcome;
    load_work(expander);
    of_channel = machine_unit(&expander->machine, &instance->channel_code, expander->work);
    if (of_channel == RUN_TRUE) *channel = (uint32_t)expander->machine.registers[0];
    if (outcome == RUN_FAULT) expander->machine.fault = fault;
    return outcome == RUN_TRUE || is_broken_off(of_channel) ? of_channel : outcome;
}

static void add_enabled(struct expander *expander, struct enabled found) {
    struct loose *loose = expander->loose;
    VEC_PUSH(&expander->arena, &loose->enabled, found);
    loose->receiver_count += !expander->program->instances.items[found.instance].is_send;
}

static bool look_at_all(struct expander *expander) {
    const struct program *program = expander->program;
    struct loose *loose = expander->loose;
    loose->enabled.count = loose->broken.count = loose->receiver_count = 0;
    loose->round++;
    for (uint32_t p = 0; p < program->network->process_count; p++) {
        const struct row_range *range = &program->loose_of[p][location_of(expander, p)];
        for (uint32_t i = 0; i < range->count; i++) {
            struct enabled found = {program->loose.items[range->first + i], NO_SLOT};
            if (!goes_on(expander)) return false;
            enum outcome outcome = look_at(expander, found.instance, &found.channel);
            if (is_broken_off(outcome)) return false;
            if (outcome == RUN_TRUE) add_enabled(expander, found);
            if (outcome != RUN_FAULT) continue;
            count_error(expander, &found.instance, 1);
            if (!program->instances.items[found.instance].is_send)
                VEC_PUSH(&expander->arena, &loose->broken, found);
        }
    }
    return true;
}

static bool is_lazily_enabled(struct expander *expander, uint32_t index) {
    const struct program *program = expander->program;
    const struct edge_instance *instance = &program->instances.items[index];
    struct loose *loose = expander->loose;
    if (instance->has_plain_guard)
        return unit_tests(&program->code, &instance->guard, expander->from);
    if (loose->seen[index] == loose->round) return loose->is_enabled[index];
    uint32_t channel;
    loose->seen[index] = loose->round;
    enum outcome outcome = look_at(expander, index, &channel);
    assert(outcome == RUN_TRUE || outcome == RUN_FALSE); /* cannot fail: no loops either */
    loose->is_enabled[index] = outcome == RUN_TRUE;
    return loose->is_enabled[index];
}

/* Lazy receivers that are enabled, in ascending order, without the sender's. */
static void find_lazy(struct expander *expander, const struct enabled *sender) {
    const struct channel *channel = expander->program->channels[sender->channel];
    const struct process *own = expander->program->instances.items[sender->instance].process;
    struct loose *loose = expander->loose;
    loose->receivers.count = 0;
    for (uint32_t k = 0; k < channel->listeners.count; k++) {
        const struct listener *listener = &channel->listeners.items[k];
        const struct row_range *range = dispatch_range(&listener->dispatch, expander->from);
        if (listener->process == own) continue;
        for (uint32_t i = range->first; i < range->first + range->count; i++)
            if (is_lazily_enabled(expander, channel->lazy.items[i]))
                VEC_PUSH(&expander->arena, &loose->receivers, channel->lazy.items[i]);
    }
}

static bool is_eager(const struct expander *expander, const struct enabled *receiver,
                     const struct enabled *sender) {
    const struct edge_instance *instances = expander->program->instances.items;
    return receiver->channel == sender->channel && !instances[receiver->instance].is_send &&
           instances[receiver->instance].process != instances[sender->instance].process;
}

/* Enabled receivers on the channel, by process, without the sender's. */
static void find_receivers(struct expander *expander, const struct enabled *sender) {
    struct loose *loose = expander->loose;
    find_lazy(expander, sender);
    if (!loose->receiver_count) return;
    const struct enabled *eager = loose->enabled.items + loose->enabled.count;
    uint32_t lazy = loose->receivers.count;
    for (uint32_t i = 0; i < loose->enabled.count; i++)
        if (is_eager(expander, &loose->enabled.items[i], sender))
            VEC_PUSH(&expander->arena, &loose->receivers, NO_INSTANCE);
    uint32_t *items = loose->receivers.items;
    for (uint32_t to = loose->receivers.count; to > lazy; to--) { /* two lists in ascending order */
        const struct enabled *last = eager - 1;
        while (!is_eager(expander, last, sender)) last--;
        bool is_lazy = lazy && items[lazy - 1] > last->instance;
        items[to - 1] = is_lazy ? items[--lazy] : last->instance;
        if (!is_lazy) eager = last;
    }
}

static bool is_committed(const struct expander *expander, uint32_t index) {
    const struct edge_instance *instance = &expander->program->instances.items[index];
    return instance->process->template->locations[instance->source].is_committed;
}

static enum outcome run_update(struct expander *expander, uint32_t index) {
    const struct unit *unit = &expander->program->instances.items[index].update;
    struct loose *loose = expander->loose;
    struct memo_table **table = &loose->updates[index];
    if (unit->entry != NO_CODE && !*table) *table = memo_add_unit(&loose->memo, unit);
    if (*table && memo_apply(&loose->memo, *table, &expander->machine, unit, expander->work))
        return RUN_TRUE;
    return machine_unit(&expander->machine, unit, expander->work);
}

enum outcome run_parts(struct expander *expander, const uint32_t *parts, uint32_t count) {
    const struct program *program = expander->program;
    const struct layout *layout = program->layout;
    struct machine *machine = &expander->machine;
    enum outcome outcome = RUN_TRUE;
    load_work(expander);
    if (program->has_before) outcome = machine_unit(machine, &program->before, expander->work);
    for (uint32_t i = 0; i < count && outcome == RUN_TRUE; i++)
        outcome = run_update(expander, parts[i]);
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
    assert(program->channels[channel]);
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
    assert(count && expander->program->instances.items[parts[0]].is_send);
    const struct program *program = expander->program;
    bool is_allowed = !expander->is_committed;
    expander->effort += count / PARTS_OF_STEP;
    if (!goes_on(expander)) return false;
    for (uint32_t i = 0; i < count && !is_allowed; i++)
        is_allowed = is_committed(expander, parts[i]);
    if (!is_allowed) return true;
    enum outcome outcome = run_parts(expander, parts, count);
    if (expander->trial && count > 2 && !expander->is_plain && !is_broken_off(outcome))
        outcome = try_orders(expander, parts, count, outcome);
    if (outcome == RUN_FAULT) count_error(expander, parts, count);
    if (outcome == RUN_TRUE)
        add_successor(expander, parts, count, rank_parts(program, channel, parts, count));
    return !is_broken_off(outcome);
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

/* Whether there is memory for the steps of all choices of the receivers, with so many parts each. */
static bool has_room_for_all(struct expander *expander, uint32_t count) {
    const struct loose *loose = expander->loose;
    size_t parts = expander->is_recording ? count * sizeof(uint32_t) : 0;
    double size = (double)(expander->word_count * sizeof(uint64_t) + parts);
    for (uint32_t g = 0; g < loose->groups.count; g++) size *= loose->groups.items[g].count;
    if (size < MEMORY_LEAST) return true;
    size_t most = expander->max_size ? expander->max_size : memory_for_search();
    if (size > (double)most) expander->is_too_large = true;
    return !expander->is_too_large;
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
    if (!has_room_for_all(expander, count)) return false;
    loose->parts.count = 0;
    while (loose->parts.count < count) VEC_PUSH(&expander->arena, &loose->parts, sender->instance);
    uint32_t *parts = loose->parts.items;
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
    return is_fine;
}

/* All steps of instances whose partners are found while running; false as run_action. */
bool run_loose(struct expander *expander) {
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

/* Parts */

/* Receivers of a sender that are not lazy: which are enabled, and which guards fail. */
static bool look_at_receivers(struct expander *expander, uint32_t sender) {
    const struct program *program = expander->program;
    const struct edge_instance *instances = program->instances.items;
    struct loose *loose = expander->loose;
    loose->enabled.count = loose->broken.count = loose->receiver_count = 0;
    loose->round++;
    for (uint32_t i = 0; i < program->loose.count; i++) {
        struct enabled found = {program->loose.items[i], NO_SLOT};
        if (!may_receive(&instances[found.instance], &instances[sender])) continue;
        if (!goes_on(expander)) return false;
        enum outcome outcome = look_at(expander, found.instance, &found.channel);
        if (is_broken_off(outcome)) return false;
        if (outcome == RUN_TRUE) add_enabled(expander, found);
        if (outcome == RUN_FAULT) VEC_PUSH(&expander->arena, &loose->broken, found);
    }
    return true;
}

/* A sender whose channel is not known before may send on one of either kind. */
static bool run_sender(struct expander *expander, const struct enabled *sender) {
    if (!expander->program->channels[sender->channel]->is_broadcast) return true;
    if (!look_at_receivers(expander, sender->instance)) return false;
    find_receivers(expander, sender);
    return run_broadcast(expander, sender);
}

static bool run_pair(struct expander *expander, const struct enabled *sender, uint32_t receiver) {
    uint32_t parts[] = {sender->instance, receiver}, channel;
    assert(expander->program->instances.items[sender->instance].is_send);
    if (expander->program->channels[sender->channel]->is_broadcast) return true;
    enum outcome outcome = look_at(expander, receiver, &channel);
    if (is_broken_off(outcome)) return false;
    if (outcome != RUN_TRUE || channel != sender->channel) return true;
    return take(expander, channel, parts, 2);
}

/* Runs the part of one process once the sender has sent; none, if it does not receive. */
static bool run_receiver(struct expander *expander, const struct step_part *part) {
    const struct program *program = expander->program;
    const struct edge_instance *instances = program->instances.items;
    const struct channel *channel = program->channels[instances[part->first].channel];
    uint32_t found = 0, sender = part->first;
    for (uint32_t i = 0; i < channel->receivers.count; i++) {
        uint32_t receiver = channel->receivers.items[i], address;
        if (instances[receiver].process->index != part->second) continue;
        enum outcome outcome = look_at(expander, receiver, &address);
        assert(outcome != RUN_FAULT);
        if (outcome == RUN_FALSE) continue;
        if (outcome == RUN_TRUE) outcome = run_parts(expander, &receiver, 1);
        if (outcome == RUN_FAULT) count_error(expander, &receiver, 1);
        if (outcome == RUN_TRUE) add_successor(expander, &receiver, 1, 0);
        if (is_broken_off(outcome)) return false;
        found++;
    }
    if (!found) load_work(expander);
    if (!found) add_successor(expander, &sender, 1, 0);
    return true;
}

/* Runs one part of a step: that of a sender, its guard alone, or that of a receiver. */
bool run_loose_part(struct expander *expander, const struct step_part *part) {
    struct enabled sender = {part->first, NO_SLOT};
    if (part->kind == PART_RECEIVER) return run_receiver(expander, part);
    enum outcome outcome = look_at(expander, sender.instance, &sender.channel);
    if (outcome == RUN_FAULT && part->kind == PART_GUARD) count_error(expander, &part->first, 1);
    if (outcome != RUN_TRUE || part->kind == PART_GUARD) return !is_broken_off(outcome);
    if (part->kind == PART_PAIR) return run_pair(expander, &sender, part->second);
    if (part->kind == PART_SENDER) return take(expander, sender.channel, &part->first, 1);
    return run_sender(expander, &sender);
}
