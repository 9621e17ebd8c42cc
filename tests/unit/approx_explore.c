#include "approx_explore.h"

#include "base/str.h"

#include <assert.h>
#include <stdlib.h>

static bool location_holds(void *context, const struct symbol *location) {
    const struct explorer *explorer = context;
    return location->template == explorer->current->template &&
           explorer->state[explorer->current->index] == (int32_t)location->location;
}

static bool note_write(void *context, uint32_t address, int32_t value) {
    struct explorer *explorer = context;
    uint32_t slot = explorer->network->slot_of[address];
    assert(slot != NO_SLOT);
    if (explorer->write_count < WRITES_MAX) {
        explorer->writes[explorer->write_count].slot = slot;
        explorer->writes[explorer->write_count++].value = value;
    }
    return true;
}

static void mark_channels(struct explorer *explorer, const struct symbol *symbol,
                          const struct binding *binding) {
    if (!binding->shape || !symbol_is_channel(symbol) || symbol->is_reference) return;
    bool is_broadcast = (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0;
    for (uint32_t i = 0; i < binding->shape->cell_count; i++)
        explorer->is_broadcast[binding->address + i] = is_broadcast;
}

static void prepare(struct explorer *explorer) {
    const struct network *network = explorer->network;
    const struct model *model = network->model;
    uint32_t frame = 1;
    network_environment(network, &explorer->environment, explorer->arena);
    eval_push(&explorer->environment, PATH_MAX_EDGES * SELECT_MAX);
    explorer->environment.tracked_count = network->cell_count;
    explorer->environment.context = explorer;
    explorer->environment.is_at = location_holds;
    explorer->environment.write = note_write;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            if (model->templates[t]->edges[i].frame_size > frame)
                frame = model->templates[t]->edges[i].frame_size;
    for (int i = 0; i < PATH_MAX_EDGES; i++)
        explorer->frames[i] = ARENA_ARRAY(explorer->arena, struct binding, frame);
    explorer->is_broadcast = ARENA_ARRAY(explorer->arena, bool, network->cell_count + 1);
    for (uint32_t i = 0; i < model->symbol_count; i++)
        mark_channels(explorer, model->symbols[i], &network->globals[i]);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        for (uint32_t i = 0; i < template->symbol_count; i++)
            mark_channels(explorer, template->symbols[i], &network->processes[p].locals[i]);
    }
    explorer->width = network->process_count + network->slot_count;
}

/* Adds a state unless it is known. */
static void add_state(struct explorer *explorer, const int32_t *state) {
    size_t size = explorer->width * sizeof *state;
    if (explorer->state_count * 2 >= explorer->table_size) {
        explorer->table_size = explorer->table_size ? explorer->table_size * 2 : 64;
        free(explorer->table);
        explorer->table = calloc(explorer->table_size, sizeof *explorer->table);
        for (uint32_t i = 0; i < explorer->state_count; i++) {
            const int32_t *row = explorer->states + (size_t)i * explorer->width;
            uint32_t at = (uint32_t)hash_bytes(row, size) & (explorer->table_size - 1);
            while (explorer->table[at]) at = (at + 1) & (explorer->table_size - 1);
            explorer->table[at] = i + 1;
        }
    }
    uint32_t at = (uint32_t)hash_bytes(state, size) & (explorer->table_size - 1);
    for (; explorer->table[at]; at = (at + 1) & (explorer->table_size - 1)) {
        uint32_t row = explorer->table[at] - 1;
        if (!memcmp(explorer->states + (size_t)row * explorer->width, state, size)) return;
    }
    if (explorer->state_count == explorer->state_capacity) {
        explorer->state_capacity = explorer->state_capacity ? explorer->state_capacity * 2 : 64;
        explorer->states = heap_resize(explorer->states, (size_t)explorer->state_capacity, size);
    }
    memcpy(explorer->states + (size_t)explorer->state_count * explorer->width, state, size);
    explorer->table[at] = ++explorer->state_count;
}

/* Memory as before a step. */
static void load(struct explorer *explorer) {
    const struct network *network = explorer->network;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        explorer->environment.cells[slot->address] =
            slot->is_meta ? slot->initial : explorer->state[network->process_count + i];
    }
    explorer->environment.fault = (struct fault){0};
    explorer->write_count = 0;
}

static void enter(struct explorer *explorer, const struct part *part, uint32_t number) {
    struct environment *environment = &explorer->environment;
    const struct edge *edge = part->edges[number];
    explorer->current = part->process;
    environment->locals = part->process->locals;
    environment->frame = explorer->frames[number];
    for (uint32_t i = 0; i < edge->select_count; i++) {
        uint32_t address = explorer->network->cell_count + number * SELECT_MAX + i;
        const struct shape *shape = eval_shape(environment, edge->selects[i]->type);
        assert(shape);
        environment->frame[edge->selects[i]->index] = (struct binding){address, shape};
        environment->cells[address] = part->selects[number][i];
    }
}

