/* Ties, exchanges that keep what is compared, and the blocks that they make. */
#include "explore/compare/pairs/joint_symmetry.h"

#include "base/vec.h"

#include <assert.h>
#include <string.h>

static const uint64_t max_size = UINT64_C(1) << 62;

/* What is tied: elements of both models, ascending. */
struct tied {
    const uint32_t *members;
    uint32_t count;
};

struct finder {
    struct arena *arena;
    const struct visible *visible;
    const struct symmetry *own[SIDE_COUNT];
    uint32_t first[SIDE_COUNT + 1]; /* element of a side; the number of all */
    uint32_t *parent;               /* by element, towards that which stands for those tied to it */
    bool *is_left_out;              /* by element that stands for others */
    uint32_t *partner[SIDE_COUNT];  /* by cell: that of the other model, NO_SLOT: not compared */
    uint32_t *place[SIDE_COUNT];    /* by process: in those of visible */
    VEC(struct tied) ties;          /* that may change places */
    uint32_t *block_at;             /* by tie: where it is, NO_SLOT = nowhere */
    VEC(struct symmetry_block) blocks;
    VEC(uint32_t) order;  /* ties by element of the blocks */
    uint32_t *element_of; /* by element of a side: that of the blocks, or NO_ELEMENT */
    uint32_t *target;     /* by element of a side, while an exchange is looked at */
};

/* ---- ties ---- */

static uint32_t find(const struct finder *finder, uint32_t element) {
    while (finder->parent[element] != element) element = finder->parent[element];
    return element;
}

static void tie(struct finder *finder, uint32_t left, uint32_t right) {
    uint32_t one = find(finder, left), other = find(finder, right);
    finder->parent[other] = one;
    finder->is_left_out[one] |= finder->is_left_out[other];
}

static void leave_out(struct finder *finder, uint32_t element) {
    finder->is_left_out[find(finder, element)] = true;
}

static const struct symmetry_naming *naming_of(const struct finder *finder, int side,
                                               uint32_t cell) {
    uint32_t naming = finder->own[side]->cells[cell].naming;
    return naming == NO_ELEMENT ? NULL : &finder->own[side]->namings[naming];
}

/* The element of a side that a number names, or NO_ELEMENT. */
static uint32_t named(const struct finder *finder, int side, const struct symmetry_naming *naming,
                      int64_t number) {
    if (!naming || number < naming->lower || number >= naming->lower + naming->count)
        return NO_ELEMENT;
    uint32_t element = naming->elements[number - naming->lower];
    return element == NO_ELEMENT ? NO_ELEMENT : finder->first[side] + element;
}

static void find_namings(const struct finder *finder, const uint32_t cells[SIDE_COUNT],
                         const struct symmetry_naming *namings[SIDE_COUNT]) {
    for (int side = 0; side < SIDE_COUNT; side++)
        namings[side] = naming_of(finder, side, cells[side]);
}

static void tie_names(struct finder *finder, const uint32_t cells[SIDE_COUNT]) {
    const struct symmetry_naming *namings[SIDE_COUNT];
    find_namings(finder, cells, namings);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (uint32_t i = 0; namings[side] && i < namings[side]->count; i++) {
            int64_t number = namings[side]->lower + i;
            uint32_t own = named(finder, side, namings[side], number);
            uint32_t other = named(finder, !side, namings[!side], number);
            if (own == NO_ELEMENT) continue;
            if (other == NO_ELEMENT)
                leave_out(finder, own);
            else
                tie(finder, own, other);
        }
}

static void tie_cells(struct finder *finder, uint32_t concrete, uint32_t abstract) {
    const uint32_t cells[SIDE_COUNT] = {concrete, abstract};
    const struct symmetry_cell *own[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        own[side] = &finder->own[side]->cells[cells[side]];
        finder->partner[side][cells[side]] = cells[!side];
    }
    tie_names(finder, cells);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (uint32_t i = 0; i < own[side]->coordinate_count; i++) {
            uint32_t element = finder->first[side] + own[side]->coordinates[i];
            if (own[0]->coordinate_count != own[1]->coordinate_count)
                leave_out(finder, element);
            else
                tie(finder, element, finder->first[!side] + own[!side]->coordinates[i]);
        }
}

