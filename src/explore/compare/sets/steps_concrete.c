/* Rows of events, row by row with what is derived. */
#include "explore/compare/sets/steps_concrete.h"

#include <assert.h>

enum { MAX_ROWS = 1 << 18 /* with something that is derived */ };

/* A level of the concrete model in the current row. */
struct cell {
    bool is_read, is_written;
    uint32_t before, after; /* before: if it is read */
};

struct maker {
    struct state_map *map;
    struct vector_system *system;
    uint32_t capacity, first; /* of actions: room, and the first one of the current event */
    bool is_silent;           /* it is one of processes that the abstract model lacks */
    struct cell *cells;       /* by level of the concrete model */
    uint32_t *touched;        /* what is derived from something that the event writes */
    uint32_t touched_count;
    unsigned char *kinds; /* by level of mapped vectors: of the current row, */
    uint32_t *written;    /* and what it writes where something is derived */
    uint64_t row_count;
};

static uint32_t level_count_of(const unsigned char *kinds, uint32_t count) {
    uint32_t marked = 0;
    for (uint32_t i = 0; i < count; i++) marked += kinds[i] != MARK_SKIP;
    return marked;
}

static bool has_kinds(const struct vector_action *action, const unsigned char *kinds,
                      uint32_t count) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_marked = k < action->level_count && action->levels[k] == i;
        if (kinds[i] != (is_marked ? action->kinds[k] : MARK_SKIP)) return false;
        k += is_marked;
    }
    return true;
}

static struct vector_action *add_action(struct maker *maker) {
    struct vector_system *system = maker->system;
    struct arena *arena = maker->map->arena;
    uint32_t count = maker->map->level_count;
    if (system->count == maker->capacity)
        system->actions = vec_grow(arena, system->actions, system->count, &maker->capacity,
                                   sizeof *system->actions);
    struct vector_action *action = &system->actions[system->count++];
    uint32_t marked = level_count_of(maker->kinds, count);
    *action = (struct vector_action){.levels = ARENA_ARRAY(arena, uint32_t, marked + 1),
                                     .kinds = ARENA_ARRAY(arena, unsigned char, marked + 1),
                                     .is_silent = maker->is_silent};
    for (uint32_t i = 0; i < count; i++) {
        if (maker->kinds[i] == MARK_SKIP) continue;
        action->levels[action->level_count] = i;
        action->kinds[action->level_count++] = maker->kinds[i];
        action->rows.length += (uint32_t)mark_reads(maker->kinds[i]) + mark_writes(maker->kinds[i]);
    }
    assert(action->level_count == marked);
    return action;
}

/* That of the current event with the current kinds. */
static struct vector_action *find_action(struct maker *maker) {
    struct vector_system *system = maker->system;
    for (uint32_t i = maker->first; i < system->count; i++)
        if (has_kinds(&system->actions[i], maker->kinds, maker->map->level_count))
            return &system->actions[i];
    return add_action(maker);
}

static void put_row(struct maker *maker) {
    const struct state_map *map = maker->map;
    struct vector_action *action = find_action(maker);
    uint32_t *to = set_rows_add(&action->rows);
    for (uint32_t i = 0; i < action->level_count; i++) {
        uint32_t level = action->levels[i], origin = map->origin[level];
        const struct cell *cell = origin == NOWHERE ? NULL : &maker->cells[origin];
        if (mark_reads(action->kinds[i])) *to++ = cell->before;
        if (mark_writes(action->kinds[i])) *to++ = cell ? cell->after : maker->written[level];
    }
    assert(to == action->rows.values + (size_t)action->rows.count * action->rows.length);
    maker->row_count += maker->touched_count > 0;
    ldd_work(&map->reaches[SIDE_CONCRETE]->ldd, 1);
}

/* Derived levels after an event */

/* The codes of a part that the row may meet, and the one that it writes or NOWHERE. */
struct meeting {
    uint32_t first, end, written;
};

static struct meeting meet(const struct maker *maker, const struct derived_part *part) {
    struct meeting meeting = {0, part->count, NOWHERE};
    if (part->level == NOWHERE) return meeting;
    const struct cell *cell = &maker->cells[part->level];
    assert(!cell->is_read || cell->before < part->count);
    if (cell->is_read) meeting = (struct meeting){cell->before, cell->before + 1, NOWHERE};
    if (cell->is_written) meeting.written = cell->after;
    return meeting;
}

struct derived_change {
    bool is_same;  /* it stays as it is, whatever it is */
    bool is_known; /* it is this afterwards: */
    uint32_t value;
};

/* The next case that the row may meet; false after the last. */
static bool next_case(uint32_t codes[PART_COUNT], const struct meeting meetings[PART_COUNT]) {
    for (int i = PART_COUNT; i-- > 0;) {
        if (++codes[i] < meetings[i].end) return true;
        codes[i] = meetings[i].first;
    }
    return false;
}

static struct derived_change change_of(const struct derived *derived,
                                       const struct meeting meetings[PART_COUNT]) {
    struct derived_change change = {.is_same = true, .is_known = true, .value = NOWHERE};
    uint32_t codes[PART_COUNT], after[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++) codes[i] = meetings[i].first;
    do {
        size_t before = case_of(derived->parts, codes);
        if (!derived->occurs[before]) continue;
        for (int i = 0; i < PART_COUNT; i++)
            after[i] = meetings[i].written == NOWHERE ? codes[i] : meetings[i].written;
        uint32_t value = derived->mapped[case_of(derived->parts, after)];
        change.is_same &= value == derived->mapped[before];
        change.is_known &= change.value == NOWHERE || change.value == value;
        change.value = value;
    } while (next_case(codes, meetings));
    return change;
}

static void put_derived(struct maker *maker, uint32_t index);

