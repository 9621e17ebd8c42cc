/* PUT BACK - which removed variables keep the original from a run of an abstraction, so that one of
 * them has to be put back. */
#pragma once

#include "explore/compare/concretize.h"
#include "refine/attempt.h"
#include "refine/removal_candidates.h"

/* Whether the original has the run of an abstraction. */
enum refine_finding { FINDING_NONE, FINDING_REAL, FINDING_SPURIOUS };

enum { REFINE_MAX_STATES = 1000000 }; /* of the original, along one run */

struct suspects {
    struct removal_candidates *candidates;
    struct concretization followed; /* the run, followed in the original */
};

/* Whether the original, whose only query is the attempt's, has the run that the attempt has to
 * show. If it has not, marks the candidates that are to blame as suspects. */
enum refine_finding suspects_of_run(struct suspects *suspects, const struct network *network,
                                    const struct attempt *attempt,
                                    const struct verify_options *options, struct arena *arena);
/* Marks the candidates that decide whether an edge of an abstraction is there, or else what it
 * does.
 */
void suspects_of_doubt(struct removal_candidates *candidates, const struct network *network,
                       const struct edge_instance *doubted);
/* Marks the candidates whose names stand in a message, in quotes. */
void suspects_of_text(struct removal_candidates *candidates, const char *message);

/* Variables that both models have, but not with the same values: in the abstract one they rest at
 * some locations, or have values exchanged. In the form of visible_init; the number in *count. */
const char **removal_candidates_ignored(const struct removal_candidates *candidates,
                                        struct arena *arena, uint32_t *count);
