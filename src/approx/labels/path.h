/* PATH - what a process can do within one step, and the channels that it may mean.
 *
 * Lifetime: in the arena of the analysis.
 * Errors:   more than PATH_MAX_EDGES - 1 branchpoints in a row are STATUS_UNSUPPORTED.
 */
#pragma once

#include "approx/labels/label_run.h"

enum { PATH_MAX_EDGES = 8 };

/* An edge, and after a branchpoint one of the edges that leave it, and so on. */
struct path {
    const struct edge *edges[PATH_MAX_EDGES];
    uint32_t count;
    uint32_t sync; /* number of the edge that synchronises; count if none does */
    bool is_plain; /* no selects, no guards after a branchpoint: it has one instance */
};

struct path_list {
    VEC(struct path) list;
};

/* Over: addresses of the channels that an edge of a process may mean, from first to last. */
struct channels {
    uint32_t first, last;
    bool may_be_binary, may_be_broadcast; /* over */
};

struct paths {
    struct path_list **of;      /* by template index, by location */
    struct channels **channels; /* by process, by edge */
    bool *is_broadcast;         /* by address */
};

/* The run is used to evaluate; its domain hook must be set. */
bool paths_init(struct paths *paths, struct label_run *run, struct diag *diag);

static inline bool path_synchronises(const struct path *path) { return path->sync < path->count; }

static inline bool path_receives(const struct path *path) {
    return path_synchronises(path) && !path->edges[path->sync]->is_send;
}

const struct channels *paths_channels(const struct paths *paths, const struct process *process,
                                      const struct path *path);
