/* SYMMETRY REPORT - who may change places, in the description of a model and in results. */
#pragma once

#include "symmetry/symmetry.h"

#include <jansson.h>
#include <stdio.h>

struct symmetries {
    const struct symmetry *of_model;     /* without queries */
    const struct symmetry *with_queries; /* while all of them stand; NULL = there are none */
    const struct symmetry *tried; /* likewise, if the order of receivers never matters; NULL =
                                            no more than without that */
};

json_t *report_symmetries(const struct symmetries *symmetries);
/* Nothing where no process has a parameter that could be one. */
void print_symmetries(FILE *file, const struct symmetries *symmetries, struct arena *arena);

/* The blocks as an array. */
json_t *block_entries(const struct symmetry *symmetry);
