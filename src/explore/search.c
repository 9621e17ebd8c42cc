#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "explore/search.h"

#include "approx/analysis.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum {
    CHUNK_ROWS = 128,       /* taken by a worker at once */
    RECENT_BITS = 14,       /* words of recent states */
    DRAIN_COUNT = 96,       /* successors that wait for their table entries */
    SHARED_LEVEL = 1 << 13, /* rows of a level from which on it is worth sharing */
    PROFILE_STATES = 3000,
    NARROW_BITS = 6,
    ANALYSIS_BUDGET = 2000,
    MAX_JOBS = 64
};

struct worker {
    struct search *search;
    struct expander expander;
    struct shelf shelf;
    uint64_t *state;
    uint64_t transitions, deadlocks, errors;
    /* rows of the chunk that is being expanded */
    uint32_t row, row_end;
    /* successors on their way into the store */
    uint64_t *hashes; /* heap: of the successors in the expander */
    uint32_t hash_capacity;
    uint32_t next; /* the first that is not in the store yet */
    uint64_t *recent;
    uint32_t recent_shift; /* of a hash to its place */
    /* of this level */
    struct watch *watches;
    struct candidate first_error;
    uint64_t *best; /* words of the candidates: by watch found, failed; then the error */
    bool is_shared, is_done;
    bool *is_fired; /* by instance, in a profile */
};

double search_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Candidates */

/* Keeps the least state of the level. */
static void offer(struct worker *worker, struct candidate *candidate, uint32_t place,
                  struct fault fault) {
    uint32_t count = worker->search->layout->stored_words;
    uint64_t *best = worker->best + (size_t)place * count;
    if (candidate->is_found) {
        uint32_t i = 0;
        while (i < count && best[i] == worker->state[i]) i++;
        if (i == count || best[i] < worker->state[i]) return;
    }
    memcpy(best, worker->state, count * sizeof *best);
    *candidate = (struct candidate){true, worker->row, fault};
}

static void look_at_bounds(struct worker *worker, struct watch *watch) {
    struct machine *machine = &worker->expander.machine;
    for (uint32_t i = 0; i < watch->expr_count; i++) {
        enum outcome outcome = machine_unit(machine, &watch->values[i], worker->state);
        if (outcome != RUN_TRUE) {
            offer(worker, &watch->failed, (uint32_t)(watch - worker->watches) * 2 + 1,
                  machine->fault);
            return;
        }
        int32_t value = machine->registers[0];
        struct bounds_of *bounds = &watch->bounds[i];
        if (!bounds->is_found || value < bounds->lower) bounds->lower = value;
        if (!bounds->is_found || value > bounds->upper) bounds->upper = value;
        bounds->is_found = true;
    }
}

static void look_at_watches(struct worker *worker) {
    struct machine *machine = &worker->expander.machine;
    machine->is_stuck = !expander_degree(&worker->expander);
    for (uint32_t i = 0; i < worker->search->watch_count; i++) {
        struct watch *watch = &worker->watches[i];
        if (watch->is_decided || watch->kind == WATCH_LATER) continue;
        enum outcome outcome = machine_unit(machine, &watch->unit, worker->state);
        if (outcome == RUN_FALSE) continue;
        if (outcome != RUN_TRUE)
            offer(worker, &watch->failed, i * 2 + 1, machine->fault);
        else if (watch->kind == WATCH_FIND)
            offer(worker, &watch->found, i * 2, (struct fault){0});
        else
            look_at_bounds(worker, watch);
    }
}

/* Successors */

