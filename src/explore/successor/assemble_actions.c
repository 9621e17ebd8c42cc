/* Actions: the units of whole steps; and loose instances, whose steps the search puts together. */
#include "explore/successor/assemble_internal.h"

#include "explore/successor/memo.h"
#include "explore/successor/quick.h"

#include <assert.h>

/* Units of instances */

static struct leg_labels leg_of(const struct edge_instance *instance, uint32_t edge) {
    return (struct leg_labels){instance->process, instance->edges[edge], instance->selects[edge]};
}

static void compile_guards(struct compiler *compiler, const struct edge_instance *instance) {
    unit_at(compiler, instance->process, instance->source);
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        struct leg_labels leg = leg_of(instance, i);
        unit_guard(compiler, &leg);
    }
}

static void compile_updates(struct compiler *compiler, const struct edge_instance *instance) {
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        struct leg_labels leg = leg_of(instance, i);
        unit_update(compiler, &leg);
    }
}

/* The guard and the channel of an instance that synchronises; false if it is never enabled. */
static bool prepare_sync(struct program_builder *builder, struct edge_instance *instance) {
    struct compiler *compiler = builder->compiler;
    struct leg_labels leg = leg_of(instance, instance->sync);
    instance->channel = compile_channel(compiler, &leg);
    if (instance->channel == NO_SLOT) {
        instance->channel = ANY_CHANNEL;
        builder->has_any_channel = true;
        unit_begin(compiler);
        unit_channel(compiler, &leg);
        unit_end(compiler, &instance->channel_code);
    }
    unit_begin(compiler);
    unit_fresh(compiler);
    compile_guards(compiler, instance);
    bool can_hold = unit_end(compiler, &instance->guard);
    instance->has_plain_guard = instance->channel != ANY_CHANNEL &&
                                instance->guard.entry == NO_CODE && !instance->guard.put_count;
    return can_hold;
}

void list_channels(struct program_builder *builder) {
    struct program *program = builder->program;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < program->instances.count; i++) {
        struct edge_instance *instance = &program->instances.items[i];
        if (!builder_goes_on(builder)) return;
        if (instance->sync < instance->edge_count && !prepare_sync(builder, instance)) continue;
        program->instances.items[kept++] = *instance;
    }
    program->instances.count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        if (instance->channel >= ANY_CHANNEL) continue;
        struct channel *channel = program->channels[instance->channel];
        assert(channel);
        if (instance->is_send)
            VEC_PUSH(builder->arena, &channel->senders, i);
        else
            VEC_PUSH(builder->arena, &channel->receivers, i);
        channel->is_loose |= instance->guard.can_fault;
    }
    for (uint32_t i = 0; i < program->network->cell_count; i++) {
        struct channel *channel = program->channels[i];
        if (!channel) continue;
        channel->is_loose |=
            channel->is_broadcast || builder->has_any_channel ||
            (uint64_t)channel->senders.count * channel->receivers.count > PROGRAM_MAX_PAIRS;
    }
}

/* Actions */

static bool is_committed(const struct edge_instance *instance) {
    return instance->process->template->locations[instance->source].is_committed;
}

static bool writes_shared(struct program_builder *builder, const struct edge_instance *instance) {
    const struct network *network = builder->program->network;
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        const struct template *template = instance->process->template;
        const struct effects *update =
            &labels_of_edge(network, template, instance->edges[i])->update_effects;
        for (uint32_t k = 0; k < update->list.count; k++) {
            const struct symbol *symbol = update->list.items[k].symbol;
            if (update->list.items[k].writes &&
                (symbol->scope == SCOPE_GLOBAL || symbol->is_reference))
                return true;
        }
    }
    return false;
}

static bool needs_recheck(struct program_builder *builder, const struct edge_instance *instance) {
    struct program *program = builder->program;
    if (!program->invariant_processes.count) return false;
    if (program->rechecks_always) return true;
    if (!builder->shares_invariants) return false;
    return program->has_before || program->has_after || writes_shared(builder, instance);
}

void compile_hooks(const struct program *program, bool is_after) {
    const struct model *model = program->network->model;
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->items[i]->kind == DECLARATION_HOOK &&
                lists[k]->items[i]->is_after == is_after)
                unit_hook(program->compiler, &lists[k]->items[i]->hook);
}

static int64_t rank_of(const struct program *program, const struct edge_instance *first,
                       const struct edge_instance *second) {
    assert(first->channel != ANY_CHANNEL); /* it has a channel, or none */
    uint32_t process = first->process->priority;
    if (second && second->process->priority > process) process = second->process->priority;
    int32_t channel = first->channel == NO_SLOT ? program->internal_priority
                                                : program->channels[first->channel]->priority;
    return (int64_t)channel << 32 | process;
}

static const struct edge_instance *second_of(const struct program *program,
                                             const struct action *action) {
    return action->second == NO_INSTANCE ? NULL : &program->instances.items[action->second];
}

static void begin_action(const struct program *program, const struct action *action) {
    const struct edge_instance *second = second_of(program, action);
    unit_begin(program->compiler);
    unit_fresh(program->compiler);
    compile_guards(program->compiler, &program->instances.items[action->first]);
    if (second) compile_guards(program->compiler, second);
}

