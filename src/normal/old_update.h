/* OLD UPDATE - what stays of an update when values are exchanged after it.
 *
 *     before = last, last = j    and after it    last = 0        becomes        before = last
 *
 * Lifetime: texts in the arena given.
 */
#pragma once

#include "approx/labels/fact.h"
#include "normal/by_select.h"
#include "xml/document.h"

/* The text of the update of an edge, without the assignments of which the exchanges make no use;
 * "" if nothing stays. Comments stay where all of it does. */
struct str old_update_text(struct arena *arena, const struct document *document,
                           const struct analysis *analysis, const struct template *template,
                           const struct edge *edge, const struct cell_text *exchanges,
                           uint32_t count);
