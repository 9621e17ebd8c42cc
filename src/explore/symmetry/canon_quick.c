/* Chunks of neighbouring cells, and tables of what each of their values says and goes to. */
#include "explore/symmetry/canon_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BITS = 6,          /* unless one cell alone has more, */
    MOST_BITS = 12,          /* at most so many */
    MOST_SUMS = 1 << 18,     /* bytes of sums, */
    MOST_IMAGES = 1 << 21,   /* and of images of a worker */
    MOST_COMPARISONS = 15,   /* of elements of one block */
    MOST_PERMUTATIONS = 720, /* that are numbered, */
    MOST_TRIED = 24,         /* and that are tried for one state */
    USES_BEFORE_IMAGES = 20, /* of a permutation */
    NO_PERMUTATION = UINT16_MAX
};

/* Bits of a colour, from the highest on: what the element's own cells hold, room for the sum of
 * many looks, and looks. So a step changes the order of few elements, and the same states come
 * again. */
enum { COLOUR_BITS = 64, LOOK_BITS = 32, OWN_SHIFT = 38 };

/* Bits of a word: whole cells, and perhaps others between them. */
struct canon_chunk {
    uint32_t word, shift;
    uint32_t mask;  /* of its cells, before the shift */
    uint32_t first; /* entry of the value 0 */
};

struct colour_pair {
    uint32_t left, right; /* elements of a block, the left one first */
    uint32_t exchange;    /* the permutation that exchanges the two */
};

struct canon_quick {
    struct canon_chunk *chunks;
    uint32_t chunk_count, entry_count, elements, words;
    uint16_t *chunk_at;  /* by bit of a state: the chunk of its cell */
    uint64_t *sums;      /* by entry and element; cells as they are initially add nothing */
    uint64_t *blocks;    /* by element: its first colour */
    uint8_t *own_shifts; /* by cell that belongs to one element and names none: where its bits begin
                            in a colour, or 0 */
    /* Or none of these, where there are too many permutations: */
    struct colour_pair *comparisons;
    uint32_t comparison_count;
    uint16_t
        *ranks; /* by comparisons, a bit each, set where the left one has more: a permutation */
    uint32_t *targets; /* by permutation and element; that of number 0 moves nothing */
    uint32_t *bits;    /* by permutation: the comparisons that have its number as rank */
    uint32_t permutation_count;
};

/* ---- chunks ---- */

static bool find_chunks(struct arena *arena, const struct canon *canon, struct canon_quick *quick) {
    quick->chunks = ARENA_ARRAY(arena, struct canon_chunk, canon->count + 1);
    quick->chunk_at = ARENA_ARRAY(arena, uint16_t, (size_t)quick->words * 64 + 1);
    for (uint32_t word = 0; word < quick->words; word++) {
        struct canon_chunk *chunk = NULL;
        for (uint32_t bit = 0; bit < 64;) {
            if (!(canon->mask[word] >> bit & 1)) {
                bit++;
                continue;
            }
            const struct packed *field = &canon->cells[canon->place_at[word * 64 + bit]].field;
            uint32_t width = (uint32_t)__builtin_popcountll(field->mask);
            assert(field->shift == bit && field->word == word);
            if (width > MOST_BITS || quick->chunk_count == UINT16_MAX) return false;
            if (!chunk || bit + width - chunk->shift > CHUNK_BITS) {
                chunk = &quick->chunks[quick->chunk_count++];
                *chunk = (struct canon_chunk){.word = word, .shift = bit};
            }
            for (uint32_t i = 0; i < width; i++)
                quick->chunk_at[word * 64 + bit + i] = (uint16_t)(quick->chunk_count - 1);
            bit += width;
            chunk->mask |= (uint32_t)(field->mask << (field->shift - chunk->shift));
        }
    }
    for (uint32_t i = 0; i < quick->chunk_count; i++) {
        uint64_t mask = quick->chunks[i].mask;
        quick->chunks[i].first = quick->entry_count;
        quick->entry_count += 1U << (64 - (uint32_t)__builtin_clzll(mask));
    }
    return (uint64_t)quick->entry_count * quick->elements * sizeof(uint64_t) <= MOST_SUMS;
}