bool compile_action(const struct program *program, const struct action *action, struct unit *unit) {
    struct compiler *compiler = program->compiler;
    const struct edge_instance *first = &program->instances.items[action->first];
    const struct edge_instance *second = second_of(program, action);
    begin_action(program, action);
    if (program->has_before) compile_hooks(program, false);
    compile_updates(compiler, first);
    if (second) compile_updates(compiler, second);
    if (program->has_after) compile_hooks(program, true);
    unit_move(compiler, first->process, first->target);
    if (second) unit_move(compiler, second->process, second->target);
    unit_settle(compiler);
    if (!action->rechecks) { /* in the order of processes */
        bool is_swapped = second && second->process < first->process;
        if (is_swapped) unit_invariant(compiler, second->process, second->target);
        unit_invariant(compiler, first->process, first->target);
        if (second && !is_swapped) unit_invariant(compiler, second->process, second->target);
    }
    return unit_end(compiler, unit);
}

static void add_action(struct program_builder *builder, uint32_t one, uint32_t other) {
    struct program *program = builder->program;
    const struct edge_instance *first = &program->instances.items[one];
    struct action action = {.first = one, .second = other};
    const struct edge_instance *second = second_of(program, &action);
    action.rank = rank_of(program, first, second);
    assert(!second || (first->is_send && !second->is_send && first->channel == second->channel));
    assert(!second || first->process != second->process);
    action.is_committed = is_committed(first) || (second && is_committed(second));
    action.rechecks = needs_recheck(builder, first) || (second && needs_recheck(builder, second));
    bool can_be;
    if (program->has_waiting) {
        begin_action(program, &action);
        can_be = unit_end_tests(builder->compiler, &action.unit);
        action.state = ACTION_WAITS;
    } else {
        can_be = compile_action(program, &action, &action.unit);
    }
    if (can_be) VEC_PUSH(builder->arena, &program->actions, action);
}

/* Part of a step that is put together while the search runs. */
static void add_loose(struct program_builder *builder, uint32_t index) {
    struct program *program = builder->program;
    struct edge_instance *instance = &program->instances.items[index];
    assert(instance->channel != NO_SLOT && !instance->is_loose);
    instance->is_loose = program->has_loose = true;
    instance->is_lazy = !instance->is_send && instance->channel != ANY_CHANNEL &&
                        !instance->guard.can_fault && !builder->has_any_channel;
    unit_begin(builder->compiler);
    compile_updates(builder->compiler, instance);
    unit_end(builder->compiler, &instance->update);
    if (!instance->is_lazy) VEC_PUSH(builder->arena, &program->loose, index);
}

static void add_actions_of(struct program_builder *builder, uint32_t index) {
    struct program *program = builder->program;
    if (!builder_goes_on(builder)) return;
    const struct edge_instance *instance = &program->instances.items[index];
    if (instance->channel == NO_SLOT) {
        add_action(builder, index, NO_INSTANCE);
        return;
    }
    const struct channel *channel =
        instance->channel == ANY_CHANNEL ? NULL : program->channels[instance->channel];
    if (!channel || channel->is_loose) {
        add_loose(builder, index);
        return;
    }
    for (uint32_t i = 0; instance->is_send && i < channel->receivers.count; i++) {
        if (!builder_goes_on(builder)) return;
        uint32_t receiver = channel->receivers.items[i];
        if (program->instances.items[receiver].process != instance->process)
            add_action(builder, index, receiver);
    }
}

/* The instances first to end - 1 by their source: those of location l from number from[l] on. */
static uint32_t *by_source(struct program_builder *builder, uint32_t location_count, uint32_t first,
                           uint32_t end, uint32_t **from) {
    const struct edge_instance *instances = builder->program->instances.items;
    uint32_t *at = ARENA_ARRAY(builder->arena, uint32_t, location_count + 2);
    uint32_t *sorted = ARENA_ARRAY(builder->arena, uint32_t, end - first + 1);
    for (uint32_t i = first; i < end; i++) at[instances[i].source + 2]++;
    for (uint32_t l = 2; l <= location_count; l++) at[l] += at[l - 1];
    for (uint32_t i = first; i < end; i++) sorted[at[instances[i].source + 1]++] = i;
    assert(at[0] == 0 && at[location_count] == end - first);
    *from = at;
    return sorted;
}

/* The actions and loose instances of the instances first to end - 1, all of one process. */
static void add_process(struct program_builder *builder, const struct process *process,
                        uint32_t first, uint32_t end) {
    struct program *program = builder->program;
    uint32_t count = process->template->location_count, action = program->actions.count;
    struct row_range *loose = ARENA_ARRAY(builder->arena, struct row_range, count);
    uint32_t *from, *leaving = by_source(builder, count, first, end, &from);
    VEC_RESERVE(builder->arena, &program->actions, end - first);
    for (uint32_t l = 0; l < count; l++) {
        loose[l].first = program->loose.count;
        for (uint32_t i = from[l]; i < from[l + 1]; i++) add_actions_of(builder, leaving[i]);
        loose[l].count = program->loose.count - loose[l].first;
    }
    program->loose_of[process->index] = loose;
    const struct dispatch *rows = quick_add(program, builder->arena, process, action);
    if (rows) memo_add(program, builder->arena, rows, process->template->location_count);
}

void add_actions(struct program_builder *builder) {
    struct program *program = builder->program;
    const struct network *network = program->network;
    program->loose_of = ARENA_ARRAY(builder->arena, struct row_range *, network->process_count + 1);
    uint32_t first = 0, end = 0;
    for (uint32_t p = 0; p < network->process_count; p++, first = end) {
        while (end < program->instances.count &&
               program->instances.items[end].process == &network->processes[p])
            end++;
        add_process(builder, &network->processes[p], first, end);
    }
    assert(end == program->instances.count); /* they come process by process */
}
