/* INFO REPORT - the description of a model, as JSON (schemas/info.schema.json) and as text. */
#pragma once

#include "abstract/claim/condition.h"
#include "report/check/symmetry_report.h"

#include <jansson.h>
#include <stdio.h>

/* Listed variables: the global ones, then those of each template. */
struct listed_variable {
    const struct template *template;
    const struct symbol *symbol;
    const struct shape *shape; /* NULL if the template has no process */
    const char *name;
};
uint32_t list_variables(const struct network *network, struct listed_variable **list,
                        struct arena *arena);

/* Clocks that something uses, as --remove names them; none in models that test no clock. */
struct listed_clocks {
    VEC(const char *) names;
};
struct listed_clocks list_clocks(const struct network *network, struct arena *arena);

/* The result of removing a listed variable alone. */
struct tried {
    enum { TRIED_NOT, TRIED_EXACT, TRIED_INEXACT, TRIED_REFUSED } outcome;
    const char *because; /* why it is not exact, or refused; NULL = it is exact, or not known */
    const char *relies_on; /* that it is exact relies on this not failing (errors.h); or NULL */
};

struct info_report {
    const struct network *network;
    const struct tried *tried; /* by listed variable */
    struct claim_condition condition;
    struct symmetries symmetries;
    struct arena *arena;
};

json_t *report_info(const struct info_report *report);
void print_info(FILE *file, const struct info_report *report);

/* Shared by the two forms. */

const char *outcome_text(const struct tried *tried);
/* The first slot of a variable in the first process that has it; NULL if none does. */
const struct slot *first_slot(const struct network *network,
                              const struct listed_variable *variable);
bool edge_reads(const struct edge_labels *effects, const struct symbol *symbol);
bool edge_writes(const struct edge_labels *effects, const struct symbol *symbol);
/* Whether an edge uses a variable as one of these says, in some process perhaps through a reference
 * parameter. */
bool edge_uses(const struct network *network, uint32_t template, uint32_t edge,
               const struct symbol *symbol,
               bool (*uses)(const struct edge_labels *effects, const struct symbol *symbol));