/* Where an entry of a table is made up, and of what. */
struct entry {
    const struct canon *canon;
    const uint64_t *blocks;
    const uint8_t *own_shifts;
    const uint32_t *target;
    uint64_t *row;
};

typedef void use_cell(const struct entry *entry, const struct canon_cell *cell, uint64_t code);

static const struct canon_cell *cell_in(const struct canon *canon, const struct canon_chunk *chunk,
                                        uint64_t bits) {
    uint32_t bit = chunk->shift + (uint32_t)__builtin_ctzll(bits);
    return &canon->cells[canon->place_at[chunk->word * 64 + bit]];
}

/* The bits of a cell in a chunk. */
static uint64_t bits_in(const struct canon_chunk *chunk, const struct canon_cell *cell) {
    return cell->field.mask << (cell->field.shift - chunk->shift);
}

/* Calls back for each cell of a chunk that is not as it is initially. */
static void each_cell(const struct entry *entry, const struct canon_chunk *chunk, uint64_t value,
                      use_cell *use) {
    for (uint64_t rest = chunk->mask; rest;) {
        const struct canon_cell *cell = cell_in(entry->canon, chunk, rest);
        uint64_t code = value >> (cell->field.shift - chunk->shift) & cell->field.mask;
        rest &= ~bits_in(chunk, cell);
        int64_t number = (int64_t)code + cell->field.lower;
        if (cell->naming && number > cell->field.declared_upper) continue; /* in no state */
        if (code != cell->initial) use(entry, cell, code);
    }
}

/* The row of two parts of a value: what each of them alone is more than the row of 0. */
static void join_rows(uint64_t *row, const uint64_t *left, const uint64_t *right,
                      const uint64_t *none, uint32_t width, bool is_sum) {
    for (uint32_t k = 0; k < width; k++)
        row[k] = is_sum ? left[k] + right[k] - none[k] : left[k] ^ right[k] ^ none[k];
}

/* Fills a table of zeros, by sums or by exclusive or; entries of values that no state has may be
 * anything. */
static void fill(const struct canon_quick *quick, struct entry entry, uint64_t *table,
                 uint32_t width, bool is_sum, use_cell *use) {
    for (uint32_t i = 0; i < quick->chunk_count; i++) {
        const struct canon_chunk *chunk = &quick->chunks[i];
        uint32_t end = i + 1 < quick->chunk_count ? quick->chunks[i + 1].first : quick->entry_count;
        uint64_t *rows = table + (size_t)chunk->first * width;
        for (uint64_t value = 0; value < end - chunk->first; value++) {
            uint64_t first = 0; /* its lowest cell that is not 0 */
            if (value & ~chunk->mask) continue;
            if (value) first = value & bits_in(chunk, cell_in(entry.canon, chunk, value));
            entry.row = rows + value * width;
            if (value == first)
                each_cell(&entry, chunk, value, use);
            else
                join_rows(entry.row, rows + first * width, rows + (value & ~first) * width, rows,
                          width, is_sum);
        }
    }
}

/* ---- sums ---- */

static void choose_own_bits(struct arena *arena, const struct canon *canon,
                            struct canon_quick *quick) {
    uint32_t end = COLOUR_BITS;
    quick->own_shifts = ARENA_ARRAY(arena, uint8_t, canon->count + 1);
    for (uint32_t i = 0; i < canon->count; i++) {
        const struct canon_cell *cell = &canon->cells[i];
        const struct symmetry_block *block = &canon->symmetry->blocks[0];
        uint32_t width = (uint32_t)__builtin_popcountll(cell->field.mask);
        if (cell->coordinate_count != 1 || cell->naming) continue;
        block += canon->symmetry->block_of[cell->coordinates[0]];
        if (cell->coordinates[0] != block->first || end - OWN_SHIFT < width) continue;
        end -= width;
        for (uint32_t k = 0; k < block->count; k++)
            if (cell->places[k] != NO_SLOT) quick->own_shifts[cell->places[k]] = (uint8_t)end;
    }
}

