/* UPDATE - what the files that rewrite updates share: update.c goes through the items,
 * update_partial.c frames them for partly removed variables, update_function.c makes functions,
 * partner.c knows what others do before them. */
#ifndef VARABS_ABSTRACT_UPDATE_H
#define VARABS_ABSTRACT_UPDATE_H

#include "abstract/form.h"

/* Removed cells that one update may have to set. */
enum { UPDATE_MAX_CELLS = 16 };

struct updater {
    struct rewriter rewriter;
    struct form_context *context;
    struct form *form;
    struct shadow_list shadows;
    const struct edge_fact *fact;
    struct effects_table table;
    uint32_t at;      /* item */
    bool knows_cells; /* names of partly removed variables stand for their other cells only */
};

/* update_partial.c */

/* Sets the removed cells that the update may look at before its items, and resets them behind
 * them. False (reported) where that cannot be done. */
bool update_frame_partial(struct updater *updater, const struct removal *removal, struct form *form,
                          bool is_function);
bool is_scalar_cell(const struct removal *removal, uint32_t offset);
/* Whether the name of a global variable means something else on an edge. */
bool is_hidden(const struct form *form, const struct symbol *symbol);
bool update_touches(const struct form_context *context, const struct form *form,
                    const struct symbol *symbol);

/* partner.c */

/* What a shared variable holds when the update of a receiver starts, in terms of the source state:
 * itself, or what all possible senders write; NULL if that is not known. */
const struct expr *received_value(const struct form_context *context, const struct form *form,
                                  const struct expr *name);

/* update_function.c */

/* M2: the whole update as one function in which removed variables are locals. False (reported)
 * where that cannot be done. */
bool update_as_function(struct form_context *context, struct form *form);

#endif
