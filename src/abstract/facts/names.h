/* NAMES - which names mean something else where a label stands, and which are still free. */
#pragma once

#include "model/network.h"

/* Whether a template declares the name of a global variable itself and so hides it. */
bool template_hides(const struct template *template, const struct symbol *symbol);

/* Whether the name of a global variable means something else on an edge (NULL: in an invariant). */
bool is_hidden(const struct template *template, const struct edge *edge,
               const struct symbol *symbol);
/* Whether some global variable that the expression names means something else on the edge. Bounds
 * in conditions come from other places, where it does not. */
bool names_hidden(const struct template *template, const struct edge *edge,
                  const struct expr *expr);
/* A name in a type that does, so that the type cannot be written there; NULL if there is none. */
const struct symbol *hidden_in_type(const struct template *template, const struct edge *edge,
                                    const struct type *type);

/* Whether a global type has an interned name: no parameter can be called like that, no select. */
bool names_type(const struct network *network, const char *name);

/* A name like that of the variable that nothing else in the document has. */
const char *unhidden_name(const struct network *network, const struct symbol *symbol,
                          struct arena *arena);
