/* DECIDER - varabs itself, as a process beside the proxy that decides one query of a model.
 *
 * It gets the model on its standard input and its limits as arguments, so that a crash, a full
 * memory or a hang of it never touches the connection.
 *
 * Lifetime: the model is borrowed until the process ends or is stopped.
 * Errors:   whatever is no verdict is none: other statuses, JSON that is none, messages.
 */
#pragma once

#include "base/str.h"
#include "engine/child.h"

#include <poll.h>
#include <stdint.h>

struct decider_limits {
    double seconds;
    const char *memory; /* as for --max-memory; NULL = the default */
    uint32_t jobs;
};

enum decided_verdict { DECIDED_NOTHING, DECIDED_SATISFIED, DECIDED_VIOLATED };

struct decision {
    enum decided_verdict verdict;
    bool has_messages;    /* the model depends on what Uppaal's documentation leaves open */
    bool cannot_fail;     /* there are no runtime errors; else there may be */
    uint64_t states;      /* of the search that decided */
    bool is_model_itself; /* no abstraction */
    double seconds;
    char why[128]; /* there is no verdict */
};

struct decider_process {
    struct child_process child;
    bool is_running;
    struct str model; /* what is still to be written */
    char *out;        /* what it has said */
    size_t out_size;
    bool is_too_long, has_messages;
    double begin, due; /* due: by the clock, when it is stopped */
};

/* False if it cannot be started. */
bool decider_start(struct decider_process *decider, struct str model, const char *query,
                   const struct decider_limits *limits);
/* Ends it, if it runs. */
void decider_stop(struct decider_process *decider);

enum { DECIDER_FDS = 3 };
/* For poll. */
void decider_fds(const struct decider_process *decider, struct pollfd fds[DECIDER_FDS]);
/* After poll: writes and reads. Whether it is done; then the decision is what it found. */
bool decider_step(struct decider_process *decider, const struct pollfd fds[DECIDER_FDS],
                  struct decision *decision);
