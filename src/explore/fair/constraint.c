/* Names of processes, channels and tags as sets of steps. */
#include "explore/fair/constraint.h"

#include "explore/fair/named.h"
#include "explore/fair/tag.h"

#include <assert.h>
#include <stdlib.h>

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

static uint64_t bit_of(const struct fair_constraint *constraint) {
    return constraint->bit < FAIR_MAX ? UINT64_C(1) << constraint->bit : 0;
}

static void append(struct fair_constraints *constraints, struct fair_constraint constraint) {
    constraint.bit = (*constraints->used)++;
    *(constraint.is_strong ? &constraints->strong : &constraints->weak) |= bit_of(&constraint);
    VEC_PUSH(constraints->arena, &constraints->list, constraint);
}

/* Those that are there already are not added again. */
static void add(struct resolver *resolver, struct fair_constraint constraint) {
    struct fair_constraints *constraints = resolver->constraints;
    for (uint32_t i = 0; i < constraints->list.count; i++)
        if (is_same(&constraints->list.items[i], &constraint)) return;
    append(constraints, constraint);
}

static void add_schema(struct resolver *resolver, struct fair_constraint schema) {
    struct fair_constraints *constraints = resolver->constraints;
    for (uint32_t i = 0; i < constraints->schemas.count; i++)
        if (is_same(&constraints->schemas.items[i], &schema)) return;
    VEC_PUSH(resolver->arena, &constraints->schemas, schema);
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
    const char *instances = fair_instances_of(name, resolver->arena);
    const char *plain = instances ? instances : *name == '@' ? name + 1 : name;
    if (*name != '@' && channel_is_named(&resolver->channels, str_of(plain)))
        constraint.channel = plain;
    if (network_has_tag(resolver->network, str_of(plain))) constraint.tag = plain;
    if (!constraint.channel && !constraint.tag) return false;
    (instances ? add_schema : add)(resolver, constraint);
    return true;
}

static const char *unknown_name(struct resolver *resolver, const char *name) {
    const struct network *network = resolver->network;
    struct similar similar = {.word = str_of(name + (*name == '@'))};
    for (uint32_t i = 0; i < network->process_count; i++) {
        similar_offer(&similar, network->processes[i].name);
        similar_offer(&similar, network->processes[i].template->symbol->name);
    }
    similar_offer_actions(&similar, resolver->arena, network, &resolver->channels);
    return arena_printf(resolver->arena, "there is no process, channel or tag '%s'%s", name,
                        similar_hint(&similar, resolver->arena,
                                     "; `varabs info` lists the processes, and `varabs draw` shows "
                                     "the channels"));
}

static const char *add_all(struct resolver *resolver, const char *const *names, uint32_t count,
                           bool is_strong) {
    for (uint32_t i = 0; i < count; i++)
        if (!add_processes(resolver, names[i], is_strong) &&
            !add_steps(resolver, names[i], is_strong))
            return unknown_name(resolver, names[i]);
    return NULL;
}

const char *fair_resolve(struct fair_constraints *constraints, struct arena *arena,
                         const struct network *network, const struct fair_names *names,
                         uint32_t *used) {
    struct resolver resolver = {.constraints = constraints, .arena = arena, .network = network};
    *constraints =
        (struct fair_constraints){.arguments = names->arguments, .arena = arena, .used = used};
    if (!fair_is_asked(names)) return NULL;
    resolver.channels = channel_names_of(network, arena);
    const char *problem = add_all(&resolver, names->weak, names->weak_count, false);
    if (!problem) problem = add_all(&resolver, names->strong, names->strong_count, true);
    if (!problem && (*used > FAIR_MAX || constraints->schemas.count > FAIR_MAX))
        problem = arena_printf(arena, "fairness to %u processes, channels and tags, but at most %d",
                               *used > FAIR_MAX ? *used : constraints->schemas.count, FAIR_MAX);
    return problem;
}

/* Instances */

bool fair_has_instance(const struct fair_constraints *constraints, uint32_t schema) {
    for (uint32_t i = 0; i < constraints->list.count; i++)
        if (constraints->list.items[i].schema == schema + 1) return true;
    return false;
}

/* A tag of an edge instance whose instances are constraints. */
struct fair_tag {
    uint32_t schema;
    struct unit *values; /* of its arguments */
    uint32_t count;
};

struct fair_tags {
    VEC(struct fair_tag) list;
};

/* "move(3,1,0)" */
static const char *name_instance(const struct fair_constraints *constraints,
                                 const struct fair_constraint *schema, const int32_t *values,
                                 uint32_t count) {
    struct buffer text = {0};
    buffer_printf(&text, "%.*s(", (int)(strlen(schema->name) - strlen("(*)")), schema->name);
    for (uint32_t i = 0; i < count; i++) buffer_printf(&text, "%s%d", i ? "," : "", values[i]);
    buffer_add_text(&text, ")");
    return buffer_finish(&text, constraints->arena);
}

static bool note_problem(struct fair_constraints *constraints, enum status status, position at,
                         const char *problem) {
    constraints->problem = problem;
    constraints->problem_status = status;
    constraints->problem_at = at;
    return false;
}

