/* Instances, channels, actions, loose instances, listeners and hooks, in this order. */
#include "explore/space/assemble.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/interrupt.h"
#include "base/str.h"
#include "explore/space/memo.h"
#include "explore/space/quick.h"

#include <assert.h>

struct builder {
    struct program *program;
    struct arena *arena;
    struct compiler *compiler;
    struct environment environment;
    struct diag *diag;
    const struct edge *path[PATH_MAX_BRANCHES + 1];
    bool has_any_channel; /* some instance computes its channel */
    bool shares_invariants;
    struct program_limits limits;
    uint32_t looks;
    bool is_over;           /* past a limit */
    enum search_limit *met; /* which */
};

enum { LOOKS = 1 << 8 }; /* instances until limits are looked at again */

/* To be asked for each instance; false, and reported, past a limit. */
static bool goes_on(struct builder *builder) {
    const struct program_limits *limits = &builder->limits;
    enum search_limit met = interrupt_is_asked() ? limit_of_time() : LIMIT_NONE;
    if (builder->is_over || ++builder->looks % LOOKS) return !builder->is_over;
    if (limits->deadline > 0 && clock_seconds() > limits->deadline) met = LIMIT_TIME;
    if (limits->max_size && builder->arena->used_size > PROGRAM_FREE_SIZE &&
        builder->arena->used_size - PROGRAM_FREE_SIZE > limits->max_size)
        met = LIMIT_MEMORY;
    if (met == LIMIT_NONE) return true;
    if (met == LIMIT_INTERRUPT)
        diag_error(builder->diag, STATUS_LIMIT, 0, "interrupted before the search");
    else
        diag_error(
            builder->diag, STATUS_LIMIT, 0,
            "to prepare all edges with all values of their selects takes more than %s allows; "
            "make the ranges smaller",
            met == LIMIT_TIME ? "--timeout" : "--max-memory");
    *builder->met = met;
    builder->is_over = true;
    return false;
}

/* Channels */

static void add_channels(struct builder *builder, const struct symbol *symbol,
                         const struct process *process, const struct binding *binding) {
    if (!symbol || !symbol_is_channel(symbol) || symbol->is_reference || !binding->shape) return;
    unsigned prefixes = type_prefixes(symbol->type);
    for (uint32_t i = 0; i < binding->shape->cell_count; i++) {
        struct buffer name = {0};
        if (process) buffer_printf(&name, "%s.", process->name);
        buffer_add_text(&name, symbol->name);
        shape_path(&name, symbol->type, binding->shape, i);
        struct channel *channel = ARENA_NEW(builder->arena, struct channel);
        *channel = (struct channel){.name = buffer_take(&name, builder->arena),
                                    .is_broadcast = prefixes & PREFIX_BROADCAST,
                                    .is_urgent = prefixes & PREFIX_URGENT};
        assert(!builder->program->channels[binding->address + i]); /* its own address */
        builder->program->channels[binding->address + i] = channel;
        buffer_close(&name);
    }
}

/* The last `chan priority` counts; what it does not name has the default. */
static void set_priorities(struct builder *builder, const struct declaration *declaration) {
    struct program *program = builder->program;
    for (uint32_t i = 0; i < declaration->priority_count; i++)
        if (!declaration->priorities[i].channel)
            program->internal_priority = (int32_t)declaration->priorities[i].level;
    for (uint32_t i = 0; i < program->network->cell_count; i++)
        if (program->channels[i]) program->channels[i]->priority = program->internal_priority;
    for (uint32_t i = 0; i < declaration->priority_count; i++) {
        const struct channel_priority *priority = &declaration->priorities[i];
        struct binding place = {0, NULL};
        if (!priority->channel || !eval_place(&builder->environment, priority->channel, &place))
            continue;
        for (uint32_t k = 0; k < place.shape->cell_count; k++)
            program->channels[place.address + k]->priority = (int32_t)priority->level;
    }
}

static void find_channels(struct builder *builder) {
    struct program *program = builder->program;
    const struct network *network = program->network;
    const struct model *model = network->model;
    program->channels = ARENA_ARRAY(builder->arena, struct channel *, network->cell_count + 1);
    for (uint32_t i = 0; i < model->symbol_count; i++)
        add_channels(builder, model->symbols[i], NULL, &network->globals[i]);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        for (uint32_t i = 0; i < process->template->symbol_count; i++)
            add_channels(builder, process->template->symbols[i], process, &process->locals[i]);
    }
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    const struct declaration *last = NULL;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->items[i]->kind == DECLARATION_CHANNEL_PRIORITY) last = lists[k]->items[i];
    if (last) set_priorities(builder, last);
    program->has_priorities = network->has_priorities;
}

