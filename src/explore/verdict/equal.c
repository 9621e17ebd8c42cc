/* The states without these variables go into a store of their own, where equal ones have the same
 * row: their class. */
#include "explore/verdict/equal.h"

#include "explore/graph/ledger.h"
#include "explore/successor/idle.h"

#include <assert.h>
#include <stdlib.h>

struct numbers {
    uint32_t *items; /* heap */
    size_t count, capacity;
};

/* The successors of a state, and how it ends. */
struct outcome_of_state {
    struct numbers classes; /* of its successors, in their order */
    struct numbers steps;   /* the parts of each, likewise */
    uint64_t errors;
    bool can_idle;
};

struct equator {
    const struct search *search;
    struct expander *expander;
    struct ledger ledger; /* of memory beside the states of the search */
    struct store classes;
    uint64_t *masks, *words;   /* heap, by word: what is not of such a variable; a state */
    uint32_t *class_of;        /* by row; STORE_FULL = a gap; of the ledger, as the two below */
    uint32_t *rows, *first_of; /* the rows of each class one after the other, from the first on */
    struct outcome_of_state first, other;
};

static void push(struct numbers *numbers, uint32_t number) {
    if (numbers->count == numbers->capacity) {
        numbers->capacity = numbers->capacity ? numbers->capacity * 2 : 64;
        numbers->items = heap_resize(numbers->items, numbers->capacity, sizeof *numbers->items);
    }
    numbers->items[numbers->count++] = number;
}

