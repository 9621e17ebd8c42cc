/* Evaluates the guards that stop a run, and notes what they read. */
#include "explore/compare/culprit.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <assert.h>

struct finder {
    const struct missing_step *missing;
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
    bool *is_suspect;            /* by slot */
    bool *is_read;               /* by slot, of all that the present evaluation has read; or NULL */
    const struct edge *disabled; /* the last one whose guard did not hold */
};

static bool is_removed(const struct finder *finder, uint32_t slot) {
    enum slot_role role = finder->missing->visible->roles[SIDE_CONCRETE][slot];
    return role == ROLE_IGNORED || role == ROLE_ALONE;
}

static int32_t value_of(const struct finder *finder, uint32_t slot) {
    assert(slot < finder->network->slot_count && finder->state);
    return field_get(&finder->missing->search->layout->fields[slot], finder->state);
}

/* Hooks of the evaluator */

static int32_t read_cell(void *context, uint32_t address) {
    struct finder *finder = context;
    uint32_t slot = finder->network->slot_of[address];
    if (slot == NO_SLOT) return finder->environment.cells[address];
    if (finder->is_read) finder->is_read[slot] = true;
    if (is_removed(finder, slot) && finder->read_at[slot] != finder->evaluations) {
        finder->read_at[slot] = finder->evaluations;
        VEC_PUSH(finder->arena, &finder->reads, slot);
    }
    return value_of(finder, slot);
}

static bool is_at(void *context, const struct symbol *location) {
    const struct finder *finder = context;
    const struct layout *layout = finder->missing->search->layout;
    return field_get(&layout->fields[layout_location(layout, finder->process->index)],
                     finder->state) == (int32_t)location->location;
}

static bool goes_on(void *context) {
    struct finder *finder = context;
    finder->is_late |= (finder->deadline > 0 && clock_seconds() > finder->deadline) ||
                       interrupt_is_over(finder->missing->grace);
    return !finder->is_late;
}

static void finder_init(struct finder *finder, const struct missing_step *missing,
                        struct arena *arena) {
    const struct network *network = missing->visible->networks[SIDE_CONCRETE];
    *finder = (struct finder){.missing = missing, .network = network, .arena = arena};
    network_environment(network, &finder->environment, arena);
    finder->environment.tracked_count = network->cell_count;
    finder->environment.read = read_cell;
    finder->environment.is_at = is_at;
    finder->environment.goes_on = goes_on;
    finder->deadline = missing->deadline;
    finder->environment.context = finder;
    finder->read_at = ARENA_ARRAY(arena, uint64_t, network->slot_count + 1);
    uint32_t frame_size = model_edge_sizes(network->model).frame;
    finder->frame = ARENA_ARRAY(arena, struct binding, frame_size + 1);
    finder->is_suspect = ARENA_ARRAY(arena, bool, network->slot_count + 1);
}

/* Guards */

static void bind_selects(struct finder *finder, const struct edge *edge, const int32_t *selects) {
    struct environment *environment = &finder->environment;
    environment->frame = finder->frame;
    memset(finder->frame, 0, edge->frame_size * sizeof *finder->frame);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        assert(edge->selects[i]->index < edge->frame_size);
        const struct shape *shape = eval_shape(environment, edge->selects[i]->type);
        uint32_t address = eval_push(environment, 1);
        if (environment->fault.kind) return;
        environment->cells[address] = selects[i];
        environment->frame[edge->selects[i]->index] = (struct binding){address, shape};
    }
}

/* Whether the guards of an instance hold in the state; notes what they read if not. */
static bool guards_hold(struct finder *finder, const struct edge_instance *instance) {
    struct environment *environment = &finder->environment;
    bool holds = true;
    finder->process = instance->process;
    environment->locals = instance->process->locals;
    for (uint32_t i = 0; i < instance->edge_count && holds; i++) {
        const struct edge *edge = instance->edges[i];
        uint32_t stack = environment->stack;
        finder->reads.count = 0;
        finder->evaluations++;
        bind_selects(finder, edge, instance->selects[i]);
        const struct expr *guard =
            guard_of_edge(finder->network, instance->process->template, edge);
        if (guard) holds = eval_int(environment, guard) && !environment->fault.kind;
        if (!holds) finder->disabled = edge;
        environment->frame = NULL;
        environment->stack = stack;
        environment->fault = (struct fault){0};
    }
    return holds;
}

/* Candidates: what the original could do in place of a participant */

struct substitute_list {
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

static void find_candidates(struct finder *finder, const struct edge_instance *part,
                            const char *channel, bool wants_target, struct substitute_list *found) {
    const struct visible *visible = finder->missing->visible;
    const struct program *program = finder->missing->search->program;
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
            VEC_PUSH(finder->arena, &found->list, i);
    }
}

static void look_at_guards(struct finder *finder, struct substitute_list *candidates,
                           const uint32_t *rows, uint32_t count) {
    const struct search *search = finder->missing->search;
    uint64_t *state = layout_state(search->layout, finder->arena);
    finder->state = state;
    candidates->reads = ARENA_ARRAY(finder->arena, bool, finder->network->slot_count + 1);
    for (uint32_t k = 0; k < count && goes_on(finder); k++) {
        store_load(&search->store, rows[k], state);
        for (uint32_t i = 0; i < candidates->list.count; i++) {
            if (guards_hold(finder, &search->program->instances.items[candidates->list.items[i]])) {
                candidates->can_hold = true;
                continue;
            }
            for (uint32_t r = 0; r < finder->reads.count; r++)
                candidates->reads[finder->reads.items[r]] = true;
        }
    }
}

