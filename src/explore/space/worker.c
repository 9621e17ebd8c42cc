/* Expands rows of a level and stores what comes out. */
#include "explore/space/worker.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <assert.h>
#include <stdlib.h>

enum {
    RECENT_BITS = 14,     /* words of recent states */
    LEAST_LIST = 1 << 20, /* bytes of successors that are allowed in any case */
    RECENT_WORDS = 64,    /* of a state: of larger ones few are recent, and much is compared */
    DRAIN_COUNT = 96      /* successors that wait for their table entries */
};

/* Candidates */

/* Keeps the least state of the level. */
static void offer(struct worker *worker, struct found_state *candidate, uint32_t place,
                  struct fault fault) {
    assert(place <= worker->search->watch_count * 2);
    uint32_t count = worker->search->layout->stored_words;
    uint64_t *best = worker->best + (size_t)place * count;
    if (candidate->is_found) {
        uint32_t i = 0;
        while (i < count && best[i] == worker->state[i]) i++;
        if (i == count || best[i] < worker->state[i]) return;
    }
    memcpy(best, worker->state, count * sizeof *best);
    *candidate = (struct found_state){true, worker->row, fault};
}

static enum outcome look_at_bounds(struct worker *worker, struct watch *watch) {
    struct machine *machine = &worker->expander.machine;
    for (uint32_t i = 0; i < watch->expr_count; i++) {
        enum outcome outcome = machine_ask(machine, &watch->values[i], worker->state);
        if (outcome != RUN_TRUE) return outcome;
        int32_t value = machine->registers[0];
        struct bounds_of *bounds = &watch->bounds[i];
        if (!bounds->is_found || value < bounds->lower) bounds->lower = value;
        if (!bounds->is_found || value > bounds->upper) bounds->upper = value;
        bounds->is_found = true;
    }
    return RUN_TRUE;
}

/* Evaluates a watch; is_new: it found what must be seen in every state where it is. */
static enum outcome look_at_watch(struct worker *worker, uint32_t index, bool *is_new) {
    struct machine *machine = &worker->expander.machine;
    struct watch *watch = &worker->watches[index];
    enum outcome outcome = machine_ask(machine, &watch->unit, worker->state);
    *is_new = outcome == RUN_TRUE && watch->kind == WATCH_FIND;
    if (*is_new)
        offer(worker, &watch->found, index * 2, (struct fault){0});
    else if (outcome == RUN_TRUE)
        outcome = look_at_bounds(worker, watch);
    assert(outcome != RUN_OVERFLOW); /* nothing is written */
    if (outcome == RUN_FAULT) offer(worker, &watch->failed, index * 2 + 1, machine->fault);
    *is_new |= outcome == RUN_FAULT;
    return outcome;
}

/* False if it is late. */
static bool look_at_watches(struct worker *worker) {
    struct machine *machine = &worker->expander.machine;
    machine->is_stuck = !expander_degree(&worker->expander);
    for (uint32_t i = 0; i < worker->search->watch_count; i++) {
        struct watch *watch = &worker->watches[i];
        const struct predicate_cache *cache = &worker->caches[i];
        bool is_used = predicate_cache_is_used(cache, machine->is_stuck), is_there = false, is_new;
        uint64_t *place = NULL;
        if (watch->is_decided || watch->kind == WATCH_LATER) continue;
        if (is_used) place = predicate_cache_find(cache, worker->state, &is_there);
        if (is_there) continue;
        if (look_at_watch(worker, i, &is_new) == RUN_LATE) return false;
        if (is_used && !is_new) predicate_cache_put(cache, worker->state, place);
    }
    return true;
}

/* Successors */

static bool fill_shelf(struct worker *worker) {
    assert(worker->shelf.next == worker->shelf.end);
    struct store *store = &worker->search->store;
    uint32_t run = STORE_RUN;
    if (!store_has_room(store, run * (worker->is_shared ? worker->search->options.jobs : 1))) {
        bool is_last = !worker->is_shared && store->room == store->max_rows;
        run = is_last ? store->room - atomic_load(&store->next) : 0;
        if (!run) return false;
    }
    store_refill(store, &worker->shelf, run);
    return true;
}

/* Puts waiting successors into the store; false if there is no room for them. */
static bool drain(struct worker *worker) {
    struct expander *expander = &worker->expander;
    for (;;) {
        worker->next =
            store_add_all(&worker->search->store, &worker->shelf, expander->states, worker->hashes,
                          worker->next, expander->count, worker->is_shared);
        if (worker->next == expander->count) break;
        if (!fill_shelf(worker)) return false;
    }
    worker->next = 0;
    expander_clear(expander);
    return true;
}

