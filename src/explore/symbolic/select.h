/* SELECT - the vectors of a set for which a term has a truth, a fault, or its extreme values.
 *
 * Lifetime: a selector remembers results for one diagram; terms and levels are borrowed. No node
 *           may be collected meanwhile. selector_close frees its memory.
 * Errors:   terms.has_failed, or a limit of the diagrams: the results mean nothing then.
 */
#pragma once

#include "base/index.h"
#include "explore/symbolic/diagram/ldd.h"
#include "explore/symbolic/term.h"

enum selection { SELECT_TRUE, SELECT_FAULT };

/* Least and greatest value, where is_found. */
struct extremes {
    bool is_found;
    int32_t lower, upper;
};

/* Takes the other ones in. */
void extremes_join(struct extremes *into, struct extremes other);

enum { SELECTIONS_MAX = (1 << 23) - 1 }; /* the largest serial */

struct selector_entry {
    uint32_t set, level, term;
    struct extremes extremes;
};

struct selector {
    struct ldd *ldd;
    struct terms *terms;
    uint32_t serial;                /* another one for all terms that are made */
    struct selector_entry *entries; /* heap: of extremes */
    size_t capacity;
    struct index index; /* of the entries */
};

void selector_init(struct selector *selector, struct ldd *ldd, struct terms *terms,
                   uint32_t serial);
void selector_close(struct selector *selector);

/* Sets and terms from a level on. */
uint32_t select_vectors(struct selector *selector, uint32_t set, uint32_t level, uint32_t term,
                        enum selection selection);
/* Of a term that has no fault on the set. */
struct extremes select_extremes(struct selector *selector, uint32_t set, uint32_t level,
                                uint32_t term);