/* Adds an instance, which may be new, to a set; false if there are too many. */
static bool add_instance(struct fair_constraints *constraints, uint32_t number,
                         const int32_t *values, uint32_t count, uint64_t *set) {
    assert(number < constraints->schemas.count && count <= FAIR_MAX_VALUES);
    const struct fair_constraint *schema = &constraints->schemas.items[number];
    for (uint32_t i = 0; i < constraints->list.count; i++) {
        const struct fair_constraint *constraint = &constraints->list.items[i];
        if (constraint->schema == number + 1 && constraint->count == count &&
            (!count || !memcmp(constraint->values, values, count * sizeof *values))) {
            *set |= bit_of(constraint);
            return true;
        }
    }
    if (*constraints->used >= FAIR_MAX)
        return note_problem(constraints, STATUS_LIMIT, 0,
                            arena_printf(constraints->arena,
                                         "'%s' has too many instances: runs can be fair to %d "
                                         "processes, channels, tags and instances of them",
                                         schema->name, FAIR_MAX));
    struct fair_constraint instance = *schema;
    int32_t *copy = ARENA_ARRAY(constraints->arena, int32_t, (size_t)count + 1);
    if (count) memcpy(copy, values, count * sizeof *copy);
    instance.name = name_instance(constraints, schema, values, count);
    instance.schema = number + 1;
    instance.values = copy;
    instance.count = count;
    append(constraints, instance);
    *set |= bit_of(&constraints->list.items[constraints->list.count - 1]);
    return true;
}

/* Compiles the arguments of a tag for each schema that asks for its instances. */
static void compile_tag(const struct fair_marker *marker, struct arena *arena,
                        const struct leg_labels *leg, const struct tag_arguments *tag,
                        struct fair_tags *tags) {
    const struct fair_constraints *constraints = marker->constraints;
    struct compiler *compiler = marker->program->compiler;
    uint32_t count = tag->values.count;
    for (uint32_t i = 0; i < constraints->schemas.count; i++) {
        const char *asked = constraints->schemas.items[i].tag;
        if (!asked || strcmp(asked, tag->name) != 0) continue;
        struct fair_tag marked = {i, ARENA_ARRAY(arena, struct unit, (size_t)count + 1), count};
        for (uint32_t k = 0; k < count; k++) {
            unit_begin(compiler);
            unit_leg_value(compiler, tag->values.items[k], leg);
            unit_end(compiler, &marked.values[k]);
        }
        VEC_PUSH(arena, &tags->list, marked);
    }
}

static void compile_tags(const struct fair_marker *marker, struct arena *arena, uint32_t index) {
    const struct map *arguments = marker->constraints->arguments;
    const struct edge_instance *instance = &marker->program->instances.items[index];
    for (uint32_t i = 0; i < instance->edge_count && arguments; i++) {
        struct leg_labels leg = {instance->process, instance->edges[i], instance->selects[i]};
        const struct tag_arguments *tag = map_get(arguments, map_key(instance->edges[i]));
        for (; tag; tag = tag->next) compile_tag(marker, arena, &leg, tag, &marker->tags[index]);
    }
}

static void load(const struct fair_marker *marker, const uint64_t *from) {
    const struct layout *layout = marker->program->layout;
    memcpy(marker->words, layout->initial, layout->word_count * sizeof *marker->words);
    memcpy(marker->words, from, layout->stored_words * sizeof *marker->words);
}

/* Adds the instance of a tag before a step. */
static bool add_tag(const struct fair_marker *marker, struct machine *machine,
                    const struct fair_tag *tag, const uint64_t *from, uint64_t *set) {
    int32_t values[FAIR_MAX_VALUES];
    assert(tag->count <= FAIR_MAX_VALUES);
    for (uint32_t i = 0; i < tag->count; i++) {
        load(marker, from);
        enum outcome outcome = machine_unit(machine, &tag->values[i], marker->words);
        if (outcome == RUN_LATE) return false;
        if (outcome != RUN_TRUE)
            return note_problem(marker->constraints, STATUS_INVALID, machine->fault.span.begin,
                                arena_printf(marker->constraints->arena,
                                             "an argument of a tag cannot be evaluated: %s",
                                             fault_name(machine->fault.kind)));
        values[i] = machine->registers[0];
    }
    return add_instance(marker->constraints, tag->schema, values, tag->count, set);
}

/* Adds the instances of a channel, "c[1][-2]"; *schemas is the set of theirs. */
static bool add_cell(const struct fair_marker *marker, uint32_t channel, uint64_t *schemas,
                     uint64_t *set) {
    assert(channel < marker->program->network->cell_count);
    struct fair_constraints *constraints = marker->constraints;
    const char *name = marker->program->channels[channel]->name;
    struct str base = {name, strcspn(name, "[")};
    int32_t values[FAIR_MAX_VALUES];
    uint32_t count = 0;
    const char *at = strchr(name, '[');
    for (; at && count < FAIR_MAX_VALUES; at = strchr(at, '['))
        values[count++] = (int32_t)strtol(++at, NULL, 10);
    for (uint32_t i = 0; i < constraints->schemas.count; i++) {
        const char *asked = constraints->schemas.items[i].channel;
        if (!asked || !str_is(base, asked)) continue;
        if (at)
            return note_problem(constraints, STATUS_LIMIT, 0,
                                arena_printf(constraints->arena,
                                             "the channel '%s' has more than %d indices", asked,
                                             FAIR_MAX_VALUES));
        *schemas |= UINT64_C(1) << i;
        if (!add_instance(constraints, i, values, count, set)) return false;
    }
    return true;
}

