/* TRACE REPORT - states and steps of runs, as JSON and as text.
 *
 * Lifetime: the caller owns JSON (json_decref); texts live in the arena given.
 */
#pragma once

#include "explore/verdict/trace.h"
#include <jansson.h>

/* "c[1]!" or "c[1]?"; NULL for an internal edge. */
const char *part_channel(const struct trace_step *step, uint32_t part, struct arena *arena);
/* Names of locations are those of the process's template. */
const char *location_name(const struct process *process, uint32_t location);
/* "model.xml:12:3". */
char *position_text(const struct network *network, position at, struct arena *arena);

/* By slot. */
char **slot_names_of(const struct network *network, struct arena *arena);

/* Object with the members `locations` and `values`, without those of meta variables. */
json_t *state_entry(const struct network *network, char *const *slot_names,
                    const struct trace_state *state);
/* Array of the participants. */
json_t *step_entry(const struct trace_step *step, struct arena *arena);
/* A run; its kind is "witness", "counterexample", "error" or "alternative". */
json_t *trace_entry(const struct network *network, const struct trace *trace, const char *kind,
                    struct arena *arena);
/* "the limit on time". */
const char *limit_text(enum search_limit limit);
/* The name of a limit or null. */
json_t *limit_entry(enum search_limit limit);

enum { LINE_WIDTH = 100, LINE_INDENT = 5 };

/* Items in lines; each is what printf makes of the format. */
struct items {
    FILE *file;
    struct arena *arena;
    size_t column, indent; /* where the line is; where the next one begins */
    bool has_any;
};

/* The first item will stand at the column, and so will the first ones of further lines. */
struct items items_begin(FILE *file, struct arena *arena, size_t column);
void print_item(struct items *items, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line for each participant: "      WHO-> P(1): idle -> busy, i = 2, c!". */
void print_step(FILE *file, const char *who, const struct trace_step *step, struct arena *arena);
/* A run, state by state. */
void print_trace(FILE *file, const struct network *network, const struct trace *trace,
                 struct arena *arena);
/* "1.5 MiB". */
void print_size(FILE *file, double bytes);
