/* Reachable states by saturation, with relations that the expander's parts of steps give. */
#include "explore/symbolic/reach.h"

#include <assert.h>

enum {
    MORE_STORES = 1 << 14,
    MAX_ROWS = 1 << 12, /* that wait */
    STEP_STORES = 6,    /* what it costs if a vector has steps, in results, */
    LABEL_STORES = 8    /* and to look at one again */
};

/* Learning: what the parts of a group do with the values of a short vector. The fields that they do
 * not read are as in the initial state. */

/* Adds to a set that is a root, unless a limit is met. */
static void add_to(struct ldd *ldd, uint32_t *set, uint32_t more) {
    uint32_t both = set_union(ldd, *set, more);
    if (!ldd_is_over(ldd)) *set = both;
}

/* The values of the levels before, which are the short vector, and after, as relations have them. */
static void put_tuple(const struct reach *reach, const struct deed *deed, const uint32_t *vector,
                      uint32_t *value) {
    for (uint32_t i = 0; i < deed->level_count; i++) {
        if (mark_reads(deed->kinds[i])) *value++ = *vector++;
        if (mark_writes(deed->kinds[i]))
            *value++ = level_get(&reach->levels, deed->levels[i], &reach->after);
    }
    assert(value == reach->tuples.values + (size_t)reach->tuples.count * reach->tuples.length);
}

static void add_number(struct set_rows *rows, uint64_t number, const uint32_t *vector) {
    uint32_t *values = set_rows_add(rows);
    assert(number <= UINT32_MAX);
    values[0] = (uint32_t)number;
    memcpy(values + 1, vector, (rows->length - 1) * sizeof *vector);
}

/* Adds what was learnt of an event. */
static void settle(void *context, struct event *event) {
    struct reach *reach = context;
    struct ldd *ldd = &reach->ldd;
    struct deed *deed = &reach->deeds[event->index];
    uint32_t steps = set_of_rows(ldd, &reach->steps);
    add_to(ldd, &event->relation, set_of_rows(ldd, &reach->tuples));
    add_to(ldd, &deed->errors, set_of_rows(ldd, &reach->errors));
    add_to(ldd, &deed->steps, steps);
    for (; steps; steps = ldd->nodes[steps].right)
        add_to(ldd, &event->enabled, ldd->nodes[steps].down);
}

static void show_vector(struct reach *reach, const struct deed *deed, const uint32_t *vector) {
    const struct layout *layout = reach->program->layout;
    memcpy(reach->point.words, layout->initial, layout->word_count * sizeof(uint64_t));
    reach->point.committed = 0;
    for (uint32_t i = 0; i < deed->level_count; i++)
        if (mark_reads(deed->kinds[i]))
            level_set(&reach->levels, deed->levels[i], &reach->point, *vector++);
}

/* How steps are told apart; NULL: they are not. */
struct relabeller {
    struct reach *reach;
    const struct deed *deed;
    step_label *label_of;
    void *context;
    uint32_t *vector, length;
    uint32_t relation;
};

static void add_successors(struct reach *reach, const struct deed *deed, const uint32_t *vector,
                           const struct relabeller *labels) {
    struct expander *expander = &reach->expander;
    uint32_t shown = count_committed(reach->program, reach->point.words);
    for (uint32_t i = 0; i < expander->count; i++) {
        reach->after.words = expander->states + (size_t)i * expander->word_count;
        reach->after.committed =
            reach->point.committed + count_committed(reach->program, reach->after.words) - shown;
        uint32_t *value = set_rows_add(&reach->tuples);
        if (labels) *value++ = labels->label_of(labels->context, &expander->records.items[i]);
        put_tuple(reach, deed, vector, value);
    }
}

/* A successor of a vector does not fit the layout. To start over costs much: the run goes on
 * without it for a while and finds what else does not. */