/* Adds the instances that a step is of. */
static bool add_instances(const struct fair_marker *marker, struct machine *machine,
                          const uint32_t *parts, uint32_t part_count, uint32_t channel,
                          const uint64_t *from, uint64_t *set) {
    uint64_t of_channel = 0;
    if (channel != NO_SLOT && !add_cell(marker, channel, &of_channel, set)) return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct fair_tags *tags = &marker->tags[parts[i]];
        for (uint32_t k = 0; k < tags->list.count; k++) {
            const struct fair_tag *tag = &tags->list.items[k];
            if (!tag->count && of_channel >> tag->schema & 1) continue;
            if (!add_tag(marker, machine, tag, from, set)) return false;
        }
    }
    return true;
}

/* Steps */

static uint64_t mark_instance(const struct fair_constraints *constraints,
                              const struct edge_instance *instance) {
    uint64_t set = 0;
    for (uint32_t i = 0; i < constraints->list.count; i++) {
        const struct fair_constraint *constraint = &constraints->list.items[i];
        bool is_of = constraint->process == instance->process;
        if (constraint->schema) continue;
        for (uint32_t k = 0; constraint->tag && k < instance->edge_count; k++)
            is_of |= edge_has_tag(instance->edges[k], str_of(constraint->tag));
        if (is_of) set |= bit_of(constraint);
    }
    return set;
}

/* All cells of an array of channels are one channel. */
static uint64_t mark_channel(const struct fair_constraints *constraints, const char *name) {
    struct str base = {name, strcspn(name, "[")};
    uint64_t set = 0;
    for (uint32_t i = 0; i < constraints->list.count; i++) {
        const struct fair_constraint *constraint = &constraints->list.items[i];
        if (!constraint->schema && constraint->channel && str_is(base, constraint->channel))
            set |= bit_of(constraint);
    }
    return set;
}

void fair_marker_init(struct fair_marker *marker, struct arena *arena,
                      struct fair_constraints *constraints, const struct program *program) {
    uint32_t count = program->instances.count, cells = program->network->cell_count;
    assert(*constraints->used <= FAIR_MAX);
    *marker = (struct fair_marker){
        .constraints = constraints,
        .program = program,
        .by_instance = ARENA_ARRAY(arena, uint64_t, (size_t)count + 1),
        .by_channel = ARENA_ARRAY(arena, uint64_t, (size_t)cells + 1),
        .words = ARENA_ARRAY(arena, uint64_t, (size_t)program->layout->word_count + 1)};
    for (uint32_t i = 0; i < count; i++)
        marker->by_instance[i] = mark_instance(constraints, &program->instances.items[i]);
    for (uint32_t i = 0; i < cells; i++)
        if (program->channels[i])
            marker->by_channel[i] = mark_channel(constraints, program->channels[i]->name);
    if (!constraints->schemas.count) return;
    marker->tags = ARENA_ARRAY(arena, struct fair_tags, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) compile_tags(marker, arena, i);
}

/* The channel of a step, in the state before it; NO_SLOT out of time. */
static uint32_t channel_of(const struct fair_marker *marker, struct machine *machine,
                           const struct edge_instance *sender, const uint64_t *from) {
    if (sender->channel != ANY_CHANNEL) return sender->channel;
    load(marker, from);
    if (machine_unit(machine, &sender->channel_code, marker->words) != RUN_TRUE) return NO_SLOT;
    return (uint32_t)machine->registers[0];
}

bool fair_mark(const struct fair_marker *marker, struct machine *machine, const uint32_t *parts,
               uint32_t part_count, const uint64_t *from, uint64_t *set) {
    assert(part_count);
    const struct edge_instance *instances = marker->program->instances.items;
    const struct edge_instance *sender = &instances[parts[0]];
    *set = 0;
    for (uint32_t i = 0; i < part_count; i++) *set |= marker->by_instance[parts[i]];
    uint32_t channel = NO_SLOT;
    if (sender->sync < sender->edge_count) {
        channel = channel_of(marker, machine, sender, from);
        if (channel == NO_SLOT) return false;
        assert(sender->is_send && marker->program->channels[channel]); /* the sender comes first */
        *set |= marker->by_channel[channel];
    }
    return !marker->tags || add_instances(marker, machine, parts, part_count, channel, from, set);
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
    assert(number < sets->list.count);
    if (number) return number;
    number = sets->list.count;
    VEC_PUSH(sets->arena, &sets->list, set);
    map_put(&sets->numbers, set, (void *)(uintptr_t)number);
    return number;
}
