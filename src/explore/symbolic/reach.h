/* REACH - the reachable states of a network as one set, for one order of the fields.
 *
 * Lifetime: heap memory and an arena of its own, freed by reach_close; program and groups are
 *           borrowed. Several may exist for one program, also in different threads.
 * Errors:   limits end a run (ldd.end), as does the time limit of the program's machine. Where
 *           fields are too narrow, the run ends a little later, and overflows says which.
 * is_forked says that it ended because a stage fails or leads to several states. */
#pragma once

#include "explore/symbolic/diagram/close.h"
#include "explore/symbolic/groups.h"
#include "explore/symbolic/levels.h"

/* A value of a slot that does not fit into its field. */
struct overflow {
    uint32_t slot;
    int32_t value;
};

/* A group of steps in this order of the fields, with the levels that its event marks. */
struct deed {
    const struct step_group *group;
    uint32_t *levels;
    unsigned char *kinds; /* enum mark_kind */
    uint32_t level_count;
    bool is_stage;         /* one of several, each of which has to lead to one state */
    uint32_t tuple_length; /* of its relation */
    uint32_t steps,
        errors; /* sets: a number of steps, or of errors, and the short vectors with so many */
};

struct reach {
    const struct program *program;
    const struct groups *groups;
    struct arena arena;
    struct ldd ldd;
    struct marks marks;
    struct levels levels;
    struct closer closer;
    struct event *events;
    struct deed *deeds; /* by event, then those of stages but the first */
    uint32_t event_count, deed_count;
    struct expander expander;
    struct level_state point, after;       /* of learning */
    struct set_rows tuples, steps, errors; /* of a deed, which wait to be added */
    uint32_t *tuple;                       /* room for a vector before and after */
    unsigned char *kinds;                  /* by level */
    uint32_t serial;                       /* of vectors whose predecessors were looked for */
    uint32_t selections;                   /* of sets by terms (select.h), in all attempts */
    uint32_t initial, states;              /* states: LDD_NONE until all are there */
    uint64_t vectors;                      /* short vectors that were looked at */
    VEC(struct overflow) overflows;        /* one a slot */
    bool is_forked;                        /* a stage fails, or leads to several states */
};

void reach_init(struct reach *reach, const struct program *program, const struct groups *groups,
                const uint32_t *fields, uint32_t field_count, struct ldd_limits limits);
void reach_close(struct reach *reach);

/* Goes on until all states are there; false at a limit, or if the expander breaks off. */
bool reach_run(struct reach *reach);

/* The relation of an event without stages, each short vector after the label of its step: a list
 * of labels, and below each the relation of its steps. The vector is shown in the reach's point,
 * and the expander has the parts of the record. False at a limit; nothing is collected. */
typedef uint32_t step_label(void *context, const struct step_record *record);
bool reach_label(struct reach *reach, uint32_t event, step_label *label_of, void *context,
                 uint32_t *relation);
