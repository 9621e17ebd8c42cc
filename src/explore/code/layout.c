/* Where each slot lies in a packed state, and in how many bits. */
#include "explore/code/layout.h"

#include "base/debug.h"

#include <assert.h>

enum { WORD_BITS = 64, WORD_SIZE = 8, NARROW_BITS = 6 };

uint64_t *layout_state(const struct layout *layout, struct arena *arena) {
    size_t count = (size_t)layout->word_count + 1;
    uint64_t *state =
        arena ? ARENA_ARRAY(arena, uint64_t, count) : heap_resize(NULL, count, sizeof *state);
    memcpy(state, layout->initial, layout->word_count * sizeof *state);
    return state;
}

struct guess guess_declared(const struct slot *slot) {
    return (struct guess){slot->lower, slot->upper, slot->is_meta};
}

static uint32_t bits_of(int64_t lower, int64_t upper) {
    assert(lower <= upper);
    uint32_t bits = 0;
    while (((upper - lower) >> bits) != 0) bits++;
    return bits;
}

void guess_widen(struct guess *guess, const struct slot *slot, int32_t value) {
    assert(slot->lower <= value && value <= slot->upper);
    assert(slot->lower <= guess->lower && guess->upper <= slot->upper);
    bool was_transient = guess->is_transient && !slot->is_meta;
    guess->is_transient = slot->is_meta;
    if (was_transient && value >= guess->lower && value <= guess->upper) return;
    if (bits_of(slot->lower, slot->upper) <= NARROW_BITS) {
        *guess = guess_declared(slot);
        return;
    }
    int64_t lower = guess->lower, upper = guess->upper;
    if (value < lower) lower = value;
    if (value > upper) upper = value;
    int64_t spare = ((int64_t)1 << (bits_of(lower, upper) + 1)) - (upper - lower + 1);
    if (value <= guess->lower)
        lower -= spare;
    else
        upper += spare;
    guess->lower = lower < slot->lower ? slot->lower : (int32_t)lower;
    guess->upper = upper > slot->upper ? slot->upper : (int32_t)upper;
    assert(guess->lower <= value && value <= guess->upper);
}

/* Places fields word by word, first fit. */
struct packer {
    struct layout *layout;
    struct arena *arena;
    VEC(uint32_t) used; /* bits, by word */
    uint32_t first;     /* word of this part */
};

static void place(struct packer *packer, uint32_t index, int64_t lower, int64_t upper) {
    struct packed *field = &packer->layout->fields[index];
    uint32_t bits = bits_of(lower, upper), word = packer->first;
    assert(bits <= 32);
    field->lower = (int32_t)lower;
    field->mask = ((uint64_t)1 << bits) - 1;
    if (!bits) return;
    uint32_t tail = packer->used.count > packer->first + 2 ? packer->used.count - 2 : packer->first;
    for (word = tail; word < packer->used.count; word++)
        if (packer->used.items[word] + bits <= WORD_BITS) break;
    if (word == packer->used.count) VEC_PUSH(packer->arena, &packer->used, 0);
    field->word = word;
    field->shift = packer->used.items[word];
    packer->used.items[word] += bits;
    assert(field->shift + bits <= WORD_BITS);
}

static void place_slot(struct packer *packer, uint32_t index, const struct guess *guess,
                       bool is_scratch) {
    const struct slot *slot = &packer->layout->network->slots[index];
    if (guess->is_transient != is_scratch) return;
    int32_t lower = guess->lower < slot->initial ? guess->lower : slot->initial;
    int32_t upper = guess->upper > slot->initial ? guess->upper : slot->initial;
    packer->layout->fields[index].is_scratch = is_scratch;
    place(packer, index, lower, upper);
}

/* Globals, then process by process its location and its own slots, so that what one step touches
 * is near. */
static void place_stored(struct packer *packer, const struct guess *guesses) {
    const struct network *network = packer->layout->network;
    uint32_t slot = 0;
    for (; slot < network->slot_count && !network->slots[slot].process; slot++)
        place_slot(packer, slot, &guesses[slot], false);
    for (uint32_t p = 0; p < network->process_count; p++) {
        uint32_t count = network->processes[p].template->location_count;
        place(packer, layout_location(packer->layout, p), 0, (int64_t)count - 1);
        for (; slot < network->slot_count && network->slots[slot].process == &network->processes[p];
             slot++)
            place_slot(packer, slot, &guesses[slot], false);
    }
    for (; slot < network->slot_count; slot++) place_slot(packer, slot, &guesses[slot], false);
}

