/* First looks, attempts with wider and wider fields, and what is asked of a search afterwards. */
#include "explore/space/search.h"

#include "base/clock.h"
#include "base/debug.h"
#include "explore/space/breadth.h"
#include "explore/space/first_look.h"
#include "explore/space/prepared.h"
#include "explore/space/ranges.h"
#include "explore/space/worker.h"
#include "explore/successor/assemble.h"

#include <assert.h>
#include <stdlib.h>

enum {
    PROFILE_STATES = 3000,
    STATE_WORK = 1 << 12, /* as of max_work, for each state that a limit allows, */
    FREE_WORK = 1 << 20   /* and in any case */
};

/* Attempts: one with each layout */

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
    if (limit_stays(search->limit)) return true;
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

/* Frees all; may be called after a failure, and results of watches stay. */
void search_close(struct search *search) {
    close_attempt(search);
    arena_close(&search->arena);
    free(search->guesses);
    free(search->levels);
    search->guesses = NULL;
    search->levels = NULL;
}
