#include "lang/syntax/frame.h"

#include <assert.h>

/* outer: NULL for the outermost one. */
struct frame *frame_new(struct arena *arena, struct frame *outer) {
    struct frame *frame = ARENA_NEW(arena, struct frame);
    frame->outer = outer;
    map_init(&frame->names, arena);
    return frame;
}

/* Borrows the names. */
void similar_offer_symbols(struct similar *similar, const struct map *symbols) {
    if (symbols->count > HINT_MAX_NAMES) return;
    for (uint32_t i = 0; i < symbols->capacity; i++)
        if (symbols->entries[i].value)
            similar_offer(similar, ((const struct symbol *)symbols->entries[i].value)->name);
}

/* Not in outer frames. */
struct symbol *frame_find_here(const struct frame *frame, const char *name) {
    return map_get(&frame->names, map_key(name));
}

struct symbol *frame_find(const struct frame *frame, const char *name) {
    struct symbol *symbol = NULL;
    for (; frame && !symbol; frame = frame->outer) symbol = frame_find_here(frame, name);
    return symbol;
}

const char *frame_hint(const struct frame *frame, const char *name, const struct diag *diag,
                       const char *otherwise) {
    struct similar similar = {.word = str_of(name)};
    for (; frame && diag_has_room(diag); frame = frame->outer)
        similar_offer_symbols(&similar, &frame->names);
    return similar_hint(&similar, diag->arena, otherwise);
}

void frame_declare(struct frame *frame, struct symbol *symbol) {
    assert(symbol->name);
    map_put(&frame->names, map_key(symbol->name), symbol);
}
