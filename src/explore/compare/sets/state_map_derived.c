/* Values of the abstract model by case: what stands for another value, what is guessed or free. */
#include "explore/compare/sets/state_map_internal.h"

#include <assert.h>
#include <string.h>

/* The only level of a field, if it has bits; false if there are several. */
static bool find_part(const struct levels *levels, uint32_t field, struct derived_part *part) {
    *part = (struct derived_part){NOWHERE, 1};
    if (levels->sizes[field] > 1) return false;
    if (!levels->sizes[field]) return true;
    part->level = levels->first[field];
    part->count = levels->items[part->level].mask + 1;
    return true;
}

uint32_t derived_case(const struct derived_part *parts, size_t number, uint32_t *row) {
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
        uint32_t row[PART_COUNT], length = derived_case(parts, i, row);
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

const char *derive_value(struct state_map *map, uint32_t slot, uint32_t namesake,
                         bool is_compared) {
    const struct exchange_at *list = map->visible->exchanges[slot];
    const struct levels *levels = &map->reaches[SIDE_CONCRETE]->levels;
    struct mapped_field *field = &map->fields[slot];
    struct derived *derived = &map->derived[map->derived_count];
    struct guess_parts parts = {0};
    uint32_t owner = owner_of(map, slot), key;
    if (namesake != NOWHERE)
        map_field(map, namesake, slot);
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

const char *free_value(struct state_map *map, uint32_t slot, uint32_t namesake) {
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
