#include "xml/byte_map.h"

#include "xml/encoding.h"

#include <assert.h>

enum { MARK_DISTANCE = 128 };

/* The place of the character after the one at a byte, and its offset: as Expat counts. */
static size_t advance(const struct document *file, size_t byte, struct source_location *place) {
    size_t unit = encoding_unit(file);
    uint32_t now = encoding_unit_at(file, byte);
    assert(byte < file->bytes.size); /* there is a character */
    byte += unit;
    if (now == '\r' && encoding_unit_at(file, byte) == '\n') byte += unit;
    if (now == '\r' || now == '\n') {
        *place = (struct source_location){place->line + 1, 1};
        return byte;
    }
    if (unit == 2 && now >= 0xD800 && now < 0xDC00) byte += 2;
    if (unit == 1 && !file->is_single_byte)
        while ((encoding_unit_at(file, byte) & 0xC0) == 0x80) byte++;
    place->column++;
    return byte;
}

static void add_marks(struct byte_map *map) {
    struct source_location place = {1, 1};
    size_t marked = 0;
    VEC_PUSH(map->arena, &map->marks, (struct byte_mark){0, place});
    for (size_t byte = 0; byte < map->file.bytes.size;) {
        byte = advance(&map->file, byte, &place);
        if (place.column > 1 && byte - marked < MARK_DISTANCE) continue;
        marked = byte;
        VEC_PUSH(map->arena, &map->marks, (struct byte_mark){byte, place});
    }
}

struct byte_map *byte_map_new(struct arena *arena, const struct document *document) {
    struct byte_map *map = ARENA_NEW(arena, struct byte_map);
    *map = (struct byte_map){.arena = arena, .file = *document};
    if (document->byte_map) {
        map->file = document->byte_map->file;
        memcpy(&map->marks, &document->byte_map->marks, sizeof map->marks);
    } else {
        add_marks(map);
    }
    return map;
}

static void add_run(struct byte_map *map, size_t begin, size_t from, bool is_copied) {
    assert(!map->runs.count || map->runs.items[map->runs.count - 1].begin < begin);
    VEC_PUSH(map->arena, &map->runs, (struct byte_run){begin, from, is_copied});
}

void byte_map_copy(struct byte_map *map, const struct document *document, size_t begin, size_t from,
                   size_t end) {
    assert(from <= end && end <= document->bytes.size);
    if (!document->byte_map && from < end) add_run(map, begin, from, true);
    while (document->byte_map && from < end) {
        size_t run_end;
        const struct byte_run *run = byte_map_find(document->byte_map, from, &run_end);
        add_run(map, begin, run->is_copied ? run->from + (from - run->begin) : run->from,
                run->is_copied);
        if (run_end > end) run_end = end;
        begin += run_end - from;
        from = run_end;
    }
}

void byte_map_insert(struct byte_map *map, const struct document *document, size_t begin,
                     size_t at) {
    assert(at <= document->bytes.size);
    if (document->byte_map) {
        size_t run_end;
        const struct byte_run *run = byte_map_find(document->byte_map, at, &run_end);
        at = run->is_copied ? run->from + (at - run->begin) : run->from;
    }
    add_run(map, begin, at, false);
}

struct str document_file_bytes(const struct document *document) {
    return document->byte_map ? document->byte_map->file.bytes : document->bytes;
}

const struct byte_run *byte_map_find(const struct byte_map *map, size_t byte, size_t *end) {
    uint32_t low = 0, high = map->runs.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->runs.items[middle].begin <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low);
    *end = low < map->runs.count ? map->runs.items[low].begin : SIZE_MAX;
    return &map->runs.items[low - 1];
}

struct source_location byte_map_place(const struct byte_map *map, size_t byte) {
    size_t end;
    const struct byte_run *run = byte_map_find(map, byte, &end);
    byte = run->is_copied ? run->from + (byte - run->begin) : run->from;
    uint32_t low = 0, high = map->marks.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->marks.items[middle].byte <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low && map->marks.items[low - 1].byte <= byte);
    struct source_location place = map->marks.items[low - 1].place;
    for (size_t at = map->marks.items[low - 1].byte; at < byte;)
        at = advance(&map->file, at, &place);
    return place;
}
