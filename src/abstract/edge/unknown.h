/* UNKNOWN - what stands for the removed cells that an edge reads, and which values it may have. */
#pragma once

#include "abstract/edge/open_edge.h"

/* The state of rewriting a label. */
struct rewriter {
    struct context *context;
    struct open_edge *open;
    struct where where;           /* the label stands */
    bool is_update;               /* partly removed variables are then assigned, not replaced */
    bool is_within_step;          /* shared slots may have changed since the source state */
    bool is_certain;              /* the label is not taken unless this part of it is evaluated */
    const char *why_not;          /* set when something cannot be expressed; the caller decides */
    struct symbolic_store *store; /* values that removed variables got in this update */
};

/* The unknown of a removed cell: the one that the open edge has already, or a new one. */
struct unknown *unknown_of_cell(struct context *context, struct open_edge *open,
                                const struct removal *removal, uint32_t offset,
                                bool is_within_step);
/* The unknown of an access with an index that is not constant; original is the access before its
 * indices were rewritten. */
struct unknown *unknown_of_access(struct rewriter *rewriter, const struct removal *removal,
                                  const struct expr *original, const struct expr *access);

/* A name that nothing else in the document has; that of a variable removed everywhere is free,
 * too. */
const char *fresh_name(struct context *context, struct open_edge *open, const char *base,
                       const struct removal *removal);
