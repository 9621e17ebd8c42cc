/* See canon.h. */
#include "explore/symmetry/canon_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

uint32_t canon_name(const struct canon_cell *cell, uint64_t code) {
    const struct symmetry_naming *naming = cell->naming;
    if (!naming) return NO_ELEMENT;
    int64_t number = (int64_t)code + cell->field.lower - naming->lower;
    return number >= 0 && number < (int64_t)naming->count ? naming->elements[number] : NO_ELEMENT;
}

void canon_add_look(const struct canon_cell *cell, uint64_t code, uint32_t name,
                    const uint64_t *colours, uint64_t *sums) {
    uint64_t look = name == NO_ELEMENT
                        ? canon_mix(cell->salt * (code + 1))
                        : canon_mix(cell->salt ^ (colours[name] + UINT64_C(0x5851F42D4C957F2D)));
    if (cell->coordinate_count == 1 && name == NO_ELEMENT) {
        sums[cell->coordinates[0]] += look;
        return;
    }
    for (uint32_t i = 0; name != NO_ELEMENT && i < cell->coordinate_count; i++)
        if (cell->coordinates[i] == name) look = canon_mix(look + i + 1);
    for (uint32_t k = 0; k < cell->coordinate_count; k++)
        look = canon_mix(look ^ colours[cell->coordinates[k]]);
    for (uint32_t k = 0; k < cell->coordinate_count; k++)
        sums[cell->coordinates[k]] += canon_mix(look + k + 1);
    if (name != NO_ELEMENT) sums[name] += canon_mix(look ^ UINT64_C(0x14057B7EF767814F));
}

const struct canon_cell *canon_goal(const struct canon *canon, const struct canon_cell *cell,
                                    const uint32_t *target) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < cell->coordinate_count; i++)
        sum += target[cell->coordinates[i]] * cell->strides[i];
    assert(cell->places[sum - cell->base] != NO_SLOT);
    return &canon->cells[cell->places[sum - cell->base]];
}

uint64_t canon_code(const struct canon_cell *cell, uint64_t code, uint32_t name,
                    const uint32_t *target) {
    if (name != NO_ELEMENT)
        code = (uint64_t)(cell->naming->values[target[name]] - cell->field.lower);
    assert(code <= cell->field.mask);
    return code;
}

/* ---- preparation ---- */

static bool is_changed(const struct symmetry_cell *cell, const struct packed *field) {
    if (!cell->coordinate_count && cell->naming == NO_ELEMENT) return false;
    return field->mask && !field->is_scratch;
}

static void fill_cell(const struct canon *canon, struct canon_cell *cell,
                      const struct symmetry_cell *from, const struct packed *field) {
    const struct symmetry *symmetry = canon->symmetry;
    const struct symmetry_family *family = &symmetry->families[from->family];
    uint32_t stride = 1;
    *cell = (struct canon_cell){.field = *field,
                                .salt = canon_mix((uint64_t)from->family * 2 + 1) | 1,
                                .coordinate_count = from->coordinate_count};
    for (uint32_t i = from->coordinate_count; i-- > 0;) {
        const struct symmetry_block *block = &symmetry->blocks[family->blocks[i]];
        cell->coordinates[i] = from->coordinates[i];
        cell->strides[i] = stride;
        cell->base += stride * block->first;
        stride *= block->count;
    }
    if (from->naming != NO_ELEMENT) cell->naming = &symmetry->namings[from->naming];
    cell->initial = canon->layout->initial[field->word] >> field->shift & field->mask;
}

/* The cells of each family by place; cells of the symmetry have numbers in number_of. */
static void fill_places(struct arena *arena, struct canon *canon, const uint32_t *index_of,
                        const uint32_t *number_of) {
    const struct symmetry *symmetry = canon->symmetry;
    const uint32_t **places = ARENA_ARRAY(arena, const uint32_t *, symmetry->family_count + 1);
    for (uint32_t i = 0; i < canon->count; i++) {
        const struct symmetry_cell *from = &symmetry->cells[index_of[i]];
        const struct symmetry_family *family = &symmetry->families[from->family];
        uint32_t size = 1;
        for (uint32_t k = 0; k < family->coordinate_count; k++)
            size *= symmetry->blocks[family->blocks[k]].count;
        if (!places[from->family]) {
            uint32_t *own = ARENA_ARRAY(arena, uint32_t, size);
            for (uint32_t k = 0; k < size; k++)
                own[k] = family->cells[k] == NO_SLOT ? NO_SLOT : number_of[family->cells[k]];
            places[from->family] = own;
        }
        canon->cells[i].places = places[from->family];
    }
}