static bool note_overflow(struct reach *reach) {
    struct machine *machine = &reach->expander.machine;
    struct ldd *ldd = &reach->ldd;
    if (!machine->has_overflowed) return false;
    machine->has_overflowed = false;
    struct overflow overflow = {machine->overflow_slot, machine->overflow_value};
    if (!reach->overflows.count) ldd_end_at(ldd, ldd->stores * 2 + MORE_STORES);
    for (uint32_t i = 0; i < reach->overflows.count; i++)
        if (reach->overflows.items[i].slot == overflow.slot) return true;
    VEC_PUSH(&reach->arena, &reach->overflows, overflow);
    return true;
}

static bool learn(void *context, struct event *event, const uint32_t *vector) {
    struct reach *reach = context;
    struct deed *deed = &reach->deeds[event->index];
    struct expander *expander = &reach->expander;
    show_vector(reach, deed, vector);
    reach->vectors++;
    reach->tuples.length = deed->tuple_length;
    reach->steps.length = reach->errors.length = event->read_count + 1;
    if (!step_group_run(deed->group, expander, reach->point.words, reach->point.committed > 0))
        return note_overflow(reach);
    reach->is_forked |= deed->is_stage && (expander->count > 1 || expander->error_count);
    if (reach->is_forked) return false;
    add_successors(reach, deed, vector, NULL);
    if (expander->count || expander->error_count) ldd_work(&reach->ldd, STEP_STORES);
    if (expander->count) add_number(&reach->steps, expander->count, vector);
    if (expander->error_count) add_number(&reach->errors, expander->error_count, vector);
    if (reach->tuples.count + reach->errors.count >= MAX_ROWS) settle(reach, event);
    return true;
}

/* Events */

static void mark_levels(struct reach *reach, const struct step_group *group, unsigned char *kinds) {
    static const unsigned char kind_of[] = {[FOOTPRINT_READS] = MARK_READ,
                                            [FOOTPRINT_WRITES] = MARK_WRITE,
                                            [FOOTPRINT_READS | FOOTPRINT_WRITES] = MARK_READ_WRITE};
    const struct levels *levels = &reach->levels;
    memset(kinds, MARK_SKIP, levels->count);
    for (uint32_t i = 0; i < group->field_count; i++)
        for (uint32_t k = 0; k < levels->sizes[group->fields[i]]; k++)
            kinds[levels->first[group->fields[i]] + k] = kind_of[group->marks[i]];
}

/* The first marked level, or the number of levels. */
static uint32_t find_top(const struct reach *reach, const unsigned char *kinds) {
    uint32_t top = 0;
    while (top < reach->levels.count && kinds[top] == MARK_SKIP) top++;
    return top;
}

/* The marks of a group from a level on that is not below its top, by level in kinds. */
static void fill_event(struct reach *reach, struct deed *deed, struct event *event,
                       const struct step_group *group, unsigned char *kinds, uint32_t top) {
    uint32_t count = reach->levels.count;
    *event = (struct event){.top = top < count ? top : 0,
                            .chain = marks_chain(&reach->marks, kinds, top, count),
                            .whole = MARKS_UNMADE};
    uint32_t marked = 0;
    for (uint32_t level = top; level < count; level++) marked += kinds[level] != MARK_SKIP;
    *deed = (struct deed){.group = group,
                          .levels = ARENA_ARRAY(&reach->arena, uint32_t, marked + 1),
                          .kinds = ARENA_ARRAY(&reach->arena, unsigned char, marked + 1)};
    for (uint32_t level = top; level < count; level++) {
        if (kinds[level] == MARK_SKIP) continue;
        event->read_count += mark_reads(kinds[level]);
        deed->tuple_length += mark_reads(kinds[level]) + mark_writes(kinds[level]);
        deed->levels[deed->level_count] = level;
        deed->kinds[deed->level_count++] = kinds[level];
        kinds[level] = mark_reads(kinds[level]) ? MARK_READ : MARK_SKIP;
    }
    event->reads = marks_chain(&reach->marks, kinds, top, count);
}

