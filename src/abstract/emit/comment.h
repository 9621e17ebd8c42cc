/* COMMENT - comments that say what edges were made of (--comments). */
#ifndef VARABS_ABSTRACT_EMIT_COMMENT_H
#define VARABS_ABSTRACT_EMIT_COMMENT_H

#include "abstract/emit/generator.h"

/* What an edge was made of, in the arena. */
const char *comment_of_edge(const struct generator *generator, const struct output_edge *out);

#endif
