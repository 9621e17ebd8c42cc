/* Elements of sorts, copies, and the exchanges that are tried. */
#include "symmetry/symmetry_internal.h"

#include "base/sort.h"
#include "lang/syntax/walk.h"
#include "symmetry/receivers.h"

#include <assert.h>
#include <stdlib.h>

enum { MAX_RANGE = 64, MAX_COPIES = 64 };

/* ---- one exchange ---- */

struct set_check {
    const struct block_finder *finder;
    const struct name_exchange *exchange;
    bool is_fine;
};

static const struct process *process_named(const struct network *network,
                                           const struct symbol *symbol, const char *name) {
    for (uint32_t i = 0; i < network->process_count; i++)
        if (network->processes[i].symbol == symbol && !strcmp(network->processes[i].name, name))
            return &network->processes[i];
    return NULL;
}

/* The name of a process of a set, with its arguments exchanged. */
static const char *exchanged_name(const struct block_finder *finder,
                                  const struct name_exchange *exchange,
                                  const struct process *process) {
    const struct symbol *symbol = process->symbol;
    bool is_template = symbol->kind == SYMBOL_TEMPLATE;
    struct symbol *const *parameters =
        is_template ? symbol->template->parameters : symbol->instance->parameters;
    const char *at = strchr(process->name, '(');
    struct buffer name = {0};
    buffer_add_text(&name, symbol->name);
    for (uint32_t i = 0; at && *at != ')' && *at; i++) {
        char *end;
        assert(i < (is_template ? symbol->template->parameter_count
                                : symbol->instance->parameter_count));
        int64_t value = strtol(at + 1, &end, 10);
        const struct sort_tree *tree = map_get(&finder->sorts.trees, map_key(parameters[i]));
        if (tree && tree->kind == SORT_CELL)
            value = exchanged_value(exchange, tree->variable, value);
        buffer_printf(&name, "%s%lld", i ? "," : "(", (long long)value);
        at = end;
    }
    if (at) buffer_add_text(&name, ")");
    return buffer_finish(&name, finder->arena);
}

/* A set of processes that a query names has to be mapped to itself as its arguments say. */
static bool check_set(void *context, const struct expr *expr) {
    struct set_check *check = context;
    const struct network *network = check->finder->network;
    if (expr->kind != EXPR_CALL || !expr->symbol ||
        (expr->symbol->kind != SYMBOL_INSTANCE && expr->symbol->kind != SYMBOL_TEMPLATE))
        return true;
    for (uint32_t i = 0; i < network->process_count; i++) {
        const struct process *process = &network->processes[i];
        if (process->symbol != expr->symbol) continue;
        const struct process *image = process_named(
            network, process->symbol, exchanged_name(check->finder, check->exchange, process));
        check->is_fine &= image && image->index == check->exchange->process_of[i];
    }
    return true;
}

static bool sets_fit(struct block_finder *finder, const struct name_exchange *exchange) {
    struct set_check check = {finder, exchange, true};
    for (uint32_t i = 0; i < finder->query_count; i++) {
        const struct query *query = &finder->queries[i];
        walk_query(query, check_set, &check);
    }
    return check.is_fine;
}

static void write_all(struct block_finder *finder, struct model_text *text) {
    text_of_model(text);
    for (uint32_t i = 0; i < finder->query_count; i++)
        if (finder->queries[i].quantifier != QUERY_INVALID &&
            finder->queries[i].quantifier != QUERY_EMPTY)
            text_of_query(text, &finder->queries[i]);
}

/* Keeps moves that were found in a scratch arena. */
static void keep_moves(struct block_finder *finder, struct moves *moves) {
    const struct network *network = finder->network;
    struct moves kept = {ARENA_ARRAY(finder->arena, uint32_t, network->cell_count + 1),
                         ARENA_ARRAY(finder->arena, uint32_t, network->process_count + 1),
                         moves->is_tried};
    memcpy(kept.cell_of, moves->cell_of, network->cell_count * sizeof *kept.cell_of);
    memcpy(kept.process_of, moves->process_of, network->process_count * sizeof *kept.process_of);
    *moves = kept;
}

