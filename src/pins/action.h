/* ACTION - the labels of steps: who takes part, from where to where, with which selects.
 *
 * Lifetime: in the arena given. One for each model, as LTSmin numbers the texts of each.
 */
#pragma once

#include "explore/successor/successor.h"
#include "pins/ltsmin.h"

/* Instances that take part in a step, and the number of its text. */
struct action_text {
    const uint32_t *parts;
    uint32_t part_count;
    int number;
    struct action_text *next; /* with the same hash */
};

struct action_texts {
    struct arena *arena;
    const struct program *program;
    struct grey_box_model *model;
    int type; /* of the label */
    struct map by_hash;
};

void action_texts_init(struct action_texts *texts, struct arena *arena,
                       const struct program *program, struct grey_box_model *model, int type);
/* The number of the label of a step that an expander has recorded. */
int action_texts_number(struct action_texts *texts, const struct expander *expander,
                        const struct step_record *step);
