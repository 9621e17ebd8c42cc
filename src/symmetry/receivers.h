/* RECEIVERS - whether the order of processes matters: of receivers of a broadcast (rule Y9), and of
 * invariants (Y20).
 *
 * Receivers run in the order of the system line. An exchange that changes the order of two
 * processes which may receive together needs updates that commute. Invariants are evaluated in that
 * order, up to the first one that is false or fails.
 */
#pragma once

#include "symmetry/sorts.h"

/* Two receivers of a broadcast, the one before the other in the system line. */
enum receiver_order {
    RECEIVERS_COMMUTE,
    RECEIVERS_KEPT, /* they do not, and no permutation changes their order */
    RECEIVERS_TRIED /* one may */
};

/* Edges that may receive, with what their steps do: listed when they are asked for first. */
struct receiving {
    struct arena *arena;
    const struct network *network;
    struct template_receivers {
        bool is_listed;
        VEC(struct receiver *) list;
    } * of; /* by template */
};

void receivers_init(struct receiving *receivers, struct arena *arena,
                    const struct network *network);
/* False, and *at is an update that stands in the way. */
bool receivers_commute(struct receiving *receivers, const uint32_t *process_of, struct span *at);
/* The same of an invariant. */
bool invariants_commute(struct arena *scratch, const struct network *network,
                        const uint32_t *process_of, struct span *at);

/* What is to be tried of each two processes, where permutations map a process to all that have the
 * same number in orbit_of. */
const enum receiver_order *receivers_orders(struct receiving *receivers, const uint32_t *orbit_of);
