/* Runs that stay inside a predicate: cycles, deadlocks, idling. */
#include "explore/verdict/liveness_internal.h"

#include "base/clock.h"
#include "base/debug.h"
#include "explore/space/breadth.h"
#include "explore/successor/idle.h"
#include <assert.h>
#include <stdlib.h>

enum {
    TICK = 1 << 10,       /* expansions between looks at the clock */
    PATH_BUDGET = 100000, /* states that a nicer path may cost at least */
    EXPANDED = 1 << 7     /* bit of a colour that outlives the query: counted in the figures */
};

/* Of rows; from OPEN on they were entered. */
enum colour { UNSEEN, OUTSIDE, INSIDE, OPEN, DONE, BAD };

/* A state on the stack; its successors that are left to enter are the last ones pending. */
struct entered_state {
    uint32_t row, left;
};

/* Limits */

void liveness_cut(struct liveness *live, enum search_limit limit) {
    live->is_cut = true;
    if (live->search->limit == LIMIT_NONE) live->search->limit = limit;
}

void liveness_stop(struct liveness *live, enum search_limit limit) {
    liveness_cut(live, limit);
    live->is_stopped = true;
}

void liveness_note(struct liveness *live) {
    if (live->ledger.limit != LIMIT_NONE) liveness_stop(live, live->ledger.limit);
    live->ledger.limit = LIMIT_NONE;
}

bool liveness_reserve(struct liveness *live, struct block *block, size_t need, size_t size) {
    bool is_fine = ledger_room(&live->ledger, &block->items, need, size, true);
    liveness_note(live);
    return is_fine;
}

/* Memory that the search for a cycle has taken is not left for the store. */
static void limit_store(struct liveness *live) {
    size_t most = live->ledger.max_size, used = live->ledger.used;
    if (most) live->search->store.size_limit = most > used ? most - used : 0;
}

static bool push_row(struct liveness *live, struct block *block, uint32_t row) {
    if (!liveness_reserve(live, block, block->count + 1, sizeof row)) return false;
    ((uint32_t *)block->items)[block->count++] = row;
    return true;
}

static void look_at_clock(struct liveness *live) {
    struct search *search = live->search;
    const struct search_options *options = &search->options;
    if (live->ticks++ % TICK) return;
    if (!machine_has_time(&live->expander->machine))
        liveness_stop(live, limit_of_machine(&live->expander->machine));
    double now = options->progress ? clock_seconds() : 0;
    if (!options->progress || now < search->next_progress) return;
    search->next_progress = now + 1;
    struct search_figures figures = {.states = store_count(&search->store),
                                     .queue = live->pending.count,
                                     .size = ledger_size(&live->ledger),
                                     .seconds = now - search->start};
    options->progress(options->context, &figures);
}

void liveness_init(struct liveness *live, struct search *search, struct expander *expander,
                   struct arena *arena) {
    *live = (struct liveness){.search = search,
                              .expander = expander,
                              .arena = arena,
                              .ledger = ledger_beside(search, &expander->machine)};
    live->state = layout_state(search->layout, NULL);
    live->words = layout_state(search->layout, NULL);
    live->horizon = atomic_load(&search->cursor);
    live->end_row = atomic_load(&search->store.next);
}

/* The search and the paths stay. */
void liveness_close(struct liveness *live) {
    free(live->state);
    free(live->words);
    LEDGER_GIVE(&live->ledger, live->colours.items, live->frames.items, live->pending.items);
    assert(!live->ledger.used);
    limit_store(live);
    if (live->ledger.peak > live->search->peak_size) live->search->peak_size = live->ledger.peak;
}

/* States */

static enum colour colour_get(const struct liveness *live, uint32_t row) {
    DEBUG_CHECK(assert(row < ledger_bytes(live->colours.items)));
    return ((const uint8_t *)live->colours.items)[row] & (EXPANDED - 1);
}

static void colour_set(struct liveness *live, uint32_t row, enum colour colour) {
    DEBUG_CHECK(assert(row < ledger_bytes(live->colours.items) && colour <= BAD));
    uint8_t *place = &((uint8_t *)live->colours.items)[row];
    *place = (uint8_t)((*place & EXPANDED) | colour);
}

