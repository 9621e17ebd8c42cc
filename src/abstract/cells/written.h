/* WRITTEN - whether the update of an edge that touches cells reads what it has written before. */
#ifndef VARABS_ABSTRACT_CELLS_WRITTEN_H
#define VARABS_ABSTRACT_CELLS_WRITTEN_H

#include "abstract/cells/touched.h"

/* What an update reads of visible variables must be as it was when the guard was read. */
bool update_reads_what_it_wrote(const struct touched_edge *touched);

#endif
