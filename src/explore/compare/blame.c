#include "explore/compare/blame.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <assert.h>

struct blamer {
    const struct concretizer *concretizer;
    const struct network *network;
    struct arena *arena; /* of the evaluator */
    struct environment environment;
    const struct process *process; /* whose guards are evaluated */
    const uint64_t *state;
    struct binding *frame;
    VEC(uint32_t) reads; /* removed slots that the present evaluation has read, */
    uint64_t *read_at;   /* by slot: the number of the last one that did */
    uint64_t evaluations;
    double deadline; /* by clock_seconds; 0 = none */
    bool is_late;
    bool *is_blamed; /* by slot */
};

static bool is_removed(const struct blamer *blamer, uint32_t slot) {
    enum slot_role role = blamer->concretizer->visible->roles[SIDE_CONCRETE][slot];
    return role == ROLE_IGNORED || role == ROLE_ALONE;
}

static int32_t value_of(const struct blamer *blamer, uint32_t slot) {
    return field_get(&blamer->concretizer->search.layout->fields[slot], blamer->state);
}

/* Hooks of the evaluator */

static int32_t read_cell(void *context, uint32_t address) {
    struct blamer *blamer = context;
    uint32_t slot = blamer->network->slot_of[address];
    if (slot == NO_SLOT) return blamer->environment.cells[address];
    if (is_removed(blamer, slot) && blamer->read_at[slot] != blamer->evaluations) {
        blamer->read_at[slot] = blamer->evaluations;
        VEC_PUSH(blamer->arena, &blamer->reads, slot);
    }
    return value_of(blamer, slot);
}

static bool is_at(void *context, const struct symbol *location) {
    const struct blamer *blamer = context;
    const struct layout *layout = blamer->concretizer->search.layout;
    return field_get(&layout->fields[layout_location(layout, blamer->process->index)],
                     blamer->state) == (int32_t)location->location;
}

static bool goes_on(void *context) {
    struct blamer *blamer = context;
    blamer->is_late |= (blamer->deadline > 0 && clock_seconds() > blamer->deadline) ||
                       interrupt_is_over(blamer->concretizer->expander.machine.grace);
    return !blamer->is_late;
}

static void blamer_init(struct blamer *blamer, const struct concretizer *concretizer,
                        struct arena *arena) {
    const struct network *network = concretizer->visible->networks[SIDE_CONCRETE];
    *blamer = (struct blamer){.concretizer = concretizer, .network = network, .arena = arena};
    network_environment(network, &blamer->environment, arena);
    blamer->environment.tracked_count = network->cell_count;
    blamer->environment.read = read_cell;
    blamer->environment.is_at = is_at;
    blamer->environment.goes_on = goes_on;
    blamer->deadline = concretizer->expander.machine.deadline;
    blamer->environment.context = blamer;
    blamer->read_at = ARENA_ARRAY(arena, uint64_t, network->slot_count + 1);
    uint32_t size = 0;
    for (uint32_t t = 0; t < network->model->template_count; t++)
        for (uint32_t i = 0; i < network->model->templates[t]->edge_count; i++)
            if (network->model->templates[t]->edges[i].frame_size > size)
                size = network->model->templates[t]->edges[i].frame_size;
    blamer->frame = ARENA_ARRAY(arena, struct binding, size + 1);
    blamer->is_blamed = ARENA_ARRAY(arena, bool, network->slot_count + 1);
}

/* Guards */

static void bind_selects(struct blamer *blamer, const struct edge *edge, const int32_t *selects) {
    struct environment *environment = &blamer->environment;
    environment->frame = blamer->frame;
    memset(blamer->frame, 0, edge->frame_size * sizeof *blamer->frame);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct shape *shape = eval_shape(environment, edge->selects[i]->type);
        uint32_t address = eval_push(environment, 1);
        if (environment->fault.kind) return;
        environment->cells[address] = selects[i];
        environment->frame[edge->selects[i]->index] = (struct binding){address, shape};
    }
}

/* Whether the guards of an instance hold in the state; notes what they read if not. */
static bool guards_hold(struct blamer *blamer, const struct edge_instance *instance) {
    struct environment *environment = &blamer->environment;
    bool holds = true;
    blamer->process = instance->process;
    environment->locals = instance->process->locals;
    for (uint32_t i = 0; i < instance->edge_count && holds; i++) {
        const struct edge *edge = instance->edges[i];
        uint32_t stack = environment->stack;
        blamer->reads.count = 0;
        blamer->evaluations++;
        bind_selects(blamer, edge, instance->selects[i]);
        if (edge->guard) holds = eval_int(environment, edge->guard) && !environment->fault.kind;
        environment->frame = NULL;
        environment->stack = stack;
        environment->fault = (struct fault){0};
    }
    return holds;
}

/* Candidates: what the original could do in place of a participant */

struct candidate_list {
    VEC(uint32_t) list; /* instances */
    bool *reads;        /* by slot: removed ones that guards read where they are disabled */
    bool can_hold;      /* some guard holds in some state */
};

static uint32_t place_of(const struct visible *visible, const struct process *abstract) {
    for (uint32_t i = 0; i < visible->process_count; i++)
        if (visible->processes[i].index[SIDE_ABSTRACT] == abstract->index) return i;
    assert(false);
    return 0;
}

static bool has_channel(const struct program *program, const struct edge_instance *instance,
                        const char *channel) {
    if (instance->channel == NO_SLOT) return !channel;
    if (instance->channel == ANY_CHANNEL || !channel) return channel != NULL;
    return !strcmp(program->channels[instance->channel]->name, channel);
}

