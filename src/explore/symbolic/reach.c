/* Reachable states by saturation, with relations that the expander's parts of steps give. */
#include "explore/symbolic/reach.h"

#include <assert.h>
#include <stdlib.h>

enum { MORE_STORES = 1 << 14 };

/* Learning: what the parts of a group do with the values of a short vector. The fields that they do
 * not read are as in the initial state. */

/* The set of the short vectors with so many steps or errors. */
static uint32_t *find_tally(struct reach *reach, struct tally **first, uint64_t times) {
    assert(times <= UINT32_MAX);
    for (struct tally *at = *first; at; at = at->next)
        if (at->times == times) return &at->set;
    struct tally *tally = ARENA_NEW(&reach->arena, struct tally);
    *tally = (struct tally){(uint32_t)times, LDD_NONE, *first};
    *first = tally;
    ldd_add_root(&reach->ldd, &tally->set);
    return &tally->set;
}

/* Adds to a set that is a root, unless a limit is met. */
static void add_to(struct ldd *ldd, uint32_t *set, uint32_t more) {
    uint32_t both = set_union(ldd, *set, more);
    if (!ldd_is_over(ldd)) *set = both;
}

/* The values of the levels before and after, as relations have them. */
static uint32_t make_tuple(struct reach *reach, const struct deed *deed) {
    uint32_t length = 0;
    for (uint32_t i = 0; i < deed->level_count; i++) {
        uint32_t level = deed->levels[i];
        if (mark_reads(deed->kinds[i]))
            reach->tuple[length++] = level_get(&reach->levels, level, &reach->point);
        if (mark_writes(deed->kinds[i]))
            reach->tuple[length++] = level_get(&reach->levels, level, &reach->after);
    }
    return set_of(&reach->ldd, reach->tuple, length);
}

static void show_vector(struct reach *reach, const struct deed *deed, const uint32_t *vector) {
    const struct layout *layout = reach->program->layout;
    memcpy(reach->point.words, layout->initial, layout->word_count * sizeof(uint64_t));
    reach->point.committed = 0;
    for (uint32_t i = 0; i < deed->level_count; i++)
        if (mark_reads(deed->kinds[i]))
            level_set(&reach->levels, deed->levels[i], &reach->point, *vector++);
}

static void add_successors(struct reach *reach, const struct deed *deed, struct event *event) {
    struct expander *expander = &reach->expander;
    uint32_t relation = event->relation;
    uint32_t shown = count_committed(reach->program, reach->point.words);
    for (uint32_t i = 0; i < expander->count; i++) {
        reach->after.words = expander->states + (size_t)i * expander->word_count;
        reach->after.committed =
            reach->point.committed + count_committed(reach->program, reach->after.words) - shown;
        relation = set_union(&reach->ldd, relation, make_tuple(reach, deed));
    }
    if (!ldd_is_over(&reach->ldd)) event->relation = relation;
}

/* What a vector leads to does not fit the layout. To start over costs much: the run goes on without
 * it for a while and finds what else does not. */
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
    struct ldd *ldd = &reach->ldd;
    struct deed *deed = &reach->deeds[event->index];
    struct expander *expander = &reach->expander;
    show_vector(reach, deed, vector);
    reach->vectors++;
    if (!step_group_run(deed->group, expander, reach->point.words, reach->point.committed > 0))
        return note_overflow(reach);
    reach->is_forked |= deed->is_stage && (expander->count > 1 || expander->error_count);
    if (reach->is_forked) return false;
    uint32_t one = set_of(ldd, vector, event->read_count);
    add_successors(reach, deed, event);
    if (expander->count) {
        add_to(ldd, &event->enabled, one);
        add_to(ldd, find_tally(reach, &deed->steps, expander->count), one);
    }
    if (expander->error_count)
        add_to(ldd, find_tally(reach, &deed->errors, expander->error_count), one);
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
                            .whole = marks_chain(&reach->marks, kinds, 0, count)};
    uint32_t marked = 0;
    for (uint32_t level = top; level < count; level++) marked += kinds[level] != MARK_SKIP;
    *deed = (struct deed){.group = group,
                          .levels = ARENA_ARRAY(&reach->arena, uint32_t, marked + 1),
                          .kinds = ARENA_ARRAY(&reach->arena, unsigned char, marked + 1)};
    for (uint32_t level = top; level < count; level++) {
        if (kinds[level] == MARK_SKIP) continue;
        event->read_count += mark_reads(kinds[level]);
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
}

/* Lifetime */

static void make_points(struct reach *reach) {
    const struct layout *layout = reach->program->layout;
    reach->point.words = ARENA_ARRAY(&reach->arena, uint64_t, layout->word_count + 1);
    reach->tuple = ARENA_ARRAY(&reach->arena, uint32_t, 2 * (size_t)reach->levels.count + 1);
    memcpy(reach->point.words, layout->initial, layout->word_count * sizeof(uint64_t));
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
                                    .context = reach};
    closer_init(&reach->closer, &reach->arena, reach->event_count);
}

bool reach_run(struct reach *reach) {
    uint32_t states = close_set(&reach->closer, reach->initial);
    if (ldd_is_over(&reach->ldd) || reach->closer.is_ended || reach->overflows.count) return false;
    assert(!reach->is_forked);
    assert(states != LDD_NONE); /* the initial one is among them */
    reach->states = states;
    return true;
}

/* Frees all sets, so counts and paths have to be made before. */
void reach_close(struct reach *reach) {
    expander_close(&reach->expander);
    ldd_close(&reach->ldd);
    arena_close(&reach->arena);
}
