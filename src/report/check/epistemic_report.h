/* EPISTEMIC REPORT - what agents observe, and why one of them does not know, as JSON and as text.
 *
 * Lifetime: the caller owns JSON (json_decref); texts live in the arena given.
 */
#pragma once

#include "explore/compare/play_plan.h"
#include "report/trace_report.h"

/* The report about agents: items that an agent observes with equal values in two states, and so
 * on. */
struct epistemic_report {
    const struct network *network;
    const struct answer *answer;
    struct arena *arena;
};

/* Objects with `agent`, `is_declared` and `items`, of some agents. */
json_t *observation_entries(const struct network *network, const struct agents *agents,
                            struct arena *arena);
/* Of an answer with a pair, but for its traces. */
json_t *epistemic_entry(const struct epistemic_report *report);

/* The result of `varabs info --agents` (schemas/agents.schema.json), and as text. */
json_t *report_agents(const struct network *network, const struct agents *agents,
                      struct arena *arena);
void print_agents(FILE *file, const struct network *network, const struct agents *agents,
                  struct arena *arena);

/* A line or more for each agent. */
void print_observations(FILE *file, const struct network *network, const struct agents *agents,
                        struct arena *arena);
/* Who does not know what. */
void print_epistemic(FILE *file, const struct epistemic_report *report, bool has_traces);
/* The items with equal values in the last states of both traces. */
void print_same(FILE *file, const struct epistemic_report *report);

/* The strategy that an answer is due to, as an array of its parts. */
json_t *strategy_entries(const struct epistemic_report *report);
void print_strategy(FILE *file, const struct epistemic_report *report, int indent);
/* What came of it in the original, of which the model is an abstraction, as an object and as a
 * line.
 */
json_t *played_entry(const struct plan_played *played);
void print_played(FILE *file, const struct plan_played *played, int indent);
/* The text of a move: where it goes. The text of a condition of a rule: "Voter.idle", "x == 1". */
const char *move_target(const struct move *move);
const char *condition_text(const struct epistemic_report *report,
                           const struct plan_condition *condition);

/* "kripke", "uppaal", or "any" where how runs end makes no difference to the query. */
const char *semantics_of(const struct query *query, enum semantics semantics);
