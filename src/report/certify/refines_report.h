/* REFINES REPORT - what `varabs refines` found, as JSON (schemas/refines.schema.json) and as text.
 */
#pragma once

#include "explore/refine/refinement.h"
#include "report/trace_report.h"

struct refines_report {
    const struct alphabet *alphabet;
    const struct trace_refinement *refinement;
    const struct trace_options *options;
    struct arena *arena;
    bool shows_hidden; /* steps of the counterexample, in the text */
};

json_t *report_refines(const struct refines_report *report);
void print_refines(FILE *file, const struct refines_report *report);

/* Shared by the two forms. */

/* "traces" */
const char *refine_model_text(enum refine_model model);
/* Whether fair runs are fair to a constraint of the abstract model: "satisfied". */
const char *kept_text(const struct trace_refinement *refinement, uint32_t constraint);
/* " (concrete only)", or nothing for a channel of both models. */
const char *hidden_where(const struct hidden_channel *hidden);
