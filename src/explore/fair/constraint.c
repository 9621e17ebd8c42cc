/* Names of processes, channels and tags as sets of steps. */
#include "explore/fair/constraint.h"

#include "explore/fair/named.h"
#include "explore/fair/tag.h"

#include <assert.h>

/* Names */

struct resolver {
    struct fair_constraints *constraints;
    struct arena *arena;
    const struct network *network;
    struct channel_names channels;
};

static bool is_same(const struct fair_constraint *one, const struct fair_constraint *other) {
    return one->is_strong == other->is_strong && one->process == other->process &&
           (one->process || !strcmp(one->name, other->name));
}

/* Those that are there already are not added again. */
static void add(struct resolver *resolver, struct fair_constraint constraint) {
    struct fair_constraints *constraints = resolver->constraints;
    for (uint32_t i = 0; i < constraints->list.count; i++)
        if (is_same(&constraints->list.items[i], &constraint)) return;
    uint64_t bit = constraints->list.count < FAIR_MAX ? UINT64_C(1) << constraints->list.count : 0;
    *(constraint.is_strong ? &constraints->strong : &constraints->weak) |= bit;
    VEC_PUSH(resolver->arena, &constraints->list, constraint);
}

/* Whether a name is that of a process, or of the set "P" that "P(1)" is of. */
static bool is_process(const struct process *process, const char *name) {
    size_t size = strlen(name);
    return !strncmp(process->name, name, size) &&
           (!process->name[size] || process->name[size] == '(');
}

static bool add_processes(struct resolver *resolver, const char *name, bool is_strong) {
    bool is_any = !strcmp(name, "*"), is_found = false;
    for (uint32_t i = 0; i < resolver->network->process_count; i++) {
        const struct process *process = &resolver->network->processes[i];
        if (!is_any && !is_process(process, name)) continue;
        is_found = true;
        add(resolver, (struct fair_constraint){
                          .name = process->name, .is_strong = is_strong, .process = process});
    }
    return is_found;
}

static bool add_steps(struct resolver *resolver, const char *name, bool is_strong) {
    struct fair_constraint constraint = {.name = name, .is_strong = is_strong};
    const char *plain = *name == '@' ? name + 1 : name;
    if (*name != '@' && channel_is_named(&resolver->channels, str_of(name)))
        constraint.channel = name;
    if (network_has_tag(resolver->network, str_of(plain))) constraint.tag = plain;
    if (!constraint.channel && !constraint.tag) return false;
    add(resolver, constraint);
    return true;
}

static const char *add_all(struct resolver *resolver, const char *const *names, uint32_t count,
                           bool is_strong) {
    for (uint32_t i = 0; i < count; i++)
        if (!add_processes(resolver, names[i], is_strong) &&
            !add_steps(resolver, names[i], is_strong))
            return arena_printf(resolver->arena, "there is no process, channel or tag '%s'",
                                names[i]);
    return NULL;
}

const char *fair_resolve(struct fair_constraints *constraints, struct arena *arena,
                         const struct network *network, const struct fair_names *names) {
    struct resolver resolver = {.constraints = constraints, .arena = arena, .network = network};
    *constraints = (struct fair_constraints){0};
    if (!fair_is_asked(names)) return NULL;
    resolver.channels = channel_names_of(network, arena);
    const char *problem = add_all(&resolver, names->weak, names->weak_count, false);
    if (!problem) problem = add_all(&resolver, names->strong, names->strong_count, true);
    if (!problem && constraints->list.count > FAIR_MAX)
        problem = arena_printf(arena, "fairness to %u processes, channels and tags, but at most %d",
                               constraints->list.count, FAIR_MAX);
    return problem;
}

/* Steps */

static uint64_t mark_instance(const struct fair_constraints *constraints,
                              const struct edge_instance *instance) {
    uint64_t set = 0;
    for (uint32_t i = 0; i < constraints->list.count; i++) {
        const struct fair_constraint *constraint = &constraints->list.items[i];
        bool is_of = constraint->process == instance->process;
        for (uint32_t k = 0; constraint->tag && k < instance->edge_count; k++)
            is_of |= edge_has_tag(instance->edges[k], str_of(constraint->tag));
        if (is_of) set |= UINT64_C(1) << i;
    }
    return set;
}

/* All cells of an array of channels are one channel. */
static uint64_t mark_channel(const struct fair_constraints *constraints, const char *name) {
    struct str base = {name, strcspn(name, "[")};
    uint64_t set = 0;
    for (uint32_t i = 0; i < constraints->list.count; i++) {
        const char *channel = constraints->list.items[i].channel;
        if (channel && str_is(base, channel)) set |= UINT64_C(1) << i;
    }
    return set;
}

void fair_marker_init(struct fair_marker *marker, struct arena *arena,
                      const struct fair_constraints *constraints, const struct program *program) {
    uint32_t count = program->instances.count, cells = program->network->cell_count;
    assert(constraints->list.count <= FAIR_MAX);
    *marker = (struct fair_marker){
        .program = program,
        .by_instance = ARENA_ARRAY(arena, uint64_t, (size_t)count + 1),
        .by_channel = ARENA_ARRAY(arena, uint64_t, (size_t)cells + 1),
        .words = ARENA_ARRAY(arena, uint64_t, (size_t)program->layout->word_count + 1)};
    for (uint32_t i = 0; i < count; i++)
        marker->by_instance[i] = mark_instance(constraints, &program->instances.items[i]);
    for (uint32_t i = 0; i < cells; i++)
        if (program->channels[i])
            marker->by_channel[i] = mark_channel(constraints, program->channels[i]->name);
}

/* The channel of a step, in the state before it; NO_SLOT out of time. */
static uint32_t channel_of(const struct fair_marker *marker, struct machine *machine,
                           const struct edge_instance *sender, const uint64_t *from) {
    const struct layout *layout = marker->program->layout;
    if (sender->channel != ANY_CHANNEL) return sender->channel;
    memcpy(marker->words, layout->initial, layout->word_count * sizeof *marker->words);
    memcpy(marker->words, from, layout->stored_words * sizeof *marker->words);
    if (machine_unit(machine, &sender->channel_code, marker->words) != RUN_TRUE) return NO_SLOT;
    return (uint32_t)machine->registers[0];
}

bool fair_mark(const struct fair_marker *marker, struct machine *machine, const uint32_t *parts,
               uint32_t part_count, const uint64_t *from, uint64_t *set) {
    const struct edge_instance *instances = marker->program->instances.items;
    const struct edge_instance *sender = &instances[parts[0]];
    *set = 0;
    for (uint32_t i = 0; i < part_count; i++) *set |= marker->by_instance[parts[i]];
    if (sender->sync == sender->edge_count) return true;
    uint32_t channel = channel_of(marker, machine, sender, from);
    if (channel != NO_SLOT) *set |= marker->by_channel[channel];
    return channel != NO_SLOT;
}

/* Sets */

void fair_sets_init(struct fair_sets *sets, struct arena *arena) {
    *sets = (struct fair_sets){.arena = arena};
    map_init(&sets->numbers, arena);
    VEC_PUSH(arena, &sets->list, 0);
}

uint32_t fair_sets_add(struct fair_sets *sets, uint64_t set) {
    if (!set) return 0;
    uint32_t number = (uint32_t)(uintptr_t)map_get(&sets->numbers, set);
    if (number) return number;
    number = sets->list.count;
    VEC_PUSH(sets->arena, &sets->list, set);
    map_put(&sets->numbers, set, (void *)(uintptr_t)number);
    return number;
}