static void measure(struct packer *packer) {
    struct layout *layout = packer->layout;
    layout->stored_words = packer->used.count;
    if (!layout->stored_words) {
        VEC_PUSH(packer->arena, &packer->used, 0);
        layout->stored_words = 1;
    }
    uint32_t last = packer->used.items[layout->stored_words - 1];
    layout->stored_bytes = (layout->stored_words - 1) * WORD_SIZE + (last + 7) / 8 + !last;
    for (uint32_t i = 0; i < layout->stored_words; i++)
        layout->stored_bits += packer->used.items[i];
}

static void list_by_word(struct layout *layout, struct arena *arena) {
    uint32_t *end = ARENA_ARRAY(arena, uint32_t, layout->word_count + 2);
    layout->by_word = ARENA_ARRAY(arena, uint32_t, layout->field_count + 1);
    layout->first_of = end;
    for (uint32_t f = 0; f < layout->field_count; f++)
        if (layout->fields[f].mask) end[layout->fields[f].word + 2]++;
    for (uint32_t w = 0; w < layout->word_count; w++) end[w + 2] += end[w + 1];
    for (uint32_t f = 0; f < layout->field_count; f++)
        if (layout->fields[f].mask) layout->by_word[end[layout->fields[f].word + 1]++] = f;
}

static void init_words(struct layout *layout, struct arena *arena) {
    const struct network *network = layout->network;
    layout->initial = ARENA_ARRAY(arena, uint64_t, layout->word_count + 1);
    layout->scratch = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct packed *field = &layout->fields[i];
        if (field->is_scratch) layout->scratch[layout->scratch_count++] = i;
        field_set(field, layout->initial, network->slots[i].initial);
        assert(field_get(field, layout->initial) == network->slots[i].initial);
    }
    for (uint32_t p = 0; p < network->process_count; p++)
        field_set(&layout->fields[layout_location(layout, p)], layout->initial,
                  (int32_t)network->processes[p].template->initial);
}

/* That a layout is as layout.h says: every field in one word, in bits of its own. */
static void layout_check(const struct layout *layout, struct arena *arena) {
    uint64_t *taken = ARENA_ARRAY(arena, uint64_t, layout->word_count + 1);
    for (uint32_t f = 0; f < layout->field_count; f++) {
        const struct packed *field = &layout->fields[f];
        uint64_t bits = field->mask << field->shift;
        assert(!(field->mask & (field->mask + 1)) && bits >> field->shift == field->mask);
        assert(field->word < layout->word_count && !(taken[field->word] & bits));
        assert(!bits || field->is_scratch == (field->word >= layout->stored_words));
        taken[field->word] |= bits;
    }
}

struct layout *layout_new(struct arena *arena, const struct network *network,
                          const struct guess *guesses) {
    struct layout *layout = ARENA_NEW(arena, struct layout);
    layout->network = network;
    layout->field_count = network->slot_count + network->process_count;
    layout->fields = ARENA_ARRAY(arena, struct packed, layout->field_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        layout->fields[i].declared_lower = slot->lower;
        layout->fields[i].declared_upper = slot->upper;
        layout->fields[i].is_bool = slot->is_bool;
    }
    struct packer packer = {.layout = layout, .arena = arena};
    place_stored(&packer, guesses);
    measure(&packer);
    packer.first = packer.used.count;
    for (uint32_t i = 0; i < network->slot_count; i++) place_slot(&packer, i, &guesses[i], true);
    layout->word_count = packer.used.count;
    list_by_word(layout, arena);
    init_words(layout, arena);
    assert(layout->stored_words && layout->stored_words <= layout->word_count);
    assert(layout->stored_bytes <= layout->stored_words * WORD_SIZE);
    DEBUG_CHECK(layout_check(layout, arena));
    DEBUG_LOG("a state takes %u bits in %u words; %u slots are scratch", layout->stored_bits,
              layout->stored_words, layout->scratch_count);
    return layout;
}