static bool try_in(struct block_finder *finder, struct arena *scratch,
                   struct name_exchange *exchange, const uint32_t *pair, struct moves *moves,
                   struct block_reason *reason) {
    if (!moves_find(moves, scratch, exchange, pair, &reason->why, &reason->at)) {
        if (reason->why) reason->why = arena_printf(finder->arena, "%s", reason->why);
        return false;
    }
    assert(!reason->why);
    exchange->process_of = moves->process_of;
    reason->why = "the order matters in which invariants are evaluated, as one may fail";
    if (!invariants_commute(scratch, finder->network, moves->process_of, &reason->at)) return false;
    reason->why = "the order matters in which processes receive";
    moves->is_tried = !receivers_commute(finder->receivers, moves->process_of, &reason->at);
    finder->meets_orders |= moves->is_tried;
    if (moves->is_tried && !finder->tries) return false;
    struct model_text text = {.arena = scratch, .exchange = exchange, .like = &finder->plain};
    write_all(finder, &text);
    const struct text_unit *unit = text.difference;
    assert(unit || text.units.count == finder->plain.units.count);
    reason->why =
        unit ? "this tells its values apart: the text changes when two of them are exchanged"
             : "a query names some of these processes";
    if (unit) reason->at = unit->span;
    return !unit && sets_fit(finder, exchange);
}

/* Whether two elements, or the two processes of a pair, may change places. */
static bool try_exchange(struct block_finder *finder, struct name_exchange *exchange,
                         const uint32_t *pair, struct moves *moves, struct block_reason *reason) {
    struct arena scratch;
    *reason = (struct block_reason){.why = "there are too many exchanges to be tried"};
    if (finder->text_budget < finder->text_size) return false;
    finder->text_budget -= finder->text_size;
    arena_init(&scratch);
    bool may = try_in(finder, &scratch, exchange, pair, moves, reason);
    if (may) keep_moves(finder, moves);
    arena_close(&scratch);
    return may;
}

static bool moves_anything(const struct block_finder *finder, const struct moves *moves) {
    assert(moves->cell_of && moves->process_of); /* the exchange may be */
    for (uint32_t i = 0; i < finder->network->cell_count; i++)
        if (moves->cell_of[i] != NO_SLOT && moves->cell_of[i] != i) return true;
    for (uint32_t i = 0; i < finder->network->process_count; i++)
        if (moves->process_of[i] != i) return true;
    return false;
}

/* ---- sorts ---- */

typedef VEC(int64_t) numbers;

static uint64_t occurrence_key(uint32_t root, int64_t element) {
    return ((uint64_t)root + 1) << 32 | (uint32_t)element;
}

static void note_occurrence(struct block_finder *finder, uint32_t variable, int64_t value) {
    int64_t offset;
    uint32_t root = sort_find(&finder->sorts, variable, &offset);
    map_put(&finder->occurring, occurrence_key(root, value - offset), finder);
}

/* Elements of stored values that nothing ever takes are left alone: to exchange them changes
 * nothing. */
static bool occurs(const struct block_finder *finder, uint32_t root, int64_t element) {
    const struct sorts *sorts = &finder->sorts;
    if (map_get(&finder->occurring, occurrence_key(root, element))) return true;
    for (uint32_t i = 0; i < sorts->cuts.count; i++) {
        const struct sort_cut *cut = &sorts->cuts.items[i];
        int64_t offset;
        if (cut->is_source && sort_find(sorts, cut->variable, &offset) == root &&
            element + offset >= cut->lower && element + offset <= cut->upper)
            return true;
    }
    return false;
}

/* The elements that have a number of 32 bits in all places of their sort: past these `x + c` wraps,
 * and is in other ranges and comparisons (Y2). */
static void find_numbered(const struct sorts *sorts, uint32_t root, int64_t *least, int64_t *most) {
    int64_t offset;
    *least = INT32_MIN;
    *most = INT32_MAX;
    for (uint32_t i = 0; i < sorts->variables.count; i++) {
        if (sort_find(sorts, i, &offset) != root) continue;
        if (INT32_MIN - offset > *least) *least = INT32_MIN - offset;
        if (INT32_MAX - offset < *most) *most = INT32_MAX - offset;
    }
}

static void note_reason(struct block_finder *finder, uint32_t root, struct block_reason reason);