struct canon *canon_new(struct arena *arena, const struct layout *layout,
                        const struct symmetry *symmetry) {
    struct canon *canon = ARENA_NEW(arena, struct canon);
    uint32_t words = layout->stored_words;
    uint32_t *number_of = ARENA_ARRAY(arena, uint32_t, symmetry->cell_count + 1);
    uint32_t *index_of = ARENA_ARRAY(arena, uint32_t, symmetry->cell_count + 1);
    canon->symmetry = symmetry;
    canon->layout = layout;
    canon->cells = ARENA_ARRAY(arena, struct canon_cell, symmetry->cell_count + 1);
    canon->initial = ARENA_ARRAY(arena, uint64_t, words + 1);
    canon->mask = ARENA_ARRAY(arena, uint64_t, words + 1);
    canon->place_at = ARENA_ARRAY(arena, uint32_t, (size_t)words * 64 + 1);
    for (uint32_t i = 0; i < symmetry->cell_count; i++) {
        const struct packed *field = &layout->fields[i];
        const struct packed *first =
            &layout->fields[symmetry->families[symmetry->cells[i].family].first];
        assert(field->mask == first->mask && field->is_scratch == first->is_scratch);
        assert(!field->mask || field->lower == first->lower);
        (void)first;
        if (!is_changed(&symmetry->cells[i], field)) continue;
        number_of[i] = canon->count;
        index_of[canon->count] = i;
        fill_cell(canon, &canon->cells[canon->count], &symmetry->cells[i], field);
        canon->mask[field->word] |= field->mask << field->shift;
        for (uint32_t bit = 0; bit < 64 && field->mask >> bit; bit++)
            canon->place_at[field->word * 64 + field->shift + bit] = canon->count;
        canon->count++;
    }
    for (uint32_t i = 0; i < words; i++) canon->initial[i] = layout->initial[i] & canon->mask[i];
    fill_places(arena, canon, index_of, number_of);
    canon->quick = canon_quick_new(arena, canon);
    return canon;
}

void canon_work_init(struct canon_work *work, const struct canon *canon) {
    uint32_t elements = canon->symmetry->element_count + 1, cells = canon->count + 1;
    uint32_t words = canon->layout->stored_words + 1;
    *work = (struct canon_work){.canon = canon};
    work->changed = heap_resize(NULL, cells, sizeof *work->changed);
    work->codes = heap_resize(NULL, cells, sizeof *work->codes);
    work->names = heap_resize(NULL, cells, sizeof *work->names);
    work->image = heap_resize(NULL, words, sizeof *work->image);
    work->best = heap_resize(NULL, words, sizeof *work->best);
    work->base = heap_resize(NULL, words, sizeof *work->base);
    work->base_sums = heap_resize(NULL, elements, sizeof *work->base_sums);
    work->colours =
        heap_resize(NULL, (size_t)elements * (CANON_MAX_DEPTH + 2), sizeof *work->colours);
    work->sums = heap_resize(NULL, elements, sizeof *work->sums);
    work->order = heap_resize(NULL, elements, sizeof *work->order);
    work->target = heap_resize(NULL, elements, sizeof *work->target);
    for (uint32_t i = 0; i < canon->count; i++) {
        work->codes[i] = canon->cells[i].initial;
        work->names[i] = canon_name(&canon->cells[i], work->codes[i]);
    }
    canon_quick_open(work);
    memcpy(work->base, canon->layout->initial, (words - 1) * sizeof *work->base);
    memset(work->base_sums, 0, elements * sizeof *work->base_sums);
}

void canon_work_close(struct canon_work *work) {
    canon_quick_close(work);
    free(work->changed);
    free(work->codes);
    free(work->names);
    free(work->image);
    free(work->best);
    free(work->base);
    free(work->base_sums);
    free(work->colours);
    free(work->sums);
    free(work->order);
    free(work->target);
}