static inline uint64_t *recent_place(const struct worker *worker, uint64_t hash, uint32_t words) {
    return worker->recent + (hash >> worker->recent_shift) * words;
}

/* Most successors are found again soon after the first time. A state that is still among the recent
 * ones has been added, or waits to be: it is not looked up again. */
static inline bool is_recent(struct worker *worker, const uint64_t *state, uint64_t hash,
                             uint32_t words) {
    uint64_t *recent = recent_place(worker, hash, words);
    uint64_t difference = 0;
    for (uint32_t i = 0; i < words; i++) difference |= recent[i] ^ state[i];
    for (uint32_t i = 0; i < words; i++) recent[i] = state[i];
    return !difference;
}

static inline uint64_t hash_of(const struct store *store, const uint64_t *state, uint32_t words) {
    return words == 1 ? store_mix(state[0]) : store_hash(store, state);
}

/* Whether a state is kept cannot be predicted, so there are no branches. */
static inline __attribute__((always_inline)) void hash_all(struct worker *worker, uint32_t words) {
    struct expander *expander = &worker->expander;
    const struct store *store = &worker->search->store;
    uint64_t *to = expander->states + (size_t)expander->first * words, *hashes = worker->hashes;
    uint32_t kept = expander->first;
    for (uint32_t i = kept; i < expander->count; i++) {
        const uint64_t *state = expander->states + (size_t)i * words;
        uint64_t hash = hash_of(store, state, words);
        bool is_new = !is_recent(worker, state, hash, words);
        for (uint32_t k = 0; k < words; k++) to[k] = state[k];
        hashes[kept] = hash;
        store_prefetch_to_add(store, hash);
        kept += is_new;
        to += is_new ? words : 0;
    }
    expander->count = kept;
}

/* Likewise, of large states: all are kept. */
static void hash_large(struct worker *worker) {
    struct expander *expander = &worker->expander;
    const struct store *store = &worker->search->store;
    for (uint32_t i = expander->first; i < expander->count; i++) {
        worker->hashes[i] = store_hash(store, expander_state(expander, i));
        store_prefetch_to_add(store, worker->hashes[i]);
    }
}

/* Likewise, of canonical states. Where a successor is recent as it is, its canonical state is. */
static inline __attribute__((always_inline)) bool hash_canonical(struct worker *worker,
                                                                 uint32_t words) {
    struct expander *expander = &worker->expander;
    const struct store *store = &worker->search->store;
    uint32_t first = expander->first, kept = first;
    uint64_t *to = expander->states + (size_t)first * words, *hashes = worker->hashes;
    for (uint32_t i = first; i < expander->count; i++) {
        hashes[i] = hash_of(store, expander->states + (size_t)i * words, words);
        __builtin_prefetch(recent_place(worker, hashes[i], words));
    }
    for (uint32_t i = first; i < expander->count; i++) {
        const uint64_t *state = expander->states + (size_t)i * words;
        const uint64_t *recent = recent_place(worker, hashes[i], words);
        uint64_t difference = 0;
        bool is_look = (i - first) % CANON_TICK == CANON_TICK - 1;
        if (is_look && !machine_has_time(&expander->machine)) return false;
        if (is_recent(worker, state, hashes[i], words)) continue;
        for (uint32_t k = 0; k < words; k++) to[k] = state[k];
        canon_apply(&expander->canon, to);
        for (uint32_t k = 0; k < words; k++) difference |= to[k] ^ recent[k];
        hashes[kept] = difference ? hash_of(store, to, words) : hashes[i];
        if (difference && is_recent(worker, to, hashes[kept], words)) continue;
        store_prefetch_to_add(store, hashes[kept++]);
        to += words;
    }
    expander->count = kept;
    return true;
}

/* Prepares the successors of the last expansion for the store; false if it is late. */
static bool hash_successors(struct worker *worker) {
    const struct expander *expander = &worker->expander;
    if (expander->count > worker->hash_capacity) {
        worker->hash_capacity = expander->capacity;
        worker->hashes = heap_resize(worker->hashes, worker->hash_capacity, sizeof *worker->hashes);
    }
    uint32_t words = expander->word_count;
    if (expander->program->canon)
        return words == 2 ? hash_canonical(worker, 2) : hash_canonical(worker, words);
    if (words > RECENT_WORDS)
        hash_large(worker);
    else if (words > 2)
        hash_all(worker, words);
    else if (words == 2)
        hash_all(worker, 2);
    else
        hash_all(worker, 1);
    return true;
}