static void add_look(const struct entry *entry, const struct canon_cell *cell, uint64_t code) {
    uint64_t looks[QUICK_MAX_ELEMENTS] = {0};
    uint32_t shift = entry->own_shifts[cell - entry->canon->cells];
    canon_add_look(cell, code, canon_name(cell, code), entry->blocks, looks);
    for (uint32_t k = 0; k < entry->canon->symmetry->element_count; k++)
        entry->row[k] += looks[k] & ((UINT64_C(1) << LOOK_BITS) - 1);
    if (shift) entry->row[cell->coordinates[0]] += (code - cell->initial) << shift;
}

static void fill_sums(struct arena *arena, const struct canon *canon, struct canon_quick *quick) {
    choose_own_bits(arena, canon, quick);
    struct entry entry = {.canon = canon, .blocks = quick->blocks, .own_shifts = quick->own_shifts};
    quick->sums = ARENA_ARRAY(arena, uint64_t, (size_t)quick->entry_count * quick->elements + 1);
    fill(quick, entry, quick->sums, quick->elements, true, add_look);
}

/* ---- permutations ---- */

static uint32_t rank_of(const struct canon_quick *quick, const uint32_t *target) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < quick->comparison_count; i++) {
        const struct colour_pair *at = &quick->comparisons[i];
        bits |= (uint32_t)(target[at->left] > target[at->right]) << i;
    }
    return bits;
}

/* Numbers the permutations of the elements of a block, and those of the blocks after it. */
static void number_all(const struct symmetry *symmetry, struct canon_quick *quick, uint32_t block,
                       uint32_t at, uint32_t *target) {
    if (block == symmetry->block_count) {
        assert(quick->permutation_count < symmetry->size);
        uint32_t number = quick->permutation_count++;
        memcpy(quick->targets + (size_t)number * quick->elements, target,
               quick->elements * sizeof *target);
        quick->bits[number] = rank_of(quick, target);
        quick->ranks[quick->bits[number]] = (uint16_t)number;
        return;
    }
    const struct symmetry_block *own = &symmetry->blocks[block];
    if (at == own->count) {
        number_all(symmetry, quick, block + 1, 0, target);
        return;
    }
    for (uint32_t i = 0; i < own->count; i++) {
        uint32_t goal = own->first + i, k = 0;
        while (k < at && target[own->first + k] != goal) k++;
        if (k < at) continue;
        target[own->first + at] = goal;
        number_all(symmetry, quick, block, at + 1, target);
    }
}

static void find_exchanges(struct canon_quick *quick) {
    uint32_t target[QUICK_MAX_ELEMENTS];
    for (uint32_t i = 0; i < quick->comparison_count; i++) {
        struct colour_pair *at = &quick->comparisons[i];
        for (uint32_t k = 0; k < quick->elements; k++) target[k] = k;
        target[at->left] = at->right;
        target[at->right] = at->left;
        at->exchange = quick->ranks[rank_of(quick, target)];
        assert(at->exchange && at->exchange < quick->permutation_count);
    }
}

static void number_permutations(struct arena *arena, const struct symmetry *symmetry,
                                struct canon_quick *quick) {
    uint32_t comparisons = 0, target[QUICK_MAX_ELEMENTS];
    size_t images = (size_t)quick->entry_count * quick->words * sizeof(uint64_t);
    for (uint32_t b = 0; b < symmetry->block_count; b++)
        comparisons += symmetry->blocks[b].count * (symmetry->blocks[b].count - 1) / 2;
    if (comparisons > MOST_COMPARISONS || symmetry->size > MOST_PERMUTATIONS ||
        images * symmetry->size > MOST_IMAGES)
        return;
    quick->comparisons = ARENA_ARRAY(arena, struct colour_pair, comparisons);
    for (uint32_t i = 0; i < quick->elements; i++)
        for (uint32_t k = i + 1; k < quick->elements; k++)
            if (symmetry->block_of[i] == symmetry->block_of[k])
                quick->comparisons[quick->comparison_count++] = (struct colour_pair){i, k, 0};
    assert(quick->comparison_count == comparisons);
    quick->ranks = ARENA_ARRAY(arena, uint16_t, (size_t)1 << comparisons);
    memset(quick->ranks, 0xff, sizeof *quick->ranks << comparisons);
    quick->targets = ARENA_ARRAY(arena, uint32_t, symmetry->size * quick->elements);
    quick->bits = ARENA_ARRAY(arena, uint32_t, symmetry->size);
    number_all(symmetry, quick, 0, 0, target);
    assert(quick->permutation_count == symmetry->size && !quick->ranks[0]);
    find_exchanges(quick);
}

