#include "base/source.h"

#include <assert.h>
#include <string.h>

/* Borrows the name of the file; no line is known yet. */
void source_init(struct source *source, struct arena *arena, const char *name) {
    *source = (struct source){.name = name, .arena = arena, .next = 1};
}

position source_add(struct source *source, size_t size, struct source_location place, size_t byte,
                    const char *content) {
    assert(size < UINT32_MAX - source->next); /* inputs are bounded far below this */
    position begin = source->next;
    assert(begin); /* position 0 is the file as a whole */
    source->next += (position)size;
    VEC_PUSH(source->arena, &source->pieces,
             (struct piece){.begin = begin,
                            .line = place.line,
                            .column = place.column,
                            .byte = byte,
                            .content = content});
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

position source_add_text(struct source *source, const char *name, struct str text) {
    position begin = source->next;
    size_t from = 0;
    for (uint32_t line = 1; line == 1 || from < text.size; line++) {
        const char *content = text.data + from;
        const char *end = memchr(content, '\n', text.size - from);
        size_t size = end ? (size_t)(end - content) + 1 : text.size - from;
        source_add(source, size, (struct source_location){line, 1}, from, content);
        source->pieces.items[source->pieces.count - 1].name = name;
        from += size;
    }
    source_extend(source, 1); /* the end is a place, too */
    return begin;
}

const char *source_name(const struct source *source, position at) {
    const struct piece *piece = at ? source_piece(source, at) : NULL;
    return piece && piece->name ? piece->name : source->name;
}

struct source_location source_locate(const struct source *source, position at) {
    const struct piece *piece = at ? source_piece(source, at) : NULL;
    if (!piece) return (struct source_location){0, 0};
    uint32_t column = piece->column;
    if (piece->content && !piece->is_inserted)
        for (position i = 0; i < at - piece->begin && piece->content[i]; i++)
            column += ((unsigned char)piece->content[i + 1] & 0xC0) != 0x80;
    return (struct source_location){piece->line, column};
}
