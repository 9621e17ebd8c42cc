/* Runs groups on mapped states. */
#include "explore/compare/sets/steps_abstract.h"

#include "explore/code/reads.h"
#include "explore/symbolic/may_idle_sets.h"

#include <assert.h>

enum { LEARN_STORES = 8 }; /* what it costs to look at one vector, in results */

static const struct layout *layout_of(const struct abstract_steps *steps, enum side side) {
    return steps->map->reaches[side]->program->layout;
}

static struct ldd *ldd_of(const struct abstract_steps *steps) {
    return &steps->map->reaches[SIDE_CONCRETE]->ldd;
}

/* States */

/* The value of a field on one side, for that on the other; false if there is none, or the layout
 * has no room for it. */
static bool translate(const struct mapped_field *field, enum side to, int32_t *value) {
    if (field->codes) {
        const struct view_codes *codes = field->codes;
        assert((uint32_t)*value < codes->counts[other_side(to)]);
        uint32_t code = codes->of[to][*value];
        if (code == NOWHERE) return false;
        *value = (int32_t)code;
    }
    return field_holds(field->packed[to], *value);
}

/* The abstract state of a concrete one, as far as the group reads it. */
static bool show_state(struct abstract_steps *steps, const struct step_group *group) {
    const struct layout *concrete = layout_of(steps, SIDE_CONCRETE);
    const struct layout *abstract = layout_of(steps, SIDE_ABSTRACT);
    memcpy(steps->state, abstract->initial, abstract->word_count * sizeof(uint64_t));
    for (uint32_t i = 0; i < group->field_count; i++) {
        const struct mapped_field *field = &steps->map->fields[group->fields[i]];
        if (!(group->marks[i] & FOOTPRINT_READS) || group->fields[i] == abstract->field_count)
            continue;
        int32_t value;
        if (field->derived != NOWHERE) {
            uint32_t code = steps->codes[field->derived];
            if (code > field->packed[SIDE_ABSTRACT]->mask) return false;
            value = (int32_t)((int64_t)code + field->packed[SIDE_ABSTRACT]->lower);
        } else {
            value = state_map_value(concrete, field->packed[SIDE_CONCRETE], steps->point.words);
            if (!translate(field, SIDE_ABSTRACT, &value)) return false;
        }
        field_set(field->packed[SIDE_ABSTRACT], steps->state, value);
    }
    return true;
}

/* Takes the values that a step writes over into the concrete state and the derived levels. */
static bool take_state(struct abstract_steps *steps, const struct step_group *group,
                       const uint64_t *words) {
    const struct layout *concrete = layout_of(steps, SIDE_CONCRETE);
    uint32_t bound = layout_of(steps, SIDE_ABSTRACT)->field_count;
    for (uint32_t i = 0; i < group->field_count; i++) {
        const struct mapped_field *field = &steps->map->fields[group->fields[i]];
        if (!(group->marks[i] & FOOTPRINT_WRITES) || group->fields[i] == bound) continue;
        const struct packed *to = field->packed[SIDE_CONCRETE];
        assert(field->packed[SIDE_ABSTRACT]); /* all that groups touch is mapped */
        int32_t value = field_get(field->packed[SIDE_ABSTRACT], words);
        if (field->derived != NOWHERE) {
            steps->after[field->derived] =
                (uint32_t)((int64_t)value - field->packed[SIDE_ABSTRACT]->lower);
            continue;
        }
        if (!translate(field, SIDE_CONCRETE, &value)) return false;
        if (is_stored(concrete, field->concrete))
            field_set(to, steps->point.words, value);
        else if (value != state_map_value(concrete, to, steps->point.words))
            return false;
    }
    return true;
}

/* Short vectors */

static void show_vector(struct abstract_steps *steps, const struct vector_action *action,
                        const uint32_t *vector) {
    const struct state_map *map = steps->map;
    const struct layout *layout = layout_of(steps, SIDE_CONCRETE);
    memcpy(steps->point.words, layout->initial, layout->word_count * sizeof(uint64_t));
    steps->point.committed = 0;
    steps->codes[map->derived_count] = 0;
    for (uint32_t i = 0; i < action->level_count; i++) {
        uint32_t level = action->levels[i];
        if (!mark_reads(action->kinds[i])) continue;
        if (map->origin[level] == NOWHERE)
            steps->codes[map->of[level]] = *vector++;
        else
            level_set(&map->reaches[SIDE_CONCRETE]->levels, map->origin[level], &steps->point,
                      *vector++);
    }
}

