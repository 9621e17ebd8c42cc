/* Open addressing, at most half full. */
#include "base/index.h"

#include <assert.h>
#include <string.h>

enum { FIRST_ENTRIES = 16 };

static void enter(struct index *index, struct index_entry entry) {
    size_t at = entry.hash, mask = index->capacity - 1;
    while (index->entries[at & mask].number) at++;
    index->entries[at & mask] = entry;
}

static bool grow(struct index *index) {
    struct index wide = *index;
    wide.capacity = index->capacity ? index->capacity * 2 : FIRST_ENTRIES;
    wide.entries = memory_resize(&index->memory, NULL, 0, wide.capacity * sizeof *wide.entries);
    if (!wide.entries) return false;
    memset(wide.entries, 0, wide.capacity * sizeof *wide.entries);
    for (size_t i = 0; i < index->capacity; i++)
        if (index->entries[i].number) enter(&wide, index->entries[i]);
    index_close(index);
    *index = wide;
    return true;
}

bool index_add(struct index *index, uint64_t hash, uint32_t number) {
    assert(number < UINT32_MAX);
    if ((index->count + 1) * 2 > index->capacity && !grow(index)) return false;
    enter(index, (struct index_entry){index_begin(hash).hash, number + 1});
    index->count++;
    return true;
}

void index_clear(struct index *index) {
    if (index->count) memset(index->entries, 0, index->capacity * sizeof *index->entries);
    index->count = 0;
}

/* Gives its memory back; it is empty then. */
void index_close(struct index *index) {
    memory_resize(&index->memory, index->entries, index->capacity * sizeof *index->entries, 0);
    *index = (struct index){.memory = index->memory};
}
