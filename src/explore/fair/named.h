/* NAMED - channels and tags of a network by the names that users give them.
 *
 * A channel of a process is "P.c"; an array of channels has one name. Lifetime: names in the arena
 * given, or in the model.
 */
#pragma once

#include "base/similar.h"
#include "model/network.h"

struct channel_names {
    const char **items;
    uint32_t count;
};

struct channel_names channel_names_of(const struct network *network, struct arena *arena);
/* The name of a channel without references, "P.c" with its process (NULL: a global one); NULL if
 * the symbol is none. */
const char *channel_name_of(struct arena *arena, const struct symbol *symbol,
                            const struct process *process, const struct binding *binding);
bool channel_is_named(const struct channel_names *names, struct str name);

/* Whether some edge has the tag. */
bool network_has_tag(const struct network *network, struct str name);

/* Offers the names of channels and, without @, of tags. */
void similar_offer_actions(struct similar *similar, struct arena *arena,
                           const struct network *network, const struct channel_names *names);