/* Rows */

static void report_progress(struct search *search, double now) {
    struct search_figures figures = {.states = store_count(&search->store),
                                     .queue =
                                         store_count(&search->store) - atomic_load(&search->cursor),
                                     .size = store_used(&search->store),
                                     .seconds = now - search->start};
    search->options.progress(search->options.context, &figures);
}

static void stop(struct search *search, enum search_limit limit) {
    uint32_t none = LIMIT_NONE;
    atomic_compare_exchange_strong(&search->stopped_by, &none, (uint32_t)limit);
    atomic_store(&search->is_stopped, true);
}

static void check_time(struct worker *worker) {
    struct search *search = worker->search;
    if (worker != &search->workers[0]) return;
    if (interrupt_is_asked()) stop(search, limit_of_time());
    if (search->options.max_seconds <= 0 && !search->options.progress) return;
    double now = clock_seconds();
    if (search->options.max_seconds > 0 && now - search->start > search->options.max_seconds)
        stop(search, LIMIT_TIME);
    if (search->options.progress && now >= search->next_progress) {
        search->next_progress = now + 1;
        report_progress(search, now);
    }
}

/* The memory that the store leaves is for the lists of all workers. */
static void allow_list(struct worker *worker) {
    const struct search_options *options = &worker->search->options;
    if (!options->max_size) return;
    size_t used = store_used(&worker->search->store);
    size_t rest = options->max_size > used ? (options->max_size - used) / options->jobs : 0;
    worker->expander.max_size = rest > LEAST_LIST ? rest : LEAST_LIST;
}

static bool take_chunk(struct worker *worker) {
    struct search *search = worker->search;
    check_time(worker);
    allow_list(worker);
    if (atomic_load_explicit(&search->is_stopped, memory_order_relaxed)) return false;
    uint32_t row = atomic_load_explicit(&search->cursor, memory_order_relaxed), end;
    do {
        if (row >= search->level_end) return false;
        bool is_last = search->level_end - row <= search->chunk_rows;
        end = is_last ? search->level_end : row + search->chunk_rows;
    } while (!atomic_compare_exchange_weak(&search->cursor, &row, end));
    worker->row = row;
    worker->row_end = end;
    if (search->store.gap_count) worker->row = store_skip(&search->store, row);
    assert(row < worker->row_end && worker->row_end <= search->level_end);
    return true;
}

static void note_fired(struct worker *worker) {
    const struct expander *expander = &worker->expander;
    for (uint32_t i = 0; i < expander->parts.count; i++)
        worker->is_fired[expander->parts.items[i]] = true;
}

/* Whether so much work has been done as there may be. */
static bool is_worked_out(const struct worker *worker) {
    uint64_t most = worker->search->options.max_work;
    return most && worker->steps + expander_work(&worker->expander) > most;
}

/* Ends the level: limits, and overflows. */
static void break_off(struct worker *worker) {
    struct search *search = worker->search;
    struct expander *expander = &worker->expander;
    enum search_limit limit = LIMIT_NONE;
    if (!expander_is_cut(expander))
        atomic_store(&search->has_overflowed, true);
    else if (expander->machine.is_late)
        limit = limit_of_machine(&expander->machine);
    else
        limit = is_worked_out(worker) ? LIMIT_STATES : LIMIT_MEMORY;
    stop(search, limit);
    assert(limit != LIMIT_NONE || expander->machine.has_overflowed || expander->orders_differ);
    expander->count = expander->first;
    worker->row_end = worker->row; /* the others of the chunk are left out */
}

/* Adds so many for each state of an orbit. */
static void count(struct worker *worker, uint64_t *sum, uint64_t size, uint64_t number) {
    uint64_t product;
    worker->has_large_counts |= __builtin_mul_overflow(size, number, &product) ||
                                __builtin_add_overflow(*sum, product, sum);
}

static void count_row(struct worker *worker, uint32_t degree) {
    struct expander *expander = &worker->expander;
    uint64_t size = 1;
    if (expander->program->canon) {
        size = canon_orbit_size(&expander->canon, worker->state);
        worker->has_large_counts |= expander->canon.is_cut;
    }
    count(worker, &worker->states, size, 1);
    count(worker, &worker->transitions, size, degree);
    count(worker, &worker->deadlocks, size, !degree);
    count(worker, &worker->errors, size, expander->error_count);
}