struct canon_quick *canon_quick_new(struct arena *arena, const struct canon *canon) {
    const struct symmetry *symmetry = canon->symmetry;
    struct canon_quick *quick = ARENA_NEW(arena, struct canon_quick);
    quick->elements = symmetry->element_count;
    quick->words = canon->layout->stored_words;
    if (quick->elements > QUICK_MAX_ELEMENTS || !find_chunks(arena, canon, quick)) return NULL;
    quick->blocks = ARENA_ARRAY(arena, uint64_t, quick->elements + 1);
    for (uint32_t i = 0; i < quick->elements; i++) quick->blocks[i] = symmetry->block_of[i];
    fill_sums(arena, canon, quick);
    number_permutations(arena, symmetry, quick);
    return quick;
}

/* ---- images ---- */

void canon_quick_open(struct canon_work *work) {
    const struct canon_quick *quick = work->canon->quick;
    if (!quick || !quick->permutation_count) return;
    size_t count = quick->permutation_count;
    work->images_of = heap_resize(NULL, count, sizeof *work->images_of);
    work->uses = heap_resize(NULL, count, sizeof *work->uses);
    memset(work->images_of, 0, count * sizeof *work->images_of);
    memset(work->uses, 0, count * sizeof *work->uses);
}

void canon_quick_close(struct canon_work *work) {
    const struct canon_quick *quick = work->canon->quick;
    for (uint32_t i = 0; quick && i < quick->permutation_count; i++) free(work->images_of[i]);
    free(work->images_of);
    free(work->uses);
}

/* A row is to be combined with the initial state by exclusive or. */
static void add_image(const struct entry *entry, const struct canon_cell *cell, uint64_t code) {
    const struct canon_cell *goal = canon_goal(entry->canon, cell, entry->target);
    code = canon_code(cell, code, canon_name(cell, code), entry->target);
    entry->row[goal->field.word] ^= (code ^ goal->initial) << goal->field.shift;
}

/* The images of all chunks by a permutation; made when they are asked for first. */
static const uint64_t *images_by(struct canon_work *work, uint32_t permutation) {
    const struct canon_quick *quick = work->canon->quick;
    size_t size = (size_t)quick->entry_count * quick->words;
    assert(permutation < quick->permutation_count);
    uint64_t *images = work->images_of[permutation];
    if (images) return images;
    struct entry entry = {.canon = work->canon,
                          .target = quick->targets + (size_t)permutation * quick->elements};
    images = heap_resize(NULL, size + 1, sizeof *images);
    memset(images, 0, size * sizeof *images);
    fill(quick, entry, images, quick->words, false, add_image);
    work->images_of[permutation] = images;
    return images;
}

static inline uint64_t entry_of(const struct canon_chunk *chunk, const uint64_t *words) {
    return chunk->first + (words[chunk->word] >> chunk->shift & chunk->mask);
}

/* What no permutation changes, and the cells as they are initially. */
static inline uint64_t unmoved(const struct canon *canon, const uint64_t *words, uint32_t word) {
    return canon->initial[word] | (words[word] & ~canon->mask[word]);
}

static void make_long_image(const struct canon *canon, const uint64_t *images,
                            const uint64_t *words, uint64_t *to) {
    const struct canon_quick *quick = canon->quick;
    uint32_t count = quick->words;
    for (uint32_t w = 0; w < count; w++) to[w] = unmoved(canon, words, w);
    for (uint32_t i = 0; i < quick->chunk_count; i++) {
        const uint64_t *row = images + entry_of(&quick->chunks[i], words) * count;
        for (uint32_t w = 0; w < count; w++) to[w] ^= row[w];
    }
}

