/* Fields of both models, what is guessed of them, and vectors with room for that. */
#include "explore/compare/sets/state_map.h"

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

static struct mapped_field *share(struct state_map *map, uint32_t concrete, uint32_t abstract) {
    struct mapped_field *field = &map->fields[abstract];
    assert(!field->packed[SIDE_ABSTRACT]); /* a field is mapped once */
    field->concrete = concrete;
    for (int side = 0; side < SIDE_COUNT; side++)
        field->packed[side] =
            &map->reaches[side]->program->layout->fields[side ? abstract : concrete];
    return field;
}

static void share_fields(struct state_map *map) {
    const struct visible *visible = map->visible;
    const struct layout *concrete = map->reaches[SIDE_CONCRETE]->program->layout;
    const struct layout *abstract = map->reaches[SIDE_ABSTRACT]->program->layout;
    map->fields = ARENA_ARRAY(map->arena, struct mapped_field, abstract->field_count + 1);
    for (uint32_t i = 0; i < abstract->field_count; i++) map->fields[i].derived = NOWHERE;
    for (uint32_t i = 0; i < visible->slot_count; i++)
        if (!visible->exchanges[visible->slots[i].index[SIDE_ABSTRACT]])
            share(map, visible->slots[i].index[SIDE_CONCRETE],
                  visible->slots[i].index[SIDE_ABSTRACT]);
    for (uint32_t i = 0; i < visible->process_count; i++)
        share(map, layout_location(concrete, visible->processes[i].index[SIDE_CONCRETE]),
              layout_location(abstract, visible->processes[i].index[SIDE_ABSTRACT]))
            ->codes = match_codes(map, i);
}

/* Fields that are derived */

/* The only level of a field, if it has bits; false if there are several. */
static bool find_part(const struct levels *levels, uint32_t field, struct derived_part *part) {
    *part = (struct derived_part){NOWHERE, 1};
    if (levels->sizes[field] > 1) return false;
    if (!levels->sizes[field]) return true;
    part->level = levels->first[field];
    part->count = levels->items[part->level].mask + 1;
    return true;
}

/* The codes of a case that have levels, in the order of these; how many they are. */
static uint32_t put_case(const struct derived_part *parts, size_t number, uint32_t *row) {
    uint32_t codes[PART_COUNT], levels[PART_COUNT], count = 0;
    case_codes(parts, number, codes);
    for (int i = 0; i < PART_COUNT; i++) {
        uint32_t at = count;
        if (parts[i].level == NOWHERE) continue;
        for (; at && levels[at - 1] > parts[i].level; at--) {
            levels[at] = levels[at - 1];
            row[at] = row[at - 1];
        }
        levels[at] = parts[i].level;
        row[at] = codes[i];
        count++;
    }
    return count;
}

static void mark_part(struct reach *reach, const struct derived_part *part) {
    if (part->level != NOWHERE) reach->kinds[part->level] = MARK_READ;
}

/* Which cases the states of a reach have. */
static bool *find_codes(struct reach *reach, struct arena *arena,
                        const struct derived_part *parts) {
    struct ldd *ldd = &reach->ldd;
    size_t count = case_count(parts);
    bool *has = ARENA_ARRAY(arena, bool, count);
    memset(reach->kinds, MARK_SKIP, reach->levels.count);
    for (int i = 0; i < PART_COUNT; i++) mark_part(reach, &parts[i]);
    uint32_t chain = marks_chain(&reach->marks, reach->kinds, 0, reach->levels.count);
    uint32_t found = set_project(ldd, &reach->marks, reach->states, chain);
    for (size_t i = 0; i < count && !ldd_is_over(ldd); i++) {
        uint32_t row[PART_COUNT], length = put_case(parts, i, row);
        has[i] = set_has(ldd, found, row, length);
    }
    return has;
}

/* The only value that a row has, or NOWHERE. */
static uint32_t find_only(const bool *row, uint32_t count) {
    uint32_t only = NOWHERE;
    for (uint32_t i = 0; i < count; i++)
        if (row[i]) {
            if (only != NOWHERE) return NOWHERE;
            only = i;
        }
    return only;
}

/* The slot of the concrete model that has the name of one of the abstract model, or NOWHERE. */
static uint32_t find_namesake(const struct visible *visible, uint32_t slot) {
    const char *name = visible->names[SIDE_ABSTRACT][slot];
    for (uint32_t i = 0; i < visible->networks[SIDE_CONCRETE]->slot_count; i++)
        if (!strcmp(visible->names[SIDE_CONCRETE][i], name)) return i;
    return NOWHERE;
}

