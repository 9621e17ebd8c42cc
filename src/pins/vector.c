/* Places of fields, and values there and back. */
#include "pins/vector.h"

#include <assert.h>

/* Fields that some group writes. */
static void find_written(const struct groups *groups, bool *is_written) {
    for (uint32_t g = 0; g < groups->items.count; g++) {
        const struct step_group *group = &groups->items.items[g];
        for (uint32_t i = 0; i < group->field_count; i++)
            if (group->marks[i] & FOOTPRINT_WRITES) is_written[group->fields[i]] = true;
    }
}

void vector_init(struct vector *vector, struct arena *arena, const struct program *program,
                 const struct groups *groups) {
    uint32_t count = program->layout->field_count + 1;
    bool *is_written = ARENA_ARRAY(arena, bool, count);
    *vector = (struct vector){.program = program,
                              .fields = ARENA_ARRAY(arena, uint32_t, count),
                              .places = ARENA_ARRAY(arena, uint32_t, count)};
    find_written(groups, is_written);
    for (uint32_t i = 0; i < count; i++) {
        vector->places[i] = is_written[i] ? vector->length : NO_PLACE;
        if (is_written[i]) vector->fields[vector->length++] = i;
    }
    if (vector->places[committed_field(program->layout)] == NO_PLACE)
        vector->committed = count_committed(program, program->layout->initial);
    if (!vector->length) { /* nothing changes, and a state is something all the same */
        vector->fields[vector->length++] = layout_location(program->layout, 0);
        vector->places[vector->fields[0]] = 0;
    }
}

void vector_clear(const struct vector *vector, struct level_state *state) {
    const struct layout *layout = vector->program->layout;
    memcpy(state->words, layout->initial, layout->word_count * sizeof *state->words);
    state->committed = vector->committed;
}

void vector_load(const struct vector *vector, uint32_t field, const int *values,
                 struct level_state *state) {
    const struct layout *layout = vector->program->layout;
    uint32_t place = vector->places[field];
    if (place == NO_PLACE) return;
    if (field == committed_field(layout)) {
        assert(values[place] >= 0);
        state->committed = (uint32_t)values[place];
        return;
    }
    assert(field_holds(&layout->fields[field], values[place]));
    field_set(&layout->fields[field], state->words, values[place]);
}

int vector_value(const struct vector *vector, uint32_t field, const struct level_state *state) {
    const struct layout *layout = vector->program->layout;
    if (field == committed_field(layout)) return (int)state->committed;
    return field_get(&layout->fields[field], state->words);
}

const struct process *vector_process(const struct vector *vector, uint32_t place) {
    const struct network *network = vector->program->network;
    uint32_t field = vector->fields[place];
    bool is_location =
        field >= network->slot_count && field != committed_field(vector->program->layout);
    return is_location ? &network->processes[field - network->slot_count] : NULL;
}

const char *vector_name(const struct vector *vector, uint32_t place, struct arena *arena) {
    const struct network *network = vector->program->network;
    uint32_t field = vector->fields[place];
    if (field < network->slot_count) return slot_name(network, &network->slots[field], arena);
    const struct process *process = vector_process(vector, place);
    return process ? process->name : "processes in committed locations";
}