static uint32_t written_at(const struct abstract_steps *steps, uint32_t level) {
    const struct state_map *map = steps->map;
    if (map->origin[level] == NOWHERE) return steps->after[map->of[level]];
    return level_get(&map->reaches[SIDE_CONCRETE]->levels, map->origin[level], &steps->point);
}

static void add_vector(struct set_rows *rows, const uint32_t *vector) {
    uint32_t *row = set_rows_add(rows);
    if (rows->length) memcpy(row, vector, rows->length * sizeof *row);
}

static void lose(struct abstract_steps *steps, const uint32_t *vector) {
    steps->has_lost = true;
    add_vector(&steps->unshown, vector);
}

/* A row of the vector and a successor; the vector is in the point again. */
static void add_row(struct abstract_steps *steps, struct vector_action *action,
                    const struct step_group *group, const uint32_t *vector, const uint64_t *words) {
    bool has_place = take_state(steps, group, words);
    if (!has_place) lose(steps, vector);
    uint32_t *value = has_place ? set_rows_add(&action->rows) : NULL;
    const uint32_t *read = vector;
    for (uint32_t i = 0; i < action->level_count && has_place; i++) {
        if (mark_reads(action->kinds[i])) *value++ = *read++;
        if (mark_writes(action->kinds[i])) *value++ = written_at(steps, action->levels[i]);
    }
    assert(!has_place || read == vector + steps->enabled.length);
    show_vector(steps, action, vector);
}

/* Something that is done for all short vectors of what a group reads. */
struct lesson {
    struct abstract_steps *steps;
    const struct step_group *group;
    struct vector_action *action;
    const struct edge_instance *instance; /* NULL: the steps of the group; else where it offers */
    uint32_t channel;                     /* this */
    uint32_t *vector;                     /* room */
};

/* False at a limit. */
static bool learn_steps(const struct lesson *lesson) {
    struct abstract_steps *steps = lesson->steps;
    struct expander *expander = steps->expander;
    bool is_committed = steps->map->committed == NOWHERE
                            ? steps->point.committed > 0
                            : steps->codes[steps->map->derived_count] > 0;
    if (!step_group_run(lesson->group, expander, steps->state, is_committed)) {
        bool is_lost = expander->machine.has_overflowed;
        expander->machine.has_overflowed = false;
        if (is_lost) lose(steps, lesson->vector);
        return is_lost;
    }
    if (expander->count) add_vector(&steps->enabled, lesson->vector);
    for (uint32_t i = 0; i < expander->count; i++)
        add_row(steps, lesson->action, lesson->group, lesson->vector,
                expander->states + (size_t)i * expander->word_count);
    return true;
}

/* False at a limit. */
static bool learn_offer(const struct lesson *lesson) {
    struct abstract_steps *steps = lesson->steps;
    struct machine *machine = &steps->expander->machine;
    enum outcome outcome = machine_unit(machine, &lesson->instance->guard, steps->state);
    bool is_known = lesson->instance->channel != ANY_CHANNEL;
    if (outcome == RUN_TRUE && !is_known) {
        show_state(steps, lesson->group); /* the guard may have used what is not stored */
        outcome = machine_unit(machine, &lesson->instance->channel_code, steps->state);
        is_known = machine->registers[0] == (int32_t)lesson->channel;
    }
    assert(outcome != RUN_OVERFLOW); /* nothing is written */
    if (outcome == RUN_TRUE && is_known) add_vector(&steps->enabled, lesson->vector);
    return !is_broken_off(outcome);
}

/* False at a limit. */
static bool learn(const struct lesson *lesson) {
    struct abstract_steps *steps = lesson->steps;
    show_vector(steps, lesson->action, lesson->vector);
    ldd_work(ldd_of(steps), LEARN_STORES);
    if (!show_state(steps, lesson->group)) {
        lose(steps, lesson->vector);
        return true;
    }
    return lesson->instance ? learn_offer(lesson) : learn_steps(lesson);
}

static bool learn_all(const struct lesson *lesson, uint32_t set, uint32_t length) {
    const struct ldd *ldd = ldd_of(lesson->steps);
    bool is_fine = !ldd_is_over(ldd);
    if (is_fine && set && length == lesson->steps->enabled.length) return learn(lesson);
    for (; set && is_fine; set = ldd->nodes[set].right) {
        lesson->vector[length] = ldd->nodes[set].value;
        is_fine = learn_all(lesson, ldd->nodes[set].down, length + 1);
    }
    return is_fine;
}

