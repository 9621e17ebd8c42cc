/* Fields as levels of vectors. */
#include "explore/symbolic/levels.h"

#include "base/debug.h"

#include <assert.h>

static uint64_t mask_of(const struct program *program, uint32_t field) {
    const struct layout *layout = program->layout;
    uint64_t mask = 0;
    if (field != committed_field(layout)) return layout->fields[field].mask;
    while (program->has_committed && mask < program->network->process_count) mask = mask * 2 + 1;
    return mask;
}

static uint32_t bits_of(uint64_t mask) {
    uint32_t bits = 0;
    for (; mask; mask >>= 1) bits++;
    return bits;
}

/* Globals, then process by process its location and its own slots, as in a layout. */
uint32_t levels_list_fields(const struct program *program, uint32_t *fields) {
    const struct layout *layout = program->layout;
    uint32_t count = 0;
    for (uint32_t i = 0; i <= committed_field(layout); i++) {
        bool is_stored =
            i == committed_field(layout) || layout->fields[i].word < layout->stored_words;
        if (is_stored && mask_of(program, i)) fields[count++] = i;
    }
    return count;
}

uint32_t levels_needed(const struct program *program, const uint32_t *fields, uint32_t count) {
    uint32_t needed = 0;
    for (uint32_t i = 0; i < count; i++)
        needed += (bits_of(mask_of(program, fields[i])) + LEVEL_BITS - 1) / LEVEL_BITS;
    return needed;
}

/* The parts of one field, as even as possible. */
static void add_field(struct levels *levels, uint32_t field, uint64_t mask) {
    uint32_t bits = bits_of(mask), parts = (bits + LEVEL_BITS - 1) / LEVEL_BITS;
    assert(mask && !(mask & (mask + 1)));
    levels->first[field] = levels->count;
    levels->sizes[field] = parts;
    levels->bits += bits;
    for (uint32_t left = parts, above = bits; left > 0; left--) {
        uint32_t width = (above + left - 1) / left;
        above -= width;
        levels->items[levels->count++] = (struct level){field, above, ((uint32_t)1 << width) - 1};
    }
}

/* Borrows the program. The fields are those of levels_list_fields, in any order. */
void levels_init(struct levels *levels, struct arena *arena, const struct program *program,
                 const uint32_t *fields, uint32_t count) {
    uint32_t bound = committed_field(program->layout) + 1;
    *levels = (struct levels){.layout = program->layout};
    levels->items = ARENA_ARRAY(arena, struct level, levels_needed(program, fields, count) + 1);
    levels->first = ARENA_ARRAY(arena, uint32_t, bound);
    levels->sizes = ARENA_ARRAY(arena, uint32_t, bound);
    for (uint32_t i = 0; i < count; i++) add_field(levels, fields[i], mask_of(program, fields[i]));
    assert(levels->count == levels_needed(program, fields, count));
    if (!levels->count) /* so that there is some */
        levels->items[levels->count++] = (struct level){committed_field(program->layout), 0, 0};
}

/* The part of its field that the level is for. */
uint32_t level_get(const struct levels *levels, uint32_t index, const struct level_state *point) {
    DEBUG_CHECK(assert(index < levels->count));
    const struct level *level = &levels->items[index];
    const struct layout *layout = levels->layout;
    uint64_t bits = point->committed;
    if (level->field != committed_field(layout)) {
        const struct packed *field = &layout->fields[level->field];
        bits = point->words[field->word] >> field->shift & field->mask;
    }
    return (uint32_t)(bits >> level->shift) & level->mask;
}

/* The value must fit the level; the rest of the field stays. */
void level_set(const struct levels *levels, uint32_t index, struct level_state *point,
               uint32_t value) {
    const struct level *level = &levels->items[index];
    const struct layout *layout = levels->layout;
    assert(value <= level->mask);
    if (level->field == committed_field(layout)) {
        point->committed &= ~(level->mask << level->shift);
        point->committed |= value << level->shift;
        return;
    }
    const struct packed *field = &layout->fields[level->field];
    uint32_t shift = field->shift + level->shift;
    uint64_t *word = &point->words[field->word];
    *word = (*word & ~((uint64_t)level->mask << shift)) | (uint64_t)value << shift;
}

uint32_t count_committed(const struct program *program, const uint64_t *words) {
    const struct network *network = program->network;
    uint32_t count = 0;
    for (uint32_t p = 0; p < network->process_count && program->has_committed; p++) {
        const struct packed *field = &program->layout->fields[layout_location(program->layout, p)];
        count += network->processes[p].template->locations[field_get(field, words)].is_committed;
    }
    return count;
}

void levels_vector(const struct levels *levels, const struct level_state *point, uint32_t *vector) {
    for (uint32_t i = 0; i < levels->count; i++) vector[i] = level_get(levels, i, point);
}

/* Fields without levels have their initial values. */
void levels_point(const struct levels *levels, const uint32_t *vector, struct level_state *point) {
    const struct layout *layout = levels->layout;
    memcpy(point->words, layout->initial, layout->word_count * sizeof *point->words);
    point->committed = 0;
    for (uint32_t i = 0; i < levels->count; i++) level_set(levels, i, point, vector[i]);
}
