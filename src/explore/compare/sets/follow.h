/* FOLLOW - whether every step that leaves a set of states can be followed by another system.
 *
 * Both systems step on vectors of the same levels (explore/symbolic/levels.h). An action looks at
 * some levels and changes some, as its rows say: for each level in order, the value that it reads
 * there, if it does, and the one that it writes. A step is followed by one from the same vector
 * that leads to the same values in all visible levels; what becomes of the others does not matter.
 *
 * Actions are looked at one by one, and for each the values that it writes to visible levels:
 *   from = the vectors of the set in which it writes those;
 *   for every row of the other system, from loses the vectors in which the row applies and leads to
 *   the same: that depends on what the row reads, and on the levels that one of the two writes and
 *   the other one does not, which must have the value already.
 * If something is left, nothing follows there. Before that, it loses what an action that is silent
 * leaves as it is, in all visible levels. Often one action follows all steps of another one: that
 * is looked at first, on short vectors of the levels that matter for these two alone.
 *
 * Where levels that are not visible belong to one of the systems each, a vector is a pair of states
 * that look the same. Of a set of these, follow_pairs finds the greatest subset in which steps are
 * followed from pairs to pairs: actions are looked at for all values that they write, and
 *   from = as above;
 *   for every action of the other system, from loses what both together lead to a pair of the set;
 *   what is left goes from the set, until nothing does.
 *
 * Lifetime: rows are heap memory, freed by action_close; the rest in the arena of the reach.
 * Errors:   past a limit of the diagram the result means nothing (ldd_is_over).
 */
#pragma once

#include "explore/compare/sets/set_layers.h"
#include "explore/symbolic/reach.h"
#include "explore/visible/graph.h"

/* The effect of a group of steps. */
struct vector_action {
    uint32_t *levels;     /* ascending */
    unsigned char *kinds; /* enum mark_kind, by place in levels */
    uint32_t level_count;
    struct set_rows rows;
    bool is_silent; /* where it changes nothing that is visible, the other system stays */
};

struct vector_system {
    struct vector_action *actions;
    uint32_t count;
    uint32_t stuck; /* held: states from which there is no step, if such a state has one to itself;
                       else LDD_NONE */
};

struct follow {
    struct ldd *ldd;
    struct marks *marks;
    uint32_t level_count;
    uint32_t states;           /* held: the set */
    const bool *is_visible;    /* by level */
    uint32_t derived;          /* of pairs: the last level, if it follows from visible ones and no
                               action writes it; or UINT32_MAX */
    struct set_layers *layers; /* or NULL: get what is left of pairs, whenever some go */
    /* private */
    bool is_paired;     /* steps lead to pairs of the set */
    bool is_collecting; /* vectors are looked for from which steps are not followed */
    uint32_t left;      /* then: those from which some are not, of the current actions; not held */
    bool has_fewer;     /* the set has lost some */
    bool has_overrun;   /* there are too many chains of marks */
    uint32_t *written;  /* by level: the value that the step writes, */
    bool *is_written;   /* if it writes there, visibly or to a pair */
    uint32_t *list;     /* levels that it writes, ascending */
    uint32_t list_count;
    bool is_silent;    /* the action of the step */
    uint32_t likely;   /* the action that followed the step before */
    uint32_t *touched; /* levels of a step and of one that may follow, ascending */
    unsigned char *kinds;
    uint32_t *row;
    uint32_t *indexes; /* by action that may follow: its rows by what they write, not held */
    uint32_t index_count;
    uint32_t alone; /* the number of the action that is to follow all steps, if one is */
    bool has_look;  /* for it, */
    uint32_t look;  /* the set by the levels that matter for that; not held */
    uint32_t look_reads, look_needs;      /* chains on it */
    unsigned char *reads, *needs, *shown; /* by level */
};

/* The members above the private ones are set by the caller; in the arena. */
void follow_init(struct follow *follow, struct arena *arena);
/* Whether all steps of one system can be followed by the other. */
bool follow_all(struct follow *follow, const struct vector_system *moves,
                const struct vector_system *follows);

/* The subset of the set from which some step of one system is not followed by the other; not held.
 */
uint32_t follow_left(struct follow *follow, const struct vector_system *moves,
                     const struct vector_system *follows);

/* Leaves of the set, which is held anew, the greatest subset as said above; or, once the vector has
 * left it, more. moves: by side. False where there are too many chains of marks. */
bool follow_pairs(struct follow *follow, const struct vector_system systems[SIDE_COUNT],
                  const bool moves[SIDE_COUNT], const uint32_t *vector);

/* Whether the silent actions of a system step in some vector of the set without changing anything
 * that is visible, and may do so for ever; false where there are too many chains of marks. */
bool follow_silence(struct follow *follow, const struct vector_system *system,
                    struct silence *silence);

/* The rows of an event, which has no stages, or of a part of its relation. */
void action_of_event(struct vector_action *action, struct reach *reach, const struct event *event,
                     uint32_t relation);
void action_close(struct vector_action *action);
