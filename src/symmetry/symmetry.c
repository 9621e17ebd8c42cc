/* From a network to its blocks. */
#include "symmetry/infer_internal.h"
#include "symmetry/symmetry_internal.h"

#include <assert.h>

enum { MAX_CELLS = 1 << 14, MAX_PROCESSES = 1 << 8 };
static const uint64_t max_size = UINT64_C(1) << 62;

/* ---- blocks ---- */

static const char *name_of_sort(const struct block_finder *finder, uint32_t root, int64_t *offset) {
    const struct sorts *sorts = &finder->sorts;
    const char *name = NULL;
    *offset = 0;
    for (uint32_t i = 0; i < sorts->cuts.count; i++) {
        const struct sort_cut *cut = &sorts->cuts.items[i];
        int64_t own;
        if (!cut->is_range || sort_find(sorts, cut->variable, &own) != root) continue;
        if (!name || cut->named) *offset = own;
        if (cut->named) return cut->named->name;
        if (!name) name = "int";
    }
    return name ? name : "int";
}

static void describe_block(const struct block_finder *finder, const struct found_block *found,
                           struct symmetry_block *block) {
    int64_t offset = 0, *values = ARENA_ARRAY(finder->arena, int64_t, block->count + 1);
    block->are_copies = found->root == NO_SLOT;
    block->is_tried = found->is_tried;
    block->name = block->are_copies
                      ? finder->network->processes[found->elements.items[0]].template->symbol->name
                      : name_of_sort(finder, found->root, &offset);
    assert(found->elements.count == block->count);
    for (uint32_t i = 0; i < block->count; i++) values[i] = found->elements.items[i] + offset;
    block->values = values;
}

/* Says of a sort why none of its values may change places, though some could. */
static void note_left_out(struct block_finder *finder, uint32_t root) {
    struct block_reason *reason = ARENA_NEW(finder->arena, struct block_reason);
    *reason = (struct block_reason){.why = "too many others may change places"};
    if (root != NO_SLOT) map_put(&finder->reasons, (uint64_t)root + 1, reason);
}

/* Elements, and blocks, are left out where there would be too many permutations to be counted. */
static void make_blocks(struct block_finder *finder, struct symmetry *symmetry) {
    uint32_t kept = 0;
    symmetry->blocks = ARENA_ARRAY(finder->arena, struct symmetry_block, finder->blocks.count + 1);
    symmetry->element_count = 0;
    symmetry->size = 1;
    for (uint32_t i = 0; i < finder->blocks.count; i++) {
        struct found_block *found = &finder->blocks.items[kept];
        struct symmetry_block *block = &symmetry->blocks[kept];
        *found = finder->blocks.items[i];
        block->first = symmetry->element_count;
        for (block->count = 1; block->count < found->elements.count &&
                               symmetry->size < max_size / (block->count + 1);)
            symmetry->size *= ++block->count;
        if (block->count == 1) note_left_out(finder, found->root);
        if (block->count == 1) continue;
        assert(found->elements.count == found->moves.count);
        found->elements.count = found->moves.count = block->count;
        symmetry->element_count += block->count;
        describe_block(finder, found, block);
        kept++;
    }
    finder->blocks.count = symmetry->block_count = kept;
    symmetry->block_of = ARENA_ARRAY(finder->arena, uint32_t, symmetry->element_count + 1);
    for (uint32_t i = 0; i < symmetry->block_count; i++)
        for (uint32_t k = 0; k < symmetry->blocks[i].count; k++)
            symmetry->block_of[symmetry->blocks[i].first + k] = i;
    assert(symmetry->size >= symmetry->element_count && symmetry->size < max_size);
}

/* By process: the first one that permutations map it to. */
static const uint32_t *find_orbits(const struct block_finder *finder) {
    uint32_t count = finder->network->process_count;
    uint32_t *orbit_of = ARENA_ARRAY(finder->arena, uint32_t, count + 1);
    for (uint32_t p = 0; p < count; p++) orbit_of[p] = p;
    for (bool is_done = false; !is_done;) { /* numbers only become less */
        is_done = true;
        for (uint32_t i = 0; i < finder->blocks.count; i++)
            for (uint32_t k = 1; k < finder->blocks.items[i].moves.count; k++)
                for (uint32_t p = 0; p < count; p++) {
                    uint32_t image = finder->blocks.items[i].moves.items[k].process_of[p];
                    if (orbit_of[image] <= orbit_of[p]) continue;
                    orbit_of[image] = orbit_of[p];
                    is_done = false;
                }
    }
    return orbit_of;
}

static void find_orders(const struct block_finder *finder, struct symmetry *symmetry) {
    bool is_tried = false;
    for (uint32_t i = 0; i < symmetry->block_count; i++) is_tried |= symmetry->blocks[i].is_tried;
    assert(!is_tried || finder->tries);
    if (is_tried) symmetry->orders = receivers_orders(finder->receivers, find_orbits(finder));
}