/* Instances */

static bool add_instance(struct builder *builder, const struct process *process, uint32_t count,
                         int32_t *const *values) {
    assert(count > 0 && count <= PATH_MAX_BRANCHES + 1);
    struct program *program = builder->program;
    const struct edge **edges = ARENA_ARRAY(builder->arena, const struct edge *, count);
    const int32_t **selects = ARENA_ARRAY(builder->arena, const int32_t *, count);
    struct edge_instance instance = {.process = process,
                                     .edges = edges,
                                     .selects = selects,
                                     .edge_count = count,
                                     .sync = count,
                                     .source = builder->path[0]->source,
                                     .target = builder->path[count - 1]->target,
                                     .channel = NO_SLOT};
    for (uint32_t i = 0; i < count; i++) {
        const struct edge *edge = edges[i] = builder->path[i];
        int32_t *copy = ARENA_ARRAY(builder->arena, int32_t, edge->select_count + 1);
        if (edge->select_count) memcpy(copy, values[i], edge->select_count * sizeof *copy);
        selects[i] = copy;
        if (!edge->sync) continue;
        assert(instance.sync == count); /* a step synchronises once */
        instance.sync = i;
        instance.is_send = edge->is_send;
    }
    assert(instance.source < process->template->location_count);
    assert(instance.target < process->template->location_count);
    assert(program->instances.count < program->instances.capacity); /* by make_room */
    program->instances.items[program->instances.count++] = instance;
    return goes_on(builder);
}

/* Makes room for so many more instances; false (reported) if they are too many, before any is made.
 */
static bool make_room(struct builder *builder, const struct process *process, uint64_t more) {
    struct program *program = builder->program;
    struct edge_instance *old = program->instances.items;
    uint64_t all = program->instances.count + more, most = PROGRAM_MAX_INSTANCES;
    size_t size = builder->limits.max_size + PROGRAM_FREE_SIZE;
    if (builder->limits.max_size && most > size / sizeof *old) most = size / sizeof *old;
    if (all > most) {
        const struct edge *edge = builder->path[0];
        diag_error(builder->diag, STATUS_LIMIT,
                   edge->select_count ? edge->selects[0]->span.begin : 0,
                   "the selects of '%s' and others give more than %llu edges with fixed values%s; "
                   "make their ranges smaller, or choose the values one after the other",
                   process->template->symbol->name, (unsigned long long)most,
                   most < PROGRAM_MAX_INSTANCES ? ", which --max-memory allows" : "");
        *builder->met = LIMIT_MEMORY;
        return false;
    }
    if (all <= program->instances.capacity) return true;
    uint32_t capacity = program->instances.capacity * 2;
    program->instances.capacity = all > capacity ? (uint32_t)all : capacity;
    program->instances.items =
        ARENA_ARRAY(builder->arena, struct edge_instance, program->instances.capacity);
    if (old) memcpy(program->instances.items, old, program->instances.count * sizeof *old);
    return true;
}

/* All values of the selects of the path, counting like an odometer. */
static bool add_selects(struct builder *builder, const struct process *process, uint32_t count) {
    int32_t *values[PATH_MAX_BRANCHES + 1];
    const struct shape **shapes[PATH_MAX_BRANCHES + 1];
    struct environment *environment = &builder->environment;
    uint64_t product = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct edge *edge = builder->path[i];
        values[i] = ARENA_ARRAY(builder->arena, int32_t, edge->select_count + 1);
        shapes[i] = ARENA_ARRAY(builder->arena, const struct shape *, edge->select_count + 1);
        for (uint32_t k = 0; k < edge->select_count; k++) {
            environment->locals = process->locals;
            environment->frame = NULL;
            shapes[i][k] = eval_shape(environment, edge->selects[k]->type);
            environment->fault = (struct fault){0};
            if (!shapes[i][k]) return true; /* no value: no step */
            values[i][k] = shapes[i][k]->lower;
            product *= (uint64_t)((int64_t)shapes[i][k]->upper - shapes[i][k]->lower + 1);
            if (product > PROGRAM_MAX_INSTANCES) product = (uint64_t)PROGRAM_MAX_INSTANCES + 1;
        }
    }
    if (!make_room(builder, process, product)) return false;
    for (bool more = true; more;) {
        if (!add_instance(builder, process, count, values)) return false;
        more = false;
        for (uint32_t i = count; i-- > 0 && !more;)
            for (uint32_t k = builder->path[i]->select_count; k-- > 0 && !more;) {
                more = values[i][k] < shapes[i][k]->upper;
                values[i][k] = more ? values[i][k] + 1 : shapes[i][k]->lower;
            }
    }
    return true;
}

