/* COMMENT - comments that say what edges were made of (--comments), and the marks of those of a
 * mixed abstraction. */
#pragma once

#include "abstract/emit/generator.h"

/* Marks first, then what an edge was made of, in the arena; NULL: nothing is to be said. */
const char *comment_of_edge(const struct generator *generator, const struct output_edge *out);