void canon_align(const struct symmetry *symmetry, struct guess *guesses) {
    const struct network *network = symmetry->network;
    uint32_t count = symmetry->family_count;
    struct guess *all = heap_resize(NULL, (size_t)count + 1, sizeof *all);
    bool *is_seen = heap_resize(NULL, (size_t)count + 1, sizeof *is_seen);
    bool *is_fixed = heap_resize(NULL, (size_t)count + 1, sizeof *is_fixed);
    memset(is_seen, 0, ((size_t)count + 1) * sizeof *is_seen);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        uint32_t family = symmetry->cells[i].family;
        struct guess *guess = &all[family];
        bool is_one = guesses[i].lower == guesses[i].upper && !guesses[i].is_transient;
        if (!is_seen[family]) {
            *guess = guesses[i];
            is_fixed[family] = is_one;
        } else {
            if (guesses[i].lower < guess->lower) guess->lower = guesses[i].lower;
            if (guesses[i].upper > guess->upper) guess->upper = guesses[i].upper;
            guess->is_transient &= guesses[i].is_transient;
            is_fixed[family] &= is_one;
        }
        is_seen[family] = true;
    }
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct symmetry_cell *cell = &symmetry->cells[i];
        struct guess *guess = &all[cell->family];
        if (!cell->coordinate_count && cell->naming == NO_ELEMENT) continue;
        if (is_fixed[cell->family]) continue;
        if (cell->naming != NO_ELEMENT) { /* every name of the sort may come in */
            const struct symmetry_naming *naming = &symmetry->namings[cell->naming];
            int64_t lower = naming->lower, upper = naming->lower + naming->count - 1;
            if (lower < guess->lower)
                guess->lower =
                    (int32_t)(lower > network->slots[i].lower ? lower : network->slots[i].lower);
            if (upper > guess->upper)
                guess->upper =
                    (int32_t)(upper < network->slots[i].upper ? upper : network->slots[i].upper);
        }
        guesses[i] = *guess;
    }
    free(all);
    free(is_seen);
    free(is_fixed);
}

/* ---- colours ---- */

static void add_looks(struct canon_work *work, const uint64_t *colours) {
    for (uint32_t i = 0; i < work->changed_count; i++) {
        uint32_t place = work->changed[i];
        canon_add_look(&work->canon->cells[place], work->codes[place], work->names[place], colours,
                       work->sums);
    }
}

uint32_t canon_sort(struct canon_work *work, const uint64_t *colours) {
    const struct symmetry *symmetry = work->canon->symmetry;
    uint32_t different = 0;
    for (uint32_t b = 0; b < symmetry->block_count; b++) {
        const struct symmetry_block *block = &symmetry->blocks[b];
        uint32_t *order = work->order + block->first;
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t element = block->first + i, k = i;
            for (; k && colours[order[k - 1]] > colours[element]; k--) order[k] = order[k - 1];
            order[k] = element;
        }
        for (uint32_t i = 0; i < block->count; i++)
            different += !i || colours[order[i]] != colours[order[i - 1]];
    }
    return different;
}

static bool is_after(const struct canon_work *work, const uint64_t *colours, uint32_t left,
                     uint32_t right) {
    if (colours[left] != colours[right]) return colours[left] > colours[right];
    return work->sums[left] > work->sums[right];
}

/* Orders the elements of a block by their colours, and those of one colour by their sums. */
static void sort_block(struct canon_work *work, const struct symmetry_block *block,
                       const uint64_t *colours) {
    uint32_t *order = work->order + block->first;
    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t element = block->first + i, k = i;
        for (; k && is_after(work, colours, order[k - 1], element); k--) order[k] = order[k - 1];
        order[k] = element;
    }
}

/* One round; returns the number of colours. The colour of an element is the place in the order at
 * which those of its colour begin, so that what is in front of others stays there. */
static uint32_t refine_once(struct canon_work *work, uint64_t *colours) {
    const struct symmetry *symmetry = work->canon->symmetry;
    uint32_t elements = symmetry->element_count, different = 0;
    memset(work->sums, 0, elements * sizeof *work->sums);
    add_looks(work, colours);
    for (uint32_t b = 0; b < symmetry->block_count; b++)
        sort_block(work, &symmetry->blocks[b], colours);
    uint64_t colour = 0, before = 0, sum = 0;
    for (uint32_t i = 0; i < elements; i++) {
        uint32_t element = work->order[i];
        bool is_new = !i || colours[element] != before || work->sums[element] != sum;
        before = colours[element];
        sum = work->sums[element];
        different += is_new;
        colours[element] = colour = is_new ? i : colour;
    }
    return different;
}

/* ---- images ---- */

static uint32_t exchanged(uint32_t element, uint32_t left, uint32_t right) {
    return element == left ? right : element == right ? left : element;
}

