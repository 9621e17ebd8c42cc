/* JOB - what a job of the library holds.
 *
 * Lifetime: a job owns plain heap memory, as arenas end the process where there is none. What a run
 *           does is done in a process of its own (api/apart.h), where runs.c has a sink that leaves
 *           the parts of the result.
 */
#pragma once

#include "api/varabs.h"

#include "api/apart.h"
#include "command/command.h"

#include <stdatomic.h>

enum { SETTING_COUNT = VARABS_INEXACT + 1, FAIR_KINDS = VARABS_ABSTRACT_STRONG + 1 };

/* Copies of texts. */
struct text_list {
    const char **items;
    uint32_t count, capacity;
};

struct varabs {
    char *name, *bytes; /* bytes: NULL if the name is that of a file */
    size_t size;
    char *report; /* of the abstraction that made it; or NULL */
    char *report_path;
    struct text_list lists[LIST_COUNT];             /* as requests have them */
    struct text_list queries, query_files, actions; /* queries before those of files */
    struct text_list favoured, without;
    long long settings[SETTING_COUNT];
    struct search_options limits;
    bool lacks_memory; /* for some argument: no run is right without it */
    varabs_progress *progress;
    void *context;
    atomic_bool is_cancelled;
    struct made made; /* by the last run */
};

/* One of several in a part, whose sizes are not trusted (PART_CHARTS, PART_RUN_MODELS): in front of
 * each, and a NUL stands after. */
struct pack_head {
    uint64_t number, size;
};
