/* RECEIVERS - whether the order matters in which receivers of a broadcast run (rule Y9).
 *
 * They run in the order of the system line. An exchange that changes the order of two processes
 * which may receive together needs updates that commute.
 */
#ifndef VARABS_SYMMETRY_RECEIVERS_H
#define VARABS_SYMMETRY_RECEIVERS_H

#include "symmetry/sorts.h"

/* False, and *at is an update that stands in the way. */
bool receivers_commute(struct arena *scratch, const struct sorts *sorts, const uint32_t *process_of,
                       struct span *at);

#endif