static void make_event(struct reach *reach, struct deed *deed, struct event *event,
                       const struct step_group *group) {
    mark_levels(reach, group, reach->kinds);
    uint32_t top = find_top(reach, reach->kinds);
    if (group->stages) mark_levels(reach, &group->stages[0], reach->kinds);
    fill_event(reach, deed, event, group->stages ? &group->stages[0] : group, reach->kinds, top);
    if (!group->stages) return;
    deed->is_stage = true;
    event->stage_count = group->stage_count - 1;
    event->stages = ARENA_ARRAY(&reach->arena, struct event, event->stage_count + 1);
    for (uint32_t i = 0; i < event->stage_count; i++) {
        struct deed *of_stage = &reach->deeds[reach->deed_count];
        mark_levels(reach, &group->stages[i + 1], reach->kinds);
        fill_event(reach, of_stage, &event->stages[i], &group->stages[i + 1], reach->kinds, top);
        of_stage->is_stage = true;
        event->stages[i].index = reach->deed_count++;
    }
}

/* Events and deeds by their tops. */
static void make_events(struct reach *reach) {
    uint32_t count = reach->groups->items.count, stages = 0;
    for (uint32_t g = 0; g < count; g++) stages += reach->groups->items.items[g].stage_count;
    reach->kinds = ARENA_ARRAY(&reach->arena, unsigned char, reach->levels.count + 1);
    reach->deeds = ARENA_ARRAY(&reach->arena, struct deed, count + stages + 1);
    reach->deed_count = count;
    struct deed *deeds = ARENA_ARRAY(&reach->arena, struct deed, count + 1);
    struct event *events = ARENA_ARRAY(&reach->arena, struct event, count + 1);
    for (uint32_t g = 0; g < count; g++)
        make_event(reach, &deeds[g], &events[g], &reach->groups->items.items[g]);
    reach->events = ARENA_ARRAY(&reach->arena, struct event, count + 1);
    for (uint32_t level = 0; level < reach->levels.count; level++)
        for (uint32_t g = 0; g < count; g++) {
            if (events[g].top != level) continue;
            events[g].index = reach->event_count;
            reach->deeds[reach->event_count] = deeds[g];
            reach->events[reach->event_count++] = events[g];
        }
    assert(reach->event_count == count);
    for (uint32_t i = 0; i < reach->deed_count; i++) {
        ldd_add_root(&reach->ldd, &reach->deeds[i].steps);
        ldd_add_root(&reach->ldd, &reach->deeds[i].errors);
    }
}

/* Lifetime */

static void make_points(struct reach *reach) {
    reach->point.words = layout_state(reach->program->layout, &reach->arena);
    reach->tuple = ARENA_ARRAY(&reach->arena, uint32_t, 2 * (size_t)reach->levels.count + 1);
    reach->point.committed = count_committed(reach->program, reach->point.words);
    levels_vector(&reach->levels, &reach->point, reach->tuple);
    reach->initial = set_of(&reach->ldd, reach->tuple, reach->levels.count);
    ldd_add_root(&reach->ldd, &reach->initial);
    ldd_add_root(&reach->ldd, &reach->states);
}

/* Nothing is explored yet. Borrows program and groups; close it. */
void reach_init(struct reach *reach, const struct program *program, const struct groups *groups,
                const uint32_t *fields, uint32_t field_count, struct ldd_limits limits) {
    *reach = (struct reach){.program = program, .groups = groups};
    arena_init(&reach->arena);
    ldd_init(&reach->ldd, limits);
    marks_init(&reach->marks, &reach->arena);
    levels_init(&reach->levels, &reach->arena, program, fields, field_count);
    expander_init(&reach->expander, program);
    make_events(reach);
    make_points(reach);
    assert(reach->levels.count && reach->levels.count <= LEVELS_MAX);
    reach->closer = (struct closer){.ldd = &reach->ldd,
                                    .marks = &reach->marks,
                                    .events = reach->events,
                                    .level_count = reach->levels.count,
                                    .learn = learn,
                                    .settle = settle,
                                    .context = reach};
    closer_init(&reach->closer, &reach->arena, reach->event_count);
}