bool liveness_holds(struct liveness *live, const struct watch *watch, const uint64_t *state) {
    struct machine *machine = &live->expander->machine;
    memcpy(live->words, state, live->expander->word_count * sizeof *state);
    enum outcome outcome = machine_ask(machine, &watch->unit, live->words);
    assert(outcome != RUN_OVERFLOW);
    if (outcome == RUN_LATE) liveness_stop(live, limit_of_machine(machine));
    if (outcome == RUN_FAULT && live->fault.kind == FAULT_NONE) live->fault = machine->fault;
    return outcome == RUN_TRUE;
}

uint32_t liveness_add(struct liveness *live, const uint64_t *state, uint64_t hash) {
    struct store *store = &live->search->store;
    uint32_t next = atomic_load(&store->next);
    bool is_new = false;
    if (!store_has_room(store, 1)) limit_store(live);
    if (!store_has_room(store, 1) && !store_reserve(store, 1)) {
        liveness_cut(live, next == store->max_rows ? LIMIT_STATES : LIMIT_MEMORY);
        if (!store->capacity) live->is_stopped = true;
        return NO_ROW;
    }
    if (!liveness_reserve(live, &live->colours, (size_t)next + 1, 1)) return NO_ROW;
    store_refill(store, &live->shelf, 1);
    uint32_t row = store_add(store, &live->shelf, state, hash, &is_new);
    assert(is_new && row == next);
    ledger_fits(&live->ledger, 0);
    return row;
}

/* The row of a state inside the predicate, or NO_ROW. */
static uint32_t admit(struct liveness *live, const uint64_t *state) {
    const struct store *store = &live->search->store;
    if (live->is_stopped) return NO_ROW;
    uint64_t hash = store_hash(store, state);
    uint32_t row = store_find(store, state, hash);
    if (row != STORE_FULL && colour_get(live, row) != UNSEEN)
        return colour_get(live, row) == OUTSIDE ? NO_ROW : row;
    bool is_inside = (!live->has_run || live->has_run(live->context, state)) &&
                     liveness_holds(live, live->inside, state);
    if (row == STORE_FULL && is_inside) row = liveness_add(live, state, hash);
    if (row == STORE_FULL) return NO_ROW;
    colour_set(live, row, is_inside ? INSIDE : OUTSIDE);
    return is_inside ? row : NO_ROW;
}

/* Ends the search if the expander met a limit. */
static bool stop_if_cut(struct liveness *live) {
    if (!expander_is_cut(live->expander)) return false;
    liveness_stop(live, expander_limit(live->expander));
    return true;
}

bool liveness_expand(struct liveness *live, uint32_t row) {
    look_at_clock(live);
    if (live->is_stopped) return false;
    store_load(&live->search->store, row, live->state);
    expander_clear(live->expander);
    if (expander_run(live->expander, live->state)) return true;
    if (!stop_if_cut(live)) live->is_stopped = live->has_overflowed = true;
    return false;
}

bool liveness_is_end(struct liveness *live, enum trace_end *end) {
    bool is_stuck = !expander_degree(live->expander);
    *end = is_stuck ? TRACE_DEADLOCK : TRACE_IDLE;
    if (is_stuck || !live->can_idle) return is_stuck;
    bool can_idle = expander_can_idle(live->expander);
    return !stop_if_cut(live) && can_idle;
}

/* Adds so many for each state of an orbit. */
static void count(struct search *search, uint64_t *sum, uint64_t size, uint64_t number) {
    uint64_t product;
    search->has_large_counts |= __builtin_mul_overflow(size, number, &product) ||
                                __builtin_add_overflow(*sum, product, sum);
}

/* Figures of states that the search did not get to. */
void liveness_count(struct liveness *live, uint32_t row) {
    struct search *search = live->search;
    const struct expander *expander = live->expander;
    assert(row < ledger_bytes(live->colours.items));
    uint8_t *colour = &((uint8_t *)live->colours.items)[row];
    if (row < live->horizon || *colour & EXPANDED) return;
    *colour |= EXPANDED;
    uint64_t size = 1;
    if (expander->program->canon) {
        store_load(&search->store, row, live->words);
        size = canon_orbit_size(&live->expander->canon, live->words);
        search->has_large_counts |= live->expander->canon.is_cut;
    }
    count(search, &search->transitions, size, expander_degree(expander));
    count(search, &search->deadlocks, size, !expander_degree(expander));
    count(search, &search->errors, size, expander->error_count);
    if (!expander->error_count || search->first_error.is_found) return;
    search->first_error = (struct found_state){true, row, expander->first_error};
    live->has_new_error = live->has_found_error = true;
    live->error_root = live->root;
}