static bool fill_shelf(struct worker *worker) {
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

/* Most successors are found again soon after the first time. A state that is still among the recent
 * ones has been added, or waits to be: it is not looked up again. */
static bool is_recent(struct worker *worker, const uint64_t *state, uint64_t hash, uint32_t words) {
    uint64_t *recent = worker->recent + (hash >> worker->recent_shift) * words;
    uint64_t difference = 0;
    for (uint32_t i = 0; i < words; i++) difference |= recent[i] ^ state[i];
    if (!difference) return true;
    for (uint32_t i = 0; i < words; i++) recent[i] = state[i];
    return false;
}

/* No place holds the state that would be looked for there. */
static void init_recent(struct worker *worker) {
    const struct store *store = &worker->search->store;
    uint32_t words = store->word_count, bits = RECENT_BITS;
    while (bits > 1 && (size_t)words << bits > (size_t)1 << RECENT_BITS) bits--;
    worker->recent_shift = 64 - bits;
    worker->recent = ARENA_ARRAY(&worker->search->arena, uint64_t, (size_t)words << bits);
    uint64_t zero = store_hash(store, worker->recent) >> worker->recent_shift;
    uint64_t *other = worker->recent + zero * words; /* its place gets a state of another one */
    while (store_hash(store, other) >> worker->recent_shift == zero) other[0]++;
}

static inline void hash_all(struct worker *worker, uint32_t words) {
    struct expander *expander = &worker->expander;
    const struct store *store = &worker->search->store;
    uint32_t kept = expander->first;
    for (uint32_t i = kept; i < expander->count; i++) {
        const uint64_t *state = expander->states + (size_t)i * words;
        uint64_t hash = words == 1 ? store_mix(state[0]) : store_hash(store, state);
        if (is_recent(worker, state, hash, words)) continue;
        if (kept != i)
            memcpy(expander->states + (size_t)kept * words, state, words * sizeof *state);
        worker->hashes[kept++] = hash;
        store_prefetch(store, hash);
    }
    expander->count = kept;
}

/* Prepares the successors of the last expansion for the store. */
static void hash_successors(struct worker *worker) {
    const struct expander *expander = &worker->expander;
    if (expander->count > worker->hash_capacity) {
        worker->hash_capacity = expander->capacity;
        worker->hashes = heap_resize(worker->hashes, worker->hash_capacity, sizeof *worker->hashes);
    }
    if (expander->word_count == 1)
        hash_all(worker, 1);
    else
        hash_all(worker, expander->word_count);
}

/* Rows */

static void report_progress(struct search *search, double now) {
    struct search_figures figures = {.states = store_count(&search->store),
                                     .transitions = search->workers[0].transitions,
                                     .queue =
                                         store_count(&search->store) - atomic_load(&search->cursor),
                                     .size = store_used(&search->store),
                                     .seconds = now - search->start};
    for (uint32_t i = 1; i < search->options.jobs; i++)
        figures.transitions += search->transitions; /* of finished phases only */
    search->options.progress(search->options.context, &figures);
}

static void check_time(struct worker *worker) {
    struct search *search = worker->search;
    if (worker != &search->workers[0]) return;
    if (search->options.max_seconds <= 0 && !search->options.progress) return;
    double now = search_clock();
    if (search->options.max_seconds > 0 && now - search->start > search->options.max_seconds) {
        search->limit = LIMIT_TIME;
        atomic_store(&search->is_stopped, true);
    }
    if (search->options.progress && now >= search->next_progress) {
        search->next_progress = now + 1;
        report_progress(search, now);
    }
}

static bool take_chunk(struct worker *worker) {
    struct search *search = worker->search;
    check_time(worker);
    if (atomic_load_explicit(&search->is_stopped, memory_order_relaxed)) return false;
    uint32_t row = atomic_load_explicit(&search->cursor, memory_order_relaxed);
    do {
        if (row >= search->level_end) return false;
    } while (!atomic_compare_exchange_weak(
        &search->cursor, &row,
        search->level_end - row > CHUNK_ROWS ? row + CHUNK_ROWS : search->level_end));
    worker->row = row;
    worker->row_end = search->level_end - row > CHUNK_ROWS ? row + CHUNK_ROWS : search->level_end;
    if (search->store.gap_count) worker->row = store_skip(&search->store, row);
    return true;
}

static void note_fired(struct worker *worker) {
    const struct expander *expander = &worker->expander;
    for (uint32_t i = 0; i < expander->parts.count; i++)
        worker->is_fired[expander->parts.items[i]] = true;
}

static void expand_row(struct worker *worker) {
    struct search *search = worker->search;
    struct expander *expander = &worker->expander;
    store_load(&search->store, worker->row, worker->state);
    if (!expander_run(expander, worker->state)) {
        atomic_store(&search->has_overflowed, true);
        atomic_store(&search->is_stopped, true);
        return;
    }
    uint32_t degree = expander_degree(expander);
    worker->transitions += degree;
    worker->deadlocks += !degree;
    worker->errors += expander->error_count;
    if (expander->error_count && !search->first_error.is_found)
        offer(worker, &worker->first_error, search->watch_count * 2, expander->first_error);
    if (search->watch_count) look_at_watches(worker);
    if (worker->is_fired) note_fired(worker);
    hash_successors(worker);
}

/* Expands rows of the level until there are none, the store is full, or the search is stopped. */
static void run_phase(struct worker *worker) {
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

static void *run_thread(void *argument) {
    run_phase(argument);
    return NULL;
}

/* Levels */

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
    run_phase(&search->workers[0]);
    for (uint32_t i = 1; i < started; i++) pthread_join(threads[i], NULL);
    for (uint32_t i = started; i < count; i++) run_phase(&search->workers[i]);
}

static bool run_level(struct search *search) {
    uint32_t begin = atomic_load(&search->cursor);
    uint32_t count = search->level_end - begin >= SHARED_LEVEL ? search->options.jobs : 1;
    for (uint32_t i = 0; i < count; i++) search->workers[i].row = search->workers[i].row_end = 0;
    for (bool is_done = false; !is_done;) {
        run_workers(search, count);
        if (atomic_load(&search->is_stopped)) break;
        is_done = true;
        for (uint32_t i = 0; i < count; i++) is_done &= search->workers[i].is_done;
        if (!is_done && !make_room(search)) break;
    }
    for (uint32_t i = 0; i < count; i++) store_seal(&search->store, &search->workers[i].shelf);
    if (store_used(&search->store) > search->peak_size)
        search->peak_size = store_used(&search->store);
    return !atomic_load(&search->is_stopped) && search->limit == LIMIT_NONE;
}

/* Of the candidates of all workers the least one. */
static void merge_candidate(struct search *search, struct candidate *into, uint32_t place,
                            size_t offset) {
    uint32_t words = search->layout->stored_words;
    const uint64_t *best = NULL;
    if (into->is_found) return;
    for (uint32_t i = 0; i < search->options.jobs; i++) {
        struct worker *worker = &search->workers[i];
        struct candidate *candidate =
            offset == SIZE_MAX ? &worker->first_error
                               : (struct candidate *)((char *)&worker->watches[place / 2] + offset);
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
    search->transitions = search->deadlocks = search->errors = 0;
    for (uint32_t i = 0; i < search->options.jobs; i++) {
        search->transitions += search->workers[i].transitions;
        search->deadlocks += search->workers[i].deadlocks;
        search->errors += search->workers[i].errors;
    }
    merge_candidate(search, &search->first_error, search->watch_count * 2, SIZE_MAX);
    for (uint32_t i = 0; i < search->watch_count; i++) {
        struct watch *watch = &search->watches[i];
        if (!watch->is_decided) {
            merge_candidate(search, &watch->found, i * 2, offsetof(struct watch, found));
            merge_candidate(search, &watch->failed, i * 2 + 1, offsetof(struct watch, failed));
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
    search->levels[search->level_count++] = row;
    search->levels[search->level_count] = row;
}

uint32_t search_level(const struct search *search, uint32_t row) {
    uint32_t low = 0, high = search->level_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(search->levels[middle] <= row ? &low : &high) = middle;
    }
    return low;
}

static void run_levels(struct search *search) {
    struct store *store = &search->store;
    struct worker *first = &search->workers[0];
    bool is_new;
    store_refill(store, &first->shelf, 1);
    store_add(store, &first->shelf, search->layout->initial,
              store_hash(store, search->layout->initial), &is_new);
    for (uint32_t begin = 0;;) {
        uint32_t end = atomic_load(&store->next);
        note_level(search, begin);
        search->levels[search->level_count] = end;
        if (begin == end) break;
        atomic_store(&search->cursor, begin);
        search->level_end = end;
        if (is_lazy(search)) return;
        bool goes_on = run_level(search);
        bool is_decided = merge_level(search);
        if (!goes_on) return;
        if (is_decided) {
            search->is_complete = atomic_load(&store->next) == end;
            return;
        }
        begin = end;
    }
    search->is_complete = true;
}

/* Attempts: one with each layout */

static void compile_watches(struct search *search) {
    struct compiler *compiler = search->program->compiler;
    for (uint32_t i = 0; i < search->watch_count; i++) {
        struct watch *watch = &search->watches[i];
        watch->is_decided = watch->kind == WATCH_LATER && !watch->needs_all;
        watch->found = watch->failed = (struct candidate){0};
        unit_begin(compiler);
        if (watch->predicate) unit_predicate(compiler, watch->predicate, watch->is_negated);
        unit_end(compiler, &watch->unit);
        watch->values = ARENA_ARRAY(&search->arena, struct unit, watch->expr_count + 1);
        watch->bounds = ARENA_ARRAY(&search->arena, struct bounds_of, watch->expr_count + 1);
        for (uint32_t k = 0; k < watch->expr_count; k++) {
            unit_begin(compiler);
            unit_value(compiler, watch->exprs[k]);
            unit_end(compiler, &watch->values[k]);
        }
    }
}

static void open_workers(struct search *search) {
    uint32_t words = search->layout->stored_words;
    search->workers = ARENA_ARRAY(&search->arena, struct worker, search->options.jobs);
    for (uint32_t i = 0; i < search->options.jobs; i++) {
        struct worker *worker = &search->workers[i];
        worker->search = search;
        expander_init(&worker->expander, search->program);
        worker->state = ARENA_ARRAY(&search->arena, uint64_t, search->layout->word_count + 1);
        memcpy(worker->state, search->layout->initial,
               search->layout->word_count * sizeof(uint64_t));
        worker->best =
            ARENA_ARRAY(&search->arena, uint64_t, (size_t)(search->watch_count * 2 + 1) * words);
        worker->watches = ARENA_ARRAY(&search->arena, struct watch, search->watch_count + 1);
        if (search->watch_count)
            memcpy(worker->watches, search->watches, search->watch_count * sizeof(struct watch));
        for (uint32_t k = 0; k < search->watch_count; k++)
            worker->watches[k].bounds =
                ARENA_ARRAY(&search->arena, struct bounds_of, search->watches[k].expr_count + 1);
    }
}

static void close_attempt(struct search *search) {
    for (uint32_t i = 0; search->workers && i < search->options.jobs; i++) {
        expander_close(&search->workers[i].expander);
        free(search->workers[i].hashes);
    }
    search->workers = NULL;
    if (search->program) program_close(search->program);
    search->program = NULL;
    store_close(&search->store);
    arena_reset(&search->arena);
}

/* True if the search came to an end; *is_prepared is false if there is no program. */
static bool attempt(struct search *search, bool *is_prepared) {
    search->layout = layout_new(&search->arena, search->network, search->guesses);
    search->program = program_new(&search->arena, search->layout, search->options.interprets);
    *is_prepared = search->program != NULL;
    if (!*is_prepared) return true;
    compile_watches(search);
    open_workers(search);
    atomic_store(&search->is_stopped, false);
    atomic_store(&search->has_overflowed, false);
    search->is_complete = false;
    search->limit = LIMIT_NONE;
    search->level_count = 0;
    search->first_error = (struct candidate){0};
    if (!store_init(&search->store, search->layout, search->options.max_size,
                    search->options.max_states)) {
        search->limit = LIMIT_MEMORY;
        return true;
    }
    for (uint32_t i = 0; i < search->options.jobs; i++) init_recent(&search->workers[i]);
    if (search->is_profile) {
        search->workers[0].expander.is_recording = true;
        search->workers[0].is_fired =
            ARENA_ARRAY(&search->arena, bool, search->program->instances.count + 1);
    }
    run_levels(search);
    return !atomic_load(&search->has_overflowed);
}

static void widen(struct search *search) {
    for (uint32_t i = 0; i < search->options.jobs; i++) {
        const struct machine *machine = &search->workers[i].expander.machine;
        if (!machine->has_overflowed) continue;
        uint32_t slot = machine->overflow_slot;
        guess_widen(&search->guesses[slot], &search->network->slots[slot], machine->overflow_value);
    }
}

/* Ranges after a first look */

static bool writes(const struct search *search, const struct edge_instance *instance,
                   const struct symbol *symbol) {
    const struct template *template = instance->process->template;
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        const struct effects *update =
            &search->network->edge_effects[template->index][instance->edges[i] - template->edges]
                 .update;
        if (effects_writes(update, symbol)) return true;
    }
    return false;
}

static void learn_ranges(struct search *search) {
    const struct network *network = search->network;
    uint64_t *state = search->workers[0].state;
    uint32_t next = atomic_load(&search->store.next);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        int32_t initial = network->slots[i].initial;
        search->guesses[i] = (struct guess){initial, initial, network->slots[i].is_meta};
    }
    for (uint32_t row = 0; row < next; row++) {
        store_load(&search->store, row, state);
        for (uint32_t i = 0; i < network->slot_count; i++) {
            struct guess *guess = &search->guesses[i];
            int32_t value = field_get(&search->layout->fields[i], state);
            if (guess->is_transient) continue;
            if (value < guess->lower) guess->lower = value;
            if (value > guess->upper) guess->upper = value;
        }
    }
}

/* Symbols that some step has written and none has changed. */
static bool is_transient(const struct search *search, uint32_t first, uint32_t count) {
    const struct slot *slots = search->network->slots;
    for (uint32_t i = first; i < first + count; i++)
        if (search->guesses[i].lower != search->guesses[i].upper) return false;
    for (uint32_t i = 0; i < search->program->instances.count; i++)
        if (search->workers[0].is_fired[i] &&
            writes(search, &search->program->instances.items[i], slots[first].symbol))
            return true;
    return false;
}

static void widen_to(struct guess *guess, const struct value_set *set) {
    if (value_set_is_empty(set)) return;
    if (set->lower < guess->lower) guess->lower = set->lower;
    if (set->upper > guess->upper) guess->upper = set->upper;
}

/* What the value analysis knows (rules A1 to A4): for a local slot the union over all locations. */
static struct guess analysed_range(const struct analysis *analysis, uint32_t index) {
    const struct slot *slot = &analysis->network->slots[index];
    struct guess guess = {slot->initial, slot->initial, slot->is_meta};
    if (!analysis->is_tracked[index]) return guess_declared(slot);
    if (!slot->process) {
        widen_to(&guess, &analysis->shared[index]);
        return guess;
    }
    const struct process_domain *domain = &analysis->processes[slot->process->index];
    const struct group *group = &domain->groups[analysis->group_of[index]];
    if (group->dimension != 1 || group->has_overflowed) return guess_declared(slot);
    for (uint32_t l = 0; l < slot->process->template->location_count; l++)
        if (domain->locations[l].is_reached)
            widen_to(&guess, &domain->locations[l].groups[analysis->group_of[index]].set);
    return guess;
}

/* Whether some edge, or a hook, may write the variable. */
static bool is_written(const struct network *network, const struct slot *slot) {
    if (effects_writes(&network->before_update, slot->symbol) ||
        effects_writes(&network->after_update, slot->symbol))
        return true;
    for (uint32_t t = 0; t < network->model->template_count; t++) {
        const struct template *template = network->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct effects *update = &network->edge_effects[t][i].update;
            for (uint32_t k = 0; k < update->list.count; k++)
                if (update->list.items[k].writes && (update->list.items[k].symbol == slot->symbol ||
                                                     update->list.items[k].symbol->is_reference))
                    return true;
        }
    }
    return false;
}