static void find_ties(struct finder *finder) {
    const struct visible *visible = finder->visible;
    for (uint32_t i = 0; i < visible->slot_count; i++)
        tie_cells(finder, visible->slots[i].index[SIDE_CONCRETE],
                  visible->slots[i].index[SIDE_ABSTRACT]);
    for (uint32_t i = 0; i < visible->process_count; i++) {
        uint32_t cells[SIDE_COUNT];
        for (int side = 0; side < SIDE_COUNT; side++) {
            uint32_t process = visible->processes[i].index[side];
            finder->place[side][process] = i;
            cells[side] = visible->networks[side]->slot_count + process;
        }
        tie_cells(finder, cells[SIDE_CONCRETE], cells[SIDE_ABSTRACT]);
    }
}

static int side_of(const struct finder *finder, uint32_t element) {
    return element >= finder->first[SIDE_ABSTRACT];
}

static uint32_t block_of(const struct finder *finder, uint32_t element) {
    int side = side_of(finder, element);
    return finder->own[side]->block_of[element - finder->first[side]];
}

/* Whether two elements of a side have names in some cells. */
static bool are_of_one_naming(const struct finder *finder, uint32_t left, uint32_t right) {
    int side = side_of(finder, left);
    const struct symmetry *own = finder->own[side];
    if (side != side_of(finder, right)) return false;
    for (uint32_t i = 0; i < own->naming_count; i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < own->namings[i].count; k++) {
            uint32_t element = named(finder, side, &own->namings[i], own->namings[i].lower + k);
            found += element == left || element == right;
        }
        if (found > 1) return true;
    }
    return false;
}

/* Elements that are tied move together: none of them may have another one's place. */
static void collect(struct finder *finder, uint32_t root) {
    assert(finder->parent[root] == root);
    VEC(uint32_t) members = {0};
    if (finder->is_left_out[root]) return;
    for (uint32_t i = 0; i < finder->first[SIDE_COUNT]; i++) {
        if (find(finder, i) != root) continue;
        for (uint32_t k = 0; k < members.count; k++)
            if ((side_of(finder, i) == side_of(finder, members.items[k]) &&
                 block_of(finder, i) == block_of(finder, members.items[k])) ||
                are_of_one_naming(finder, members.items[k], i))
                return;
        VEC_PUSH(finder->arena, &members, i);
    }
    VEC_PUSH(finder->arena, &finder->ties, (struct tied){members.items, members.count});
}

/* ---- exchanges ---- */

/* Where a cell of a side goes. */
static uint32_t image(const struct finder *finder, int side, uint32_t cell) {
    const struct symmetry *own = finder->own[side];
    const struct symmetry_cell *from = &own->cells[cell];
    const struct symmetry_family *family = &own->families[from->family];
    assert(cell < own->cell_count && from->family < own->family_count);
    uint32_t place = 0;
    for (uint32_t i = 0; i < from->coordinate_count; i++) {
        const struct symmetry_block *block = &own->blocks[family->blocks[i]];
        uint32_t to = finder->target[finder->first[side] + from->coordinates[i]];
        place = place * block->count + (to - finder->first[side] - block->first);
    }
    assert(family->cells[place] != NO_SLOT);
    return family->cells[place];
}

/* What a number in a cell of a side becomes. */
static int64_t renamed(const struct finder *finder, int side, const struct symmetry_naming *naming,
                       int64_t number) {
    uint32_t element = named(finder, side, naming, number);
    if (element == NO_ELEMENT) return number;
    assert(side_of(finder, finder->target[element]) == side); /* elements stay in their model */
    return naming->values[finder->target[element] - finder->first[side]];
}

/* Whether the numbers of a cell become the same in both models. */
static bool renames_alike(const struct finder *finder, const uint32_t cells[SIDE_COUNT]) {
    const struct symmetry_naming *namings[SIDE_COUNT];
    find_namings(finder, cells, namings);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (uint32_t i = 0; namings[side] && i < namings[side]->count; i++) {
            int64_t number = namings[side]->lower + i;
            if (renamed(finder, SIDE_CONCRETE, namings[SIDE_CONCRETE], number) !=
                renamed(finder, SIDE_ABSTRACT, namings[SIDE_ABSTRACT], number))
                return false;
        }
    return true;
}

/* Whether what stands for a value, renamed, stands for the renamed value there. */
static bool keeps_value(const struct finder *finder, const struct exchange *from,
                        const struct exchange *there, const struct symmetry_naming *naming,
                        int64_t value) {
    int64_t to = renamed(finder, SIDE_CONCRETE, naming, value);
    if (value < INT32_MIN || value > INT32_MAX || to < INT32_MIN || to > INT32_MAX) return false;
    return renamed(finder, SIDE_CONCRETE, naming, exchange_value(from, (int32_t)value)) ==
           exchange_value(there, (int32_t)to);
}

