/* VERIFY INTERNAL - what the engines of verify share.
 *
 * verify.c          the explicit engine
 * verify_symbolic.c the symbolic one
 */
#ifndef VARABS_EXPLORE_VERDICT_VERIFY_INTERNAL_H
#define VARABS_EXPLORE_VERDICT_VERIFY_INTERNAL_H

#include "explore/verdict/verify.h"

enum { TRACE_SECONDS = 1 }; /* and a tenth of those of the search */

/* What is looked at, by query. */
struct plan {
    struct watch *watches;
    uint32_t *first_watch;
    uint32_t watch_count;
};

void set_problem(struct answer *answer, struct fault fault);
/* From now on the expander's limits are those of the search, or those of traces. */
void limit_expander(const struct search *search, struct expander *expander, bool is_trace);
/* A path, and on from its last row, which is the first one of the rest. */
struct row_path path_join(struct arena *arena, const struct row_path *path,
                          const struct row_path *rest);

/* False (reported) if it cannot be prepared, or is not for the engine. */
bool verify_symbolically(struct verification *verification, const struct network *network,
                         const struct verify_options *options, const struct plan *plan);

#endif