/* Whether the exchange of two elements leaves the state as it is. */
static bool are_twins(const struct canon_work *work, uint32_t left, uint32_t right) {
    for (uint32_t i = 0; i < work->changed_count; i++) {
        uint32_t place = work->changed[i], sum = 0, name = work->names[place];
        const struct canon_cell *cell = &work->canon->cells[place];
        bool is_concerned = name == left || name == right;
        for (uint32_t k = 0; k < cell->coordinate_count; k++) {
            uint32_t element = exchanged(cell->coordinates[k], left, right);
            is_concerned |= element != cell->coordinates[k];
            sum += element * cell->strides[k];
        }
        if (!is_concerned) continue;
        uint32_t to = cell->places[sum - cell->base];
        if (name == NO_ELEMENT
                ? work->names[to] != NO_ELEMENT || work->codes[to] != work->codes[place]
                : work->names[to] != exchanged(name, left, right))
            return false;
    }
    return true;
}

/* The image by which elements are in the order of their colours; keeps the least. */
static void try_image(struct canon_work *work, uint64_t choices) {
    const struct canon *canon = work->canon;
    uint32_t *target = work->target, words = canon->layout->stored_words;
    for (uint32_t i = 0; i < canon->symmetry->element_count; i++) target[work->order[i]] = i;
    memcpy(work->image, canon->initial, words * sizeof *work->image);
    for (uint32_t i = 0; i < work->changed_count; i++) {
        uint32_t place = work->changed[i], name = work->names[place];
        const struct canon_cell *cell = &canon->cells[place];
        const struct canon_cell *to = canon_goal(canon, cell, target);
        uint64_t code = canon_code(cell, work->codes[place], name, target);
        work->image[to->field.word] ^= (code ^ to->initial) << to->field.shift;
    }
    work->images++;
    int compared = -1;
    for (uint32_t i = 0; work->has_best && i < words; i++) {
        compared = work->image[i] == work->best[i] ? 0 : work->image[i] < work->best[i] ? -1 : 1;
        if (compared) break;
    }
    if (compared > 0) return;
    work->count = compared ? choices : work->count + choices;
    if (!compared) return;
    memcpy(work->best, work->image, words * sizeof *work->best);
    work->has_best = true;
}

/* ---- choices ---- */

/* Elements of one colour: order[first] and so on. */
struct tie {
    uint32_t first, count;
};

/* The next tie among the elements from a place on. */
static bool find_tie(const struct canon_work *work, const uint64_t *colours, uint32_t from,
                     struct tie *tie) {
    const struct symmetry *symmetry = work->canon->symmetry;
    const uint32_t *order = work->order;
    for (uint32_t i = from; i + 1 < symmetry->element_count; i++) {
        uint32_t block = symmetry->block_of[order[i]], end = i + 1;
        while (end < symmetry->element_count && symmetry->block_of[order[end]] == block &&
               colours[order[end]] == colours[order[i]])
            end++;
        if (end == i + 1) continue;
        *tie = (struct tie){i, end - i};
        return true;
    }
    return false;
}

static bool is_of_twins(const struct canon_work *work, const struct tie *tie) {
    for (uint32_t i = 1; i < tie->count; i++)
        if (!are_twins(work, work->order[tie->first], work->order[tie->first + i])) return false;
    return true;
}

/* Sorts the elements of a tie into groups of twins; returns the number of groups, whose first
 * elements come first, and their sizes. */
static uint32_t group_twins(const struct canon_work *work, const struct tie *tie, uint32_t *members,
                            uint32_t *sizes) {
    uint32_t groups = 0;
    for (uint32_t i = 0; i < tie->count; i++) {
        uint32_t element = work->order[tie->first + i], group = 0;
        while (group < groups && !are_twins(work, members[group], element)) group++;
        if (group < groups) {
            sizes[group]++;
            continue;
        }
        members[groups] = element;
        sizes[groups++] = 1;
    }
    return groups;
}

/* Refines until nothing changes, or only twins have the same colour. False: *tie is one of others,
 * all ties of twins before and after it notwithstanding. */
static bool refine(struct canon_work *work, uint64_t *colours, struct tie *tie) {
    uint32_t elements = work->canon->symmetry->element_count, before = 0, after;
    for (;;) {
        bool is_open = false;
        after = refine_once(work, colours);
        if (after == elements) return true;
        struct tie next;
        for (uint32_t from = 0; !is_open && find_tie(work, colours, from, &next);
             from = next.first + next.count)
            if (!is_of_twins(work, &next)) {
                is_open = true;
                *tie = next;
            }
        if (!is_open) return true;
        if (after == before) return false;
        before = after;
    }
}

/* The number of orders of elements that have the same colour. */
static uint64_t orders_of_twins(const struct canon_work *work, const uint64_t *colours) {
    uint64_t orders = 1;
    struct tie tie;
    for (uint32_t from = 0; find_tie(work, colours, from, &tie); from = tie.first + tie.count)
        for (uint32_t i = 2; i <= tie.count; i++) orders *= i;
    return orders;
}

