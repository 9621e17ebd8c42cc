/* Texts of steps, each made once. */
#include "pins/action.h"

#include <assert.h>

/* "Voter(1): idle -> voted, choice = 2" */
static void add_part(struct buffer *out, const struct edge_instance *part) {
    const struct location *locations = part->process->template->locations;
    buffer_printf(out, "%s: %s -> %s", part->process->name, locations[part->source].name,
                  locations[part->target].name);
    for (uint32_t i = 0; i < part->edge_count; i++)
        for (uint32_t k = 0; k < part->edges[i]->select_count; k++)
            buffer_printf(out, ", %s = %d", part->edges[i]->selects[k]->name, part->selects[i][k]);
}

/* All participants, and in front of them the channel, where it is always the same. */
static void add_step(struct buffer *out, const struct program *program,
                     const struct action_text *text) {
    uint32_t channel = program->instances.items[text->parts[0]].channel;
    if (channel != NO_SLOT && channel != ANY_CHANNEL)
        buffer_printf(out, "%s; ", program->channels[channel]->name);
    for (uint32_t i = 0; i < text->part_count; i++) {
        if (i) buffer_add_text(out, "; ");
        add_part(out, &program->instances.items[text->parts[i]]);
    }
}

static struct action_text *add_text(struct action_texts *texts, const uint32_t *parts,
                                    uint32_t count) {
    struct action_text *text = ARENA_NEW(texts->arena, struct action_text);
    uint32_t *kept = ARENA_ARRAY(texts->arena, uint32_t, count);
    struct buffer out = {0};
    memcpy(kept, parts, count * sizeof *parts);
    *text = (struct action_text){.parts = kept, .part_count = count};
    add_step(&out, texts->program, text);
    text->number =
        pins_chunk_put(texts->model, texts->type, (struct chunk){(uint32_t)out.size, out.data});
    buffer_close(&out);
    return text;
}

int action_texts_number(struct action_texts *texts, const struct expander *expander,
                        const struct step_record *step) {
    const uint32_t *parts = &expander->parts.items[step->first_part];
    size_t size = step->part_count * sizeof *parts;
    uint64_t hash = hash_bytes(parts, size);
    struct action_text *first = map_get(&texts->by_hash, hash);
    assert(step->part_count);
    for (struct action_text *at = first; at; at = at->next)
        if (at->part_count == step->part_count && !memcmp(at->parts, parts, size))
            return at->number;
    struct action_text *text = add_text(texts, parts, step->part_count);
    text->next = first;
    map_put(&texts->by_hash, hash, text);
    return text->number;
}

void action_texts_init(struct action_texts *texts, struct arena *arena,
                       const struct program *program, struct grey_box_model *model, int type) {
    *texts =
        (struct action_texts){.arena = arena, .program = program, .model = model, .type = type};
    map_init(&texts->by_hash, arena);
}
