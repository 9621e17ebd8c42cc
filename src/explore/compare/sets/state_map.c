/* Fields of both models, and vectors with room for what is derived. */
#include "explore/compare/sets/state_map_internal.h"

#include <assert.h>

/* Fields that are compared */

static const struct template *template_at(const struct state_map *map, enum side side,
                                          uint32_t place) {
    const struct visible *visible = map->visible;
    return visible->networks[side]->processes[visible->processes[place].index[side]].template;
}

static const struct view_codes *match_codes(struct state_map *map, uint32_t place) {
    const struct visible *visible = map->visible;
    struct view_codes *codes = ARENA_NEW(map->arena, struct view_codes);
    *codes = (struct view_codes){0};
    for (int side = 0; side < SIDE_COUNT; side++)
        codes->counts[side] = template_at(map, (enum side)side, place)->location_count;
    for (int side = 0; side < SIDE_COUNT; side++) {
        codes->of[side] = ARENA_ARRAY(map->arena, uint32_t, codes->counts[!side] + 1);
        for (uint32_t i = 0; i < codes->counts[!side]; i++) {
            codes->of[side][i] = NOWHERE;
            for (uint32_t k = 0; k < codes->counts[side]; k++)
                if (visible->codes[side][place][k] == visible->codes[!side][place][i])
                    codes->of[side][i] = k;
        }
    }
    return codes;
}

static void share_fields(struct state_map *map) {
    const struct visible *visible = map->visible;
    const struct layout *concrete = map->reaches[SIDE_CONCRETE]->program->layout;
    const struct layout *abstract = map->reaches[SIDE_ABSTRACT]->program->layout;
    map->fields = ARENA_ARRAY(map->arena, struct mapped_field, abstract->field_count + 1);
    for (uint32_t i = 0; i < abstract->field_count; i++) map->fields[i].derived = NOWHERE;
    for (uint32_t i = 0; i < visible->slot_count; i++)
        if (!visible->exchanges[visible->slots[i].index[SIDE_ABSTRACT]])
            map_field(map, visible->slots[i].index[SIDE_CONCRETE],
                      visible->slots[i].index[SIDE_ABSTRACT]);
    for (uint32_t i = 0; i < visible->process_count; i++)
        map_field(map, layout_location(concrete, visible->processes[i].index[SIDE_CONCRETE]),
                  layout_location(abstract, visible->processes[i].index[SIDE_ABSTRACT]))
            ->codes = match_codes(map, i);
}

/* Locations */

static const struct mapped_field *location_field(const struct state_map *map, uint32_t place) {
    const struct layout *layout = map->reaches[SIDE_ABSTRACT]->program->layout;
    return &map->fields[layout_location(layout,
                                        map->visible->processes[place].index[SIDE_ABSTRACT])];
}

static uint32_t located(struct state_map *map, uint32_t place, location_test *test, uint32_t set) {
    struct reach *reach = map->reaches[SIDE_CONCRETE];
    const struct mapped_field *field = location_field(map, place);
    const struct packed *packed = field->packed[SIDE_CONCRETE];
    uint32_t first = reach->levels.first[field->concrete],
             size = reach->levels.sizes[field->concrete];
    struct set_rows rows = {.length = size};
    for (uint32_t i = 0; i < field->codes->counts[SIDE_CONCRETE]; i++) {
        uint32_t there = field->codes->of[SIDE_ABSTRACT][i];
        if (there == NOWHERE || !field_holds(packed, (int32_t)i) ||
            !test(&template_at(map, SIDE_ABSTRACT, place)->locations[there]))
            continue;
        if (!size) return set; /* it has no other one */
        uint32_t *row = set_rows_add(&rows), value = i - (uint32_t)packed->lower;
        for (uint32_t k = 0; k < size; k++) {
            const struct level *level = &reach->levels.items[first + k];
            row[k] = value >> level->shift & level->mask;
        }
    }
    memset(map->kinds, MARK_SKIP, map->level_count);
    for (uint32_t k = 0; k < size; k++) map->kinds[map->place[first + k]] = MARK_READ;
    uint32_t chain = marks_chain(&reach->marks, map->kinds, 0, map->level_count);
    uint32_t wanted = set_of_rows(&reach->ldd, &rows);
    set_rows_close(&rows);
    return set_match(&reach->ldd, &reach->marks, set, wanted, chain);
}

