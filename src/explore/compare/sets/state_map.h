/* STATE MAP - which state of the abstract model a state of the concrete model is mapped to, in
 * vectors.
 *
 * Every concrete state is mapped to one abstract state at most. Both have the same values of what
 * is compared, but for the numbers of locations. A variable of the abstract model that is not
 * compared, because it was removed in some locations only, gets the value that the abstract model
 * has at the location if it is always the same there, and else that of the concrete state. That is
 * a guess: any map will do to show that one model follows another. Where values of a variable stand
 * for others, it gets the representative of the concrete value.
 *
 * Or nothing is guessed, and a concrete state is mapped to all abstract states that look the same:
 * then a variable that is not compared is free. It has every value that the abstract model has
 * somewhere at the location, so that there may be pairs with abstract states that cannot be
 * reached.
 *
 * Vectors of mapped states have the levels of the concrete model (explore/symbolic/levels.h), and
 * one more for each variable whose value differs: it is derived from the location and the concrete
 * value, or free. Where locations that look the same are committed in one model only, a last one
 * says whether some process is in a committed location of the abstract model.
 *
 * Lifetime: in the arena of the concrete reach; both reaches are borrowed and have all states. Sets
 *           are not held.
 * Errors:   state_map_init says what is in the way, in words; past a limit of a diagram results
 *           mean nothing.
 */
#pragma once

#include "explore/symbolic/reach.h"
#include "explore/visible/visible.h"

#include <assert.h>

#define NOWHERE UINT32_MAX

/* Locations of one side by those of the other, or NOWHERE. */
struct view_codes {
    uint32_t *of[SIDE_COUNT];
    uint32_t counts[SIDE_COUNT];
};

/* Fields of the concrete model on which another value depends; the key is that of an exchange. */
enum { PART_LOCATION, PART_KEY, PART_VALUE, PART_COUNT };

struct derived_part {
    uint32_t level; /* of the concrete model, NOWHERE if it is the same in all states */
    uint32_t count; /* of codes, from 0 on */
};

struct derived {
    struct derived_part parts[PART_COUNT];
    uint32_t *mapped; /* by case, which is a code of each part: that in the abstract field */
    bool *occurs;     /* likewise: in some state of the concrete model */
    uint32_t level;   /* of mapped vectors */
    bool is_free;     /* there is no such case, but, by location and code in the abstract field, */
    bool *may;        /* whether it may have that; */
    uint32_t count;   /* codes, */
    uint32_t near;    /* and the level of the concrete model to put it after, or NOWHERE */
};

/* One field of the abstract model in both. */
struct mapped_field {
    const struct packed *packed[SIDE_COUNT]; /* of the abstract side: NULL if it is not stored */
    const struct view_codes *codes;          /* of locations, or NULL */
    uint32_t concrete;                       /* number of the field there */
    uint32_t derived;                        /* or NOWHERE */
};

struct state_map {
    const struct visible *visible;
    struct reach *reaches[SIDE_COUNT];
    struct arena *arena;
    struct mapped_field *fields; /* by field of the abstract model */
    struct derived *derived;
    uint32_t derived_count;
    bool is_free; /* nothing is guessed */
    bool has_guesses;
    uint32_t level_count;
    uint32_t *place;    /* by level of the concrete model: of mapped vectors */
    uint32_t *origin;   /* back, or NOWHERE; */
    uint32_t *of;       /* then what is derived, derived_count for: */
    uint32_t committed; /* the level of whether a process is in a committed location of the abstract
                           model; NOWHERE: that is so as in the concrete one */
    bool *is_visible;   /* by level: it shows something */
    unsigned char *kinds;
};

/* NULL, or why states cannot be mapped. is_free: nothing is guessed. */
const char *state_map_init(struct state_map *map, const struct visible *visible,
                           struct reach *const reaches[SIDE_COUNT], bool is_free);
/* Whether the initial state is mapped to the initial state; of what is free this says nothing. */
bool state_map_keeps_initial(const struct state_map *map);
/* The vector of a pair of states that look the same; has room for the levels. */
void state_map_pair(const struct state_map *map, uint64_t *const words[SIDE_COUNT],
                    uint32_t *vector);
/* A set of concrete states with what is derived, and all that may be free. */
uint32_t state_map_set(struct state_map *map, uint32_t set);

/* The subset of a set of mapped states that have a process in a location of the abstract model for
 * which the test is true. */
uint32_t state_map_located(struct state_map *map, location_test *test, uint32_t set);

/* Cases are numbered, the values of one location and key one after the other. */
static inline size_t case_count(const struct derived_part parts[PART_COUNT]) {
    size_t count = 1;
    for (int i = 0; i < PART_COUNT; i++) count *= parts[i].count;
    return count;
}

static inline size_t case_of(const struct derived_part parts[PART_COUNT],
                             const uint32_t codes[PART_COUNT]) {
    size_t found = 0;
    for (int i = 0; i < PART_COUNT; i++) found = found * parts[i].count + codes[i];
    return found;
}

static inline void case_codes(const struct derived_part parts[PART_COUNT], size_t number,
                              uint32_t codes[PART_COUNT]) {
    for (int i = PART_COUNT; i-- > 0; number /= parts[i].count)
        codes[i] = (uint32_t)(number % parts[i].count);
}

/* A field that is not stored has its initial value in all states. */
static inline int32_t state_map_value(const struct layout *layout, const struct packed *field,
                                      const uint64_t *words) {
    return field_get(field, field->is_scratch ? layout->initial : words);
}

static inline bool is_stored(const struct layout *layout, uint32_t field) {
    return layout->fields[field].mask && layout->fields[field].word < layout->stored_words;
}

/* A field of the abstract model is one of the concrete model. */
static inline struct mapped_field *map_field(struct state_map *map, uint32_t concrete,
                                             uint32_t abstract) {
    struct mapped_field *field = &map->fields[abstract];
    assert(!field->packed[SIDE_ABSTRACT]); /* a field is mapped once */
    field->concrete = concrete;
    for (int side = 0; side < SIDE_COUNT; side++)
        field->packed[side] =
            &map->reaches[side]->program->layout->fields[side ? abstract : concrete];
    return field;
}