static void make_whole(struct reach *reach, struct event *event) {
    event->whole = marks_from_first(&reach->marks, event->chain);
    for (uint32_t i = 0; i < event->stage_count; i++) make_whole(reach, &event->stages[i]);
}

/* Too many chains of marks take memory, and images could not tell them apart. Half of the chains is
 * for those who look at the states. */
static bool has_too_many_marks(struct reach *reach) {
    if (reach->marks.items.count <= SETS_MAX_CHAINS / 2) return false;
    reach->ldd.end = LDD_MEMORY;
    return true;
}

bool reach_run(struct reach *reach) {
    if (has_too_many_marks(reach)) return false;
    uint32_t states = close_set(&reach->closer, reach->initial);
    if (ldd_is_over(&reach->ldd) || reach->closer.is_ended || reach->overflows.count) return false;
    assert(!reach->is_forked);
    assert(states != LDD_NONE); /* the initial one is among them */
    reach->states = states;
    for (uint32_t i = 0; i < reach->event_count; i++) make_whole(reach, &reach->events[i]);
    return !has_too_many_marks(reach);
}

/* Steps by label */

static bool take_rows(struct relabeller *relabeller) {
    struct ldd *ldd = &relabeller->reach->ldd;
    uint32_t more = set_of_rows(ldd, &relabeller->reach->tuples);
    relabeller->relation = set_union(ldd, relabeller->relation, more);
    return !ldd_is_over(ldd);
}

static bool relabel_vector(struct relabeller *relabeller) {
    struct reach *reach = relabeller->reach;
    const struct deed *deed = relabeller->deed;
    show_vector(reach, deed, relabeller->vector);
    if (!step_group_run(deed->group, &reach->expander, reach->point.words,
                        reach->point.committed > 0))
        return false;
    add_successors(reach, deed, relabeller->vector, relabeller);
    ldd_work(&reach->ldd, LABEL_STORES);
    if (reach->tuples.count >= MAX_ROWS) return take_rows(relabeller);
    return !ldd_is_over(&reach->ldd);
}

static bool relabel_vectors(struct relabeller *relabeller, uint32_t set, uint32_t length) {
    const struct ldd *ldd = &relabeller->reach->ldd;
    if (length == relabeller->length) return relabel_vector(relabeller);
    bool is_fine = true;
    for (; set && is_fine; set = ldd->nodes[set].right) {
        relabeller->vector[length] = ldd->nodes[set].value;
        is_fine = relabel_vectors(relabeller, ldd->nodes[set].down, length + 1);
    }
    return is_fine;
}

bool reach_label(struct reach *reach, uint32_t event, step_label *label_of, void *context,
                 uint32_t *relation) {
    const struct event *at = &reach->events[event];
    struct relabeller relabeller = {.reach = reach,
                                    .deed = &reach->deeds[at->index],
                                    .label_of = label_of,
                                    .context = context,
                                    .vector = reach->closer.vector,
                                    .length = at->read_count};
    assert(!at->stage_count && reach->states != LDD_NONE);
    reach->tuples.length = relabeller.deed->tuple_length + 1;
    reach->expander.is_recording = true;
    bool is_fine = at->enabled == LDD_NONE || relabel_vectors(&relabeller, at->enabled, 0);
    reach->expander.is_recording = false;
    is_fine = is_fine && take_rows(&relabeller);
    reach->tuples.count = 0;
    *relation = relabeller.relation;
    return is_fine;
}

/* Frees all sets, so counts and paths have to be made before. */
void reach_close(struct reach *reach) {
    expander_close(&reach->expander);
    closer_close(&reach->closer);
    set_rows_close(&reach->tuples);
    set_rows_close(&reach->steps);
    set_rows_close(&reach->errors);
    ldd_close(&reach->ldd);
    arena_close(&reach->arena);
}
