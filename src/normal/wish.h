/* WISH - which values a spec lets be exchanged: variables or cells, at a location or everywhere,
 * all of their values or some classes of them.
 *
 * A wish is where the search for classes begins (V5): what makes a difference is split further, so
 * that whatever is wished for is sound.
 *
 * Lifetime: in the arena given; the spec and the live variables are borrowed.
 * Errors:   what names nothing in the model is STATUS_INVALID.
 */
#ifndef VARABS_NORMAL_WISH_H
#define VARABS_NORMAL_WISH_H

#include "classes/classes.h"
#include "session/spec.h"
#include "suggest/live.h"

#define EVERY_CELL UINT32_MAX
#define EVERY_LOCATION UINT32_MAX

struct wish {
    const struct spec_exchange *exchange;
    const struct live_variable *variable;
    uint32_t offset, location;
    const struct template *template; /* of the location */
    bool *is_in;                     /* by process; NULL: in all */
    const struct live_variable *key; /* while a cell of this has a value; or NULL */
    uint32_t key_offset;
};

/* A point of those that share it. */
struct wish_point {
    const struct network *network;
    const struct cell_point *cell;
    const uint32_t *firsts; /* by process: the first of those that share its points */
};

struct wishes {
    bool are_given; /* else all values may be exchanged */
    VEC(struct wish) list;
};

/* False (reported) if a wish names nothing. */
bool wishes_read(struct wishes *wishes, const struct spec *spec, const struct live *live,
                 struct arena *arena, struct diag *diag);

/* The first wish for a point, in all processes that share it; NULL if nothing is wished for. */
const struct wish *wish_for(const struct wishes *wishes, const struct wish_point *point);

/* The slot of the key that is wished for in some points of a cell, as classes_key_wished. */
bool wish_key(const struct wishes *wishes, const struct network *network,
              const struct cell_point *cell, uint32_t *key);

/* Whether it is for a process, and not for another one that shares its points. */
bool wish_is_partial(const struct wish *wish, const struct network *network,
                     const uint32_t *firsts);

/* Whether anything is wished for the cell anywhere. */
bool wishes_have(const struct wishes *wishes, const struct symbol *symbol, uint32_t offset);

/* The classes of a wish, as classes_begun; NULL: each value stays as it is. */
bool wish_begins(const struct wish *wish, const struct class_point *point, uint32_t *stands_for);

/* Whether the classes of a point are finer than those that the wish names there. */
bool wish_is_refused(const struct wish *wish, const struct class_point *point);

#endif
