/* Prepares sets of states and runs two orders of the fields in turns. */
#include "explore/symbolic/symbolic.h"

#include "explore/symbolic/order.h"

#include <assert.h>

enum {
    FIRST_STORES = 1 << 17,
    FEW_STORES = 32,
    COLLECTED = 1 << 23, /* for tests: nodes and results in collections */
    FEW_MET = 1 << 11,   /* vectors that become known together, at first, */
    TESTED_MET = 8,      /* and at most so many for tests */
    FEW_FIELDS = 6,      /* of a broadcast that is fine as it is */
    SAMPLE = 2048,       /* states that tell whether sets of them are small: */
    DENSE = 2,           /* of the first states so many have a node; in the middle one is enough */
    FEW_VECTORS = 128,   /* results for each, where steps are regular */
    FEW_NODES = 16,      /* results for each new one, where steps add hardly any */
    SOME_VECTORS = 18,   /* where there are fewer, much of the work is to look at vectors */
    NEW_PART = 2,        /* of the results: so many new nodes, where sets share little */
    FAVOURED = 2,        /* orders that are in front at first */
    FAVOUR = 4,          /* so many times the work of the others is for those in front */
    NEARER_PART = 10,    /* of the heights at which steps begin: so much is clear */
    FIRST_LEVEL = 17,    /* from so many doublings of results on one is in front */
    MAX_COLLECTIONS = 8, /* tries to go on where memory has ended */
    SPARE_PART = 4       /* so much of the nodes must be free then */
};

static void shuffle_fields(uint32_t *fields, uint32_t count, uint64_t seed) {
    for (uint32_t i = count; i > 1; i--) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t other = (uint32_t)(seed >> 33) % i, last = fields[i - 1];
        fields[i - 1] = fields[other];
        fields[other] = last;
    }
}

/* An order, and the same from the other end. First the one in which steps begin nearer to the root:
 * what is below them is shared, and stays closed. */
static void add_order(struct symbolic *symbolic, uint32_t *fields, uint32_t bound) {
    assert(symbolic->order_count + 2 <= SYMBOLIC_ORDERS);
    struct arena *arena = &symbolic->arena;
    uint32_t count = symbolic->field_count, first = symbolic->order_count;
    uint32_t *reversed = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) reversed[i] = fields[count - 1 - i];
    uint64_t most = (uint64_t)count * symbolic->groups.items.count;
    uint64_t height = most - order_depth(arena, fields, count, bound, &symbolic->groups);
    uint64_t other = most - order_depth(arena, reversed, count, bound, &symbolic->groups);
    bool is_other = other > height + height / NEARER_PART;
    symbolic->fields[first] = is_other ? reversed : fields;
    symbolic->fields[first + 1] = is_other ? fields : reversed;
    symbolic->is_reverse[first + 1] = is_other || height > other + other / NEARER_PART;
    symbolic->order_count += 2;
}

static void find_orders(struct symbolic *symbolic, uint32_t *fields, uint32_t bound) {
    struct arena *arena = &symbolic->arena;
    uint32_t *near = ARENA_ARRAY(arena, uint32_t, bound);
    uint32_t *whole = ARENA_ARRAY(arena, uint32_t, bound);
    if (symbolic->shuffle) {
        shuffle_fields(fields, symbolic->field_count, symbolic->shuffle);
        add_order(symbolic, fields, bound);
        return;
    }
    bool has_whole =
        order_fields(arena, fields, symbolic->field_count, bound, &symbolic->groups, near, whole);
    if (has_whole) add_order(symbolic, whole, bound);
    add_order(symbolic, near, bound);
}

const char *symbolic_init(struct symbolic *symbolic, const struct search *search,
                          struct ldd_limits limits, uint64_t shuffle, bool has_stages,
                          const uint32_t *told) {
    uint32_t most = shuffle ? 0 : FEW_FIELDS;
    const struct program *program = search->program;
    *symbolic = (struct symbolic){.search = search, .limits = limits, .shuffle = shuffle};
    arena_init(&symbolic->arena);
    uint32_t bound = committed_field(program->layout) + 1;
    uint32_t *fields = ARENA_ARRAY(&symbolic->arena, uint32_t, bound);
    symbolic->field_count = levels_list_fields(program, fields);
    if (levels_needed(program, fields, symbolic->field_count) > LEVELS_MAX)
        return "its states are too large";
    const char *problem = groups_init(&symbolic->groups, &symbolic->arena, program, limits.deadline,
                                      has_stages ? most : UINT32_MAX, shuffle % 2 ? NULL : told);
    if (problem || symbolic->groups.is_late) return problem;
    find_orders(symbolic, fields, bound);
    return NULL;
}