/* The place among the processes of that which a slot belongs to, or NOWHERE if it is global. */
static uint32_t owner_of(const struct state_map *map, uint32_t slot) {
    const struct visible *visible = map->visible;
    const struct process *process = visible->networks[SIDE_ABSTRACT]->slots[slot].process;
    uint32_t place = 0;
    if (!process) return NOWHERE;
    for (; visible->processes[place].index[SIDE_ABSTRACT] != process->index; place++)
        assert(place + 1 < visible->process_count); /* both models have the same ones */
    return place;
}

/* The field of its location, or NOWHERE. */
static uint32_t owner_field(const struct state_map *map, enum side side, uint32_t owner) {
    if (owner == NOWHERE) return NOWHERE;
    return layout_location(map->reaches[side]->program->layout,
                           map->visible->processes[owner].index[side]);
}

/* The values of a field of the abstract model, by location of the concrete one. */
struct guess_parts {
    struct derived_part abstract[PART_COUNT];
    const bool *occurs; /* there */
    const struct packed *locations[SIDE_COUNT];
    const struct view_codes *codes; /* NULL: it is global */
};

/* The row of the abstract model for a location of the concrete one, or NULL. */
static const bool *row_of(const struct guess_parts *parts, uint32_t location) {
    uint32_t row = 0;
    if (parts->codes) {
        int32_t code = (int32_t)location + parts->locations[SIDE_CONCRETE]->lower;
        if ((uint32_t)code >= parts->codes->counts[SIDE_CONCRETE]) return NULL;
        uint32_t there = parts->codes->of[SIDE_ABSTRACT][code];
        if (there == NOWHERE || !field_holds(parts->locations[SIDE_ABSTRACT], (int32_t)there))
            return NULL;
        row = (uint32_t)((int32_t)there - parts->locations[SIDE_ABSTRACT]->lower);
    }
    assert(row < parts->abstract[PART_LOCATION].count);
    return parts->occurs + (size_t)row * parts->abstract[PART_VALUE].count;
}

/* The value of a code of the concrete model. A field that is not stored has one value only. */
static int32_t concrete_value(const struct state_map *map, const struct mapped_field *field,
                              uint32_t code) {
    const struct layout *concrete = map->reaches[SIDE_CONCRETE]->program->layout;
    const struct packed *from = field->packed[SIDE_CONCRETE];
    if (!is_stored(concrete, field->concrete))
        return state_map_value(concrete, from, concrete->initial);
    return (int32_t)((int64_t)code + from->lower);
}

/* The code of a value in the abstract field: one past all codes if there is none. */
static uint32_t abstract_code(const struct mapped_field *field, int32_t value) {
    const struct packed *to = field->packed[SIDE_ABSTRACT];
    if (!field_holds(to, value)) return (uint32_t)to->mask + 1;
    return (uint32_t)((int64_t)value - to->lower);
}

static uint32_t same_value(const struct state_map *map, const struct mapped_field *field,
                           uint32_t code) {
    return abstract_code(field, concrete_value(map, field, code));
}

/* The code that stands for all values at a location, as the abstract model has only that there;
 * NOWHERE if there are more, or the concrete model has no other. */
static uint32_t guess_at(const struct state_map *map, const struct guess_parts *guess,
                         const struct mapped_field *field, uint32_t location) {
    assert(field->derived < map->derived_count);
    const struct derived *derived = &map->derived[field->derived];
    const bool *row = row_of(guess, location);
    uint32_t only = row ? find_only(row, guess->abstract[PART_VALUE].count) : NOWHERE;
    if (!field->packed[SIDE_CONCRETE] || only == NOWHERE) return only;
    uint32_t values = derived->parts[PART_VALUE].count;
    uint32_t cases = derived->parts[PART_KEY].count * values;
    uint32_t own = find_only(&derived->occurs[(size_t)location * cases], cases);
    return own != NOWHERE && same_value(map, field, own % values) == only ? NOWHERE : only;
}

/* Finds what a slot with this owner depends on, in both models; false if these are too many
 * values. */
static bool find_parts(const struct state_map *map, uint32_t slot, uint32_t place,
                       struct guess_parts *guess, struct derived *derived) {
    const struct mapped_field *field = &map->fields[slot];
    struct derived_part *parts[SIDE_COUNT] = {derived->parts, guess->abstract};
    bool is_narrow = true;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct levels *levels = &map->reaches[side]->levels;
        uint32_t owner = owner_field(map, (enum side)side, place);
        for (int i = 0; i < PART_COUNT; i++) parts[side][i] = (struct derived_part){NOWHERE, 1};
        if (field->packed[side])
            is_narrow &= find_part(levels, side ? slot : field->concrete, &parts[side][PART_VALUE]);
        if (owner == NOWHERE) continue;
        is_narrow &= find_part(levels, owner, &parts[side][PART_LOCATION]);
        guess->locations[side] = &levels->layout->fields[owner];
        if (side == SIDE_ABSTRACT) guess->codes = map->fields[owner].codes;
    }
    return is_narrow;
}