/* The guard of the first candidate, if it is false in the first state. */
static void note_false_guard(struct finder *finder, const struct substitute_list *candidates,
                             struct arena *arena, struct culprits *culprits) {
    const struct search *search = finder->missing->search;
    if (!candidates->list.count || !finder->missing->count) return;
    const struct edge_instance *instance =
        &search->program->instances.items[candidates->list.items[0]];
    uint64_t *state = layout_state(search->layout, finder->arena);
    uint32_t slot_count = finder->network->slot_count;
    store_load(&search->store, finder->missing->rows[0], state);
    finder->state = state;
    finder->is_read = ARENA_ARRAY(finder->arena, bool, slot_count + 1);
    bool holds = guards_hold(finder, instance);
    if (!holds) {
        assert(culprits->guard_count < finder->missing->step->part_count && finder->disabled);
        struct false_guard *guard = &culprits->guards[culprits->guard_count++];
        *guard = (struct false_guard){.process = instance->process,
                                      .edge = finder->disabled,
                                      .source = instance->source,
                                      .target = instance->target,
                                      .slots = ARENA_ARRAY(arena, uint32_t, slot_count + 1),
                                      .values = ARENA_ARRAY(arena, int32_t, slot_count + 1)};
        for (uint32_t s = 0; s < slot_count; s++) {
            if (!finder->is_read[s]) continue;
            guard->slots[guard->slot_count] = s;
            guard->values[guard->slot_count++] = value_of(finder, s);
        }
    }
    finder->is_read = NULL;
}

static void suspect_reads(struct finder *finder, const struct substitute_list *candidates) {
    for (uint32_t s = 0; s < finder->network->slot_count; s++)
        finder->is_suspect[s] |= candidates->reads[s];
}

/* Updates and invariants, by the variables that they name: what is written may be out of range */

static void suspect_effects(struct finder *finder, const struct effects *effects,
                            const struct process *process) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        for (uint32_t s = 0; s < finder->network->slot_count; s++) {
            const struct slot *slot = &finder->network->slots[s];
            if (slot->symbol == effects->list.items[i].symbol &&
                (!slot->process || slot->process == process) && is_removed(finder, s))
                finder->is_suspect[s] = true;
        }
}

static void suspect_results(struct finder *finder, const struct substitute_list *candidates) {
    const struct program *program = finder->missing->search->program;
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        const struct edge_instance *instance = &program->instances.items[candidates->list.items[i]];
        const struct template *template = instance->process->template;
        for (uint32_t e = 0; e < instance->edge_count; e++) {
            uint32_t index = (uint32_t)(instance->edges[e] - template->edges);
            suspect_effects(finder,
                            &finder->network->labels.edges[template->index][index].update_effects,
                            instance->process);
        }
    }
}

static void suspect_invariants(struct finder *finder) {
    struct effects_table table = finder->network->effects; /* knows all functions */
    table.arena = finder->arena;
    for (uint32_t p = 0; p < finder->network->process_count; p++) {
        const struct process *process = &finder->network->processes[p];
        for (uint32_t l = 0; l < process->template->location_count; l++) {
            struct effects effects = {0};
            effects_add_expr(&table, &effects, invariant_at(finder->network, process->template, l));
            suspect_effects(finder, &effects, process);
        }
    }
}

static bool has_suspect(const struct finder *finder) {
    for (uint32_t s = 0; s < finder->network->slot_count; s++)
        if (finder->is_suspect[s]) return true;
    return false;
}

static void set_slots(const struct finder *finder, struct arena *arena, struct culprits *culprits) {
    uint32_t slot_count = finder->network->slot_count;
    culprits->slots = ARENA_ARRAY(arena, uint32_t, slot_count + 1);
    culprits->count = 0;
    for (uint32_t s = 0; s < slot_count; s++) {
        if (!finder->is_suspect[s]) continue;
        assert(is_removed(finder, s));
        culprits->slots[culprits->count++] = s;
    }
}

bool find_culprits(const struct missing_step *missing, struct arena *arena,
                   struct culprits *culprits) {
    const struct trace_step *step = missing->step;
    struct arena scratch;
    struct finder finder;
    arena_init(&scratch);
    finder_init(&finder, missing, &scratch);
    struct substitute_list *parts = ARENA_ARRAY(&scratch, struct substitute_list, step->part_count);
    *culprits =
        (struct culprits){.guards = ARENA_ARRAY(arena, struct false_guard, step->part_count + 1)};
    for (uint32_t i = 0; i < step->part_count; i++) {
        find_candidates(&finder, step->parts[i], step->channel, true, &parts[i]);
        if (!parts[i].list.count) /* it declines: what it could have done */
            find_candidates(&finder, step->parts[i], step->channel, false, &parts[i]);
        look_at_guards(&finder, &parts[i], missing->rows, missing->count);
        if (parts[i].can_hold) continue;
        suspect_reads(&finder, &parts[i]);
        note_false_guard(&finder, &parts[i], arena, culprits);
    }
    if (!has_suspect(&finder)) {
        for (uint32_t i = 0; i < step->part_count; i++) {
            suspect_reads(&finder, &parts[i]);
            suspect_results(&finder, &parts[i]);
        }
        suspect_invariants(&finder);
    }
    set_slots(&finder, arena, culprits);
    eval_close(&finder.environment);
    arena_close(&scratch);
    return !finder.is_late;
}