static void expand_row(struct worker *worker) {
    struct search *search = worker->search;
    struct expander *expander = &worker->expander;
    store_load(&search->store, worker->row, worker->state);
    if (!expander_run(expander, worker->state)) {
        break_off(worker);
        return;
    }
    uint32_t degree = expander_degree(expander);
    if (expander->program->canon) canon_base(&expander->canon, worker->state);
    worker->steps += degree;
    count_row(worker, degree);
    if (expander->error_count && !search->first_error.is_found)
        offer(worker, &worker->first_error, search->watch_count * 2, expander->first_error);
    if (worker->is_fired) note_fired(worker);
    if ((search->watch_count && !look_at_watches(worker)) || !hash_successors(worker))
        break_off(worker);
    if (is_worked_out(worker)) stop(search, LIMIT_STATES);
}

void worker_run(struct worker *worker) {
    struct search *search = worker->search;
    worker->is_done = false;
    for (;;) {
        if (worker->expander.count >= DRAIN_COUNT && !drain(worker)) return;
        if (worker->row >= worker->row_end && !take_chunk(worker)) break;
        if (worker->row < worker->row_end) expand_row(worker);
        worker->row++;
        if (search->store.gap_count && worker->row < worker->row_end)
            worker->row = store_skip(&search->store, worker->row);
        if (atomic_load_explicit(&search->has_overflowed, memory_order_relaxed)) return;
    }
    worker->is_done = drain(worker);
}

/* Lifetime */

/* Borrows the search, whose program is there; its store need not be. */
void worker_open(struct worker *worker, struct search *search) {
    struct arena *arena = &search->arena;
    uint32_t words = search->layout->stored_words, count = search->watch_count;
    worker->search = search;
    expander_init(&worker->expander, search->program);
    if (search->options.max_seconds > 0)
        worker->expander.machine.deadline = search->start + search->options.max_seconds;
    worker->expander.leaves_canon = true;
    worker->expander.max_work = search->options.max_work;
    bool remembers = search->symmetry && !search->is_profile; /* there are few states as it is */
    worker->expander.rows_first = remembers ? 0 : search->options.first_look;
    arena_alloc(arena, WORKER_DISTANCE);
    worker->state = layout_state(search->layout, arena);
    worker->best = ARENA_ARRAY(arena, uint64_t, (size_t)(count * 2 + 1) * words);
    worker->watches = ARENA_ARRAY(arena, struct watch, count + 1);
    if (count) memcpy(worker->watches, search->watches, count * sizeof(struct watch));
    worker->caches = ARENA_ARRAY(arena, struct predicate_cache, count + 1);
    for (uint32_t k = 0; k < count; k++) {
        worker->watches[k].bounds =
            ARENA_ARRAY(arena, struct bounds_of, search->watches[k].expr_count + 1);
        if (k < PREDICATE_CACHE_MAX)
            predicate_cache_init(&worker->caches[k], arena, &search->program->code,
                                 &search->watches[k]);
    }
}

/* No place holds the state that would be looked for there. */
void worker_start(struct worker *worker) {
    const struct store *store = &worker->search->store;
    assert(store->word_count == worker->search->layout->stored_words);
    uint32_t words = store->word_count, bits = RECENT_BITS;
    while (bits > 1 && (size_t)words << bits > (size_t)1 << RECENT_BITS) bits--;
    worker->recent_shift = 64 - bits;
    worker->recent = ARENA_ARRAY(&worker->search->arena, uint64_t, (size_t)words << bits);
    uint64_t zero = store_hash(store, worker->recent) >> worker->recent_shift;
    uint64_t *other = worker->recent + zero * words; /* its place gets a state of another one */
    while (store_hash(store, other) >> worker->recent_shift == zero) other[0]++;
}

struct found_state *worker_candidate(struct worker *worker, uint32_t place) {
    assert(place <= worker->search->watch_count * 2);
    if (place == worker->search->watch_count * 2) return &worker->first_error;
    struct watch *watch = &worker->watches[place / 2];
    return place % 2 ? &watch->failed : &watch->found;
}

/* Frees heap memory; the results are in the search by then. */
void worker_close(struct worker *worker) {
    expander_close(&worker->expander);
    free(worker->hashes);
}