/* Other values are not exchanged, and stay as they are. */
static bool keeps_values(const struct finder *finder, const struct exchange *from,
                         const struct exchange *there, const struct symmetry_naming *naming) {
    if (from->is_one != there->is_one) return false;
    if (from->is_one) return keeps_value(finder, from, there, naming, from->representative);
    for (uint32_t i = 0; i < from->count; i++)
        if (!keeps_value(finder, from, there, naming, from->values[i].value)) return false;
    for (uint32_t i = 0; i < there->count; i++) {
        int64_t value = renamed(finder, SIDE_CONCRETE, naming, there->values[i].value);
        if (!keeps_value(finder, from, there, naming, value)) return false;
    }
    for (uint32_t i = 0; naming && i < naming->count; i++)
        if (!keeps_value(finder, from, there, naming, naming->lower + i)) return false;
    return true;
}

static bool has_keys_of(const struct exchange *one, const struct exchange *other) {
    for (uint32_t i = 0; i < one->key_count; i++)
        if (!exchange_counts(other, one->key_values[i])) return false;
    return true;
}

/* Whether a key goes to the other one, and the values with which it counts stay. */
static bool key_goes_to(const struct finder *finder, const struct exchange_at *from,
                        const struct exchange_at *to) {
    if (!from->exchange->key || !to->exchange->key)
        return !from->exchange->key && !to->exchange->key;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (naming_of(finder, side, from->key[side]) ||
            image(finder, side, from->key[side]) != to->key[side])
            return false;
    return has_keys_of(from->exchange, to->exchange) && has_keys_of(to->exchange, from->exchange);
}

/* Whether one exchange of values goes to the other. */
static bool goes_to(const struct finder *finder, const struct exchange_at *from,
                    const struct exchange_at *to, const struct symmetry_naming *naming) {
    const struct visible *visible = finder->visible;
    if (from->code != to->code || (from->process == NO_PROCESS) != (to->process == NO_PROCESS))
        return false;
    if (from->process != NO_PROCESS) {
        uint32_t process = visible->processes[from->process].index[SIDE_CONCRETE];
        uint32_t cell = visible->networks[SIDE_CONCRETE]->slot_count + process;
        uint32_t there = image(finder, SIDE_CONCRETE, cell);
        process = there - visible->networks[SIDE_CONCRETE]->slot_count;
        if (finder->place[SIDE_CONCRETE][process] != to->process) return false;
    }
    return key_goes_to(finder, from, to) &&
           keeps_values(finder, from->exchange, to->exchange, naming);
}

/* Whether the values that a slot has exchanged are so at its image, too. */
static bool exchanges_alike(const struct finder *finder, const uint32_t cells[SIDE_COUNT]) {
    const struct exchange_at *const *exchanges = finder->visible->exchanges;
    const struct exchange_at *from = exchanges[cells[SIDE_ABSTRACT]];
    const struct exchange_at *to = exchanges[image(finder, SIDE_ABSTRACT, cells[SIDE_ABSTRACT])];
    const struct symmetry_naming *naming = naming_of(finder, SIDE_CONCRETE, cells[SIDE_CONCRETE]);
    for (; from && to; from = from->next, to = to->next)
        if (!goes_to(finder, from, to, naming)) return false;
    return !from && !to;
}

/* Whether two places among the processes have the same codes of locations. */
static bool codes_alike(const struct visible *visible, uint32_t one, uint32_t other) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct network *network = visible->networks[side];
        const struct template *template =
            network->processes[visible->processes[one].index[side]].template;
        assert(template == network->processes[visible->processes[other].index[side]].template);
        if (memcmp(visible->codes[side][one], visible->codes[side][other],
                   template->location_count * sizeof(uint32_t)) != 0)
            return false;
    }
    return true;
}

