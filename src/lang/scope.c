#include "lang/scope.h"

struct frame *frame_new(struct arena *arena, struct frame *outer) {
    struct frame *frame = ARENA_NEW(arena, struct frame);
    frame->outer = outer;
    map_init(&frame->names, arena);
    return frame;
}

struct symbol *frame_find_here(const struct frame *frame, const char *name) {
    return map_get(&frame->names, map_key(name));
}

struct symbol *frame_find(const struct frame *frame, const char *name) {
    struct symbol *symbol = NULL;
    for (; frame && !symbol; frame = frame->outer) symbol = frame_find_here(frame, name);
    return symbol;
}

void frame_declare(struct frame *frame, struct symbol *symbol) {
    map_put(&frame->names, map_key(symbol->name), symbol);
}