uint32_t state_map_located(struct state_map *map, location_test *test, uint32_t set) {
    uint32_t found = LDD_NONE;
    for (uint32_t place = 0; place < map->visible->process_count; place++)
        found = set_union(&map->reaches[SIDE_CONCRETE]->ldd, found, located(map, place, test, set));
    return found;
}

static bool is_committed_location(const struct location *location) {
    return location->is_committed;
}

/* Vectors */

/* After all levels that it depends on. */
static uint32_t place_of(const struct derived *derived) {
    uint32_t place = 0;
    for (int i = 0; i < PART_COUNT; i++) {
        uint32_t level = derived->parts[i].level;
        if (level != NOWHERE && level + 1 > place) place = level + 1;
    }
    if (derived->is_free && derived->near != NOWHERE && derived->near + 1 > place)
        place = derived->near + 1;
    return place;
}

static void add_level(struct state_map *map, uint32_t origin, uint32_t derived) {
    assert((origin == NOWHERE) != (derived == NOWHERE));
    map->origin[map->level_count] = origin;
    map->of[map->level_count] = derived;
    map->is_visible[map->level_count] = origin == NOWHERE && !map->derived[derived].is_free;
    if (origin == NOWHERE)
        map->derived[derived].level = map->level_count;
    else
        map->place[origin] = map->level_count;
    map->level_count++;
}

static void place_levels(struct state_map *map) {
    const struct levels *levels = &map->reaches[SIDE_CONCRETE]->levels;
    uint32_t most = levels->count + map->derived_count + 2;
    map->place = ARENA_ARRAY(map->arena, uint32_t, most);
    map->origin = ARENA_ARRAY(map->arena, uint32_t, most);
    map->of = ARENA_ARRAY(map->arena, uint32_t, most);
    map->is_visible = ARENA_ARRAY(map->arena, bool, most);
    map->kinds = ARENA_ARRAY(map->arena, unsigned char, most);
    for (uint32_t level = 0; level <= levels->count; level++) {
        for (uint32_t i = 0; i < map->derived_count; i++)
            if (place_of(&map->derived[i]) == level) add_level(map, NOWHERE, i);
        if (level < levels->count) add_level(map, level, NOWHERE);
    }
    assert(map->level_count == levels->count + map->derived_count);
    map->committed = NOWHERE;
    if (!map->reaches[SIDE_ABSTRACT]->program->has_committed ||
        visible_agrees(map->visible, is_committed_location))
        return;
    map->committed = map->level_count++; /* it follows from locations, which are compared */
    map->origin[map->committed] = NOWHERE;
    map->of[map->committed] = map->derived_count;
}

static void find_visible(struct state_map *map) {
    const struct levels *levels = &map->reaches[SIDE_CONCRETE]->levels;
    const struct layout *abstract = map->reaches[SIDE_ABSTRACT]->program->layout;
    for (uint32_t f = 0; f < abstract->field_count; f++) {
        const struct mapped_field *field = &map->fields[f];
        if (!field->packed[SIDE_ABSTRACT] || field->derived != NOWHERE) continue;
        for (uint32_t k = 0; k < levels->sizes[field->concrete]; k++)
            map->is_visible[map->place[levels->first[field->concrete] + k]] = true;
    }
}

/* The slot of the concrete model that has the name of one of the abstract model, or NOWHERE. */
static uint32_t find_namesake(const struct visible *visible, uint32_t slot) {
    const char *name = visible->names[SIDE_ABSTRACT][slot];
    for (uint32_t i = 0; i < visible->networks[SIDE_CONCRETE]->slot_count; i++)
        if (!strcmp(visible->names[SIDE_CONCRETE][i], name)) return i;
    return NOWHERE;
}