/* The table entries of all successors. */
static void prefetch(const struct liveness *live) {
    const struct store *store = &live->search->store;
    const struct expander *expander = live->expander;
    for (uint32_t i = expander->first; i < expander->count; i++)
        store_prefetch(store, store_hash(store, expander_state(expander, i)));
}

/* The search for a run */

/* Expands a state and puts it on the stack; true if a run ends there or is closed to a loop. */
static bool enter(struct liveness *live, uint32_t row) {
    assert(colour_get(live, row) == INSIDE);
    if (!liveness_expand(live, row)) return false;
    struct expander *expander = live->expander;
    if (!liveness_reserve(live, &live->frames, live->frames.count + 1,
                          sizeof(struct entered_state)))
        return false;
    struct entered_state *frame =
        &((struct entered_state *)live->frames.items)[live->frames.count++];
    *frame = (struct entered_state){row, 0};
    colour_set(live, row, OPEN);
    live->visited++;
    liveness_count(live, row);
    if (live->visited % TICK == 0 &&
        !search_goes_on(live->search, store_count(&live->search->store) + live->visited))
        liveness_stop(live, LIMIT_NONE);
    if (liveness_is_end(live, &live->end)) return true;
    prefetch(live);
    for (uint32_t i = expander->count; i-- > expander->first;) { /* the first will be on top */
        uint32_t next = admit(live, expander_state(expander, i));
        if (next == NO_ROW) continue;
        enum colour colour = colour_get(live, next);
        live->end = TRACE_LOOP;
        live->entry = next;
        if (colour == OPEN || colour == BAD) return true;
        if (colour == DONE) continue;
        if (!push_row(live, &live->pending, next)) return false;
        frame->left++;
    }
    return false;
}

/* Whether a run starts in a row that was not entered yet. Then all states on the stack are bad. */
static bool find_run(struct liveness *live, uint32_t root) {
    assert(!live->frames.count && !live->pending.count);
    live->root = root;
    bool is_found = enter(live, root);
    const uint32_t *pending = live->pending.items;
    while (!is_found && !live->is_stopped && live->frames.count) {
        struct entered_state *top =
            &((struct entered_state *)live->frames.items)[live->frames.count - 1];
        if (!top->left) {
            colour_set(live, top->row, DONE);
            live->frames.count--;
            continue;
        }
        top->left--;
        assert(live->pending.count); /* what is left of all frames is pending */
        uint32_t row = pending[--live->pending.count];
        if (colour_get(live, row) == INSIDE) is_found = enter(live, row);
        pending = live->pending.items;
    }
    const struct entered_state *frames = live->frames.items;
    for (size_t i = 0; i < live->frames.count && is_found; i++)
        colour_set(live, frames[i].row, BAD);
    live->frames.count = live->pending.count = 0;
    return is_found;
}

bool liveness_begin(struct liveness *live, const struct watch *inside) {
    size_t rows = atomic_load(&live->search->store.next);
    live->inside = inside;
    live->visited = 0;
    live->is_cut = live->is_stopped = false;
    live->fault = (struct fault){0};
    if (!live->search->store.capacity || !liveness_reserve(live, &live->colours, rows, 1)) {
        liveness_stop(live, LIMIT_MEMORY);
        return false;
    }
    uint8_t *colours = live->colours.items;
    for (size_t i = 0; i < rows; i++) colours[i] &= EXPANDED;
    return true;
}

enum liveness_outcome liveness_outcome_of(const struct liveness *live, bool is_found) {
    if (live->has_overflowed) return LIVENESS_OVERFLOW;
    if (is_found) return LIVENESS_RUN;
    if (live->fault.kind != FAULT_NONE) return LIVENESS_FAULT;
    return live->is_cut ? LIVENESS_LIMIT : LIVENESS_NONE;
}

