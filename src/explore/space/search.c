/* Levels, restarts with wider fields, and limits. */
#include "explore/space/search.h"

#include "base/clock.h"
#include "base/debug.h"
#include "explore/space/ahead.h"
#include "explore/space/figures.h"
#include "explore/space/ranges.h"
#include "explore/space/worker.h"
#include "explore/successor/assemble.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    SHARED_LEVEL = 1 << 13, /* rows of a level from which on it is worth sharing */
    CHUNKS = 16,            /* that each worker takes of it, of so many rows: */
    LEAST_CHUNK = 1 << 7,
    MOST_CHUNK = 1 << 11,
    PROFILE_STATES = 3000,
    STATE_WORK = 1 << 12, /* as of max_work, for each state that a limit allows, */
    FREE_WORK = 1 << 20,  /* and in any case */
    PREPARE_SECONDS = 1,  /* beyond the limit: until the search it is an error, not a limit */
    MAX_JOBS = 64,
    KEPT_SIZE = 1 << 26, /* bytes of states without a choice of ranges */
    PAYS = 3             /* states for each orbit */
};

static void *run_thread(void *argument) {
    worker_run(argument);
    return NULL;
}

/* Levels */

/* Looks for a symmetry, and counts the orbits of the first look, which show if it pays. */
static void judge_symmetry(struct search *search) {
    const struct search_options *options = &search->options;
    if (search->is_judged) return;
    search->is_judged = true;
    const struct symmetry *symmetry =
        options->find_symmetry ? options->find_symmetry(options->symmetry_context) : NULL;
    if (!symmetry || !symmetry->block_count) return;
    uint64_t orbits = orbits_among(search, symmetry);
    if (!orbits || store_count(&search->store) / PAYS < orbits) return;
    *(options->symmetry_waits ? &search->waiting : &search->symmetry) = symmetry;
}

/* Whether the first look, whose store is full, may go on as it is. */
static bool keeps_look(struct search *search) {
    const struct search_options *options = &search->options;
    uint64_t most = KEPT_SIZE / sizeof(uint64_t) / search->layout->stored_words;
    if (!search->is_profile || !options->keeps_from || !search->program->has_waiting) return false;
    if (!search->max_states || search->max_states > most) return false;
    judge_symmetry(search);
    if (search->symmetry || search->waiting) return false;
    if (count_changed(search) >= options->keeps_from) return true;
    choose_ranges(search);
    search->is_chosen = true;
    return count_chosen(search) >= options->keeps_from;
}

static void keep_look(struct search *search) {
    struct worker *worker = &search->workers[0];
    assert(search->options.jobs == 1 && search->max_states > search->options.max_states);
    search->store.max_rows += (uint32_t)(search->max_states - search->options.max_states);
    search->options.max_states = search->max_states;
    search->is_profile = false;
    search->is_kept = true;
    worker->expander.is_recording = false;
    worker->is_fired = NULL;
}

/* Whether there are so many states that a search which has room for them all would end by that. */
static bool is_ahead(struct search *search) {
    search->is_ahead = search->program->has_waiting && search->max_states &&
                       ahead_are_more(search, search->max_states);
    return search->is_ahead;
}