static void choose_slot(struct search *search, uint32_t index, bool transient,
                        const struct analysis *analysis) {
    const struct slot *slot = &search->network->slots[index];
    struct guess *guess = &search->guesses[index];
    struct guess known = analysis ? analysed_range(analysis, index) : guess_declared(slot);
    if (slot->is_meta || transient) {
        *guess = guess_declared(slot);
        guess->is_transient = true;
        return;
    }
    if (((int64_t)known.upper - known.lower) >> NARROW_BITS)
        guess_widen(guess, slot, guess->upper); /* a little more than what was seen */
    if (((int64_t)known.upper - known.lower) >> NARROW_BITS == 0) *guess = known;
}

static void choose_ranges(struct search *search) {
    const struct network *network = search->network;
    const struct slot *slots = network->slots;
    struct arena arena;
    struct diag diag;
    arena_init(&arena);
    diag_init(&diag, &arena, NULL);
    bool *is_removed = ARENA_ARRAY(&arena, bool, network->slot_count + 1);
    struct analysis_options options = {.budget = ANALYSIS_BUDGET};
    struct analysis *analysis = analyse(&arena, network, is_removed, &options, &diag);
    uint32_t end;
    learn_ranges(search);
    for (uint32_t first = 0; first < network->slot_count; first = end) {
        for (end = first + 1; end < network->slot_count &&
                              slots[end].symbol == slots[first].symbol &&
                              slots[end].process == slots[first].process;)
            end++;
        bool transient = is_transient(search, first, end - first);
        bool written = is_written(network, &slots[first]);
        for (uint32_t i = first; i < end; i++)
            if (written)
                choose_slot(search, i, transient, analysis);
            else
                search->guesses[i] =
                    (struct guess){slots[i].initial, slots[i].initial, slots[i].is_meta};
    }
    arena_close(&arena);
}

