/* States and steps of a run, found again from the rows of its states. */
#include "explore/verdict/trace.h"

#include <assert.h>

enum {
    TICK = 1 << 10,   /* rows between looks at the clock */
    MAX_ROUNDS = 1000 /* of a run that comes back to an orbit, until it comes back to a state */
};

/* Paths */

/* The level of a row, also of those that were found in the last level that was expanded. */
static uint32_t level_of(const struct search *search, uint32_t row) {
    if (row >= search->levels[search->level_count]) return search->level_count;
    return search_level(search, row);
}

static bool is_less(const uint64_t *words, const uint64_t *than, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (words[i] != than[i]) return words[i] < than[i];
    return false;
}

/* Whether a state is the target, or has it as its canonical one. */
static bool is_of_row(struct expander *expander, const uint64_t *state, const uint64_t *target,
                      uint64_t *spare) {
    size_t size = expander->word_count * sizeof *target;
    if (!expander->is_plain || !expander->program->canon) return !memcmp(state, target, size);
    memcpy(spare, state, size);
    canon_apply(&expander->canon, spare);
    return !memcmp(spare, target, size);
}

/* The place of a state among the successors of the state that was expanded last, or their number.
 */
static uint32_t find_successor(struct expander *expander, const uint64_t *target, uint64_t *spare) {
    uint32_t degree = expander_degree(expander), i = 0;
    while (i < degree &&
           !is_of_row(expander, expander_state(expander, expander->first + i), target, spare))
        i++;
    return i;
}

/* The least state of a level that has the target as a successor; STORE_FULL past a limit. */
static uint32_t find_before(const struct search *search, struct expander *expander, uint32_t level,
                            const uint64_t *target, uint64_t *state, uint64_t *best) {
    assert(level < search->level_count);
    uint32_t found = STORE_FULL, end = search->levels[level + 1], count = 0;
    bool is_cut = false;
    for (uint32_t row = store_skip(&search->store, search->levels[level]); row < end;
         row = store_skip(&search->store, row + 1)) {
        store_load(&search->store, row, state);
        expander_clear(expander);
        if (count++ % TICK == 0 && !machine_has_time(&expander->machine)) return STORE_FULL;
        if (!expander_run(expander, state)) { /* was not expanded before a limit */
            if (expander->machine.is_late) return STORE_FULL;
            is_cut |= expander_is_cut(expander);
            expander->machine.has_overflowed = false;
            continue;
        }
        if (find_successor(expander, target, NULL) == expander_degree(expander)) continue;
        if (found != STORE_FULL && !is_less(state, best, expander->word_count)) continue;
        memcpy(best, state, expander->word_count * sizeof *best);
        found = row;
    }
    assert(found != STORE_FULL || is_cut);
    return found;
}

struct row_path trace_path(struct arena *arena, const struct search *search,
                           struct expander *expander, uint32_t row) {
    uint32_t words = search->layout->word_count + 1, level = level_of(search, row);
    uint64_t *state = ARENA_ARRAY(arena, uint64_t, words);
    uint64_t *target = ARENA_ARRAY(arena, uint64_t, words);
    uint64_t *best = ARENA_ARRAY(arena, uint64_t, words);
    struct row_path path = {ARENA_ARRAY(arena, uint32_t, level + 1), level + 1};
    path.rows[level] = row;
    store_load(&search->store, row, target);
    while (level-- > 0) {
        path.rows[level] = find_before(search, expander, level, target, state, best);
        if (path.rows[level] == STORE_FULL) return (struct row_path){NULL, 0};
        memcpy(target, best, expander->word_count * sizeof *target);
    }
    assert(path.rows[0] == 0); /* the initial state */
    return path;
}

/* Steps and states */

struct builder {
    struct arena *arena;
    const struct search *search;
    struct expander *expander;
    struct trace *trace;
    uint64_t *state, *next; /* packed, with scratch words */
    uint64_t *spare;
    uint32_t state_room, step_room; /* of the lists of the trace */
};

