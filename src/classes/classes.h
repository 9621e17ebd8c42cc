/* CLASSES - which points do not matter, found for all of them together (V1 to V13).
 *
 * A point is a cell of a local variable at a location of its template, or a cell of a shared
 * variable at all times (V4), unless the locations of one process tell its points apart, or it is
 * handed over within a step (owner.h). The points that are asked about start as one class each: all
 * values count as the same. As long as some edge or invariant tells two values of such a point
 * apart, for some values of everything else that it reads, or carries it to where it does matter,
 * the point leaves them. What is left is the largest set of points that can all be held at one
 * value, the representative: every step of the model then has one that does the same to all other
 * points.
 *
 * That holds for the set as a whole only: of two points each may rest on the other (C3).
 *
 * Errors are outcomes like others (V7), so that the model has the same steps even where it fails;
 * but where the original is not known to have runtime errors (model/errors.h), a value with which
 * an update fails may have one stand for it with which it does not (V14).
 *
 * Words of this folder:
 *   point                  a cell at a location, or a shared cell at all times (point.h)
 *   owner                  the process whose locations tell the points of a variable apart
 *                          (owner.h)
 *   tracker                an owner although others name the variable (tracker.h)
 *   foreign process        one of these others (foreign.h)
 *   in transit             written by the sender and not yet read by the receiver (owner.h)
 *   synchronisation group  senders and receivers each of which can meet some other
 *   key, keyed             a cell whose value tells the points of another, keyed one apart (key.h)
 *   carried                kept over an update that does not write it (carried_values.h, V3)
 *
 * Invariants: values and contexts come from the value analysis, each slot on its own (C1).
 *             Processes of one template share their points, or those with equal arguments do (V9).
 * Lifetime:   everything lives in the arena given.
 * Errors:     none. Past the budget of an edge (V12) whatever it may read (edge_reads.h) matters;
 *             past that of all of them, what those may read that are left. Interrupted, everything
 *             does.
 */
#pragma once

#include "classes/key_search.h"
#include "classes/needed_assignments.h"

struct classes;

/* Finds the points that are one class. All or nothing: there are none as soon as one point that was
 * asked about, and may hold several values, matters. */
struct classes *classes_find(struct arena *arena, struct analysis *analysis, bool is_all_or_nothing,
                             classes_wanted wanted, const void *context);

/* Finds classes of several values in one point, and points of each process, as far as the
 * observations of queries do not differ (V1): the values of a class are exchanged for the one that
 * stands for it wherever a participant's update ends. What begun says (NULL: nothing) is split
 * further as all else is, so that any such beginning is sound (V5). */
struct foreign;
struct classes_shared { /* zero at first */
    const struct analysis *analysis;
    struct foreign *foreign;
    struct owners *owners;
};
struct classes_request {
    struct arena *arena;
    struct analysis *analysis;
    const struct query *queries;
    uint32_t query_count;
    classes_wanted wanted;
    classes_begun begun;
    classes_common common;
    bool may_have_trackers; /* shared variables, where that gains something (tracker.h) */
    bool may_have_keys;     /* cells, likewise (key.h) */
    bool keeps_symmetry;    /* keys only as far as what may change places still may (Y18) */
    /* then these keys, whether that gains something or not; or NULL */
    classes_key_requested key_requested;
    const void *context;
    /* Or NULL: what does not depend on queries, for requests with the same analysis and arena. */
    struct classes_shared *shared;
};
struct classes *classes_part(const struct classes_request *request);

/* A text that says what may fail in the original, if the classes rely on its having no runtime
 * errors and that is not known; else NULL (V14). */
const char *classes_may_fail(const struct classes *classes);

/* Whether keys tell apart what may change places in the model. */
bool classes_tell_apart(const struct classes *classes);

/* Whether the locations of a tracker tell the points of some variable apart. */
bool classes_have_trackers(const struct classes *classes);

/* The process whose locations tell the points of a slot apart; NULL: it has one at all times. */
const struct process *classes_owner(const struct classes *classes, uint32_t slot);

/* At the end of an edge's update, the location of that process that tells the point of a slot:
 * where the edge leads to, or if it is another process's, one of those that can go with it, at all
 * of which the classes are the same. */
uint32_t classes_location_after(const struct classes *classes, const struct template *template,
                                const struct edge *edge, uint32_t slot);

/* Between steps: the key that counts for a slot at a location of its owner, or NULL; the point of
 * the slot there, by index of a value of that key, or 0. */
const struct point_key *classes_key(const struct classes *classes, uint32_t slot,
                                    uint32_t location);
const struct class_point *classes_point(const struct classes *classes, uint32_t slot,
                                        uint32_t location, uint32_t index);

/* Whether the key of a slot can have its value of that index at the location. */
bool classes_key_has(const struct classes *classes, uint32_t slot, uint32_t location,
                     uint32_t index);

/* Over: whether some process may come to its point by the edge with a value that another stands
 * for, so that the value is to be exchanged there. */
bool classes_are_exchanged(const struct classes *classes, const struct edge *edge,
                           const struct class_point *point);

/* The values of the edge's selects with which values are exchanged in the point, by select; NULL:
 * nothing is known. */
const struct select_use *classes_exchange_selects(const struct classes *classes,
                                                  const struct edge *edge,
                                                  const struct class_point *point);

/* The variable of a point of which values are exchanged after the edge, for each of them; false:
 * there are no more. Begins with NULL. */
bool classes_next_exchange(const struct classes *classes, const struct edge *edge,
                           const struct needed_assignment **at, const struct symbol **variable);

/* Under: whether a point is one class, and the value that stands for it (value may be NULL). The
 * template counts for its local variables only. */
bool classes_is_one(const struct classes *classes, const struct template *template,
                    uint32_t location, const struct symbol *symbol, uint32_t offset,
                    int32_t *value);

/* Under: whether all that was asked about and may hold several values is one class, and there is
 * some. */
bool classes_are_complete(const struct classes *classes);

/* A copy of the analysis that knows only the representative at every point that is one class. */
struct analysis *classes_pin(const struct classes *classes, const struct analysis *analysis);
