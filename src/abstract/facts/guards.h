/* GUARDS - whether guards and invariants of the model are stronger than the original's for a while
 * (must/kept.h), and what was added. */
#ifndef VARABS_ABSTRACT_FACTS_GUARDS_H
#define VARABS_ABSTRACT_FACTS_GUARDS_H

#include "abstract/facts/context.h"

/* A guard with what it reads. */
struct guard {
    struct expr *expr;      /* NULL = true */
    struct effects effects; /* once they are known */
    bool has_effects;
};

struct conditions {
    struct guard **guards;     /* by template index, edge */
    struct expr ***invariants; /* by template index, location; NULL = true */
};

/* Whether a label is another one than that of the original. */
bool edge_is_restricted(const struct context *context, const struct template *template,
                        uint32_t index);
bool invariant_is_restricted(const struct context *context, const struct template *template,
                             uint32_t location);

/* The restricted guard of an edge in two parts: what removed values matter for, and behind it what
 * was added and reads none. The second is NULL if there is none. */
const struct expr *restricted_guard(const struct context *context, const struct template *template,
                                    uint32_t index, const struct expr **fixed);

#endif