/* Whether states look the same exactly where their images do. */
static bool keeps_visible(const struct finder *finder) {
    const struct visible *visible = finder->visible;
    uint32_t slot_count = visible->networks[SIDE_CONCRETE]->slot_count;
    for (uint32_t i = 0; i < finder->own[SIDE_CONCRETE]->cell_count; i++) {
        uint32_t cells[SIDE_COUNT] = {i, finder->partner[SIDE_CONCRETE][i]}, images[SIDE_COUNT];
        if (cells[SIDE_ABSTRACT] == NO_SLOT) continue;
        for (int side = 0; side < SIDE_COUNT; side++)
            images[side] = image(finder, side, cells[side]);
        if (finder->partner[SIDE_CONCRETE][images[SIDE_CONCRETE]] != images[SIDE_ABSTRACT])
            return false;
        if (!renames_alike(finder, cells)) return false;
        if (i < slot_count) {
            if (!exchanges_alike(finder, cells)) return false;
            continue;
        }
        uint32_t one = finder->place[SIDE_CONCRETE][i - slot_count];
        uint32_t other = finder->place[SIDE_CONCRETE][images[0] - slot_count];
        if (!codes_alike(visible, one, other)) return false;
    }
    return true;
}

/* Whether two ties may change places. */
static bool may_exchange(const struct finder *finder, const struct tied *left,
                         const struct tied *right) {
    if (left->count != right->count) return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (side_of(finder, left->members[i]) != side_of(finder, right->members[i]) ||
            block_of(finder, left->members[i]) != block_of(finder, right->members[i]))
            return false;
    for (uint32_t i = 0; i < left->count; i++) {
        finder->target[left->members[i]] = right->members[i];
        finder->target[right->members[i]] = left->members[i];
    }
    bool is_fine = keeps_visible(finder);
    for (uint32_t i = 0; i < left->count; i++) {
        finder->target[left->members[i]] = left->members[i];
        finder->target[right->members[i]] = right->members[i];
    }
    return is_fine;
}

/* ---- blocks ---- */

/* Names of a block are those of the concrete model where it has some. */
static void describe(struct finder *finder, struct symmetry_block *block) {
    assert(block->count > 1);
    const uint32_t *ties = finder->order.items + block->first;
    uint32_t member = finder->ties.items[ties[0]].members[0];
    int side = side_of(finder, member);
    const struct symmetry *own = finder->own[side];
    const struct symmetry_block *from = &own->blocks[block_of(finder, member)];
    int64_t *values = ARENA_ARRAY(finder->arena, int64_t, block->count + 1);
    block->name = from->name;
    block->are_copies = from->are_copies;
    assert(!from->are_copies || side == SIDE_CONCRETE); /* processes are in both models */
    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t element = finder->ties.items[ties[i]].members[0] - finder->first[side];
        values[i] = from->values[element - from->first];
    }
    block->values = values;
}

/* The block of a tie with all later ones that may change places with it. */
static void add_block(struct finder *finder, uint32_t tie, uint64_t *size) {
    assert(finder->block_at[tie] == NO_SLOT);
    struct symmetry_block block = {.first = finder->order.count, .count = 1};
    VEC_PUSH(finder->arena, &finder->order, tie);
    for (uint32_t i = tie + 1; i < finder->ties.count; i++) {
        if (finder->block_at[i] != NO_SLOT || *size >= max_size / (block.count + 1)) continue;
        if (!may_exchange(finder, &finder->ties.items[tie], &finder->ties.items[i])) continue;
        finder->block_at[i] = finder->blocks.count;
        VEC_PUSH(finder->arena, &finder->order, i);
        *size *= ++block.count;
    }
    if (block.count == 1) {
        finder->order.count--;
        return;
    }
    finder->block_at[tie] = finder->blocks.count;
    describe(finder, &block);
    VEC_PUSH(finder->arena, &finder->blocks, block);
}

static uint64_t find_blocks(struct finder *finder) {
    uint64_t size = 1;
    finder->block_at = ARENA_ARRAY(finder->arena, uint32_t, finder->ties.count + 1);
    for (uint32_t i = 0; i < finder->ties.count; i++) finder->block_at[i] = NO_SLOT;
    for (uint32_t i = 0; i < finder->ties.count; i++)
        if (finder->block_at[i] == NO_SLOT) add_block(finder, i, &size);
    for (uint32_t i = 0; i < finder->order.count; i++) {
        const struct tied *tied = &finder->ties.items[finder->order.items[i]];
        for (uint32_t k = 0; k < tied->count; k++) finder->element_of[tied->members[k]] = i;
    }
    return size;
}

/* ---- symmetries of one model or both ---- */

struct builder {
    const struct finder *finder;
    struct symmetry *symmetry;
    VEC(struct symmetry_naming) namings;
    uint32_t *family_of; /* by family: of which family of its model it is a part */
};

static uint32_t joint_element(const struct finder *finder, int side, uint32_t element) {
    return element == NO_ELEMENT ? NO_ELEMENT : finder->element_of[finder->first[side] + element];
}