static void reset(struct search *search) {
    close_attempt(search);
    search->transitions = search->deadlocks = search->errors = 0;
}

/* Attempts until one comes to an end. */
static bool run_attempts(struct search *search) {
    bool is_prepared;
    for (;;) {
        reset(search);
        search->options.jobs = search->jobs;
        search->options.max_states = search->max_states;
        search->is_profile = false;
        if (attempt(search, &is_prepared)) break;
        widen(search);
        search->restarts++;
    }
    search->seconds = search_clock() - search->start;
    return is_prepared;
}

bool search_run(struct search *search, const struct network *network,
                const struct search_options *options, struct watch *watches, uint32_t count) {
    bool is_prepared;
    *search = (struct search){
        .network = network, .options = *options, .watches = watches, .watch_count = count};
    search->start = search_clock();
    search->next_progress = search->start + 1;
    arena_init(&search->arena);
    search->jobs = options->jobs ? options->jobs : 1;
    search->jobs = search->jobs < MAX_JOBS ? search->jobs : MAX_JOBS;
    search->max_states = options->max_states;
    for (uint32_t i = 0; i < count; i++) search->has_later |= watches[i].kind == WATCH_LATER;
    search->guesses = heap_resize(NULL, network->slot_count + 1, sizeof *search->guesses);
    for (uint32_t i = 0; i < network->slot_count; i++)
        search->guesses[i] = guess_declared(&network->slots[i]);
    uint64_t look = options->first_look ? options->first_look : PROFILE_STATES;
    if (options->max_states && options->max_states <= look) return run_attempts(search);
    search->options.jobs = 1;
    search->is_profile = true;
    search->options.max_states = look;
    bool is_over = attempt(search, &is_prepared);
    if (!is_over) {
        widen(search);
        search->restarts++;
    } else if (is_prepared && search->limit == LIMIT_STATES) {
        is_over = false;
        choose_ranges(search);
    }
    if (!is_over) return run_attempts(search);
    search->seconds = search_clock() - search->start;
    return is_prepared;
}

bool search_restart(struct search *search, uint32_t slot, int32_t value) {
    guess_widen(&search->guesses[slot], &search->network->slots[slot], value);
    search->restarts++;
    return run_attempts(search);
}

void search_close(struct search *search) {
    close_attempt(search);
    arena_close(&search->arena);
    free(search->guesses);
    free(search->levels);
    search->guesses = NULL;
    search->levels = NULL;
}
