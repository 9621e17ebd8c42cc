/* CHART - a run as a message sequence chart: a line for each process that takes part, downwards a
 * row for each step, and an arrow to each receiver.
 *
 * Lifetime: results live in the arena given.
 * Errors:   STATUS_LIMIT past DRAW_MAX_BYTES of output.
 */
#pragma once

#include "explore/verdict/trace.h"

/* A whole SVG file; the title stands above the chart. False (reported) past the limit. */
bool draw_chart(struct str *page, const struct network *network, const struct trace *trace,
                const char *title, struct arena *arena, struct diag *diag);
