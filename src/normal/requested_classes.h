/* REQUESTED CLASSES - which values a spec lets be exchanged: variables or cells, at a location or
 * everywhere, all of their values or some classes of them.
 *
 * A request is where the search for classes begins (V5): what makes a difference is split further,
 * so that whatever is requested is sound.
 *
 * Lifetime: in the arena given; the spec and the live variables are borrowed.
 * Errors:   what names nothing in the model is STATUS_INVALID.
 */
#pragma once

#include "classes/classes.h"
#include "session/spec.h"
#include "suggest/live.h"

#define EVERY_CELL UINT32_MAX
#define EVERY_LOCATION UINT32_MAX

struct requested_class {
    const struct spec_exchange *exchange;
    const struct live_variable *variable;
    uint32_t offset, location;
    const struct template *template; /* of the location */
    bool *is_in;                     /* by process; NULL: in all */
    const struct live_variable *key; /* while a cell of this has a value; or NULL */
    uint32_t key_offset;
};

/* A point of those that share it. */
struct requested_point {
    const struct network *network;
    const struct cell_point *cell;
    const uint32_t *firsts; /* by process: the first of those that share its points */
};

struct requested_classes {
    bool are_given; /* else all values may be exchanged */
    VEC(struct requested_class) list;
};

/* False (reported) if a request names nothing. */
bool requested_classes_read(struct requested_classes *requests, const struct spec *spec,
                            const struct live *live, struct arena *arena, struct diag *diag);

/* The first request for a point, in all processes that share it; NULL if nothing is requested. */
const struct requested_class *requested_for(const struct requested_classes *requests,
                                            const struct requested_point *point);

/* The slot of the key that is requested in some points of a cell, as classes_key_requested. */
bool requested_key(const struct requested_classes *requests, const struct network *network,
                   const struct cell_point *cell, uint32_t *key);

/* Whether the request names a process, but not each process that shares its points. */
bool request_is_partial(const struct requested_class *requested, const struct network *network,
                        const uint32_t *firsts);

/* Whether anything is requested of the cell anywhere. */
bool requested_classes_have(const struct requested_classes *requests, const struct symbol *symbol,
                            uint32_t offset);

/* The classes of a request, as classes_begun; NULL: each value stays as it is. */
bool request_begins(const struct requested_class *requested, const struct class_point *point,
                    uint32_t *stands_for);

/* Whether the classes of a point are finer than those that the request names there. */
bool request_is_refused(const struct requested_class *requested, const struct class_point *point);