static void make_short_image(const struct canon *canon, const uint64_t *images,
                             const uint64_t *words, uint64_t *to) {
    const struct canon_quick *quick = canon->quick;
    const struct canon_chunk *end = quick->chunks + quick->chunk_count;
    uint64_t first = unmoved(canon, words, 0), second = unmoved(canon, words, 1);
    for (const struct canon_chunk *chunk = quick->chunks; chunk < end; chunk++) {
        const uint64_t *row = images + entry_of(chunk, words) * 2;
        first ^= row[0];
        second ^= row[1];
    }
    to[0] = first;
    to[1] = second;
}

/* The image of a state. */
static void image_by(struct canon_work *work, uint32_t permutation, const uint64_t *words,
                     uint64_t *to) {
    const uint64_t *images = images_by(work, permutation);
    bool is_short = work->canon->quick->words == 2;
    (is_short ? make_short_image : make_long_image)(work->canon, images, words, to);
}

/* ---- colours ---- */

/* Of a state that differs from the base in a few chunks; to: may be the sums of the base. */
static inline __attribute__((always_inline)) void
add_chunks(const struct canon_work *work, const uint64_t *words, uint32_t count, uint64_t *to) {
    const struct canon *canon = work->canon;
    const struct canon_quick *quick = canon->quick;
    uint64_t sums[QUICK_MAX_ELEMENTS];
    for (uint32_t k = 0; k < count; k++) sums[k] = work->base_sums[k];
    for (uint32_t w = 0; w < quick->words; w++)
        for (uint64_t rest = (words[w] ^ work->base[w]) & canon->mask[w]; rest;) {
            const struct canon_chunk *chunk =
                &quick->chunks[quick->chunk_at[w * 64 + (uint32_t)__builtin_ctzll(rest)]];
            const uint64_t *more = quick->sums + entry_of(chunk, words) * count;
            const uint64_t *less = quick->sums + entry_of(chunk, work->base) * count;
            rest &= ~((uint64_t)chunk->mask << chunk->shift);
            for (uint32_t k = 0; k < count; k++) sums[k] += more[k] - less[k];
        }
    for (uint32_t k = 0; k < count; k++) to[k] = sums[k];
}

/* The colours of a state are the sums of its chunks. */
static void make_colours(const struct canon_work *work, const uint64_t *words, uint64_t *to) {
    uint32_t elements = work->canon->quick->elements;
    switch (elements) {
    case 2: add_chunks(work, words, 2, to); break;
    case 3: add_chunks(work, words, 3, to); break;
    case 4: add_chunks(work, words, 4, to); break;
    case 5: add_chunks(work, words, 5, to); break;
    case 6: add_chunks(work, words, 6, to); break;
    default: add_chunks(work, words, elements, to);
    }
}

void canon_quick_base(struct canon_work *work, const uint64_t *words) {
    make_colours(work, words, work->base_sums);
}

/* ---- the canonical state ---- */

static bool are_twins(struct canon_work *work, uint32_t exchange, const uint64_t *words) {
    image_by(work, exchange, words, work->image);
    return !memcmp(work->image, words, work->canon->quick->words * sizeof *words);
}

/* Whether all elements of one colour are twins; *orders: in how many orders they may be. */
static bool count_orders(struct canon_work *work, const uint64_t *colours, const uint64_t *words,
                         uint64_t *orders) {
    const struct canon_quick *quick = work->canon->quick;
    uint32_t before[QUICK_MAX_ELEMENTS] = {0}; /* of the same colour */
    for (uint32_t i = 0; i < quick->comparison_count; i++) {
        const struct colour_pair *at = &quick->comparisons[i];
        if (colours[at->left] != colours[at->right]) continue;
        if (!before[at->left] && !are_twins(work, at->exchange, words)) return false;
        before[at->right]++;
    }
    for (uint32_t k = 0; k < quick->elements; k++) *orders *= before[k] + 1;
    return true;
}