static void find_candidates(struct blamer *blamer, const struct edge_instance *part,
                            const char *channel, bool wants_target, struct candidate_list *found) {
    const struct concretizer *concretizer = blamer->concretizer;
    const struct visible *visible = concretizer->visible;
    const struct program *program = concretizer->search.program;
    uint32_t place = place_of(visible, part->process);
    const uint32_t *codes = visible->codes[SIDE_CONCRETE][place];
    const uint32_t *theirs = visible->codes[SIDE_ABSTRACT][place];
    uint32_t process = visible->processes[place].index[SIDE_CONCRETE];
    if (part->channel == NO_SLOT) channel = NULL;
    for (uint32_t i = 0; i < program->instances.count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        if (instance->process->index == process &&
            codes[instance->source] == theirs[part->source] &&
            (!wants_target || codes[instance->target] == theirs[part->target]) &&
            has_channel(program, instance, channel) &&
            (!channel || instance->is_send == part->is_send))
            VEC_PUSH(blamer->arena, &found->list, i);
    }
}

static void look_at_guards(struct blamer *blamer, struct candidate_list *candidates,
                           const uint32_t *rows, uint32_t count) {
    const struct search *search = &blamer->concretizer->search;
    uint64_t *state = ARENA_ARRAY(blamer->arena, uint64_t, search->layout->word_count + 1);
    memcpy(state, search->layout->initial, search->layout->word_count * sizeof *state);
    blamer->state = state;
    candidates->reads = ARENA_ARRAY(blamer->arena, bool, blamer->network->slot_count + 1);
    for (uint32_t k = 0; k < count && goes_on(blamer); k++) {
        store_load(&search->store, rows[k], state);
        for (uint32_t i = 0; i < candidates->list.count; i++) {
            if (guards_hold(blamer, &search->program->instances.items[candidates->list.items[i]])) {
                candidates->can_hold = true;
                continue;
            }
            for (uint32_t r = 0; r < blamer->reads.count; r++)
                candidates->reads[blamer->reads.items[r]] = true;
        }
    }
}

static void blame_reads(struct blamer *blamer, const struct candidate_list *candidates) {
    for (uint32_t s = 0; s < blamer->network->slot_count; s++)
        blamer->is_blamed[s] |= candidates->reads[s];
}

/* Updates and invariants, by the variables that they name: what is written may be out of range */

static void blame_effects(struct blamer *blamer, const struct effects *effects,
                          const struct process *process) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        for (uint32_t s = 0; s < blamer->network->slot_count; s++) {
            const struct slot *slot = &blamer->network->slots[s];
            if (slot->symbol == effects->list.items[i].symbol &&
                (!slot->process || slot->process == process) && is_removed(blamer, s))
                blamer->is_blamed[s] = true;
        }
}

static void blame_results(struct blamer *blamer, const struct candidate_list *candidates) {
    const struct program *program = blamer->concretizer->search.program;
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        const struct edge_instance *instance = &program->instances.items[candidates->list.items[i]];
        const struct template *template = instance->process->template;
        for (uint32_t e = 0; e < instance->edge_count; e++) {
            uint32_t index = (uint32_t)(instance->edges[e] - template->edges);
            blame_effects(blamer, &blamer->network->edge_effects[template->index][index].update,
                          instance->process);
        }
    }
}

static void blame_invariants(struct blamer *blamer) {
    struct effects_table table = blamer->network->effects; /* knows all functions */
    table.arena = blamer->arena;
    for (uint32_t p = 0; p < blamer->network->process_count; p++) {
        const struct process *process = &blamer->network->processes[p];
        for (uint32_t l = 0; l < process->template->location_count; l++) {
            struct effects effects = {0};
            if (!process->template->locations[l].invariant) continue;
            effects_add_expr(&table, &effects, process->template->locations[l].invariant);
            blame_effects(blamer, &effects, process);
        }
    }
}

static bool has_blamed(const struct blamer *blamer) {
    for (uint32_t s = 0; s < blamer->network->slot_count; s++)
        if (blamer->is_blamed[s]) return true;
    return false;
}

static void set_slots(const struct blamer *blamer, struct arena *arena,
                      struct concretization *result) {
    uint32_t slot_count = blamer->network->slot_count;
    result->slots = ARENA_ARRAY(arena, uint32_t, slot_count + 1);
    for (uint32_t s = 0; s < slot_count; s++)
        if (blamer->is_blamed[s]) result->slots[result->slot_count++] = s;
}

bool blame(const struct concretizer *concretizer, const struct trace_step *step,
           const uint32_t *rows, uint32_t count, struct arena *arena,
           struct concretization *result) {
    struct arena scratch;
    struct blamer blamer;
    arena_init(&scratch);
    blamer_init(&blamer, concretizer, &scratch);
    struct candidate_list *parts = ARENA_ARRAY(&scratch, struct candidate_list, step->part_count);
    for (uint32_t i = 0; i < step->part_count; i++) {
        find_candidates(&blamer, step->parts[i], step->channel, true, &parts[i]);
        if (!parts[i].list.count) /* who declines: what it could have done */
            find_candidates(&blamer, step->parts[i], step->channel, false, &parts[i]);
        look_at_guards(&blamer, &parts[i], rows, count);
        if (!parts[i].can_hold) blame_reads(&blamer, &parts[i]);
    }
    if (!has_blamed(&blamer)) {
        for (uint32_t i = 0; i < step->part_count; i++) {
            blame_reads(&blamer, &parts[i]);
            blame_results(&blamer, &parts[i]);
        }
        blame_invariants(&blamer);
    }
    set_slots(&blamer, arena, result);
    eval_close(&blamer.environment);
    arena_close(&scratch);
    return !blamer.is_late;
}
