/* EDGE - the edges of the output. */
#pragma once

#include "abstract/emit/generator.h"

/* Counts what its edges assign to whole arrays (cell_loops.h). */
void count_loops(struct generator *generator, const struct location_fold *fold);

/* The edges of one location: first changes of those that are there in all locations, */
void generate_edges(struct generator *generator, const struct location_fold *fold);
/* then the others. */
void generate_copies(struct generator *generator, const struct location_fold *fold);