/* ---- reasons ---- */

static bool is_in_block(const struct block_finder *finder, uint32_t root) {
    for (uint32_t i = 0; i < finder->blocks.count; i++)
        if (finder->blocks.items[i].root == root) return true;
    return false;
}

static struct symmetry_parameter parameter_reason(struct block_finder *finder,
                                                  const struct template *template,
                                                  const struct symbol *symbol) {
    struct symmetry_parameter parameter = {.template = template, .symbol = symbol};
    const struct sort_tree *tree = map_get(&finder->sorts.trees, map_key(symbol));
    int64_t offset;
    uint32_t root = sort_find(&finder->sorts, tree->variable, &offset);
    const struct sort_variable *variable = &finder->sorts.variables.items[root];
    assert(tree->kind == SORT_CELL); /* the parameter is a number */
    const struct block_reason *reason = map_get(&finder->reasons, (uint64_t)root + 1);
    if (variable->broken) {
        parameter.why = variable->broken;
        parameter.at = variable->broken_at;
    } else if (!is_in_block(finder, root)) {
        parameter.why = reason ? reason->why : "it has no declared range";
        parameter.at = reason ? reason->at : symbol->span;
    }
    return parameter;
}

static void find_reasons(struct block_finder *finder, struct symmetry *symmetry) {
    VEC(struct symmetry_parameter) list = {0};
    const struct model *model = finder->network->model;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        if (!finder->network->processes_of[t].end) continue;
        for (uint32_t i = 0; i < template->parameter_count; i++) {
            const struct symbol *symbol = template->parameters[i];
            enum type_kind kind = type_strip(symbol->type)->kind;
            if (symbol->is_reference || (kind != TYPE_INT && kind != TYPE_SCALAR)) continue;
            VEC_PUSH(finder->arena, &list, parameter_reason(finder, template, symbol));
        }
    }
    symmetry->parameters = list.items;
    symmetry->parameter_count = list.count;
}

/* ---- types ---- */

/* Why the values of a range of a type may not all change places, or NULL. */
static struct block_reason range_reason(const struct block_finder *finder,
                                        const struct sort_cut *cut) {
    int64_t offset;
    uint32_t root = sort_find(&finder->sorts, cut->variable, &offset);
    const struct sort_variable *variable = &finder->sorts.variables.items[root];
    const struct block_reason *reason = map_get(&finder->reasons, (uint64_t)root + 1);
    if (variable->broken) return (struct block_reason){variable->broken, variable->broken_at, true};
    for (uint32_t i = 0; i < finder->blocks.count; i++) {
        const struct found_block *block = &finder->blocks.items[i];
        if (block->root != root || block->elements.items[0] + offset != cut->lower) continue;
        if ((int64_t)block->elements.count == cut->upper - cut->lower + 1)
            return (struct block_reason){0};
    }
    if (reason) return *reason;
    return (struct block_reason){"no array in use is indexed by it, and no variable or process "
                                 "takes each of its values; leave it a range, there is nothing to "
                                 "exchange",
                                 cut->span, true};
}

static const struct symmetry_type *find_type(const struct symmetry *symmetry,
                                             const struct symbol *symbol) {
    for (uint32_t i = 0; i < symmetry->type_count; i++)
        if (symmetry->types[i].symbol == symbol) return &symmetry->types[i];
    return NULL;
}

/* A range that is not named: one of a sort of exactly one such type, with the same values. */
static void add_range(const struct block_finder *finder, struct symmetry *symmetry,
                      const struct sort_cut *cut) {
    int64_t offset, other;
    uint32_t root = sort_find(&finder->sorts, cut->variable, &offset);
    for (uint32_t i = 0; i < finder->sorts.cuts.count; i++) {
        const struct sort_cut *like = &finder->sorts.cuts.items[i];
        if (!like->named || like->lower != cut->lower || like->upper != cut->upper ||
            sort_find(&finder->sorts, like->variable, &other) != root || other != offset)
            continue;
        symmetry->ranges[symmetry->range_count++] =
            (struct symmetry_range){like->named->symbol, cut->span};
        return;
    }
}

static void find_types(const struct block_finder *finder, struct symmetry *symmetry) {
    uint32_t count = finder->sorts.cuts.count;
    symmetry->types = ARENA_ARRAY(finder->arena, struct symmetry_type, count + 1);
    symmetry->ranges = ARENA_ARRAY(finder->arena, struct symmetry_range, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct sort_cut *cut = &finder->sorts.cuts.items[i];
        if (!cut->named && cut->is_range) add_range(finder, symmetry, cut);
        if (!cut->named) continue;
        struct block_reason reason = range_reason(finder, cut);
        struct symmetry_type *own = (struct symmetry_type *)find_type(symmetry, cut->named->symbol);
        if (!own) {
            own = &symmetry->types[symmetry->type_count++];
            *own =
                (struct symmetry_type){cut->named->symbol, cut->lower, cut->upper, NULL, cut->span};
        }
        if (own->why || !reason.why) continue;
        own->why = reason.why;
        own->at = reason.at;
    }
}

