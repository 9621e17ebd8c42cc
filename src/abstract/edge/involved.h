/* INVOLVED - which removed variables an edge names, and what the items of its update do to them.
 *
 * Both are found once, before the open edge is made, which asks for them often.
 *
 *     edge  x > m / y = m, m = 0      m removed within a scope that the edge leaves
 *
 *     symbols        before    within          items       reads   whole   writes_whole
 *     x, y           -         -               y = m       -       -       -
 *     m              m         -               m = 0       -       -       -
 *
 * (m is removed where the guard is read, and there again once both ends lie in the scope: then
 * y = m reads it and names a variable that is removed as a whole, and m = 0 writes it.)
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/facts/context.h"

/* A variable that the edge names, and its removals that count. */
struct involved_symbol {
    const struct symbol *symbol;
    const struct removal *before, *within; /* where its guard is read; in its update; or NULL */
};

/* An update item: the variables that it reads and writes, and which are removed within the edge. */
struct item_facts {
    struct effects effects;   /* over */
    bool is_ghost;            /* gives a ghost its value */
    bool reads_removed;       /* some variable or cells of it */
    bool names_whole;         /* reads or writes a variable removed as a whole */
    bool writes_whole;        /* writes a variable removed as a whole */
    bool writes_only_removed; /* all that it writes is removed everywhere, without a ghost */
};

struct involved {
    struct where before, within;
    VEC(struct involved_symbol) symbols; /* that the labels of the edge name */
    struct item_facts *items;            /* by item; NULL where none matters */
    bool is_before;                      /* guard or channel names what is removed there, or some
                                          * label a removed clock (T3.10) */
    bool is_within;                      /* the update names what is removed there */
};

/* Finds the removed variables that an edge names. needs_items: finds the facts of its items even if
 * it names none. */
struct involved involved_find(struct context *context, const struct template *template,
                              const struct edge *edge, bool needs_items);
/* The removal of a variable that counts where a label of the edge stands, or NULL. */
const struct removal *involved_removal(const struct context *context,
                                       const struct involved *involved, const struct symbol *symbol,
                                       struct where where);
/* Over: whether evaluating the expression reads a variable that is removed there. */
bool involved_reads(const struct context *context, const struct involved *involved,
                    const struct expr *expr, struct where where);