/* Groups */

/* The levels that a group marks. */
static void mark_levels(const struct abstract_steps *steps, const struct step_group *group,
                        unsigned char *kinds) {
    static const unsigned char kind_of[] = {[FOOTPRINT_READS] = MARK_READ,
                                            [FOOTPRINT_WRITES] = MARK_WRITE,
                                            [FOOTPRINT_READS | FOOTPRINT_WRITES] = MARK_READ_WRITE};
    const struct state_map *map = steps->map;
    const struct levels *levels = &map->reaches[SIDE_CONCRETE]->levels;
    uint32_t committed = committed_field(layout_of(steps, SIDE_ABSTRACT));
    memset(kinds, MARK_SKIP, map->level_count);
    for (uint32_t i = 0; i < group->field_count; i++) {
        const struct mapped_field *mapped_field = &map->fields[group->fields[i]];
        bool is_committed = group->fields[i] == committed;
        assert(group->marks[i] && group->marks[i] <= (FOOTPRINT_READS | FOOTPRINT_WRITES));
        unsigned char kind = kind_of[group->marks[i]];
        uint32_t field = mapped_field->concrete;
        if (is_committed && map->committed != NOWHERE) {
            if (mark_reads(kind)) kinds[map->committed] = MARK_READ;
            continue;
        }
        if (is_committed) {
            field = committed_field(layout_of(steps, SIDE_CONCRETE));
            kind = mark_reads(kind) ? MARK_READ : MARK_SKIP; /* it follows from locations */
        }
        if (!is_committed && mapped_field->derived != NOWHERE)
            kinds[map->derived[mapped_field->derived].level] = kind;
        else
            for (uint32_t k = 0; k < levels->sizes[field]; k++)
                kinds[map->place[levels->first[field] + k]] = kind;
    }
}

/* Begins an action from the kinds of its levels, which then are those of what it reads. */
static struct vector_action begin_action(const struct abstract_steps *steps, unsigned char *kinds,
                                         uint32_t *reads) {
    struct arena *arena = steps->map->arena;
    uint32_t count = steps->map->level_count;
    struct vector_action action = {.levels = ARENA_ARRAY(arena, uint32_t, count + 1),
                                   .kinds = ARENA_ARRAY(arena, unsigned char, count + 1)};
    *reads = 0;
    for (uint32_t level = 0; level < count; level++) {
        unsigned char kind = kinds[level];
        if (kind == MARK_SKIP) continue;
        *reads += mark_reads(kind);
        action.rows.length += (uint32_t)mark_reads(kind) + mark_writes(kind);
        action.levels[action.level_count] = level;
        action.kinds[action.level_count++] = kind;
        kinds[level] = mark_reads(kind) ? MARK_READ : MARK_SKIP;
    }
    return action;
}

/* Learns from all short vectors of a set: those that are enabled, and the chain of what is read. */
static bool take_lesson(struct lesson *lesson, uint32_t set, uint32_t *enabled, uint32_t *chain) {
    struct abstract_steps *steps = lesson->steps;
    struct reach *reach = steps->map->reaches[SIDE_CONCRETE];
    mark_levels(steps, lesson->group, steps->kinds);
    *lesson->action = begin_action(steps, steps->kinds, &steps->enabled.length);
    steps->unshown.length = steps->enabled.length;
    steps->unshown.count = 0;
    *chain = marks_chain(&reach->marks, steps->kinds, 0, steps->map->level_count);
    uint32_t found = set_project(&reach->ldd, &reach->marks, set, *chain);
    bool is_fine = learn_all(lesson, found, 0);
    *enabled = set_of_rows(&reach->ldd, &steps->enabled);
    return is_fine;
}

static bool make_action(struct abstract_steps *steps, struct vector_action *action,
                        const struct step_group *group) {
    struct reach *reach = steps->map->reaches[SIDE_CONCRETE];
    struct lesson lesson = {
        .steps = steps, .group = group, .action = action, .vector = steps->vector};
    uint32_t enabled, chain;
    bool is_fine = take_lesson(&lesson, steps->states, &enabled, &chain);
    steps->stuck = set_unmatch(&reach->ldd, &reach->marks, steps->stuck, enabled, chain);
    uint32_t unshown = set_of_rows(&reach->ldd, &steps->unshown);
    unshown = set_match(&reach->ldd, &reach->marks, steps->states, unshown, chain);
    steps->lost = set_union(&reach->ldd, steps->lost, unshown);
    return is_fine;
}

