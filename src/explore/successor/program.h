/* PROGRAM - everything that a network can do, prepared for the search (made by assemble.h).
 *
 * An instance is what one process can do in a step: an edge, or a chain of edges through
 * branchpoints, with all selects fixed. An action is a step that is known as a whole: an internal
 * instance, or a sender and a receiver on a binary channel; it is one unit. Steps whose partners
 * depend on the state (broadcast, channels with a computed index, guards that can fail) are put
 * together from instances while the search runs: such instances are loose.
 *
 * Lifetime: in the arena given; read only while a search runs, but for actions that wait, which one
 *           thread alone may run.
 */
#pragma once

#include "explore/code/compile.h"
#include "explore/successor/dispatch.h"
#include "explore/symmetry/canon.h"

enum {
    PROGRAM_MAX_INSTANCES = 1 << 20, /* some hundred megabytes with their code */
    PROGRAM_MAX_PAIRS = 1 << 14,     /* of one channel; more are put together while running */
    PATH_MAX_BRANCHES = 8,
    PROGRAM_FREE_SIZE = 1 << 25 /* bytes that may always be taken */
};

#define NO_INSTANCE UINT32_MAX
#define ANY_CHANNEL (UINT32_MAX - 1)

struct edge_instance {
    const struct process *process;
    const struct edge *const *edges; /* the path */
    const int32_t *const *selects;   /* by edge of the path */
    uint32_t edge_count;
    uint32_t sync; /* the edge that synchronises, or edge_count */
    uint32_t source, target;
    uint32_t channel; /* address; NO_SLOT = internal; ANY_CHANNEL = depends on the state */
    bool is_send;
    bool is_loose;
    bool is_lazy; /* a loose receiver: looked at only when there is a sender on its channel */
    bool has_plain_guard;             /* under: it only tests, and the channel is known */
    struct unit guard;                /* with the source location; of synchronising instances */
    struct unit update, channel_code; /* of loose ones */
};

/* ACTION_WAITS: its unit has its tests alone, and is compiled when they hold for the first time. */
enum action_state { ACTION_READY, ACTION_WAITS, ACTION_NEVER };

struct action {
    struct unit unit;
    enum action_state state;
    uint32_t first, second; /* instances; second may be NO_INSTANCE */
    bool is_committed;      /* some participant leaves a committed location */
    bool rechecks;          /* over: all invariants must be looked at afterwards */
    int64_t rank;
};

/* The instances by which one process can receive on a channel. */
struct listener {
    const struct process *process;
    struct dispatch dispatch; /* to lazy instances of the channel */
};

struct channel {
    const char *name;
    bool is_broadcast, is_urgent;
    int32_t priority;
    VEC(uint32_t) senders, receivers; /* instances */
    VEC(uint32_t) lazy;               /* receivers that are lazy, by process and location */
    VEC(struct listener) listeners;
    bool is_loose;
};

struct program {
    const struct network *network;
    const struct layout *layout;
    struct code code;
    VEC(struct edge_instance) instances;
    VEC(struct action) actions;
    VEC(uint64_t) quick; /* rows of actions (quick.h), quick_size numbers each */
    VEC(struct dispatch) quick_dispatch;
    VEC(struct memo_group) groups; /* of rows, by process and location */
    VEC(struct memo_process) memo_processes;
    VEC(uint32_t) slow; /* where states are too large for that: actions */
    VEC(struct dispatch) slow_dispatch;
    VEC(uint32_t) loose;         /* instances that are looked at in every state */
    struct row_range **loose_of; /* by process, location: in loose */
    VEC(uint32_t) urgent;        /* instances on urgent channels, or on such as the state decides */
    struct row_range **urgent_of; /* by process, location: in urgent */
    struct channel **channels;    /* by address, NULL where there is none */
    bool has_loose;
    bool has_committed, has_urgent; /* locations */
    bool has_priorities;
    int32_t internal_priority;
    struct unit before, after; /* hooks */
    bool has_before, has_after;
    struct unit **invariants; /* by process, location: entry NO_CODE and no tests = true */
    VEC(uint32_t) invariant_processes;
    bool rechecks_always;      /* the initial state violates an invariant */
    bool has_waiting;          /* actions */
    struct compiler *compiler; /* for predicates; program_close */
    const struct canon *canon; /* successors become canonical by it, or NULL */
};

/* Whether one loose instance may receive from another. */
static inline bool may_receive(const struct edge_instance *receiver,
                               const struct edge_instance *sender) {
    return !receiver->is_send && receiver->process != sender->process &&
           (receiver->channel == sender->channel || receiver->channel == ANY_CHANNEL ||
            sender->channel == ANY_CHANNEL);
}

static inline bool unit_is_trivial(const struct unit *unit) {
    return unit->entry == NO_CODE && !unit->test_count;
}