/* ---- all ---- */

static const char *obstacle_of(const struct network *network) {
    if (network_is_timed(network)) return "clocks are not looked at";
    if (network->model->is_mixed) return "steps of a mixed model are of two kinds";
    if (network->persistent.count) return "a meta variable keeps a value from one step to the next";
    if (network->cell_count > MAX_CELLS || network->process_count > MAX_PROCESSES)
        return "the model is too large";
    return NULL;
}

static void find(struct block_finder *finder, struct symmetry *symmetry) {
    infer_model(&finder->sorts);
    for (uint32_t i = 0; i < finder->query_count; i++)
        infer_query(&finder->sorts, &finder->queries[i]);
    symmetry->refusal = finder->sorts.refusal;
    if (symmetry->refusal) return;
    find_blocks(finder);
    symmetry->meets_orders = finder->meets_orders;
    make_blocks(finder, symmetry);
    find_orders(finder, symmetry);
    find_reasons(finder, symmetry);
    find_types(finder, symmetry);
    if (find_coordinates(finder, symmetry)) return;
    symmetry->block_count = symmetry->element_count = 0;
    symmetry->size = 1;
    symmetry->orders = NULL;
    symmetry->refusal = "a cell belongs to more than three elements that may change places";
}

static struct symmetry *look(struct arena *arena, const struct network *network,
                             const struct query *queries, uint32_t count, uint64_t most_text,
                             bool tries) {
    struct symmetry *symmetry = ARENA_NEW(arena, struct symmetry);
    struct environment environment = {.arena = arena};
    struct receiving receivers;
    struct block_finder finder = {.arena = arena,
                                  .network = network,
                                  .receivers = &receivers,
                                  .queries = queries,
                                  .query_count = count,
                                  .tries = tries,
                                  .text_budget = most_text};
    *symmetry = (struct symmetry){.network = network, .size = 1};
    symmetry->refusal = obstacle_of(network);
    if (symmetry->refusal) return symmetry;
    network_environment(network, &environment, arena);
    sorts_init(&finder.sorts, arena, network, &environment);
    receivers_init(&receivers, arena, network);
    map_init(&finder.reasons, arena);
    map_init(&finder.occurring, arena);
    find(&finder, symmetry);
    assert(!symmetry->refusal || (!symmetry->block_count && symmetry->size == 1));
    eval_close(&environment);
    return symmetry;
}

struct symmetry *symmetry_find(struct arena *arena, const struct network *network,
                               const struct query *queries, uint32_t count, uint64_t most_text) {
    struct symmetry *symmetry = look(arena, network, queries, count, most_text, false);
    assert(!symmetry->orders);
    return symmetry;
}

struct symmetry *symmetry_find_tried(struct arena *arena, const struct network *network,
                                     const struct query *queries, uint32_t count,
                                     uint64_t most_text) {
    return look(arena, network, queries, count, most_text, true);
}

uint32_t symmetry_image(const struct symmetry *symmetry, uint32_t cell, uint32_t left,
                        uint32_t right) {
    const struct symmetry_cell *own = &symmetry->cells[cell];
    const struct symmetry_family *family = &symmetry->families[own->family];
    uint32_t coordinates[SYMMETRY_MAX_COORDINATES];
    assert(cell < symmetry->cell_count);
    assert(left < symmetry->element_count && right < symmetry->element_count);
    assert(symmetry->block_of[left] == symmetry->block_of[right]);
    for (uint32_t k = 0; k < own->coordinate_count; k++)
        coordinates[k] = own->coordinates[k] == left    ? right
                         : own->coordinates[k] == right ? left
                                                        : own->coordinates[k];
    return family->cells[family_place(symmetry, family, coordinates)];
}

char *symmetry_block_text(const struct symmetry *symmetry, const struct symmetry_block *block,
                          struct arena *arena) {
    struct buffer out = {0};
    buffer_printf(&out, "%s%s {", block->are_copies ? "copies of " : "", block->name);
    for (uint32_t i = 0; i < block->count; i++) {
        const char *name = block->are_copies
                               ? symmetry->network->processes[block->values[i]].name
                               : arena_printf(arena, "%lld", (long long)block->values[i]);
        buffer_printf(&out, "%s%s", i ? "," : "", name);
    }
    buffer_add_text(&out, "}");
    return buffer_finish(&out, arena);
}

const char *symmetry_blocks_text(const struct symmetry *symmetry, struct arena *arena) {
    const char *text = symmetry->block_count ? "" : "none";
    for (uint32_t i = 0; i < symmetry->block_count; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                            symmetry_block_text(symmetry, &symmetry->blocks[i], arena));
    return text;
}