const char *state_map_init(struct state_map *map, const struct visible *visible,
                           struct reach *const reaches[SIDE_COUNT], bool is_free) {
    const struct layout *abstract = reaches[SIDE_ABSTRACT]->program->layout;
    *map = (struct state_map){
        .visible = visible, .arena = &reaches[SIDE_CONCRETE]->arena, .is_free = is_free};
    for (int side = 0; side < SIDE_COUNT; side++) map->reaches[side] = reaches[side];
    share_fields(map);
    map->derived = ARENA_ARRAY(map->arena, struct derived, abstract->field_count + 1);
    for (uint32_t i = 0; i < visible->slot_count; i++) {
        uint32_t slot = visible->slots[i].index[SIDE_ABSTRACT];
        const char *problem = NULL;
        if (visible->exchanges[slot])
            problem = derive_value(map, slot, visible->slots[i].index[SIDE_CONCRETE], true);
        if (problem) return problem;
    }
    for (uint32_t i = 0; i < abstract->field_count; i++) {
        if (!is_stored(abstract, i) || map->fields[i].packed[SIDE_ABSTRACT]) continue;
        assert(i < visible->networks[SIDE_ABSTRACT]->slot_count); /* locations are compared */
        uint32_t namesake = find_namesake(visible, i);
        const char *problem =
            is_free ? free_value(map, i, namesake) : derive_value(map, i, namesake, false);
        if (problem) return problem;
    }
    place_levels(map);
    find_visible(map);
    return NULL;
}

/* Pairs of states */

static uint32_t initial_code(const struct reach *reach, const struct derived_part *part) {
    struct level_state point = {reach->program->layout->initial, 0};
    return part->level == NOWHERE ? 0 : level_get(&reach->levels, part->level, &point);
}

static bool derives_initial(const struct state_map *map, uint32_t slot) {
    const struct reach *concrete = map->reaches[SIDE_CONCRETE];
    const struct layout *abstract = map->reaches[SIDE_ABSTRACT]->program->layout;
    const struct packed *field = &abstract->fields[slot];
    const struct derived *derived = &map->derived[map->fields[slot].derived];
    assert(map->fields[slot].derived < map->derived_count);
    if (derived->is_free) return true;
    uint32_t codes[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++) codes[i] = initial_code(concrete, &derived->parts[i]);
    uint32_t code = derived->mapped[case_of(derived->parts, codes)];
    return code == (uint32_t)(field_get(field, abstract->initial) - field->lower);
}

bool state_map_keeps_initial(const struct state_map *map) {
    const struct visible *visible = map->visible;
    const struct network *concrete = visible->networks[SIDE_CONCRETE];
    const struct network *abstract = visible->networks[SIDE_ABSTRACT];
    bool is_alike = true;
    for (uint32_t i = 0; i < visible->slot_count; i++)
        is_alike &= visible->exchanges[visible->slots[i].index[SIDE_ABSTRACT]] ||
                    concrete->slots[visible->slots[i].index[SIDE_CONCRETE]].initial ==
                        abstract->slots[visible->slots[i].index[SIDE_ABSTRACT]].initial;
    for (uint32_t i = 0; i < visible->process_count; i++) {
        const uint32_t *index = visible->processes[i].index;
        uint32_t one = concrete->processes[index[SIDE_CONCRETE]].template->initial;
        uint32_t other = abstract->processes[index[SIDE_ABSTRACT]].template->initial;
        is_alike &=
            visible->codes[SIDE_CONCRETE][i][one] == visible->codes[SIDE_ABSTRACT][i][other];
    }
    for (uint32_t i = 0; i < abstract->slot_count; i++)
        if (map->fields[i].derived != NOWHERE) is_alike &= derives_initial(map, i);
    return is_alike;
}

void state_map_pair(const struct state_map *map, uint64_t *const words[SIDE_COUNT],
                    uint32_t *vector) {
    const struct reach *concrete = map->reaches[SIDE_CONCRETE];
    const struct program *abstract = map->reaches[SIDE_ABSTRACT]->program;
    struct level_state point = {words[SIDE_CONCRETE],
                                count_committed(concrete->program, words[SIDE_CONCRETE])};
    for (uint32_t level = 0; level < map->level_count; level++)
        if (map->origin[level] != NOWHERE)
            vector[level] = level_get(&concrete->levels, map->origin[level], &point);
    for (uint32_t i = 0; i < abstract->layout->field_count; i++) {
        const struct packed *field = &abstract->layout->fields[i];
        if (map->fields[i].derived == NOWHERE) continue;
        vector[map->derived[map->fields[i].derived].level] =
            (uint32_t)(state_map_value(abstract->layout, field, words[SIDE_ABSTRACT]) -
                       field->lower);
    }
    if (map->committed != NOWHERE)
        vector[map->committed] = count_committed(abstract, words[SIDE_ABSTRACT]) > 0;
}

