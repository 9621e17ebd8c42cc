/* ENUMERATE - runs an evaluation once for every combination of the values that it looks at.
 *
 * A run starts with nothing known. The first read of a slot, a select or a group of slots picks a
 * value from its set and notes the choice on a trail; the next run repeats the trail with the
 * last choice advanced. So only what an evaluation really reads is enumerated, through functions,
 * short circuits and computed indices alike (rule A5).
 *
 * Use:  enumerator_start(e); do { evaluate } while (enumerator_next(e));
 *       if (enumerator_failed(e)) the result is incomplete and must not be used.
 *
 * What a part of the runs has gone through tells early that all of them would be far beyond the
 * budget; then the rest of the budget is not spent.
 */
#pragma once

#include "base/index.h"
#include "base/vec.h"
#include "lang/eval/eval.h"
#include "values/value_set.h"

/* Tuples of the values of several cells. */
struct tuple_set {
    const uint32_t *addresses;
    uint32_t dimension, count, capacity;
    int32_t *values;    /* count rows of dimension values */
    struct index index; /* of rows */
};

/* The values of a cell: one of the two, or neither if its value is in memory. */
struct cell_domain {
    const struct value_set *set;
    const struct tuple_set *tuples; /* the cell is one of its addresses */
};

struct choice {
    uint64_t index, count;
    uint32_t address; /* whose value it picks; CHOICE_FREE if none's */
};

#define CHOICE_FREE UINT32_MAX

struct enumerator {
    struct arena *arena;
    struct environment *environment;
    struct cell_domain (*domain)(void *context, uint32_t address);
    void (*wrote)(void *context, uint32_t address, int32_t value); /* may be NULL */
    void *context;
    uint64_t *known; /* by address: the run in which its value became known */
    uint32_t cell_count;
    uint64_t run; /* current; 0 = none */
    VEC(struct choice) trail;
    uint32_t depth;        /* choices used by this run */
    VEC(uint32_t) touched; /* addresses read or written by this run */
    VEC(int32_t) values;   /* that they had then, if they were read */
    uint32_t alike;        /* so many choices are those of the last run */
    uint64_t runs_left, budget;
    uint64_t work_left;        /* loop rounds and calls */
    uint64_t next_look;        /* after so many runs, how far they have come */
    double outlook;            /* then: how many budgets all of them would take; 0 = not known */
    bool has_failed, is_empty; /* is_empty: this run read an empty set and does not count */
    bool goes_down;            /* set between two enumerations: greatest values are tried first */
    const void *watched;       /* a set or tuples that the caller asks about, or NULL */
    bool has_watched;          /* this run has chosen from it */
};

/* Sets the hooks of the environment; cell_count addresses are tracked. */
void enumerator_init(struct enumerator *enumerator, struct arena *arena,
                     struct environment *environment, uint32_t cell_count, uint64_t budget);
void enumerator_start(struct enumerator *enumerator);
bool enumerator_next(struct enumerator *enumerator);
bool enumerator_failed(const struct enumerator *enumerator);
/* Whether this run came to its end: no fault and no empty set. */
bool enumerator_is_valid(const struct enumerator *enumerator);

/* A free choice of the current run. */
uint64_t enumerator_choose(struct enumerator *enumerator, uint64_t count);
/* Makes a cell unknown again, so that the next read chooses anew. */
void enumerator_forget(struct enumerator *enumerator, uint32_t address);
/* Counts what the last evaluation cost, and gives up on one that had to be broken off. */
void enumerator_account(struct enumerator *enumerator);

/* Adds a row; false if it was there. */
bool tuple_set_add(struct arena *arena, struct tuple_set *tuples, const int32_t *row);
bool tuple_set_has(const struct tuple_set *tuples, const int32_t *row);
