/* MODULE - a model as LTSmin explores it: what one thread or process of it has.
 *
 * Invariants: groups, places and labels are the same for all that load the same file.
 * Lifetime:   a heap block with arenas of its own, from loading to the model's exit function.
 */
#pragma once

#include "pins/action.h"
#include "pins/vector.h"
#include "session/session.h"

/* A query A[] p or E<> p: the label is whether p holds. */
struct state_label {
    uint32_t query; /* of the model */
    struct unit unit;
    uint64_t *bits; /* that it reads */
    bool reads_all, asks_stuck;
};

struct module {
    struct session session;
    struct program *program;
    struct groups groups;
    bool is_whole; /* all steps are one group, without parts */
    struct vector vector;
    struct expander expander;
    struct level_state state; /* of the current step or label */
    int *after;               /* room for a state after a step */
    struct action_texts actions;
    VEC(struct state_label) labels;
    bool has_warned; /* of a step that fails */
};

/* state_label.c */
void find_labels(struct module *module);
int read_label(struct grey_box_model *model, int label, int *state);

/* describe.c */
void describe(struct module *module, struct grey_box_model *model);

/* step.c */
int next_steps(struct grey_box_model *model, int group, int *state, transition_callback *callback,
               void *context);

/* Ends the program with the messages of the model. */
void module_fail(struct module *module) __attribute__((noreturn));