/* At the end of the first look. */
static bool goes_on_from_look(struct search *search) {
    if (search->options.only_small && is_ahead(search)) return false;
    if (!keeps_look(search)) return false;
    bool goes_on = !is_ahead(search);
    keep_look(search);
    return goes_on;
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

bool search_goes_on(struct search *search, uint64_t states) {
    const struct search_options *options = &search->options;
    if (options->pause && !search->is_profile && !search->is_left && states >= options->first_pause)
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

/* Where a pause comes among rows, or their end. */
static uint32_t part_end(const struct search *search, uint32_t begin, uint32_t end) {
    const struct search_options *options = &search->options;
    uint64_t stop = options->stop ? options->stop + search->store.gap_states : 0;
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

uint32_t search_level(const struct search *search, uint32_t row) {
    assert(search->level_count);
    uint32_t low = 0, high = search->level_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(search->levels[middle] <= row ? &low : &high) = middle;
    }
    assert(search->levels[low] <= row);
    return low;
}

/* A field of a row, whose bytes are the beginning of its words. */
static int32_t field_of_row(const struct search *search, const struct packed *field, uint32_t row) {
    uint64_t word = 0;
    size_t at = field->word * sizeof word, size = search->store.row_size;
    size_t count = at + sizeof word <= size ? sizeof word : size > at ? size - at : 0;
    memcpy(&word, store_row(&search->store, row) + at, count);
    return (int32_t)((int64_t)(word >> field->shift & field->mask) + field->lower);
}

bool search_is_before(const struct search *search, uint32_t row, uint32_t than) {
    const struct layout *layout = search->layout;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        if (layout->fields[i].is_scratch) continue;
        int32_t left = field_of_row(search, &layout->fields[i], row);
        int32_t right = field_of_row(search, &layout->fields[i], than);
        if (left != right) return left < right;
    }
    return false;
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

/* Attempts: one with each layout */

static void compile_watches(struct search *search) {
    struct compiler *compiler = search->program->compiler;
    for (uint32_t i = 0; i < search->watch_count; i++) {
        struct watch *watch = &search->watches[i];
        bool is_out = watch->waits && search->symmetry;
        watch->is_decided = (watch->kind == WATCH_LATER && !watch->needs_all) || is_out;
        watch->found = watch->failed = (struct found_state){0};
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

static void leave_prepared(struct search *search) {
    struct prepared *prepared = search->prepared;
    search->prepared = NULL;
    if (!prepared || --prepared->users) return;
    arena_close(&prepared->arena);
    free(prepared);
}

static void use_prepared(struct search *search, struct prepared *prepared) {
    assert(!search->prepared);
    prepared->users++;
    search->prepared = prepared;
    search->layout = prepared->layout;
}

static void open_workers(struct search *search) {
    search->workers = ARENA_ARRAY(&search->arena, struct worker, search->options.jobs);
    for (uint32_t i = 0; i < search->options.jobs; i++) worker_open(&search->workers[i], search);
}

static void close_attempt(struct search *search) {
    for (uint32_t i = 0; search->workers && i < search->options.jobs; i++)
        worker_close(&search->workers[i]);
    search->workers = NULL;
    if (search->program) program_close(search->program);
    search->program = NULL;
    store_close(&search->store);
    leave_prepared(search);
    arena_reset(&search->arena);
}

static bool same_guesses(const struct guess *some, const struct guess *others, uint32_t count) {
    bool is_same = true;
    for (uint32_t i = 0; i < count && is_same; i++)
        is_same = some[i].lower == others[i].lower && some[i].upper == others[i].upper &&
                  some[i].is_transient == others[i].is_transient;
    return is_same;
}

/* Takes what another search of the network has; false if it has nothing that fits. */
static bool share(struct search *search, const struct search *other) {
    struct prepared *prepared = other ? other->prepared : NULL;
    if (!prepared || !other->program || other->program->has_waiting ||
        other->options.interprets != search->options.interprets ||
        !same_guesses(prepared->guesses, search->guesses, search->network->slot_count))
        return false;
    use_prepared(search, prepared);
    search->program = program_share(&search->arena, other->program, search->options.interprets);
    return true;
}

/* Makes both by the guesses; false if there is no program. */
static bool prepare(struct search *search, bool waits) {
    const struct search_options *options = &search->options;
    struct prepared *prepared = heap_resize(NULL, 1, sizeof *prepared);
    uint32_t count = search->network->slot_count;
    *prepared = (struct prepared){.users = 0};
    arena_init(&prepared->arena);
    prepared->guesses = ARENA_ARRAY(&prepared->arena, struct guess, count + 1);
    memcpy(prepared->guesses, search->guesses, count * sizeof *search->guesses);
    prepared->layout = layout_new(&prepared->arena, search->network, search->guesses);
    use_prepared(search, prepared);
    const struct program_kind kind = {.interprets = options->interprets, .waits = waits};
    struct program_limits limits = {.max_size = options->max_size};
    if (options->max_seconds > 0)
        limits.deadline = search->start + options->max_seconds + PREPARE_SECONDS;
    search->program = program_new(&prepared->arena, search->layout, kind, limits, &search->limit,
                                  options->diag ? options->diag : search->network->model->diag);
    return search->program != NULL; /* search->limit says why */
}

/* Layout, program and watches by the guesses, the first two from another search if it has them.
 * waits: actions are compiled as they are needed. False if there is no program. */
static bool compile_all(struct search *search, bool waits, const struct search *other) {
    search->limit = LIMIT_NONE;
    if (search->symmetry) canon_align(search->symmetry, search->guesses);
    if (!share(search, other) && !prepare(search, waits)) return false;
    if (search->symmetry)
        search->program->canon = canon_new(&search->arena, search->layout, search->symmetry);
    compile_watches(search);
    return true;
}

/* True if the search came to an end; *is_prepared is false if there is no program. */
static bool attempt(struct search *search, bool *is_prepared) {
    const struct search_options *options = &search->options;
    bool is_short = options->max_states && options->max_states <= options->first_look;
    *is_prepared = compile_all(search, is_short && options->max_states < SHARED_LEVEL, NULL);
    if (!*is_prepared) return true;
    open_workers(search);
    atomic_store(&search->is_stopped, false);
    atomic_store(&search->has_overflowed, false);
    search->is_complete = false;
    search->limit = LIMIT_NONE;
    atomic_store(&search->stopped_by, LIMIT_NONE);
    search->level_count = 0;
    search->first_error = (struct found_state){0};
    if (!store_init(&search->store, search->layout, search->options.max_size,
                    search->options.max_states)) {
        search->limit = LIMIT_MEMORY;
        return true;
    }
    search->store.has_threads = search->options.jobs > 1;
    for (uint32_t i = 0; i < search->options.jobs; i++) worker_start(&search->workers[i]);
    if (search->is_profile) {
        search->workers[0].expander.is_recording = true;
        search->workers[0].is_fired =
            ARENA_ARRAY(&search->arena, bool, search->program->instances.count + 1);
    }
    run_levels(search);
    DEBUG_CHECK(store_check(&search->store));
    return !atomic_load(&search->has_overflowed);
}

/* The range of a slot takes a value in. Where one cell of a variable keeps a value between steps,
 * the others soon will. */
void search_widen(struct search *search, uint32_t slot, int32_t value) {
    assert(slot < search->network->slot_count);
    const struct slot *slots = search->network->slots;
    bool was_transient = search->guesses[slot].is_transient;
    guess_widen(&search->guesses[slot], &slots[slot], value);
    for (uint32_t i = 0; was_transient && i < search->network->slot_count; i++) {
        struct guess *guess = &search->guesses[i];
        bool is_cell =
            slots[i].symbol == slots[slot].symbol && slots[i].process == slots[slot].process;
        if (is_cell && guess->is_transient) guess_widen(guess, &slots[i], slots[i].initial);
    }
}

/* Makes the search ready for another attempt; false if a symmetry that was tried is none. */
static bool widen(struct search *search) {
    for (uint32_t i = 0; i < search->options.jobs; i++) {
        const struct machine *machine = &search->workers[i].expander.machine;
        search->orders_differ |= search->workers[i].expander.orders_differ;
        if (!machine->has_overflowed) continue;
        uint32_t slot = machine->overflow_slot;
        assert(slot < search->network->slot_count);
        search_widen(search, slot, machine->overflow_value);
    }
    search->restarts += !search->orders_differ;
    return !search->orders_differ;
}

static void reset(struct search *search) {
    close_attempt(search);
    search->transitions = search->deadlocks = search->errors = 0;
}

static void take_symmetry(struct search *search) {
    assert(search->is_left && search->waiting);
    search->symmetry = search->waiting;
    search->waiting = NULL;
    search->is_left = search->is_symmetry_due = false;
}

/* Attempts until one comes to an end. */
static bool run_attempts(struct search *search) {
    bool is_prepared;
    for (;;) {
        reset(search);
        search->options.jobs = search->jobs;
        search->options.max_states = search->max_states;
        search->is_profile = false;
        if (attempt(search, &is_prepared)) {
            if (!search->is_symmetry_due) break;
            take_symmetry(search);
        } else if (!widen(search)) {
            break;
        }
    }
    search->waiting = NULL; /* runs are looked for in the states that were found */
    search->seconds = clock_seconds() - search->start;
    return is_prepared;
}

/* A few states may have very many steps: a limit on states is one on them, too. */
static uint64_t work_for(uint64_t max_states) {
    return max_states < UINT64_MAX / STATE_WORK / 2 ? max_states * STATE_WORK + FREE_WORK : 0;
}

static void guess_all(struct search *search) {
    for (uint32_t i = 0; i < search->network->slot_count; i++)
        search->guesses[i] = guess_declared(&search->network->slots[i]);
}

static void init(struct search *search, const struct network *network,
                 const struct search_options *options, struct watch *watches, uint32_t count) {
    *search = (struct search){
        .network = network, .options = *options, .watches = watches, .watch_count = count};
    search->start = clock_seconds();
    search->next_progress = search->start + 1;
    arena_init(&search->arena);
    search->jobs = options->jobs ? options->jobs : 1;
    search->jobs = search->jobs < MAX_JOBS ? search->jobs : MAX_JOBS;
    search->max_states = options->max_states;
    if (options->max_states && !options->max_work)
        search->options.max_work = work_for(options->max_states);
    for (uint32_t i = 0; i < count; i++) search->has_later |= watches[i].kind == WATCH_LATER;
    search->guesses = heap_resize(NULL, network->slot_count + 1, sizeof *search->guesses);
    guess_all(search);
    if (!options->first_look) search->options.first_look = PROFILE_STATES;
    search->symmetry = options->symmetry;
}

/* The first look: an attempt on few states. False if it is only a beginning. */
static bool attempt_profile(struct search *search, bool *is_prepared) {
    search->options.jobs = 1;
    search->is_profile = true;
    search->options.max_states = search->options.first_look;
    return attempt(search, is_prepared) || !widen(search);
}

/* Whether another layout would have ended alike: not near a limit on work, which may count another
 * number of loops, nor by memory. */
static bool ends_well(const struct search *search) {
    const struct search_options *options = &search->options;
    bool is_stopped = atomic_load(&search->stopped_by) != LIMIT_NONE;
    if (search->limit == LIMIT_TIME || search->limit == LIMIT_INTERRUPT) return true;
    if (options->max_work && search->work > options->max_work / 2) return false;
    return search->is_complete || (search->limit == LIMIT_STATES && !is_stopped);
}

/* So that the search begins anew, and its first look ends. */
static void forget_look(struct search *search) {
    reset(search);
    search->is_kept = search->is_ahead = search->is_judged = search->is_chosen = false;
    search->options.keeps_from = 0;
    search->options.only_small = false;
    guess_all(search);
}

bool search_run(struct search *search, const struct network *network,
                const struct search_options *options, struct watch *watches, uint32_t count) {
    bool is_prepared;
    init(search, network, options, watches, count);
    if (options->max_states && options->max_states <= search->options.first_look)
        return run_attempts(search);
    bool is_over = attempt_profile(search, &is_prepared);
    if (search->is_kept && !ends_well(search)) {
        forget_look(search);
        is_over = attempt_profile(search, &is_prepared);
    }
    bool is_more = search->is_kept || search->is_ahead;
    if (is_over && is_prepared && search->limit == LIMIT_STATES && !is_more) {
        is_over = false;
        judge_symmetry(search);
        if (!search->is_chosen) choose_ranges(search);
    }
    if (!is_over) return run_attempts(search);
    search->seconds = clock_seconds() - search->start;
    return is_prepared;
}

/* Makes layout and program as an attempt does that is no first look, or takes them from another
 * search that has the same. */
static bool compile_anew(struct search *search, const struct search *other) {
    reset(search);
    search->options.jobs = search->jobs;
    search->options.max_states = search->max_states;
    search->is_profile = false;
    search->level_count = 0;
    search->is_complete = false;
    search->limit = LIMIT_NONE;
    search->first_error = (struct found_state){0};
    search->peak_size = 0;
    return compile_all(search, false, other);
}

bool search_prepare(struct search *search, const struct network *network,
                    const struct search_options *options, struct watch *watches, uint32_t count) {
    bool is_prepared;
    init(search, network, options, watches, count);
    if (attempt_profile(search, &is_prepared) && is_prepared && search->limit == LIMIT_STATES)
        choose_ranges(search);
    return is_prepared && compile_anew(search, NULL);
}

bool search_prepare_like(struct search *search, const struct network *network,
                         const struct search_options *options, struct watch *watches,
                         uint32_t count, const struct search *other) {
    bool has_looked = !other->max_states || other->max_states > other->options.first_look;
    if (other->is_profile || !has_looked || other->is_kept)
        return search_prepare(search, network, options, watches, count);
    assert(other->network == network);
    init(search, network, options, watches, count);
    memcpy(search->guesses, other->guesses, network->slot_count * sizeof *search->guesses);
    return compile_anew(search, other);
}

/* Prepares the search once more, with ranges that were widened. */
bool search_prepare_again(struct search *search) {
    search->restarts++;
    return compile_anew(search, NULL);
}

bool search_restart(struct search *search, uint32_t slot, int32_t value) {
    search_widen(search, slot, value);
    search->restarts++;
    return run_attempts(search);
}

/* Frees all; may be called after a failure, and results of watches stay. */
void search_close(struct search *search) {
    close_attempt(search);
    arena_close(&search->arena);
    free(search->guesses);
    free(search->levels);
    search->guesses = NULL;
    search->levels = NULL;
}
