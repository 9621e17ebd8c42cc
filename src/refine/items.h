/* ITEMS - what a query lets go of a model: which variables are removed, and to which degree, from
 * round to round.
 *
 * Lifetime: in the arena given.
 */
#ifndef VARABS_REFINE_ITEMS_H
#define VARABS_REFINE_ITEMS_H

#include "refine/learnt.h"

enum removed { REMOVED_NOTHING, REMOVED_DEAD, REMOVED_WHOLE };

/* A variable that may be removed, and how much of it is. */
struct refine_item {
    const struct live_variable *variable;
    enum removed level;
    const char *whole, *dead; /* arguments of --remove; dead may be NULL */
    bool is_dead;             /* all of it, everywhere */
    double estimate;
    bool is_suspect; /* after the last round */
};

struct refine_items {
    VEC(struct refine_item) list; /* greatest estimate first */
};

/* What --remove takes. */
struct removals {
    const char **arguments;
    uint32_t count;
};

/* What comes back for the next round. */
struct put_back {
    const char *names;   /* of variables, or words; NULL if nothing is left */
    const char *remains; /* what goes of it nevertheless, as an argument, or NULL */
};

/* All that the only query of the network's model does not name. What is refused alone is never
 * tried. */
void items_find(struct refine_items *items, const struct network *network, struct learnt *learnt,
                struct arena *arena);
/* What goes as a whole and had to come back for another query as edges would choose from very many
 * values comes back here, too. */
void items_drop_wide(struct refine_items *items, const struct learnt *learnt);

/* Of the finest abstraction only what is dead goes. */
struct removals items_removals(const struct refine_items *items, bool is_finest,
                               struct arena *arena);
bool removals_are_same(const struct removals *left, const struct removals *right);

/* Whether more goes than what is dead. */
bool items_lose(const struct refine_items *items);

/* Nobody is to blame. */
void items_clear(struct refine_items *items);
bool items_has_suspect(const struct refine_items *items);

/* One of those that are to blame, or else of all; whatever costs least. */
struct put_back items_put_back(struct refine_items *items, struct arena *arena);
/* All that are to blame for choices of very many values. */
struct put_back items_put_wide_back(struct refine_items *items, struct learnt *learnt,
                                    struct arena *arena);
/* All that is not dead. */
struct put_back items_put_all_back(struct refine_items *items);
/* The same; then what is dead, too, as states that differ in it are not equal (equal.h). */
struct put_back items_put_back_for_equal(struct refine_items *items);

#endif