static void close_reach(struct symbolic *symbolic, uint32_t order) {
    if (!symbolic->is_open[order]) return;
    symbolic->made += symbolic->reaches[order].ldd.made;
    reach_close(&symbolic->reaches[order]);
    symbolic->is_open[order] = false;
}

/* Memory is for all orders that are not given up. */
static struct ldd_limits limits_of(const struct symbolic *symbolic, uint64_t stores) {
    assert(symbolic->given_up_count < symbolic->order_count);
    struct ldd_limits limits = symbolic->limits;
    limits.max_size /= symbolic->order_count - symbolic->given_up_count;
    limits.stores = stores;
    return limits;
}

static void note_size(struct symbolic *symbolic) {
    size_t size = 0;
    for (uint32_t i = 0; i < SYMBOLIC_ORDERS; i++)
        if (symbolic->is_open[i]) size += symbolic->reaches[i].ldd.peak_size;
    if (size > symbolic->peak_size) symbolic->peak_size = size;
}

/* Runs one order up to so many stores in all; where memory ends, as long as a collection gives some
 * back. */
static bool run_order(struct symbolic *symbolic, uint32_t order, uint64_t stores) {
    struct reach *reach = &symbolic->reaches[order];
    struct ldd *ldd = &reach->ldd;
    symbolic->before[order] = (struct symbolic_work){reach->vectors, ldd->stores};
    for (int round = 0; round < MAX_COLLECTIONS; round++) {
        ldd_resume(ldd, limits_of(symbolic, stores));
        if (reach_run(reach)) return true;
        note_size(symbolic);
        if (ldd->end != LDD_MEMORY || reach->overflows.count || reach->is_forked) return false;
        ldd_collect(ldd);
        if (ldd->used > ldd->capacity - ldd->capacity / SPARE_PART) return false;
    }
    return false;
}

static void open_reach(struct symbolic *symbolic, uint32_t order) {
    assert(!symbolic->is_open[order]);
    struct reach *reach = &symbolic->reaches[order];
    reach_init(reach, symbolic->search->program, &symbolic->groups, symbolic->fields[order],
               symbolic->field_count, symbolic->limits);
    reach->ldd.spare_work = symbolic->shuffle ? COLLECTED : 0;
    reach->closer.few_met = symbolic->shuffle ? 1 + symbolic->shuffle % TESTED_MET : FEW_MET;
    reach->expander.machine.deadline = symbolic->limits.deadline;
    symbolic->is_open[order] = true;
}

/* The reason why an order has ended for good, or SYMBOLIC_DONE if only its turn is over. */
static enum symbolic_end end_of(struct symbolic *symbolic, uint32_t order) {
    const struct reach *reach = &symbolic->reaches[order];
    const struct machine *machine = &reach->expander.machine;
    static const enum search_limit limits[] = {[LDD_MEMORY] = LIMIT_MEMORY,
                                               [LDD_STORES] = LIMIT_NONE,
                                               [LDD_TIME] = LIMIT_TIME,
                                               [LDD_INTERRUPT] = LIMIT_INTERRUPT};
    if (reach->is_forked) return SYMBOLIC_FORKED;
    if (reach->overflows.count) {
        symbolic->overflows = reach->overflows.items;
        symbolic->overflow_count = reach->overflows.count;
        return SYMBOLIC_OVERFLOW;
    }
    symbolic->limit = limits[reach->ldd.end];
    if (reach->closer.is_ended)
        symbolic->limit = machine->is_late ? limit_of_machine(machine) : LIMIT_MEMORY;
    if (machine->is_too_long) symbolic->too_long = machine->fault.span;
    return symbolic->limit == LIMIT_NONE ? SYMBOLIC_DONE : SYMBOLIC_LIMIT;
}

/* The states are there: the other order is of no use any more. */
static void take(struct symbolic *symbolic, uint32_t order) {
    assert(symbolic->is_open[order] && symbolic->reaches[order].states != LDD_NONE);
    note_size(symbolic);
    symbolic->reach = &symbolic->reaches[order];
    for (uint32_t i = 0; i < symbolic->order_count; i++)
        if (i != order) close_reach(symbolic, i);
    ldd_resume(&symbolic->reach->ldd, symbolic->limits);
}

/* Whether an order met so many short vectors in its last turn that looking at them was a large part
 * of the work. */
static bool is_order_learning(const struct symbolic *symbolic, uint32_t order) {
    const struct reach *reach = &symbolic->reaches[order];
    const struct symbolic_work *before = &symbolic->before[order];
    return reach->ldd.stores - before->stores < (reach->vectors - before->vectors) * SOME_VECTORS;
}

static void note_met(struct symbolic *symbolic, uint32_t order, uint64_t stores) {
    uint32_t level = 0;
    while (stores >>= 1) level++;
    assert(level < SYMBOLIC_LEVELS);
    symbolic->levels[order] = level;
    symbolic->met[order][level] = symbolic->reaches[order].vectors;
}