static bool add_paths(struct builder *builder, const struct process *process,
                      const struct edge *edge, uint32_t count) {
    const struct template *template = process->template;
    if (count > PATH_MAX_BRANCHES) {
        diag_error(builder->diag, STATUS_UNSUPPORTED, 0,
                   "'%s' has more than %d branchpoints in a row", template->symbol->name,
                   PATH_MAX_BRANCHES);
        return false;
    }
    for (uint32_t i = 0; i < count && edge->sync; i++) {
        if (!builder->path[i]->sync) continue;
        diag_error(builder->diag, STATUS_UNSUPPORTED, edge->sync->span.begin,
                   "a second synchronisation in one step, behind the one before the branchpoint; "
                   "a step has one, so use a committed location in place of the branchpoint");
        return false;
    }
    builder->path[count++] = edge;
    assert(count == 1 || builder->path[count - 2]->target == edge->source);
    if (edge->target < template->location_count) return add_selects(builder, process, count);
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (template->edges[i].source == edge->target &&
            !add_paths(builder, process, &template->edges[i], count))
            return false;
    return true;
}

static bool add_instances(struct builder *builder) {
    const struct network *network = builder->program->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct template *template = process->template;
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (template->edges[i].source < template->location_count &&
                !add_paths(builder, process, &template->edges[i], 0))
                return false;
    }
    return true;
}

/* Units of instances */

static struct leg_labels leg_of(const struct edge_instance *instance, uint32_t edge) {
    return (struct leg_labels){instance->process, instance->edges[edge], instance->selects[edge]};
}

static void compile_guards(struct builder *builder, const struct edge_instance *instance) {
    unit_at(builder->compiler, instance->process, instance->source);
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        struct leg_labels leg = leg_of(instance, i);
        unit_guard(builder->compiler, &leg);
    }
}

static void compile_updates(struct builder *builder, const struct edge_instance *instance) {
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        struct leg_labels leg = leg_of(instance, i);
        unit_update(builder->compiler, &leg);
    }
}

/* The guard and the channel of an instance that synchronises; false if it is never enabled. */
static bool prepare_sync(struct builder *builder, struct edge_instance *instance) {
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
    compile_guards(builder, instance);
    bool can_hold = unit_end(compiler, &instance->guard);
    instance->has_plain_guard = instance->channel != ANY_CHANNEL &&
                                instance->guard.entry == NO_CODE && !instance->guard.put_count;
    return can_hold;
}

static void list_channels(struct builder *builder) {
    struct program *program = builder->program;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < program->instances.count; i++) {
        struct edge_instance *instance = &program->instances.items[i];
        if (!goes_on(builder)) return;
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

/* Invariants */

static bool reads_shared(struct builder *builder, const struct expr *expr) {
    struct effects effects = {0};
    effects_add_expr(&((struct network *)builder->program->network)->effects, &effects, expr);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        if (effects.list.items[i].reads &&
            (symbol->is_reference || (symbol->scope == SCOPE_GLOBAL && !symbol_is_const(symbol))))
            return true;
    }
    return false;
}

static void compile_invariants(struct builder *builder) {
    struct program *program = builder->program;
    const struct network *network = program->network;
    program->invariants = ARENA_ARRAY(builder->arena, struct unit *, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct template *template = process->template;
        bool has_invariant = false;
        program->invariants[p] =
            ARENA_ARRAY(builder->arena, struct unit, template->location_count + 1);
        for (uint32_t l = 0; l < template->location_count; l++) {
            struct unit *unit = &program->invariants[p][l];
            unit->entry = NO_CODE;
            program->has_committed |= template->locations[l].is_committed;
            program->has_urgent |= template->locations[l].is_urgent;
            const struct expr *invariant = invariant_at(program->network, template, l);
            if (!invariant) continue;
            has_invariant = true;
            builder->shares_invariants |= reads_shared(builder, invariant);
            unit_begin(builder->compiler);
            unit_fresh(builder->compiler);
            unit_at(builder->compiler, process, l);
            unit_invariant(builder->compiler, process, l);
            unit_end(builder->compiler, unit);
        }
        if (has_invariant) VEC_PUSH(builder->arena, &program->invariant_processes, p);
    }
}