static void add_naming(struct builder *builder, int side, const struct symmetry_naming *from) {
    struct arena *arena = builder->finder->arena;
    uint32_t *elements = ARENA_ARRAY(arena, uint32_t, from->count + 1);
    int64_t *values = ARENA_ARRAY(arena, int64_t, builder->symmetry->element_count + 1);
    for (uint32_t i = 0; i < from->count; i++) {
        elements[i] = joint_element(builder->finder, side, from->elements[i]);
        if (elements[i] != NO_ELEMENT) values[elements[i]] = from->lower + i;
    }
    VEC_PUSH(arena, &builder->namings,
             (struct symmetry_naming){from->lower, from->count, elements, values});
}

/* Whether a cell is of a family: one of its model whose elements that stay are the same. */
static bool is_of(const struct builder *builder, int side, uint32_t first, uint32_t cell) {
    const struct symmetry_cell *one = &builder->finder->own[side]->cells[first];
    const struct symmetry_cell *other = &builder->finder->own[side]->cells[cell];
    const uint32_t *block_of = builder->symmetry->block_of;
    assert(first < builder->finder->own[side]->cell_count);
    if (one->family != other->family) return false;
    for (uint32_t i = 0; i < one->coordinate_count; i++) {
        uint32_t left = joint_element(builder->finder, side, one->coordinates[i]);
        uint32_t right = joint_element(builder->finder, side, other->coordinates[i]);
        if ((left == NO_ELEMENT) != (right == NO_ELEMENT)) return false;
        if (left == NO_ELEMENT ? one->coordinates[i] != other->coordinates[i]
                               : block_of[left] != block_of[right])
            return false;
    }
    return true;
}

static void begin_family(struct builder *builder, uint32_t index) {
    struct symmetry *symmetry = builder->symmetry;
    const struct symmetry_cell *cell = &symmetry->cells[index];
    struct symmetry_family *family = &symmetry->families[symmetry->family_count++];
    uint32_t size = 1;
    *family = (struct symmetry_family){.coordinate_count = cell->coordinate_count, .first = index};
    for (uint32_t i = 0; i < cell->coordinate_count; i++) {
        family->blocks[i] = symmetry->block_of[cell->coordinates[i]];
        size *= symmetry->blocks[family->blocks[i]].count;
    }
    uint32_t *cells = ARENA_ARRAY(builder->finder->arena, uint32_t, size);
    for (uint32_t i = 0; i < size; i++) cells[i] = NO_SLOT;
    family->cells = cells;
}

static void put_cell(struct builder *builder, uint32_t index) {
    struct symmetry *symmetry = builder->symmetry;
    const struct symmetry_cell *cell = &symmetry->cells[index];
    const struct symmetry_family *family = &symmetry->families[cell->family];
    uint32_t place = 0;
    for (uint32_t i = 0; i < cell->coordinate_count; i++) {
        const struct symmetry_block *block = &symmetry->blocks[family->blocks[i]];
        assert(cell->coordinates[i] - block->first < block->count);
        place = place * block->count + cell->coordinates[i] - block->first;
    }
    assert(family->cells[place] == NO_SLOT);
    ((uint32_t *)family->cells)[place] = index;
}

/* The cells of a side, numbered from offset on. */
static void add_cells(struct builder *builder, int side, uint32_t offset) {
    const struct symmetry *own = builder->finder->own[side];
    struct symmetry *symmetry = builder->symmetry;
    uint32_t naming_offset = builder->namings.count, first_family = symmetry->family_count;
    for (uint32_t i = 0; i < own->naming_count; i++) add_naming(builder, side, &own->namings[i]);
    for (uint32_t i = 0; i < own->cell_count; i++) {
        const struct symmetry_cell *from = &own->cells[i];
        struct symmetry_cell *cell = &symmetry->cells[offset + i];
        uint32_t family = first_family;
        cell->naming = from->naming == NO_ELEMENT ? NO_ELEMENT : naming_offset + from->naming;
        for (uint32_t k = 0; k < from->coordinate_count; k++) {
            uint32_t element = joint_element(builder->finder, side, from->coordinates[k]);
            if (element != NO_ELEMENT) cell->coordinates[cell->coordinate_count++] = element;
        }
        while (family < symmetry->family_count &&
               (builder->family_of[family] != from->family ||
                !is_of(builder, side, symmetry->families[family].first - offset, i)))
            family++;
        cell->family = family;
        if (family == symmetry->family_count) {
            builder->family_of[family] = from->family;
            begin_family(builder, offset + i);
        }
        put_cell(builder, offset + i);
    }
}