/* All orders meet the same short vectors before they are done. The one that has met most of them
 * with as many results as others will probably be first. An order is never in front if its reverse
 * is clearly better. */
static bool is_in_front(const struct symbolic *symbolic, uint32_t order) {
    uint32_t level = symbolic->levels[order];
    uint64_t own = symbolic->met[order][level];
    if (symbolic->is_reverse[order]) return false;
    if (level < FIRST_LEVEL) return order < FAVOURED;
    for (uint32_t i = 0; i < symbolic->order_count; i++) {
        uint64_t met = symbolic->met[i][level];
        if (symbolic->is_given_up[i] || symbolic->is_reverse[i]) continue;
        if (met > own || (met == own && i < order)) return false;
    }
    return true;
}

static void give_up(struct symbolic *symbolic, uint32_t order) {
    close_reach(symbolic, order);
    symbolic->is_given_up[order] = true;
    symbolic->given_up_count++;
}

/* Where results that are needed again no longer fit, orders do the same work over and over. The
 * last one, of those that are not in front if there are some, leaves its memory to the others. */
static void make_room(struct symbolic *symbolic) {
    uint32_t last = 0;
    bool is_behind = false;
    if (symbolic->given_up_count + 1 >= symbolic->order_count) return;
    for (uint32_t i = 0; i < symbolic->order_count; i++) {
        bool is_first = is_in_front(symbolic, i);
        if (symbolic->is_given_up[i] || (is_first && is_behind)) continue;
        is_behind = !is_first;
        last = i;
    }
    give_up(symbolic, last);
    symbolic->has_left[last] = true;
}

/* Takes up an order again that left its memory to others, as these did not fit either. False if
 * there is none. */
static bool take_up_again(struct symbolic *symbolic) {
    for (uint32_t i = 0; i < symbolic->order_count; i++) {
        if (!symbolic->has_left[i]) continue;
        symbolic->has_left[i] = symbolic->is_given_up[i] = false;
        symbolic->given_up_count--;
        return true;
    }
    return false;
}

/* One turn of each order; true if nothing is left to try. Another order would look at the same
 * short vectors: while that is what an order does, those after it wait. */
static bool run_turns(struct symbolic *symbolic, uint64_t stores, enum symbolic_end *end) {
    for (uint32_t order = 0; order < symbolic->order_count; order++) {
        if (symbolic->is_given_up[order]) continue;
        if (!symbolic->is_open[order]) open_reach(symbolic, order);
        uint64_t share = is_in_front(symbolic, order) ? stores : stores / FAVOUR;
        if (share <= symbolic->reaches[order].ldd.stores) continue;
        if (run_order(symbolic, order, share)) {
            take(symbolic, order);
            *end = SYMBOLIC_DONE;
            return true;
        }
        *end = end_of(symbolic, order);
        if (*end == SYMBOLIC_DONE) {
            note_met(symbolic, order, share);
            if (symbolic->reaches[order].ldd.lacks_room) make_room(symbolic);
            if (symbolic->is_open[order] && is_order_learning(symbolic, order)) break;
            continue;
        }
        if (*end >= SYMBOLIC_OVERFLOW || symbolic->limit != LIMIT_MEMORY) return true;
        give_up(symbolic, order);
        bool was_last = symbolic->given_up_count == symbolic->order_count;
        if (was_last && !take_up_again(symbolic)) return true;
    }
    return false;
}

/* Results for each order, in all, after one more turn. The first one is half of what there is, so
 * that the second one tells what is still new. */
static uint64_t next_turn(const struct symbolic *symbolic, uint64_t most) {
    uint64_t first =
        symbolic->shuffle ? (uint64_t)FEW_STORES << symbolic->shuffle % 8 : FIRST_STORES;
    uint64_t next = symbolic->turn * 2;
    if (!symbolic->turn) return most > 1 && most < first ? most / 2 : first;
    if (next <= most && next * 2 > most) return most; /* the last turn */
    return symbolic->turn < first && next > first ? first : next;
}

bool symbolic_run(struct symbolic *symbolic, uint64_t most, enum symbolic_end *end) {
    assert(!symbolic->reach);
    if (symbolic->groups.is_late) {
        symbolic->limit = limit_of_time();
        *end = SYMBOLIC_LIMIT;
        return true;
    }
    for (;;) {
        uint64_t next = next_turn(symbolic, most);
        assert(next > symbolic->turn);
        if (most && next > most) return false;
        symbolic->turn = next;
        if (run_turns(symbolic, next, end)) return true;
    }
}

bool symbolic_is_growing(const struct symbolic *symbolic) {
    for (uint32_t i = 0; i < symbolic->order_count; i++) {
        const struct ldd *ldd = &symbolic->reaches[i].ldd;
        if (symbolic->is_open[i] && ldd->made * NEW_PART < ldd->stores) return false;
    }
    return true;
}