struct trace_state trace_unpack(struct arena *arena, const struct layout *layout,
                                const uint64_t *words) {
    const struct network *network = layout->network;
    struct trace_state state = {ARENA_ARRAY(arena, uint32_t, network->process_count + 1),
                                ARENA_ARRAY(arena, int32_t, network->slot_count + 1)};
    for (uint32_t i = 0; i < network->process_count; i++)
        state.locations[i] =
            (uint32_t)field_get(&layout->fields[layout_location(layout, i)], words);
    for (uint32_t i = 0; i < network->slot_count; i++)
        state.values[i] = field_get(&layout->fields[i], words);
    return state;
}

/* Instances live as long as the search, traces longer. */
static const struct edge_instance *copy_instance(struct arena *arena,
                                                 const struct edge_instance *from) {
    struct edge_instance *to = ARENA_NEW(arena, struct edge_instance);
    const struct edge **edges = ARENA_ARRAY(arena, const struct edge *, from->edge_count + 1);
    const int32_t **selects = ARENA_ARRAY(arena, const int32_t *, from->edge_count + 1);
    *to = *from;
    for (uint32_t i = 0; i < from->edge_count; i++) {
        uint32_t count = from->edges[i]->select_count;
        int32_t *values = ARENA_ARRAY(arena, int32_t, count + 1);
        for (uint32_t k = 0; k < count; k++) values[k] = from->selects[i][k];
        edges[i] = from->edges[i];
        selects[i] = values;
    }
    to->edges = edges;
    to->selects = selects;
    return to;
}

/* The channel of a step from the current state; NULL also where it cannot be evaluated. */
static const char *channel_name(const struct builder *builder,
                                const struct edge_instance *instance) {
    struct machine *machine = &builder->expander->machine;
    uint32_t channel = instance->channel;
    if (channel == NO_SLOT) return NULL;
    if (channel == ANY_CHANNEL) {
        if (machine_unit(machine, &instance->channel_code, builder->state) != RUN_TRUE) return NULL;
        channel = (uint32_t)machine->registers[0];
    }
    const char *name = builder->search->program->channels[channel]->name;
    return arena_copy(builder->arena, name, strlen(name));
}

static void add_step(struct builder *builder, const struct step_record *record) {
    assert(record->part_count);
    const struct edge_instance *instances = builder->search->program->instances.items;
    const uint32_t *parts = builder->expander->parts.items + record->first_part;
    struct trace *trace = builder->trace;
    if (trace->step_count == builder->step_room)
        trace->steps = vec_grow(builder->arena, trace->steps, trace->step_count,
                                &builder->step_room, sizeof *trace->steps);
    struct trace_step *step = &trace->steps[trace->step_count++];
    step->parts = ARENA_ARRAY(builder->arena, const struct edge_instance *, record->part_count + 1);
    step->part_count = record->part_count;
    for (uint32_t i = 0; i < record->part_count; i++)
        step->parts[i] = copy_instance(builder->arena, &instances[parts[i]]);
    step->channel = channel_name(builder, &instances[parts[0]]);
}

/* False at a limit. */
static bool expand(struct builder *builder) {
    expander_clear(builder->expander);
    builder->expander->is_recording = builder->expander->is_plain = true;
    bool is_fine = expander_run(builder->expander, builder->state);
    builder->expander->is_recording = false;
    assert(is_fine || expander_is_cut(builder->expander));
    return is_fine;
}

static void add_state(struct builder *builder) {
    struct trace *trace = builder->trace;
    if (trace->state_count == builder->state_room)
        trace->states = vec_grow(builder->arena, trace->states, trace->state_count,
                                 &builder->state_room, sizeof *trace->states);
    trace->states[trace->state_count++] =
        trace_unpack(builder->arena, builder->search->layout, builder->state);
}

/* Room for as many states as rows of a path; there may be more. */
static void begin(struct builder *builder, uint32_t count) {
    const struct layout *layout = builder->search->layout;
    struct arena *arena = builder->arena;
    builder->trace = ARENA_NEW(arena, struct trace);
    builder->state = layout_state(layout, arena);
    builder->next = layout_state(layout, arena);
    builder->spare = layout_state(layout, arena);
    builder->state_room = builder->step_room = count + 1;
    builder->trace->states = ARENA_ARRAY(arena, struct trace_state, builder->state_room);
    builder->trace->steps = ARENA_ARRAY(arena, struct trace_step, builder->step_room);
}