/* Whether the initial state meets all invariants. */
static bool starts_well(struct builder *builder) {
    struct program *program = builder->program;
    const struct layout *layout = program->layout;
    struct machine machine;
    machine_init(&machine, &program->code);
    machine.deadline = builder->limits.deadline;
    uint64_t *words = ARENA_ARRAY(builder->arena, uint64_t, layout->word_count + 1);
    bool is_fine = true;
    for (uint32_t i = 0; i < program->invariant_processes.count && is_fine; i++) {
        uint32_t p = program->invariant_processes.items[i];
        uint32_t initial = program->network->processes[p].template->initial;
        memcpy(words, layout->initial, layout->word_count * sizeof *words);
        is_fine = machine_unit(&machine, &program->invariants[p][initial], words) == RUN_TRUE;
    }
    machine_close(&machine);
    return is_fine;
}

/* Actions */

static bool is_committed(const struct edge_instance *instance) {
    return instance->process->template->locations[instance->source].is_committed;
}

static bool writes_shared(struct builder *builder, const struct edge_instance *instance) {
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

static bool needs_recheck(struct builder *builder, const struct edge_instance *instance) {
    struct program *program = builder->program;
    if (!program->invariant_processes.count) return false;
    if (program->rechecks_always) return true;
    if (!builder->shares_invariants) return false;
    return program->has_before || program->has_after || writes_shared(builder, instance);
}

static void compile_hooks(struct builder *builder, bool is_after) {
    const struct model *model = builder->program->network->model;
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->items[i]->kind == DECLARATION_HOOK &&
                lists[k]->items[i]->is_after == is_after)
                unit_hook(builder->compiler, &lists[k]->items[i]->hook);
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

/* One unit for a whole step. */
static void add_action(struct builder *builder, uint32_t one, uint32_t other) {
    struct program *program = builder->program;
    struct compiler *compiler = builder->compiler;
    const struct edge_instance *first = &program->instances.items[one];
    const struct edge_instance *second =
        other == NO_INSTANCE ? NULL : &program->instances.items[other];
    struct action action = {.first = one, .second = other, .rank = rank_of(program, first, second)};
    assert(!second || (first->is_send && !second->is_send && first->channel == second->channel));
    assert(!second || first->process != second->process);
    action.is_committed = is_committed(first) || (second && is_committed(second));
    action.rechecks = needs_recheck(builder, first) || (second && needs_recheck(builder, second));
    unit_begin(compiler);
    unit_fresh(compiler);
    compile_guards(builder, first);
    if (second) compile_guards(builder, second);
    if (program->has_before) compile_hooks(builder, false);
    compile_updates(builder, first);
    if (second) compile_updates(builder, second);
    if (program->has_after) compile_hooks(builder, true);
    unit_move(compiler, first->process, first->target);
    if (second) unit_move(compiler, second->process, second->target);
    unit_settle(compiler);
    if (!action.rechecks) { /* in the order of processes */
        bool is_swapped = second && second->process < first->process;
        if (is_swapped) unit_invariant(compiler, second->process, second->target);
        unit_invariant(compiler, first->process, first->target);
        if (second && !is_swapped) unit_invariant(compiler, second->process, second->target);
    }
    if (unit_end(compiler, &action.unit)) VEC_PUSH(builder->arena, &program->actions, action);
}

/* Part of a step that is put together while the search runs. */
static void add_loose(struct builder *builder, uint32_t index) {
    struct program *program = builder->program;
    struct edge_instance *instance = &program->instances.items[index];
    assert(instance->channel != NO_SLOT && !instance->is_loose);
    instance->is_loose = program->has_loose = true;
    instance->is_lazy = !instance->is_send && instance->channel != ANY_CHANNEL &&
                        !instance->guard.can_fault && !builder->has_any_channel;
    unit_begin(builder->compiler);
    compile_updates(builder, instance);
    unit_end(builder->compiler, &instance->update);
    if (!instance->is_lazy) VEC_PUSH(builder->arena, &program->loose, index);
}

static void add_actions_of(struct builder *builder, uint32_t index) {
    struct program *program = builder->program;
    if (!goes_on(builder)) return;
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
        if (!goes_on(builder)) return;
        uint32_t receiver = channel->receivers.items[i];
        if (program->instances.items[receiver].process != instance->process)
            add_action(builder, index, receiver);
    }
}

