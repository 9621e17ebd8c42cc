/* COARSE - what the update items of an edge past its budget may write (rule A5).
 *
 * An assignment, ++ or -- to a name, index or field, without calls or other side effects, writes
 * into the cells that its target may be an interval computed from the least and greatest values
 * of what it reads: local slots as known at the source, shared ones from M, and the declared range
 * of a local slot that an earlier item may have written. Any other item, and one whose value may
 * not fit 32 bits, writes anything into whatever it may write.
 */
#ifndef VARABS_APPROX_LABELS_COARSE_H
#define VARABS_APPROX_LABELS_COARSE_H

#include "approx/labels/label_run.h"

typedef void (*coarse_found)(struct label_run *run, uint32_t slot, int32_t lower, int32_t upper,
                             void *context);

/* Calls back with each tracked slot that some relevant item from the plan's item_limit on may
 * write, and the bounds of what it writes there. The leg is number 0 and has been bound. */
void coarse_writes(struct label_run *run, const struct leg *leg, coarse_found found, void *context);

#endif
