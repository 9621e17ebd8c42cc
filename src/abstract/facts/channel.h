/* CHANNEL - what synchronisations send on. */
#pragma once

#include "abstract/facts/context.h"

/* Over: whether the channel of a synchronisation is a broadcast channel in some process. */
bool sync_is_broadcast(const struct context *context, const struct template *template,
                       const struct expr *sync);
/* U2: broadcast channels on which nothing is sent; over, so that what is kept is under. */
struct blocked_channels {
    VEC(const struct symbol *) list;
    bool has_all; /* over: some are not known by name */
};

/* Adds a channel, or all of them for NULL. */
void blocked_channels_add(struct blocked_channels *blocked, const struct symbol *channel,
                          struct arena *arena);
/* Over: whether an edge may send on a channel that is blocked. */
bool edge_is_blocked(const struct context *context, const struct blocked_channels *blocked,
                     const struct template *template, const struct edge *edge);
