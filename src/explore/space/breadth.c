/* The rows of each level, by one worker or by all, and what they found in it. */
#include "explore/space/breadth.h"

#include "base/debug.h"
#include "explore/space/first_look.h"
#include "explore/space/worker.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    CHUNKS = 16, /* that each worker takes of a level that is shared, of so many rows: */
    LEAST_CHUNK = 1 << 7,
    MOST_CHUNK = 1 << 11,
    STEPS_OF_STATE = 8,   /* that take as long as a state with fewer */
    STEPS_OF_LIMIT = 64,  /* where effort is bounded, for each state of the limit, */
    LEAST_STEPS = 1 << 20 /* and in any case */
};

static void *run_thread(void *argument) {
    worker_run(argument);
    return NULL;
}

static bool make_room(struct search *search) {
    struct store *store = &search->store;
    uint32_t more = STORE_RUN * 2 * search->options.jobs;
    if (store_reserve(store, more)) return true;
    if (atomic_load(&store->next) == store->max_rows) { /* some worker may still have rows */
        for (uint32_t i = 0; i < search->options.jobs; i++)
            store_seal(store, &search->workers[i].shelf);
        if (store_reserve(store, more)) return true;
    }
    bool is_full = atomic_load(&store->next) == store->max_rows;
    if (is_full && search->is_profile && goes_on_from_look(search)) {
        if (store_reserve(store, more)) return true;
        is_full = false;
    }
    search->limit = is_full ? LIMIT_STATES : LIMIT_MEMORY;
    return false;
}

/* All workers at once, or, where the last rows are too few to be shared, one after the other. */
static void run_workers(struct search *search, uint32_t count) {
    pthread_t threads[MAX_JOBS];
    uint32_t started = 1;
    bool is_shared = count > 1 && store_has_room(&search->store, STORE_RUN * count);
    for (uint32_t i = 0; i < count; i++) search->workers[i].is_shared = is_shared;
    while (is_shared && started < count &&
           !pthread_create(&threads[started], NULL, run_thread, &search->workers[started]))
        started++;
    worker_run(&search->workers[0]);
    for (uint32_t i = 1; i < started; i++) pthread_join(threads[i], NULL);
    for (uint32_t i = started; i < count; i++) worker_run(&search->workers[i]);
}

/* Whether the first pause is still to come: up to there one worker alone goes from row to row, so
 * that it comes after the same states for any number of jobs. */
static bool is_early(const struct search *search, uint32_t row) {
    const struct search_options *options = &search->options;
    return options->pause && !search->is_profile && row < options->first_pause;
}

static uint64_t count_steps(const struct search *search) {
    uint64_t steps = 0;
    for (uint32_t i = 0; search->workers && i < search->options.jobs; i++)
        steps += search->workers[i].steps;
    return steps;
}

static uint64_t states_by_steps(const struct search *search) {
    return count_steps(search) / STEPS_OF_STATE;
}

/* Steps that may still be made where effort is bounded; 0 = none. */
static uint64_t steps_left(const struct search *search) {
    uint64_t steps = count_steps(search), states = search->max_states;
    if (!search->options.bounds_effort || search->is_profile) return UINT64_MAX;
    uint64_t most = states > UINT64_MAX / STEPS_OF_LIMIT ? UINT64_MAX : states * STEPS_OF_LIMIT;
    if (most < LEAST_STEPS) most = LEAST_STEPS;
    return steps < most ? most - steps : 0;
}

uint64_t search_effort(const struct search *search, uint64_t states) {
    uint64_t by_steps = states_by_steps(search);
    if (search->symmetry) states *= ORBIT_EFFORT;
    return states > by_steps ? states : by_steps;
}

bool search_goes_on(struct search *search, uint64_t states) {
    const struct search_options *options = &search->options;
    bool is_due = states >= options->first_pause || states_by_steps(search) >= options->first_pause;
    if (options->pause && !search->is_profile && !search->is_left && is_due)
        search->is_left = !options->pause(options->pause_context, search, states);
    return !search->is_left;
}

/* Rows next to each other lead to the same states, which a worker that has them all finds among its
 * recent ones. */