/* Sets */

/* Puts 0 where something is derived, from a level on. Results are remembered apart for a map in
 * which nothing is guessed, as it may have other levels. */
static uint32_t make_room(struct state_map *map, uint32_t set, uint32_t level) {
    struct ldd *ldd = &map->reaches[SIDE_CONCRETE]->ldd;
    uint32_t result;
    if (set == LDD_NONE || ldd_is_over(ldd)) return LDD_NONE;
    if (level == map->level_count) return set;
    if (ldd_recall(ldd, LDD_MAKE_ROOM, set, level, map->is_free, &result)) return result;
    if (map->origin[level] == NOWHERE) {
        result = ldd_make(ldd, 0, make_room(map, set, level + 1), LDD_NONE);
    } else {
        size_t mark = ldd_mark(ldd);
        for (uint32_t at = set; at; at = ldd->nodes[at].right) {
            struct ldd_node node = ldd->nodes[at];
            ldd_push(ldd, node.value, make_room(map, node.down, level + 1));
        }
        result = ldd_list(ldd, mark, LDD_NONE);
    }
    if (!ldd_is_over(ldd)) ldd_store(ldd, LDD_MAKE_ROOM, set, level, map->is_free, result);
    return result;
}

/* What a level that is derived has in each case. */
static void add_cases(struct set_rows *rows, const struct derived *derived) {
    for (size_t i = 0; i < case_count(derived->parts); i++) {
        if (!derived->occurs[i]) continue;
        uint32_t *row = set_rows_add(rows);
        uint32_t length = derived_case(derived->parts, i, row);
        assert(length + 1 == rows->length);
        row[length] = derived->mapped[i];
    }
}

/* What a level that is free may have at each location. */
static void add_free(struct set_rows *rows, const struct derived *derived) {
    uint32_t locations = derived->parts[PART_LOCATION].count;
    for (uint32_t i = 0; i < locations * derived->count; i++) {
        if (!derived->may[i]) continue;
        uint32_t *row = set_rows_add(rows);
        if (rows->length > 1) row[0] = i / derived->count;
        row[rows->length - 1] = i % derived->count;
    }
}

static uint32_t fill(struct state_map *map, const struct derived *derived, uint32_t set) {
    struct reach *reach = map->reaches[SIDE_CONCRETE];
    struct set_rows rows = {.length = 1};
    memset(map->kinds, MARK_SKIP, map->level_count);
    for (int i = 0; i < PART_COUNT; i++) {
        if (derived->parts[i].level == NOWHERE) continue;
        map->kinds[map->place[derived->parts[i].level]] = MARK_READ;
        rows.length++;
    }
    map->kinds[derived->level] = MARK_WRITE;
    if (derived->is_free)
        add_free(&rows, derived);
    else
        add_cases(&rows, derived);
    uint32_t chain = marks_chain(&reach->marks, map->kinds, 0, map->level_count);
    uint32_t relation = set_of_rows(&reach->ldd, &rows);
    set_rows_close(&rows);
    return set_image(&reach->ldd, &reach->marks, set, relation, chain);
}

/* Whether processes are in committed locations of the abstract model. */
static uint32_t fill_committed(struct state_map *map, uint32_t set) {
    struct reach *reach = map->reaches[SIDE_CONCRETE];
    struct ldd *ldd = &reach->ldd;
    uint32_t committed = state_map_located(map, is_committed_location, set), one = 1;
    memset(map->kinds, MARK_SKIP, map->level_count);
    map->kinds[map->committed] = MARK_WRITE;
    uint32_t chain = marks_chain(&reach->marks, map->kinds, 0, map->level_count);
    uint32_t noted = set_image(ldd, &reach->marks, committed, set_of(ldd, &one, 1), chain);
    return set_union(ldd, set_minus(ldd, set, committed), noted);
}

uint32_t state_map_set(struct state_map *map, uint32_t set) {
    if (map->level_count == map->reaches[SIDE_CONCRETE]->levels.count) return set;
    set = make_room(map, set, 0);
    for (uint32_t i = 0; i < map->derived_count; i++) set = fill(map, &map->derived[i], set);
    return map->committed == NOWHERE ? set : fill_committed(map, set);
}
