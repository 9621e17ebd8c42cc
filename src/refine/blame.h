/* BLAME - which removed variables keep the original from a run of an abstraction. */
#ifndef VARABS_REFINE_BLAME_H
#define VARABS_REFINE_BLAME_H

#include "refine/loop.h"
#include "suggest/live.h"

enum removed { REMOVED_NOTHING, REMOVED_DEAD, REMOVED_WHOLE };

/* A variable that may be removed, and how much of it is. */
struct refine_item {
    const struct live_variable *variable;
    enum removed level;
    const char *whole, *dead; /* arguments of --remove; dead may be NULL */
    bool is_dead;             /* all of it, everywhere */
    double estimate;
    bool is_blamed; /* for the last round */
};

struct refine_items {
    VEC(struct refine_item) list;
};

enum { REFINE_MAX_STATES = 1000000 }; /* of the original, along one run */

struct blamed {
    struct refine_items *items;
    uint32_t step; /* from 1, where the run breaks; 0 = not known */
};

/* Whether the original has the run that the attempt has to show. Marks the items that are to be
 * blamed if not. */
enum refine_finding blame_run(struct blamed *blamed, const struct network *network,
                              struct attempt *attempt, const struct verify_options *options,
                              struct arena *arena);
/* Marks the items whose names stand in a message, in quotes. */
void blame_text(struct refine_items *items, const char *message);

#endif
