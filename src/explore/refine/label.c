/* Labels by number, and which one a step has. */
#include "explore/refine/label.h"

#include <assert.h>
#include <stdlib.h>

/* The table */

/* One label: the one without an action. Borrows the alphabet. */
void labels_init(struct label_table *labels, struct arena *arena, const struct alphabet *alphabet) {
    *labels = (struct label_table){
        .arena = arena, .alphabet = alphabet, .index.memory = memory_of_arena(arena)};
    VEC_PUSH(arena, &labels->list, (struct action_label){.action = NO_ACTION});
}

static uint64_t hash_key(const struct label_key *key) {
    return hash_mix(hash_bytes(key->values, key->count * sizeof *key->values), key->action);
}

/* The label of a hash and of values; LABEL_HIDDEN if there is none. */
static uint32_t find(const struct label_table *labels, const struct label_key *key, uint64_t hash) {
    for (struct index_probe probe = index_begin(hash); index_next(&labels->index, &probe);) {
        const struct action_label *label = &labels->list.items[probe.number];
        if (label->action == key->action && label->count == key->count &&
            (!key->count || !memcmp(label->values, key->values, key->count * sizeof *key->values)))
            return probe.number;
    }
    return LABEL_HIDDEN;
}

uint32_t labels_find(const struct label_table *labels, const struct label_key *key) {
    if (key->label != NO_LABEL) return key->label;
    uint32_t found = find(labels, key, hash_key(key));
    return found == LABEL_HIDDEN ? NO_LABEL : found;
}

uint32_t labels_add(struct label_table *labels, const struct label_key *key) {
    if (key->label != NO_LABEL) return key->label;
    assert(key->action < labels->alphabet->actions.count);
    uint64_t hash = hash_key(key);
    uint32_t found = find(labels, key, hash), count = key->count;
    if (found != LABEL_HIDDEN) return found;
    int32_t *copy = ARENA_ARRAY(labels->arena, int32_t, count + 1);
    memcpy(copy, key->values, count * sizeof *copy);
    index_add(&labels->index, hash, labels->list.count);
    VEC_PUSH(labels->arena, &labels->list, (struct action_label){key->action, count, copy});
    return labels->list.count - 1;
}

const char *label_name(const struct label_table *labels, uint32_t number, struct arena *arena) {
    assert(number < labels->list.count);
    const struct action_label *label = &labels->list.items[number];
    if (number == LABEL_HIDDEN) return "hidden";
    struct buffer text = {0};
    buffer_add_text(&text, labels->alphabet->actions.items[label->action].name);
    for (uint32_t i = 0; i < label->count; i++)
        buffer_printf(&text, "%s%d", i ? "," : "(", label->values[i]);
    if (label->count) buffer_add_text(&text, ")");
    return buffer_finish(&text, arena);
}

/* Preparation */

struct preparation {
    struct labeller *labeller;
    struct arena *arena;
    struct compiler *compiler;
    struct label_source *sources; /* by action */
};

static void prepare_sources(struct preparation *preparation) {
    const struct alphabet *alphabet = preparation->labeller->labels->alphabet;
    struct compiler *compiler = preparation->compiler;
    preparation->sources =
        ARENA_ARRAY(preparation->arena, struct label_source, alphabet->actions.count + 1);
    for (uint32_t i = 0; i < alphabet->actions.count; i++) {
        const struct action_source *from =
            &alphabet->actions.items[i].sources[preparation->labeller->side];
        struct label_source *source = &preparation->sources[i];
        source->action = i;
        source->has_values = from->has_arguments;
        source->count = from->argument_count;
        source->values = ARENA_ARRAY(preparation->arena, struct label_value, source->count + 1);
        for (uint32_t k = 0; k < source->count; k++) {
            source->values[k].is_index = from->arguments[k].is_index;
            source->values[k].index = from->arguments[k].index;
            if (from->arguments[k].is_index) continue;
            unit_begin(compiler);
            unit_value(compiler, from->arguments[k].expr);
            unit_end(compiler, &source->values[k].unit);
        }
    }
}

static bool is_static(const struct label_source *source) {
    for (uint32_t i = 0; i < source->count; i++)
        if (!source->values[i].is_index) return false;
    return true;
}

/* The key of an action with the values of indices that are as given. */
static void pick(const struct label_source *source, const int32_t *indices, uint32_t count,
                 struct label_key *key) {
    key->label = NO_LABEL;
    key->action = source->action;
    key->count = source->has_values ? source->count : count;
    assert(key->count <= ACTION_MAX_VALUES);
    if (!source->has_values) {
        memcpy(key->values, indices, count * sizeof *key->values);
        return;
    }
    for (uint32_t i = 0; i < source->count; i++) {
        assert(!source->values[i].is_index || source->values[i].index < count);
        key->values[i] = source->values[i].is_index ? indices[source->values[i].index] : 0;
    }
}

/* "c[1][-2]": the indices after the name. */
static uint32_t read_indices(const char *name, int32_t *indices) {
    uint32_t count = 0;
    for (const char *at = strchr(name, '['); at && count < ACTION_MAX_VALUES; at = strchr(at, '['))
        indices[count++] = (int32_t)strtol(++at, NULL, 10);
    return count;
}