/* Tries all orders that colours leave open. The first of a tie stays at its place, so no order comes
 * from two choices, and those with the least image are as many as permutations that keep the
 * state. */
static void choose(struct canon_work *work, uint32_t depth, uint64_t choices) {
    enum { MOST = 64 };
    uint32_t elements = work->canon->symmetry->element_count, members[MOST], sizes[MOST];
    uint64_t *colours = work->colours + (size_t)depth * elements, *next = colours + elements;
    struct tie tie;
    if (refine(work, colours, &tie)) {
        try_image(work, choices * orders_of_twins(work, colours));
        return;
    }
    assert(tie.count <= MOST && depth <= CANON_MAX_DEPTH);
    if (depth == CANON_MAX_DEPTH) {
        work->is_full = true;
        try_image(work, choices);
        return;
    }
    uint32_t groups = group_twins(work, &tie, members, sizes);
    assert(groups > 1); /* others than twins */
    for (uint32_t i = 0; i < groups; i++) {
        if (i && work->images >= CANON_MAX_IMAGES) {
            work->is_full = true;
            return;
        }
        for (uint32_t k = 0; k < elements; k++) next[k] = colours[k] + (colours[k] == tie.first);
        next[members[i]] = tie.first;
        choose(work, depth + 1, choices * sizes[i]);
    }
}

static void load(struct canon_work *work, const uint64_t *words) {
    const struct canon *canon = work->canon;
    work->changed_count = 0;
    for (uint32_t i = 0; i < canon->layout->stored_words; i++) {
        uint64_t rest = (words[i] ^ canon->initial[i]) & canon->mask[i];
        while (rest) {
            uint32_t place = canon->place_at[i * 64 + (uint32_t)__builtin_ctzll(rest)];
            const struct canon_cell *cell = &canon->cells[place];
            rest &= ~(cell->field.mask << cell->field.shift);
            assert(work->changed_count < canon->count);
            work->changed[work->changed_count++] = place;
            work->codes[place] = words[i] >> cell->field.shift & cell->field.mask;
            work->names[place] = canon_name(cell, work->codes[place]);
        }
    }
}

static void unload(struct canon_work *work) {
    for (uint32_t i = 0; i < work->changed_count; i++) {
        uint32_t place = work->changed[i];
        const struct canon_cell *cell = &work->canon->cells[place];
        work->codes[place] = cell->initial;
        work->names[place] = canon_name(cell, cell->initial);
    }
}

static void begin(struct canon_work *work, const uint64_t *words) {
    load(work, words);
    work->has_best = work->is_full = false;
    work->images = 0;
    work->count = 0;
}

/* The number of permutations that keep a state; work->best: cells of the canonical one. */
static uint64_t choose_all(struct canon_work *work, const uint64_t *words) {
    const struct symmetry *symmetry = work->canon->symmetry;
    begin(work, words);
    for (uint32_t i = 0; i < symmetry->element_count; i++)
        work->colours[i] = symmetry->blocks[symmetry->block_of[i]].first;
    choose(work, 0, 1);
    assert(work->has_best && work->count);
    unload(work);
    work->is_cut |= work->is_full;
    return work->is_full ? symmetry->size : work->count;
}

uint64_t canon_orbit_size(struct canon_work *work, const uint64_t *words) {
    const struct canon *canon = work->canon;
    uint64_t orders = 1;
    if (!canon->quick || canon_quick_orders(work, words, &orders) == QUICK_UNKNOWN)
        orders = choose_all(work, words);
    assert(canon->symmetry->size % orders == 0);
    return canon->symmetry->size / orders;
}

void canon_base(struct canon_work *work, const uint64_t *words) {
    if (work->canon->quick) canon_quick_base(work, words);
    memcpy(work->base, words, work->canon->layout->stored_words * sizeof *words);
}

void canon_apply(struct canon_work *work, uint64_t *words) {
    const struct canon *canon = work->canon;
    enum quick_outcome outcome = canon->quick ? canon_quick_apply(work, words) : QUICK_UNKNOWN;
    if (outcome == QUICK_DONE) return;
    if (outcome == QUICK_ORDERED) {
        begin(work, words);
        try_image(work, 1);
        unload(work);
    } else {
        choose_all(work, words);
    }
    for (uint32_t i = 0; i < canon->layout->stored_words; i++)
        words[i] = (words[i] & ~canon->mask[i]) | work->best[i];
}