/* The elements that declared ranges of a sort have; false if one is too large. */
static bool find_elements(struct block_finder *finder, uint32_t root, numbers *elements) {
    const struct sorts *sorts = &finder->sorts;
    uint32_t count = 0;
    int64_t least, most;
    find_numbered(sorts, root, &least, &most);
    for (uint32_t i = 0; i < sorts->cuts.count; i++) {
        const struct sort_cut *cut = &sorts->cuts.items[i];
        int64_t offset;
        if (!cut->is_range || sort_find(sorts, cut->variable, &offset) != root) continue;
        if (cut->upper - cut->lower >= MAX_RANGE || elements->count > MAX_RANGE * MAX_RANGE)
            return false;
        for (int64_t value = cut->lower; value <= cut->upper; value++)
            VEC_PUSH(finder->arena, elements, value - offset);
    }
    if (!elements->count) return true;
    qsort(elements->items, elements->count, sizeof *elements->items, compare_i64);
    if (elements->items[0] < least || elements->items[elements->count - 1] > most)
        note_reason(finder, root, (struct block_reason){.why = "what is added to it may wrap"});
    for (uint32_t i = 0; i < elements->count; i++)
        if ((!count || elements->items[i] != elements->items[count - 1]) &&
            elements->items[i] >= least && elements->items[i] <= most &&
            occurs(finder, root, elements->items[i]))
            elements->items[count++] = elements->items[i];
    elements->count = count;
    return count <= MAX_RANGE;
}

/* Whether no range or comparison tells two elements apart (Y4). */
static bool is_uncut(const struct sorts *sorts, uint32_t root, int64_t left, int64_t right,
                     struct block_reason *reason) {
    for (uint32_t i = 0; i < sorts->cuts.count; i++) {
        const struct sort_cut *cut = &sorts->cuts.items[i];
        int64_t offset;
        if (sort_find(sorts, cut->variable, &offset) != root) continue;
        bool has_left = cut->lower == SORT_NEVER || left + offset >= cut->lower;
        bool has_right = cut->lower == SORT_NEVER || right + offset >= cut->lower;
        has_left &= left + offset <= cut->upper;
        has_right &= right + offset <= cut->upper;
        if (has_left == has_right) continue;
        *reason = (struct block_reason){cut->is_range ? "ranges tell its values apart"
                                                      : "this tells its values apart",
                                        cut->span, true};
        return false;
    }
    return true;
}

static void note_reason(struct block_finder *finder, uint32_t root, struct block_reason reason) {
    uint64_t key = (uint64_t)root + 1;
    struct block_reason *kept = map_get(&finder->reasons, key);
    if (!reason.why || (kept && (reason.is_cut || !kept->is_cut))) return;
    if (!kept) kept = ARENA_NEW(finder->arena, struct block_reason);
    *kept = reason;
    map_put(&finder->reasons, key, kept);
}

static void add_element(struct block_finder *finder, struct found_block *block, int64_t element,
                        struct moves moves) {
    assert(block->elements.count == block->moves.count);
    assert(!block->elements.count == !moves.cell_of); /* only the first one stays where it is */
    VEC_PUSH(finder->arena, &block->elements, element);
    VEC_PUSH(finder->arena, &block->moves, moves);
    block->is_tried |= moves.is_tried;
}

/* Puts an element into the first block whose elements it may change places with, or makes one. */
static void place_element(struct block_finder *finder, uint32_t root, uint32_t first,
                          int64_t element, bool is_held) {
    struct block_reason reason = {0};
    struct moves moves = {0};
    for (uint32_t i = first; i < finder->blocks.count; i++) {
        struct found_block *block = &finder->blocks.items[i];
        struct name_exchange exchange = {.sorts = &finder->sorts,
                                         .root = root,
                                         .left = block->elements.items[0],
                                         .right = element};
        if (!is_uncut(&finder->sorts, root, exchange.left, element, &reason)) continue;
        if (!try_exchange(finder, &exchange, NULL, &moves, &reason)) {
            note_reason(finder, root, reason);
            continue;
        }
        block->is_idle = !is_held && !moves_anything(finder, &moves);
        add_element(finder, block, element, moves);
        return;
    }
    note_reason(finder, root, reason);
    struct found_block fresh = {.root = root, .is_idle = !is_held};
    add_element(finder, &fresh, element, (struct moves){0});
    VEC_PUSH(finder->arena, &finder->blocks, fresh);
}

static void find_sort(struct block_finder *finder, uint32_t root, bool is_held) {
    numbers elements = {0};
    if (!find_elements(finder, root, &elements)) {
        note_reason(finder, root, (struct block_reason){.why = "it has more than 64 values"});
        return;
    }
    uint32_t first = finder->blocks.count;
    for (uint32_t i = 0; i < elements.count; i++)
        place_element(finder, root, first, elements.items[i], is_held);
}

/* ---- what slots hold ---- */

struct holding {
    struct block_finder *finder;
    bool *is_held;
};

static void note_held(void *context, const struct cell_path *path) {
    const struct holding *holding = context;
    const struct network *network = holding->finder->network;
    int64_t offset;
    note_occurrence(holding->finder, path->leaf, network->cells[path->address]);
    if (network->slot_of[path->address] != NO_SLOT)
        holding->is_held[sort_find(&holding->finder->sorts, path->leaf, &offset)] = true;
}