static uint32_t chunk_of(uint32_t rows, uint32_t workers) {
    uint32_t chunk = workers > 1 ? rows / workers / CHUNKS : 0;
    if (chunk > MOST_CHUNK) return MOST_CHUNK;
    return chunk < LEAST_CHUNK ? LEAST_CHUNK : chunk;
}

static bool run_part(struct search *search) {
    uint32_t begin = atomic_load(&search->cursor);
    assert(begin <= search->level_end);
    bool is_large = search->level_end - begin >= SHARED_LEVEL && !is_early(search, begin) &&
                    !search->program->has_waiting;
    uint32_t count = is_large ? search->options.jobs : 1;
    if (is_large && search->ordered_rows == UINT32_MAX)
        search->ordered_rows = search->levels[search->level_count];
    search->chunk_rows = chunk_of(search->level_end - begin, count);
    for (uint32_t i = 0; i < count; i++) search->workers[i].row = search->workers[i].row_end = 0;
    for (bool is_done = false; !is_done;) {
        run_workers(search, count);
        if (atomic_load(&search->is_stopped)) break;
        is_done = true;
        for (uint32_t i = 0; i < count; i++) is_done &= search->workers[i].is_done;
        if (!is_done && !make_room(search)) break;
    }
    for (uint32_t i = 0; i < count; i++) store_seal(&search->store, &search->workers[i].shelf);
    if (search->limit == LIMIT_NONE)
        search->limit = (enum search_limit)atomic_load(&search->stopped_by);
    if (store_used(&search->store) > search->peak_size)
        search->peak_size = store_used(&search->store);
    return !atomic_load(&search->is_stopped) && search->limit == LIMIT_NONE;
}

/* Where effort will be used up, if rows have as many steps as those before, or their end. Rows whose
 * order depends on jobs are not cut: it has to end after the same states for any number of them. */
static uint32_t effort_end(const struct search *search, uint32_t begin, uint32_t end) {
    if (!begin || end > search->ordered_rows) return end;
    uint64_t rows = steps_left(search) / (count_steps(search) / begin + 1);
    if (rows >= end - begin) return end;
    return begin + (rows ? (uint32_t)rows : 1);
}

/* Where a pause comes among rows, or their end. */
static uint32_t part_end(const struct search *search, uint32_t begin, uint32_t end) {
    const struct search_options *options = &search->options;
    uint64_t stop = options->stop ? options->stop + search->store.gap_states : 0;
    end = effort_end(search, begin, end);
    if (is_early(search, begin) && end > options->first_pause) end = (uint32_t)options->first_pause;
    if (options->pause && !search->is_profile && stop > begin && stop < end) end = (uint32_t)stop;
    return end;
}

/* The rows up to an end, with pauses among them. */
static bool run_level(struct search *search, uint32_t begin, uint32_t end) {
    for (;;) {
        search->level_end = part_end(search, begin, end);
        if (!run_part(search)) return false;
        begin = search->level_end;
        bool has_more = begin < end || atomic_load(&search->store.next) > end;
        if (has_more && !steps_left(search)) search->limit = LIMIT_STATES;
        if (search->limit != LIMIT_NONE) return false;
        if (begin == end) return true;
        if (!search_goes_on(search, begin)) return false;
    }
}

/* Of the candidates of all workers the least one. */
static void merge_candidate(struct search *search, struct found_state *into, uint32_t place) {
    assert(place <= search->watch_count * 2);
    uint32_t words = search->layout->stored_words;
    const uint64_t *best = NULL;
    if (into->is_found) return;
    for (uint32_t i = 0; i < search->options.jobs; i++) {
        struct worker *worker = &search->workers[i];
        const struct found_state *candidate = worker_candidate(worker, place);
        if (!candidate->is_found) continue;
        const uint64_t *state = worker->best + (size_t)place * words;
        uint32_t k = 0;
        while (best && k < words && best[k] == state[k]) k++;
        if (!best || (k < words && state[k] < best[k])) {
            best = state;
            *into = *candidate;
        }
    }
}

