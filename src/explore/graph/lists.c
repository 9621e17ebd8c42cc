#include "explore/graph/lists.h"

#include <assert.h>
#include <string.h>

static uint64_t hash_of(const char *bytes, size_t size) {
    uint64_t hash = size, word = 0;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = index_mix(hash, word);
    }
    word = 0;
    memcpy(&word, bytes, size);
    return size ? index_mix(hash, word) : hash;
}

bool lists_open(struct lists *lists, struct ledger *ledger, size_t item_size) {
    *lists = (struct lists){
        .ledger = ledger, .item_size = item_size, .index.memory = ledger_memory(ledger)};
    return lists_number(lists, "", 0) == 0;
}

void lists_close(struct lists *lists) {
    LEDGER_GIVE(lists->ledger, lists->items, lists->first);
    index_close(&lists->index);
    *lists = (struct lists){.ledger = lists->ledger};
}

bool lists_add(struct lists *lists, const void *items, uint32_t count) {
    uint64_t end = lists->first ? lists->first[lists->count] : 0;
    if (lists->count == LISTS_FULL - 1) lists->ledger->limit = LIMIT_MEMORY;
    if (!LEDGER_ROOM(lists->ledger, lists->items, (end + count + 1) * lists->item_size) ||
        !LEDGER_ROOM_ZEROED(lists->ledger, lists->first, (size_t)lists->count + 2))
        return false;
    if (count) memcpy(lists->items + end * lists->item_size, items, count * lists->item_size);
    lists->first[++lists->count] = end + count;
    return true;
}

uint32_t lists_number(struct lists *lists, const void *items, uint32_t count) {
    size_t size = count * lists->item_size;
    assert(items || !count);
    if (!count) items = ""; /* it may be NULL then, which memcmp does not take */
    uint64_t hash = hash_of(items, size);
    uint32_t known;
    for (struct index_probe probe = index_begin(hash); index_next(&lists->index, &probe);) {
        const void *other = lists_items(lists, probe.number, &known);
        if (known == count && !memcmp(other, items, size)) return probe.number;
    }
    if (!lists_add(lists, items, count)) return LISTS_FULL;
    return index_add(&lists->index, hash, lists->count - 1) ? lists->count - 1 : LISTS_FULL;
}