/* Which comparisons are of two elements of one colour. */
static uint32_t find_equal(const struct canon_work *work) {
    const struct canon_quick *quick = work->canon->quick;
    uint32_t equal = 0;
    for (uint32_t i = 0; i < quick->comparison_count; i++) {
        const struct colour_pair *at = &quick->comparisons[i];
        equal |= (uint32_t)(work->colours[at->left] == work->colours[at->right]) << i;
    }
    return equal;
}

/* The permutation with the least image of those into an order of colours; how many have it is in
 * *orders. */
static uint32_t least_permutation(struct canon_work *work, const uint64_t *words, uint32_t bits,
                                  uint64_t *orders) {
    const struct canon_quick *quick = work->canon->quick;
    size_t size = quick->words * sizeof *words;
    uint32_t equal = find_equal(work), least = NO_PERMUTATION;
    for (uint32_t number = 0; number < quick->permutation_count; number++) {
        if ((quick->bits[number] ^ bits) & ~equal) continue;
        image_by(work, number, words, work->image);
        int compared = least == NO_PERMUTATION ? -1 : memcmp(work->image, work->best, size);
        if (compared < 0) *orders = 0;
        if (compared < 0) memcpy(work->best, work->image, size);
        if (compared < 0) least = number;
        *orders += compared <= 0;
    }
    assert(least != NO_PERMUTATION && *orders);
    return least;
}

/* Whether the elements of each block are in the order of their colours, which all differ. */
static bool is_ordered(const struct canon_work *work) {
    const struct canon_quick *quick = work->canon->quick;
    const uint64_t *colours = work->colours;
    for (uint32_t k = 1; k < quick->elements; k++)
        if (quick->blocks[k - 1] == quick->blocks[k] && colours[k - 1] >= colours[k]) return false;
    return true;
}

/* The permutation into the order of colours; NO_PERMUTATION if there are too many. */
static uint32_t find_permutation(struct canon_work *work, const uint64_t *words, uint64_t *orders) {
    const struct canon_quick *quick = work->canon->quick;
    const uint64_t *colours = work->colours;
    uint32_t bits = 0;
    bool has_equal = false;
    if (is_ordered(work)) return 0;
    for (uint32_t i = 0; i < quick->comparison_count; i++) {
        uint64_t left = colours[quick->comparisons[i].left];
        uint64_t right = colours[quick->comparisons[i].right];
        bits |= (uint32_t)(left > right) << i;
        has_equal |= left == right;
    }
    if (has_equal && !count_orders(work, colours, words, orders)) {
        bool is_short = quick->permutation_count <= MOST_TRIED;
        return is_short ? least_permutation(work, words, bits, orders) : NO_PERMUTATION;
    }
    assert(quick->ranks[bits] < quick->permutation_count);
    return quick->ranks[bits];
}

enum quick_outcome canon_quick_orders(struct canon_work *work, const uint64_t *words,
                                      uint64_t *orders) {
    const struct canon_quick *quick = work->canon->quick;
    *orders = 1;
    make_colours(work, words, work->colours);
    if (quick->permutation_count)
        return find_permutation(work, words, orders) == NO_PERMUTATION ? QUICK_UNKNOWN : QUICK_DONE;
    bool is_known = canon_sort(work, work->colours) == quick->elements;
    return is_known ? QUICK_ORDERED : QUICK_UNKNOWN;
}

enum quick_outcome canon_quick_apply(struct canon_work *work, uint64_t *words) {
    const struct canon_quick *quick = work->canon->quick;
    uint64_t orders = 1;
    if (!quick->permutation_count) return canon_quick_orders(work, words, &orders);
    make_colours(work, words, work->colours);
    uint32_t permutation = find_permutation(work, words, &orders);
    if (permutation == NO_PERMUTATION) return QUICK_UNKNOWN;
    if (!permutation) return QUICK_DONE;
    if (work->uses[permutation] < USES_BEFORE_IMAGES) {
        const uint32_t *target = quick->targets + (size_t)permutation * quick->elements;
        for (uint32_t i = 0; i < quick->elements; i++) work->order[target[i]] = i;
        work->uses[permutation]++;
        return QUICK_ORDERED;
    }
    image_by(work, permutation, words, work->image);
    memcpy(words, work->image, quick->words * sizeof *words);
    return QUICK_DONE;
}
