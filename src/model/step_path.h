/* STEP PATH - the edges that one step of a process takes: through branchpoints there are several.
 *
 * Lifetime: until step_path_close.
 */
#pragma once

#include "lang/syntax/ast.h"

struct step_path {
    bool *has; /* by edge of the template; over */
    struct arena arena;
};

/* The edges that may be on the path of some step by this edge of the template, itself included. */
void step_path_open(struct step_path *path, const struct template *template,
                    const struct edge *edge);
void step_path_close(struct step_path *path);
