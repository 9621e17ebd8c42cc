/* FIRST LOOK - what the first states of a search say of how to go on.
 *
 * The first attempt is on few states only. Where there are more, the search begins anew, with ranges
 * of fields as they were seen and with a symmetry if it pays, or the first look becomes the search.
 */
#pragma once

#include "explore/space/space.h"

/* Looks for a symmetry, and counts the orbits of the first look, which show if it pays. */
void judge_symmetry(struct search *search);
/* At the end of the first look, whose store is full: whether it becomes the search itself. */
bool goes_on_from_look(struct search *search);
