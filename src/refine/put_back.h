/* PUT BACK - which removed variables keep the original from a run of an abstraction, so that one of
 * them has to be put back. */
#ifndef VARABS_REFINE_PUT_BACK_H
#define VARABS_REFINE_PUT_BACK_H

#include "explore/compare/concretize.h"
#include "refine/attempt.h"
#include "suggest/live.h"

enum removed { REMOVED_NOTHING, REMOVED_DEAD, REMOVED_WHOLE };

/* Whether the original has the run of an abstraction. */
enum refine_finding { FINDING_NONE, FINDING_REAL, FINDING_SPURIOUS };

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
    VEC(struct refine_item) list;
};

enum { REFINE_MAX_STATES = 1000000 }; /* of the original, along one run */

struct suspects {
    struct refine_items *items;
    struct concretization followed; /* what came of the run in the original */
};

/* Whether the original has the run that the attempt has to show. If it has not, marks
 * the items that are to blame as suspects. */
enum refine_finding suspects_of_run(struct suspects *suspects, const struct network *network,
                                    struct attempt *attempt, const struct verify_options *options,
                                    struct arena *arena);
/* Marks the items whose names stand in a message, in quotes. */
void suspects_of_text(struct refine_items *items, const char *message);

#endif
