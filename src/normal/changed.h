/* CHANGED - which edges of an abstraction have changed behind its fold, as values are exchanged at the
 * ends of their updates. */
#ifndef VARABS_NORMAL_CHANGED_H
#define VARABS_NORMAL_CHANGED_H

#include "normal/normal.h"

/* Whether values are exchanged at the end of an output edge of a fold, by its place there. None are
 * where normal is NULL. */
bool normal_changes(const struct normal *normal, const struct abstraction *abstraction,
                    const struct fold *fold, uint32_t place);

#endif
