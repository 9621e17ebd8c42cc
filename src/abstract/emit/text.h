/* TEXT - declarations, functions, invariants, queries, progress measures and gantt of the output.
 */
#ifndef VARABS_ABSTRACT_EMIT_TEXT_H
#define VARABS_ABSTRACT_EMIT_TEXT_H

#include "abstract/emit/generator.h"

/* Edits all of them. */
void generate_texts(struct generator *generator);

#endif
