/* TEXT - what a model says, as strings in which names of a sort may be exchanged (rule Y5).
 *
 * Two texts are the same if they differ in the order of operands that may be exchanged, of edges of
 * a template, and of assignments next to each other that do not depend on each other.
 *
 * Lifetime: strings in the arena given.
 */
#pragma once

#include "symmetry/sorts.h"

/* An exchange of two elements of a sort, and of processes. */
struct name_exchange {
    const struct sorts *sorts;
    uint32_t root; /* NO_SLOT = of no sort */
    int64_t left, right;
    const uint32_t *process_of; /* by process: its image; NULL = all stay */
};

/* The value that a place has after the exchange. */
int64_t exchanged_value(const struct name_exchange *exchange, uint32_t variable, int64_t value);

struct text_unit {
    const char *text;
    struct span span; /* where it stands */
};

/* The units of one template or function, and the names of values in them that may be exchanged. */
struct model_part {
    uint32_t first, end; /* units */
    VEC(const struct sort_literal *) literals;
    bool names_processes;
};

struct model_text {
    struct arena *arena;
    const struct name_exchange *exchange;
    VEC(struct text_unit) units;
    const struct model_text *like;      /* a text of the same model to compare with, or NULL */
    VEC(struct model_part) parts;       /* where there is none to compare with */
    struct model_part *part;            /* that is being written then, or NULL */
    uint32_t compared;                  /* units that are the same there */
    const struct text_unit *difference; /* the first one there that is not, or NULL */
};

/* Everything that is said, but queries; then the queries. Ends at the first difference. */
void text_of_model(struct model_text *text);
void text_of_query(struct model_text *text, const struct query *query);
