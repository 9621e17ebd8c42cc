/* NAMERS - which templates name a variable, and which have functions in common.
 *
 * What is asked about one variable then looks at the templates that have to do with it, and not at
 * the whole model.
 *
 * Invariants: over: a template that names a variable in a label, a type, an initialiser, or through
 *             a function that these call, is listed; templates from which one function can be
 *             called have the same group.
 * Lifetime:   in the arena of the network. Labels that were added later do not count.
 */
#pragma once

#include "model/labels.h"

enum namers_known { NAMERS_UNKNOWN, NAMERS_NO, NAMERS_YES };

struct template_list {
    VEC(uint32_t) items; /* indices, ascending */
};

struct namers {
    struct map templates;            /* by symbol: struct template_list */
    uint32_t *groups;                /* by template index: the least template of its group */
    bool is_called_globally;         /* declarations of the model call functions */
    enum namers_known has_dead_code; /* noted by who finds out (abstract/prepare/record.h) */
};

struct namers *namers_find(struct arena *arena, const struct model *model,
                           const struct network_labels *labels, struct effects_table *table);

/* Sets the bits of the templates that name the symbol. */
void namers_mark(const struct namers *namers, const struct symbol *symbol, bool *is_marked);
/* Sets the bits of all templates that are in a group with one that is set. */
void namers_mark_groups(const struct namers *namers, uint32_t template_count, bool *is_marked);