static void report_fault(struct explorer *explorer, const struct part *part, uint32_t number,
                         int item) {
    explorer->environment.fault = (struct fault){0};
    if (explorer->on_fault)
        explorer->on_fault(explorer->context, part->process, part->edges[number], item);
}

/* All guards and the channel are read before the step. */
static bool is_enabled(struct explorer *explorer, struct part *part) {
    struct environment *environment = &explorer->environment;
    part->sync = NULL;
    for (uint32_t i = 0; i < part->count; i++) {
        enter(explorer, part, i);
        const struct edge *edge = part->edges[i];
        int32_t holds = edge->written_guard ? eval_int(environment, edge->written_guard) : 1;
        if (environment->fault.kind) {
            report_fault(explorer, part, i, -1);
            return false;
        }
        if (!holds) return false;
        if (!edge->sync) continue;
        if (part->sync) return false;
        part->sync = edge;
        if (eval_channel(environment, edge->sync, &part->channel)) continue;
        environment->fault = (struct fault){0};
        return false;
    }
    return true;
}

static void add_paths(struct explorer *explorer, struct part *part, const struct edge *edge);

/* Chooses the selects of the last edge from number `at` on, then goes on behind it. */
static void add_selects(struct explorer *explorer, struct part *part, uint32_t at) {
    uint32_t number = part->count - 1;
    const struct edge *edge = part->edges[number];
    const struct template *template = part->process->template;
    assert(edge->select_count <= SELECT_MAX);
    if (at < edge->select_count) {
        explorer->environment.locals = part->process->locals;
        const struct shape *shape = eval_shape(&explorer->environment, edge->selects[at]->type);
        explorer->environment.fault = (struct fault){0};
        if (!shape) return;
        for (int64_t i = shape->lower; i <= shape->upper; i++) {
            part->selects[number][at] = (int32_t)i;
            add_selects(explorer, part, at + 1);
        }
    } else if (!template->locations[edge->target].is_branchpoint) {
        if (is_enabled(explorer, part)) VEC_PUSH(explorer->arena, &explorer->parts, *part);
    } else {
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (template->edges[i].source == edge->target)
                add_paths(explorer, part, &template->edges[i]);
    }
}

static void add_paths(struct explorer *explorer, struct part *part, const struct edge *edge) {
    if (part->count == PATH_MAX_EDGES) return;
    part->edges[part->count++] = edge;
    add_selects(explorer, part, 0);
    part->count--;
}

static bool run_hooks(struct explorer *explorer, bool is_after) {
    const struct model *model = explorer->network->model;
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    explorer->environment.locals = NULL;
    explorer->environment.frame = NULL;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++) {
            const struct declaration *declaration = lists[k]->items[i];
            if (declaration->kind != DECLARATION_HOOK || declaration->is_after != is_after)
                continue;
            for (uint32_t e = 0; e < declaration->hook.count; e++)
                if (!eval_effect(&explorer->environment, declaration->hook.items[e])) return false;
        }
    return true;
}

static void save(const struct explorer *explorer, int32_t *values) {
    const struct network *network = explorer->network;
    for (uint32_t i = 0; i < network->slot_count; i++)
        values[i] = explorer->environment.cells[network->slots[i].address];
}

static bool run_updates(struct explorer *explorer, const struct part *part, int32_t *values) {
    for (uint32_t i = 0; i < part->count; i++) {
        const struct edge *edge = part->edges[i];
        enter(explorer, part, i);
        for (uint32_t k = 0; k < edge->updates.count; k++)
            if (!eval_effect(&explorer->environment, edge->updates.items[k])) {
                report_fault(explorer, part, i, (int)k);
                return false;
            }
        if (!part->process->template->locations[edge->target].is_branchpoint) continue;
        save(explorer, values);
        if (explorer->on_branchpoint)
            explorer->on_branchpoint(explorer->context, part->process, edge->target, values);
    }
    return true;
}

static bool invariants_hold(struct explorer *explorer) {
    const struct network *network = explorer->network;
    explorer->environment.frame = NULL;
    for (uint32_t p = 0; p < network->process_count; p++) {
        explorer->current = &network->processes[p];
        explorer->environment.locals = explorer->current->locals;
        const struct expr *invariant =
            explorer->current->template->locations[explorer->state[p]].written_invariant;
        if (invariant && !eval_int(&explorer->environment, invariant)) return false;
    }
    return true;
}

