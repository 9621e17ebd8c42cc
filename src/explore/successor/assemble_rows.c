/* Rows of instances by process and location: those that may be on an urgent channel, and receivers
 * that are looked at when somebody sends. */
#include "explore/successor/assemble_internal.h"

#include <assert.h>

static bool some_channel_is_urgent(const struct program *program) {
    for (uint32_t i = 0; i < program->network->cell_count; i++)
        if (program->channels[i] && program->channels[i]->is_urgent) return true;
    return false;
}

static bool may_be_urgent(const struct program *program, const struct edge_instance *instance) {
    return instance->channel == ANY_CHANNEL ||
           (instance->channel != NO_SLOT && program->channels[instance->channel]->is_urgent);
}

void add_urgent(struct program_builder *builder) {
    struct program *program = builder->program;
    const struct network *network = program->network;
    program->urgent_of =
        ARENA_ARRAY(builder->arena, struct row_range *, network->process_count + 1);
    bool is_any = some_channel_is_urgent(program);
    for (uint32_t p = 0, first = 0, end = 0; p < network->process_count; p++, first = end) {
        const struct process *process = &network->processes[p];
        uint32_t count = process->template->location_count;
        struct row_range *ranges = ARENA_ARRAY(builder->arena, struct row_range, count + 1);
        while (end < program->instances.count && program->instances.items[end].process == process)
            end++;
        for (uint32_t l = 0; l < count; l++) {
            ranges[l].first = program->urgent.count;
            for (uint32_t i = first; i < end; i++)
                if (is_any && program->instances.items[i].source == l &&
                    may_be_urgent(program, &program->instances.items[i]))
                    VEC_PUSH(builder->arena, &program->urgent, i);
            ranges[l].count = program->urgent.count - ranges[l].first;
        }
        program->urgent_of[p] = ranges;
    }
}

/* Lazy receivers of one process, location by location. */
static void add_listener(struct program_builder *builder, struct channel *channel,
                         const uint32_t *receivers, uint32_t count) {
    struct program *program = builder->program;
    const struct edge_instance *instances = program->instances.items;
    const struct process *process = instances[receivers[0]].process;
    const struct layout *layout = program->layout;
    const struct packed *field = &layout->fields[layout_location(layout, process->index)];
    uint32_t location_count = process->template->location_count, first = channel->lazy.count;
    struct row_range *ranges = ARENA_ARRAY(builder->arena, struct row_range, location_count);
    for (uint32_t i = 0; i < count; i++) {
        const struct edge_instance *receiver = &instances[receivers[i]];
        assert(receiver->process == process && receiver->is_lazy);
        ranges[receiver->source].count++;
    }
    for (uint32_t l = 0, next = first; l < location_count; next += ranges[l++].count)
        ranges[l].first = next;
    for (uint32_t i = 0; i < count; i++) VEC_PUSH(builder->arena, &channel->lazy, 0);
    for (uint32_t l = 0; l < location_count; l++) ranges[l].count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct row_range *range = &ranges[instances[receivers[i]].source];
        channel->lazy.items[range->first + range->count++] = receivers[i];
    }
    assert(channel->lazy.count == first + count);
    struct dispatch dispatch = {
        .mask = field->mask, .word = field->word, .shift = field->shift, .ranges = ranges};
    struct listener listener = {process, dispatch};
    VEC_PUSH(builder->arena, &channel->listeners, listener);
}

void add_listeners(struct program_builder *builder) {
    struct program *program = builder->program;
    const struct edge_instance *instances = program->instances.items;
    for (uint32_t c = 0; c < program->network->cell_count; c++) {
        struct channel *channel = program->channels[c];
        if (!channel) continue;
        VEC(uint32_t) lazy = {0};
        for (uint32_t i = 0; i < channel->receivers.count; i++)
            if (instances[channel->receivers.items[i]].is_lazy)
                VEC_PUSH(builder->arena, &lazy, channel->receivers.items[i]);
        for (uint32_t i = 0, end; i < lazy.count; i = end) {
            const struct process *process = instances[lazy.items[i]].process;
            for (end = i + 1; end < lazy.count && instances[lazy.items[end]].process == process;)
                end++;
            add_listener(builder, channel, &lazy.items[i], end - i);
        }
    }
}