/* Takes a step of the current state, by its place among all of them. */
static void take_step(struct builder *builder, uint32_t place) {
    struct expander *expander = builder->expander;
    assert(place < expander_degree(expander));
    add_step(builder, &expander->records.items[place]);
    memcpy(builder->state, expander_state(expander, expander->first + place),
           expander->word_count * sizeof(uint64_t));
    add_state(builder);
}

/* A step from the current state to one of a row; false at a limit, or where the canonical states of
 * one orbit are several, and this way leads to another one. */
static bool step_to(struct builder *builder, uint32_t row) {
    struct expander *expander = builder->expander;
    store_load(&builder->search->store, row, builder->next);
    bool is_fine = expand(builder);
    if (is_fine) {
        uint32_t found = find_successor(expander, builder->next, builder->spare);
        is_fine = found < expander_degree(expander);
        assert(is_fine || expander->program->canon); /* one that was cut off is no function */
        if (is_fine) take_step(builder, found);
    }
    expander->is_plain = false;
    return is_fine;
}

static struct trace *build(struct builder *builder, const struct row_path *path) {
    begin(builder, path->count);
    if (!path->count) return builder->trace;
    store_load(&builder->search->store, path->rows[0], builder->state);
    add_state(builder);
    for (uint32_t i = 1; i < path->count; i++)
        if (!step_to(builder, path->rows[i])) return NULL;
    assert(builder->trace->step_count + 1 == builder->trace->state_count);
    return builder->trace;
}

struct trace *trace_new(struct arena *arena, const struct search *search, struct expander *expander,
                        const struct row_path *path) {
    struct builder builder = {.arena = arena, .search = search, .expander = expander};
    return build(&builder, path);
}

/* Goes round until a state at the start of a round comes again. Each round ends in the image of its
 * start by one permutation, so at the latest as many rounds as that has before it keeps all. */
struct trace *trace_new_lasso(struct arena *arena, const struct search *search,
                              struct expander *expander, const struct row_path *path,
                              uint32_t *loop) {
    struct builder builder = {.arena = arena, .search = search, .expander = expander};
    uint32_t length = path->count - 1 - *loop, words = search->layout->stored_words;
    bool has_orbits = search->program->canon != NULL;
    uint32_t rounds = has_orbits ? MAX_ROUNDS : 1;
    uint64_t *starts = ARENA_ARRAY(arena, uint64_t, (size_t)(rounds + 1) * words);
    assert(*loop + 1 < path->count);
    begin(&builder, path->count); /* mostly there are one or two rounds */
    store_load(&search->store, path->rows[0], builder.state);
    add_state(&builder);
    for (uint32_t i = 1, round = 0;; i++) {
        uint64_t *start = starts + (size_t)round * words;
        if (i - 1 == *loop + round * length) {
            memcpy(start, builder.state, words * sizeof *start);
            for (uint32_t k = 0; k < round; k++)
                if (!memcmp(starts + (size_t)k * words, start, words * sizeof *start)) {
                    *loop += k * length;
                    return builder.trace;
                }
            if (round++ == rounds) return NULL;
        }
        uint32_t at = i < path->count ? i : *loop + 1 + (i - *loop - 1) % length;
        if (!step_to(&builder, path->rows[at])) return NULL;
    }
}

struct trace *trace_new_by(struct arena *arena, const struct search *search,
                           struct expander *expander, const uint32_t *choices, uint32_t count) {
    struct builder builder = {.arena = arena, .search = search, .expander = expander};
    const struct layout *layout = search->layout;
    begin(&builder, count + 1);
    memcpy(builder.state, layout->initial, layout->stored_words * sizeof(uint64_t));
    add_state(&builder);
    bool is_fine = true;
    for (uint32_t i = 0; i < count && is_fine; i++) {
        is_fine = expand(&builder);
        if (is_fine) take_step(&builder, choices[i]);
    }
    expander->is_plain = false;
    return is_fine ? builder.trace : NULL;
}

struct trace *trace_new_error(struct arena *arena, const struct search *search,
                              struct expander *expander, const struct row_path *path) {
    struct builder builder = {.arena = arena, .search = search, .expander = expander};
    struct trace *trace = build(&builder, path);
    bool is_fine = trace && expand(&builder);
    expander->is_plain = false;
    if (!is_fine) return NULL;
    assert(expander->errors.count > 0);
    add_step(&builder, &expander->errors.items[0]);
    return trace;
}