static void hold_symbols(struct holding *holding, struct symbol *const *symbols,
                         const struct binding *bindings, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct sort_tree *tree =
            symbols[i] ? map_get(&holding->finder->sorts.trees, map_key(symbols[i])) : NULL;
        if (tree) walk_cells(&holding->finder->sorts, tree, &bindings[i], note_held, holding);
    }
}

/* By variable: whether it is the root of values that slots have. */
static bool *find_held(struct block_finder *finder) {
    const struct network *network = finder->network;
    struct holding holding = {finder,
                              ARENA_ARRAY(finder->arena, bool, finder->sorts.variables.count + 1)};
    hold_symbols(&holding, network->model->symbols, network->globals, network->model->symbol_count);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        hold_symbols(&holding, process->template->symbols, process->locals,
                     process->template->symbol_count);
    }
    return holding.is_held;
}

/* ---- copies ---- */

/* Processes that some exchange of names moves are told apart by these. */
static bool *find_moved(const struct block_finder *finder) {
    bool *is_moved = ARENA_ARRAY(finder->arena, bool, finder->network->process_count + 1);
    for (uint32_t i = 0; i < finder->blocks.count; i++) {
        const struct found_block *block = &finder->blocks.items[i];
        for (uint32_t k = 1; k < block->moves.count; k++)
            for (uint32_t p = 0; p < finder->network->process_count; p++)
                is_moved[p] |= block->moves.items[k].process_of[p] != p;
    }
    return is_moved;
}

static void place_copy(struct block_finder *finder, uint32_t first, uint32_t process) {
    const struct network *network = finder->network;
    struct name_exchange exchange = {.sorts = &finder->sorts, .root = NO_SLOT};
    struct block_reason reason;
    struct moves moves;
    for (uint32_t i = first; i < finder->blocks.count; i++) {
        struct found_block *block = &finder->blocks.items[i];
        uint32_t pair[] = {(uint32_t)block->elements.items[0], process};
        if (block->root != NO_SLOT ||
            network->processes[pair[0]].template != network->processes[process].template ||
            block->elements.count == MAX_COPIES)
            continue;
        assert(pair[0] < process && block->root == NO_SLOT);
        if (!try_exchange(finder, &exchange, pair, &moves, &reason)) continue;
        block->is_idle = false;
        add_element(finder, block, process, moves);
        return;
    }
    struct found_block fresh = {.root = NO_SLOT};
    add_element(finder, &fresh, process, (struct moves){0});
    VEC_PUSH(finder->arena, &finder->blocks, fresh);
}

static void find_copies(struct block_finder *finder) {
    const bool *is_moved = find_moved(finder);
    uint32_t first = finder->blocks.count;
    for (uint32_t p = 0; p < finder->network->process_count; p++)
        if (!is_moved[p]) place_copy(finder, first, p);
}

void find_blocks(struct block_finder *finder) {
    struct sorts *sorts = &finder->sorts;
    const bool *is_held = find_held(finder);
    for (uint32_t i = 0; i < sorts->literal_list.count; i++)
        note_occurrence(finder, sorts->literal_list.items[i]->variable,
                        sorts->literal_list.items[i]->value);
    finder->none = (struct name_exchange){.sorts = sorts, .root = NO_SLOT};
    finder->plain = (struct model_text){.arena = finder->arena, .exchange = &finder->none};
    write_all(finder, &finder->plain);
    assert(!finder->plain.difference); /* from nothing */
    finder->text_size = 1000 + finder->network->cell_count +
                        (uint64_t)finder->network->process_count * finder->network->process_count;
    for (uint32_t i = 0; i < finder->plain.units.count; i++)
        finder->text_size += strlen(finder->plain.units.items[i].text);
    for (uint32_t i = 1; i < sorts->variables.count; i++)
        if (sorts->variables.items[i].parent == i && !sorts->variables.items[i].broken)
            find_sort(finder, i, is_held[i]);
    uint32_t count = 0;
    for (uint32_t i = 0; i < finder->blocks.count; i++)
        if (finder->blocks.items[i].elements.count > 1 && !finder->blocks.items[i].is_idle)
            finder->blocks.items[count++] = finder->blocks.items[i];
    finder->blocks.count = count;
    find_copies(finder);
    count = 0;
    for (uint32_t i = 0; i < finder->blocks.count; i++)
        if (finder->blocks.items[i].elements.count > 1)
            finder->blocks.items[count++] = finder->blocks.items[i];
    finder->blocks.count = count;
}
