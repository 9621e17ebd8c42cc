/* The third way: steps that are put together from loose instances while the search runs. */
#include "explore/space/successor_internal.h"

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
    VEC(uint32_t) lazy, receivers;
    VEC(struct choice_group) groups;
    VEC(uint32_t) parts;
    uint32_t *seen;   /* by instance: the expansion in which its guard was looked at */
    bool *is_enabled; /* by instance: what was seen */
    uint32_t round;
};

/* Room for all instances, in the arena. */
struct loose *loose_new(struct arena *arena, const struct program *program) {
    struct loose *loose = ARENA_NEW(arena, struct loose);
    loose->seen = ARENA_ARRAY(arena, uint32_t, program->instances.count + 1);
    loose->is_enabled = ARENA_ARRAY(arena, bool, program->instances.count + 1);
    return loose;
}

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

static bool look_at_all(struct expander *expander) {
    const struct program *program = expander->program;
    struct loose *loose = expander->loose;
    loose->enabled.count = loose->broken.count = 0;
    loose->round++;
    for (uint32_t p = 0; p < program->network->process_count; p++) {
        const struct row_range *range = &program->loose_of[p][location_of(expander, p)];
        for (uint32_t i = 0; i < range->count; i++) {
            struct enabled found = {program->loose.items[range->first + i], NO_SLOT};
            if (!goes_on(expander)) return false;
            enum outcome outcome = look_at(expander, found.instance, &found.channel);
            if (is_broken_off(outcome)) return false;
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

/* Lazy receivers that are enabled, in ascending order. */
static void find_lazy(struct expander *expander, const struct channel *channel) {
    struct loose *loose = expander->loose;
    loose->lazy.count = 0;
    for (uint32_t k = 0; k < channel->listeners.count; k++) {
        const struct row_range *range =
            dispatch_range(&channel->listeners.items[k].dispatch, expander->from);
        for (uint32_t i = range->first; i < range->first + range->count; i++)
            if (is_lazily_enabled(expander, channel->lazy.items[i]))
                VEC_PUSH(&expander->arena, &loose->lazy, channel->lazy.items[i]);
    }
}

/* Enabled receivers on the channel, by process, without the sender's. */
static void find_receivers(struct expander *expander, const struct enabled *sender) {
    const struct program *program = expander->program;
    const struct edge_instance *instances = program->instances.items;
    struct loose *loose = expander->loose;
    find_lazy(expander, program->channels[sender->channel]);
    loose->receivers.count = 0;
    uint32_t next_lazy = 0, next = 0;
    for (;;) { /* two lists in ascending order */
        uint32_t lazy = NO_INSTANCE, eager = NO_INSTANCE;
        if (next_lazy < loose->lazy.count) lazy = loose->lazy.items[next_lazy];
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
        assert(!instances[found].is_send);
        if (instances[found].process != instances[sender->instance].process)
            VEC_PUSH(&expander->arena, &loose->receivers, found);
    }
}

static bool is_committed(const struct expander *expander, uint32_t index) {
    const struct edge_instance *instance = &expander->program->instances.items[index];
    return instance->process->template->locations[instance->source].is_committed;
}

enum outcome run_parts(struct expander *expander, const uint32_t *parts, uint32_t count) {
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
    loose->enabled.count = loose->broken.count = 0;
    loose->round++;
    for (uint32_t i = 0; i < program->loose.count; i++) {
        struct enabled found = {program->loose.items[i], NO_SLOT};
        if (!may_receive(&instances[found.instance], &instances[sender])) continue;
        if (!goes_on(expander)) return false;
        enum outcome outcome = look_at(expander, found.instance, &found.channel);
        if (is_broken_off(outcome)) return false;
        if (outcome == RUN_TRUE) VEC_PUSH(&expander->arena, &loose->enabled, found);
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

/* Those of one sender, or its guard alone. */
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
