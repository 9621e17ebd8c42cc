#include "base/source.h"

#include <assert.h>

void source_init(struct source *source, struct arena *arena, const char *name) {
    *source = (struct source){.name = name, .arena = arena, .next = 1};
}

position source_add(struct source *source, size_t size, struct place place, size_t byte,
                    const char *content) {
    assert(size < UINT32_MAX - source->next); /* inputs are bounded far below this */
    position begin = source->next;
    source->next += (position)size;
    VEC_PUSH(source->arena, &source->pieces,
             (struct piece){begin, place.line, place.column, byte, content, false});
    return begin;
}

void source_extend(struct source *source, size_t size) {
    assert(source->pieces.count && size < UINT32_MAX - source->next);
    source->next += (position)size;
}

const struct piece *source_piece(const struct source *source, position at) {
    uint32_t low = 0, high = source->pieces.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (source->pieces.items[middle].begin <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &source->pieces.items[low - 1] : NULL;
}

struct place source_locate(const struct source *source, position at) {
    const struct piece *piece = at ? source_piece(source, at) : NULL;
    if (!piece) return (struct place){0, 0};
    uint32_t column = piece->column;
    if (piece->content)
        for (position i = 0; i < at - piece->begin && piece->content[i]; i++)
            column += ((unsigned char)piece->content[i + 1] & 0xC0) != 0x80;
    return (struct place){piece->line, column};
}