/* The place among the processes of the one whose location counts, NOWHERE if none does; false if
 * there are several. */
static bool find_owner(const struct exchange_at *list, uint32_t *owner) {
    *owner = list->process == NO_PROCESS ? NOWHERE : list->process;
    for (const struct exchange_at *at = list; at; at = at->next)
        if (at->process != list->process) return false;
    return true;
}

/* The slot of the key in the concrete model, NOWHERE if there is none; false if there are several.
 */
static bool find_key(const struct exchange_at *list, uint32_t *key) {
    *key = NOWHERE;
    for (const struct exchange_at *at = list; at; at = at->next) {
        if (!at->exchange->key) continue;
        if (*key != NOWHERE && *key != at->key[SIDE_CONCRETE]) return false;
        *key = at->key[SIDE_CONCRETE];
    }
    return true;
}

/* The value of a code of the key. */
static int32_t key_value(const struct state_map *map, uint32_t key, uint32_t code) {
    const struct layout *concrete = map->reaches[SIDE_CONCRETE]->program->layout;
    if (key == NOWHERE) return 0;
    const struct packed *field = &concrete->fields[key];
    return is_stored(concrete, key) ? (int32_t)((int64_t)code + field->lower)
                                    : state_map_value(concrete, field, concrete->initial);
}

/* The value that stands for another one at a location, while the key has a value. */
static int32_t exchanged_at(const struct exchange_at *list, uint32_t code, int32_t key,
                            int32_t value) {
    for (const struct exchange_at *at = list; at; at = at->next)
        if ((at->process == NO_PROCESS || at->code == code) &&
            (!at->exchange->key || exchange_counts(at->exchange, key)))
            return exchange_value(at->exchange, value);
    return value;
}

/* The code for a case that nothing is guessed of: the concrete value, or what stands for it. */
static uint32_t exchanged_code(const struct state_map *map, const struct exchange_at *list,
                               const struct mapped_field *field, uint32_t key,
                               const struct guess_parts *parts, const uint32_t codes[PART_COUNT]) {
    uint32_t code = 0;
    int32_t value = concrete_value(map, field, codes[PART_VALUE]);
    if (list && list->process != NO_PROCESS) {
        int64_t location = (int64_t)codes[PART_LOCATION] + parts->locations[SIDE_CONCRETE]->lower;
        if (location >= parts->codes->counts[SIDE_CONCRETE]) return 0;
        code = map->visible->codes[SIDE_CONCRETE][list->process][location];
    }
    return abstract_code(field,
                         exchanged_at(list, code, key_value(map, key, codes[PART_KEY]), value));
}

/* Fills the table of what is derived; a value that is compared is not guessed. NULL, or why not. */
static const char *fill_table(const struct state_map *map, uint32_t slot, uint32_t key,
                              const struct guess_parts *parts, bool is_compared) {
    const struct exchange_at *list = map->visible->exchanges[slot];
    const struct mapped_field *field = &map->fields[slot];
    assert(field->derived < map->derived_count);
    struct derived *derived = &map->derived[field->derived];
    uint32_t cases = derived->parts[PART_KEY].count * derived->parts[PART_VALUE].count;
    for (uint32_t at = 0; at < derived->parts[PART_LOCATION].count; at++) {
        uint32_t guess = is_compared ? NOWHERE : guess_at(map, parts, field, at);
        if (guess == NOWHERE && !field->packed[SIDE_CONCRETE] && row_of(parts, at))
            return "the abstract model has variables that are not compared";
        for (uint32_t i = 0; i < cases; i++) {
            size_t number = (size_t)at * cases + i;
            uint32_t codes[PART_COUNT];
            case_codes(derived->parts, number, codes);
            derived->mapped[number] = guess;
            if (guess != NOWHERE) continue;
            derived->mapped[number] = 0;
            if (field->packed[SIDE_CONCRETE])
                derived->mapped[number] = exchanged_code(map, list, field, key, parts, codes);
        }
    }
    return NULL;
}

/* Whether all that occurs is mapped to the only value that the abstract model has, where it does
 * not store one. */
