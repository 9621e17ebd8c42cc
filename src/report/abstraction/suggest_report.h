/* What `varabs suggest` found, as JSON (schemas/suggest.schema.json) and as text. */
#pragma once

#include "abstract/claim/condition.h"
#include "abstract/claim/taken_out.h"
#include "refine/measure.h"

#include <jansson.h>

struct suggest_report {
    const struct suggestion *suggestion;
    const struct exchanges *exchanges;
    const struct taken_out *taken_out; /* processes that nothing depends on; NULL: there are none */
    const struct claim_condition *condition;
    const struct query *queries; /* that the variables are kept for */
    uint32_t query_count;
    struct arena *arena;
    double read_seconds, check_seconds, total_seconds;
};

json_t *report_suggest(const struct suggest_report *report);
void print_suggest(FILE *file, const struct suggest_report *report);
