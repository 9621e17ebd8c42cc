/* LACKING - which verdicts carry over from a model that lacks processes of the original.
 *
 * What is compared is the same up to steps that these processes make alone: so are reachable
 * states, and runs if they are followed to their ends, and if such steps come to an end where the
 * original moves. Queries are about what is compared, and about single states without deadlock.
 */
#pragma once

#include "explore/compare/certify.h"

#include <jansson.h>
#include <stdio.h>

struct lacking {
    const struct visible *visible; /* some processes are gone */
    const struct certification *certification;
    const struct certify_options *options;
    struct arena *arena;
};

json_t *lacking_entry(const struct lacking *lacking);
void print_lacking(FILE *file, const struct lacking *lacking);