/* Paths */

/* A way through states inside the predicate. */
struct route {
    uint32_t from, to;  /* to may be NO_ROW */
    bool stops_at_ends; /* any end will do, too */
    bool is_narrow;     /* through states that were entered only */
    enum trace_end end; /* where it goes: TRACE_LOOP = to */
    struct row_path path;
};

struct ways {
    struct block before; /* by row: the row before plus one, 0 = not seen */
    struct block queue;
};

static void trace_back(struct liveness *live, const struct ways *ways, uint32_t row,
                       struct route *route) {
    const uint32_t *before = ways->before.items;
    bool is_to = route->end == TRACE_LOOP;
    uint32_t length = 1;
    for (uint32_t at = row; at != route->from; at = before[at] - 1, length++) assert(before[at]);
    route->path.count = length + is_to;
    route->path.rows = ARENA_ARRAY(live->arena, uint32_t, route->path.count);
    if (is_to) route->path.rows[length] = route->to;
    for (uint32_t at = row; at != route->from; at = before[at] - 1) route->path.rows[--length] = at;
    route->path.rows[0] = route->from;
}

/* Adds successors of a row to the queue; true if there is the goal. */
static bool spread(struct liveness *live, struct ways *ways, uint32_t row, struct route *route) {
    const struct expander *expander = live->expander;
    const struct store *store = &live->search->store;
    for (uint32_t i = expander->first; i < expander->count; i++) {
        const uint64_t *state = expander_state(expander, i);
        uint32_t next = route->is_narrow ? store_find(store, state, store_hash(store, state))
                                         : admit(live, state);
        if (next == NO_ROW || (route->is_narrow && colour_get(live, next) < OPEN)) continue;
        if (next == route->to) return true;
        if (!liveness_reserve(live, &ways->before, (size_t)next + 1, sizeof(uint32_t)))
            return false;
        uint32_t *before = ways->before.items;
        if (before[next] || next == route->from) continue;
        before[next] = row + 1;
        if (!push_row(live, &ways->queue, next)) return false;
    }
    return false;
}

/* Breadth first, over at most so many states. */
static bool find_route(struct liveness *live, struct route *route, uint64_t budget) {
    struct ways ways = {0};
    bool is_found = false;
    bool is_fine = push_row(live, &ways.queue, route->from);
    for (size_t head = 0; is_fine && !is_found && head < ways.queue.count && budget-- > 0; head++) {
        uint32_t row = ((const uint32_t *)ways.queue.items)[head];
        if (!liveness_expand(live, row)) break;
        is_found = route->stops_at_ends && liveness_is_end(live, &route->end);
        if (!is_found) {
            route->end = TRACE_LOOP;
            is_found = spread(live, &ways, row, route);
        }
        is_fine = !live->is_stopped;
        if (is_found) trace_back(live, &ways, row, route);
    }
    LEDGER_GIVE(&live->ledger, ways.before.items, ways.queue.items);
    return is_found;
}

/* A limit that only the search for a path has met is none of the answer. */
static bool find_short_route(struct liveness *live, struct route *route) {
    enum search_limit limit = live->search->limit;
    bool is_cut = live->is_cut;
    route->is_narrow = false;
    uint64_t budget = live->search->is_complete ? UINT64_MAX : live->visited * 2 + PATH_BUDGET;
    bool is_found = find_route(live, route, budget);
    if (!is_found && !live->has_overflowed && live->search->store.capacity) {
        live->is_stopped = false;
        route->is_narrow = true;
        is_found = find_route(live, route, UINT64_MAX);
    }
    live->is_cut = is_cut;
    live->search->limit = limit;
    return is_found;
}