static void make_room(struct abstract_steps *steps) {
    struct arena *arena = steps->map->arena;
    uint32_t derived = steps->map->derived_count + 1; /* and whether some process is committed */
    uint32_t count = steps->map->level_count;
    steps->point.words =
        ARENA_ARRAY(arena, uint64_t, layout_of(steps, SIDE_CONCRETE)->word_count + 1);
    steps->state = ARENA_ARRAY(arena, uint64_t, layout_of(steps, SIDE_ABSTRACT)->word_count + 1);
    steps->codes = ARENA_ARRAY(arena, uint32_t, derived);
    steps->after = ARENA_ARRAY(arena, uint32_t, derived);
    steps->vector = ARENA_ARRAY(arena, uint32_t, count + 1);
    steps->kinds = ARENA_ARRAY(arena, unsigned char, count + 1);
}

bool steps_abstract(struct vector_system *system, struct abstract_steps *steps) {
    const struct groups *groups = steps->map->reaches[SIDE_ABSTRACT]->groups;
    bool is_fine = true;
    make_room(steps);
    system->actions = ARENA_ARRAY(steps->map->arena, struct vector_action, groups->items.count + 1);
    steps->stuck = steps->seeks_stuck ? steps->states : LDD_NONE;
    for (; system->count < groups->items.count && is_fine; system->count++)
        is_fine = make_action(steps, &system->actions[system->count],
                              &groups->items.items[system->count]);
    return is_fine && !ldd_is_over(ldd_of(steps));
}

/* Time */

/* What an instance looks at to offer a channel; false if that is not known. */
static bool find_reads(const struct abstract_steps *steps, const struct edge_instance *instance,
                       struct step_group *group) {
    const struct layout *layout = layout_of(steps, SIDE_ABSTRACT);
    const struct code *code = &steps->map->reaches[SIDE_ABSTRACT]->program->code;
    struct arena *arena = steps->map->arena;
    uint64_t *bits = ARENA_ARRAY(arena, uint64_t, layout->word_count + 1);
    bool asks_stuck = false; /* only queries do */
    *group =
        (struct step_group){.fields = ARENA_ARRAY(arena, uint32_t, layout->field_count + 1),
                            .marks = ARENA_ARRAY(arena, unsigned char, layout->field_count + 1)};
    if (!unit_reads(code, &instance->guard, bits, layout->word_count, &asks_stuck)) return false;
    if (instance->channel == ANY_CHANNEL &&
        !unit_reads(code, &instance->channel_code, bits, layout->word_count, &asks_stuck))
        return false;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct packed *field = &layout->fields[i];
        if (!is_stored(layout, i) || !(bits[field->word] & field->mask << field->shift)) continue;
        group->marks[group->field_count] = FOOTPRINT_READS;
        group->fields[group->field_count++] = i;
    }
    return true;
}

/* In mapped states. */
static bool find_offer(void *context, const struct edge_instance *instance, uint32_t channel,
                       uint32_t set, uint32_t *offered) {
    struct abstract_steps *steps = context;
    struct reach *reach = steps->map->reaches[SIDE_CONCRETE];
    struct step_group group;
    struct vector_action reads;
    struct lesson lesson = {.steps = steps,
                            .group = &group,
                            .action = &reads,
                            .instance = instance,
                            .channel = channel,
                            .vector = steps->vector};
    uint32_t enabled, chain;
    if (!find_reads(steps, instance, &group) || !take_lesson(&lesson, set, &enabled, &chain))
        return false;
    *offered = set_match(&reach->ldd, &reach->marks, set, enabled, chain);
    return true;
}

bool steps_abstract_idle(struct abstract_steps *steps, uint32_t *states) {
    struct ldd *ldd = ldd_of(steps);
    struct offer_finder finder = {ldd, steps->map->reaches[SIDE_ABSTRACT]->program, find_offer,
                                  steps};
    *states =
        set_minus(ldd, steps->states, state_map_located(steps->map, stops_time, steps->states));
    return leave_urgent_pairs(&finder, states) && !ldd_is_over(ldd);
}

void steps_abstract_close(struct abstract_steps *steps) {
    set_rows_close(&steps->enabled);
    set_rows_close(&steps->unshown);
}