/* Runs a step and adds what comes out. */
static void step(struct explorer *explorer, const struct part *const *parts, uint32_t count) {
    const struct network *network = explorer->network;
    int32_t *source = explorer->state;
    int32_t *target = malloc((explorer->width + 1) * sizeof *target);
    memcpy(target, source, explorer->width * sizeof *target);
    load(explorer);
    bool ok = run_hooks(explorer, false);
    for (uint32_t i = 0; i < count && ok; i++)
        ok = run_updates(explorer, parts[i], target + network->process_count);
    ok = ok && run_hooks(explorer, true);
    if (ok) {
        for (uint32_t i = 0; i < count; i++)
            target[parts[i]->process->index] =
                (int32_t)parts[i]->edges[parts[i]->count - 1]->target;
        save(explorer, target + network->process_count);
        uint32_t writes = explorer->write_count;
        explorer->state = target;
        for (uint32_t i = 0; i < network->slot_count; i++)
            if (network->slots[i].is_meta)
                target[network->process_count + i] = network->slots[i].initial;
        load(explorer);
        explorer->write_count = writes;
        ok = invariants_hold(explorer);
    }
    explorer->environment.fault = (struct fault){0};
    if (ok) {
        explorer->step_count++;
        for (uint32_t i = 0; i < explorer->write_count && explorer->on_write; i++)
            explorer->on_write(explorer->context, explorer->writes[i].slot,
                               explorer->writes[i].value);
        for (uint32_t i = 0; i < count && explorer->on_edge; i++)
            for (uint32_t k = 0; k < parts[i]->count; k++)
                explorer->on_edge(explorer->context, parts[i]->process, parts[i]->edges[k]);
        size_t offset = (size_t)(source - explorer->states);
        add_state(explorer, target);
        source = explorer->states + offset;
    }
    explorer->state = source;
    free(target);
}

static bool is_committed(const struct explorer *explorer, uint32_t process) {
    const struct template *template = explorer->network->processes[process].template;
    return template->locations[explorer->state[process]].is_committed;
}

/* Steps only if a committed process takes part where there is one. */
static void try_step(struct explorer *explorer, const struct part *const *parts, uint32_t count) {
    bool is_needed = false, has = false;
    for (uint32_t p = 0; p < explorer->network->process_count; p++)
        is_needed |= is_committed(explorer, p);
    for (uint32_t i = 0; i < count; i++) has |= is_committed(explorer, parts[i]->process->index);
    if (has || !is_needed) step(explorer, parts, count);
}

static bool can_receive(const struct part *sender, const struct part *receiver) {
    return receiver->sync && !receiver->sync->is_send && receiver->channel == sender->channel &&
           receiver->process != sender->process;
}

/* Every process from number on that can receive does, in every way. */
static void broadcast(struct explorer *explorer, const struct part **parts, uint32_t count,
                      uint32_t number) {
    const struct network *network = explorer->network;
    for (; number < network->process_count; number++) {
        bool takes_part = false;
        for (uint32_t i = 0; i < explorer->parts.count; i++) {
            const struct part *receiver = &explorer->parts.items[i];
            if (receiver->process->index != number || !can_receive(parts[0], receiver)) continue;
            assert(count < PARTS_MAX);
            takes_part = true;
            parts[count] = receiver;
            broadcast(explorer, parts, count + 1, number + 1);
        }
        if (takes_part) return;
    }
    try_step(explorer, parts, count);
}

static void expand(struct explorer *explorer) {
    const struct network *network = explorer->network;
    explorer->parts.count = 0;
    load(explorer);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        struct part part = {.process = process};
        for (uint32_t i = 0; i < process->template->edge_count; i++)
            if ((int32_t)process->template->edges[i].source == explorer->state[p])
                add_paths(explorer, &part, &process->template->edges[i]);
    }
    for (uint32_t i = 0; i < explorer->parts.count; i++) {
        const struct part *sender = &explorer->parts.items[i], *parts[PARTS_MAX] = {sender};
        if (!sender->sync) {
            try_step(explorer, parts, 1);
        } else if (sender->sync->is_send && explorer->is_broadcast[sender->channel]) {
            broadcast(explorer, parts, 1, 0);
        } else if (sender->sync->is_send) {
            for (uint32_t k = 0; k < explorer->parts.count; k++) {
                parts[1] = &explorer->parts.items[k];
                if (can_receive(sender, parts[1])) try_step(explorer, parts, 2);
            }
        }
    }
}

bool explore(struct explorer *explorer, uint32_t limit) {
    const struct network *network = explorer->network;
    prepare(explorer);
    int32_t *initial = ARENA_ARRAY(explorer->arena, int32_t, explorer->width + 1);
    for (uint32_t p = 0; p < network->process_count; p++)
        initial[p] = (int32_t)network->processes[p].template->initial;
    for (uint32_t i = 0; i < network->slot_count; i++)
        initial[network->process_count + i] = network->slots[i].initial;
    add_state(explorer, initial);
    for (uint32_t i = 0; i < explorer->state_count && explorer->state_count <= limit; i++) {
        explorer->state = explorer->states + (size_t)i * explorer->width;
        if (explorer->on_state)
            explorer->on_state(explorer->context, explorer->state,
                               explorer->state + network->process_count);
        expand(explorer);
    }
    free(explorer->states);
    free(explorer->table);
    eval_close(&explorer->environment);
    return explorer->state_count <= limit;
}