bool liveness_path(struct liveness *live, struct row_path *path, enum trace_end *end,
                   uint32_t *loop) {
    if (live->root == NO_ROW) return false;
    struct route way = {.from = live->root, .to = NO_ROW, .stops_at_ends = true, .end = TRACE_LOOP};
    if (live->end == TRACE_LOOP) way.to = live->entry;
    if (way.to == way.from) {
        way.path = (struct row_path){ARENA_ARRAY(live->arena, uint32_t, 1), 1};
        way.path.rows[0] = way.from;
    } else if (!find_short_route(live, &way)) {
        return false;
    }
    assert(way.path.count && way.path.rows[0] == live->root);
    *path = way.path;
    *end = way.end;
    *loop = way.path.count - 1;
    if (way.end != TRACE_LOOP) return true;
    struct route round = {.from = way.to, .to = way.to};
    if (!find_short_route(live, &round)) return false;
    path->count = way.path.count + round.path.count - 1;
    path->rows = ARENA_ARRAY(live->arena, uint32_t, path->count);
    memcpy(path->rows, way.path.rows, way.path.count * sizeof(uint32_t));
    memcpy(path->rows + *loop, round.path.rows, round.path.count * sizeof(uint32_t));
    assert(*loop + 1 < path->count && path->rows[path->count - 1] == path->rows[*loop]);
    return true;
}

/* How an error is reached that was met on the way. */
static void keep_error_path(struct liveness *live) {
    if (!live->has_new_error) return;
    live->has_new_error = false;
    if (!live->wants_runs || live->has_overflowed) return;
    struct route route = {.from = live->error_root, .to = live->search->first_error.row};
    live->error_path = (struct row_path){ARENA_ARRAY(live->arena, uint32_t, 1), 1};
    live->error_path.rows[0] = route.from;
    if (route.from == route.to) return;
    bool is_stopped = live->is_stopped;
    live->is_stopped = false;
    live->error_path.count = 0;
    if (find_short_route(live, &route)) live->error_path = route.path;
    live->is_stopped = is_stopped;
}

/* Queries */

enum liveness_outcome liveness_from_start(struct liveness *live, const struct watch *inside) {
    if (live->fair) return liveness_find_fair(live, NULL, inside);
    if (!liveness_begin(live, inside)) return LIVENESS_LIMIT;
    uint32_t root = admit(live, live->search->layout->initial);
    bool is_found = root != NO_ROW && find_run(live, root);
    keep_error_path(live);
    return liveness_outcome_of(live, is_found);
}

/* Whether a run starts in a row. */
static bool is_root(struct liveness *live, const struct watch *from, uint32_t row) {
    store_load(&live->search->store, row, live->state);
    if (!liveness_holds(live, from, live->state) || admit(live, live->state) == NO_ROW)
        return false;
    enum colour colour = colour_get(live, row);
    assert(colour == INSIDE || colour == DONE || colour == BAD);
    return colour == BAD || (colour == INSIDE && find_run(live, row));
}

enum liveness_outcome liveness_from_row(struct liveness *live, const struct watch *inside,
                                        uint32_t root) {
    enum search_limit limit = live->search->limit;
    bool is_found = liveness_begin(live, inside);
    if (is_found) {
        colour_set(live, root, INSIDE);
        is_found = find_run(live, root);
    }
    live->search->limit = limit;
    if (!is_found) live->root = NO_ROW; /* out of time or memory, or of a field */
    assert(is_found || live->is_stopped);
    return liveness_outcome_of(live, true);
}

enum liveness_outcome liveness_from_states(struct liveness *live, const struct watch *from,
                                           const struct watch *inside) {
    const struct search *search = live->search;
    uint32_t best = NO_ROW, level = 0;
    if (live->fair) return liveness_find_fair(live, from, inside);
    if (!liveness_begin(live, inside)) return LIVENESS_LIMIT;
    if (!search->is_complete) live->is_cut = true;
    for (uint32_t row = store_skip(&search->store, 0); row < live->end_row && !live->is_stopped;
         row = store_skip(&search->store, row + 1)) {
        bool is_next = false;
        for (; level < search->level_count && row >= search->levels[level + 1]; level++)
            is_next = true;
        if (is_next && best != NO_ROW) break;
        look_at_clock(live);
        if (!is_root(live, from, row)) continue;
        if (best == NO_ROW || search_is_before(search, row, best)) best = row;
        if (!live->wants_runs) break;
    }
    keep_error_path(live);
    live->root = best;
    if (best == NO_ROW || live->has_overflowed || !live->wants_runs)
        return liveness_outcome_of(live, best != NO_ROW);
    /* Once more, so that the run does not depend on what was visited before. */
    return liveness_from_row(live, inside, best);
}