/* The actions and loose instances of the instances first to end - 1, all of one process. */
static void add_process(struct builder *builder, const struct process *process, uint32_t first,
                        uint32_t end) {
    struct program *program = builder->program;
    uint32_t count = process->template->location_count, action = program->actions.count;
    struct row_range *loose = ARENA_ARRAY(builder->arena, struct row_range, count);
    for (uint32_t l = 0; l < count; l++) {
        loose[l].first = program->loose.count;
        for (uint32_t i = first; i < end; i++)
            if (program->instances.items[i].source == l) add_actions_of(builder, i);
        loose[l].count = program->loose.count - loose[l].first;
    }
    program->loose_of[process->index] = loose;
    const struct dispatch *rows = quick_add(program, builder->arena, process, action);
    if (rows) memo_add(program, builder->arena, rows, process->template->location_count);
}

static void add_actions(struct builder *builder) {
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

static bool some_channel_is_urgent(const struct program *program) {
    for (uint32_t i = 0; i < program->network->cell_count; i++)
        if (program->channels[i] && program->channels[i]->is_urgent) return true;
    return false;
}

static bool may_be_urgent(const struct program *program, const struct edge_instance *instance) {
    return instance->channel == ANY_CHANNEL ||
           (instance->channel != NO_SLOT && program->channels[instance->channel]->is_urgent);
}

static void add_urgent(struct builder *builder) {
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
static void add_listener(struct builder *builder, struct channel *channel,
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
    struct listener listener = {process, {field->mask, field->word, field->shift, ranges}};
    VEC_PUSH(builder->arena, &channel->listeners, listener);
}

static void add_listeners(struct builder *builder) {
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

static void add_hooks(struct builder *builder) {
    struct program *program = builder->program;
    const struct model *model = program->network->model;
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->items[i]->kind == DECLARATION_HOOK)
                *(lists[k]->items[i]->is_after ? &program->has_after : &program->has_before) = true;
    for (int is_after = 0; is_after < 2; is_after++) {
        unit_begin(builder->compiler);
        if (!is_after) unit_fresh(builder->compiler);
        compile_hooks(builder, is_after);
        unit_end(builder->compiler, is_after ? &program->after : &program->before);
    }
}

/* That a program refers to what it has. */
static void unit_check(const struct program *program, const struct unit *unit) {
    const struct code *code = &program->code;
    assert(unit->first_test + unit->test_count <= code->tests.count);
    assert(unit->first_put + unit->put_count <= code->puts.count);
    if (unit->entry == NO_CODE || !unit->end) return; /* no code, or never compiled */
    assert(unit->entry < unit->end && unit->end <= code->instructions.count);
}

static void program_check(const struct program *program) {
    assert(program->code.spans.count == program->code.instructions.count);
    for (uint32_t i = 0; i < program->instances.count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        assert(instance->edge_count && instance->sync <= instance->edge_count);
        assert(instance->source < instance->process->template->location_count);
        assert(instance->target < instance->process->template->location_count);
        unit_check(program, &instance->guard);
        unit_check(program, &instance->update);
    }
    for (uint32_t i = 0; i < program->actions.count; i++) {
        const struct action *action = &program->actions.items[i];
        assert(action->first < program->instances.count && action->first != action->second);
        assert(action->second == NO_INSTANCE || action->second < program->instances.count);
        unit_check(program, &action->unit);
    }
    unit_check(program, &program->before);
    unit_check(program, &program->after);
}

struct program *program_new(struct arena *arena, const struct layout *layout, bool interprets,
                            struct program_limits limits, enum search_limit *met,
                            struct diag *diag) {
    struct program *program = ARENA_NEW(arena, struct program);
    program->network = layout->network;
    program->layout = layout;
    program->code.arena = arena;
    program->code.layout = layout;
    struct builder builder = {
        .program = program, .arena = arena, .diag = diag, .limits = limits, .met = met};
    builder.compiler = compiler_new(arena, &program->code, interprets);
    program->compiler = builder.compiler;
    network_environment(layout->network, &builder.environment, arena);
    find_channels(&builder);
    bool ok = add_instances(&builder);
    if (ok) {
        compile_invariants(&builder);
        program->rechecks_always = !starts_well(&builder);
        list_channels(&builder);
        add_hooks(&builder);
        if (!builder.is_over) add_actions(&builder);
        if (!builder.is_over) add_listeners(&builder);
        if (!builder.is_over) add_urgent(&builder);
        ok = !builder.is_over;
    }
    eval_close(&builder.environment);
    if (ok) DEBUG_CHECK(program_check(program));
    DEBUG_LOG("%u instances, %u actions, %u instructions", program->instances.count,
              program->actions.count, program->code.instructions.count);
    if (!ok) program_close(program);
    return ok ? program : NULL;
}

/* Frees the heap memory of its compiler; the rest is in the arena. */
void program_close(struct program *program) { compiler_close(program->compiler); }
