/* CERTIFY REPORT - what `varabs certify` found, as JSON (schemas/certify.schema.json) and as text.
 */
#pragma once

#include "explore/compare/certify.h"
#include "report/trace_report.h"

struct certify_report {
    const struct visible *visible;
    const struct certification *certification;
    const struct certify_options *options;
    struct arena *arena;
    bool has_report;          /* of the abstraction: what it removed is not compared */
    const char *found_report; /* it was beside the abstract model, there; or NULL */
};

json_t *report_certify(const struct certify_report *report);
void print_certify(FILE *file, const struct certify_report *report);

/* Shared by the two forms. */

/* "may" and the like; "concrete" and "abstract". */
const char *mode_text(enum simulation_mode mode);
const char *side_text(enum side side);
/* A clock that is set in one of the models, where nothing tests one (X6); or NULL. */
const struct symbol *certify_idle_clock(const struct visible *visible);
/* The state of a side at a position, and the step from there; NULL if it stutters. */
const struct trace_state *refutation_state(const struct refutation *refutation, enum side side,
                                           uint32_t index);
const struct trace_step *refutation_step(const struct refutation *refutation, enum side side,
                                         uint32_t index);
/* The step that the other model cannot follow, with its target. */
const struct trace_step *unmatched_step(const struct refutation *refutation);
const struct trace_state *unmatched_state(const struct refutation *refutation);