static void merge_bounds(struct search *search, uint32_t index) {
    struct watch *watch = &search->watches[index];
    for (uint32_t k = 0; k < watch->expr_count && watch->kind == WATCH_BOUNDS; k++) {
        struct bounds_of *into = &watch->bounds[k];
        for (uint32_t i = 0; i < search->options.jobs; i++) {
            const struct bounds_of *bounds = &search->workers[i].watches[index].bounds[k];
            if (!bounds->is_found) continue;
            if (!into->is_found || bounds->lower < into->lower) into->lower = bounds->lower;
            if (!into->is_found || bounds->upper > into->upper) into->upper = bounds->upper;
            into->is_found = true;
        }
    }
}

/* Takes over what the workers found; true if nothing is left to look for. */
static bool merge_level(struct search *search) {
    bool is_decided = search->watch_count > 0;
    search->transitions = search->deadlocks = search->errors = search->work = 0;
    search->has_large_counts = false;
    search->orbit_states = 0;
    for (uint32_t i = 0; i < search->options.jobs; i++) {
        const struct worker *worker = &search->workers[i];
        search->work += worker->steps + expander_work(&worker->expander);
        if (worker->expander.machine.is_too_long)
            search->too_long = worker->expander.machine.fault.span;
        search->has_large_counts |= worker->has_large_counts;
        search->orbit_states += worker->states;
        search->transitions += search->workers[i].transitions;
        search->deadlocks += search->workers[i].deadlocks;
        search->errors += search->workers[i].errors;
    }
    merge_candidate(search, &search->first_error, search->watch_count * 2);
    for (uint32_t i = 0; i < search->watch_count; i++) {
        struct watch *watch = &search->watches[i];
        if (!watch->is_decided) {
            merge_candidate(search, &watch->found, i * 2);
            merge_candidate(search, &watch->failed, i * 2 + 1);
            merge_bounds(search, i);
            watch->is_decided = watch->found.is_found || watch->failed.is_found;
            for (uint32_t k = 0; k < search->options.jobs; k++)
                search->workers[k].watches[i].is_decided = watch->is_decided;
        }
        is_decided &= watch->is_decided;
    }
    return is_decided && !search->options.is_full && !(search->is_profile && search->has_later);
}

/* Whether nothing asks for more than the initial state. */
static bool is_lazy(const struct search *search) {
    bool is_decided = search->watch_count && !search->options.is_full && !search->is_profile;
    for (uint32_t i = 0; i < search->watch_count; i++) is_decided &= search->watches[i].is_decided;
    return is_decided;
}

static void note_level(struct search *search, uint32_t row) {
    if (search->level_count + 1 >= search->level_capacity) {
        search->level_capacity = search->level_capacity ? search->level_capacity * 2 : 64;
        search->levels = heap_resize(search->levels, search->level_capacity, sizeof(uint32_t));
    }
    assert(!search->level_count || search->levels[search->level_count - 1] <= row);
    search->levels[search->level_count++] = row;
    search->levels[search->level_count] = row;
    DEBUG_LOG("level %u begins at row %u", search->level_count, row);
}

void run_levels(struct search *search) {
    struct store *store = &search->store;
    struct worker *first = &search->workers[0];
    bool is_new;
    search->ordered_rows = UINT32_MAX;
    store_refill(store, &first->shelf, 1);
    store_add(store, &first->shelf, search->layout->initial,
              store_hash(store, search->layout->initial), &is_new);
    for (uint32_t begin = 0;;) {
        uint32_t end = atomic_load(&store->next);
        note_level(search, begin);
        search->levels[search->level_count] = end;
        if (begin == end) break;
        atomic_store(&search->cursor, begin);
        if (is_lazy(search)) return;
        bool goes_on = run_level(search, begin, end);
        bool is_decided = merge_level(search);
        if (!goes_on) return;
        if (is_decided) {
            search->is_complete = atomic_load(&store->next) == end;
            return;
        }
        if (atomic_load(&store->next) > end && !search_goes_on(search, store_count(store))) return;
        store->is_ending = atomic_load(&store->next) - end < end - begin;
        begin = end;
    }
    search->is_complete = true;
}