uint64_t symbolic_vectors(const struct symbolic *symbolic) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < symbolic->order_count; i++)
        if (symbolic->is_open[i] && symbolic->reaches[i].vectors > most)
            most = symbolic->reaches[i].vectors;
    return most;
}

bool symbolic_is_regular(const struct symbolic *symbolic) {
    for (uint32_t i = 0; i < symbolic->order_count; i++) {
        const struct reach *reach = &symbolic->reaches[i];
        if (!symbolic->is_open[i]) continue;
        if (reach->ldd.made * FEW_NODES < reach->ldd.stores) return true;
        if (reach->vectors * FEW_VECTORS < reach->ldd.stores) return !symbolic_is_growing(symbolic);
    }
    return false;
}

static bool is_learning(const struct symbolic *symbolic) {
    for (uint32_t i = 0; i < symbolic->order_count; i++)
        if (symbolic->is_open[i] && !is_order_learning(symbolic, i)) return false;
    return true;
}

/* The fields of an order that have bits in another layout of the same network. */
static uint32_t fields_in(const struct symbolic *symbolic, uint32_t order,
                          const struct layout *layout, uint32_t *fields) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < symbolic->field_count; i++) {
        uint32_t field = symbolic->fields[order][i];
        bool is_stored =
            field == committed_field(layout) ||
            (layout->fields[field].mask && layout->fields[field].word < layout->stored_words);
        if (is_stored) fields[count++] = field;
    }
    return count;
}

/* The set of the states from a row on. */
static uint32_t sample(struct ldd *ldd, const struct levels *levels, const struct search *search,
                       uint32_t first, struct arena *arena) {
    struct set_rows rows = {.length = levels->count};
    struct level_state point = {ARENA_ARRAY(arena, uint64_t, search->layout->word_count + 1), 0};
    for (uint32_t row = first; row < first + SAMPLE; row++) {
        store_load(&search->store, row, point.words);
        point.committed = count_committed(search->program, point.words);
        levels_vector(levels, &point, set_rows_add(&rows));
    }
    uint32_t set = set_of_rows(ldd, &rows);
    set_rows_close(&rows);
    return set;
}

static uint32_t count_sample(const struct symbolic *symbolic, uint32_t order,
                             const struct search *search, uint32_t first) {
    struct ldd ldd;
    struct arena arena;
    struct levels levels;
    arena_init(&arena);
    uint32_t *fields = ARENA_ARRAY(&arena, uint32_t, symbolic->field_count + 1);
    uint32_t count = fields_in(symbolic, order, search->layout, fields);
    levels_init(&levels, &arena, search->program, fields, count);
    ldd_init(&ldd, (struct ldd_limits){0});
    ldd_hold(&ldd, sample(&ldd, &levels, search, first, &arena));
    ldd_collect(&ldd);
    uint32_t used = ldd.used;
    ldd_close(&ldd);
    arena_close(&arena);
    return used;
}

/* The first states may be alike because one state has all of them as successors. */
bool symbolic_is_dense(const struct symbolic *symbolic, const struct search *search) {
    uint32_t order = 0, rows = atomic_load(&search->store.next);
    assert(symbolic->search->network == search->network);
    while (order < symbolic->order_count && !symbolic->is_open[order]) order++;
    if (order == symbolic->order_count || rows < SAMPLE || is_learning(symbolic) ||
        symbolic_is_growing(symbolic))
        return false;
    return (uint64_t)count_sample(symbolic, order, search, 0) * DENSE <= SAMPLE &&
           (rows / 2 < SAMPLE || count_sample(symbolic, order, search, rows / 2) <= SAMPLE);
}

uint64_t symbolic_nodes(const struct symbolic *symbolic, size_t *size) {
    uint64_t nodes = 0;
    *size = 0;
    for (uint32_t i = 0; i < SYMBOLIC_ORDERS; i++) {
        const struct ldd *ldd = &symbolic->reaches[i].ldd;
        nodes += symbolic->is_open[i] ? ldd->used : 0;
        *size += symbolic->is_open[i] ? ldd_size(ldd) : 0;
    }
    return nodes;
}

/* By all orders, also those that were given up. */
uint64_t symbolic_made(const struct symbolic *symbolic) {
    uint64_t made = symbolic->made;
    for (uint32_t i = 0; i < SYMBOLIC_ORDERS; i++)
        made += symbolic->is_open[i] ? symbolic->reaches[i].ldd.made : 0;
    return made;
}

/* Frees the sets of all orders that are still there. */
void symbolic_close(struct symbolic *symbolic) {
    for (uint32_t i = 0; i < SYMBOLIC_ORDERS; i++) close_reach(symbolic, i);
    arena_close(&symbolic->arena);
}