static bool is_same(const struct numbers *left, const struct numbers *right) {
    return left->count == right->count &&
           (!left->count || !memcmp(left->items, right->items, left->count * sizeof *left->items));
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Makes the list ascending, with each number once. */
static void sort(struct numbers *numbers) {
    size_t kept = 0;
    if (numbers->count) qsort(numbers->items, numbers->count, sizeof *numbers->items, compare);
    for (size_t i = 0; i < numbers->count; i++)
        if (!kept || numbers->items[kept - 1] != numbers->items[i])
            numbers->items[kept++] = numbers->items[i];
    numbers->count = kept;
}

/* ---- classes ---- */

static void find_masks(struct equator *equator) {
    const struct layout *layout = equator->search->layout;
    for (uint32_t i = 0; i < layout->stored_words; i++) equator->masks[i] = ~UINT64_C(0);
    for (uint32_t i = 0; i < layout->network->slot_count; i++) {
        const struct packed *field = &layout->fields[i];
        if (layout->network->slots[i].is_persistent && !field->is_scratch)
            equator->masks[field->word] &= ~(field->mask << field->shift);
    }
}

static void mask(struct equator *equator, uint64_t *words) {
    for (uint32_t i = 0; i < equator->search->layout->stored_words; i++)
        words[i] &= equator->masks[i];
}

/* Of masked words; STORE_FULL at a limit. */
static uint32_t add_class(struct equator *equator) {
    struct store *store = &equator->classes;
    struct shelf shelf = {0, 0};
    uint64_t hash = store_hash(store, equator->words);
    uint32_t found = store_find(store, equator->words, hash);
    bool is_new;
    if (found != STORE_FULL) return found;
    if (!store_has_room(store, 1) && !store_reserve(store, STORE_RUN)) return STORE_FULL;
    store_refill(store, &shelf, 1);
    return store_add(store, &shelf, equator->words, hash, &is_new);
}

static bool classify(struct equator *equator) {
    const struct store *store = &equator->search->store;
    uint32_t end = atomic_load(&((struct store *)store)->next);
    equator->class_of = ledger_take(&equator->ledger, (size_t)end + 1, sizeof(uint32_t));
    equator->rows = ledger_take(&equator->ledger, (size_t)end + 1, sizeof(uint32_t));
    if (!equator->rows) return false;
    for (uint32_t row = 0; row < end; row++) equator->class_of[row] = STORE_FULL;
    if (!store_init(&equator->classes, equator->search->layout, ledger_left(&equator->ledger), 0))
        return false;
    for (uint32_t row = store_skip(store, 0); row < end; row = store_skip(store, row + 1)) {
        store_load(store, row, equator->words);
        mask(equator, equator->words);
        equator->class_of[row] = add_class(equator);
        if (equator->class_of[row] == STORE_FULL) return false;
    }
    return true;
}

/* ---- steps ---- */

/* False at a limit. */
static bool run(struct equator *equator, uint32_t row, struct outcome_of_state *outcome) {
    struct expander *expander = equator->expander;
    outcome->classes.count = outcome->steps.count = 0;
    expander_clear(expander);
    store_load(&equator->search->store, row, equator->words);
    if (!expander_run(expander, equator->words)) return false;
    outcome->errors = expander->error_count;
    outcome->can_idle = expander_can_idle(expander);
    for (uint32_t i = 0; i < expander_degree(expander); i++) {
        const struct step_record *record = &expander->records.items[i];
        memcpy(equator->words, expander_state(expander, expander->first + i),
               equator->search->layout->stored_words * sizeof *equator->words);
        mask(equator, equator->words);
        uint32_t found = store_find(&equator->classes, equator->words,
                                    store_hash(&equator->classes, equator->words));
        assert(found != STORE_FULL); /* the search was complete */
        push(&outcome->classes, found);
        push(&outcome->steps, record->part_count);
        for (uint32_t k = 0; k < record->part_count; k++)
            push(&outcome->steps, expander->parts.items[record->first_part + k]);
    }
    return !expander_is_cut(expander);
}

/* Sorts what has come of the other state. */
static void compare_outcomes(struct equator *equator, struct equal_states *equal) {
    struct outcome_of_state *first = &equator->first, *other = &equator->other;
    bool ends_alike = first->errors == other->errors && first->can_idle == other->can_idle;
    if (!ends_alike || !is_same(&first->classes, &other->classes) ||
        !is_same(&first->steps, &other->steps))
        equal->have_same_steps = false;
    assert(equal->transitions >= other->classes.count && equal->errors >= other->errors);
    equal->transitions -= other->classes.count;
    equal->deadlocks -= !other->classes.count;
    equal->errors -= other->errors;
    if (!ends_alike) equal->have_same_ends = false;
    if (!equal->have_same_ends || is_same(&first->classes, &other->classes)) return;
    struct numbers sorted = {0};
    for (size_t i = 0; i < first->classes.count; i++) push(&sorted, first->classes.items[i]);
    sort(&sorted);
    sort(&other->classes);
    equal->have_same_ends = is_same(&sorted, &other->classes);
    free(sorted.items);
}

/* By counting; false at a limit. */
static bool order_rows(struct equator *equator, uint32_t count, uint32_t classes) {
    uint32_t *first = ledger_take(&equator->ledger, (size_t)classes + 2, sizeof *first);
    equator->first_of = first;
    if (!first) return false;
    for (uint32_t row = 0; row < count; row++)
        if (equator->class_of[row] != STORE_FULL) first[equator->class_of[row] + 2]++;
    for (uint32_t i = 0; i < classes; i++) first[i + 2] += first[i + 1];
    for (uint32_t row = 0; row < count; row++)
        if (equator->class_of[row] != STORE_FULL)
            equator->rows[first[equator->class_of[row] + 1]++] = row;
    return true;
}

static bool compare_all(struct equator *equator, struct equal_states *equal) {
    struct store *store = (struct store *)&equator->search->store;
    uint32_t count = atomic_load(&store->next), classes = atomic_load(&equator->classes.next);
    bool is_fine = order_rows(equator, count, classes);
    for (uint32_t c = 0; c < classes && is_fine; c++) {
        uint32_t begin = equator->first_of[c], end = equator->first_of[c + 1];
        assert(begin < end);
        if (end - begin == 1) continue;
        equal->are_none = false;
        is_fine = run(equator, equator->rows[begin], &equator->first);
        for (uint32_t i = begin + 1; i < end && is_fine; i++) {
            is_fine = run(equator, equator->rows[i], &equator->other);
            if (is_fine) compare_outcomes(equator, equal);
        }
    }
    equal->states = classes;
    return is_fine;
}

static void free_outcome(struct outcome_of_state *outcome) {
    free(outcome->classes.items);
    free(outcome->steps.items);
}

bool equal_find(struct equal_states *equal, const struct search *search,
                struct expander *expander) {
    assert(search->is_complete);
    struct equator equator = {.search = search,
                              .expander = expander,
                              .ledger = ledger_beside(search, &expander->machine)};
    *equal = (struct equal_states){.are_none = true,
                                   .have_same_ends = true,
                                   .have_same_steps = true,
                                   .transitions = search->transitions,
                                   .deadlocks = search->deadlocks,
                                   .errors = search->errors};
    size_t words = search->layout->word_count;
    equator.masks = heap_resize(NULL, words + 1, sizeof(uint64_t));
    equator.words = heap_resize(NULL, words + 1, sizeof(uint64_t));
    expander->is_recording = true;
    find_masks(&equator);
    equator.ledger.stores[1] = &equator.classes;
    bool is_fine = classify(&equator) && compare_all(&equator, equal);
    if (!is_fine)
        equal->limit = expander_is_cut(expander) ? expander_limit(expander) : LIMIT_MEMORY;
    store_close(&equator.classes);
    free(equator.masks);
    free(equator.words);
    LEDGER_GIVE(&equator.ledger, equator.class_of, equator.rows, equator.first_of);
    free_outcome(&equator.first);
    free_outcome(&equator.other);
    return is_fine;
}