/* The joint permutations as the sides from the first to the last see them. */
static const struct symmetry *build(const struct finder *finder, uint64_t size, int first,
                                    int last) {
    struct arena *arena = finder->arena;
    struct symmetry *symmetry = ARENA_NEW(arena, struct symmetry);
    struct builder builder = {.finder = finder, .symmetry = symmetry};
    *symmetry = (struct symmetry){.network = finder->visible->networks[first],
                                  .blocks = finder->blocks.items,
                                  .block_count = finder->blocks.count,
                                  .element_count = finder->order.count,
                                  .size = size};
    for (int side = first; side <= last; side++)
        symmetry->cell_count += finder->own[side]->cell_count;
    symmetry->block_of = ARENA_ARRAY(arena, uint32_t, symmetry->element_count + 1);
    for (uint32_t i = 0; i < symmetry->block_count; i++)
        for (uint32_t k = 0; k < symmetry->blocks[i].count; k++)
            symmetry->block_of[symmetry->blocks[i].first + k] = i;
    symmetry->cells = ARENA_ARRAY(arena, struct symmetry_cell, symmetry->cell_count + 1);
    symmetry->families = ARENA_ARRAY(arena, struct symmetry_family, symmetry->cell_count + 1);
    builder.family_of = ARENA_ARRAY(arena, uint32_t, symmetry->cell_count + 1);
    for (int side = first, offset = 0; side <= last; side++) {
        add_cells(&builder, side, (uint32_t)offset);
        offset += (int)finder->own[side]->cell_count;
    }
    symmetry->namings = builder.namings.items;
    symmetry->naming_count = builder.namings.count;
    return symmetry;
}

/* ---- all ---- */

static void begin(struct finder *finder, uint64_t most_text) {
    struct arena *arena = finder->arena;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct network *network = finder->visible->networks[side];
        const struct symmetry *own = symmetry_find(arena, network, NULL, 0, most_text);
        uint32_t cells = network->slot_count + network->process_count;
        finder->own[side] = own;
        finder->first[side + 1] = finder->first[side] + own->element_count;
        finder->partner[side] = ARENA_ARRAY(arena, uint32_t, cells + 1);
        for (uint32_t i = 0; i < cells; i++) finder->partner[side][i] = NO_SLOT;
        finder->place[side] = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    }
    uint32_t elements = finder->first[SIDE_COUNT];
    finder->parent = ARENA_ARRAY(arena, uint32_t, elements + 1);
    finder->is_left_out = ARENA_ARRAY(arena, bool, elements + 1);
    finder->element_of = ARENA_ARRAY(arena, uint32_t, elements + 1);
    finder->target = ARENA_ARRAY(arena, uint32_t, elements + 1);
    for (uint32_t i = 0; i < elements; i++) {
        finder->parent[i] = finder->target[i] = i;
        finder->element_of[i] = NO_ELEMENT;
    }
}

/* Nothing may change places; because, if that is known. */
static const struct joint_symmetry *no_joint(const struct finder *finder, const char *refusal) {
    struct joint_symmetry *joint = ARENA_NEW(finder->arena, struct joint_symmetry);
    struct symmetry *none = ARENA_NEW(finder->arena, struct symmetry);
    *none = (struct symmetry){
        .network = finder->visible->networks[SIDE_CONCRETE], .size = 1, .refusal = refusal};
    *joint = (struct joint_symmetry){{none, none}, none};
    return joint;
}

const struct joint_symmetry *joint_symmetry_find(struct arena *arena, const struct visible *visible,
                                                 uint64_t most_text) {
    struct finder finder = {.arena = arena, .visible = visible};
    begin(&finder, most_text);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (finder.own[side]->refusal) return no_joint(&finder, finder.own[side]->refusal);
    find_ties(&finder);
    for (uint32_t i = 0; i < finder.first[SIDE_COUNT]; i++)
        if (finder.parent[i] == i) collect(&finder, i);
    uint64_t size = find_blocks(&finder);
    if (!finder.blocks.count) return no_joint(&finder, NULL);
    struct joint_symmetry *joint = ARENA_NEW(arena, struct joint_symmetry);
    for (int side = 0; side < SIDE_COUNT; side++)
        joint->of[side] = build(&finder, size, side, side);
    joint->both = build(&finder, size, SIDE_CONCRETE, SIDE_ABSTRACT);
    return joint;
}
