/* DECIDE REPORT - what `varabs decide` found out about queries, as JSON
 * (schemas/decide.schema.json) and as text. */
#pragma once

#include "abstract/claim/condition.h"
#include "abstract/claim/taken_out.h"
#include "refine/loop.h"

#include <jansson.h>
#include <stdio.h>

/* The run of the may-abstraction of a round, which was looked for in the original. */
struct decided_run {
    uint32_t round;           /* from 1 */
    json_t *trace, *original; /* original: what it is there, or NULL */
    json_t *guards;           /* of the original, that are false where it breaks off */
    const char *text;
    struct str drawing; /* of the abstraction, as SVG; empty if it was not drawn */
    json_t *processes;  /* of the abstraction: templates by name; or NULL */
};

/* A strategy that an abstraction decided a query by. */
struct decided_strategy {
    json_t *rules, *original; /* original: what came of it there */
    const char *text;
};

struct decided {
    const struct query *query;
    bool is_done;
    const struct refine_result *result;
    VEC(struct refine_round) rounds;
    const struct decided_strategy *strategy; /* or NULL */
    VEC(struct decided_run) runs; /* by round, of those that have one; empty if not wanted */
};

struct decide_report {
    const struct network *network;     /* the original */
    const struct taken_out *taken_out; /* processes that were taken out of it before; or NULL */
    bool is_untimed;                   /* the original without clocks was looked at in its place */
    const char *input;                 /* its file, as it was named */
    enum semantics semantics;
    struct claim_condition condition;
    VEC(struct decided) list;
    struct arena *arena;
};

/* The JSON belongs to the caller. */
json_t *report_decide(const struct decide_report *report);
/* Takes a run, as the last one of a query. */
void decided_add_run(struct decide_report *report, struct decided *decided,
                     const struct refine_round *round, const struct refine_run *run);
void decided_set_strategy(struct decide_report *report, struct decided *decided,
                          const struct refine_strategy *strategy);
/* The run of a round, or NULL. */
const struct decided_run *decided_run_of(const struct decided *decided, uint32_t round);
/* Gives the JSON of runs back. */
void decide_report_close(struct decide_report *report);
/* Which processes were taken out, before all else. */
void print_without(FILE *file, const struct decide_report *report);
/* A round, as soon as it is over, */
void print_round(FILE *file, const struct decide_report *report, const struct refine_round *round);
/* and its run, if it is kept. */
void print_round_run(FILE *file, const struct decided_run *run);
/* The verdict on a query and where it is from. */
void print_decided(FILE *file, const struct decide_report *report, const struct decided *decided);
