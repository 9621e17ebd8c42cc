/* EMIT - the edits that turn the input document into the abstraction (rules M8 and M9).
 *
 * Only ranges that change are replaced. A source edge that has an output edge keeps its element;
 * further edges of the same origin are copies of it with their nails and labels moved aside, or
 * loops where there is room, so that the GUI does not draw them on top of each other.
 */
#pragma once

#include "abstract/fold/model.h"
#include "xml/splice.h"

/* Edits the document and sets abstraction->output; the edits are sorted. With only_first_step, for
 * exploring the initial state alone (first_step.h). */
struct splices generate_output(struct abstraction *abstraction, bool only_first_step);