static void prepare_cells(struct preparation *preparation) {
    struct labeller *labeller = preparation->labeller;
    const struct program *program = labeller->program;
    uint32_t count = program->network->cell_count;
    labeller->cells = ARENA_ARRAY(preparation->arena, struct cell_label, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct cell_label *cell = &labeller->cells[i];
        cell->label = LABEL_HIDDEN;
        if (!program->channels[i]) continue;
        const char *name = program->channels[i]->name;
        int32_t indices[ACTION_MAX_VALUES];
        struct label_key key;
        uint32_t action = alphabet_channel(labeller->labels->alphabet, labeller->side,
                                           (struct str){name, strcspn(name, "[")});
        if (action == NO_ACTION) continue;
        cell->source = &preparation->sources[action];
        cell->count = read_indices(name, indices);
        cell->indices = ARENA_ARRAY(preparation->arena, int32_t, cell->count + 1);
        memcpy(cell->indices, indices, cell->count * sizeof *indices);
        cell->label = NO_LABEL;
        if (!is_static(cell->source)) continue;
        pick(cell->source, indices, cell->count, &key);
        cell->label = labels_add(labeller->labels, &key);
    }
}

/* The tag of an instance without channel, on one of the edges of its path. */
static void prepare_instance(struct preparation *preparation, uint32_t index) {
    struct labeller *labeller = preparation->labeller;
    const struct edge_instance *instance = &labeller->program->instances.items[index];
    struct tagged *tagged = &labeller->tagged[index];
    tagged->label = LABEL_HIDDEN;
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        const struct visible_tag *tag =
            alphabet_tag_of(labeller->labels->alphabet, labeller->side, instance->edges[i]);
        if (!tag) continue;
        if (instance->sync < instance->edge_count) {
            labeller->overruled = instance->edges[i];
            continue;
        }
        if (tagged->source) labeller->ambiguous = instance->edges[i];
        tagged->source = &preparation->sources[tag->action];
        tagged->label = NO_LABEL;
        tagged->count = tag->arguments.count;
        tagged->arguments = ARENA_ARRAY(preparation->arena, struct unit, tagged->count + 1);
        struct leg_labels leg = {instance->process, instance->edges[i], instance->selects[i]};
        for (uint32_t k = 0; k < tagged->count; k++) {
            unit_begin(preparation->compiler);
            unit_leg_value(preparation->compiler, tag->arguments.items[k], &leg);
            unit_end(preparation->compiler, &tagged->arguments[k]);
        }
        if (!tagged->count && is_static(tagged->source))
            tagged->label = labels_add(
                labeller->labels, &(struct label_key){.label = NO_LABEL, .action = tag->action});
    }
}

void labeller_init(struct labeller *labeller, struct label_table *labels, struct search *search,
                   enum side side) {
    *labeller = (struct labeller){.side = side, .labels = labels, .program = search->program};
    struct preparation preparation = {
        .labeller = labeller, .arena = &search->arena, .compiler = search->program->compiler};
    prepare_sources(&preparation);
    prepare_cells(&preparation);
    uint32_t count = search->program->instances.count;
    labeller->tagged = ARENA_ARRAY(&search->arena, struct tagged, count + 1);
    for (uint32_t i = 0; i < count; i++) prepare_instance(&preparation, i);
    labeller->words = ARENA_ARRAY(&search->arena, uint64_t, search->layout->word_count + 1);
}

/* Labels of steps */

/* Runs a unit on a state of stored words; false if it fails. */
static bool evaluate(const struct labeller *labeller, struct machine *machine,
                     const struct unit *unit, const uint64_t *state, int32_t *value) {
    const struct layout *layout = labeller->program->layout;
    memcpy(labeller->words, layout->initial, layout->word_count * sizeof *labeller->words);
    memcpy(labeller->words, state, layout->stored_words * sizeof *labeller->words);
    if (machine_unit(machine, unit, labeller->words) != RUN_TRUE) return false;
    *value = machine->registers[0];
    return true;
}

static bool find_key(const struct labeller *labeller, struct machine *machine,
                     const struct label_source *source, const int32_t *indices, uint32_t count,
                     const uint64_t *to, struct label_key *key) {
    pick(source, indices, count, key);
    for (uint32_t i = 0; i < source->count; i++)
        if (!source->values[i].is_index &&
            !evaluate(labeller, machine, &source->values[i].unit, to, &key->values[i]))
            return false;
    return true;
}

static bool find_key_of_tag(const struct labeller *labeller, struct machine *machine,
                            const struct tagged *tagged, const uint64_t *from, const uint64_t *to,
                            struct label_key *key) {
    int32_t arguments[ACTION_MAX_VALUES];
    assert(tagged->source && tagged->count <= ACTION_MAX_VALUES);
    for (uint32_t i = 0; i < tagged->count; i++)
        if (!evaluate(labeller, machine, &tagged->arguments[i], from, &arguments[i])) return false;
    return find_key(labeller, machine, tagged->source, arguments, tagged->count, to, key);
}

bool labeller_key(const struct labeller *labeller, struct machine *machine, const uint32_t *parts,
                  const uint64_t *from, const uint64_t *to, struct label_key *key) {
    const struct edge_instance *instance = &labeller->program->instances.items[parts[0]];
    if (instance->sync == instance->edge_count) {
        const struct tagged *tagged = &labeller->tagged[parts[0]];
        key->label = tagged->label;
        return key->label != NO_LABEL || find_key_of_tag(labeller, machine, tagged, from, to, key);
    }
    assert(instance->is_send); /* the sender comes first */
    uint32_t channel = instance->channel;
    if (channel == ANY_CHANNEL) {
        int32_t address;
        if (!evaluate(labeller, machine, &instance->channel_code, from, &address)) return false;
        channel = (uint32_t)address;
    }
    assert(labeller->program->channels[channel]); /* the address of a channel */
    const struct cell_label *cell = &labeller->cells[channel];
    key->label = cell->label;
    return key->label != NO_LABEL ||
           find_key(labeller, machine, cell->source, cell->indices, cell->count, to, key);
}
