/* POINT - the points of a network by number, and what is known of each (classes.h has the words).
 *
 * The points of a slot are numbered: where a process tells them apart, its own or the owner of the
 * variable, by location, branchpoints too; else 0 is the point at all times, and those after it
 * are those of the variable in transit (owner.h). Where a slot has a key (key.h), there is a point
 * of that number for each value of the key.
 *
 * Invariants: processes of one template share the points of its local variables, or those of them
 *             do that have equal arguments (V9). Classes are split only, and a value of each stands
 *             for it.
 * Lifetime:   in the arena given to points_init.
 */
#pragma once

#include "classes/key.h"
#include "classes/owner.h"
#include "classes/sharing.h"

/* Whether a point is asked about: a cell of a variable at a location (branchpoints too) of the
 * template that tells its points apart, or, with no template, by its number. */
typedef bool (*classes_wanted)(const void *context, const struct template *template,
                               uint32_t location, const struct symbol *symbol, uint32_t offset);

/* Whether all processes of the template share the points of a local variable. */
typedef bool (*classes_common)(const void *context, const struct symbol *symbol);

/* A point of more values than these has one class, or each of its values is a class. */
enum { MOST_PARTED = 4096 };

/* Facts about all cells of a variable together, at a location or for a shared one, so that a
 * function that names an array need not look at each cell. */
struct point_group {
    uint32_t merged_count; /* points that are merged */
    uint32_t open_count;   /* merged points that may hold several values */
    uint64_t changed_at;   /* the last time that one of the points was told apart */
    double combinations;   /* of the values of all cells */
    uint32_t slot;         /* of the variable's first cell, in the first process that has it */
    uint32_t number;       /* of the points */
    bool is_noted;
};

struct class_point {
    bool is_wanted; /* it was asked about */
    bool is_one;    /* over, until all functions agree: one class, as far as is known */
    bool is_open;   /* over: it may hold several values, so that something is gained */
    const uint32_t
        *stands_for; /* by value: index of the one that stands for it; NULL = itself, unless
                             the point is one class */
    int32_t representative;
    const struct value_set *values; /* over all processes of the template */
    int32_t initial;                /* in the first of them; at the initial location, its own */
    struct point_group *group;
};

struct points {
    const struct network *network;
    const struct owners *owners;   /* NULL: no variable has one, or is in transit */
    const struct point_keys *keys; /* NULL: no slot is keyed */
    struct class_point *list;
    uint32_t count;
    uint32_t *first_of; /* by slot: its first point */
    /* points that were asked about, may hold several values, and are not one */
    uint32_t apart_count;
    uint64_t clock; /* counts the points that were told apart, from 1 */
    bool has_parts; /* points may have several classes of more than one value */
    VEC(struct point_group *)
    changed;            /* some point of theirs was told apart; each is noted once
                                          until the one who listens takes it out */
    bool notes_changes; /* somebody listens */
    struct arena *arena;
};

/* common: NULL = all processes of a template share all. A key is told apart where it counts. */
void points_init(struct points *points, struct arena *arena, struct analysis *analysis,
                 const struct owners *owners, const struct point_keys *keys, classes_wanted wanted,
                 classes_common common, const void *context);

/* The process whose location tells the points of a slot apart, or NULL. */
const struct process *points_owner(const struct points *points, uint32_t slot);

uint32_t points_count_of(const struct points *points, uint32_t slot);

/* The key that counts for a slot in its points of that number, or NULL. */
const struct point_key *point_key(const struct points *points, uint32_t slot, uint32_t number);

/* The point of a slot, by its number; no key counts there. */
struct class_point *point_of(const struct points *points, uint32_t slot, uint32_t number);

/* The number of points of a slot that have that number; each of them, by index. */
uint32_t points_at_count(const struct points *points, uint32_t slot, uint32_t number);
struct class_point *point_at(const struct points *points, uint32_t slot, uint32_t number,
                             uint32_t index);

/* One of the points of a slot that have a number: they have the same values and group. */
static inline const struct class_point *points_at(const struct points *points, uint32_t slot,
                                                  uint32_t number) {
    return point_at(points, slot, number, 0);
}

/* The point of a slot, by its number, while the key that counts there, if one does, has a value;
 * NULL if the key cannot have it. */
struct class_point *point_while(const struct points *points, uint32_t slot, uint32_t number,
                                int32_t value);

/* The number of the point of a variable in transit on the channel of an edge; 0 = it has none. */
uint32_t point_in_transit(const struct points *points, uint32_t slot, const struct edge *edge);

/* Whether the point has a class of more than one value, as far as is known. */
static inline bool point_is_merged(const struct class_point *point) {
    return point->is_one || point->stands_for;
}

/* A point, described by its cell and place. The owner is the first of the processes that share the
 * point; its locations tell the points of the cell apart. */
struct cell_point {
    const struct process *owner; /* or NULL */
    uint32_t location;
    const struct symbol *symbol;
    uint32_t offset;
    const struct point_key *key; /* that counts, or NULL; */
    int32_t key_value;           /* while it has this value */
    const struct class_point *point;
};

/* Classes to begin with, finer than one: by index of a value, that of the one that stands for it,
 * which for the class of the initial value is that one; NULL: there are too many values, and each
 * is a class then. False: one class. */
typedef bool (*classes_begun)(const void *context, const struct cell_point *cell,
                              uint32_t *stands_for);
void points_begin(struct points *points, classes_begun begun, const void *context);

/* Values that do not fit into the variable of some process that has the point stand for themselves
 * alone, as what stands for others is assigned in all of these. */
void points_keep_ranges(struct points *points);

/* At the initial location of a template, the values that the processes that share a point begin
 * with, which may differ, stand for themselves: no update comes before them. */
void points_keep_initial(struct points *points);

/* Whether values of a slot may have others standing for them at all. */
bool point_may_be_one(const struct network *network, uint32_t slot);

/* Asserts what the header says of all points. */
void points_check(const struct points *points);

/* Every value of the point is a class. */
void point_tell_apart(struct points *points, struct class_point *point);
/* Tells apart all points of a slot that have this number. */
void points_tell_apart(struct points *points, uint32_t slot, uint32_t number);

/* The point has these classes: by value, the index of the one that stands for it. Copied. */
void point_split(struct points *points, struct class_point *point, const uint32_t *stands_for);

/* Index of the value that stands for one of the point. */
uint32_t point_stands_for(const struct class_point *point, uint32_t index);

/* The value that stands for any; what the point cannot hold is a class of its own, unless there is
 * but one (V6). */
int32_t point_normal(const struct class_point *point, int32_t value);

/* V3: values that are apart in the point after are so before, too. */
bool point_refines(const struct class_point *before, const struct class_point *after);
void point_refine(struct points *points, struct class_point *before,
                  const struct class_point *after);
