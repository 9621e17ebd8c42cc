/* SYNC PARTNERS - which edges can find another process to synchronise with, at the locations that
 * have been reached so far.
 *
 * A sender on a channel for two needs a receiver in another process, and a receiver a sender. Which
 * cell of an array of channels an expression means does not count, nor what guards say.
 *
 * Invariants: all of it over; it grows with what is reached. Next to a branchpoint every edge has a
 *             partner.
 * Lifetime:   in the arena given.
 * Errors:     none; where an expression may mean any channel, every edge has a partner.
 */
#pragma once

#include "model/network.h"

/* Where an edge of a process begins that can synchronise. */
struct partner_use {
    uint32_t process, location;
};

/* The uses of one variable of channels: [0] receivers, [1] senders. */
struct partner_uses {
    VEC(struct partner_use) list[2];
    uint32_t process_count[2]; /* at most two, which is enough for a third */
    bool is_broadcast;
};

struct sync_partners {
    struct arena *arena;
    const struct network *network;
    bool is_known;         /* else each edge has a partner */
    uint32_t *variable_of; /* by address: of the channel, plus 1 */
    VEC(struct partner_uses) variables;
};

void sync_partners_init(struct sync_partners *partners, struct arena *arena,
                        const struct network *network);

/* Over: whether the edge has a partner or needs none. */
bool sync_partners_has(const struct sync_partners *partners, const struct process *process,
                       const struct edge *edge);

/* The source of the edge is reached. Calls back with each place reached before where some edge may
 * have a partner now and had none. */
typedef void (*partner_found)(void *context, struct partner_use use);
void sync_partners_add(struct sync_partners *partners, const struct process *process,
                       const struct edge *edge, partner_found found, void *context);
