/* ASKED - the queries that verifyta would be asked, where each stands, and what is known of it.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "command/request.h"
#include "verifyta/arguments.h"

#include <stdio.h>

struct asked_query {
    const char *text, *place; /* place: as verifyta names it */
    enum quantifier quantifier;
    const char *problem; /* why there will be no verdict, or NULL */
    enum verdict verdict;
    uint64_t states;  /* that were looked at for it */
    const char *how;  /* how it was decided */
    const char *run;  /* that shows it, as text, or NULL */
    const char *rest; /* how that run goes on, or NULL */
};

struct asked_list {
    struct asked_query *items;
    uint32_t count;
    const char *problem;  /* why no query gets a verdict, "" if messages say so; or NULL */
    enum status status;   /* of varabs, for that, or for the gravest problem of a query */
    bool has_warnings;    /* the model depends on what Uppaal's documentation leaves open */
    bool may_have_errors; /* at runtime */
};

/* Reads the model and the queries, and looks whether each is one for varabs. Messages go to the
 * file. */
void asked_read(struct asked_list *asked, const struct verifyta_arguments *arguments,
                struct arena *arena, FILE *messages);

/* Whether verifyta would give a run with the verdict. */
bool asked_has_run(const struct asked_query *query);
