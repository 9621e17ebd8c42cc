/* TEXT - declarations, functions, invariants, queries, progress measures and gantt of the output.
 */
#pragma once

#include "abstract/emit/generator.h"

/* Edits all of them. */
void generate_texts(struct generator *generator);

/* Only the functions that its edges call in place of assignments (cell_loops.h). */
void generate_loops(struct generator *generator, const struct template *template);

/* M9: the query stays in the list, its formula moves into its comment, which says why: it names a
 * variable, which met its fate ("was removed"). */
void generate_lost_query(struct generator *generator, const struct query *query,
                         const char *variable, const char *fate);