/* Goes on with every value that a level may have that the row does not read. */
static void ask(struct maker *maker, uint32_t index, const struct derived_part *part) {
    struct cell *cell = &maker->cells[part->level];
    uint32_t level = maker->map->place[part->level];
    unsigned char kind = maker->kinds[level];
    assert(!cell->is_read);
    cell->is_read = true;
    maker->kinds[level] = cell->is_written ? MARK_READ_WRITE : MARK_READ;
    for (cell->before = 0; cell->before < part->count; cell->before++) put_derived(maker, index);
    cell->is_read = false;
    maker->kinds[level] = kind;
}

static bool is_asked(const struct maker *maker, const struct derived_part *part) {
    return part->level == NOWHERE || maker->cells[part->level].is_read;
}

/* Puts the current row, from one that is derived on. */
static void put_derived(struct maker *maker, uint32_t index) {
    if (maker->row_count > MAX_ROWS || ldd_is_over(&maker->map->reaches[SIDE_CONCRETE]->ldd))
        return;
    if (index == maker->touched_count) {
        put_row(maker);
        return;
    }
    const struct derived *derived = &maker->map->derived[maker->touched[index]];
    struct meeting meetings[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++) meetings[i] = meet(maker, &derived->parts[i]);
    struct derived_change change = change_of(derived, meetings);
    if (change.value == NOWHERE) return; /* no state has this */
    if (change.is_same || change.is_known) {
        maker->kinds[derived->level] = change.is_same ? MARK_SKIP : MARK_WRITE;
        maker->written[derived->level] = change.value;
        put_derived(maker, index + 1);
        maker->kinds[derived->level] = MARK_SKIP;
        return;
    }
    int part = PART_LOCATION;
    while (part < PART_VALUE && is_asked(maker, &derived->parts[part])) part++;
    assert(derived->parts[part].level != NOWHERE); /* or the case is known */
    ask(maker, index, &derived->parts[part]);
}

/* Events */

static void find_touched(struct maker *maker) {
    const struct state_map *map = maker->map;
    maker->touched_count = 0;
    for (uint32_t i = 0; i < map->derived_count; i++)
        for (int k = 0; k < PART_COUNT && !map->derived[i].is_free; k++) {
            uint32_t level = map->derived[i].parts[k].level;
            if (level == NOWHERE || !maker->cells[level].is_written) continue;
            maker->touched[maker->touched_count++] = i;
            break;
        }
}

/* Makes a cell of every level of an action; without values, of its first row. */
static void take_row(struct maker *maker, const struct vector_action *action,
                     const uint32_t *values) {
    for (uint32_t i = 0; i < action->level_count; i++) {
        struct cell *cell = &maker->cells[action->levels[i]];
        *cell = (struct cell){.is_read = mark_reads(action->kinds[i]),
                              .is_written = mark_writes(action->kinds[i])};
        if (cell->is_read) cell->before = *values++;
        if (cell->is_written) cell->after = *values++;
    }
}

static void add_event(struct maker *maker, const struct vector_action *action) {
    const struct state_map *map = maker->map;
    maker->first = maker->system->count;
    memset(maker->kinds, MARK_SKIP, map->level_count);
    for (uint32_t i = 0; i < action->level_count; i++)
        maker->kinds[map->place[action->levels[i]]] = action->kinds[i];
    for (uint32_t i = 0; i < action->rows.count; i++) {
        take_row(maker, action, action->rows.values + (size_t)i * action->rows.length);
        if (!i) find_touched(maker);
        put_derived(maker, 0);
    }
    for (uint32_t i = 0; i < action->level_count; i++)
        maker->cells[action->levels[i]] = (struct cell){0};
}

static void add_part(struct maker *maker, const struct event *event, uint32_t relation) {
    struct vector_action action;
    action_of_event(&action, maker->map->reaches[SIDE_CONCRETE], event, relation);
    add_event(maker, &action);
    action_close(&action);
}

/* Of a step: whether processes take it that the abstract model lacks, and no others. */
static uint32_t is_of_gone(void *context, const struct step_record *record) {
    const struct state_map *map = context;
    return step_is_of_gone(&map->reaches[SIDE_CONCRETE]->expander, record, map->visible->is_gone);
}

/* The steps of an event, apart from those of processes that the abstract model lacks; false at a
 * limit. */
static bool add_parts(struct maker *maker, uint32_t event) {
    struct reach *reach = maker->map->reaches[SIDE_CONCRETE];
    uint32_t parts;
    if (!reach_label(reach, event, is_of_gone, maker->map, &parts)) return false;
    for (; parts; parts = reach->ldd.nodes[parts].right) {
        struct ldd_node node = reach->ldd.nodes[parts];
        maker->is_silent = node.value;
        add_part(maker, &reach->events[event], node.down);
    }
    maker->is_silent = false;
    return true;
}

bool steps_concrete(struct vector_system *system, struct state_map *map) {
    struct reach *reach = map->reaches[SIDE_CONCRETE];
    struct maker maker = {.map = map, .system = system};
    bool is_fine = true;
    maker.cells = ARENA_ARRAY(map->arena, struct cell, reach->levels.count + 1);
    maker.touched = ARENA_ARRAY(map->arena, uint32_t, map->derived_count + 1);
    maker.kinds = ARENA_ARRAY(map->arena, unsigned char, map->level_count + 1);
    maker.written = ARENA_ARRAY(map->arena, uint32_t, map->level_count + 1);
    for (uint32_t i = 0; i < reach->event_count && is_fine; i++) {
        if (map->visible->is_gone)
            is_fine = add_parts(&maker, i);
        else
            add_part(&maker, &reach->events[i], reach->events[i].relation);
        is_fine &= maker.row_count <= MAX_ROWS;
    }
    return is_fine;
}
