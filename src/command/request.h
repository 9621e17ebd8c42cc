/* REQUEST - what a command is asked for, as the options of the program or the settings of a job of
 * the library say.
 *
 * Lifetime: everything is borrowed. What a command does not know means nothing to it.
 */
#pragma once

#include "abstract/fold/model.h"
#include "explore/compare/pairs/simulate.h"
#include "explore/verdict/verify.h"
#include "session/queries.h"

/* A model in a file, or bytes in memory with a name for messages. */
struct model_source {
    const char *name;
    struct str bytes; /* without data: read the file */
};

/* Arguments that may be given several times; from LIST_IGNORE on each is one name. */
enum request_list {
    LIST_REMOVE,
    LIST_MERGE,
    LIST_SPEC,
    LIST_CHECKED,
    LIST_IGNORE,
    LIST_VISIBLE,
    LIST_HIDE,
    LIST_WEAK,
    LIST_STRONG,
    LIST_ABSTRACT_WEAK,
    LIST_ABSTRACT_STRONG,
    LIST_COUNT
};

struct request_names {
    const char **items;
    uint32_t count;
};

struct command_request {
    /* second: the abstract model of certify and refines, what was made of the first one for draw,
     * the original of check; its name may be NULL for the last two */
    struct model_source first, second;
    struct request_names lists[LIST_COUNT];
    const char *without; /* abstract: processes to be taken out, or NULL */
    struct query_source *queries;
    uint32_t query_count;
    struct abstract_options abstract;
    struct verify_options verify; /* limits that were not given are 0 */
    bool wants_page;              /* of the result */
    bool
        is_lenient; /* what is asked for in vain is no mistake: queries without use, runs of none */
    /* abstract */
    bool has_mode; /* the options of the abstraction have it */
    bool is_auto, is_inexact, explores;
    /* grid: each removal, merge and spec is an abstraction of its own, and so is what is chosen */
    bool wants_may, wants_must; /* without either: may */
    /* check */
    bool is_uppaal; /* these semantics were named */
    bool wants_charts, wants_run_models;
    /* certify */
    enum simulation_mode relation;
    bool finds_relation; /* it is that of the report */
    bool observes;
    struct model_source report; /* of the abstract model; or without name: */
    bool finds_report;          /* the one beside it, if there is one */
    /* others */
    const char *actions, *template_name; /* refines: a file; draw; or NULL */
    bool wants_tikz;                     /* draw: as if the output were named so */
    bool wants_failures;                 /* refines */
    bool wants_scalars;                  /* of export: scalar sets in place of Promela */
    bool is_long;                        /* suggest: measures for longer */
    bool wants_agents;                   /* info */
    const char *rewritten;               /* info: where the model goes unchanged, or NULL */
    bool wants_words;                    /* info: only the names of variables */
    bool has_no_look;                    /* decide */
    uint64_t look; /* decide: states of the first look at the model as it is; 0 = the default */
};
