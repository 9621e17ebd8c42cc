/* SPLIT - tells processes of one template apart, so that a variable can be removed in some of them.
 *
 * Data flow: the --remove arguments say which variables are removed in which processes. Processes
 * of one template that do not agree in that form groups; each group but one gets a copy of the
 * template after the original, under the name Template_abstract. Sets of processes on the system
 * line are cut where the group changes: a group that is one range of a set has the parameter of its
 * template (or instantiation) restricted to it, so that Voter(3) becomes Voter_abstract(3);
 * others become partial instantiations such as `Voter_part2(const int[3,3] id) = Voter(id);`.
 * Processes that pass different variables to a reference parameter form groups, too, if such a
 * variable is to be removed (prepare/reference.h); their templates are called Template_variable.
 * Queries, progress measures and gantt entries get the new names; a quantifier over processes of
 * several groups is written as one quantifier for each range. What results is the input up to
 * these names: the same processes in the same order, with the same steps. The abstraction proper
 * then starts from it.
 *
 * Invariants: the order of processes stays (updates of broadcast receivers run in it), and so do
 *             priorities. Bytes that are not concerned stay as they were (M8).
 * Lifetime:   everything lives in the arena given; the removals of a plan outlive the network.
 * Errors:     wrong selections are STATUS_USAGE, values of scalar sets STATUS_UNSUPPORTED; more
 *             copies, ranges or text than the bounds below are STATUS_LIMIT.
 */
#pragma once

#include "abstract/prepare/record.h"
#include "abstract/prepare/reference.h"
#include "abstract/request/request.h"
#include "xml/splice.h"

enum { SPLIT_MAX_GROUPS = 100, SPLIT_MAX_RUNS = 4096, SPLIT_MAX_TEXT = 1 << 20 };

/* A copy of a template. */
struct split_copy {
    const char *template, *name;
    uint32_t process_count;
};

/* A process that has got another name. */
struct split_process {
    const char *before, *after;
};

struct split {
    const char **removals; /* --remove arguments that name no processes any more */
    uint32_t *arguments;   /* by removal: the number of the argument it comes from */
    uint32_t removal_count;
    VEC(struct split_copy) copies; /* empty: the document stays as it is */
    VEC(struct split_process) processes;
    VEC(struct changed_query) queries;
    struct references references;
    uint32_t of_merges; /* asked for: so many of the last arguments say in which processes
                                       variables are merged, each by itself */
    const bool *apart;  /* asked for: by process, that it shares no template with others; or NULL */
    bool keeps_record;  /* asked for: prepare/record.h takes nothing out */
    struct original_errors *errors; /* of the original, for that; or NULL */
    const char *asked;              /* functions that this text names stay; or NULL */
    struct record_taken record;
};

/* Reads --remove arguments, which stand at these places (NULL: on the command line), and adds the
 * edits that they need. split->references has what others want, and gets what the arguments want;
 * they are not replaced yet. False after an error. */
bool split_plan(struct split *split, struct splices *splices, const struct network *network,
                const char *const *arguments, const position *places, uint32_t count,
                struct diag *diag);
