/* STEP PATH - the edges that one step of a process takes: through branchpoints there are several. */
#pragma once

#include "lang/syntax/ast.h"

/* Over: whether the path of some step may have both edges of the template. */
bool edges_share_path(struct arena *scratch, const struct template *template,
                      const struct edge *left, const struct edge *right);
