/* QUERY - names of removed variables in queries, progress measures and gantt entries (M9), and what
 * a query says of ghosts instead (S2). */
#pragma once

#include "abstract/fold/model.h"

/* Says a query of ghosts instead of removed variables; false if some removed name stays. */
bool query_rewrite(struct abstraction *abstraction, uint32_t index);