static bool is_possible(const struct state_map *map, uint32_t slot) {
    const struct layout *abstract = map->reaches[SIDE_ABSTRACT]->program->layout;
    const struct mapped_field *field = &map->fields[slot];
    const struct derived *derived = &map->derived[field->derived];
    if (is_stored(abstract, slot)) return true;
    uint32_t constant =
        abstract_code(field, field_get(field->packed[SIDE_ABSTRACT], abstract->initial));
    for (size_t i = 0; i < case_count(derived->parts); i++)
        if (derived->occurs[i] && derived->mapped[i] != constant) return false;
    return true;
}

/* Derives the value of a slot of the abstract model: one of which values stand for others, or one
 * that is not compared, so that it is guessed. namesake: the slot of the concrete model, or
 * NOWHERE. */
static const char *derive(struct state_map *map, uint32_t slot, uint32_t namesake,
                          bool is_compared) {
    const struct exchange_at *list = map->visible->exchanges[slot];
    const struct levels *levels = &map->reaches[SIDE_CONCRETE]->levels;
    struct mapped_field *field = &map->fields[slot];
    struct derived *derived = &map->derived[map->derived_count];
    struct guess_parts parts = {0};
    uint32_t owner = owner_of(map, slot), key;
    if (namesake != NOWHERE)
        share(map, namesake, slot);
    else
        field->packed[SIDE_ABSTRACT] = &map->reaches[SIDE_ABSTRACT]->program->layout->fields[slot];
    if (list && !find_owner(list, &owner))
        return "values stand for others by locations of several processes";
    if (!find_key(list, &key)) return "values stand for others by what several variables have";
    if (!find_parts(map, slot, owner, &parts, derived) ||
        (key != NOWHERE && !find_part(levels, key, &derived->parts[PART_KEY])))
        return "a variable whose value is derived has many values";
    if (!is_compared)
        parts.occurs = find_codes(map->reaches[SIDE_ABSTRACT], map->arena, parts.abstract);
    map->has_guesses |= !is_compared;
    derived->occurs = find_codes(map->reaches[SIDE_CONCRETE], map->arena, derived->parts);
    derived->mapped = ARENA_ARRAY(map->arena, uint32_t, case_count(derived->parts));
    field->derived = map->derived_count++;
    const char *problem = fill_table(map, slot, key, &parts, is_compared);
    if (problem || !is_compared || is_possible(map, slot)) return problem;
    return "values stand for others that the abstract model does not have";
}

/* Gives a slot of the abstract model every value that it has at a location. */
static const char *set_free(struct state_map *map, uint32_t slot, uint32_t namesake) {
    const struct levels *levels = &map->reaches[SIDE_CONCRETE]->levels;
    struct mapped_field *field = &map->fields[slot];
    struct derived *derived = &map->derived[map->derived_count];
    struct guess_parts parts = {0};
    field->packed[SIDE_ABSTRACT] = &map->reaches[SIDE_ABSTRACT]->program->layout->fields[slot];
    if (!find_parts(map, slot, owner_of(map, slot), &parts, derived))
        return "a variable that is not compared has many values";
    parts.occurs = find_codes(map->reaches[SIDE_ABSTRACT], map->arena, parts.abstract);
    derived->is_free = true;
    derived->count = parts.abstract[PART_VALUE].count;
    derived->near = NOWHERE;
    if (namesake != NOWHERE && levels->sizes[namesake])
        derived->near = levels->first[namesake] + levels->sizes[namesake] - 1;
    uint32_t locations = derived->parts[PART_LOCATION].count;
    derived->may = ARENA_ARRAY(map->arena, bool, (size_t)locations * derived->count);
    for (uint32_t at = 0; at < locations; at++) {
        const bool *row = row_of(&parts, at);
        if (row) memcpy(derived->may + (size_t)at * derived->count, row, derived->count);
    }
    field->derived = map->derived_count++;
    return NULL;
}

/* Locations */

static const struct mapped_field *location_field(const struct state_map *map, uint32_t place) {
    return &map->fields[owner_field(map, SIDE_ABSTRACT, place)];
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

/* Behind all levels that it depends on. */
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
            problem = derive(map, slot, visible->slots[i].index[SIDE_CONCRETE], true);
        if (problem) return problem;
    }
    for (uint32_t i = 0; i < abstract->field_count; i++) {
        if (!is_stored(abstract, i) || map->fields[i].packed[SIDE_ABSTRACT]) continue;
        assert(i < visible->networks[SIDE_ABSTRACT]->slot_count); /* locations are compared */
        uint32_t namesake = find_namesake(visible, i);
        const char *problem =
            is_free ? set_free(map, i, namesake) : derive(map, i, namesake, false);
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

/* Puts 0 where something is derived, from a level on. Results are remembered apart for a map in which
 * nothing is guessed, as it may have other levels. */
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
        uint32_t length = put_case(derived->parts, i, row);
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
