/* CHANNEL - what synchronisations send on. */
#ifndef VARABS_ABSTRACT_FACTS_CHANNEL_H
#define VARABS_ABSTRACT_FACTS_CHANNEL_H

#include "abstract/facts/context.h"

/* Is the channel of a synchronisation a broadcast channel in some process? */
bool sync_is_broadcast(const struct form_context *context, const struct template *template,
                       const struct expr *sync);
/* U2: whether an edge sends on a broadcast channel that is blocked. */
bool edge_is_blocked(const struct form_context *context, const struct template *template,
                     const struct edge *edge);

#endif
