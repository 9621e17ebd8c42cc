/* GUARANTEE REPORT - what carries over to the original, as JSON (a member of the report of an
 * abstraction) and as a table. */
#pragma once

#include "abstract/claim/guarantee.h"

#include <jansson.h>
#include <stdio.h>

/* Array with an entry for each query. */
json_t *guarantee_entries(const struct guarantees *guarantees, struct arena *arena);
/* The results of explorations that were given (--checked). */
json_t *explored_entries(const struct guarantees *guarantees);
/* The condition that the claims rest on. */
json_t *condition_entry(const struct claim_condition *condition, struct arena *arena);
/* The evaluations that may fail in the network: an array, or null if that is not known. */
json_t *may_fail_entries(const struct claim_condition *condition);

void print_guarantees(FILE *file, const struct guarantees *guarantees,
                      const struct abstraction *abstraction);
/* The condition in lines of text: after a table, or alone. */
void print_condition(FILE *file, const struct claim_condition *condition, bool is_alone,
                     struct arena *arena);
/* In a headline, after a claim: "" if the condition is met. */
const char *condition_words(const struct claim_condition *condition);
/* All that may fail in the network. */
void print_may_fail(FILE *file, const struct claim_condition *condition);

/* Shared by the two forms. */

const char *bound_text(enum bound bound);
/* One text for both semantics; it names them where they differ. Each may be NULL. */
const char *joint_text(const char *kripke, const char *uppaal, struct arena *arena);
